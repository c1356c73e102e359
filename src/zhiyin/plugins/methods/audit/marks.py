"""The marks of an audit, beside the run: RUN/audit.jsonl, draws and marks, only ever added to.

Files of marked replies say how near a reading policy comes to what a careful person takes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from zhiyin.errors import InputError, reworded
from zhiyin.files import NOT_JSON, cut_torn, json_lines, read_regular
from zhiyin.numerals import now
from zhiyin.reader import Policy
from zhiyin.trial import Option
from zhiyin.words import said

AUDIT = "audit.jsonl"
NONE, UNSURE = "none", "unsure"
PERSON = "person"
"""Who marks where no name is given."""
JUDGE = "judge:"
"""How the name of a model that marks begins."""


class DrawnReply(msgspec.Struct, frozen=True, array_like=True):
    """A reply of a draw: its trial, its stratum, the hash of the reply's text."""

    id: str
    stratum: str
    reply: str


class Draw(msgspec.Struct, frozen=True, tag="draw", tag_field="kind"):
    """A stratified draw.

    Attributes
    ----------
    seed, n : int
        As they were asked for.
    allocation : str
        "neyman" or "proportional".
    sizes : dict of str to int
        Replies in each stratum of the run.
    probabilities : dict of str to float
        With which each of them was drawn.
    replies : tuple of DrawnReply
        In the order in which they are shown.
    at : str
    """

    seed: int
    n: int
    allocation: str
    sizes: dict[str, int]
    probabilities: dict[str, float]
    replies: tuple[DrawnReply, ...]
    at: str = ""


class Mark(msgspec.Struct, frozen=True, tag="mark", tag_field="kind"):
    """A person's or judge's reading of a reply.

    Attributes
    ----------
    id, reply : str
        Trial, and hash of the reply's text: a mark is never taken for one of another reply.
    mark : str
        A letter, "none" for no answer, or "unsure".
    by : str
        Who marked: a name, or "judge:" and a model's.
    blind : bool
        Whether the reader's verdict was out of sight.
    at : str
    """

    id: str
    reply: str
    mark: str
    by: str = PERSON
    blind: bool = True
    at: str = ""


Line = Draw | Mark


class Book:
    """The draws and marks of a run.

    Parameters
    ----------
    folder : Path
        Of the run.

    Attributes
    ----------
    draw : Draw or None
        The one in force: the last.
    marks : dict
        By who marked, trial and reply: the last mark.

    Raises
    ------
    InputError
        A line that is neither, by its number.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / AUDIT
        self.draw: Draw | None = None
        self.marks: dict[tuple[str, str, str], Mark] = {}
        for line in read_lines(self.path) if self.path.is_file() else ():
            self._take(line)

    def _take(self, line: Line) -> None:
        if isinstance(line, Draw):
            self.draw = line
        else:
            self.marks[line.by, line.id, line.reply] = line

    def add(self, lines: Iterable[Line]) -> None:
        """Write some lines; they are on the disk when this returns."""
        stamped = [msgspec.structs.replace(line, at=line.at or now()) for line in lines]
        if not stamped:
            return
        data = json_lines(stamped)
        with (
            reworded(said("error-not-written", path=self.path, why="")),
            self.path.open("ab") as file,
        ):
            cut_torn(self.path)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        for line in stamped:
            self._take(line)

    def marked_by(self, by: str) -> dict[str, Mark]:
        """The marks of one who marks on the draw in force, by trial."""
        drawn = self.draw.replies if self.draw else ()
        marks = {one.id: self.marks.get((by, one.id, one.reply)) for one in drawn}
        return {name: mark for name, mark in marks.items() if mark is not None}

    @property
    def markers(self) -> list[str]:
        """Markers of replies of the draw in force: who is done first, people before judges."""
        counts: dict[str, int] = {}
        drawn = {(one.id, one.reply) for one in self.draw.replies} if self.draw else set()
        for by, name, reply in self.marks:
            if (name, reply) in drawn:
                counts[by] = counts.get(by, 0) + 1
        return sorted(
            counts, key=lambda by: (counts[by] < len(drawn), by.startswith(JUDGE), -counts[by], by)
        )


def read_lines(path: Path) -> list[Line]:
    """Every whole line of a file of marks. A torn end is left out.

    Raises
    ------
    InputError
        A file that cannot be read, or a line that is no draw and no mark.
    """
    decoder = msgspec.json.Decoder(Line)
    with reworded(f"{path}: "):
        data = read_regular(path)
    lines: list[Line] = []
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        with reworded(f"{path}:{number}: no draw and no mark (", ")", of=NOT_JSON):
            lines.append(decoder.decode(line))
    return lines


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BY = ("set", "kind", "lang")
"""What replies are grouped by."""
Outcome = Literal["right", "miss", "false guess", "wrong"]
EXAMPLE = '{"text": "It is B.", "options": ["Piano", "Violin"], "expect": "B"}'


class Marked(msgspec.Struct, frozen=True):
    """One reply with its mark.

    Attributes
    ----------
    text : str
        The whole reply.
    options : tuple of Option
    expect : str or None
        The letter of the answer; None where the reply holds none.
    groups : dict of str to str
        Of `BY`, those that are given.
    cluster : str or None
        What hangs together, such as replies from one template.
    where : str
        File and line.
    """

    text: str
    options: tuple[Option, ...]
    expect: str | None
    groups: dict[str, str]
    cluster: str | None
    where: str


class Misread(msgspec.Struct, frozen=True):
    """A reply that a policy reads otherwise than it is marked."""

    where: str
    outcome: Outcome
    policy: str
    expect: str | None
    letter: str | None
    why: str
    text: str


def read_marked(paths: Iterable[Path]) -> list[Marked]:
    """All marked replies in some files of JSON lines.

    A line has ``text``, ``options`` (a list of texts, shown as A, B, ...) and ``expect`` (a
    letter, or null); ``set``, ``kind``, ``lang`` and ``cluster`` where there is something to say.

    Raises
    ------
    InputError
        A file that cannot be read or is empty, or a line that is none of these, by its number.
    """
    replies = [marked for path in paths for marked in _read_file(path)]
    if not replies:
        raise InputError(said("marks-none", example=EXAMPLE))
    return replies


def _read_file(path: Path) -> Iterator[Marked]:
    with reworded(said("error-give-marks", path=path, why="")):
        lines = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _marked(line, f"{path}:{number}")


def _marked(line: bytes, where: str) -> Marked:
    with reworded(f"{where}: not JSON (", f"); a line is such as {EXAMPLE}", of=NOT_JSON):
        fields = msgspec.json.decode(line)
    if not isinstance(fields, dict) or not isinstance(fields.get("text"), str):
        raise InputError(said("marks-text", where=where, example=EXAMPLE))
    texts, expect = fields.get("options"), fields.get("expect")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InputError(said("marks-options", where=where, example=EXAMPLE))
    if not 1 <= len(texts) <= len(LETTERS):
        raise InputError(said("audit-options", where=where, texts=len(texts), most=len(LETTERS)))
    letters = LETTERS[: len(texts)]
    if "expect" not in fields:
        raise InputError(said("marks-expect", where=where))
    if expect is not None and not (isinstance(expect, str) and len(expect) == 1):
        raise InputError(said("marks-one", where=where, expect=repr(expect)))
    if expect is not None and expect not in letters:
        raise InputError(
            said("marks-other", where=where, expect=repr(expect), letters=", ".join(letters))
        )
    groups = {name: str(fields[name]) for name in BY if fields.get(name) not in (None, "")}
    cluster = fields.get("cluster")
    options = tuple(Option(c, text, c) for c, text in zip(letters, texts, strict=True))
    return Marked(
        fields["text"], options, expect, groups, None if cluster is None else str(cluster), where
    )


def outcome_of(expect: str | None, letter: str | None) -> Outcome:
    """Classify a reading, given the mark."""
    if letter == expect:
        return "right"
    if letter is None:
        return "miss"
    return "false guess" if expect is None else "wrong"


class PolicyFigures(msgspec.Struct, frozen=True):
    """Agreement of a policy with some marks.

    Attributes
    ----------
    n, right, misses, false_guesses, wrong : int
        Replies, and how many were read so.
    right_share : float
        Of all, in [0, 1].
    right_ci95 : tuple of float or None
        Wilson's interval, as all of them; where replies share a cluster, with the effective number
        of replies. None where there is no such reply.
    with_answer, without_answer : int
        How many replies hold an answer, and none.
    misses_ci95, wrong_ci95 : tuple of float or None
        Of those with an answer.
    false_guesses_ci95 : tuple of float or None
        Of those without.
    """

    n: int
    right: int
    misses: int
    false_guesses: int
    wrong: int
    right_share: float
    right_ci95: tuple[float, float] | None
    with_answer: int
    without_answer: int
    misses_ci95: tuple[float, float] | None
    wrong_ci95: tuple[float, float] | None
    false_guesses_ci95: tuple[float, float] | None


class PolicyDisagreement(msgspec.Struct, frozen=True):
    """Number of replies on which only one of two policies is right.

    `p` is that of McNemar's test; None where replies hang together.
    """

    only_first: int
    only_second: int
    p: float | None


class PolicyScore(msgspec.Struct):
    """Score of a policy on some marked replies."""

    outcomes: list[Outcome]
    marked: list[Marked]

    def count(self, outcome: Outcome) -> int:
        """Count the replies with an outcome."""
        return self.outcomes.count(outcome)

    def figures(self) -> PolicyFigures:
        """Counts and shares, each share with its 95 % interval."""
        holds = [one.expect is not None for one in self.marked]
        every = [True] * len(holds)
        without = [not has_answer for has_answer in holds]
        n = len(self.outcomes)
        right = self.count("right")
        return PolicyFigures(
            n=n,
            right=right,
            misses=self.count("miss"),
            false_guesses=self.count("false guess"),
            wrong=self.count("wrong"),
            right_share=right / n,
            right_ci95=self._interval("right", every),
            with_answer=sum(holds),
            without_answer=sum(without),
            misses_ci95=self._interval("miss", holds),
            wrong_ci95=self._interval("wrong", holds),
            false_guesses_ci95=self._interval("false guess", without),
        )

    def _interval(self, outcome: Outcome, within: list[bool]) -> tuple[float, float] | None:
        from zhiyin.statistics.intervals import interval

        chosen = [place for place, inside in enumerate(within) if inside]
        if not chosen:
            return None
        ends = interval(
            [float(self.outcomes[place] == outcome) for place in chosen],
            [self.marked[place].cluster for place in chosen],
            method="wilson",
        )
        return ends.low, ends.high

    def part(self, places: Sequence[int]) -> PolicyScore:
        """The score of some of the replies."""
        return PolicyScore([self.outcomes[p] for p in places], [self.marked[p] for p in places])


def score(policy: Policy, marked: list[Marked]) -> tuple[PolicyScore, list[Misread]]:
    """Read every reply by a policy and compare its answers with the marks."""
    outcomes: list[Outcome] = []
    errors = []
    for one in marked:
        reading = policy.extract(one.text, one.options)
        outcome = outcome_of(one.expect, reading.letter)
        outcomes.append(outcome)
        if outcome != "right":
            errors.append(
                Misread(
                    one.where,
                    outcome,
                    policy.label,
                    one.expect,
                    reading.letter,
                    reading.why,
                    one.text,
                )
            )
    return PolicyScore(outcomes, marked), errors


def groups_of(marked: Sequence[Marked]) -> Iterator[tuple[str, str, list[int]]]:
    """Yield each of `BY` that splits the replies: its name, a value, and the places with it."""
    for name in BY:
        places: dict[str, list[int]] = {}
        for place, one in enumerate(marked):
            if name in one.groups:
                places.setdefault(one.groups[name], []).append(place)
        if len(places) > 1 or any(len(own) < len(marked) for own in places.values()):
            for value in sorted(places):
                yield name, value, places[value]


def disagreement(one: PolicyScore, other: PolicyScore) -> PolicyDisagreement:
    """Count the replies on which only one of two policies is right, with McNemar's test."""
    from zhiyin.statistics.paired import mcnemar_exact

    pairs = list(zip(one.outcomes, other.outcomes, strict=True))
    only_first = sum(a == "right" != b for a, b in pairs)
    only_second = sum(b == "right" != a for a, b in pairs)
    clustered = any(marked.cluster is not None for marked in one.marked)
    p = None if clustered else mcnemar_exact(only_first, only_second).p
    return PolicyDisagreement(only_first, only_second, p)
