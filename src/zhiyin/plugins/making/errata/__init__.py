"""Errata: flaws of benchmark items that a machine can prove, and figures without these items.

Rules read items made from any benchmark's trials (`items`): each by itself (`rules`), against
each other (`between`), by music theory (`solving`, `theory`) and by ear (`heard`). What they find
is a `Flaw` with a witness (`finding`), and figures are given without it (`figures`).

Items as rules see them: what is asked, made of all trials that ask it.

Tests that two questions are the same, and that a question refers to what it does not show.

Words of music theory as values, in Chinese and English: notes, intervals, keys, chords, numbers.

Whatever cannot be read for certain is None, so that nothing is proved of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.conditions import SOUND
from zhiyin.errors import InputError
from zhiyin.numerals import NUMBER_WORDS
from zhiyin.parsing import read_beside
from zhiyin.plugins.music.theory import Key, fifths_of, pitch_class
from zhiyin.text import lower_words, one_width
from zhiyin.trial import Audio, Image, Trial, right_keys


class AskedItem(msgspec.Struct, frozen=True):
    """One item of a benchmark, however often and in however many ways it is asked.

    Attributes
    ----------
    id : str
    stem : str
        The question; what is sent last where no stem is given.
    options : tuple of str
        All that are offered, in the order of their keys; a text that stands twice in one trial
        stands twice here.
    right : tuple of int
        Which of them are keyed, from 0; empty where none is, though a target is stated.
    target : str or None
        What the trial states as right.
    about : str
        The recording or picture, by its contents where it is here, else by its cluster; "" for a
        question that stands alone.
    sounds : bool
        Whether it is about something heard: a recording is sent, or its tags say what is.
    trial : Trial
        The one with the most options.
    """

    id: str
    stem: str
    options: tuple[str, ...]
    right: tuple[int, ...]
    target: str | None
    about: str
    sounds: bool
    trial: Trial

    @property
    def keyed(self) -> str:
        """The text of the keyed option, or the answer that is expected where there are none."""
        return self.options[self.right[0]] if self.right else self.target or ""

    @property
    def wrong(self) -> list[int]:
        """The options that are not keyed, from 0."""
        return [place for place in range(len(self.options)) if place not in self.right]

    @property
    def pictures(self) -> bool:
        """Tell whether a picture is sent."""
        return any(isinstance(part, Image) for m in self.trial.messages for part in m.parts)

    @property
    def sent(self) -> str:
        """All the words that are sent."""
        return "\n\n".join(message.text for message in self.trial.messages)


def items_of(trials: Iterable[Trial]) -> list[AskedItem]:
    """The items behind trials, in order of appearance.

    Parameters
    ----------
    trials : iterable of Trial
        Those without a key are left out.
    """
    together: dict[str, list[Trial]] = {}
    for trial in trials:
        if trial.target is not None:
            together.setdefault(trial.item or trial.id, []).append(trial)
    return [_item(name, several) for name, several in together.items()]


def _item(name: str, trials: list[Trial]) -> AskedItem:
    fullest = max(trials, key=lambda trial: len(trial.options))
    # In the order of the data: letters are shuffled, and equal options may share a key.
    ordered = sorted(fullest.options, key=lambda option: (option.key, option.letter))
    options = [option.text for option in ordered]
    right = [n for n, option in enumerate(ordered) if option.key in right_keys(fullest)]
    for trial in trials:  # some leave one option out in turn
        options += [o.text for o in trial.options if o.text not in options]
    media = [
        part.sha256
        for message in fullest.messages[-1:]
        for part in message.parts
        if isinstance(part, Audio | Image)
    ]
    heard = any(isinstance(part, Audio) for m in fullest.messages for part in m.parts)
    stem = fullest.stem or (fullest.messages[-1].text if fullest.messages else "")
    return AskedItem(
        id=name, stem=stem, options=tuple(options), right=tuple(right), target=fullest.target,
        about=" ".join(media) or fullest.cluster or "", sounds=heard or SOUND.name in fullest.tags,
        trial=fullest,
    )  # fmt: skip


_DROPPED = re.compile(r"[\s_。?!()\[\]“”\"《》〈〉「」:;,、]|\.(?!\d)")

FIGURE = re.compile(
    r"""图\s*\d | [上下如]图 | 图所示
      | (?:以上|以下|下面|下列|上面)(?:这段|三段)?
        (?:谱例|乐谱|合唱谱|节奏谱|旋律片段|歌曲片段|戏曲片段|旋律(?!大调|小调|类型|性|中))""",
    re.VERBOSE,
)
"""How Chinese questions speak of what they do not show; "旋律" also names scales."""
FIGURE_EN = re.compile(
    r"\b(?:figure|score|staff|stave|notation|excerpt|chord|picture|image)"
    r" (?:shown )?(?:below|above)\b"
    r"|\bshown (?:below|above)\b|\bin the (?:figure|picture|image)\b",
    re.IGNORECASE,
)
POINTING = re.compile(
    r"^[^\S\n]*+(?:所有)?(?:以上|上述)"
    r"|^[^\S\n]*+(?:都|均|皆)不?(?:是|对)[^\S\n]*+$|(?:所有)?以上(?:都|皆|均)?"
    r"|^[^\S\n]*+[A-D]\s*+[和与、]\s*+[A-D]"
    r"|\b(?:all|none|both|either|neither)\b",
    re.IGNORECASE,
)
"""How an option speaks of other options."""
COMPARING = re.compile(
    r"最|更|较|相比|同类|不同|之一不|首先|首次|先后|顺序|"
    r"\b\w{3,}est\b|\b(?:most|least|more|less|first|last|best|order|different|odd)\b",
    re.IGNORECASE,
)
"""How a question compares its options with each other, so that another set has another answer."""


def folded(text: str) -> str:
    """A question for comparison with others: without blanks, gaps and punctuation.

    Accidentals, numbers with decimals, apostrophes and signs stay, and so does the case of short
    words.
    """
    return _DROPPED.sub("", lower_words(one_width(text)))


NOTE = r"(?:重升|重降|升|降|##|bb|#|b|♯|♭)?[A-Ga-g](?:##|bb|#|b|♯|♭| ?sharp| ?flat)?(?![A-Za-z])"
"""A note as both languages write it, the sign before or after the letter."""
NUMERALS = {one: number for number, one in enumerate("一二三四五六七八九十", 1)} | {"两": 2}
ENGLISH = {word: number for number, word in enumerate(NUMBER_WORDS[1:13], 1)}
_SIZE_NAMES = "unison|second 2nd|third 3rd|fourth 4th|fifth 5th|sixth 6th|seventh 7th|octave 8th"
_ORDINALS = {
    name: number for number, names in enumerate(_SIZE_NAMES.split("|"), 1) for name in names.split()
}
_SIZES = {"倍增": 2, "增": 1, "纯": 0, "大": 0, "小": -1, "减": -1, "倍减": -2,
          "doubly augmented": 2, "augmented": 1, "perfect": 0, "major": 0, "minor": -1,
          "diminished": -1, "doubly diminished": -2}  # fmt: skip
_PERFECT = {"perfect", "纯"}
_IMPERFECT = {"major", "minor", "大", "小"}
_NATURAL = (0, 2, 4, 5, 7, 9, 11, 12)
"""Semitones of the perfect and major intervals, from the unison to the octave."""
_QUALITY = "|".join(sorted(_SIZES, key=len, reverse=True))
INTERVAL = rf"(?:{_QUALITY}) ?(?:[一二三四五六七八]度|(?:{'|'.join(_ORDINALS)})\b)"
_INTERVAL = re.compile(
    rf"({_QUALITY}) ?(?:([一二三四五六七八])度|({'|'.join(_ORDINALS)}))(?:音程)?"
)
_COUNT = re.compile(r"([一二两三四五六七八九十]{1,2}|\d{1,2})个?")
_SIGNATURE = re.compile(
    r"([一二两三四五六七]|\d|one|two|three|four|five|six|seven)个? ?(升|降|sharp|flat)(?:号|s?)"
)
_NONE = re.compile(r"无升无降|没有升降号?|无升降号?|no sharps (?:or|and) flats|none")
KEY = rf"(?:{NOTE}) ?(?:自然|和声|旋律)?(?:大调|小调|major|minor)"
_KEY = re.compile(rf"({NOTE}) ?(?:自然)?(?:(大)调?式?|(小)调?式?|(major)|(minor))")
_TRIADS = {
    (4, 7): "major", (3, 7): "minor", (3, 6): "diminished", (4, 8): "augmented",
    (4, 7, 10): "dominant7", (4, 7, 11): "major7", (3, 7, 10): "minor7", (3, 7, 11): "minor-major7",
    (3, 6, 10): "half-diminished", (3, 6, 9): "diminished7", (4, 8, 11): "augmented-major7",
    (4, 8, 10): "augmented7",
}  # fmt: skip
"""Chords by their semitones above the root."""
_QUALITIES = read_beside(__file__, "chords.toml", dict[str, dict[str, str]])
_SUFFIXES, _CHORDS = _QUALITIES["suffixes"], _QUALITIES["names"]
_SUFFIX = "|".join(map(re.escape, sorted(_SUFFIXES, key=len, reverse=True)))
_SYMBOL = re.compile(
    rf"([A-G](?:#|b|♯|♭)?) ?:?({_SUFFIX})"
    r"(?: chord)?(?:/[A-Gb#♭♯\d]+)?"
)
SEMITONES = {name: (0, *steps) for steps, name in _TRIADS.items()}
CHORD = "|".join(sorted(_CHORDS, key=len, reverse=True))


class NamedInterval(NamedTuple):
    """An interval of one octave at most: its number, 1 to 8, and its semitones."""

    number: int
    semitones: int

    @property
    def inverted(self) -> NamedInterval | None:
        """The complement to the octave; None for more than an octave, of which books differ."""
        left = 12 - self.semitones
        return None if left < 0 else NamedInterval(9 - self.number, left)


class ChordSymbol(NamedTuple):
    """A chord as a symbol names it: its root and its quality."""

    root: str
    quality: str


def interval(text: str) -> NamedInterval | None:
    """An interval such as "增四度" or "augmented fourth"; None for anything else."""
    match = _INTERVAL.fullmatch(_plain(text))
    if match is None:
        return None
    word, chinese, english = match.groups()
    number = NUMERALS[chinese] if chinese else _ORDINALS[english]
    perfect = number in (1, 4, 5, 8)
    if word in (_IMPERFECT if perfect else _PERFECT):
        return None
    size = _SIZES[word]
    if not perfect and word in ("减", "倍减", "diminished", "doubly diminished"):
        size -= 1  # below the minor one
    semitones = _NATURAL[number - 1] + size
    return NamedInterval(number, semitones) if semitones >= 0 else None


def between(low: str, high: str) -> NamedInterval:
    """The interval from one spelled note up to the next of the other name."""
    letters = "CDEFGAB"
    number = (letters.index(high[0]) - letters.index(low[0])) % 7 + 1
    fifths = fifths_of(high) - fifths_of(low)
    semitones = 7 * fifths % 12
    # The nearest to the natural interval: an augmented unison is 1, a diminished second is 0.
    natural = _NATURAL[number - 1]
    semitones += 12 * round((natural - semitones) / 12)
    return NamedInterval(number, semitones)


def note(text: str) -> str | None:
    """A note without octave as ASCII, "升C" as "C#"; None for anything else."""
    plain = _plain(text)
    plain = re.sub(r"音(?:名)?$", "", plain).strip()
    if re.fullmatch(NOTE, plain) is None:
        return None
    letters = re.search(r"[A-Ga-g](?=(?:##|bb|#|b|♯|♭| ?sharp| ?flat)?$)", plain)
    if letters is None:
        return None
    signs = plain[: letters.start()] + plain[letters.end() :]
    for sign, ascii_sign in (("重升", "##"), ("重降", "bb"), ("升", "#"), ("降", "b"), ("♯", "#"),
                             ("♭", "b"), (" ", ""), ("sharp", "#"), ("flat", "b")):  # fmt: skip
        signs = signs.replace(sign, ascii_sign)
    if signs not in ("", "#", "b", "##", "bb"):
        return None
    return letters[0].upper() + signs


def key(text: str) -> Key | None:
    """A major or natural minor key; None for anything else, and beyond seven signs."""
    match = _KEY.fullmatch(_plain(text))
    if match is None or (tonic := note(match[1])) is None:
        return None
    found = Key(tonic, "major" if match[2] or match[4] else "minor")
    return found if abs(found.fifths) <= 7 else None


def count(text: str) -> int | None:
    """A whole number, in figures or Chinese or English words, perhaps with 个."""
    plain = _plain(text).removesuffix("半音").removesuffix("个") or "-"
    plain = re.sub(r" ?(?:semitones?|half[ -]steps?)$", "", plain)
    if plain.lower() in ENGLISH:
        return ENGLISH[plain.lower()]
    if _COUNT.fullmatch(plain) is None:
        return None
    if plain.isdigit():
        return int(plain)
    if len(plain) == 2:
        if plain[0] == "十" and plain[1] != "十":
            return 10 + NUMERALS[plain[1]]
        return None
    return NUMERALS[plain]


def signature(text: str) -> int | None:
    """A key signature: sharps when positive, flats when negative."""
    plain = _plain(text)
    if _NONE.fullmatch(plain):
        return 0
    match = _SIGNATURE.fullmatch(plain)
    if match is None:
        return None
    number = count(match[1])
    return None if number is None else number if match[2] in ("升", "sharp") else -number


def chord(text: str) -> str | None:
    """The quality of a chord by its name: "大小七和弦" is "dominant7"."""
    plain = re.sub(r"(?:和弦| chord)$", "", _plain(text))
    return _CHORDS.get(plain)


def symbol(text: str) -> ChordSymbol | None:
    """A chord by its symbol ("Cm7b5", "F#:maj7/5"), or as "C minor"; None for anything else."""
    match = _SYMBOL.fullmatch(_plain(text))
    if match is None or (root := note(match[1])) is None:
        return None
    return ChordSymbol(root, _SUFFIXES[match[2] or ""])


def quality(steps: tuple[int, ...]) -> str | None:
    """The quality of a chord by its semitones, root first."""
    return _TRIADS.get(tuple((step - steps[0]) % 12 for step in steps[1:]))


def same_pitch(one: str, other: str) -> bool:
    """Tell whether two notes without octave sound alike."""
    try:
        return pitch_class(one) == pitch_class(other)
    except InputError:
        return False


def _plain(text: str) -> str:
    return " ".join(one_width(text).split()).strip(" .;。；,、")


def read_trials(
    kind: type[Benchmark[Any]], options: Mapping[str, Any]
) -> tuple[Benchmark[Any], list[Trial], bool]:
    """A benchmark with its plain trials, for what looks at their words.

    Where its recordings are not here, it is opened without sound.

    Returns
    -------
    benchmark : Benchmark
    trials : list of Trial
    unheard : bool
        Whether it is without the sound that it has.

    Raises
    ------
    InputError
        For anything else that the user can mend.
    """
    try:
        benchmark = kind.from_options(options)
        return benchmark, list(benchmark.trials()), False
    except InputError:
        if not kind.without_sound:
            raise
        flag, value = kind.without_sound.removeprefix("--").split()
        benchmark = kind.from_options({**options, flag.replace("-", "_"): value})
        return benchmark, list(benchmark.trials()), True
