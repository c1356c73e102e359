// The language that the address asks for; the page's own language follows what is chosen above.
"use strict";
(() => {
  const chosen = (name) => {
    document.getElementById(`tongue-${name}`).checked = true;
    document.documentElement.lang = name === "zh" ? "zh-Hans" : "en";
  };
  document.querySelector(".tongues").addEventListener("change", (event) => chosen(event.target.value));
  if (new URLSearchParams(location.search).get("lang") === "zh") chosen("zh");
})();
