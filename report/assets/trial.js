"use strict";
// One trial: the question, what is heard and seen of it, and what each run made of it.
Zhiyin.trial = (() => {
  const { el, name, count, plain, state, music } = Zhiyin;
  const LONG = 20000, BLOCK = 4000;

  // Words that somebody else wrote: as text, in their own direction, long ones by degrees.
  function words(text, more) {
    const node = el("pre", { dir: "auto", tabindex: "0", ...more }, text.slice(0, whole(text, LONG)));
    if (text.length <= LONG) return node;
    const button = el("button", { class: "quiet", onclick: () => {
      node.replaceChildren(...blocks(text));
      button.remove();
    } }, `Show all ${count(text.length)} characters`);
    return [node, button];
  }

  // Blocks of a long text: a browser lays out those in sight. They end at a line's end if one is near.
  function blocks(text) {
    const found = [];
    for (let at = 0; at < text.length;) {
      const line = text.lastIndexOf("\n", at + BLOCK) + 1;
      const end = line > at + BLOCK / 2 ? line : whole(text, at + BLOCK);
      found.push(el("span", { class: "block" }, text.slice(at, end)));
      at = end;
    }
    return found;
  }

  // A place to cut that leaves a character of two code units whole.
  function whole(text, at) {
    const code = text.charCodeAt(at);
    return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
  }

  function parts(report, message) {
    let sounds = 0;
    return message.parts.map((part) => (part.text !== undefined ? words(part.text)
      : music.player(report.sounds[part.sound], part, `Sound ${++sounds}`)));
  }

  const conversation = (report, messages) => messages.map((message) =>
    el("div", { class: `message ${message.role}` }, el("h5", null, message.role), parts(report, message)));

  // A free answer's target: words, or facts as an object.
  function expected(target) {
    let facts = null;
    try { facts = JSON.parse(target); } catch { /* words */ }
    if (facts === null || typeof facts !== "object" || Array.isArray(facts)) {
      return el("p", null, el("strong", null, "Expected: "), name(target));
    }
    const told = (value) => (Array.isArray(value) ? value.map(told).join(", ")
      : value !== null && typeof value === "object" ? JSON.stringify(value) : String(value));
    return [el("p", null, el("strong", null, "What is known of the music")),
      el("dl", { class: "settings" }, Object.entries(facts).map(([key, value]) =>
        [el("dt", null, name(key.replaceAll("_", " "))), el("dd", null, name(told(value)))]))];
  }

  function options(report, detail) {
    const way = detail.asked[0];
    if (!way.options.length) {
      return way.target === null ? null : expected(way.target);
    }
    const several = detail.asked.length > 1;
    return [el("ol", { class: "options" }, way.options.map(([letter, text, key]) => {
      const chosen = detail.runs.filter((run) => run.key === key);
      return el("li", { class: key === way.target ? "key" : null },
        el("span", { class: "letter" }, letter), el("span", { class: "text", dir: "auto" }, text),
        el("span", { class: "by" }, key === way.target ? el("span", { class: "state correct" }, "✓ right answer") : null,
          chosen.map((run) => el("span", { class: `chip ${run.state}` }, name(report.runs[run.run].label)))));
    })), several ? el("p", { class: "note" }, `The runs were asked in ${detail.asked.length} ways (order of the `
      + "options, or prompt): letters are those of the first.") : null];
  }

  function sounds(report, detail) {
    const message = detail.asked[0].messages.at(-1);
    const own = message ? message.parts.filter((part) => part.sound) : [];
    return own.map((part, i) => music.player(report.sounds[part.sound], part,
      own.length > 1 ? `What was played, ${i + 1} of ${own.length}` : "What was played"));
  }

  function scores(report, detail) {
    const engraved = report.engraved;
    const url = (id) => (Zhiyin.live ? `notation/${id}.svg` : Array.isArray(engraved)
      ? (engravedSet(engraved).has(id) ? `notation/${id}.svg` : null) : engraved[id] || null);
    const drawn = detail.notation.map(([label, id]) => [label, url(id)]);
    const title = (label) => (label === "tune" ? "The tune" : /^[A-Z]$/.test(label) ? `Option ${label}` : label);
    const held = drawn.filter(([, address]) => address);
    if (!detail.notation.length) return null;
    return [held.map(([label, address]) => music.engraving(address, title(label))),
      held.length < drawn.length ? el("p", { class: "note" }, `Not engraved: ${drawn.filter(([, a]) => !a)
        .map(([label]) => title(label)).join(", ")}.`) : null];
  }

  const sets = new WeakMap();
  function engravedSet(list) {
    if (!sets.has(list)) sets.set(list, new Set(list));
    return sets.get(list);
  }

  function outcome(report, run, roll) {
    const facts = [["extracted", run.key === null ? "no answer" : run.letter && run.letter !== run.key
      ? `${run.letter} (option ${run.key} in the data)` : run.key], ["why", run.why], ["policy", run.policy],
    ...Object.entries(run.scores).map(([k, v]) => [plain(k), Number(v.toPrecision(4))]),
    ...Object.entries(run.tags).map(([k, v]) => [plain(k), v === null ? "–" : v]),
    run.attempts > 1 ? ["attempts", run.attempts] : null].filter((fact) => fact && fact[1] !== "");
    return el("section", { class: `outcome ${run.state}` },
      el("h4", null, name(report.runs[run.run].label), " ", state(run.state)),
      run.error ? el("p", { class: "warning" }, run.error) : null,
      run.turns.map((turn, i) => el("div", { class: "turn" },
        run.turns.length > 1 ? el("h5", null, `${i + 1}. ${plain(turn.purpose)}`) : null,
        turn.sent ? el("details", null, el("summary", null, "What was sent"), conversation(report, turn.sent)) : null,
        turn.reasoning ? el("details", null, el("summary", null, "Reasoning"), words(turn.reasoning)) : null,
        turn.text === "" ? el("p", { class: "note" }, "An empty reply.") : words(turn.text, { class: "reply" }),
        el("p", { class: "note" }, [turn.finish === "stop" ? null : `ended by ${turn.finish}`,
          !(turn.latency >= 0.005) ? null : `${turn.latency.toFixed(2)} s`,
          ...Object.entries(turn.usage).map(([k, v]) => `${plain(k)} ${count(v)}`)].filter(Boolean).join(", ")))),
      run.heard ? music.roll(roll.kind, roll.truth, run.heard, report.runs[run.run].label) : null,
      run.faults.length ? el("ul", { class: "note" }, run.faults.map((fault) => el("li", null, fault))) : null,
      el("dl", { class: "facts" }, facts.map(([k, v]) => [el("dt", null, k), el("dd", null, name(v))])));
  }

  // A server tells of a trial's recordings with the trial, a written report of all at once.
  const withSounds = (report, detail) =>
    (detail.sounds ? { ...report, sounds: { ...report.sounds, ...detail.sounds } } : report);

  return (about, detail, beside) => draw(withSounds(about, detail), detail, beside);

  function draw(report, detail, beside) { return el("div", null,
    el("header", null, el("h3", null, name(detail.id)), el("span", { class: "steps" },
      el("button", { class: "quiet", onclick: () => beside(-1) }, "Previous"),
      el("button", { class: "quiet", onclick: () => beside(1) }, "Next"))),
    el("p", { class: "tags" }, Object.entries(detail.tags).filter(([, v]) => v !== null && String(v).length < 60)
      .map(([k, v]) => el("span", { class: "tag" }, `${plain(k)} `, el("b", null, name(v))))),
    detail.stem ? el("p", { class: detail.notation.some(([label]) => label === "tune")
      ? "question tune" : "question", dir: "auto" }, detail.stem) : null,
    sounds(report, detail), scores(report, detail), options(report, detail),
    detail.runs.map((run) => outcome(report, run, detail.roll)),
    detail.asked.map((way, i) => el("details", { class: "prompt" }, el("summary", null,
      detail.asked.length > 1 ? `The prompt as sent (${detail.runs.filter((run) => run.asked === i)
        .map((run) => report.runs[run.run].label).join(", ")})` : "The prompt as sent"),
    conversation(report, way.messages))));
  }
})();
