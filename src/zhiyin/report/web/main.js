"use strict";
// Puts the page together; follows the address (#overview, #trials?state=wrong&trial=...).
(() => {
  const { el, load, get, loading, live, sections, front, t, tongue, speak } = Zhiyin;
  const main = document.getElementById("main"), nav = document.getElementById("nav");
  const place = el("div", { class: "place" });
  let browser = null, current = null;

  function number(report) {
    Zhiyin.learn(report.zh);
    report.runs.forEach((run, i) => { run.number = i; });
    return report;
  }

  function wanted() {
    const [where, query] = location.hash.split("?");
    return where === "#trials" ? Object.fromEntries(new URLSearchParams(query || "")) : null;
  }

  function toTrials() {
    document.getElementById("trials").scrollIntoView();
    document.getElementById("trials-title").focus({ preventScroll: true });
  }

  async function show(filter) {
    const list = await trials();
    list.show(filter);
    toTrials();
  }

  function parts(report) {
    return [sections.patterns(), front.overview(report, show),
      ...report.benchmarks.map((b) => sections.benchmarkSection(report, b, show))];
  }

  function draw(report) {
    current = report;
    document.title = `${report.runs.map((run) => run.label).join(", ")} · Zhiyin`;
    const links = [["overview", t("Findings")], ...report.benchmarks.map((b) => [`benchmark-${b.name}`, b.name]),
      ["trials", t("Trials")], ["methods", t("Methods")]];
    document.querySelector(".skip").textContent = t("Skip to the findings");
    const other = tongue() === "zh" ? ["en", "English"] : ["zh", "中文"];
    nav.replaceChildren(...links.map(([id, text]) => el("a", { href: `#${id}` }, text)),
      el("button", { class: "link tongue", lang: other[0], onclick: () => {
        speak(other[0]);
        const top = window.scrollY;
        draw(current);
        if (browser) { coming = null; trials(); }
        window.scrollTo(0, top);
      } }, other[1]));
    main.replaceChildren(...parts(report),
      el("section", { id: "trials", "aria-labelledby": "trials-title" },
        el("h2", { id: "trials-title", tabindex: "-1" }, t("Trials")), place),
      sections.methods(report));
  }

  // After the first screen is on the glass; a page in the background is never painted.
  function painted() {
    return new Promise((done) => {
      requestAnimationFrame(() => setTimeout(done, 0));
      setTimeout(done, 500);
    });
  }

  let coming = null;
  function trials() {
    coming ||= load("trials").then((index) => {
      browser = Zhiyin.trials.browser(current, index, wanted() || {}, () => {});
      place.replaceChildren(browser.node);
      return browser;
    });
    return coming;
  }

  async function follow(version) {
    for (;;) {
      await new Promise((done) => setTimeout(done, 2000));
      try {
        const now = await get("state");
        if (now.version !== version) {
          loading.clear();
          const report = number(await get("report"));
          const top = window.scrollY;
          draw(report);
          window.scrollTo(0, top);
          if (browser) browser.renew(await load("trials"), report);
        }
        version = now.version;
      } catch {
        // The server has ended or is busy: what is on the page stays, and we try again.
      }
    }
  }

  window.addEventListener("hashchange", () => {
    const filter = wanted();
    if (filter && browser) { browser.show(filter); toTrials(); }
  });

  load("report").then((report) => {
    draw(number(report));
    const filter = wanted();
    const list = painted().then(trials);
    if (filter) list.then(toTrials);
    else if (location.hash) {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (target) target.scrollIntoView();
    }
    if (live) follow(report.version);
    return list;
  }).catch((error) => main.replaceChildren(el("p", { class: "warning" }, error.message)));
})();
