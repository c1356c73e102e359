"use strict";
// What the page's other scripts share: loading data, building elements, writing numbers.
// Data reach the page as text nodes only; nothing that a model wrote is ever parsed as markup.
const Zhiyin = (() => {
  const live = document.querySelector('meta[name="zhiyin-live"]') !== null;
  const arriving = new Map();
  const loading = new Map();

  function receive(name, value) {
    const wanted = arriving.get(name);
    if (wanted) wanted(value);
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

  // What lies exactly between two goes to the even one, as in the sentences and in the terminal.
  const fixed = (value, digits) => {
    const shown = value.toFixed(digits);
    const tie = Math.abs(value * 2 ** (digits + 1)) % 2 === 1;
    return tie && "13579".includes(shown.at(-1))
      ? (value - (Math.sign(value) * 10 ** -digits) / 2).toFixed(digits) : shown;
  };
  const percent = (value, digits = 1) =>
    value === null || value === undefined ? "–" : fixed(100 * value, digits);
  const signed = (value) => (value === null || value === undefined ? "–"
    : (value > 0 ? "+" : value < 0 ? "−" : "±") + fixed(Math.abs(100 * value), 1));
  const count = (value) => value.toLocaleString("en");
  // What would be rounded to the level that it is below says so, as in the sentences.
  const pValue = (p) => (p < 0.001 ? "< 0.001" : p >= 0.0495 && p < 0.05 ? "< 0.05"
    : p < 0.1 ? p.toFixed(3) : p.toFixed(2));
  const clock = (seconds) =>
    `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
  const plain = (word) => t(word.replaceAll("_", " "));

  // The interface's language. Words that have no translation stay English.
  const ZH = {};
  let language = (navigator.language || "en").toLowerCase().startsWith("zh") ? "zh" : "en";
  try { language = localStorage.getItem("zhiyin-language") || language; } catch { /* from disk */ }
  const asked = new URLSearchParams(location.search).get("lang");
  if (asked === "zh" || asked === "en") language = asked;
  const t = (text, values = {}) => Object.entries(values).reduce(
    (line, [key, value]) => line.replaceAll(`{${key}}`, value),
    (language === "zh" && ZH[text]) || text);
  const tongue = () => language;
  // A sentence of the data: by the report's own phrasebook, else in English and marked as such.
  const learn = (phrases) => Object.assign(ZH, phrases || {});
  const translated = (text) => (language !== "zh" || ZH[text] || !/[A-Za-z]{2,} [A-Za-z]{2,}/.test(text) ? t(text)
    : el("span", { lang: "en" }, text));
  function speak(wanted) {
    language = wanted;
    document.documentElement.lang = wanted === "zh" ? "zh-Hans" : "en";
    try { localStorage.setItem("zhiyin-language", wanted); } catch { /* from disk */ }
  }
  speak(language);

  const MARKS = { correct: "✓", wrong: "✗", no_answer: "?", refused: "⊘", truncated: "…", error: "!", ungraded: "✎" };
  const state = (word) =>
    el("span", { class: `state ${word}` }, el("span", { "aria-hidden": "true" }, MARKS[word] || "·"),
      " ", plain(word));

  function choice(label, options, chosen, onchange) {
    const select = el("select", { onchange: () => onchange(select.value) });
    for (const [value, text] of options) {
      select.append(el("option", { value, selected: String(value) === String(chosen) }, text));
    }
    return el("label", { class: "choice" }, el("span", null, label), select);
  }

  // A table whose rows scroll sideways on a narrow screen.
  function table(properties, head, rows, caption) {
    const heads = head.map((cell) => (cell.querySelector("svg") ? "" : cell.textContent));
    for (const row of rows.flat()) {
      [...row.children].forEach((cell, at) => {
        if (cell.colSpan === 1 && heads[at]) cell.dataset.head = /[?？]$/.test(heads[at]) ? heads[at] : `${heads[at]}:`;
      });
    }
    for (const cell of head) cell.setAttribute("scope", "col");
    return el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption || t("table") },
      el("table", properties, caption ? el("caption", null, caption) : null,
        el("thead", null, el("tr", null, head)), el("tbody", null, rows)));
  }

  return { live, receive, get, load, loading, el, svg, name, visible, percent, signed, count, pValue,
    clock, plain, state, choice, table, MARKS, ZH, t, translated, learn, tongue, speak };
})();
