// The language that the address asks for, that was chosen before, or that the browser prefers; the
// page's own language follows what is chosen above.
"use strict";
(() => {
  const chosen = (name) => {
    document.getElementById(`tongue-${name}`).checked = true;
    document.documentElement.lang = name === "zh" ? "zh-Hans" : "en";
  };
  let before = null;
  try { before = localStorage.getItem("zhiyin-language"); } catch { /* a page from disk may keep nothing */ }
  document.querySelector(".tongues").addEventListener("change", (event) => {
    chosen(event.target.value);
    try { localStorage.setItem("zhiyin-language", event.target.value); } catch { /* likewise */ }
  });
  const wanted = new URLSearchParams(location.search).get("lang") || before || navigator.language || "en";
  chosen(wanted.toLowerCase().startsWith("zh") ? "zh" : "en");
})();
