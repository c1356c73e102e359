"use strict";
// One trial: the question, what is heard and seen of it, and what each run made of it.
Zhiyin.trial = (() => {
  const { el, name, count, plain, state, music, choice, called, marks, comma, t, translated: say } = Zhiyin;
  const LONG = 20000, BLOCK = 4000, TITLE = 300;

  // Words that somebody else wrote: as text, in their own direction, long ones by degrees.
  function words(text, more) {
    const node = el("pre", { dir: "auto", tabindex: "0", ...more }, text.slice(0, whole(text, LONG)));
    if (text.length <= LONG) return node;
    const button = el("button", { class: "quiet", onclick: () => {
      node.replaceChildren(...blocks(text));
      button.remove();
    } }, t("all-characters", { n: count(text.length) }));
    return [node, button];
  }

  // Blocks of a long text: a browser lays out those in sight. They end at a line's end if one is near.
  function blocks(text) {
    const parts = [];
    for (let at = 0; at < text.length;) {
      const line = text.lastIndexOf("\n", at + BLOCK) + 1;
      const end = line > at + BLOCK / 2 ? line : whole(text, at + BLOCK);
      parts.push(el("span", { class: "block" }, text.slice(at, end)));
      at = end;
    }
    return parts;
  }

  // A place to cut that leaves a character of two code units whole.
  function whole(text, at) {
    const code = text.charCodeAt(at);
    return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
  }

  function parts(report, message) {
    let sounds = 0;
    let pictures = 0;
    return message.parts.map((part) => (part.text !== undefined ? words(part.text)
      : part.picture !== undefined ? picture(report, part, t("picture", { n: ++pictures }))
      : music.player(report.sounds[part.sound], part, t("sound", { n: ++sounds }))));
  }

  const conversation = (report, messages) => messages.map((message) =>
    el("div", { class: `message ${message.role}` }, el("p", { class: "role" }, message.role), parts(report, message)));

  // A free answer's target: words, or facts as an object.
  function expected(target) {
    let facts = null;
    try { facts = JSON.parse(target); } catch { /* words */ }
    if (facts === null || typeof facts !== "object" || Array.isArray(facts)) {
      return el("p", null, el("strong", null, t("expected"), " "), name(target));
    }
    const shown = (value) => (Array.isArray(value) ? value.map(shown).join(comma)
      : value !== null && typeof value === "object" ? JSON.stringify(value) : String(value));
    return [el("p", null, el("strong", null, t("known"))),
      el("dl", { class: "settings" }, Object.entries(facts).map(([key, value]) =>
        [el("dt", null, name(key.replaceAll("_", " "))), el("dd", null, name(shown(value)))]))];
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
        el("span", { class: "by" }, key === way.target ? el("span", { class: "state correct" }, "✓ ", t("right-answer")) : null,
          chosen.map((run) => called(report.runs[run.run]))));
    })), several ? el("p", { class: "note" }, t("ways", { n: detail.asked.length })) : null];
  }

  function sounds(report, detail) {
    const message = detail.asked[0].messages.at(-1);
    const own = message ? message.parts.filter((part) => part.sound) : [];
    return own.map((part, i) => music.player(report.sounds[part.sound], part,
      own.length > 1 ? t("played-of", { i: i + 1, n: own.length }) : t("played")));
  }

  // A picture, or what is known of one that is not there.
  function picture(report, part, label) {
    const kept = report.pictures[part.picture];
    const size = part.width ? t("picture-size", { label, w: part.width, h: part.height }) : label;
    return el("figure", { class: "picture" }, kept
      ? el("img", { src: kept.url, alt: size, loading: "lazy", onclick: music.zoom, title: t("zoom"), width: part.width || null, height: part.height || null })
      : el("p", { class: "note" }, t("not-in-report", { what: size })), el("figcaption", null, label));
  }

  function pictures(report, detail) {
    const message = detail.asked[0].messages.at(-1);
    const own = message ? message.parts.filter((part) => part.picture) : [];
    return own.map((part, i) => picture(report, part,
      own.length > 1 ? t("shown-picture-of", { i: i + 1, n: own.length }) : t("shown-picture")));
  }

  function scores(report, detail) {
    const engraved = report.engraved;
    const inside = detail.engraved || {};
    const url = (id) => (inside[id] ? `data:image/svg+xml,${encodeURIComponent(inside[id])}` : Zhiyin.live || engravedSet(engraved).has(id)
      ? `notation/${id}.svg` : null);
    const drawn = detail.notation.map(([label, id]) => [label, url(id), id]);
    const title = (label) => (label === "tune" ? t("tune") : /^[A-Z]$/.test(label) ? t("option", { letter: label }) : label);
    const engravings = drawn.filter(([, address]) => address);
    if (!detail.notation.length) return null;
    return [engravings.map(([label, address, id]) => music.engraving(address, title(label), id)),
      engravings.length < drawn.length ? el("p", { class: "note" }, t("not-engraved", { list: drawn.filter(([, a]) => !a)
        .map(([label]) => title(label)).join(", ") })) : null];
  }

  const sets = new WeakMap();
  function engravedSet(list) {
    if (!sets.has(list)) sets.set(list, new Set(list));
    return sets.get(list);
  }

  // A reply, with the words marked that the answer was read from.
  function reply(run, turn, i) {
    const [from, to] = run.span || [0, 0];
    const letters = [...turn.text.slice(0, LONG)];
    if (!run.span || i !== run.turns.length - 1 || turn.text.length > LONG || to <= from || to > letters.length) {
      return words(turn.text, { class: "reply" });
    }
    const part = (a, b) => letters.slice(a, b).join("");
    return el("pre", { dir: "auto", tabindex: "0", class: "reply" }, part(0, from),
      el("mark", { title: t("extracted") }, part(from, to)), part(to));
  }

  // Two replies with the words marked that are in one alone, by the longest common sequence.
  function beside(report, detail) {
    if (detail.runs.length < 2) return null;
    let [a, b] = [0, 1];
    const node = el("details", { class: "beside" }, el("summary", null, t("side-by-side")));
    const replyOf = (run) => (run.turns.length ? run.turns.at(-1).text : run.error || "");
    const options = detail.runs.map((run, i) => [i, report.runs[run.run].label]);
    function draw() {
      const texts = [a, b].map((i) => replyOf(detail.runs[i]).slice(0, LONG).match(/\s+|\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+|[^\s]/gu) || []);
      const common = shared(...texts);
      node.replaceChildren(node.firstChild, el("div", { class: "controls" },
        choice("1", options, a, (v) => { a = Number(v); draw(); }), choice("2", options, b, (v) => { b = Number(v); draw(); })),
      el("div", { class: "two" }, [a, b].map((i, side) => el("div", null,
        el("p", { class: "role" }, name(report.runs[detail.runs[i].run].label), " ", state(detail.runs[i].state)),
        el("pre", { dir: "auto", tabindex: "0" }, texts[side].map((word, at) =>
          (common[side].has(at) || !word.trim() ? word : el("mark", null, word))))))),
      el("p", { class: "note" }, t("differences-marked")));
    }
    node.addEventListener("toggle", () => { if (node.open && node.children.length < 2) draw(); });
    return node;
  }

  const MOST = 600;
  function shared(one, two) {
    const first = one.map((w, i) => [w, i]).filter(([w]) => w.trim()).slice(0, MOST);
    const second = two.map((w, i) => [w, i]).filter(([w]) => w.trim()).slice(0, MOST);
    const wide = second.length + 1;
    const table = new Uint16Array((first.length + 1) * wide);
    for (let i = first.length - 1; i >= 0; i--) {
      for (let j = second.length - 1; j >= 0; j--) {
        table[i * wide + j] = first[i][0] === second[j][0] ? 1 + table[(i + 1) * wide + j + 1]
          : Math.max(table[(i + 1) * wide + j], table[i * wide + j + 1]);
      }
    }
    const common = [new Set(), new Set()];
    for (let i = 0, j = 0; i < first.length && j < second.length;) {
      if (first[i][0] === second[j][0]) { common[0].add(first[i++][1]); common[1].add(second[j++][1]); }
      else if (table[(i + 1) * wide + j] >= table[i * wide + j + 1]) i++;
      else j++;
    }
    return common;
  }

  // All tries of an item by a run, this one underlined: each leads to its trial.
  function tries(run, moves) {
    const all = moves.tries(run.run);
    if (all.length < 2) return null;
    return [" ", t("tries", { n: all.length }), " ", el("span", { class: "tries" }, all.map(([word, id, go, here]) =>
      el("button", { class: `glyph ${word}`, title: id, "aria-label": plain(word), "aria-current": here ? "true" : null, onclick: go }, marks[word] || "·")))];
  }

  // How a reply was read, in a line.
  function reading(run) {
    const what = run.letter && run.letter !== run.key ? t("letter-in-data", { letter: run.letter, key: run.key }) : run.key;
    const [before, after] = t(run.key === null ? "not-read" : "read-as", { what, why: "\u0000" }).split("\u0000");
    return run.why ? [before, say(run.why), after] : null;
  }

  // What has no right answer has its figures in the place of a verdict.
  const figures = (run) => Object.entries(run.scores).map(([k, v]) => [plain(k), Number(v.toPrecision(4))]);
  const measured = (run) => run.state === "ungraded" && figures(run).length
    && el("span", { class: "state ungraded" }, figures(run).map(([k, v]) => `${k} ${v}`).join(comma));

  function outcome(report, run, moves) {
    const facts = [[t("read"), plain(run.confidence)], [t("policy"), run.policy],
    ...figures(run),
    ...Object.entries(run.tags).map(([k, v]) => [plain(k), v === null ? "–" : v]),
    run.attempts > 1 ? [t("attempts"), run.attempts] : null].filter((fact) => fact && fact[1] !== "");
    return el("section", { class: `outcome ${run.state} ${report.runs[run.run].looks}` },
      el("h4", null, called(report.runs[run.run]), " ", measured(run) || state(run.state)),
      run.error ? el("p", { class: "warning" }, run.error) : null,
      run.turns.map((turn, i) => el("div", { class: "turn" },
        run.turns.length > 1 ? el("p", { class: "role" }, `${i + 1}. ${plain(turn.purpose)}`) : null,
        turn.sent ? el("details", null, el("summary", null, t("sent")), conversation(report, turn.sent)) : null,
        turn.reasoning ? el("details", null, el("summary", null, t("reasoning")), words(turn.reasoning)) : null,
        turn.text === "" ? el("p", { class: "note" }, turn.reasoning ? t("thinking-reply") : t("empty-reply")) : reply(run, turn, i),
        el("p", { class: "note" }, [turn.finish === "stop" ? null : t("ended-by", { what: plain(turn.finish) }),
          !(turn.latency >= 0.005) ? null : `${turn.latency.toFixed(2)} s`,
          ...Object.entries(turn.usage).map(([k, v]) => `${plain(k)} ${count(v)}`)].filter(Boolean).join(comma)))),
      el("p", { class: "reading" }, reading(run), tries(run, moves)),
      run.faults.length ? el("ul", { class: "note" }, run.faults.map((fault) => el("li", null, fault))) : null,
      el("details", null, el("summary", null, t("how-read")),
        el("dl", { class: "facts" }, facts.map(([k, v]) => [el("dt", null, k), el("dd", null, name(v))]))));
  }

  // An id may break behind its strokes and hyphens alone.
  const broken = (id) => id.split(/(?<=[/-])/).flatMap((part, i) => (i ? [el("wbr"), part] : [part]));

  // A server tells of a trial's recordings with the trial, a written report of all at once.
  const withSounds = (report, detail) =>
    (detail.sounds ? { ...report, sounds: { ...report.sounds, ...detail.sounds },
      pictures: { ...report.pictures, ...detail.pictures } } : report);

  // What is as usual is left out of the data.
  const filled = (run) => ({ scores: {}, tags: {}, error: null, attempts: 1, heard: null, faults: [], ...run,
    turns: run.turns.map((turn) => ({ sent: null, purpose: "answer", finish: "stop", latency: null, usage: {}, reasoning: null, ...turn })) });

  return (about, detail, moves) => draw(withSounds(about, detail), { ...detail, runs: detail.runs.map(filled) }, moves);

  // What is known of a trial stands below it: a tag may be the answer.
  function known(detail) {
    const tags = Object.entries(detail.tags).filter(([, v]) => v !== null && String(v).length < 60);
    return tags.length ? el("details", { class: "known" }, el("summary", null, t("known-of-trial")),
      el("dl", { class: "facts" }, tags.map(([k, v]) => [el("dt", null, plain(k)), el("dd", null, name(v))]))) : null;
  }

  // The question is the title; a long one, or one with a tune in it, is read below its first line.
  function question(detail) {
    const stem = detail.stem.trim(), tune = detail.notation.some(([label]) => label === "tune") && stem.includes("X:");
    if (!stem) return el("h3", { class: "asked" }, name(broken(detail.id)));
    if (stem.length <= TITLE && !tune) return el("h3", { class: "asked", dir: "auto" }, stem);
    const [first, ...rest] = stem.split("\n");
    const split = first.length <= TITLE && rest.length;
    return [el("h3", { class: "asked", dir: "auto" }, split ? first : name(broken(detail.id))),
      el("p", { class: tune ? "question tune" : "question", dir: "auto", tabindex: "0" }, split ? rest.join("\n").trim() : stem)];
  }

  function rolls(report, detail) {
    const heard = detail.runs.filter((run) => run.heard);
    return heard.length ? heard.map((run) => music.roll(detail.roll.kind, detail.roll.truth, run.heard, report.runs[run.run].label))
      : music.sounds(detail.roll.kind, detail.roll.truth);
  }

  function draw(report, detail, moves) {
    const step = detail.step ? [" · ", t("step-of", { step: detail.step[1] }), " ", name(detail.step[0])] : null;
    return el("div", null,
      el("p", { class: "where" }, el("span", null, name(broken(detail.id)), step), el("span", { class: "steps" },
        [["K", "previous", () => moves.by(-1)], ["J", "next", () => moves.by(1)], ["W", "next-wrong", moves.wrong]].filter(([, , act]) => act).map(([key, word, act]) =>
          el("button", { class: "quiet", title: key, onclick: act }, el("kbd", { "aria-hidden": "true" }, key), t(word))))),
      question(detail), sounds(report, detail), rolls(report, detail), pictures(report, detail), scores(report, detail),
      options(report, detail), el("div", { class: "outcomes-of" }, detail.runs.map((run) => outcome(report, run, moves))),
      beside(report, detail), known(detail),
      detail.asked.map((way, i) => el("details", { class: "prompt" }, el("summary", null, t("sent-exactly"),
        detail.asked.length > 1 ? ` (${detail.runs.filter((run) => run.asked === i)
          .map((run) => report.runs[run.run].label).join(", ")})` : null),
      conversation(report, way.messages))));
  }
})();
