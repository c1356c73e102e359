"use strict";
// One reply after the other: what does it answer? The reader's verdict is asked for from the
// server only once a reply is marked, or by the switch; the server remembers which.
(() => {
  const { el, get, visible } = Zhiyin;
  const main = document.getElementById("main");
  // Words of the page's language; what stands in braces is put in here.
  const said = document.getElementById("words").dataset;
  const say = (text, facts) => Object.entries(facts).reduce((line, [name, fact]) => line.replaceAll(`{${name}}`, fact), text);
  const NAMES = { none: said.none, unsure: said.unsure };
  let replies = [], by = "", at = 0, result = [], busy = false;
  let peek = false;

  const called = (mark) => NAMES[mark] || mark;
  const done = () => replies.filter((one) => one.mark !== null).length;

  function nextOpen(from) {
    for (let step = 1; step <= replies.length; step += 1) {
      const place = (from + step) % replies.length;
      if (replies[place].mark === null) return place;
    }
    return null;
  }

  async function verdictOf(one) {
    if (!one.verdict) one.verdict = await get(`verdict-${one.number}`);
  }

  async function go(place) {
    at = place;
    if (replies[at].mark !== null || peek) await verdictOf(replies[at]);
    draw();
  }

  async function mark(what) {
    if (busy) return;
    busy = true;
    const one = replies[at];
    try {
      const answer = await fetch("data/mark", { method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ number: one.number, mark: what }) });
      if (!answer.ok) throw new Error(await answer.text());
      const marked = await answer.json();
      one.mark = what;
      one.verdict = marked.verdict;
      result = marked.result;
      draw();
    } catch (error) {
      main.prepend(el("p", { class: "warning", role: "alert" },
        say(said.notKept, { why: error.message || said.noServer })));
    } finally {
      busy = false;
    }
  }

  // The words that the reader's verdict rests on, once it may be seen. Offsets count code
  // points, as Python does.
  function words(one, text, place) {
    const verdict = one.verdict, shown = one.mark !== null || peek;
    if (!shown || !verdict || !verdict.span || verdict.text !== place) return visible(text);
    const letters = Array.from(text), [start, end] = verdict.span;
    const piece = (a, b) => letters.slice(a, b).join("");
    return [piece(0, start), el("mark", null, piece(start, end)), piece(end)];
  }

  function reading(one) {
    const verdict = one.verdict;
    if (one.mark === null && !(peek && verdict)) {
      return el("div", { class: "verdict-of" }, el("p", { class: "note" },
        said.hidden));
    }
    const read = verdict.letter || "none", agrees = one.mark === read;
    return el("div", { class: `verdict-of ${one.mark === null || one.mark === "unsure" ? "" : agrees ? "agrees" : "differs"}` },
      one.mark === null ? null : el("p", null, said.you, " ", el("b", null, called(one.mark))),
      el("p", null, said.reader, " ", el("b", null, called(read)),
        one.mark === null || one.mark === "unsure" ? null : agrees ? " ✓" : ` ✗ ${said.differs}`,
        verdict.confidence ? ` (${verdict.confidence})` : ""),
      el("p", { class: "note" }, verdict.why));
  }

  function button(one, what, key, text) {
    return el("button", { type: "button", "aria-pressed": String(one.mark === what), onclick: () => mark(what) },
      el("kbd", null, key), el("span", { class: "words" }, text));
  }

  function draw() {
    const one = replies[at], many = replies.length;
    document.getElementById("said").textContent = say(said.marked, { n: done(), many })
      + (by === "person" ? "" : ` ${say(said.by, { who: by })}`);
    const progress = el("div");
    progress.style.width = `${(100 * done()) / many}%`;
    main.replaceChildren(
      el("div", { class: "bar" }, progress),
      result.length ? el("div", { class: "result", role: "status" }, result.map((line) => el("p", null, line)),
        el("p", { class: "note" }, said.allKept)) : "",
      el("div", { class: "desk" },
        el("section", { "aria-label": said.reply },
          el("h1", null, say(said.replyOf, { n: at + 1, many })),
          one.texts.map((text, place) => [
            place ? el("h5", null, said.again) : null,
            el("pre", { class: place ? "reply again" : "reply", tabindex: "0" },
              text ? words(one, text, place) : el("i", null, said.nothing))]),
          one.cut ? el("p", { class: "note" }, said.cut) : null),
        el("section", { class: "side", "aria-label": said.mark },
          one.question ? el("details", { open: true }, el("summary", null, said.question),
            el("div", { class: "question" }, one.question)) : null,
          el("div", { class: "marks-of" },
            one.options.map(([letter, text]) => button(one, letter, letter, text)),
            el("div", { class: "two" }, button(one, "none", "0", said.none), button(one, "unsure", "?", said.unsure))),
          reading(one),
          el("div", { class: "moves" },
            el("button", { type: "button", class: "quiet", onclick: () => go((at + many - 1) % many) }, `← ${said.back}`),
            el("button", { type: "button", class: "quiet", onclick: forward }, `${said.on} →`),
            el("label", { class: "note" }, el("input", { type: "checkbox", checked: peek, onchange: flip }),
              ` ${said.peek}`)),
          el("p", { class: "note keys" }, said.keys)),
        el("div", { class: "dots", "aria-label": said.all }, replies.map((other, place) =>
          el("button", { type: "button", class: other.mark === null ? null : "done", "aria-current": String(place === at),
            title: `${say(said.one, { n: place + 1 })}${other.mark === null ? "" : `: ${called(other.mark)}`}`, onclick: () => go(place) },
          other.mark === null ? "" : other.mark.length === 1 ? other.mark : other.mark === "none" ? "0" : "?")))));
  }

  function forward() {
    const open = nextOpen(at);
    return go(replies[at].mark !== null && open !== null ? open : (at + 1) % replies.length);
  }

  async function flip() {
    peek = !peek;
    if (peek) await verdictOf(replies[at]);
    draw();
  }

  document.addEventListener("keydown", (event) => {
    if (!replies.length || event.ctrlKey || event.metaKey || event.altKey) return;
    const letters = replies[at].options.map(([letter]) => letter);
    const key = event.key.toUpperCase();
    if (letters.includes(key)) mark(key);
    else if (key === "0" || key === "-") mark("none");
    else if (key === "?" || key === "/") mark("unsure");
    else if (key === "ARROWRIGHT" || (key === "ENTER" && event.target.tagName !== "BUTTON" && event.target.tagName !== "SUMMARY")) forward();
    else if (key === "ARROWLEFT") go((at + replies.length - 1) % replies.length);
    else return;
    event.preventDefault();
  });

  get("replies").then((data) => {
    ({ replies, by, result } = data);
    const open = replies.findIndex((one) => one.mark === null);
    return go(open < 0 ? 0 : open);
  }).catch((error) => main.replaceChildren(el("p", { class: "warning" }, error.message)));
})();
