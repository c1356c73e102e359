"""Rules of MMAU-Pro, by their names, on whether a reply follows an instruction on its form.

Source of names, arguments and limits: sonalkum/MMAUPro, ``evaluate_mmau_pro_comprehensive.py``,
``evaluate_aif_sample`` (lines 122-252 at commit 960e93a). There sentences are counted by NLTK's
punkt; here by their end marks, so that "Dr. Who" may count as two.

Open answers: what a judge is to reply, and what is made of it by the official rule and by ours.

Source of criteria and scale: sonalkum/MMAUPro, ``evaluate_mmau_pro_comprehensive.py``
(lines 256-354 at commit 960e93a).

Our rule and the official one side by side, and what empty replies get by each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from statistics import fmean
from typing import Any

import msgspec
import numpy as np

from zhiyin.analysis.coverage import coverage_of
from zhiyin.contract.declared import Cell, Kind, Reference, Section
from zhiyin.plugins.benchmarks.by_rules import verdict_by
from zhiyin.plugins.judges import reading
from zhiyin.plugins.judges.answers import JudgingForm
from zhiyin.record import NOT_JUDGED, Record
from zhiyin.runs.estimates import Nesting
from zhiyin.runs.rows import Rows
from zhiyin.words import Said, said

Arguments = Mapping[str, Any]
_SENTENCE_END = re.compile(r"(?<![.!?…。！？])[.!?…。！？]++[\"'”’)\]]*+(?:\s++|$)")
_WITHIN = re.compile(r"(.+) \((at least|at most|range)\)")


def follows(rule: str, text: str, arguments: Arguments, question: str) -> bool | None:
    """Tell whether a reply follows a rule; None for a rule that is not known.

    Parameters
    ----------
    rule : str
        The row's ``task_identifier``.
    text : str
        The reply.
    arguments : mapping
        The row's ``kwargs``.
    question : str
        For the rule that has it repeated.
    """
    bounded = _WITHIN.fullmatch(rule)
    if bounded and bounded[1] in _COUNTED:
        n = _COUNTED[bounded[1]](text)
        if bounded[2] == "range":
            return _number(arguments, "N1") <= n <= _number(arguments, "N2", 999)
        limit = _number(arguments, "N")
        return n >= limit if bounded[2] == "at least" else n <= limit
    if rule == "Repeat Prompt":
        return text.strip().lower().startswith(question.strip().lower())
    check = _RULES.get(rule)
    return None if check is None else check(text, arguments)


def _number(arguments: Arguments, name: str, usual: float = 0) -> float:
    """A number among the arguments; they are text in some copies of the data."""
    value = arguments.get(name)
    try:
        return usual if value is None else float(value)
    except (TypeError, ValueError):
        return usual


def _word(arguments: Arguments, name: str) -> str:
    return str(arguments.get(name) or "")


def _names(arguments: Arguments, name: str) -> list[str]:
    return _word(arguments, name).lower().split(", ")


def _sentences(text: str) -> int:
    return sum(1 for piece in _SENTENCE_END.split(text) if piece.strip())


def _letters(text: str, kept: str = "") -> str:
    """Letters of the English alphabet alone, small, and what is `kept` beside them."""
    return "".join(c for c in text.lower() if "a" <= c <= "z" or c in kept)


def _filled(pieces: list[str]) -> int:
    return sum(1 for piece in pieces if piece.strip())


_COUNTED: dict[str, Callable[[str], int]] = {
    "Number Words": lambda text: len(text.split()),
    "Number Sentences": _sentences,
    "All-capital Words": lambda text: sum(map(str.isupper, text.split())),
}
"""What is counted by the rules that have bounds."""


def _titled(text: str) -> bool:
    """Tell whether ``<<[^>]+>>`` is found, in linear time."""
    pieces = text.split(">")
    return any(
        "<<" in piece[:-1] and not after
        for piece, after, _ in zip(pieces, pieces[1:], pieces[2:], strict=False)
    )


def _bullets(text: str) -> int:
    r"""Count how often ``(?:^|\n)\s*\*\s+`` is found, in linear time."""
    count = end = 0
    for match in re.finditer(r"\*\s++", text):
        place = match.start()
        while place > end and text[place - 1].isspace():
            place -= 1
        if "\n" in text[place : match.start()] or place == 0:
            count, end = count + 1, match.end()
    return count


def _often(pattern: str, text: str) -> int:
    return len(re.findall(pattern, text))


def _keyword(text: str, arguments: Arguments) -> bool:
    whole = rf"\b{re.escape(_word(arguments, 'keyword').lower())}\b"
    return _often(whole, text.lower()) == _number(arguments, "N")


def _sections(text: str, arguments: Arguments) -> bool:
    mark = _word(arguments, "section_splitter")
    pieces = text.split(mark) if mark else list(text)
    return _filled(pieces) == _number(arguments, "N")


def _two(text: str, arguments: Arguments) -> bool:
    parts = [part.strip().lower() for part in text.split("******")]
    return len(parts) == 2 and parts[0] != parts[1]


def _quoted(text: str, arguments: Arguments) -> bool:
    bare = text.strip()
    return bare.startswith('"') and bare.endswith('"')


_RULES: dict[str, Callable[[str, Arguments], bool]] = {
    "Include Keywords": lambda t, a: all(word in t.lower() for word in _names(a, "keywords")),
    "Forbidden Words": lambda t, a: all(w not in t.lower() for w in _names(a, "forbidden_words")),
    "Keyword Frequency": _keyword,
    "Number Paragraphs": lambda t, a: _filled(t.split("***")) == _number(a, "N"),
    "Number Placeholder": lambda t, a: (
        _often(r"\[[^\]]+\]", t[: t.rfind("]") + 1]) >= _number(a, "N")
    ),
    "Number Bullets": lambda t, a: _bullets(t) == _number(a, "N"),
    "Minimum Number Highlighted Section": lambda t, a: _often(r"\*[^*]+\*", t) >= _number(a, "N"),
    "Multiple Sections": _sections,
    "Title": lambda t, a: _titled(t),
    "Postscript": lambda t, a: _letters(_word(a, "postscript_marker")) in _letters(t),
    "Two Responses": _two,
    "All Uppercase": lambda t, a: t.isupper(),
    "All Lowercase": lambda t, a: t.islower(),
    "Start Checker": lambda t, a: _letters(t, " ").startswith(
        _letters(_word(a, "start_phrase"), " ")
    ),
    "End Checker": lambda t, a: _letters(t, " ").endswith(_letters(_word(a, "end_phrase"), " ")),
    "Quotation": _quoted,
    "No Commas": lambda t, a: "," not in t,
}


def is_known(rule: str) -> bool:
    """Tell whether there is a rule of this name."""
    return follows(rule, "", {}, "-") is not None


CRITERIA = ("correctness", "relevance", "completeness", "clarity")
MOST, GOOD = 5.0, 4.0
LEAST_OFFICIAL = 1 / MOST
"""The floor of the official score: it divides by 5 and a criterion is at least 1."""


class OpenGrade(msgspec.Struct, frozen=True):
    """A judge's grade of an open answer: four criteria from 1 to 5, and a whole that it states."""

    criteria: dict[str, float]
    stated: float | None

    @property
    def mean(self) -> float:
        """Mean of the four criteria."""
        return fmean(self.criteria.values())

    @property
    def official(self) -> float:
        """Official score in [0.2, 1]: the stated one, else the mean; a stated 3 does not count."""
        stated = None if self.stated == 3.0 else self.stated
        return (self.mean if stated is None else stated) / MOST

    @property
    def scores(self) -> dict[str, float]:
        """Scores for a verdict: `open` is 0 where all criteria are at their lowest."""
        return {"official": self.official, "open": (self.mean - 1) / (MOST - 1)}


def read_grade(text: str) -> OpenGrade:
    """The grade in a judge's reply.

    Raises
    ------
    UnreadableJudgement
        A criterion is missing or none from 1 to 5. (Officially it is then 3.)
    """
    fields = reading.read_object(text, CRITERIA)
    grades = reading.read_all(
        lambda n: reading.within(reading.number(fields.get(n), MOST, n), (1, MOST), n), CRITERIA
    )
    criteria = dict(zip(CRITERIA, grades, strict=True))
    stated = reading.optional_number(fields.get("overall"), MOST)
    return OpenGrade(criteria, stated if stated is not None and stated >= 1 else None)


GRADE = JudgingForm(
    reading.record_schema(**dict.fromkeys((*CRITERIA, "overall"), reading.NUMBER)), read_grade
)


OURS = "robust"
PARTS = ("closed", "open", "instruction")


class PartCounts(msgspec.Struct):
    """The results of a part of the questions: by our rule, and officially.

    Attributes
    ----------
    ours : Answers
        Right and wrong.
    unjudged : int
        Open answers that no judge has seen.
    official, of_empty : list of float
        The official score of each reply, and of the empty ones, in [0, 1].
    unknown : int
        Replies whose official score is not known here.
    """

    ours: list[tuple[Record, float]] = []
    unjudged: int = 0
    official: list[float] = []
    of_empty: list[float] = []
    unknown: int = 0
    empty: int = 0

    def row(self, name: Said) -> list[Cell]:
        """Format the counts as a row of the table."""
        records, right = zip(*self.ours, strict=True) if self.ours else ((), ())
        interval = Nesting.of(records).mean(np.array(right))
        ours = interval.ends if interval else None
        known = self.official and not self.unknown
        return [
            name, len(self.ours), ours, fmean(self.official) if known else None,
            self.empty or None, fmean(self.of_empty) if known and self.of_empty else None,
        ]  # fmt: skip


def rule_sections(rows: Rows, published: Reference | None) -> list[Section]:
    """A row for each part and for the whole; nothing for an empty run.

    Published totals stand below where the run was asked all that is published.
    """
    asked = rows.settled.main or rows.settled
    if not asked:
        return []
    parts = count_parts(asked)
    lines = [c.row(said("mmau-pro-part", name=name)) for name, c in parts.items() if _any(c)]
    whole = published and coverage_of(rows.folder).whole("all")
    for name, groups in published.rows.items() if published and whole else ():
        if (official := groups.get("all", {}).get("official")) is not None:
            lines.append([name, None, None, official, None, None])
    columns = [said("mmau-pro-head", name=name) for name in _COLUMNS]
    notes = [*_notes(parts)]
    return [Section(said("mmau-pro-rules"), columns, lines, notes, leads=True, kinds=_KINDS)]


_KINDS: tuple[Kind, ...] = ("text", "count", "share", "share", "count", "share")
_COLUMNS = ("part", "n", "ours", "official", "empty", "of-empty")


def _any(counts: PartCounts) -> bool:
    return bool(len(counts.ours) or counts.unjudged)


def count_parts(asked: Rows) -> dict[str, PartCounts]:
    """The counts of each part, and of "all"."""
    parts = {name: PartCounts() for name in ("all", *PARTS)}
    for record in asked.records():
        trial = record.trial
        part = str(trial.tags.get("kind"))
        own = verdict_by(OURS, record) if part == "closed" else record.verdict
        empty = not record.exchange.final.text.strip()
        for counts in (parts["all"], parts[part]):
            if own.state in NOT_JUDGED:
                counts.unjudged += 1
            else:
                counts.ours.append((record, float(own.state == "correct")))
            counts.empty += empty
            if trial.tags.get("unofficial"):
                continue
            value = official_score(record, part)
            if value is None:
                counts.unknown += 1
            else:
                counts.official.append(value)
                counts.of_empty += [value] if empty else []
    return parts


def official_score(record: Record, part: str) -> float | None:
    """Score that the official script gives a reply, in [0, 1]; None where it is not known here.

    It compares the chosen text and the key letter for letter, so that no reply is right where the
    key is no choice.
    """
    if record.trial.tags.get("other_key"):
        return 0.0
    if part != "closed":
        return record.verdict.scores.get("official")
    verdict = record.verdict
    return float(verdict.state == "correct") if verdict.policy.startswith("nearest:") else None


def _notes(parts: dict[str, PartCounts]) -> Iterator[Said]:
    """Yield what a reader has to know of these figures."""
    yield said("mmau-pro-note")
    whole = parts["all"]
    if parts["closed"].unknown:
        yield said("mmau-pro-no-embedder")
    if parts["open"].unjudged:
        yield said("mmau-pro-unjudged", n=parts["open"].unjudged)
    if whole.empty:
        known = not whole.unknown and whole.of_empty
        share = fmean(whole.of_empty) if known else None
        yield said("mmau-pro-empty", n=whole.empty, share=share)
