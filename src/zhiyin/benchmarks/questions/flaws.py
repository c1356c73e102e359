"""Flaws of a file of questions, row by row and as a whole.

Kinds of flaw
-------------
no-question, bad-options, bad-answer, bad-scorer, no-scorer, bad-sound, bad-picture, bad-group,
bad-example, repeated-id, broken-row
    Nothing can be asked: a run refuses such a file.
unreadable-sound, silent-sound, cancelling-sound
    A recording that cannot be decoded, or holds nothing that can be heard, or nothing in mono.
unreadable-picture, blank-picture
    A picture that cannot be decoded or is too large, or shows one colour alone.
repeated-sound, repeated-picture
    A recording or a picture is the same, to the byte, as one under another name.
sound-names-answer, picture-names-answer
    The name of the file holds the right answer. No model is shown it; people are.
spreadsheet-dates
    Options are dates as a spreadsheet makes them of metres and fractions ("3/4" is 4-Mar).
repeated-option
    Two options of a question are the same.
repeated-question, conflicting-answers
    The same question, options and recordings stand earlier; with another answer.
near-repeat
    Nearly so, with the same right answer. Questions that differ in a number (in figures, Roman
    numerals or words), a letter on its own, the name of a note, or major and minor are others;
    their wrong answers may differ in anything.
example-in-test
    A worked example is asked as a question too.
order-bound
    An option points at others, so that ``--shuffle`` leaves the order as it is.
longest-is-right, answerable-blind, uneven-keys
    Of the file as a whole: the longest option, the one that shares most letters with the
    question, or one place is right more often than chance allows (p below 0.05, by Holm over
    the three tests).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from zhiyin.benchmarks.questions.cells import letters
from zhiyin.benchmarks.questions.items import OwnQuestion
from zhiyin.benchmarks.questions.trials import MediaShelf, is_order_bound
from zhiyin.contract import CheckResult, Flaw
from zhiyin.contract.question_table import Fault, MediaFile, personal_columns
from zhiyin.errors import InputError, adding
from zhiyin.files import read_regular
from zhiyin.models.baselines import longest_options, overlapping_options
from zhiyin.numerals import p_words
from zhiyin.picture import is_blank
from zhiyin.sound import blocks, decoder, read_sound
from zhiyin.statistics.distributions import upper_tail
from zhiyin.text import equal_places, fold
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from zhiyin.benchmarks.questions.benchmark import Questions

SILENT = 1e-4
"""Peak below which a recording is called silent, full scale being 1 (-80 dB)."""

_CANCELS = 10**-1.5
"""Peak of the mix by that of the channels below which they are called opposite (-30 dB)."""

_WORDS = (
    "one two three four five six seven eight nine ten half quarter major minor "
    "first second third fourth fifth sixth seventh eighth ninth tenth sixteenth"
)
_VALUE = re.compile(
    r"\d+|第[一二三四五六七八九十]+|[二三四五六七八九十]+|[大小]调|(?<!\S)[^\W_](?!\S)"
    r"|(?<![A-Za-z])(?:[A-G][#b♯♭]{0,2}|[IVX]{1,4}|[ivx]{1,4})(?![A-Za-z])"
    rf"|\b(?:{_WORDS.replace(' ', '|')})\b"
)
"""What makes a question another one: see near-repeat above. 一 alone is mostly an article."""
LIKE = 0.9
"""Likeness by edits from which on two questions nearly repeat each other."""
ALPHA = 0.05
FEWEST_TESTED = 10
"""Questions below which nothing is tested of the file as a whole."""


def check_file(benchmark: Questions) -> CheckResult:
    """Every flaw of a file. Raises `InputError` where it cannot be read as a whole."""
    faults: list[Fault] = []
    questions = benchmark.read(faults)
    file, unit = benchmark.table.path.name, benchmark.table.unit

    def at(line: int, detail: Text) -> Said:
        return said("flaw-at", unit=unit, line=str(line), detail=detail)

    def flaw(kind: str, question: OwnQuestion, detail: Text) -> Flaw:
        return Flaw(kind, file, question.id, at(question.line, detail))

    flaws = [Flaw(f.kind, file, f.id, at(f.line, f.problem)) for f in faults]

    shelf = MediaShelf()
    flaws += _file_flaws(questions, shelf, flaw)
    for question in questions:
        flaws += _own_flaws(question, flaw)
    flaws += _repeats(questions, flaw)
    near, note = _near_repeats(questions, flaw)
    flaws += near
    tests = tests_of([q for q in questions if q.kind == "choice" and not q.example])
    flaws += [Flaw(t.kind, file, "", t.summary) for t in tests if t.adjusted < ALPHA]
    kinds = Counter("example" if q.example else q.kind for q in questions)
    notes = [said("questions-of-kind", n=str(n), kind=kind) for kind, n in kinds.items()]
    if columns := benchmark.columns.in_words():
        notes.append(said("questions-columns", columns=columns))
    if benchmark.columns.others:
        notes.append(said("questions-facts", columns=benchmark.columns.others))
    if personal := personal_columns(question.facts for question in questions):
        notes.append(said("questions-personal", columns=personal))
    notes += [said("questions-adjusted", test=t.summary, p=f"{t.adjusted:.3g}") for t in tests]
    if not tests and kinds["choice"]:
        notes.append(said("questions-few", n=FEWEST_TESTED))
    notes += [note] if note else []
    asked = len(questions) - kinds["example"]
    return CheckResult(asked, flaws, notes, faults, unit)


Note = Callable[[str, OwnQuestion, Text], Flaw]


def _file_flaws(questions: Sequence[OwnQuestion], shelf: MediaShelf, flaw: Note) -> Iterator[Flaw]:
    """Yield the flaws of recordings and pictures, each where it stands first."""
    first: dict[str, MediaFile] = {}
    looked: set[str] = set()
    for question in questions:
        files = [("sound", place) for place in question.sounds]
        files += [("picture", place) for place in question.pictures]
        for kind, place in files:
            if answer := _named(place, question):
                detail = said("questions-names-answer", file=repr(place.name), answer=repr(answer))
                yield flaw(f"{kind}-names-answer", question, detail)
            if str(place.path) in looked:
                continue
            looked.add(str(place.path))
            try:
                fault = _unheard(place, shelf) if kind == "sound" else _unseen(place, shelf)
            except InputError as error:
                yield flaw(f"unreadable-{kind}", question, str(error))
                continue
            if fault:
                detail = said("questions-empty", file=repr(place.name), kind=fault)
                yield flaw(fault, question, detail)
            medium = shelf.audio(place) if kind == "sound" else shelf.image(place)
            twin = first.setdefault(medium.sha256, place)
            if twin is not place:
                detail = said("questions-again", file=repr(place.name), twin=repr(twin.name))
                yield flaw(f"repeated-{kind}", question, detail)


def _unheard(place: MediaFile, shelf: MediaShelf) -> str:
    """The flaw of a recording that is silent, or is so in mono; "" for none."""
    shelf.audio(place)
    mono = float(np.abs(read_sound(place.path).samples).max())
    with decoder(read_regular(place.path)) as source:
        loudest = max((float(np.abs(block).max()) for block in blocks(source)), default=0.0)
    if loudest < SILENT:
        return "silent-sound"
    return "cancelling-sound" if cancels(mono, loudest) else ""


def _unseen(place: MediaFile, shelf: MediaShelf) -> str:
    shelf.image(place)
    return "blank-picture" if is_blank(place.path) else ""


def _named(place: MediaFile, question: OwnQuestion) -> str:
    """The right answer that a file's name holds as whole words; "" for none."""
    words = _words(place.name.rpartition(".")[0] or place.name)
    right = [question.options[ord(key) - 65] for key in question.keys] or question.accept
    return next((answer for answer in right if (w := _words(answer)) != "  " and w in words), "")


def _words(text: str) -> str:
    """The words of a text between single spaces, to look for others in."""
    return (
        f" {' '.join(''.join(c if c.isalnum() or c == '#' else ' ' for c in fold(text)).split())} "
    )


def _own_flaws(question: OwnQuestion, flaw: Note) -> Iterator[Flaw]:
    if alike := [letters(26)[place] for place in equal_places(question.options)]:
        keyed = bool(set(alike) & set(question.keys))
        detail = said("questions-same-options", options=", ".join(alike), keyed=keyed)
        yield flaw("repeated-option", question, detail)
    if dates := _dates(question.options or question.accept):
        yield flaw("spreadsheet-dates", question, said("questions-dates", dates=dates))
    if is_order_bound(question):
        yield flaw("order-bound", question, said("questions-points"))


_MONTH = (
    r"(?:jan|f[eé]b|mar|m[aä]rz|mrz|mrt|a[pvb]r|ma[yigj]|mei|jun|giu|jul|lug|aug|ago|ao[uû]|sep|set"
    r"|o[ck]t|ott|out|nov|de[cz]|dic|ene|gen|fev)[a-zûé]{0,2}\.?"
)
_UNDATED = re.compile(rf"\d{{1,2}}-{_MONTH}|{_MONTH}-\d{{1,2}}|0\d\. ?{_MONTH}", re.IGNORECASE)
_DATED = re.compile(
    r"(?:(?P<y>\d{4})[-/年. ]+)?(?P<m>\d{1,2})(?:[-/. ]|月|월 ?)(?P<d>\d{1,2})"
    r"(?:日|일|[/.](?P<z>\d{4}))?(?: 00:00:00)?"
)
_DAYS = range(31048, 55154)
"""Excel's numbers of the days of 1985 to 2050."""
_DIVIDES = frozenset((1, 2, 4, 8, 16))


def _dates(texts: Sequence[str]) -> str:
    """Join those of some answers that are dates as a spreadsheet makes them of fractions.

    With a year, or as the number of a day, all are of one year: that in which they were typed.
    """
    named = [text for text in texts if _UNDATED.fullmatch(text)]
    if named:
        return ", ".join(named)
    days: dict[str, tuple[int, int, int]] = {}
    for text in texts:
        if match := _DATED.fullmatch(text):
            year = int(match["y"] or match["z"] or 0)
            if year or text[-1] in "日일":
                days[text] = year, int(match["m"]), int(match["d"])
        elif text.isdecimal() and int(text) in _DAYS:
            day = date(1899, 12, 30) + timedelta(int(text))
            days[text] = day.year, day.month, day.day
    typed = {year for year, _, _ in days.values()}
    alike = len(days) > 1 and len(typed) == 1 and not typed & set(range(1, 1985))
    fit = alike and all(_DIVIDES & {month, day} for _, month, day in days.values())
    return ", ".join(days) if fit else ""


def _right(question: OwnQuestion) -> tuple[str, ...]:
    """The right answer of a question as texts, for comparison."""
    texts = [question.options[ord(key) - 65] for key in question.keys] or question.accept
    return tuple(sorted(map(fold, texts)))


def _given(question: OwnQuestion) -> tuple[str, ...]:
    return tuple(str(place.path) for place in (*question.sounds, *question.pictures))


def _repeats(questions: Sequence[OwnQuestion], flaw: Note) -> Iterator[Flaw]:
    first: dict[tuple[object, ...], OwnQuestion] = {}
    for question in sorted(questions, key=lambda q: not q.example):
        twin = first.setdefault(question.asked, question)
        if twin is question:
            continue
        line = str(twin.line)
        if twin.example and not question.example:
            detail = said("questions-is-example", id=twin.id, line=line)
            yield flaw("example-in-test", question, detail)
        elif _right(twin) != _right(question):
            detail = said("questions-conflict", id=twin.id, line=line)
            yield flaw("conflicting-answers", question, detail)
        else:
            detail = said("questions-repeats", id=twin.id, line=line, near=False)
            yield flaw("repeated-question", question, detail)


def _near_repeats(questions: Sequence[OwnQuestion], flaw: Note) -> tuple[list[Flaw], Said | None]:
    """Questions that nearly repeat an earlier one; and a note where they were not looked for."""
    try:
        from rapidfuzz.distance import Levenshtein
    except ImportError:
        return [], said("questions-no-near", add=adding("questions"))
    groups: dict[tuple[object, ...], list[tuple[str, OwnQuestion]]] = {}
    flaws: list[Flaw] = []
    for question in questions:
        text = " ".join([fold(question.text), *sorted(map(fold, question.options))])
        values = tuple(_VALUE.findall(question.text))
        group = groups.setdefault((_given(question), _right(question), values), [])
        twins = (
            other
            for other_text, other in group
            if other_text != text
            and Levenshtein.normalized_similarity(text, other_text, score_cutoff=LIKE) >= LIKE
        )
        if (twin := next(twins, None)) is not None:
            detail = said("questions-repeats", id=twin.id, line=str(twin.line), near=True)
            flaws.append(flaw("near-repeat", question, detail))
        group.append((text, question))
    return flaws, None


class KeyTest(msgspec.Struct, frozen=True):
    """A test of a file as a whole: the flaw, the result, and p adjusted for the others."""

    kind: str
    summary: Said
    adjusted: float


def tests_of(questions: Sequence[OwnQuestion]) -> list[KeyTest]:
    """Test whether length, likeness to the question or place gives the right options away.

    Each test counts how often a rule is right and asks how likely as many are by chance, where a
    question with k options is met with probability 1/k (the Poisson binomial distribution, one
    side). Questions in which the rule has no single choice are left out.

    Parameters
    ----------
    questions : sequence of OwnQuestion
        With one right option each.
    """
    from zhiyin.statistics.paired import holm

    if len(questions) < FEWEST_TESTED:
        return []
    results: list[tuple[str, Said, float]] = []
    for kind, rule in (
        ("longest-is-right", longest_options),
        ("answerable-blind", overlapping_options),
    ):
        decided = [
            (letters(len(q.options))[best[0]] in q.keys, 1 / len(q.options))
            for q in questions
            if len(best := rule(q.text, q.options)) == 1
        ]
        if decided:
            hits, able = sum(hit for hit, _ in decided), [share for _, share in decided]
            p = upper_tail(able, hits)
            results.append((kind, _tested(kind, hits, able, p), p))
    places = Counter(question.keys[0] for question in questions)
    letter, hits = min(places.items(), key=lambda pair: (-pair[1], pair[0]))
    able = [1 / len(q.options) for q in questions if ord(letter) - 65 < len(q.options)]
    most = max(len(question.options) for question in questions)
    p = min(1.0, most * upper_tail(able, hits))  # the fullest of several places was looked for
    results.append(("uneven-keys", _tested(letter, hits, able, p), p))
    adjusted = holm([p for _, _, p in results])
    return [
        KeyTest(kind, summary, float(a))
        for (kind, summary, _), a in zip(results, adjusted, strict=True)
    ]


def _tested(rule: str, hits: int, shares: Sequence[float], p: float) -> Said:
    """Say how often a rule, or one letter, is right, and how often by chance."""
    counts, chance = {"hits": str(hits), "n": str(len(shares))}, f"{sum(shares):.1f}"
    return said("questions-test", rule=rule, chance=chance, p=p_words(p), **counts)


def cancels(mono: float, peak: float) -> bool:
    """Tell whether channels heard in stereo are gone in mono, by the peaks of both."""
    return peak >= SILENT and mono < _CANCELS * peak
