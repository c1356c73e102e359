"""The participants' pages, as HTML. Keys, file names and other people are in none of them."""

from __future__ import annotations

import string
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.plugins.studies import media, telling
from zhiyin.plugins.studies.design import FIELDS, MEDIA, StudyItem, StudyMedium, sounds_as_shown
from zhiyin.plugins.studies.guard import STYLES, page_of, same
from zhiyin.plugins.studies.languages import words_for
from zhiyin.plugins.studies.questionnaire import read_scale
from zhiyin.plugins.studies.store import StudyStore
from zhiyin.shown.pages import linked, render
from zhiyin.words import LANGUAGES, Said


def sound_name(store: StudyStore, place: Any, file: str) -> str:
    """The name under which a person gets a file: for each person another, and not to be guessed."""
    return store.sign("medium", place.id, place.person, file)[:40]


def medium(store: StudyStore, place: Any, item: StudyItem, name: str) -> tuple[bytes, str] | None:
    """The contents and the type of a sound or picture of an item; None for no such name.

    Not as a file: when it was made tells which came first in the data.
    """
    for one in item.media:
        if same(name, sound_name(store, place, one.file)):
            path = store.folder / MEDIA / Path(one.file).name
            return path.read_bytes(), media.TYPES[path.suffix[1:]]
    return None


def tones(store: StudyStore, pseudonym: str) -> list[tuple[str, int]]:
    """The trials of a person's headphone check: the sound's name, and the place that is right."""
    kind = store.study.checks.headphones
    right = [] if kind == "none" else media.right_places(kind, store.sign("check", pseudonym))
    return [(store.sign("tone", pseudonym, n)[:32], place) for n, place in enumerate(right)]


def check_sound(store: StudyStore, pseudonym: str, name: str) -> bytes | None:
    """A sound of the checks; its name tells nothing of the right answer."""
    if same(name, "volume"):
        return media.volume_sound()
    for number, (own, place) in enumerate(tones(store, pseudonym)):
        if same(name, own):
            return media.trial_sound(store.study.checks.headphones, place, number)
    return None


_UNTRANSLATED = {"nothing": "not_translated", "some": "partly_translated"}
"""Which words tell people what of the questions is not in their language."""


class Preview(msgspec.Struct, frozen=True):
    """The bar that a researcher sees above a page that is shown for preview.

    Attributes
    ----------
    number, of : int
        Which page it is, from 1, of how many.
    here, back, onward : str
        Addresses of this page, of the one before ("" for none) and of the one behind.
    told : str
        What is known of a question: its role and its right answer.
    """

    number: int
    of: int
    here: str
    back: str
    onward: str
    told: Said | str = ""


class Pages:
    """The pages of a study, in its languages."""

    def __init__(self, store: StudyStore, preview: Preview | None = None) -> None:
        self.store, self.preview = store, preview
        self._words = words_for(store.study, store.folder)
        self.scale = read_scale(store.study, store.folder)

    def in_language(self, language: str) -> dict[str, str]:
        """All words of a language."""
        return self._words[language]

    def word(self, row: Any, name: str) -> str:
        """Words by their name, in a person's language."""
        return self._words[row.language].get(name, name)

    def start(self, language: str, known: Mapping[str, str], form: str) -> str:
        """Information and consent."""
        study = self.store.study
        items = self.store.items.values()
        information = study.texts[language].information
        filled = information.replace("{minutes}", str(telling.minutes_of(study, items)))
        done = telling.translated(study, language, items)
        other = telling.untranslated(study, language, items) and _UNTRANSLATED[done]
        return self._render("start", language, known=known, form=form,
                            version=self.store.texts_stamp,
                            information=filled, other=other)  # fmt: skip

    def link(self, language: str, address: str) -> str:
        """The personal link, after the consent; a script writes its whole address."""
        return self._render("link", language, address=address)

    def fault(self, language: str, words: str) -> str:
        """Render the page that says what went wrong."""
        message = self._words[language].get(words, "") if words != "error_title" else ""
        return self._render("fault", language, message=message)

    def end(self, language: str, outcome: str, form: str = "") -> str:
        """One of the ends, with its code and the way back."""
        end = self.store.study.end
        codes = {"complete": end.complete, "screened_out": end.screened_out,
                 "full": end.screened_out, "closed": end.screened_out,
                 "no_consent": end.no_consent}  # fmt: skip
        code = codes.get(outcome, "")
        address = end.address.replace("{code}", code) if code else ""
        return self._render("end", language, outcome=outcome, code=code, back=address, form=form)

    def withdraw(self, row: Any, form: str) -> str:
        """The page that asks whether to withdraw."""
        return self._render("withdraw", row.language, form=form)

    def step(self, row: Any, form: str) -> str:
        """A step before the questions."""
        facts: dict[str, Any] = {"form": form, "tries": row.checks.get("tries", 0)}
        if row.step == "about":
            facts |= {"fields": {n: FIELDS[n] for n in self.store.study.fields}}
            facts |= {"scale": self.scale}
        elif row.step == "headphones":
            facts["kind"] = self.store.study.checks.headphones
            facts["tones"] = [name for name, _ in tones(self.store, row.pseudonym)]
        elif row.step == "comprehension":
            facts["questions"] = self.store.study.checks.comprehension
            heard = any(item.sounds for item in self.store.items.values())
            words = self._words[row.language]
            facts["to_hear"] = telling.listening_words(self.store.study, words) if heard else ""
        return self._render(row.step, row.language, **facts)

    def question(self, row: Any, place: Any, done: int, form: str) -> str:
        """A question, with everything in the order that was drawn for the person."""
        item = self.store.items[place.item]
        language = row.language
        checks = sum(one.role == "attention" for one in self.store.items.values())
        sounds = [
            {"name": sound_name(self.store, place, medium.file), "index": number,
             "reference": medium.slot.startswith("=")}
            for number, medium in enumerate(sounds_as_shown(item, place.order))
        ]  # fmt: skip
        graded = len(item.scales) if item.form == "slots" else 0
        return self._render(
            "question", language, form=form, item=self._shown(item, place.order, language),
            place=place.id, practice=item.role == "practice", number=min(done + 1, row.planned
            + checks), total=row.planned + checks, sounds=sounds[graded:], slots=sounds[:graded],
            pictures=[sound_name(self.store, place, m.file) for m in item.media
                      if m.kind == "picture"],
            tunes=self._tunes(place, item), examples=self._examples(place, item, language),
            listening=self.store.study.listening, begins=done == 0 and item.role != "practice"
            and bool(self.store.of_role["practice"]),
            to_hear=telling.listening_words(self.store.study, self._words[language])
            if sounds else "", idle_ms=round(self.store.study.idle_s * 1000), listens=len(sounds),
            played=telling.is_played([item]),
        )  # fmt: skip

    def _shown(self, item: StudyItem, order: list[str], language: str) -> dict[str, Any]:
        """Return the parts of an item that a page shows: words in the order shown, and no key."""
        w = self._words[language]
        own = partial(telling.in_language, self.store.study.texts[language])
        choices = {one.key: one.texts.get(language, own(one.text)) for one in item.choices}
        quoted = {one.key: one.text for one in item.quoted}
        stem, texts = item.stems.get(language, own(item.stem)), list(quoted.values())
        if item.role == "attention":
            choices = {key: w[f"word_{key}"] for key in choices}
            stem = w["attention"].replace("{word}", choices[item.expected[0]])
        elif item.form == "many" and self.store.study.kind == "exam" and not item.stems:
            stem = f"{stem}\n\n{w['several']}"
        labels = [choices[key] for key in order if key in choices]
        if item.form == "pair":
            labels = [w[name] for name in ("left_better", "right_better", "both_same")]
            texts = [quoted[key] for key in order]
        shown = [s for key in order for s in item.scales if s.key == key]
        scales = shown if item.form == "slots" else item.scales
        return {
            "form": item.form, "instruction": own(item.instruction), "choices": labels,
            "stem": stem, "texts": texts, "letters": string.ascii_uppercase,
            "scales": [{"text": w.get(f"aspect_{s.key}", s.key) if item.form == "grades" else "",
                        "low": s.low, "high": s.high} for s in scales],
        }  # fmt: skip

    def _examples(self, place: Any, item: StudyItem, language: str) -> list[dict[str, Any]]:
        """Worked examples, each with its sounds and its notation."""
        own = partial(telling.in_language, self.store.study.texts[language])
        names: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for medium in item.media:
            name = sound_name(self.store, place, medium.file)
            names[medium.kind, medium.label].append(name)
        return [
            {
                "question": own(one.question),
                "answer": own(one.answer),
                "sounds": names["example", str(number)],
                "tunes": names["example_tune", str(number)],
            }
            for number, one in enumerate(item.examples, 1)
        ]

    def _tunes(self, place: Any, item: StudyItem) -> list[dict[str, str]]:
        """Engravings, each with its notes as sound where they could be played.

        They stand in the order of the options as shown: that of the data would tell the letters.
        """
        own = [m for m in item.media if m.kind == "tune" and not _is_option(item, m)]
        tunes = [
            {
                "label": _label(item, place.order, medium, own),
                "name": sound_name(self.store, place, medium.file),
                "sound": self._tune_sound(place, item, medium),
            }
            for medium in item.media
            if medium.kind == "tune"
        ]
        return sorted(tunes, key=lambda t: int(t["label"]) if t["label"].isdecimal() else 0)

    def _tune_sound(self, place: Any, item: StudyItem, tune: StudyMedium) -> str:
        for medium in item.media:
            if medium.kind == "tune_sound" and medium.label == tune.label:
                return sound_name(self.store, place, medium.file)
        return ""

    def _render(self, name: str, language: str, **facts: Any) -> str:
        study = self.store.study
        # A language of the researcher's own has the words of pages, and no messages of ours.
        told_in = language if language in LANGUAGES else "en"
        return render(
            page_of(name), told_in, look=linked(*STYLES, "/static/study.js"),
            w=self._words[language], languages=self._words, texts=study.texts[language],
            study=study, page=name, language=language, html_language=language,
            preview=self.preview, **facts,
        )  # fmt: skip


def _is_option(item: StudyItem, tune: StudyMedium) -> bool:
    """Tell whether a tune is an option of the question, and not what is asked about."""
    return any(option.letter == tune.label for option in item.trial.options)


def _label(item: StudyItem, order: list[str], tune: StudyMedium, own: Sequence[StudyMedium]) -> str:
    """The number under which a person sees the option that a tune belongs to.

    The question's own tunes have identifiers for models ("clip1"): people get their place, and
    none where there is but one.
    """
    if tune in own:
        return str(own.index(tune) + 1) if len(own) > 1 else ""
    if item.form not in ("one", "many") or item.quoted:
        return tune.label
    keys = {option.letter: option.key for option in item.trial.options}
    key = keys.get(tune.label)
    return str(order.index(key) + 1) if key in order else tune.label
