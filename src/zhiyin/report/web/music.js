"use strict";
// What is heard and seen of a trial: players with their waveform, engravings, piano rolls.
Zhiyin.music = (() => {
  const { el, svg, clock, name, t } = Zhiyin;
  const NOTES = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"];
  const pitchName = (pitch) => `${NOTES[((pitch % 12) + 12) % 12]}${Math.floor(pitch / 12) - 1}`;
  const PLAY = "M4 2l10 6l-10 6z", PAUSE = "M3 2h3.5v12H3zM9.5 2H13v12H9.5z";
  let playing = null;

  function player(sound, part, label) {
    if (!sound) return el("p", { class: "note" }, t("no-recording"));
    const start = part.start || 0;
    const end = part.end || sound.seconds;
    const audio = el("audio", { preload: "none", src: sound.url });
    const icon = svg("path", { d: PLAY });
    const button = el("button", { class: "play", "aria-label": `${t("play")} ${label}` },
      svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, icon));
    const time = el("span", { class: "time" }, `0:00 / ${clock(end - start)}`);
    const progress = svg("rect", { x: 0, y: 0, width: 0, height: 48 });
    const slider = el("input", { type: "range", min: 0, max: 1000, value: 0, class: "seek",
      "aria-label": t("position", { what: label }), oninput: () => {
        const to = start + (slider.value / 1000) * (end - start);
        if (audio.readyState) audio.currentTime = to;
        else { audio.addEventListener("loadedmetadata", () => { audio.currentTime = to; }, { once: true }); audio.load(); }
      } });
    const peaks = sound.peaks.slice(Math.floor((start / sound.seconds) * sound.peaks.length),
      Math.max(1, Math.ceil((end / sound.seconds) * sound.peaks.length)));
    const d = outline(peaks);
    const clip = `clip-${Math.random().toString(36).slice(2)}`;
    const wave = svg("svg", { class: "wave", viewBox: `0 0 ${peaks.length} 48`,
      preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("clipPath", { id: clip }, progress),
      svg("path", { class: "outline", d }), svg("path", { class: "played", d, "clip-path": `url(#${clip})` }));
    function update() {
      const at = Math.max(0, audio.currentTime - start);
      const share = Math.min(1, at / (end - start || 1));
      slider.value = Math.round(1000 * share);
      slider.setAttribute("aria-valuetext", t("seconds-of", { at: Math.round(at), all: Math.round(end - start) }));
      progress.setAttribute("width", share * peaks.length);
      time.textContent = `${clock(at)} / ${clock(end - start)}`;
      if (audio.currentTime >= end) audio.pause();
    }
    audio.addEventListener("timeupdate", update);
    audio.addEventListener("play", () => {
      if (playing && playing !== audio) playing.pause();
      playing = audio;
      icon.setAttribute("d", PAUSE);
      button.setAttribute("aria-label", `${t("pause")} ${label}`);
    });
    audio.addEventListener("pause", () => {
      icon.setAttribute("d", PLAY);
      button.setAttribute("aria-label", `${t("play")} ${label}`);
    });
    audio.addEventListener("error", () => { time.textContent = t("not-playable"); });
    button.addEventListener("click", () => {
      if (!audio.paused) return audio.pause();
      if (audio.currentTime < start || audio.currentTime >= end - 0.05) audio.currentTime = start;
      return audio.play().catch(() => { time.textContent = t("not-playable"); });
    });
    return el("figure", { class: "player" }, button, el("div", { class: "track" }, wave, slider), time, audio,
      el("figcaption", null, label));
  }

  function outline(peaks) {
    const upper = peaks.map((p, i) => `${i + 0.5} ${(24 - 0.23 * p - 0.4).toFixed(1)}`);
    const lower = peaks.map((p, i) => `${i + 0.5} ${(24 + 0.23 * p + 0.4).toFixed(1)}`).reverse();
    return `M${upper.join("L")}L${lower.join("L")}Z`;
  }

  function engraving(url, label, id) {
    return el("figure", { class: "score" },
      el("figcaption", null, label, " ", sounding(id, label)), el("img", { src: url, alt: t("engraving", { what: label }), loading: "lazy",
        onclick: zoom, title: t("zoom") }));
  }

  // A picture as large as the window: a click or Escape goes back.
  function zoom(event) {
    const from = event.currentTarget;
    const dialog = el("dialog", { class: "zoom", "aria-label": from.alt, onclick: () => dialog.close(),
      onclose: () => { dialog.remove(); from.focus?.(); } }, el("img", { src: from.src, alt: from.alt }));
    document.body.append(dialog);
    dialog.showModal();
  }

  // The notes of an engraving, played by the browser's own oscillators: a tune to check by ear.
  let context = null, ending = null;
  async function notesOf(id) {
    if (!Zhiyin.live) return ((await Zhiyin.load("played"))[id] || "");
    const match = /data-notes="([^"]*)"/.exec(await (await fetch(`notation/${id}.svg`)).text());
    return match ? match[1] : "";
  }

  function sounding(id, label) {
    const button = el("button", { class: "quiet sounding", onclick: async () => {
      if (ending) { const stop = ending; ending = null; stop(); if (button.dataset.on) return; }
      const notes = (await notesOf(id)).split(";").filter(Boolean).map((note) => note.split(",").map(Number));
      if (!notes.length) { button.textContent = "–"; button.disabled = true; return; }
      if (playing) playing.pause();
      context ||= new AudioContext();
      await context.resume();
      play(button, notes, label);
    } }, `▶ ${t("play")}`);
    button.setAttribute("aria-label", `${t("play")}: ${label}`);
    return button;
  }

  function play(button, notes, label) {
    const out = context.createGain(), from = context.currentTime + 0.06;
    out.gain.value = 0.22 / Math.sqrt(Math.max(1, ...notes.map(([at]) => notes.filter(([other]) => other === at).length)));
    out.connect(context.destination);
    let last = null, end = 0;
    for (const [at, length, pitch] of notes) {
      const tone = context.createOscillator(), gain = context.createGain();
      const begin = from + at / 1000, stop = begin + Math.max(0.06, length / 1000);
      tone.type = "triangle";
      tone.frequency.value = 440 * 2 ** ((pitch - 69) / 12);
      gain.gain.setValueAtTime(0, begin);
      gain.gain.linearRampToValueAtTime(1, begin + 0.012);
      gain.gain.exponentialRampToValueAtTime(0.25, stop);
      gain.gain.linearRampToValueAtTime(0, stop + 0.05);
      tone.connect(gain).connect(out);
      tone.start(begin);
      tone.stop(stop + 0.06);
      if (stop >= end) { end = stop; last = tone; }
    }
    button.dataset.on = "yes";
    button.textContent = `■ ${t("pause")}`;
    const over = () => {
      out.disconnect();
      delete button.dataset.on;
      button.textContent = `▶ ${t("play")}`;
      if (ending === over) ending = null;
    };
    ending = over;
    last.onended = over;
    button.setAttribute("aria-label", `${t("play")}: ${label}`);
  }

  // What sounded against what was written down. A note is right, missed or too many.
  function compare(truth, heard) {
    const left = [...(heard || [])];
    const right = [], missed = [];
    for (const note of truth) {
      const at = left.indexOf(note);
      if (at < 0) missed.push(note);
      else { right.push(note); left.splice(at, 1); }
    }
    return { right, missed, extra: left };
  }

  const bar = (x, y, width, height, kind, title) =>
    svg("rect", { class: `note-bar ${kind}`, x, y, width, height, rx: 2 }, svg("title", null, title));

  function rhythm(truth, heard) {
    const wide = 18, sets = compare([...new Set(truth || [])], [...new Set(heard || [])]);
    const rows = heard === null ? [["truth", truth]] : truth ? [["truth", truth], ["heard", heard]] : [["heard", heard]];
    const drawing = svg("svg", { class: "roll", viewBox: `0 0 ${60 + 32 * wide} ${rows.length * 26 + 22}` });
    for (let slot = 0; slot <= 32; slot++) {
      drawing.append(svg("line", { class: slot % 8 ? "grid" : "bar-line", x1: 60 + slot * wide,
        x2: 60 + slot * wide, y1: 4, y2: rows.length * 26 + 4 }));
      if (slot % 8 === 0 && slot < 32) {
        drawing.append(svg("text", { x: 63 + slot * wide, y: rows.length * 26 + 17 }, t("bar", { n: slot / 8 + 1 })));
      }
    }
    rows.forEach(([word, slots], line) => {
      drawing.append(svg("text", { x: 0, y: 20 + 26 * line }, word));
      for (const slot of new Set(slots || [])) {
        const kind = word === "truth" ? (heard && sets.missed.includes(slot) ? "missed" : "true")
          : truth && sets.extra.includes(slot) ? "extra" : "right";
        drawing.append(bar(62 + (slot - 1) * wide, 6 + 26 * line, wide - 4, 20, kind, `slot ${slot}, ${kind}`));
      }
    });
    return drawing;
  }

  // `expected`: the pitches that these would have, were nothing changed.
  function pitches(truth, heard, inOrder, expected) {
    const all = [...(truth || []), ...(heard || []), ...(expected || [])];
    const low = Math.min(...all) - 2, high = Math.max(...all) + 2;
    const length = inOrder ? Math.max((truth || []).length, (heard || []).length) : heard === null ? 1 : 2;
    const wide = inOrder ? 36 : 90, tall = 9;
    const y = (pitch) => (high - pitch) * tall;
    const drawing = svg("svg", { class: "roll",
      viewBox: `0 0 ${50 + length * wide} ${(high - low + 1) * tall + (inOrder ? 4 : 18)}` });
    for (let pitch = low; pitch <= high; pitch++) {
      const black = [1, 3, 6, 8, 10].includes(pitch % 12);
      drawing.append(svg("rect", { class: black ? "lane black" : "lane", x: 50, y: y(pitch),
        width: length * wide, height: tall }));
      const crowded = all.includes(pitch - 1) || all.includes(pitch + 1);
      if (all.includes(pitch) || (pitch % 12 === 0 && !crowded)) {
        drawing.append(svg("text", { x: 44, y: y(pitch) + 8, "text-anchor": "end" }, pitchName(pitch)));
      }
    }
    const sets = compare(truth || [], heard || []);
    const draw = (pitch, column, kind) => drawing.append(
      bar(50 + column * wide + 2, y(pitch) + 1, wide - 4, tall - 2, kind, `${pitchName(pitch)} (${pitch}), ${kind}`));
    (truth || []).forEach((pitch, i) => draw(pitch, inOrder ? i : 0, expected && expected[i] !== pitch ? "changed" :
      heard && (inOrder ? heard[i] !== pitch : sets.missed.includes(pitch)) ? "missed" : "true"));
    (heard || []).forEach((pitch, i) => draw(pitch, inOrder ? i : 1,
      truth && (inOrder ? truth[i] !== pitch : sets.extra.includes(pitch)) ? "extra" : "right"));
    (expected || []).forEach((pitch, i) => { if (truth[i] !== pitch) draw(pitch, i, "ghost"); });
    if (!inOrder) {
      for (const [word, column] of heard === null ? [] : [["truth", 0], ["heard", 1]]) {
        drawing.append(svg("text", { x: 54 + column * wide, y: (high - low + 1) * tall + 13 }, t(word)));
      }
    }
    return drawing;
  }

  // What sounds, where nobody wrote anything down: of two melodies, what differs between them, whatever their keys.
  function sounds(kind, truth) {
    const rows = (truth || []).filter((row) => row.length);
    if (!rows.length) return null;
    const two = kind === "melody" && rows.length === 2 && rows[0].length === rows[1].length;
    const apart = two ? rows[1].map((pitch, i) => pitch - rows[0][i]) : [];
    const often = (shift) => apart.filter((one) => one === shift).length;
    const shift = apart.reduce((best, one) => (often(one) > often(best) ? one : best), apart[0]);
    const expected = two ? rows[0].map((pitch) => pitch + shift) : null;
    const changed = two ? apart.filter((one) => one !== shift).length : 0;
    return el("figure", { class: "rolls" }, el("figcaption", null, t("what-sounds")), rows.map((row, i) => {
      const drawing = kind === "rhythm" ? rhythm(row, null) : pitches(row, null, kind !== "chord", i ? expected : null);
      drawing.setAttribute("role", "img");
      drawing.setAttribute("aria-label", kind === "rhythm" ? t("notes-at", { list: row.join(" ") }) : row.map(pitchName).join(" "));
      return drawing;
    }), two ? el("p", { class: "note" }, t("second-apart", { shift: `${shift > 0 ? "+" : shift < 0 ? "\u2212" : ""}${Math.abs(shift)}`, n: changed })) : null);
  }

  function roll(kind, truth, heard, who) {
    const rows = Math.max((truth || []).length, (heard || []).length);
    const figures = [];
    for (let i = 0; i < rows; i++) {
      const real = truth && truth[i], written = heard && heard[i];
      if (!(real && real.length) && !(written && written.length)) continue;
      const drawing = kind === "rhythm" ? rhythm(real, written) : pitches(real, written, kind !== "chord");
      drawing.setAttribute("role", "img");
      drawing.setAttribute("aria-label", summary(real, written));
      figures.push(drawing, el("p", { class: "note" }, summary(real, written)));
    }
    if (!figures.length) return null;
    return el("figure", { class: "rolls" }, el("figcaption", null, t("sounds-and-written", { who })),
      figures, truth && heard ? el("p", { class: "legend keys" },
        ["right", "missed", "extra"].map((word) => el("span", null,
          svg("svg", { width: 22, height: 12, class: "roll", "aria-hidden": "true" },
            svg("rect", { class: `note-bar ${word}`, x: 1, y: 1, width: 20, height: 10, rx: 2 })), " ", t(word)))) : null);
  }

  function summary(real, written) {
    if (!written) return t("sounds-only", { n: real.length });
    if (!real) return t("written-only", { n: written.length });
    const { right, missed, extra } = compare(real, written);
    return t("written-of",
      { n: right.length, all: real.length, missed: missed.length, extra: extra.length });
  }

  return { player, engraving, roll, sounds, zoom };
})();
