"use strict";
// The figures are fetched again while the page is seen; where somebody reads is not moved.
setInterval(async () => {
  if (document.visibilityState !== "visible" || document.activeElement.closest("details")) return;
  try {
    const answer = await fetch("/");
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (page.body.dataset.page === "research") {
      document.querySelector("main").replaceChildren(...page.querySelector("main").childNodes);
    }
  } catch (error) { /* the server is away: the next time */ }
}, 10000);
