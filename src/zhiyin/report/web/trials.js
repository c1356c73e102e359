"use strict";
// The list of all trials, however long: filters over columns, rows drawn only where one looks.
Zhiyin.trials = (() => {
  const { el, name, count, plain, choice, visible, mark, called, marks, colon, comma, t, reason } = Zhiyin;
  const ROW = 44;
  const UNANSWERED = new Set(["no_answer", "refused", "truncated"]);

  function browser(report, index, first) {
    const haystack = { ready: null };
    const filter = { ...first };
    let shown = [], current = -1, flashed = -1;

    const code = (column, value) => column.values.indexOf(value);
    const stateOf = (run, i) => {
      const c = index.runs[run].states[i];
      return c === "-" ? null : report.states[Number(c)];
    };
    const right = (run, i) => stateOf(run, i) === "correct";
    const runsOf = (i) => report.runs.filter((run) => run.benchmark === index.benchmark.values[index.benchmark.codes[i]]);

    // Each filter becomes a test of one trial's number; a trial is shown if all tests hold. Who was
    // right is tested last: the bar counts what the others leave.
    function tests() {
      const checks = [];
      const runs = filter.run ? [Number(filter.run)] : report.runs.map((run) => run.number);
      if (filter.benchmark && index.benchmark.values.length > 1) {
        const wanted = code(index.benchmark, filter.benchmark);
        checks.push((i) => index.benchmark.codes[i] === wanted);
      }
      if (filter.group) {
        const sets = index.groups.values.map((groups) => groups.includes(filter.group));
        checks.push((i) => sets[index.groups.codes[i]]);
      }
      const fits = {
        "not right": (word) => word !== null && word !== "correct" && word !== "error" && word !== "ungraded",
        unanswered: (word) => UNANSWERED.has(word),
        "not asked": (word) => word === null,
      }[filter.state] || ((word) => word === filter.state);
      if (filter.state) checks.push((i) => runs.some((run) => fits(stateOf(run, i))));
      if (filter.letter) checks.push((i) => runs.some((run) => index.runs[run].letters[i] === filter.letter));
      for (const kind of ["read", "cause"]) {
        if (!filter[kind]) continue;
        const wanted = index.runs.map((run) => run[kind].values.indexOf(filter[kind]));
        checks.push((i) => runs.some((run) => wanted[run] >= 0 && index.runs[run][kind].codes[i] === wanted[run]));
      }
      for (const [key, value] of Object.entries(filter)) {
        if (!key.startsWith("tag.") || !index.tags[key.slice(4)]) continue;
        const column = index.tags[key.slice(4)];
        const wanted = value === "\u2205" ? -1 : code(column, value);
        checks.push((i) => column.codes[i] === wanted);
      }
      if (filter.text) {
        haystack.ready ||= index.ids.map((id, i) => `${id}\n${index.stems[i]}`.toLowerCase());
        const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
        checks.push((i) => words.every((word) => haystack.ready[i].includes(word)));
      }
      return checks;
    }

    function agreement(word) {
      const [kind, a, b] = word.split(":");
      const asked = (i) => report.runs.map((r) => r.number).filter((run) => stateOf(run, i) !== null);
      const owners = index.benchmark.values.map((own) => report.runs.filter((run) => run.benchmark === own).map((run) => run.number));
      const all = (i) => owners[index.benchmark.codes[i]];
      if (kind === "apart") return (i) => stateOf(a, i) !== null && stateOf(b, i) !== null && right(a, i) !== right(b, i);
      if (kind === "only") return (i) => right(a, i) && stateOf(b, i) !== null && !right(b, i);
      if (kind === "differ") return (i) => {
        const own = asked(i);
        return own.some((run) => right(run, i) !== right(own[0], i));
      };
      if (kind === "letters") return (i) => {
        const own = asked(i).map((run) => index.runs[run].letters[i]);
        return own.some((letter) => letter !== own[0]);
      };
      if (kind === "part") return (i) => all(i).some((run) => stateOf(run, i) === null);
      if (kind === "some") return (i) => all(i).every((run) => stateOf(run, i) !== null) && all(i).some((run) => right(run, i) !== right(all(i)[0], i));
      return (i) => all(i).every((run) => ![null, "ungraded"].includes(stateOf(run, i)) && right(run, i) === (kind === "right"));
    }

    // Who was right: parts of those trials that every run of their benchmark was asked.
    function parts() {
      const names = new Set(filter.benchmark ? [filter.benchmark] : index.benchmark.values);
      const runs = report.runs.filter((run) => names.has(run.benchmark));
      if (runs.length === 1) return [["right", t("part-right"), "correct"], ["wrong", t("part-not"), "wrong"]];
      if (runs.length === 2 && names.size === 1) {
        const [a, b] = runs;
        return [["right", t("part-both"), "correct"], [`only:${a.number}:${b.number}`, t("part-only", { who: a.label }), a.looks],
          [`only:${b.number}:${a.number}`, t("part-only", { who: b.label }), b.looks], ["wrong", t("part-neither"), "wrong"]];
      }
      return [["right", t("part-all"), "correct"], ["some", t("some-right"), "some"], ["wrong", t("part-none"), "wrong"]];
    }

    const who = el("div", { class: "who-right", role: "group", "aria-label": t("who-right") });
    function drawParts(fitting) {
      const counted = [...parts(), ["part", t("part-not-asked"), "some"]].map(([word, label, look]) => {
        const test = agreement(word);
        return [word, label, look, fitting.filter(test).length];
      });
      const judged = report.runs.some((run) => /[01]/.test(index.runs[run.number].states));
      who.hidden = !judged || !counted.slice(0, -1).some(([, , , n]) => n);
      const most = counted.reduce((sum, [, , , n]) => sum + n, 0);
      who.replaceChildren(...counted.filter(([word, , , n]) => n || filter.agree === word).map(([word, label, look, n]) => {
        const part = el("button", { class: look, "aria-pressed": String(filter.agree === word),
          onclick: () => { set("agree")(filter.agree === word ? "" : word); drawFilters(); if (shown.length) step(0); } },
        el("b", null, count(n)), " ", name(label));
        part.style.flexGrow = String(Math.max(n, most / 50));
        return part;
      }));
    }

    function apply(keep) {
      const begun = performance.now(), total = index.ids.length;
      const all = tests();
      const fitting = [];
      for (let i = 0; i < total; i++) {
        let fits = true;
        for (let t = 0; fits && t < all.length; t++) fits = all[t](i);
        if (fits) fitting.push(i);
      }
      drawParts(fitting);
      shown = filter.agree ? fitting.filter(agreement(filter.agree)) : fitting;
      space.style.height = `${shown.length * ROW}px`;
      status.textContent = t("shown", { shown: count(shown.length), all: count(total) });
      if (!keep) list.scrollTop = 0;
      draw();
      list.dataset.filteredMs = (performance.now() - begun).toFixed(1);
      remember();
    }

    function remember() {
      const kept = new URLSearchParams(Object.entries(filter).filter(([, value]) => value));
      if (current >= 0) kept.set("trial", index.ids[current]);
      const hash = `#trials${String(kept) ? `?${kept}` : ""}`;
      if (location.hash.startsWith("#trials") || String(kept)) history.replaceState(null, "", hash);
    }

    // --- rows -----------------------------------------------------------------------------
    const space = el("div", { class: "space" });
    const list = el("div", { class: "list", role: "listbox", tabindex: "0", "aria-label": t("trials"),
      onscroll: () => draw(), onkeydown: move }, space);
    const status = el("span", { class: "said", role: "status" });

    function draw() {
      const from = Math.max(0, Math.floor(list.scrollTop / ROW) - 6);
      const to = Math.min(shown.length, Math.ceil((list.scrollTop + (list.clientHeight || 600)) / ROW) + 6);
      const rows = [];
      for (let at = from; at < to; at++) rows.push(row(at));
      space.replaceChildren(...rows);
      if (shown.length) drawHeads(runsOf(shown[Math.min(shown.length - 1, Math.floor(list.scrollTop / ROW))]));
      const active = shown.indexOf(current);
      if (active >= from && active < to) list.setAttribute("aria-activedescendant", `row-${current}`);
      else list.removeAttribute("aria-activedescendant");
    }

    function row(at) {
      const i = shown[at];
      const node = el("div", { class: i === flashed ? "row flash" : "row", role: "option", id: `row-${i}`,
        "aria-selected": String(i === current), "aria-setsize": shown.length, "aria-posinset": at + 1,
        onclick: () => open(i) },
      el("span", { class: "what" }, told(i, shown[at - 1]).map(([kind, text]) => el("span", { class: kind, dir: "auto" }, text))),
      el("span", { class: "marks" }, runsOf(i).map((run) => {
        const word = stateOf(run.number, i);
        if (word === null) return el("span", { class: "mark-of none" }, "·");
        const { letters, measured } = index.runs[run.number];
        const value = measured.values[measured.codes[i]];
        const more = letters[i] !== "-" ? ` (${letters[i]})` : value ? `${colon}${value}` : "";
        return el("span", { class: `mark-of ${word}`, title: `${run.label}${colon}${plain(word)}${more}`,
          "aria-label": `${visible(run.label)}${colon}${plain(word)}${more}` }, value ? value.split(" ")[0] : marks[word]);
      })));
      node.style.transform = `translateY(${at * ROW}px)`;
      return node;
    }

    // The two lines of a row: its question and its name; below one with the same question first what
    // its name has that the other's has not, since rows would otherwise look alike.
    function told(i, above) {
      const stem = index.stems[i], id = index.ids[i];
      if (!stem || stem !== index.stems[above]) return [["stem", stem || id], ["id", id]];
      const own = id.split("/"), other = index.ids[above].split("/");
      const same = own.findIndex((part, n) => part !== other[n]);
      return [["stem", own.slice(Math.max(0, same)).join("/")], ["id", stem]];
    }

    function move(event) {
      const page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1);
      const at = shown.indexOf(current);
      const next = { ArrowDown: at + 1, ArrowUp: at < 0 ? 0 : at - 1, PageDown: at + page, PageUp: at - page,
        Home: 0, End: shown.length - 1 }[event.key];
      if (next === undefined || !shown.length) return;
      event.preventDefault();
      step(Math.max(0, Math.min(shown.length - 1, next)));
    }

    function step(at) {
      if (list.scrollTop > at * ROW) list.scrollTop = at * ROW;
      if (list.scrollTop + list.clientHeight < (at + 1) * ROW) list.scrollTop = (at + 1) * ROW - list.clientHeight;
      open(shown[at]);
    }

    function beside(by) {
      const at = shown.indexOf(current) + by;
      if (at >= 0 && at < shown.length) step(at);
    }

    // The place of the next trial that some run (or the one that is looked at) did not get right.
    function wrongAfter(from) {
      const runs = filter.run ? [Number(filter.run)] : report.runs.map((run) => run.number);
      const bad = (i) => runs.some((run) => ["wrong", "no_answer", "refused", "truncated"].includes(stateOf(run, i)));
      return shown.findIndex((i, place) => place > from && bad(i));
    }

    function nextWrong() {
      const at = wrongAfter(shown.indexOf(current));
      if (at >= 0) step(at);
    }

    // The keys act wherever the focus is, but where one types; what they open comes into sight.
    function press(event) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input:not([type=range]), select, textarea, dialog")) return;
      const act = { j: () => beside(1), k: () => beside(-1), w: nextWrong,
        p: () => detail.querySelector(".play, .sounding")?.click() }[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
      const { top, bottom } = detail.getBoundingClientRect();
      if (bottom < 80 || top > innerHeight - 80) detail.scrollIntoView({ block: "start" });
    }
    document.addEventListener("keydown", press);

    // All tries of an item by a run: state, id, what opens it, and whether it is the open one.
    const triesOf = (i) => (run) => (index.items.length ? index.items.flatMap((item, other) =>
      (item === index.items[i] && stateOf(run, other) !== null ? [[stateOf(run, other), index.ids[other], () => reach(other), other === i]] : [])) : []);

    // A trial that the filter leaves out is opened all the same.
    function reach(i) {
      if (shown.includes(i)) step(shown.indexOf(i));
      else open(i);
    }

    const detail = el("article", { class: "detail", tabindex: "-1", "aria-live": "off", "aria-label": t("trial") },
      el("p", { class: "note empty" }, t("choose")));

    function open(i, quietly) {
      current = i;
      draw();
      if (!quietly) remember();
      let first = index.starts[0];
      for (const start of index.starts) if (start <= i) first = start;
      return Zhiyin.load(`trials-${first}`).then((portion) => {
        if (current !== i) return;
        detail.replaceChildren(Zhiyin.trial(report, portion[i - first], { by: beside, wrong: wrongAfter(-1) >= 0 && nextWrong, tries: triesOf(i) }));
        if (detail.getBoundingClientRect().top < 0) detail.scrollIntoView();
      }, (error) => detail.replaceChildren(el("p", { class: "warning" }, error.message)));
    }

    // --- filters --------------------------------------------------------------------------
    const set = (key) => (value) => { if (value) filter[key] = value; else delete filter[key]; apply(); };
    const bar = el("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() });

    function drawFilters() {
      const several = report.runs.length > 1;
      const states = ["not right", "unanswered", ...report.states, "not asked"];
      const letters = [...new Set(index.runs.flatMap((run) => [...new Set(run.letters)]))].filter((c) => c !== "-").sort();
      const groups = [...new Set(index.groups.values.flat())];
      const pairs = several && report.runs.length <= 4 ? report.runs.flatMap((a) => report.runs
        .filter((b) => b !== a && b.benchmark === a.benchmark)
        .map((b) => [`only:${a.number}:${b.number}`, t("one-right", { a: a.label, b: b.label })])) : [];
      const apart = /^apart:/.test(filter.agree || "") ? (() => {
        const [, a, b] = filter.agree.split(":");
        return [[filter.agree, t("differ", { a: report.runs[a].label, b: report.runs[b].label })]];
      })() : [];
      const search = el("input", { type: "search", placeholder: t("words-or-id"), value: filter.text || null,
        oninput: () => set("text")(search.value) });
      const extra = Object.keys(filter).filter((key) => key.startsWith("tag."));
      const free = Object.keys(index.tags).filter((tag) => !extra.includes(`tag.${tag}`));
      bar.replaceChildren(...[
        el("label", { class: "choice" }, el("span", null, t("find")), search),
        choice(t("state"), [["", t("any")], ...states.map((s) => [s, plain(s)])], filter.state || "", set("state")),
        several ? choice(t("of"), [["", t("any-run")], ...report.runs.map((r) => [r.number, r.label])], filter.run || "", set("run")) : null,
        several ? choice(t("agreement"), [["", t("any")], ["differ", t("some-right")], ["letters", t("different-answers")],
          ["wrong", t("none-right")], ["right", t("all-right")], ...apart, ...pairs], filter.agree || "", set("agree")) : null,
        letters.length ? choice(t("answer"), [["", t("any")], ...letters.map((l) => [l, l])], filter.letter || "", set("letter")) : null,
        ...[["read", "read-how"], ["cause", "cause"]].map(([kind, title]) => {
          const values = [...new Set(index.runs.flatMap((run) => run[kind].values))];
          return values.length > (kind === "read" ? 1 : 0) ? choice(t(title), [["", t("any")], ...values.map((v) => [v, kind === "read" ? plain(v) : reason(v)])],
            filter[kind] || "", set(kind)) : null;
        }),
        index.benchmark.values.length > 1 ? choice(t("benchmark"), [["", t("any")], ...index.benchmark.values.map((b) => [b, b])],
          filter.benchmark || "", set("benchmark")) : null,
        groups.length ? choice(t("group"), [["", t("any")], ...groups.map((g) => [g, plain(g)])], filter.group || "", set("group")) : null,
        ...extra.map((key) => {
          const column = index.tags[key.slice(4)];
          const none = column.codes.includes(-1) ? [["\u2205", t("without")]] : [];
          return choice(plain(key.slice(4)), [["", t("remove")], ...none, ...column.values.map((v) => [v, v])], filter[key],
            (value) => { set(key)(value); if (!value) drawFilters(); });
        }),
        free.length ? choice(t("more"), [["", t("by-tag")], ...free.map((tag) => [tag, plain(tag)])], "", (tag) => {
          filter[`tag.${tag}`] = index.tags[tag].values[0];
          drawFilters();
          apply();
        }) : null,
        el("button", { class: "quiet", type: "reset", onclick: () => show({}) }, t("clear"))].filter(Boolean));
    }

    function show(wanted) {
      for (const key of Object.keys(filter)) delete filter[key];
      Object.assign(filter, wanted);
      const trial = filter.trial;
      delete filter.trial;
      drawFilters();
      apply();
      const at = trial === undefined ? -1 : index.ids.indexOf(trial);
      if (at >= 0) {
        if (!shown.includes(at)) { for (const key of Object.keys(filter)) delete filter[key]; drawFilters(); apply(); }
        centre(at);
        step(shown.indexOf(at));
        flash(at);
      } else if (shown.length && current >= 0 && !shown.includes(current)) {
        step(0); // what is open is one of those that were asked for
      }
      return null;
    }

    const centre = (i) => { list.scrollTop = Math.max(0, shown.indexOf(i) * ROW - list.clientHeight / 3); };

    function flash(i) {
      flashed = i;
      setTimeout(() => { flashed = -1; }, 2000);
      draw();
    }

    // The marks of the runs above what they made of each trial; whose they are stands above the list.
    const heads = el("div", { class: "heads" }), legend = el("p", { class: "legend" });
    const unit = () => [...new Set(index.runs.flatMap((run) => run.measured.values.map((value) => plain(value.split(" ")[1]))))];
    function drawHeads(runs) {
      legend.replaceChildren(...runs.map(called));
      heads.replaceChildren(el("span", { class: "what" }, [t("trial"), ...unit()].join(comma)), el("span", { class: "marks" }, runs.map((run) =>
        el("span", { class: "mark-of head-of", title: run.label, "aria-label": visible(run.label), role: "img" }, mark(run)))));
    }

    // A run that goes on brings a longer index: what one looks at stays where it is.
    function renew(newer, about) {
      current = newer.ids.indexOf(index.ids[current]);
      index = newer;
      report = about;
      haystack.ready = null;
      apply(true);
    }

    const heard = Zhiyin.live || Object.keys(report.sounds).length;
    const node = el("div", null, who, el("details", { class: "filtering", open: Object.keys(first).some((key) => key !== "trial" && key !== "agree") }, el("summary", null, t("filter")), bar), el("div", { class: "above" }, legend, status,
      el("p", { class: "note keys" }, [["J", "next"], ["K", "previous"], ["W", "next-wrong"], ...(heard ? [["P", "play"]] : [])].map(([key, word]) =>
        [el("kbd", null, key), ` ${t(word)} `]))), el("div", { class: "browser" }, el("div", { class: index.runs.some((run) => run.measured.values.length) ? "side figured" : "side" }, heads, list), detail));
    let placed = false; // until the list stands on the page, it cannot be scrolled
    new ResizeObserver(() => {
      if (!placed && list.clientHeight) { placed = true; if (current >= 0) centre(current); }
      draw();
    }).observe(list);
    show(first);
    if (current < 0 && shown.length) open(shown[Math.max(0, wrongAfter(-1))], true);
    return { node, show, renew };
  }

  return { browser };
})();
