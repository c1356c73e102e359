"use strict";
// Everything above the list of trials: who was asked what, what came of it, how it was done.
Zhiyin.sections = (() => {
  const { el, svg, name, percent, count, plain, state, table, charts, visible } = Zhiyin;
  const TOPICS = { score: "How much is right?", comparison: "Who is better, and in what?",
    listening: "Is it listening?", letters: "Does it favour a letter?",
    published: "Beside people and published models", mistakes: "What did it get wrong?" };

  const section = (id, title, ...children) =>
    el("section", { id, "aria-labelledby": `${id}-title` },
      el("h2", { id: `${id}-title`, tabindex: "-1" }, title), children);

  function overview(report, show) {
    const running = report.runs.some((run) => run.running);
    const names = [...new Set(report.benchmarks.map((b) => b.name))].join(", ");
    return section("overview", `${report.runs.length === 1 ? "One run" : `${report.runs.length} runs`} on ${names}`,
      Zhiyin.live ? el("p", { class: "note", role: "status" }, running
        ? "A run is still going on: this page follows it." : "All runs have ended.") : null,
      asked(report),
      report.benchmarks.map((b) => [
        report.benchmarks.length > 1 ? el("h3", null, b.name) : null, findings(b, show)]),
      remarks(report, "warnings", "warning"), remarks(report, "remarks", "note"),
      report.notes.map((text) => el("p", { class: "note" }, text)));
  }

  // What is said of every run without a name, of some with theirs, and each line once.
  function remarks(report, field, kind) {
    const texts = [...new Set(report.runs.flatMap((run) => run[field]))];
    return texts.map((text) => {
      const meant = report.runs.filter((run) => run[field].includes(text));
      return el("p", { class: kind }, meant.length < report.runs.length
        ? [name(meant.map((run) => run.label).join(", ")), ": "] : null, text);
    });
  }

  function asked(report) {
    return table({ class: "runs" },
      [el("th", null, "Examinee"), el("th", null, "Benchmark"), el("th", { class: "n" }, "Trials"),
        el("th", { class: "n" }, "Right, %"), el("th", { class: "n" }, "95 % interval"),
        el("th", { class: "wide" }, "What became of the trials")],
      report.runs.map((run) => {
        const b = report.benchmarks.find((one) => one.name === run.benchmark);
        const figures = (b.figures[run.number] || {})[b.headline];
        const held = figures && figures.n;
        return el("tr", null,
          el("th", { scope: "row" }, charts.symbol(`s${run.number % 8}`, run.number), " ", name(run.label)),
          el("td", null, run.benchmark, b.headline === "all" ? null : el("small", null, ` (right: of ${b.headline})`)),
          el("td", { class: "n" }, count(run.trials),
            run.trials < run.planned ? el("small", null, ` of ${count(run.planned)}`) : null),
          el("td", { class: "n big" }, held ? percent(figures.accuracy) : "–"),
          el("td", { class: "n" }, held ? `${percent(figures.ci95[0])} to ${percent(figures.ci95[1])}` : "–"),
          el("td", { class: "wide" }, became(run)));
      }));
  }

  function became(run) {
    const total = Math.max(1, run.planned, run.trials);
    let at = 0;
    const drawing = svg("svg", { class: "stack", height: 14, "aria-hidden": "true" });
    const parts = Object.entries(run.states).filter(([, n]) => n);
    for (const [word, n] of parts) {
      drawing.append(svg("rect", { class: word, x: `${(100 * at) / total}%`, y: 0, height: 14,
        width: `${(100 * n) / total}%` }, svg("title", null, `${n} ${plain(word)}`)));
      at += n;
    }
    return [drawing, el("span", { class: "states" }, parts.map(([word, n]) => [state(word), ` ${count(n)} `]))];
  }

  function findings(benchmark, show) {
    return el("div", { class: "findings" }, Object.entries(TOPICS).map(([topic, title]) => {
      const own = benchmark.findings.filter((f) => f.topic === topic);
      if (!own.length) return null;
      return el("div", { class: "finding" }, el("h4", null, title), el("ul", null, own.map((f) =>
        el("li", null, f.text, f.show ? [" ", el("button", { class: "link more",
          onclick: () => show({ ...f.show, benchmark: benchmark.name }) }, "Show the trials")] : null))));
    }));
  }

  function benchmarkSection(report, b, show) {
    const runs = b.runs.map((number) => report.runs[number]);
    const pick = (filter) => show({ ...filter, benchmark: b.name });
    const withLetters = runs.filter((run) => b.letters[run.number]);
    const withConditions = runs.filter((run) => (b.conditions[run.number] || []).length);
    return section(`benchmark-${b.name}`, b.name,
      el("p", { class: "lead" }, b.summary), el("p", { class: "note" }, b.paper),
      besidePublished(b, runs),
      b.groups.length > 1 ? [el("h3", null, "Group by group"),
        charts.groups(b, runs, (group) => pick(group === "all" ? {} : { group }))] : null,
      runs.length > 1 && b.pairs.length ? [el("h3", null, "Differences on the same trials"),
        charts.differences(b, runs, (group, first, second) => pick({
          ...(group === "all" ? {} : { group }), agree: `apart:${first}:${second}` }))] : null,
      withConditions.length ? [el("h3", null, "Is it listening?"),
        withConditions.map((run) => charts.conditions(b.conditions[run.number], run,
          withConditions.flatMap((other) => b.conditions[other.number])))] : null,
      withLetters.length ? [el("h3", null, "Letters chosen, against the key"),
        el("p", { class: "note" }, "Bars: how often each letter was chosen. Upright lines: how often it "
          + "is the key. Recall: of the trials whose key it is, how many were answered right."),
        el("div", { class: "grid" }, withLetters.map((run) =>
          charts.letters(b.letters[run.number], run, (letter) => pick({ run: String(run.number), letter }))))] : null,
      b.sections.length ? el("details", { class: "tables" },
        el("summary", null, `Further tables of ${b.name} (${b.sections.length})`),
        b.sections.map((s) => further(s, report))) : null);
  }

  function besidePublished(b, runs) {
    if (b.published.some((row) => Object.keys(row.groups).length)) {
      return [el("h3", null, "Beside what has been published"), charts.headline(b, runs)];
    }
    const parts = runs.filter((run) => (b.inPart || {})[run.number]);
    return b.published.length && parts.length ? el("p", { class: "warning" },
      "Not comparable with the published figures, which are of the whole benchmark: ",
      name(parts.map((run) => `${run.label} (${b.inPart[run.number].why})`).join("; ")), ".") : null;
  }

  function further(s, report) {
    const cell = (value) => (value === null ? "–" : typeof value === "number" && !Number.isInteger(value)
      ? Number(value.toPrecision(4)).toString() : String(value));
    const who = report.runs.length > 1 ? `${report.runs[s.run].label}: ` : "";
    return [table(null, s.columns.map((c, i) => el("th", { class: i ? "n" : null }, c)),
      s.rows.map((row) => el("tr", null, row.map((value, i) =>
        i ? el("td", { class: "n" }, cell(value)) : el("th", { scope: "row" }, cell(value))))),
      who + s.title), s.notes.map((note) => el("p", { class: "note" }, note))];
  }

  function methods(report) {
    const figures = (report.figures || []).filter((f) => f.files.some((file) => file.endsWith(".svg")));
    return section("methods", "How it was done",
      report.methods ? el("p", { class: "prose" }, report.methods) : null,
      figures.length ? [el("h3", null, "Figures"), figures.map((f) => el("figure", { class: "journal" },
        el("img", { src: f.files.find((file) => file.endsWith(".svg")), alt: f.title, loading: "lazy" }),
        el("figcaption", null, f.caption || f.title, " ", f.files.map((file) =>
          [el("a", { href: file }, file.split(".").pop().toUpperCase()), " "]))))] : null,
      report.runs.map((run) => el("details", null,
        el("summary", null, "Settings of ", name(run.label), " on ", run.benchmark),
        el("dl", { class: "settings" }, [["folder", run.folder], ["started", run.started || "–"],
          ["seconds", run.elapsed_s.toFixed(1)], ...run.config,
          ...Object.entries(run.versions).map(([k, v]) => [`version: ${k}`, v])]
          .map(([k, v]) => [el("dt", null, k), el("dd", null, name(v))])))),
      el("p", { class: "note" }, "Accuracy is over all trials that were judged: a reply without a readable "
        + "answer counts as wrong; failed calls are left out and counted. Intervals are Wilson's, "
        + "with the effective number of trials where trials depend on each other. ",
        `Written by Zhiyin ${visible(report.zhiyin)}.`));
  }

  return { overview, benchmarkSection, methods };
})();
