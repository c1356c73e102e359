"use strict";
// Charts are sorted by a click on a heading, and saved: the picture as SVG, its table as CSV, as they
// are on the page at the click.
Zhiyin.export = (() => {
  const { el, svg } = Zhiyin;
  const PAINT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "fill-opacity", "font-size", "text-anchor"];

  function save(name, type, text) {
    const link = el("a", { download: name, href: URL.createObjectURL(new Blob([text], { type })) });
    document.body.append(link);
    link.click();
    setTimeout(() => { URL.revokeObjectURL(link.href); link.remove(); }, 1000);
  }

  const read = (node) => node.textContent.replace(/\s+/g, " ").trim();

  // Cells as they read; a formula is disarmed, as in Zhiyin's other CSV files.
  function csvOf(table) {
    const cell = (node) => {
      const text = read(node);
      const safe = /^[=@\t\r]/.test(text) || /^[+-](?![\d.])/.test(text) ? `'${text}` : text;
      return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    };
    return [...table.rows].filter((row) => row.cells.length).map((row) =>
      [...row.cells].filter((one) => !one.classList.contains("wide")).map(cell).join(",")).join("\n") + "\n";
  }

  // A drawing in a file of its own: words and lines where they stand on the page.
  function svgOf(node) {
    const frame = node.getBoundingClientRect();
    const ink = getComputedStyle(document.body);
    const made = svg("svg", { xmlns: "http://www.w3.org/2000/svg", width: Math.ceil(frame.width), height: Math.ceil(frame.height),
      viewBox: `0 0 ${Math.ceil(frame.width)} ${Math.ceil(frame.height)}`, "font-family": "sans-serif" },
    svg("rect", { width: "100%", height: "100%", fill: ink.backgroundColor }));
    const walk = (one) => {
      if (one.nodeType === Node.TEXT_NODE) return word(one);
      if (one.nodeType !== Node.ELEMENT_NODE || one.matches(".export, .aloud, summary, details:not([open])")) return null;
      if (one instanceof SVGSVGElement) return drawing(one);
      return [...one.childNodes].forEach(walk);
    };
    function word(one) {
      if (!one.data.trim()) return;
      const range = document.createRange();
      range.selectNodeContents(one);
      const style = getComputedStyle(one.parentElement);
      if (style.visibility === "hidden") return;
      for (const [box, text] of lines(one, range)) {
        made.append(svg("text", { x: (box.left - frame.left).toFixed(1), y: (box.bottom - frame.top - 0.25 * box.height).toFixed(1),
          fill: style.color, "font-size": style.fontSize, "font-weight": style.fontWeight }, text));
      }
    }
    function drawing(one) {
      const box = one.getBoundingClientRect();
      if (!box.width || !box.height) return;
      const copy = one.cloneNode(true);
      const from = [one, ...one.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
      from.forEach((source, i) => {
        const style = getComputedStyle(source);
        if (i) for (const key of PAINT) if (style[key]) to[i].setAttribute(key, style.getPropertyValue(key));
        to[i].removeAttribute("class");
      });
      for (const [key, value] of Object.entries({ x: box.left - frame.left, y: box.top - frame.top,
        width: box.width, height: box.height })) copy.setAttribute(key, value.toFixed(1));
      copy.setAttribute("overflow", "visible");
      made.append(copy);
    }
    walk(node);
    const patterns = document.getElementById("patterns");
    if (patterns) made.prepend(patterns.querySelector("defs").cloneNode(true));
    return new XMLSerializer().serializeToString(made);
  }

  // The lines into which a text is broken, each with its box.
  function lines(node, range) {
    const boxes = [...range.getClientRects()];
    if (boxes.length < 2) return boxes.map((box) => [box, node.data.replace(/\s+/g, " ")]);
    const pieces = [];
    for (const piece of node.data.matchAll(/\S+/g)) {
      range.setStart(node, piece.index);
      range.setEnd(node, piece.index + piece[0].length);
      const box = range.getBoundingClientRect();
      const last = pieces.at(-1);
      if (last && Math.abs(last[0].top - box.top) < 2) last[1] += ` ${piece[0]}`;
      else pieces.push([box, piece[0]]);
    }
    return pieces;
  }

  // By a column, the largest figure first; the other way round at the next click, then as it was.
  function sort(head, table) {
    const next = { none: "descending", descending: "ascending", ascending: "none" }[head.ariaSort];
    for (const other of table.tHead.rows[0].cells) other.ariaSort = "none";
    head.ariaSort = next;
    const worth = (row) => read(row.cells[head.cellIndex]);
    const figure = (row) => parseFloat(worth(row).replaceAll(",", "").replace("−", "-").replace("<", ""));
    const order = (a, b) => {
      const [x, y] = [figure(a), figure(b)];
      const ahead = isNaN(x) || isNaN(y) ? isNaN(x) - isNaN(y) || worth(b).localeCompare(worth(a)) : y - x;
      return next === "descending" ? ahead : -ahead;
    };
    const [body] = table.tBodies;
    table.listed ||= [...body.rows];
    body.append(...(next === "none" ? table.listed : [...table.listed].sort(order)));
  }

  function sortable(table) {
    for (const head of table.tHead.rows[0].cells) {
      if (head.matches(".wide") || head.querySelector("button")) continue;
      head.ariaSort = "none";
      head.replaceChildren(el("button", { class: "link", onclick: () => sort(head, table) }, ...head.childNodes));
    }
  }

  // Each picture gets its two buttons, and headings that sort.
  function equip() {
    document.querySelectorAll(".picture-of > .export").forEach((old) => old.remove());
    document.querySelectorAll("table.chart").forEach(sortable);
    for (const body of document.querySelectorAll(".picture-of")) {
      const { name } = body.dataset;
      const file = name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || "zhiyin";
      body.append(el("p", { class: "export" },
        el("button", { class: "quiet", "aria-label": `SVG: ${name}`,
          onclick: () => save(`${file}.svg`, "image/svg+xml", svgOf(body)) }, "SVG"), " ",
        el("button", { class: "quiet", "aria-label": `CSV: ${name}`,
          onclick: () => save(`${file}.csv`, "text/csv", [...body.querySelectorAll("table")].map(csvOf).join("\n")) }, "CSV")));
    }
  }

  return { equip, csvOf, svgOf };
})();
