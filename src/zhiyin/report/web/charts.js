"use strict";
// Charts that are tables: each row has its numbers in words and a strip that draws them, so that
// they read aloud, print, and fit any width (positions in a strip are per cent of its width).
Zhiyin.charts = (() => {
  const { el, svg, name, percent, signed, count, pValue, choice, table, t, translated } = Zhiyin;
  const SHAPES = [
    (x, y) => svg("circle", { cx: x, cy: y, r: 4.5 }),
    (x, y) => shape(x, y, "M-4 -4h8v8h-8z"),
    (x, y) => shape(x, y, "M0 -5.5L5 4H-5z"),
    (x, y) => shape(x, y, "M0 -5.5L5.5 0L0 5.5L-5.5 0z"),
    (x, y) => shape(x, y, "M-5 -4H5L0 5.5z"),
    (x, y) => shape(x, y, "M-4.5 -4.5L4.5 4.5M-4.5 4.5L4.5 -4.5"),
  ];

  // A path at a place given in per cent: a nested svg has its own origin there.
  function shape(x, y, d) {
    return svg("svg", { x, y, overflow: "visible" }, svg("path", { d }));
  }

  function scale(low, high) {
    const place = (value) => `${(3 + (94 * (value - low)) / (high - low)).toFixed(3)}%`;
    const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5].find((s) => (high - low) / s <= 6) || 0.5;
    const ticks = [];
    for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9; n++) ticks.push(n * step);
    return { low, high, place, ticks };
  }

  function spread(values, least = 0.1) {
    const finite = values.filter((v) => v !== null && v !== undefined && isFinite(v));
    if (!finite.length) return [0, 1];
    let low = Math.min(...finite), high = Math.max(...finite);
    const room = Math.max(0.04 * (high - low), (least - (high - low)) / 2, 0.01);
    return [low - room, high + room];
  }
  const unit = ([low, high]) => scale(Math.max(0, low), Math.min(1, high));

  function axis(axisScale, write = (v) => percent(v, 0)) {
    return svg("svg", { class: "strip axis", height: 16, "aria-hidden": "true" },
      axisScale.ticks.map((tick) =>
        svg("text", { x: axisScale.place(tick), y: 12, "text-anchor": "middle" }, write(tick))));
  }

  // Marks: { value, low, high, series, hollow, title }, one line of the strip for each.
  function strip(axisScale, marks, rules = []) {
    const height = 16 * Math.max(1, marks.length) + 4;
    const drawing = svg("svg", { class: "strip", height, "aria-hidden": "true" });
    for (const tick of axisScale.ticks) {
      const x = axisScale.place(tick);
      drawing.append(svg("line", { class: "grid", x1: x, x2: x, y1: 0, y2: height }));
    }
    for (const rule of rules) {
      if (rule === null || rule < axisScale.low || rule > axisScale.high) continue;
      const x = axisScale.place(rule);
      drawing.append(svg("line", { class: "rule", x1: x, x2: x, y1: 0, y2: height }));
    }
    marks.forEach((mark, line) => {
      if (!mark || mark.value === null || mark.value === undefined) return;
      const y = 10 + 16 * line;
      const clamp = (v) => Math.min(axisScale.high, Math.max(axisScale.low, v));
      const group = svg("g", { class: `mark ${mark.series} ${mark.hollow ? "hollow" : ""}` });
      if (mark.title) group.append(svg("title", null, mark.title));
      if (mark.low !== null && mark.low !== undefined) {
        group.append(svg("line", { class: "whisker", y1: y, y2: y,
          x1: axisScale.place(clamp(mark.low)), x2: axisScale.place(clamp(mark.high)) }));
      }
      group.append(SHAPES[(mark.shape || 0) % SHAPES.length](axisScale.place(clamp(mark.value)), y));
      drawing.append(group);
    });
    return drawing;
  }

  // One more mark in the first line of a strip, without a line of its own.
  function lone(axisScale, value, mark) {
    return svg("g", { class: `mark ${mark.series} ${mark.hollow ? "hollow" : ""}` }, svg("title", null, mark.title),
      SHAPES[(mark.shape || 0) % SHAPES.length](axisScale.place(Math.min(axisScale.high, Math.max(axisScale.low, value))), 10));
  }

  function symbol(series, number, hollow) {
    return svg("svg", { class: "symbol", width: 14, height: 14, "aria-hidden": "true" },
      svg("g", { class: `mark ${series} ${hollow ? "hollow" : ""}` },
        SHAPES[number % SHAPES.length](7, 7)));
  }
  const legend = (runs) =>
    el("p", { class: "legend" }, runs.map(({ label, number }) =>
      el("span", null, symbol(`s${number % 8}`, number), " ", name(label))));

  const FIGURES = { accuracy: "Accuracy", recall: "Recall (= accuracy)", precision: "Precision",
    f1: "F1", ifr: "Instruction following" };
  // The interval is that of the accuracy; where everything was answered, all figures are equal.
  const hasInterval = (metric, figures) =>
    figures.ci95 && metric !== "ifr" &&
    (metric === "accuracy" || metric === "recall" || figures.answered === figures.n);
  const interval = (low, high) => t("{low} to {high}", { low: percent(low), high: percent(high) });

  // Runs beside what has been published, for one group and one figure.
  function headline(benchmark, runs) {
    const published = benchmark.published;
    const figuresOf = (group) => {
      const figures = { accuracy: 0 };
      for (const row of published) {
        for (const metric of Object.keys(row.groups[group] || {})) {
          figures[metric] = (figures[metric] || 0) + 1;
        }
      }
      return figures;
    };
    const total = (group) => published.filter((row) => row.groups[group]).length;
    // Figures that count every question; precision leaves out what could not be read.
    const FAIR = ["accuracy", "f1", "recall"];
    const fair = (group) => Math.max(...FAIR.map((m) => figuresOf(group)[m] || 0));
    const groups = benchmark.groups.filter((g) => g.name === "all" || total(g.name));
    const depth = (group) => group.split("/").length; // what a part is of comes first
    let group = fair("all") || groups.length === 1 ? "all"
      : groups.slice().sort((a, b) => (fair(b.name) > 0) - (fair(a.name) > 0)
        || depth(a.name) - depth(b.name))[0].name;
    let metric = null;
    const body = el("div");
    const put = (...children) => body.replaceChildren(...children.filter((child) => child));
    function best() {
      const figures = figuresOf(group);
      return FAIR.filter((m) => m in figures).sort((a, b) => figures[b] - figures[a])[0];
    }
    function draw() {
      const available = Object.keys(figuresOf(group));
      if (!available.includes(metric)) metric = best();
      const rows = [];
      const beside = total(group) > 0;
      const left = [];
      for (const run of runs) {
        const part = (benchmark.inPart || {})[run.number];
        if (beside && part && part.groups.includes(group)) {
          left.push([name(run.label), " (", translated(part.why), ")"]);
          continue;
        }
        const own = (benchmark.figures[run.number] || {})[group];
        if (!own || own[metric] === null || own[metric] === undefined) continue;
        const ends = hasInterval(metric, own) ? own.ci95 : [null, null];
        rows.push({ label: run.label, kind: "this run", n: own.n, value: own[metric], low: ends[0],
          high: ends[1], series: `s${run.number % 8}`, shape: run.number });
      }
      const here = rows.length;
      for (const row of published) {
        const value = (row.groups[group] || {})[metric];
        if (value === undefined) continue;
        rows.push({ label: row.name, kind: row.kind, value, series: row.kind, hollow: true,
          shape: row.kind === "human" ? 1 : row.kind === "chance" ? 3 : 0 });
      }
      const { chance, path } = groups.find((g) => g.name === group);
      if (chance !== null && !rows.some((r) => r.kind === "chance")) {
        rows.push({ label: t("Guessing"), kind: "chance", value: chance, series: "chance",
          hollow: true, shape: 3 });
      }
      rows.sort((a, b) => b.value - a.value);
      const axisScale = unit(spread(rows.flatMap((r) => [r.value, r.low, r.high])));
      put(
        el("div", { class: "controls" },
          groups.length > 1 && choice(t("Group"), groups.map((g) => [g.name, t(g.path)]), group,
            (v) => { group = v; metric = null; draw(); }),
          available.length > 1 && choice(t("Figure"), available.map((m) => [m, t(FIGURES[m] || m)]), metric,
            (v) => { metric = v; draw(); })),
        table({ class: "chart" },
          [el("th", null, t("Who")), el("th", null, t("Kind")), el("th", { class: "n" }, t("Trials")),
            el("th", { class: "wide" }, axis(axisScale)), el("th", { class: "n" }, "%"),
            el("th", { class: "n" }, t("95 % interval"))],
          rows.map((r) => el("tr", { class: r.kind === "this run" ? "ours" : "published" },
            el("th", { scope: "row" }, symbol(r.series, r.shape, r.hollow), " ", name(r.label)),
            el("td", null, t(r.kind)), el("td", { class: "n" }, r.n ? count(r.n) : ""),
            el("td", { class: "wide" }, strip(axisScale, [r], [chance])),
            el("td", { class: "n" }, percent(r.value)),
            el("td", { class: "n" }, r.low === null || r.low === undefined ? "" : interval(r.low, r.high)))),
          `${t(FIGURES[metric] || metric)}: ${t(path)}`),
        el("p", { class: "note" }, chance === null ? null : [t("Dashed line: guessing."), " "],
          rows.length > here && benchmark.source && beside
            ? [t("Hollow marks are published: {source}.", { source: benchmark.source }), " "] : null,
          metric === "precision" ? t("Precision leaves out replies that could not be read.") : null),
        left.length ? el("p", { class: "warning" }, t("Not shown beside the published figures of the whole:"), " ",
          left.map((one, i) => [i ? "; " : "", one])) : null);
    }
    draw();
    return body;
  }

  // Accuracy of every group, runs side by side; groups within groups open on demand.
  function groups(benchmark, runs, onpick) {
    const open = new Set();
    const names = new Set(benchmark.groups.map((g) => g.name));
    const parentOf = (group) => {
      const parts = group.split("/");
      for (let end = parts.length - 1; end > 0; end--) {
        const above = parts.slice(0, end).join("/");
        if (names.has(above)) return above;
      }
      return null;
    };
    const children = new Map();
    for (const group of benchmark.groups) {
      const above = parentOf(group.name);
      if (above) children.set(above, (children.get(above) || 0) + 1);
    }
    const shown = (group) => {
      const above = parentOf(group.name);
      return above === null || (open.has(above) && shown({ name: above }));
    };
    const of = (group) => runs.map((run) => (benchmark.figures[run.number] || {})[group.name]);
    let order = "listed", drawn = "intervals";
    const body = el("div");
    const corners = benchmark.groups.filter((g) => g.level === 0 && !/=/.test(g.name));
    function draw() {
      let rows = benchmark.groups.filter(shown);
      if (order !== "listed") {
        const value = (g) => (of(g)[Number(order)] || { accuracy: -1 }).accuracy;
        rows = rows.slice().sort((a, b) => value(b) - value(a));
      }
      const ends = rows.flatMap((g) => of(g).flatMap((f) => (f && f.ci95) || []));
      const axisScale = unit(spread(ends));
      body.replaceChildren(
        el("div", { class: "controls" }, legend(runs),
          choice(t("Order"), [["listed", t("as in the benchmark")],
            ...runs.map((run, i) => [i, t("by {run}", { run: run.label })])], order, (v) => { order = v; draw(); }),
          corners.length > 2 ? choice(t("Draw as"), [["intervals", t("intervals")], ["radar", t("radar")]], drawn,
            (v) => { drawn = v; draw(); }) : null,
          children.size ? el("button", { class: "quiet", onclick: () => {
            if (open.size) open.clear(); else for (const above of children.keys()) open.add(above);
            draw();
          } }, open.size ? t("Close all") : t("Open all")) : null),
        ...(drawn === "radar" ? [radar(benchmark, runs, corners)] : []),
        table({ class: "chart" },
          [el("th", null, t("Group")), el("th", { class: "n" }, t("Trials")),
            el("th", { class: "wide" }, axis(axisScale)), el("th", { class: "n" }, "%"),
            el("th", { class: "n" }, t("95 % interval")), el("th", { class: "n" }, t("Answered, %"))],
          rows.map((g) => row(g, axisScale)), t("Accuracy by group")));
    }
    function row(g, axisScale) {
      const figures = of(g);
      const lines = (write) => figures.map((f) => el("span", { class: "line" }, f ? write(f) : "–"));
      const inner = children.has(g.name);
      const toggle = () => { if (!open.delete(g.name)) open.add(g.name); draw(); };
      return el("tr", { class: `level${Math.max(0, g.level)}` },
        el("th", { scope: "row" }, el("span", { class: "head" },
          inner ? el("button", { class: "fold", "aria-expanded": String(open.has(g.name)),
            "aria-label": t("groups within {group}", { group: t(g.label) }), onclick: toggle },
            open.has(g.name) ? "▾" : "▸") : el("span", { class: "fold" }),
          el("button", { class: "link", title: t("Show the trials"), onclick: () => onpick(g.name) },
            name(t(g.label))))),
        el("td", { class: "n" }, count(g.n)),
        el("td", { class: "wide" }, strip(axisScale, figures.map((f, i) => f && f.accuracy !== null && {
          value: f.accuracy, low: f.ci95 && f.ci95[0], high: f.ci95 && f.ci95[1],
          series: `s${runs[i].number % 8}`, shape: runs[i].number,
          title: `${runs[i].label}: ${percent(f.accuracy)} %, n = ${f.n}` }), [g.chance])),
        el("td", { class: "n" }, lines((f) => percent(f.accuracy))),
        el("td", { class: "n" }, lines((f) => (f.ci95 ? interval(f.ci95[0], f.ci95[1]) : "–"))),
        el("td", { class: "n" }, lines((f) => percent(f.ifr))));
    }
    draw();
    return body;
  }

  // Paired differences of two runs: filled where resolved, hollow where not.
  function differences(benchmark, runs, onpick) {
    const label = (number) => runs.find((run) => run.number === number).label;
    const minus = (value) => (value === null ? null : -value);  // null: nothing is known
    let chosen = 0, swapped = false, all = false;
    const body = el("div");
    function draw() {
      const pair = benchmark.pairs[chosen];
      const turn = swapped ? -1 : 1;
      const [a, b] = swapped ? [pair.second, pair.first] : [pair.first, pair.second];
      const level = new Map(benchmark.groups.map((g) => [g.name, g]));
      const rows = pair.rows.filter((r) => all || level.get(r.group).level <= 0).map((r) => ({
        ...r, mean: turn * r.mean, low: Math.min(turn * r.low, turn * r.high),
        high: Math.max(turn * r.low, turn * r.high) }));
      const reach = Math.max(0.05, ...rows.flatMap((r) => [r.low, r.high, r.mean])
        .filter((v) => v !== null).map(Math.abs));
      const axisScale = scale(-1.04 * reach, 1.04 * reach);
      body.replaceChildren(
        el("div", { class: "controls" },
          benchmark.pairs.length > 1 && choice(t("Compare"), benchmark.pairs.map((p, i) =>
            [i, t("{a} and {b}", { a: label(p.first), b: label(p.second) })]), chosen,
            (v) => { chosen = Number(v); draw(); }),
          el("button", { class: "quiet", onclick: () => { swapped = !swapped; draw(); } }, t("Turn round")),
          pair.rows.length > rows.length || all
            ? el("button", { class: "quiet", onclick: () => { all = !all; draw(); } },
              all ? t("Main groups only") : t("All groups")) : null),
        table({ class: "chart" },
          [el("th", null, t("Group")), el("th", { class: "n" }, t("Shared")),
            el("th", { class: "wide" }, axis(axisScale, (v) => signed(v).replace(/\.0$/, "").replace("±", ""))),
            el("th", { class: "n" }, t("Difference")), el("th", { class: "n" }, t("95 % interval")),
            el("th", { class: "n" }, t("p, adjusted")), el("th", { class: "n" }, t("Detectable")),
            el("th", null, t("Verdict"))],
          rows.map((r) => {
            const sure = r.adjusted < 0.05;
            const g = level.get(r.group);
            return el("tr", { class: `level${Math.max(0, g.level)}` },
              el("th", { scope: "row" }, el("button", { class: "link", title: t("trials on which the two differ"),
                onclick: () => onpick(r.group, a, b) }, name(t(g.label)))),
              el("td", { class: "n" }, count(r.n)),
              el("td", { class: "wide" }, strip(axisScale, [{ ...r, value: r.mean, hollow: !sure,
                series: sure ? `s${(r.mean > 0 ? a : b) % 8}` : "unsure", shape: r.mean > 0 ? a : b }], [0])),
              el("td", { class: "n" }, signed(r.mean)),
              el("td", { class: "n" }, t("{low} to {high}", { low: signed(r.low), high: signed(r.high) })),
              el("td", { class: "n" }, pValue(r.adjusted)),
              el("td", { class: "n" }, sure ? "" : r.detectable <= 1 ? percent(r.detectable) : "–"),
              el("td", { class: "verdict" }, sure
                ? el("strong", null, name(label(r.mean > 0 ? a : b)), " ", t("better")) : t("not resolved")));
          }),
          t("{a} minus {b}, in percentage points", { a: label(a), b: label(b) })),
        el("p", { class: "note" }, t("Right of zero: {a} is better.", { a: label(a) }), " ", t("The same trials answered by both; trials of one cluster "
          + "count as one draw. Exact McNemar test, or sign flips of whole clusters; p adjusted by Holm for everything, by "
          + "Benjamini and Hochberg for the groups, which are exploratory. Detectable: the difference that so many trials "
          + "would have shown four times in five. Not resolved is not equal.")));
    }
    draw();
    return body;
  }

  // Chosen letters against the key.
  function letters(bias, run, onpick) {
    const answered = bias.answered || 1;
    const keyed = bias.letters.reduce((sum, l) => sum + l.gold, 0) || 1;
    const shares = bias.letters.flatMap((l) => [l.chosen / answered, l.gold / keyed]);
    const axisScale = scale(0, Math.max(0.3, ...shares) * 1.04);
    return table({ class: "chart letters" },
      [el("th", null, t("Letter")), el("th", { class: "wide" }, axis(axisScale)),
        el("th", { class: "n" }, t("Chosen, %")), el("th", { class: "n" }, t("Key, %")),
        el("th", { class: "n" }, t("Recall, %"))],
      bias.letters.map((l) => {
        const drawing = svg("svg", { class: "strip", height: 24, "aria-hidden": "true" },
          svg("rect", { class: `bar s${run.number % 8}`, x: "3%", y: 5, height: 14,
            width: `${((94 * l.chosen) / answered / axisScale.high).toFixed(2)}%` }),
          svg("line", { class: "key", y1: 1, y2: 23, x1: axisScale.place(l.gold / keyed),
            x2: axisScale.place(l.gold / keyed) }));
        return el("tr", null,
          el("th", { scope: "row" }, el("button", { class: "link", onclick: () => onpick(l.letter) }, l.letter)),
          el("td", { class: "wide" }, drawing),
          el("td", { class: "n" }, percent(l.chosen / answered)),
          el("td", { class: "n" }, percent(l.gold / keyed)),
          el("td", { class: "n" }, percent(l.recall)));
      }), run.label);
  }

  // The same questions under two conditions.
  function conditions(gaps, run, every) {
    const axisScale = unit(spread(every.flatMap((g) => [g.a, g.b])));
    return table({ class: "chart" },
      [el("th", null, run.label), el("th", { class: "wide" }, axis(axisScale)),
        el("th", { class: "n" }, "%"), el("th", { class: "n" }, t("Difference")),
        el("th", { class: "n" }, t("95 % interval")), el("th", { class: "n" }, "p")],
      gaps.map((g) => el("tr", null,
        el("th", { scope: "row" }, t("{tag} {a} against {b}", { tag: t(g.tag), a: t(g.first), b: t(g.second) })),
        el("td", { class: "wide" }, strip(axisScale, [
          { value: g.a, series: `s${run.number % 8}`, shape: run.number },
          { value: g.b, series: `s${run.number % 8}`, shape: run.number, hollow: true }])),
        el("td", { class: "n" }, [g.a, g.b].map((v) => el("span", { class: "line" }, percent(v)))),
        el("td", { class: "n" }, signed(g.mean)),
        el("td", { class: "n" }, t("{low} to {high}", { low: signed(g.low), high: signed(g.high) })),
        el("td", { class: "n" }, pValue(g.p)))));
  }

  // A radar, as papers of the field print one: the same figures as the table below it.
  function radar(benchmark, runs, corners) {
    const size = 460, middle = size / 2, reach = 150;
    const at = (i, value) => {
      const angle = (2 * Math.PI * i) / corners.length - Math.PI / 2;
      return [middle + reach * value * Math.cos(angle), middle + reach * value * Math.sin(angle)];
    };
    const ring = (value) => corners.map((_, i) => at(i, value).map((v) => v.toFixed(1)).join(" ")).join("L");
    const drawing = svg("svg", { class: "radar", viewBox: `-90 0 ${size + 180} ${size}`, role: "img",
      "aria-label": t("Accuracy by group") });
    for (const value of [0.25, 0.5, 0.75, 1]) {
      drawing.append(svg("path", { class: "grid", d: `M${ring(value)}Z` }),
        svg("text", { x: middle + 3, y: middle - reach * value - 2 }, percent(value, 0)));
    }
    corners.forEach((g, i) => {
      const [x, y] = at(i, 1.08);
      drawing.append(svg("text", { x, y, class: "corner",
        "text-anchor": Math.abs(x - middle) < 12 ? "middle" : x < middle ? "end" : "start" }, g.label));
    });
    for (const run of runs) {
      const values = corners.map((g) => ((benchmark.figures[run.number] || {})[g.name] || {}).accuracy);
      if (values.some((v) => v === null || v === undefined)) continue;
      const group = svg("g", { class: `mark s${run.number % 8} web` }, svg("title", null, run.label),
        svg("path", { class: "outline", d: `M${values.map((v, i) => at(i, v).map((n) => n.toFixed(1)).join(" ")).join("L")}Z` }));
      values.forEach((v, i) => group.append(SHAPES[run.number % SHAPES.length](...at(i, v))));
      drawing.append(group);
    }
    return drawing;
  }

  // Groups that cross several conditions, as a grid of small pictures: one for each task and way of
  // putting it, in each a line for each of the others.
  function cells(benchmark, runs, onpick) {
    const names = new Set(benchmark.groups.map((g) => g.name));
    const leaves = benchmark.groups.filter((g) => g.name.split("/").length > 2 && !/=/.test(g.name)
      && ![...names].some((other) => other.startsWith(`${g.name}/`)));
    const panels = new Map();
    for (const g of leaves) {
      const [task, way, ...rest] = g.name.split("/");
      const key = `${task}/${way}`;
      if (!panels.has(key)) panels.set(key, []);
      panels.get(key).push({ ...g, short: rest.join(", ").replaceAll("_", " ") });
    }
    const shorts = [...panels.values()].map((own) => own.map((g) => g.short).join("|"));
    if (panels.size < 2 || leaves.length < 6 || new Set(shorts).size > Math.max(2, shorts.length / 2)) return null;
    const scale01 = scale(0, 1);
    return el("div", { class: "multiples" }, [...panels].map(([key, own]) => table({ class: "chart small" },
      [el("th", null, key.replace("/", ", ").replaceAll("_", " ")), el("th", { class: "wide" }, axis(scale01)),
        el("th", { class: "n" }, "%")],
      own.map((g) => {
        const figures = runs.map((run) => (benchmark.figures[run.number] || {})[g.name]);
        return el("tr", null,
          el("th", { scope: "row" }, el("button", { class: "link", onclick: () => onpick(g.name) }, name(g.short))),
          el("td", { class: "wide" }, strip(scale01, figures.map((f, i) => f && f.accuracy !== null && {
            value: f.accuracy, low: f.ci95 && f.ci95[0], high: f.ci95 && f.ci95[1],
            series: `s${runs[i].number % 8}`, shape: runs[i].number,
            title: `${runs[i].label}: ${percent(f.accuracy)} %, n = ${f.n}` }), [g.chance])),
          el("td", { class: "n" }, figures.map((f) => el("span", { class: "line" }, f ? percent(f.accuracy) : "–"))));
      }), key.replace("/", ", "))));
  }

  return { headline, groups, differences, letters, conditions, cells, radar, symbol, legend, strip, lone, axis, unit, spread };
})();
