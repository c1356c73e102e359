"use strict";
// Everything above the list of trials: who was asked what, what came of it, how it was done.
Zhiyin.sections = (() => {
  const { el, svg, name, count, plain, state, table, charts, visible, t, translated, tongue } = Zhiyin;
  const { picture } = Zhiyin.export;
  const TOPICS = { score: "How much is right?", comparison: "Who is better, and in what?",
    listening: "Is it listening?", letters: "Does it favour a letter?",
    published: "Beside people and published models", mistakes: "What did it get wrong?" };

  const section = (id, title, ...children) =>
    el("section", { id, "aria-labelledby": `${id}-title` },
      el("h2", { id: `${id}-title`, tabindex: "-1" }, title), children);

  // States are told apart by how dark they are and by their pattern, not by colour alone.
  const DASHES = { wrong: "M0 6L6 0", refused: "M0 0L6 6M0 6L6 0", truncated: "M3 0V6", no_answer: "M0 3H6", error: "" };
  function patterns() {
    return svg("svg", { id: "patterns", width: 0, height: 0, "aria-hidden": "true" }, svg("defs", null,
      Object.entries(DASHES).map(([word, d]) => svg("pattern", { id: `state-${word}`, class: `stated ${word}`, width: 6, height: 6,
        patternUnits: "userSpaceOnUse" }, svg("rect", { width: 6, height: 6 }), svg("path", { d })))));
  }

  function became(run) {
    const total = Math.max(1, run.planned, run.trials);
    let at = 0;
    const drawing = svg("svg", { class: "stack", height: 14, "aria-hidden": "true" });
    const parts = Object.entries(run.states).filter(([, n]) => n);
    for (const [word, n] of parts) {
      drawing.append(svg("rect", { class: word, x: `${(100 * at) / total}%`, y: 0, height: 14,
        fill: word in DASHES ? `url(#state-${word})` : null,
        width: `${(100 * n) / total}%` }, svg("title", null, `${n} ${plain(word)}`)));
      at += n;
    }
    return [drawing, el("span", { class: "states" }, parts.map(([word, n]) => [state(word), ` ${count(n)} `]))];
  }

  const outcomes = (runs) => picture(t("What became of the trials"), table({ class: "chart outcomes" },
    [el("th", null, t("Run")), el("th", { class: "n" }, t("Trials")), el("th", null, t("What became of the trials"))],
    runs.map((run) => el("tr", null, el("th", { scope: "row" }, charts.symbol(`s${run.number % 8}`, run.number), " ", name(run.label)),
      el("td", { class: "n" }, count(run.trials), run.trials < run.planned ? el("small", null, ` / ${count(run.planned)}`) : null),
      el("td", null, became(run)))), t("What became of the trials")));

  // One line for each question; behind it every sentence, with its trials.
  function findings(benchmark, show) {
    return el("div", { class: "findings" }, Object.entries(TOPICS).map(([topic, title]) => {
      const own = benchmark.findings.filter((f) => f.topic === topic);
      if (!own.length) return null;
      return el("details", { class: "finding" }, el("summary", null, el("strong", null, t(title)), " ",
        el("span", { class: "first" }, translated(own[0].text)), own.length > 1
          ? el("span", { class: "count" }, t("{n} findings", { n: own.length })) : null),
      el("ul", null, own.map((f) => el("li", null, translated(f.text), f.show ? [" ", el("button", { class: "link more",
        onclick: () => show({ ...f.show, benchmark: benchmark.name }) }, t("Show the trials"))] : null))));
    }));
  }

  function benchmarkSection(report, b, show) {
    const runs = b.runs.map((number) => report.runs[number]);
    const pick = (filter) => show({ ...filter, benchmark: b.name });
    const group = (wanted) => pick(wanted === "all" ? {} : { group: wanted });
    const withLetters = runs.filter((run) => b.letters[run.number]);
    const withConditions = runs.filter((run) => (b.conditions[run.number] || []).length);
    const cells = charts.cells(b, runs, group);
    const judged = (run) => Object.values(b.figures[run.number] || {}).some((figures) => figures.n);
    const grouped = b.groups.length > 1 && runs.some(judged);
    const head = (title, id) => el("h3", { id: id || null, tabindex: id ? "-1" : null }, t(title));
    return section(`benchmark-${b.name}`, b.name,
      el("p", { class: "lead" }, translated(b.summary)), el("p", { class: "note source", lang: "en" }, b.paper.replace(/^none: /, "")),
      findings(b, show),
      besidePublished(b, runs),
      cells ? [head("Cell by cell"), picture(`${b.name} ${t("Cell by cell")}`, charts.legend(runs), cells)] : null,
      grouped ? [head("Group by group"), picture(`${b.name} ${t("Group by group")}`, charts.groups(b, runs, group))] : null,
      runs.length > 1 && b.pairs.length ? [head("Differences on the same trials"),
        picture(`${b.name} ${t("Differences on the same trials")}`, charts.differences(b, runs, (wanted, first, second) => pick({
          ...(wanted === "all" ? {} : { group: wanted }), agree: `apart:${first}:${second}` })))] : null,
      withConditions.length ? [head("Is it listening?", `listening-${b.name}`), picture(`${b.name} ${t("Is it listening?")}`,
        withConditions.map((run) => charts.conditions(b.conditions[run.number], run,
          withConditions.flatMap((other) => b.conditions[other.number]))))] : null,
      withLetters.length ? [head("Letters chosen, against the key"),
        el("p", { class: "note" }, t("Bars: how often each letter was chosen. Upright lines: how often it is the key. "
          + "Recall: of the trials whose key it is, how many were answered right.")),
        picture(`${b.name} ${t("Letters chosen, against the key")}`, el("div", { class: "grid" }, withLetters.map((run) =>
          charts.letters(b.letters[run.number], run, (letter) => pick({ run: String(run.number), letter })))))] : null,
      head("What became of the trials"), outcomes(runs),
      b.sections.length ? el("details", { class: "tables", open: b.lead.standings.some((own) => own.state === "measured") },
        el("summary", null, t("Further tables of {name} ({n})", { name: b.name, n: b.sections.length })),
        b.sections.map((s) => further(s, report))) : null);
  }

  function besidePublished(b, runs) {
    if (b.published.some((row) => Object.keys(row.groups).length)) {
      return [el("h3", null, t("Beside what has been published")), picture(`${b.name} ${t("Beside what has been published")}`, charts.headline(b, runs))];
    }
    const parts = runs.filter((run) => (b.inPart || {})[run.number]);
    return b.published.length && parts.length ? el("p", { class: "note" },
      t("Not comparable with the published figures, which are of the whole benchmark:"), " ",
      parts.map((run, i) => [i ? "; " : "", name(run.label), " (", translated(b.inPart[run.number].why), ")"]), tongue() === "zh" ? "。" : ".") : null;
  }

  function further(s, report) {
    const cell = (value) => (value === null ? "–" : typeof value === "number" && !Number.isInteger(value)
      ? Number(value.toPrecision(4)).toString() : translated(String(value)));
    const who = report.runs.length > 1 ? `${report.runs[s.run].label}: ` : "";
    return [table(null, s.columns.map((c, i) => el("th", { class: i ? "n" : null }, t(c))),
      s.rows.map((row) => el("tr", null, row.map((value, i) =>
        i ? el("td", { class: "n" }, cell(value)) : el("th", { scope: "row" }, cell(value))))),
      who + t(s.title)), s.notes.map((note) => el("p", { class: "note" }, translated(note)))];
  }

  function methods(report) {
    const figures = (report.figures || []).filter((f) => f.files.some((file) => file.endsWith(".svg")));
    return section("methods", t("How it was done"),
      report.methods ? [tongue() === "zh" ? el("p", { class: "note" }, t("The paragraph for a paper, in English:")) : null,
        el("p", { class: "prose", lang: "en" }, report.methods)] : null,
      figures.length ? [el("h3", null, t("Figures")), figures.map((f) => el("figure", { class: "journal" },
        el("img", { src: f.files.find((file) => file.endsWith(".svg")), alt: f.title, loading: "lazy" }),
        el("figcaption", null, el("span", { lang: "en" }, f.caption || f.title), " ", f.files.map((file) =>
          [el("a", { href: file }, file.split(".").pop().toUpperCase()), " "]))))] : null,
      report.runs.map((run) => el("details", null,
        el("summary", null, t("Settings of"), " ", name(run.label), tongue() === "zh" ? "，" : " on ", run.benchmark),
        el("dl", { class: "settings" }, [[t("folder"), run.folder], [t("started"), run.started || "–"],
          [t("seconds"), run.elapsed_s.toFixed(1)], ...run.config,
          ...Object.entries(run.versions).map(([k, v]) => [`version: ${k}`, v])]
          .map(([k, v]) => [el("dt", null, k), el("dd", null, name(v))])))),
      el("p", { class: "note" }, t("Accuracy is over all trials that were judged: a reply without a readable answer counts as "
        + "wrong; failed calls are left out and counted. Intervals are Wilson's, with the effective number of trials where "
        + "trials depend on each other."), " ", t("Written by Zhiyin {version}.", { version: visible(report.zhiyin) })));
  }

  return { benchmarkSection, methods, patterns };
})();
