"use strict";
// What the page's other scripts share: loading data, building elements, writing numbers.
// Data reach the page as text nodes only; nothing that a model wrote is ever parsed as markup.
const Zhiyin = (() => {
  const live = document.querySelector('meta[name="zhiyin-live"]') !== null;
  const arriving = new Map();
  const loading = new Map();

  function receive(name, value) {
    const wanted = arriving.get(name);
    if (wanted) wanted(typeof value === "string" ? unpack(value) : value);
  }

  // Three ways to the same data: in the page itself, from a local server, or as scripts in a
  // folder (a page from file:// may fetch nothing).
  function get(name) {
    const inline = document.querySelector(`script[data-name="${name}"]`);
    if (inline && inline.dataset.packed) return unpack(inline.textContent);
    if (inline) return Promise.resolve(JSON.parse(inline.textContent));
    if (live) {
      return fetch(`data/${name}.json`, { cache: "no-store" }).then((answer) => {
        if (!answer.ok) throw new Error(`${name}: the server says ${answer.status}`);
        return answer.json();
      });
    }
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      arriving.set(name, resolve);
      script.src = `data/${name}.js`;
      script.onload = () => { arriving.delete(name); script.remove(); };
      script.onerror = () => reject(new Error(`${script.src} is missing: keep the whole folder`));
      document.head.append(script);
    });
  }

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  }

  function load(name) {
    if (!loading.has(name)) {
      const coming = get(name);
      coming.catch(() => loading.delete(name));
      loading.set(name, coming);
    }
    return loading.get(name);
  }

  // Control characters, NUL among them, become the pictures that Unicode has for them.
  const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
  function visible(text) {
    return String(text).replace(CONTROLS, (c) =>
      c === "\u007f" ? "\u2421" : String.fromCharCode(0x2400 + c.charCodeAt(0)));
  }

  function fill(node, properties, children) {
    for (const [name, value] of Object.entries(properties || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value === true) node.setAttribute(name, "");
      else node.setAttribute(name, value);
    }
    for (const child of children.flat(Infinity)) {
      if (child === null || child === undefined || child === false) continue;
      node.append(child instanceof Node ? child : visible(child));
    }
    return node;
  }
  const el = (tag, properties, ...children) =>
    fill(document.createElement(tag), properties, children);
  const svg = (tag, properties, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);

  // A name that somebody else chose: its direction of writing stays its own.
  const name = (text, more) => el("bdi", more, text);

  const count = (value) => value.toLocaleString("en");
  const clock = (seconds) =>
    `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

  // The language of the page; its words by name, and why replies were read as they were, in Chinese;
  // names that the data bring of their own stay as they are.
  const tongue = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
  let words = {}, reasons = {};
  const marks = {};
  function learn(report) {
    words = report.words[tongue];
    reasons = report.reasons;
    Object.assign(marks, report.marks);
    report.runs.forEach((run, i) => { run.number = i; run.label = (tongue === "zh" && reasons[run.label]) || run.label; });
    return report;
  }
  const colon = tongue === "zh" ? "：" : ": ", comma = tongue === "zh" ? "，" : ", ";
  const t = (name, values = {}) => Object.entries(values).reduce(
    (line, [key, value]) => line.replaceAll(`{${key}}`, value),
    words[name]);
  const plain = (word) =>
    words[`name-${word.replaceAll(/[_ ]/g, "-")}`] ?? ((tongue === "zh" && reasons[word]) || word.replaceAll("_", " "));
  // Words of a reply stand in a log between marks of a program, of which the last may be cut off.
  const reason = (text) => (tongue === "zh" && reasons[text]) || text.replace(/: '([^']*)'?$/, ": “$1”");
  const translated = (text) => (tongue === "en" || reasons[text] || !/[A-Za-z]{2,} [A-Za-z]{2,}/.test(text)
    ? reason(text) : el("span", { lang: "en" }, text));

  const state = (word) =>
    el("span", { class: `state ${word}` }, el("span", { "aria-hidden": "true" }, marks[word] || "·"),
      " ", plain(word));

  // The mark of a run: its model's shape and hue, as in every picture of the page.
  function mark(run) {
    return svg("svg", { class: `symbol mark ${run.looks}`, "aria-hidden": "true" },
      svg("use", { href: `#mark-${run.shape}`, x: 7, y: 7 }));
  }
  const called = (run) => el("span", { class: "called" }, mark(run), " ", name(run.label));

  function choice(label, options, chosen, onchange) {
    const select = el("select", { onchange: () => onchange(select.value) });
    for (const [value, text] of options) {
      select.append(el("option", { value, selected: String(value) === String(chosen) }, text));
    }
    return el("label", { class: "choice" }, el("span", null, label), select);
  }

  return { live, receive, get, load, loading, el, svg, name, visible, count, clock, plain, state, choice, mark, called,
    marks, colon, comma, t, reason, translated, learn };
})();
