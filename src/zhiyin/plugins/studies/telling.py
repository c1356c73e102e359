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
        "the|an|is|are|and|or|not|which|what|how|has|have|does|of|in|to",
    )
)
"""Short words that are frequent in a language; no single letter, which may be a note."""
_WORD = re.compile(rf"{_HAN.pattern}|(?<![^\W\d_])(?![a-gxz]+\b)[^\W\d_]{{3,}}", re.IGNORECASE)
"""What stands in no tune or chord alone."""
_ASIDE = re.compile(r"[(（][^()（）]*[)）]")
"""A name or term once more, which may be in another language than what is asked of it."""
LETTERS_S, HAN_S, DECIDING_S, WRITING_S = 18.0, 4.5, 10.0, 60.0
"""Letters and Chinese characters that are read in a second, and seconds for an answer: what the
estimated duration takes for granted."""
_MOST_LINES, _MOST_NAMED = 200, 5
_ABOUT_S, _VOLUME_S, _HEADPHONES_S = 60.0, 30.0, 90.0


def languages_of(items: Collection[StudyItem]) -> list[str]:
    """The languages of Zhiyin in which questions are, the most frequent first."""
    asked = (_language_of(item) for item in items if item.role != "attention")
    found = Counter(filter(None, asked))
    return [name for name, _ in found.most_common()] or list(languages.built_in_words())


def _language_of(item: StudyItem) -> str:
    """Tell whether an item asks in "zh", "de" or "en", whatever its options; "" without words.

    Chinese has more characters than twice the short words of another language: names, titles and
    tunes in Latin letters do not make it English, nor a Chinese term an English question Chinese.
    """
    options = " ".join(choice.text for choice in item.choices)
    text = next((text for text in (item.stem, options, item.instruction) if _WORD.search(text)), "")
    asked = _ASIDE.sub("", text)
    han, german, english = (len(one.findall(asked)) for one in (_HAN, _GERMAN, _ENGLISH))
    if han > 2 * max(german, english):
        return "zh"
    return text and ("de" if german > english else "en")


def lines_of(items: Iterable[StudyItem], language: str = "") -> list[str]:
    """The lines of questions, options, instructions and worked examples, each once.

    Of a `language`: without questions that are in it, and what the study has in it by itself.
    """
    texts = (
        text
        for item in items if item.role != "attention" and _language_of(item) not in ("", language)
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
    return _left(study, language, items) if language in languages.built_in_words() else []


def _left(study: StudyDesign, language: str, items: Collection[StudyItem]) -> list[str]:
    """Lines of questions that have no translation."""
    told = translations(study.texts[language])
    return [line for line in lines_of(items, language) if line not in told]


def translated(study: StudyDesign, language: str, items: Collection[StudyItem]) -> str:
    """How much of the questions a reader has in a language: all by translation, some or nothing.

    "own": questions are in that language, or in one that is not known.
    """
    left = _left(study, language, items)
    if not lines_of(items, language):
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
    lines, forms = lines_of(items, language), {item.form for item in items}
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
