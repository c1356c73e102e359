// While a run goes on, or logs are still being counted, the page asks again; never while you write.
"use strict";
setTimeout(function again() {
  const at = document.activeElement;
  const busy = (at && /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)) || document.querySelector("input:checked");
  if (busy || document.hidden) setTimeout(again, 2000);
  else location.reload();
}, Number(document.currentScript.dataset.seconds) * 1000);
