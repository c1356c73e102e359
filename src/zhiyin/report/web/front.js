"use strict";
// The first screen: one finding, each run on five questions, what is to be done, three links.
Zhiyin.front = (() => {
  const { el, svg, name, percent, count, charts, table, t, translated, tongue } = Zhiyin;
  const SILENT = { dead: "all {n} trials failed", ungraded: "{n} replies, not judged yet", unscored: "not judged, or otherwise: no total", measured: "{n} replies, measured in the tables below", empty: "nothing answered yet",
    altered: "judged with altered conditions alone", outside: "asked nothing of this" };
  const INSTEAD = { noise: "noise", swap: "another piece", silence: "silence", half: "half noise", none: "no sound" };

  // A verdict: a word, and small what it rests on.
  const verdict = (kind, word, detail) => [el("span", { class: `verdict-of ${kind}` }, word),
    detail ? el("small", null, detail) : null];

  function guessing(own) {
    if (own.guess === "free") return verdict("soft", own.by ? "–" : t("free answers"));
    const kind = { better: ["good", t("yes")], open: ["soft", t("not shown")], untold: ["soft", t("not shown")], worse: ["bad", t("worse")] }[own.guess];
    return verdict(...kind, t("guessing: {chance}\u00a0%", { chance: percent(own.chance) }));
  }

  function listening(own) {
    const deaf = own.canary.sound;
    if (deaf) return verdict("bad", t("the canary failed"), t("{right} of {asked} right", deaf));
    if (!own.listening.length) return verdict("soft", own.heard ? t("not tested")
      : own.elsewhere ? t("not known") : t("no sound in it"), own.elsewhere && !own.heard ? t("answered elsewhere") : null);
    const points = (gap) => percent(Math.abs(gap.mean));
    if (own.listening[0].tag === "modality") {
      const [gap] = own.listening;
      const words = gap.p >= 0.05 ? "reading and hearing not told apart"
        : gap.mean > 0 ? "reads better, by {gap}" : "hears better, by {gap}";
      return verdict("soft", t(words, { gap: points(gap) }));
    }
    // Flips of fewer than six clusters show nothing, however large the gap: they do not decide.
    const able = own.listening.filter((gap) => gap.clusters > 5);
    const gaps = able.length ? able : own.listening;
    const sure = gaps.filter((gap) => gap.p < 0.05 && gap.mean > 0);
    const [shown] = sure.length === gaps.length ? sure : gaps.filter((gap) => !sure.includes(gap));
    const words = t("{gap} points over {other}", { gap: `${shown.mean < 0 ? "−" : "+"}${points(shown)}`,
      other: t(INSTEAD[shown.second] || shown.second) });
    return sure.length === gaps.length ? verdict("good", t("yes"), words)
      : verdict("soft", t("not shown"), words);
  }

  function letter(own) {
    const liked = own.letter;
    if (!liked) return verdict("soft", own.state === "judged" && own.by ? "–" : t("too few to tell"));
    const shares = t("{letter}: {chosen} % of answers, {keyed} % of the key", { letter: liked.letter,
      chosen: percent(liked.chosen), keyed: percent(liked.keyed) });
    if (liked.verdict === "always") return verdict("bad", t("always {letter}", { letter: liked.letter }), shares);
    return liked.verdict === "favours" ? verdict("bad", t("yes"), shares) : verdict("soft", t("none found"), shares);
  }

  function whole(own, unit) {
    if (own.extent === "other items") return verdict("soft", t("other items"), own.why && translated(own.why));
    if (own.set_otherwise) return verdict("soft", t("other settings"), own.why && translated(own.why));
    if (own.extent === "unknown") return verdict("soft", t("not known"), t("{n} {unit} asked", { n: count(own.n), unit: t(unit) }));
    return own.extent === "whole" ? verdict("good", t("yes"), t("all {n} {unit}", { n: count(own.n), unit: t(unit) }))
      : verdict("soft", own.finished ? t("in part") : t("unfinished"), own.why && translated(own.why));
  }

  function forest(report, b) {
    const { lead } = b;
    const judged = lead.standings.filter((own) => own.state === "judged");
    const spread = [...judged.flatMap((own) => [own.value, own.low, own.high, own.chance]), ...lead.published.map((row) => row.value)];
    const scale = charts.unit(charts.spread(spread));
    const figure = { accuracy: t("Right, %"), total: t("Total, %") }[lead.figure]
      || `${lead.figure.replace(/^score:/, "").replaceAll("_", " ")}, %`;
    const rows = lead.standings.map((own) => run(report, lead, own, scale));
    const kinds = [["model", "Published models ({n})"], ["human", "People, published ({n})"], ["chance", "Chance, published"]];
    for (const [kind, words] of kinds) {
      const marks = lead.published.filter((row) => row.kind === kind);
      if (marks.length) rows.push(published(marks, t(words, { n: marks.length }), kind, scale));
    }
    const few = judged.length ? null : "none";
    return table({ class: `forest chart ${few || ""}` }, [el("th", null, t("Run")), el("th", { class: "wide" }, few ? "" : charts.axis(scale)),
      el("th", { class: "n" }, lead.title ? `${figure} (${t(lead.title)})` : figure), el("th", { class: "n" }, t("95 % interval")),
      el("th", null, t("Better than guessing?")), el("th", null, t("Listening?")), el("th", null, t("Favours a letter?")),
      el("th", null, t("The whole benchmark?"))], rows, b.name);
  }

  function run(report, lead, own, scale) {
    const { label, number } = report.runs[own.run];
    const head = el("th", { scope: "row" }, el("span", { class: "who" }, charts.symbol(`s${number % 8}`, number), " ", name(label)),
      own.alone ? el("small", null, own.alone) : null);
    if (own.state !== "judged") {
      return el("tr", { class: "silent" }, head, el("td", { colspan: 7 }, t(SILENT[own.state], { n: count(own.trials) })));
    }
    const mark = { value: own.value, low: own.low, high: own.high, series: `s${number % 8}`, shape: number,
      title: `${label}: ${percent(own.value)} %` };
    return el("tr", null, head, el("td", { class: "wide" }, charts.strip(scale, [mark], [own.chance])),
      el("td", { class: "n big" }, percent(own.value)),
      el("td", { class: "n" }, `${percent(own.low)}–${percent(own.high)}`),
      el("td", null, guessing(own)), el("td", null, listening(own)), el("td", null, letter(own)),
      el("td", null, whole(own, lead.unit)));
  }

  // All published rows of a kind in one line, the best of them by name.
  function published(marks, label, kind, scale) {
    const drawing = charts.strip(scale, [null]);
    for (const row of marks) {
      drawing.append(charts.lone(scale, row.value, { series: kind, hollow: true, title: `${row.name}: ${percent(row.value)} %`,
        shape: kind === "human" ? 1 : kind === "chance" ? 3 : 0 }));
    }
    return el("tr", { class: "published" }, el("th", { scope: "row" }, charts.symbol(kind, kind === "human" ? 1 : kind === "chance" ? 3 : 0, true), " ", label),
      el("td", { class: "wide" }, drawing), el("td", { class: "n" }, percent(marks[0].value)), el("td"),
      el("td", { colspan: 4 }, marks.length > 1 ? t("best: {name}", { name: marks[0].name }) : marks[0].name));
  }

  // Where the three links lead: nothing is offered that would lead nowhere.
  function links(b, show) {
    const { lead } = b;
    const able = lead.standings.filter((own) => own.state === "judged" && own.ranked);
    const to = (id) => () => { const target = document.getElementById(id); target.scrollIntoView(); target.focus({ preventScroll: true }); };
    const nearest = lead.contests[0];
    const filter = { benchmark: b.name, ...(lead.group === "all" ? {} : { group: lead.group }) };
    return el("p", { class: "ways" },
      nearest ? el("button", { class: "link more", onclick: () => show({ ...filter, agree: `apart:${lead.best}:${nearest.other}` }) },
        t("Where they differ")) : null,
      able.length ? el("button", { class: "link more", onclick: () => show({ ...filter, run: String(able[0].run), state: "not right" }) },
        t("What went wrong")) : null,
      able.some((own) => own.listening.length) ? el("button", { class: "link more", onclick: to(`listening-${b.name}`) },
        t("Is it listening?")) : null);
  }

  function judges(report, b) {
    return (b.judges || []).map((judged) => el("details", { class: "reliability" },
      el("summary", null, t("How far the judges can be relied on"), ": ", name(report.runs[judged.run].label), ". ",
        el("span", { class: "note" }, translated(judged.lines[0]))),
      el("ul", null, judged.lines.map((line) => el("li", null, translated(line))))));
  }

  function todo(report) {
    if (!report.todo.length) return null;
    return el("section", { class: "todo", "aria-label": t("What to do first") }, el("h2", null, t("What to do first")),
      el("ul", null, report.todo.map((one) => el("li", null, el("strong", null, name(report.runs[one.run].label)), ": ",
        said(one), el("code", null, one.command)))));
  }

  // What is said in both languages; in English, and marked as such, where there is no Chinese.
  const said = (one) => one[tongue()] || el("span", { lang: "en" }, one.en);

  function notes(report) {
    const texts = (field) => {
      const open = report.runs.flatMap((run) => run[field]).filter((one) => !one.command);
      return [...new Map(open.map((one) => [one.en, one])).values()].map((one) => {
        const meant = report.runs.filter((run) => run[field].some((other) => other.en === one.en));
        return el("li", null, meant.length < report.runs.length
          ? [name(meant.map((run) => run.label).join(", ")), ": "] : null, said(one));
      });
    };
    const all = [...texts("warnings"), ...texts("remarks"), ...report.notes.map((text) => el("li", null, translated(text)))];
    return all.length ? el("details", { class: "notes" }, el("summary", null, t("Notes on these runs"), ` (${all.length})`),
      el("ul", null, all)) : null;
  }

  function overview(report, show) {
    const running = report.runs.some((run) => run.running);
    const many = report.runs.length === 1 ? t("One run") : t("{n} runs", { n: report.runs.length });
    const names = [...new Set(report.benchmarks.map((b) => b.name))].join(", ");
    return el("section", { id: "overview", "aria-labelledby": "overview-title", tabindex: "-1" },
      el("p", { class: "kicker" }, `${many} · ${names}`, Zhiyin.live ? el("span", { role: "status" }, " · ", running
        ? t("A run is still going on: this page follows it.") : t("All runs have ended.")) : null),
      report.benchmarks.map((b, i) => [
        el(i ? "h2" : "h1", { class: "says", id: i ? null : "overview-title" }, report.benchmarks.length > 1
          ? [el("span", { class: "of" }, b.name), " "] : null, b.sentence[tongue()] || b.sentence.en),
        Zhiyin.export.picture(`${b.name} ${t("Findings")}`, forest(report, b)),
        el("div", { class: "below" }, el("p", { class: "note" }, b.lead.standings.some((own) => own.state === "judged") ? t("Lines are 95 % intervals.") : "", " ",
          b.lead.standings.some((own) => own.chance !== null) ? t("Dashed line: guessing.") : "", " ",
          b.lead.published.length ? t("Hollow marks are published: {source}.", { source: b.source }) : ""), links(b, show)),
        judges(report, b)]),
      todo(report), notes(report));
  }

  return { overview };
})();
