"""Information for people before they take part, and what a researcher forgot to tell them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator
from statistics import fmean

from zhiyin.plugins.people import COUNTED
from zhiyin.plugins.studies.design import (
    StudyDesign,
    StudyItem,
    StudyTexts,
    built_in_words,
    words_of,
)
from zhiyin.words import Said, said

_HAN = re.compile(r"[\u3400-\u9fff]")
_MOSTLY = 0.3
"""A question is in Chinese where more than this share of its letters is."""
LETTERS_S, HAN_S, DECIDING_S, WRITING_S = 18.0, 4.5, 10.0, 60.0
"""Letters and Chinese characters that are read in a second, and seconds for an answer: what the
estimated duration takes for granted."""
_ABOUT_S, _VOLUME_S, _HEADPHONES_S = 60.0, 30.0, 90.0


def languages_of(items: Collection[StudyItem]) -> list[str]:
    """The languages of Zhiyin in which questions are: "zh" or "en", the more frequent first.

    Letters other than Chinese ones count as English, for no page is in another language.
    """
    found: Counter[str] = Counter()
    for item in items:
        text = "".join((item.stem, *(choice.text for choice in item.choices)))
        letters = sum(map(str.isalpha, text))
        if item.role in COUNTED and letters:
            found["zh" if len(_HAN.findall(text)) > _MOSTLY * letters else "en"] += 1
    return [name for name, _ in found.most_common()] or list(built_in_words())


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


def default_information(language: str, *, sound: bool) -> str:
    """The information that a new study has, in one language."""
    words = words_of(language)
    names = ("default_information", "default_sound" if sound else "default_no_sound")
    return "\n\n".join(words[name] for name in (*names, "default_rights"))


def default_texts(language: str, kind: str, *, sound: bool) -> StudyTexts:
    """The texts that a new study has in one language, in English where Zhiyin has no other."""
    words = words_of(language)
    return StudyTexts(
        title=words["default_title"], information=default_information(language, sound=sound),
        instructions=words[f"instructions_{kind}"], debriefing=words["default_debriefing"],
        consent=[words[f"consent_{n}"] for n in range(1, 5)],
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


def omissions(study: StudyDesign, items: Collection[StudyItem]) -> Iterator[Said]:
    """List what people would miss in the texts of a study, for its researcher."""
    nobody = [name for name in study.languages if not study.texts[name].contact.strip()]
    if nobody:
        yield said("study-no-contact", languages=", ".join(nobody))
    for name in ("title", "information"):
        left = [one for one in study.languages if _is_default(study, one, name)]
        if 0 < len(left) < len(study.languages):
            yield said("study-default-left", name=name, languages=", ".join(left))
    asked = languages_of(items)
    for language in study.languages:
        if language in built_in_words() and language not in asked:
            yield said("study-not-translated", language=language)


def _is_default(study: StudyDesign, language: str, name: str) -> bool:
    """Tell whether a text is still the one that a new study has."""
    text, words = getattr(study.texts[language], name), words_of(language)
    if name == "title":
        return bool(text == words["default_title"])
    return text in {default_information(language, sound=sound) for sound in (True, False)}
