"use strict";
// A question's page: sound that is loaded before it is played, keys, time, and answers that arrive.
(() => {
  const words = document.getElementById("words")?.dataset || {};
  const form = document.getElementById("answer");
  const heard = new Map();
  // A personal link in full, as it is copied: the browser alone knows by which name people come.
  document.querySelectorAll("[data-whole-address]").forEach((link) => { link.textContent = link.href; });
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", async () => {
      const link = document.querySelector("[data-whole-address]");
      try { await navigator.clipboard.writeText(link.href); } catch (error) {
        getSelection().selectAllChildren(link);  // without https there is no clipboard but this one
        document.execCommand("copy");
      }
      button.textContent = button.dataset.copied;
    });
  }
  const preview = document.body.dataset.preview;
  let context = null, playing = null, blocked = false, shown = false, hasHeard = () => {};

  // One player at a time. Sound is decoded whole before it can be played; the context opens with
  // the first press of a button, as Safari wants it.
  function player(box) {
    const button = box.querySelector("button"), bar = box.querySelector("progress");
    const label = box.querySelector(".heard"), sign = box.querySelector(".sign");
    const word = box.querySelector(".word"), toPlay = word.textContent, named = button.getAttribute("aria-label");
    const most = Number(box.dataset.most) || Infinity, index = box.dataset.index;
    let data = null, buffer = null, source = null, begun = 0, count = 0;
    if (index !== undefined) heard.set(Number(index), 0);
    const kept = form && index !== undefined ? `heard-${form.dataset.form}-${form.dataset.place}-${index}` : null;

    async function load() {
      label.textContent = words.loading;
      try {
        const answer = await fetch(box.dataset.src);
        if (!answer.ok) throw new Error(String(answer.status));
        data = await answer.arrayBuffer();
        label.textContent = "";
        button.disabled = false;
        if (kept) { count = Number(sessionStorage.getItem(kept)) || 0; mark(); }
      } catch (error) {
        label.textContent = words.cannotPlay;
        button.disabled = false;
      }
    }

    function mark() {
      if (index !== undefined) heard.set(Number(index), count);
      if (kept) sessionStorage.setItem(kept, count);
      if (count) label.textContent = `${words.listened} ${count}×`;
      if (count >= most) { button.disabled = true; label.textContent = words.noMore; }
      box.dataset.heard = count;
      hasHeard();
    }

    function show(on) {
      sign.textContent = on ? "■" : "▶";
      word.textContent = on ? words.stop : toPlay;
      button.setAttribute("aria-label", on ? named.replace(toPlay, words.stop) : named);
      box.toggleAttribute("data-playing", on);
    }

    function stop() {
      if (!source) return;
      source.onended = null;
      source.stop();
      source = null;
      playing = null;
      show(false);
      bar.value = 0;
    }

    function step() {
      if (!source) return;
      bar.value = Math.min(1, (context.currentTime - begun) / buffer.duration);
      requestAnimationFrame(step);
    }

    async function play() {
      if (source) return stop();
      if (!data && !buffer) return load();
      if (count >= most) return undefined;
      context = context || new (window.AudioContext || window.webkitAudioContext)();
      if (context.state !== "running") await context.resume();
      if (!buffer) {
        const whole = data;
        data = null;  // decoding empties it: what was broken on the way is fetched again
        buffer = await context.decodeAudioData(whole);
      }
      if (playing) playing();
      source = context.createBufferSource();
      source.buffer = buffer;
      source.connect(context.destination);
      source.onended = () => { source = null; playing = null; show(false); bar.value = 1; count += 1; mark(); };
      source.start();
      begun = context.currentTime;
      playing = stop;
      show(true);
      return step();
    }
    button.addEventListener("click", () => { play().catch(() => { label.textContent = words.cannotPlay; }); });
    load();
    return play;
  }
  const boxesOfSound = [...document.querySelectorAll(".player")];
  const players = boxesOfSound.map(player);
  const unheard = () => boxesOfSound.some((box) => (Number(box.dataset.heard) || 0) < Number(box.dataset.least));

  // A form that is sent is not sent again by a second press; a page from the browser's memory of
  // pages may be an old one, and is asked for anew.
  for (const other of document.querySelectorAll("form[method=post]")) {
    other.addEventListener("submit", (event) => {
      if (preview) { event.preventDefault(); location.assign(preview); return; }
      if (unheard()) { event.preventDefault(); other.querySelector(".state").textContent = words.listenFirst; return; }
      if (other.dataset.sent) event.preventDefault();
      other.dataset.sent = "yes";
    });
  }
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  const large = document.getElementById("large");
  if (large) {
    const picture = large.querySelector("img");
    let scale = 100;
    const set = () => { picture.style.setProperty("width", `${scale}%`); };
    for (const button of document.querySelectorAll(".zoom")) {
      button.addEventListener("click", () => {
        picture.src = button.querySelector("img").src;
        scale = 100; set(); large.showModal();
      });
    }
    for (const button of large.querySelectorAll("[data-by]")) {
      button.addEventListener("click", () => {
        scale = Math.min(800, Math.max(50, scale * Number(button.dataset.by))); set();
      });
    }
  }
  if (!form) {
    hasHeard = () => {
      if (unheard()) return;
      document.querySelectorAll("form .state").forEach((state) => { state.textContent = ""; });
      document.querySelectorAll("input[name=heard]").forEach((input) => { input.value = "1"; });
    };
    return;
  }

  const state = form.querySelector(".state"), kind = form.dataset.kind;
  const send = form.querySelector(".acts button");
  // Time counts while there are signs of a person, or sound plays on a page that is seen.
  let active = 0, idle = 0, sign = performance.now(), last = performance.now();
  const patience = Number(form.dataset.idle);
  function tick() {
    const now = performance.now();
    const there = document.visibilityState === "visible" && (playing || now - sign < patience);
    if (there) active += now - last; else idle += now - last;
    last = now;
  }
  setInterval(tick, 250);
  for (const name of ["pointerdown", "pointermove", "keydown", "scroll", "touchstart", "input"]) {
    addEventListener(name, () => { tick(); sign = performance.now(); }, { passive: true });
  }
  document.addEventListener("visibilitychange", tick);
  // From when every sound has been heard as often as was asked: what is thought, not listened to.
  let before = null;
  hasHeard = () => {
    if (unheard()) return;
    if (before === null) { tick(); before = active; }
    if (state.textContent === words.listenFirst) state.textContent = "";
  };
  if (!unheard()) before = 0;

  const ranges = [...form.querySelectorAll("input[type=range]")], text = form.querySelector("textarea");
  for (const range of ranges) {
    const shown = range.parentElement.querySelector("output");
    const touch = () => {
      range.removeAttribute("data-untouched");
      shown.textContent = `${range.value} / ${range.max}`;
      range.setAttribute("aria-valuetext", shown.textContent);
    };
    for (const name of ["input", "change", "pointerup"]) range.addEventListener(name, touch);
    range.addEventListener("keydown", (event) => { if (event.key === "Enter") { touch(); } });
  }
  const boxes = [...form.querySelectorAll(".choices input")];

  // A page that is loaded again goes on where it was: its time, and what was chosen and not yet sent.
  const draft = `draft-${form.dataset.form}-${form.dataset.place}`;
  const left = JSON.parse(sessionStorage.getItem(draft) || "null");
  if (left) {
    ({ active, idle, before } = left);
    left.chosen.forEach((place) => { boxes[place].checked = true; });
    left.grades.forEach(([place, grade]) => { ranges[place].value = grade; ranges[place].dispatchEvent(new Event("input")); });
    if (text) text.value = left.text;
  }
  addEventListener("pagehide", () => {
    tick();
    const chosen = boxes.flatMap((b, place) => (b.checked ? [place] : []));
    const grades = ranges.flatMap((r, place) => (r.hasAttribute("data-untouched") ? [] : [[place, r.value]]));
    sessionStorage.setItem(draft, JSON.stringify({ active, idle, before, chosen, grades, text: text?.value }));
  });
  form.addEventListener("change", (event) => {
    const box = event.target;
    if (box.name === "said" && box.checked) boxes.forEach((b) => { if (b !== box) b.checked = false; });
    if (box.name === "chosen" && box.type === "checkbox" && box.checked) {
      boxes.forEach((b) => { if (b.name === "said") b.checked = false; });
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || large.open) return;
    const target = event.target;
    if (target.tagName === "TEXTAREA") return;
    if (/^[1-9]$/.test(event.key) && boxes[event.key - 1]) {
      boxes[event.key - 1].click();
      boxes[event.key - 1].focus();
      event.preventDefault();
    } else if (event.key === " " && players.length && !["BUTTON", "SUMMARY", "A"].includes(target.tagName)
      && !(target.type === "checkbox" || target.type === "radio")) {
      players[0]().catch(() => {});
      event.preventDefault();
    } else if (event.key === "Enter" && !["BUTTON", "SUMMARY", "A"].includes(target.tagName)) {
      event.preventDefault();
      form.requestSubmit();
    }
  });

  function collect() {
    const chosen = boxes.filter((b) => b.name === "chosen" && b.checked).map((b) => Number(b.value));
    const flag = boxes.find((b) => b.name === "said" && b.checked)?.value || "";
    const written = text?.value || "";
    const whole = kind === "text" ? written.trim() !== ""
      : ranges.length ? ranges.every((r) => !r.hasAttribute("data-untouched")) : chosen.length > 0 || flag;
    if (!whole) return null;
    tick();
    return {
      place: Number(form.dataset.place), chosen, said: flag, text: written, grades: ranges.map((r) => Number(r.value)),
      listens: Array.from({ length: Number(form.dataset.listens) }, (_, i) => heard.get(i) || 0),
      active_ms: Math.round(active), idle_ms: Math.round(idle),
      after_ms: Math.round(active - (before || 0)),
    };
  }

  // Sent again until the server says that it is kept: the server takes it once.
  async function arrive(answer) {
    for (let wait = 500; ; wait = Math.min(8000, wait * 2)) {
      try {
        const response = await fetch("/answer", { method: "POST", body: JSON.stringify(answer),
          headers: { "Content-Type": "application/json", "X-Form": form.dataset.form } });
        const result = await response.json();
        if (response.status < 500 && response.status !== 429) return result;
      } catch (error) { /* no connection: wait */ }
      state.textContent = words.retrying;
      await new Promise((resolve) => { setTimeout(resolve, wait); });
    }
  }

  // Of a practice item: what was right, and a button that goes on.
  function show(practice) {
    form.querySelectorAll("input").forEach((input) => { input.disabled = true; });
    for (const place of practice.places) {
      const option = boxes[place].closest(".option");
      option.classList.add("is-right");
      option.append("✓");
    }
    state.textContent = practice.right ? words.right : words.wrong;
    state.classList.toggle("warn", !practice.right);
    send.textContent = words.on;
    send.disabled = false;
    shown = true;
    send.focus();
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (preview) { location.assign(preview); return; }
    if (shown) { location.assign("/go"); return; }
    if (blocked) return;
    const answer = collect();
    if (!answer) { state.textContent = words.chooseFirst; return; }
    if (unheard()) { state.textContent = words.listenFirst; return; }
    blocked = true;
    send.disabled = true;
    state.textContent = words.saving;
    const result = await arrive(answer);
    if (result.state === "refused") {
      state.textContent = result.why;
      blocked = false;
      send.disabled = false;
      return;
    }
    if (result.practice) { show(result.practice); return; }
    state.textContent = words.saved;
    location.assign("/go");
  });
})();
