"""Information for people before they take part, and what a researcher forgot to tell them."""

from __future__ import annotations

import math
import re
import textwrap
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from zhiyin.errors import did_you_mean, nearest
from zhiyin.plugins.people import COUNTED
from zhiyin.plugins.studies import languages
from zhiyin.plugins.studies.design import CHECKING, TO, StudyDesign, StudyItem, StudyTexts
from zhiyin.plugins.studies.settings import idle
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.plugins.studies.store import StudyStore

_HAN = re.compile(r"[\u3400-\u9fff]")
_GERMAN, _ENGLISH = (
    re.compile(rf"\b({words})\b", re.IGNORECASE)
    for words in (
        "der|die|das|den|dem|ein|eine|einen|ist|sind|und|oder|nicht|welch\\w+|wie|hat|von|im|zu",
        "the|a|an|is|are|and|or|not|which|what|how|has|have|does|of|in|to",
    )
)
"""Short words that are frequent in a language."""
_MOSTLY = 0.3
"""A question is in Chinese where more than this share of its letters is."""
LETTERS_S, HAN_S, DECIDING_S, WRITING_S = 18.0, 4.5, 10.0, 60.0
"""Letters and Chinese characters that are read in a second, and seconds for an answer: what the
estimated duration takes for granted."""
_MOST_LINES, _MOST_NAMED = 200, 5
_ABOUT_S, _VOLUME_S, _HEADPHONES_S = 60.0, 30.0, 90.0


def languages_of(items: Collection[StudyItem]) -> list[str]:
    """The languages of Zhiyin in which questions are: "zh", "de" or "en", the most frequent first.

    Letters that are neither Chinese nor in a text with German words count as English.
    """
    found: Counter[str] = Counter()
    for item in items:
        text = "".join((item.stem, *(f" {choice.text}" for choice in item.choices)))
        letters = sum(map(str.isalpha, text))
        if item.role in COUNTED and letters:
            german, english = (len(one.findall(text)) for one in (_GERMAN, _ENGLISH))
            other = "de" if german > english else "en"
            found["zh" if len(_HAN.findall(text)) > _MOSTLY * letters else other] += 1
    return [name for name, _ in found.most_common()] or list(languages.built_in_words())


def lines_of(items: Iterable[StudyItem], language: str = "") -> list[str]:
    """The lines of questions, options, instructions and worked examples, each once.

    Of a `language`: without those that the study has in it by itself.
    """
    texts = (
        text
        for item in items if item.role != "attention"
        for text in (item.instruction, *([] if language in item.stems else [item.stem]),
                     *(one.text for one in item.choices if language not in one.texts),
                     *(part for one in item.examples for part in (one.question, one.answer)))
    )  # fmt: skip
    lines = (line.strip() for text in texts for line in text.splitlines())
    return [*dict.fromkeys(line for line in lines if any(map(str.isalpha, line)))]


def translations(texts: StudyTexts) -> dict[str, str]:
    """Lines of questions that are translated, by what stands in the question."""
    pairs = (one.partition(TO) for one in texts.questions)
    return {line.strip(): own.strip() for line, _, own in pairs if own.strip()}


def in_language(texts: StudyTexts, text: str) -> str:
    """A text of a question with the lines in its place that are translated."""
    told = translations(texts)
    return "\n".join(told.get(line.strip(), line) for line in text.splitlines())


def untranslated(study: StudyDesign, language: str, items: Collection[StudyItem]) -> list[str]:
    """Lines of questions that are in another language of Zhiyin than a page."""
    if language not in languages.built_in_words() or language in languages_of(items):
        return []
    return _left(study, language, items)


def _left(study: StudyDesign, language: str, items: Collection[StudyItem]) -> list[str]:
    """Lines of questions that have no translation."""
    told = translations(study.texts[language])
    return [line for line in lines_of(items, language) if line not in told]


def translated(study: StudyDesign, language: str, items: Collection[StudyItem]) -> str:
    """How much of the questions is translated for a reader of a language: all, some or nothing.

    "own": questions are in that language, or in one that is not known.
    """
    left = _left(study, language, items)
    if language in languages_of(items):
        return "own"
    if left == lines_of(items):
        return "nothing" if language in languages.built_in_words() else "own"
    return "some" if left else "all"


def minutes_of(study: StudyDesign, items: Collection[StudyItem]) -> int:
    """Minutes that a person needs: sounds as often as they must be heard, reading, answering.

    What stands before questions (instructions, worked examples with their sounds) is read and heard
    once. Up to ten in whole minutes, then in steps of five, always rounded up.
    """
    counted = [_seconds(study, item) for item in items if item.role in COUNTED]
    others = [_seconds(study, item) for item in items if item.role not in COUNTED]
    wanted = min(len(counted), study.per_person or len(counted))
    whole = wanted * fmean(counted) + sum(others)
    before = {one.instruction for one in items} | {
        f"{example.question}{example.answer}" for one in items for example in one.examples
    }
    played = {m.file: m.seconds for one in items for m in one.media if m.kind == "example"}
    whole += sum(map(_reading, before)) + sum(played.values())
    whole += _ABOUT_S * bool(study.fields or study.scale_file)
    whole += _VOLUME_S * study.checks.volume + _HEADPHONES_S * (study.checks.headphones != "none")
    minutes = math.ceil(whole / 60)
    return minutes if minutes <= 10 else 5 * math.ceil(minutes / 5)


def _seconds(study: StudyDesign, item: StudyItem) -> float:
    """Estimate the seconds that one question takes; a tune that can be played is played once."""
    read = "".join((item.stem, *(one.text for one in (*item.choices, *item.quoted))))
    heard = max(1, study.listening.least) * sum(sound.seconds for sound in item.sounds)
    heard += sum(one.seconds for one in item.media if one.kind == "tune_sound")
    answered = WRITING_S if item.form == "text" else DECIDING_S * max(1, len(item.scales))
    return heard + _reading(read) + answered


def _reading(text: str) -> float:
    """Estimate the seconds that it takes to read a text."""
    han = len(_HAN.findall(text))
    return han / HAN_S + (len(text) - han) / LETTERS_S


def default_information(words: languages.Words, *, sound: bool) -> str:
    """The information that a new study has, in the language of these words."""
    names = ("default_information", "default_sound" if sound else "default_no_sound")
    return "\n\n".join(words[name] for name in (*names, "default_rights"))


def is_played(items: Collection[StudyItem]) -> bool:
    """Tell whether people hear anything."""
    kinds = {one.kind for item in items for one in item.media}
    return not kinds.isdisjoint({"sound", "tune_sound", "example"})


def default_texts(
    language: str, words: languages.Words, kind: str, items: Collection[StudyItem]
) -> StudyTexts:
    """The texts that a new study has in a language; in English where it has no words for them.

    Lines of questions in another language are to be translated, where they are few enough; those
    of the language's file of words are.
    """
    english = languages.words_of("en")
    words = english | words
    own = {english[name]: words[name] for name in english
           if name.startswith(languages.ASKED) and words[name] != english[name]}  # fmt: skip
    lines = [] if language in languages_of(items) else lines_of(items)
    forms = {item.form for item in items}
    beside = any(item.reference for item in items)
    task = "pair" if "pair" in forms else kind
    task = ("slots" if beside else "sounds") if "slots" in forms else task
    return StudyTexts(
        title=words["default_title"],
        information=default_information(words, sound=is_played(items)),
        instructions=words[f"instructions_{task}"], debriefing=words["default_debriefing"],
        # of grades beside a reference the ends of ITU-R BS.1534-3's scale
        pole_low=words["pole_bad"] if beside else "",
        pole_high=words["pole_excellent"] if beside else "",
        consent=[words[f"consent_{n}"] for n in range(1, 5)],
        questions=[f"{line}{TO}{own.get(line, '')}".strip() for line in lines]
        if len(lines) <= _MOST_LINES else [],
    )  # fmt: skip


def listening_words(study: StudyDesign, words: dict[str, str]) -> str:
    """Say how often a sound must be heard and may be; "" where it need not be."""
    least, most = study.listening.least, study.listening.most
    told = []
    if least:
        told = [words["listen_once" if least == 1 else "listen_times"].replace("{n}", str(least))]
    if most is not None:
        told.append(words["listen_most"].replace("{n}", str(most)))
    return " ".join(told)


def omissions(store: StudyStore) -> Iterator[Said]:
    """List what people would miss in the texts of a study, for its researcher."""
    study, items, folder = store.study, store.items.values(), store.folder
    words = {language: languages.read_language(language, folder) for language in study.languages}
    for rule in idle(study, items):  # of a study that was begun with an earlier version
        yield said("study-idle", path=rule.place, why=rule.why)
    for role, name in CHECKING.items():
        if (n := len(store.of_role[role])) and getattr(study.exclude, name) is None:
            yield said("study-unused", n=n, role=role, rule=name, begun=bool(store.begun))
    if nobody := [name for name in study.languages if not study.texts[name].contact.strip()]:
        yield said("study-no-contact", languages=", ".join(nobody))
    for name in ("title", "information"):
        left = [one for one in words if _is_default(study.texts[one], words[one], name)]
        if 0 < len(left) < len(study.languages):
            yield said("study-default-left", name=name, languages=", ".join(left))
    yield from language_faults(study, items, folder)


def language_faults(
    study: StudyDesign, items: Collection[StudyItem], folder: Path
) -> Iterator[Said]:
    """Say what of pages and questions is not in the languages of a study."""
    for language in study.languages:
        named = languages.read_language(language, folder)["language_itself"]
        if lines := untranslated(study, language, items):
            facts = {"n": len(lines), "lines": _quoted(lines)}
            yield said("study-not-translated", language=named, **facts)
        asked = lines_of(items)
        for line in translations(study.texts[language]):
            if line not in asked:
                near = did_you_mean(line, asked) if nearest(line, asked) else None
                yield said("study-no-line", language=named, line=line, hint=near)
        if path := languages.file_of_words(language, folder):
            for fault in languages.faults_of_words(languages.read_words(path), language):
                yield said("study-words-fault", file=path.name, fault=fault)


def _quoted(lines: Sequence[str]) -> list[str]:
    """The first lines in quotation marks, long ones cut."""
    named = [f"“{textwrap.shorten(line, 60, placeholder=' …')}”" for line in lines[:_MOST_NAMED]]
    return [*named, *(["…"] if len(lines) > _MOST_NAMED else [])]


def _is_default(texts: StudyTexts, words: languages.Words, name: str) -> bool:
    """Tell whether a text is still the one that a new study has."""
    if name == "title":
        return texts.title == words["default_title"]
    return texts.information in {default_information(words, sound=one) for one in (True, False)}
