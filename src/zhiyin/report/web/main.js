"use strict";
// Joins what is operated to a page that is there already: the list of trials, pictures to save, and
// of a run that goes on whatever is new. Follows the address (#trials?state=wrong&trial=...).
(() => {
  const { load, get, loading, live, learn } = Zhiyin;
  const place = document.querySelector("#trials .place");
  let report = null, coming = null;

  document.addEventListener("click", (event) => {  // a sound at a mark of a picture
    const play = event.target.closest("a.play");
    if (!play) return;
    event.preventDefault();
    new Audio(play.getAttribute("href")).play();
  });

  function wanted() {
    const [where, query] = location.hash.split("?");
    return where === "#trials" ? Object.fromEntries(new URLSearchParams(query || "")) : null;
  }

  function toTrials() {
    document.getElementById("trials").scrollIntoView();
    document.getElementById("trials-title").focus({ preventScroll: true });
  }

  // After the first screen is on the glass; a page in the background is never painted.
  function painted() {
    return new Promise((done) => {
      requestAnimationFrame(() => setTimeout(done, 0));
      setTimeout(done, 500);
    });
  }

  function trials() {
    coming ||= load("trials").then((index) => {
      const browser = Zhiyin.trials.browser(report, index, wanted() || {});
      place.replaceChildren(browser.node);
      return browser;
    });
    return coming;
  }

  // The paragraph before a button goes to the clipboard; where a browser keeps that shut, it is selected.
  function copyable() {
    for (const button of document.querySelectorAll("button.copy[hidden]")) {
      button.hidden = false;
      button.addEventListener("click", async () => {
        const text = button.parentElement.previousElementSibling;
        try {
          await navigator.clipboard.writeText(text.textContent);
          button.textContent = button.dataset.done;
        } catch {
          getSelection().selectAllChildren(text);
        }
      });
    }
  }

  // The parts of the page that say what was found, as the server has them now.
  async function renew() {
    const answer = await fetch(location.pathname + location.search, { cache: "no-store" });
    const newer = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of document.querySelectorAll("#nav, #front, #chapters, #end")) {
      const other = newer.getElementById(part.id);
      const open = [...part.querySelectorAll("details")].map((one) => one.open);
      [...other.querySelectorAll("details")].forEach((one, i) => { one.open = open[i] ?? one.open; });
      part.replaceWith(document.adoptNode(other));
    }
    Zhiyin.export.equip();
    copyable();
  }

  async function follow(version) {
    for (;;) {
      await new Promise((done) => setTimeout(done, 2000));
      try {
        const now = await get("state");
        if (now.version !== version) {
          loading.clear();
          report = learn(await get("report"));
          const top = window.scrollY;
          await renew();
          window.scrollTo(0, top);
          if (coming) (await coming).renew(await load("trials"), report);
        }
        version = now.version;
      } catch {
        // The server has ended or is busy: what is on the page stays, and we try again.
      }
    }
  }

  copyable();
  window.addEventListener("hashchange", async () => {
    const filter = wanted();
    const target = filter ? null : document.getElementById(location.hash.slice(1));
    if (target?.tagName === "DETAILS") { target.open = true; target.scrollIntoView(); }
    if (filter) { (await trials()).show(filter); toTrials(); }
  });
  // The same place in another language.
  document.querySelectorAll(".tongue").forEach((link) =>
    link.addEventListener("click", () => { link.hash = location.hash; }));

  load("report").then((found) => {
    report = learn(found);
    Zhiyin.export.equip();
    const list = painted().then(trials);
    if (wanted()) list.then(toTrials);
    if (live) follow(report.version);
    return list;
  }).catch((error) => place.replaceChildren(Zhiyin.el("p", { class: "warning" }, error.message)));
})();
