"""Tunes of one voice from ABC, MusicXML and **kern, read by music21 and kept in the cache.

No tune is part of Zhiyin. They are read where they are installed, or from the user's files.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.errors import InputError, imported
from zhiyin.files import NOT_JSON, cache_folder, read_regular, write_atomically
from zhiyin.plugins.music.notated.files import (
    FORMATS,
    events_of,
    metre_of,
    parsed,
    refuse_large,
    refuse_transposing,
)
from zhiyin.words import said

TICKS = 48
"""Parts of a quarter note."""
_READER = "3"
"""Raised whenever tunes are read otherwise."""
_PHRASED = "essenFolksong"
"""The collection whose lines are phrases."""
_MARK = "line"
_RIGHTS = re.compile(r"(?i)copyright|licen[cs]e|public domain|all rights|©|\(c\) *\d{4}")
_EXPLICIT = re.compile(r'(?:"[^"]*")?[^A-Ga-gz"]*?(\^\^|\^|__|_|=)')


class VocalTune(msgspec.Struct, frozen=True):
    """A tune as it is read.

    Attributes
    ----------
    id, title, collection, statement : str
        The file and the number in it; `X:`'s title; where the file is from; what the file says of
        its terms ("" for nothing).
    metre : tuple of int
    fifths : int
        Its key signature, sharps positive.
    upbeat, end : int
        In ticks: what comes before the first whole bar, and where the last note ends.
    notes : tuple of (int, int, str)
        Onset and length in ticks, and the pitch. Ties are joined; rests are what is between.
    lines : tuple of int
        Where the lines of the ABC after the first begin.
    phrased : bool
        Whether a line is a phrase.
    """

    id: str
    title: str
    collection: str
    statement: str
    metre: tuple[int, int]
    fifths: int
    upbeat: int
    end: int
    notes: tuple[tuple[int, int, str], ...]
    lines: tuple[int, ...]
    phrased: bool

    @property
    def bar(self) -> int:
        """Length of a bar in ticks."""
        return 4 * TICKS * self.metre[0] // self.metre[1]


class Tunes(msgspec.Struct, frozen=True):
    """The tunes of a place, and why others were left out."""

    tunes: tuple[VocalTune, ...]
    left_out: dict[str, int]


class Unfit(Exception):  # noqa: N818
    """The reason why a tune cannot be used."""


def read_tunes(path: str | None, corpus: str | None) -> Tunes:
    """The tunes of a file or folder, or of a collection that music21 brings.

    They are parsed once; afterwards they come from the cache.

    Raises
    ------
    InputError
        No such place, nothing usable in it, or music21 is not installed.
    """
    reader = _music21("abcFormat")
    version = str(_music21("_version").__version__)
    files, collection = _files(path, corpus, version)
    total = hashlib.sha256(f"{_READER}\0{version}\0{collection}".encode())
    texts = []
    for file in files:
        data = read_regular(file)
        total.update(f"{file.name}\0".encode() + data)
        texts.append(data)
    cache_path = cache_folder("tunes") / f"{total.hexdigest()[:24]}.msgpack"
    if cached := _read_cached(cache_path):
        return cached
    tunes: list[VocalTune] = []
    why: Counter[str] = Counter()
    for file, data in zip(files, texts, strict=True):
        where = f"{collection}/{file.name}" if corpus else file.name
        for read in _readings(reader, file, data, where, collection):
            try:
                tunes.append(read())
            except Unfit as error:
                why[str(error)] += 1
    tunes_read = Tunes(tuple(tunes), dict(why.most_common()))
    if not tunes:
        reasons = ", ".join(tunes_read.left_out) or "there are no tunes"
        raise InputError(said("exercises-no-tune", path=path or corpus, reasons=reasons))
    cache_path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(cache_path, msgspec.msgpack.encode(tunes_read))
    return tunes_read


def _readings(
    reader: Any, file: Path, data: bytes, where: str, collection: str
) -> Iterator[Callable[[], VocalTune]]:
    """Yield a reader for each tune of a file; the reader may raise `Unfit`."""
    if file.suffix.lower() in SCORES:
        yield partial(read_score, file, data, where, collection)
        return
    text = data.decode("utf-8", "replace")
    head = text[: text.find("X:")] if "X:" in text else ""
    for number, one in enumerate(re.split(r"(?m)^(?=X:)", text)[1:], 1):
        yield partial(_read, reader, one, f"{where}#{number}", collection, head)


def _read_cached(path: Path) -> Tunes | None:
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=Tunes)
    except (OSError, *NOT_JSON):
        return None


def _music21(module: str) -> Any:
    return imported(f"music21.{module}", "music21", "tunes")


def _files(path: str | None, corpus: str | None, version: str) -> tuple[list[Path], str]:
    if corpus is None:
        place, name = Path(str(path)), Path(str(path)).name
    else:
        base = Path(str(_music21("corpus").__file__)).parent
        place, name = base / corpus, f"music21 {version}, {corpus.split('/')[0]}"
        if not place.exists():
            place = base / f"{corpus}.abc"
        if not place.resolve().is_relative_to(base) or not place.exists():
            known = sorted({p.relative_to(base).parts[0] for p in base.rglob("*.abc")})
            raise InputError(said("exercises-corpus", corpus=corpus, known=known))
    if place.is_file():
        return [place], name
    if not place.is_dir():
        raise InputError(said("exercises-no-place", place=place))
    read = {".abc"} if corpus else set(FORMATS)
    paths = sorted(p for p in place.rglob("*") if p.suffix.lower() in read and p.is_file())
    if not paths:
        raise InputError(said("exercises-no-files", place=place, formats=FORMATS))
    return paths, name


def _read(reader: Any, text: str, name: str, collection: str, head: str) -> VocalTune:
    """One tune. Raises `Unfit` with the reason where it cannot be used."""
    body = re.sub(r'"[^"\n]*"|![^!\n]*!|~|(?<!\\)%.*', "", text)
    if re.search(r"(?m)^V:|\[[KMLV]:", body) or len(re.findall(r"(?m)^[KM]:", body)) != 2:
        raise Unfit("several voices, or changes of key or metre")
    handler = reader.ABCHandler()
    try:
        handler.process(_with_marks(body))
        tokens = list(handler.tokens)
        signature = next(t for t in tokens if t.src.startswith("K:")).getKeySignatureParameters()
    except Exception:  # music21 meets damage with whatever its parser trips over
        raise Unfit("music21 cannot read them") from None
    metre = _metre(body)
    notes, lines, bars = _walk(tokens)
    if len(notes) < 12:
        raise Unfit("under twelve notes")
    length = 4 * TICKS * metre[0] // metre[1]
    upbeat = upbeat_of(bars, lines, length)
    title = re.search(r"(?m)^T:(.*)$", text)
    rights = rights_in(head + text)
    return VocalTune(
        name, title[1].strip() if title else "", collection, rights, metre, int(signature[0]),
        upbeat, bars[-1], tuple(notes), tuple(lines), _PHRASED in collection,
    )  # fmt: skip


def rights_in(text: str) -> str:
    """Collect what a file says of its terms of use, at most 200 characters."""
    return " ".join(line.strip() for line in text.splitlines() if _RIGHTS.search(line))[:200]


def _with_marks(body: str) -> str:
    """The tune with a mark before the first note of each line of music."""
    lines, music = [], False
    for line in body.splitlines():
        is_music = bool(line.strip()) and not re.match(r"[A-Za-z]:|%", line)
        lines.append(f'"^{_MARK}"{line}' if is_music and music else line)
        if is_music:
            music = not line.rstrip().endswith("\\")
    return "\n".join(lines) + "\n"


def _metre(body: str) -> tuple[int, int]:
    match = re.search(r"(?m)^M: *(C\|?|\d+/\d+)", body)
    if match is None:
        raise Unfit("no metre")
    above, _, below = {"C": "4/4", "C|": "2/2"}.get(match[1], match[1]).partition("/")
    if int(below) not in (2, 4, 8, 16) or not 1 <= int(above) <= 24:
        raise Unfit("an unusual metre")
    return int(above), int(below)


def _walk(tokens: list[Any]) -> tuple[list[tuple[int, int, str]], list[int], list[int]]:
    """Notes, where lines begin, and where bar lines stand (the end too)."""
    notes: list[tuple[int, int, str]] = []
    lines: list[int] = []
    bars: list[int] = []
    now, tied = 0, False
    accidentals: dict[str, str] = {}
    for token in tokens:
        kind = type(token).__name__
        if kind in ("ABCGraceStart", "ABCChord"):
            raise Unfit("grace notes or chords")
        if kind == "ABCBar":
            if token.repeatForm == "second":
                break  # what follows is another ending
            if not bars or bars[-1] != now:
                bars.append(now)
            accidentals = {}
        if kind != "ABCNote":
            continue
        if token.src.startswith(f'"^{_MARK}"'):
            lines.append(now)
        length = _note_ticks(token)
        if not token.isRest:
            pitch = _pitch(token, accidentals)
            if tied and notes and notes[-1][2] == pitch:
                before = notes.pop()
                notes.append((before[0], before[1] + length, pitch))
            else:
                notes.append((now, length, pitch))
        tied = token.tie in ("start", "continue")
        now += length
    if not bars or bars[-1] != now:
        bars.append(now)
    return notes, [at for at in lines if at], [at for at in bars if at]


def _note_ticks(token: Any) -> int:
    length = Fraction(token.quarterLength).limit_denominator(TICKS)
    if token.activeTuplet is not None:
        length *= Fraction(token.activeTuplet.tupletMultiplier())
    ticks = length * TICKS
    if ticks.denominator != 1 or ticks <= 0:
        raise Unfit("values that are too fine")
    return int(ticks)


def _pitch(token: Any, accidentals: dict[str, str]) -> str:
    """The pitch of a note; an accidental holds for its letter up to the bar line."""
    name = str(token.pitchName)
    letter, octave = name[0], name.lstrip("ABCDEFG#-n")
    sign = name[1 : len(name) - len(octave)].replace("n", "").replace("-", "b")
    if _EXPLICIT.match(token.src):
        accidentals[letter] = sign
    return f"{letter}{accidentals.get(letter, sign)}{octave}"


def upbeat_of(bars: list[int], lines: list[int], length: int) -> int:
    """Length of the upbeat. Raises `Unfit` where a bar is not full.

    The end of a line may stand for a bar line, and a bar line may part a bar in two.
    """
    upbeat = bars[0] if bars[0] < length else 0
    walls = sorted({*bars, *(at for at in lines if (at - upbeat) % length == 0)})
    now = upbeat
    for at in walls:
        if at - now > length:
            raise Unfit("bars that are not full")
        if at - now == length:
            now = at
    return upbeat


def phrase_starts(tune: VocalTune, phrases: str | None) -> Iterator[int]:
    """Yield where phrases after the first begin, and where the last one ends, in ticks."""
    if phrases == "lines" or (phrases is None and tune.phrased):
        yield from tune.lines
    else:
        yield from range(4 * tune.bar, tune.end, 4 * tune.bar)
    yield tune.end


def strictly_inside(tune: VocalTune, at: int) -> bool:
    """Tell whether no note sounds across a place."""
    return not any(onset < at < onset + length for onset, length, _ in tune.notes)


SCORES = frozenset(FORMATS) - {".abc"}
"""Endings of the files that are read here."""
_FEWEST = 12


def read_score(path: Path, data: bytes, name: str, collection: str) -> VocalTune:
    """The tune of a file, up to a second ending. Raises `Unfit` where it cannot be used."""
    if not data.strip():
        raise Unfit("empty")
    try:
        refuse_large(path, data)
        return _tune(parsed(path, data)[0], name, collection, data)
    except InputError as error:
        raise Unfit(str(error).removeprefix(f"{path}: ")) from None


def _tune(score: Any, name: str, collection: str, data: bytes) -> VocalTune:
    staves = list(score.parts)
    if len(staves) != 1:
        raise Unfit(f"{len(staves)} parts: a tune has one")
    refuse_transposing(staves)
    metre = metre_of(score)
    walls = _walls(staves[0])
    notes = []
    for event in events_of(staves[0], Fraction(walls[-1], TICKS)):
        if len(event.pitches) > 1:
            raise Unfit("grace notes or chords")
        notes.append((_ticks(event.onset), _ticks(event.length), event.pitches[0]))
    if len(notes) < _FEWEST:
        raise Unfit("under twelve notes")
    upbeat = upbeat_of(walls, [], 4 * TICKS * metre[0] // metre[1])
    about = score.metadata
    rights = str(getattr(about, "copyright", None) or "")
    return VocalTune(
        name, str(getattr(about, "title", None) or ""), collection,
        rights[:200] or rights_in(data.decode("utf-8", "replace")), metre, _fifths(score),
        upbeat, walls[-1], tuple(notes), (), False,
    )  # fmt: skip


def _walls(staff: Any) -> list[int]:
    """Find where bars end, up to a second ending."""
    measures = [m for m in staff.getElementsByClass("Measure") if m.duration.quarterLength]
    second = [
        bracket.getFirst()
        for bracket in staff.recurse().getElementsByClass("RepeatBracket")
        if "2" in str(bracket.number)
    ]
    walls = []
    for measure in measures:
        if any(measure is each for each in second):
            break
        walls.append(_ticks(measure.offset + measure.duration.quarterLength))
    if not walls:
        raise Unfit("no bars")
    return walls


def _ticks(length: Any) -> int:
    ticks = Fraction(length).limit_denominator(TICKS) * TICKS
    if ticks.denominator != 1:
        raise Unfit("values that are too fine")
    return int(ticks)


def _fifths(score: Any) -> int:
    """The signature. A key that is named beside it may have another, as Dorian ones do."""
    signatures = list(score.recurse().getElementsByClass("KeySignature"))
    plain = [each for each in signatures if "Key" not in each.classes] or signatures
    sharps = {each.sharps for each in plain}
    if len(sharps) > 1:
        raise Unfit("changes of key")
    return int(next(iter(sharps), 0))
