"""The embedded judge: grades by word lists and rules, so that everything runs without a key.

It counts what a review names, and understands nothing. Its grades are not comparable with those
of a language model; how far they agree with graded examples is measured here and printed with
every report.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import msgspec

from zhiyin.errors import FatalError, ModelError
from zhiyin.models.capabilities import Capabilities
from zhiyin.plugins.judges import aspects, rubric
from zhiyin.plugins.judges.aspects import Dossier, SongDetails, open_dossier
from zhiyin.plugins.judges.language import Lexicon
from zhiyin.plugins.judges.lexical.facts import (
    around,
    check_facts,
    clauses,
    hit,
    hits,
    lists,
    patterns,
    sentences,
    within,
)
from zhiyin.plugins.judges.reading import Fields, bare
from zhiyin.plugins.judges.rubric import NovelStatement
from zhiyin.plugins.judges.rules import rules_of
from zhiyin.plugins.local.embedders import Encoder, open_embedder
from zhiyin.record import Reply, Sampling
from zhiyin.text import quoted
from zhiyin.trial import Message, Trial
from zhiyin.words import naming, said

if TYPE_CHECKING:
    from zhiyin.plugins.methods.calibration import Correlation

NOT_COMPARABLE = said("judged-lexical")
_MUSICAL = ("melody", "rhythm", "arrangement", "form", "voice", "technique", "context")
"""The points whose words make a statement one about music."""
_KNOWN_AT = 0.75
"""Cosine similarity from which a statement repeats a detail."""


def open_lexical(embedder: str = "", setting: object = None) -> LexicalJudge:
    """The embedded judge of ``lexical`` and ``lexical:EMBEDDER``.

    Parameters
    ----------
    embedder : str
        A model of sentence-transformers, to judge novelty by meaning; "" for none.

    Raises
    ------
    InputError
        sentence-transformers is wanted and not installed.
    """
    if not embedder:
        return LexicalJudge()
    return LexicalJudge(f"lexical:{embedder}", open_embedder(embedder))


class LexicalJudge:
    """A judge by rule: the same text always gets the same grade.

    Parameters
    ----------
    name : str
        Its spec.
    encode : callable, optional
        Sentence embeddings; without them a statement is new unless it states a checked fact.
    """

    capabilities = Capabilities(sound=False, image=False)
    concurrency = 1
    instant = True

    def __init__(self, name: str = "lexical", encode: Encoder | None = None) -> None:
        self.name = name
        self._encode = encode

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, trial: Trial
    ) -> Reply:
        """The grade of the text in the trial's dossier, as JSON.

        Raises
        ------
        FatalError
            The trial is not one of `zhiyin judge`.
        ModelError
            It asks for the name of a failure.
        """
        try:
            dossier = open_dossier(trial.stem)
        except msgspec.MsgspecError:
            raise FatalError(
                said("lexical-only", name=self.name, nameb=quoted(self.name))
            ) from None
        return Reply(msgspec.json.encode(self.judge(dossier)).decode())

    def judge(self, dossier: Dossier) -> Fields:
        """The grade of one text, in the form that judges are asked for.

        Raises
        ------
        ModelError
            The aspect is one that rules cannot judge.
        """
        if dossier.aspect == "completeness":
            return completeness(dossier)
        if dossier.aspect == "precision":
            facts = (dossier.text, dossier.details, dossier.heard, dossier.language)
            return {"claims": check_facts(*facts)}
        if dossier.aspect == "novelty":
            return self._novelty(dossier)
        raise ModelError(f"the lexical judge cannot judge {dossier.aspect}")

    def describe(self) -> dict[str, object]:
        """The judge as it is described in a run's manifest."""
        return {"kind": "lexical judge", "embeddings": self._encode is not None}

    def report(self) -> list[str]:
        """Return what must stand beside its grades."""
        return [naming(NOT_COMPARABLE)]

    async def close(self) -> None:
        """Do nothing: no resource is held open."""

    def _novelty(self, dossier: Dossier) -> Fields:
        """New statements: clauses of a known category that state no checked fact."""
        text, details, tables = dossier.text, dossier.details, lists(dossier.language)
        facts = check_facts(text, details, language=dossier.language)
        stated = {bare(c.quote) for c in facts if c.verdict == "supported"}
        new = clauses(text)
        repeated = {c for c in set(new) if bare(c) in stated} if stated else set()
        new = [c for c in new if c not in repeated]
        new = self._unlike_details(new, details)
        musical = patterns(dossier.language, "musical")
        statements = [statement for statement in _statements(new, tables, musical) if statement]
        related = sum(bool(s.music_related) for s in statements)
        weights = {"surface": 1.0, "analytical": 2.0, "insightful": 3.0}
        depth = [weights[s.depth] for s in statements if s.music_related]
        scores = {
            "novelty_score": float(min(4, len(statements))),
            "music_relevance_score": 3.0 * related / len(statements) if statements else 0.0,
            "insight_depth_score": sum(depth) / len(depth) if depth else 0.0,
        }
        return {"statements": statements, **scores, "total": sum(scores.values())}

    def _unlike_details(self, texts: list[str], details: SongDetails) -> list[str]:
        """The texts whose meaning is in no detail; all of them without embeddings."""
        known = [str(value) for value in details.values() if bare(str(value))]
        if self._encode is None or not texts or not known:
            return texts
        import numpy as np

        alike = np.asarray(self._encode(texts)) @ np.asarray(self._encode(known)).T
        nearest = alike.max(axis=1)
        return [text for text, near in zip(texts, nearest, strict=True) if near < _KNOWN_AT]


def completeness(dossier: Dossier) -> Fields:
    """The rubric's points: all for two different words of a point's list, half for one."""
    text, details, tables = dossier.text, dossier.details, lists(dossier.language)
    used = rules_of(dossier.protocol).rubric
    points: dict[str, PointScore] = {}
    for name, most in used.most.items():
        words = list(tables.points.get(used.name, {}).get(name, ()))
        if name in ("performer", "artist"):
            words += [str(details[n]) for n in ("artist", "title") if details.get(n)]
        matches = hits(words, text)
        different = {match[0].lower() for match in matches}
        evidence = around(text, matches[0]) if matches else ""
        points[name] = PointScore(most * min(1.0, len(different) / 2), evidence)
    if used is rubric.OURS:
        parts = sentences(text)
        # Several sentences of readable length (in letters and digits).
        readable = list(islice((part for part in parts if 4 <= len(bare(part)) <= 200), 3))
        clarity = min(1.0, len(readable) / 3 // 0.5 * 0.5)
        points["clarity"] = PointScore(clarity, "".join(readable[:1]))
        # More than one sentence, and none of the words that break a reviewer's tone.
        kept = len(parts) > 1 and not hits(tables.chatty, text)
        points["register"] = PointScore(float(kept), parts[0] if kept else "")
    total = sum(point.score for point in points.values())
    named = sum(point.score > 0 for point in points.values())
    assessment = f"{named} of {len(points)} points named, by word lists"
    return {"points": points, "total": total, "assessment": assessment}


class PointScore(msgspec.Struct, frozen=True):
    """The score of a point of the rubric, and the words that show it."""

    score: float
    evidence: str


def _statements(
    clauses: Sequence[str], tables: Lexicon, about: Sequence[re.Pattern[str]]
) -> Iterator[NovelStatement | None]:
    """List each clause as a novel statement, or None if it is of no category.

    It is about music where it analyses it, where it has a word of the rubric's points of music, or
    where one of the patterns `about` holds, such as for the name of a work.
    """
    text = "\n".join(clauses)
    categories = within(tables.categories, text)
    depths = within({"insightful": tables.insightful, "analytical": tables.analytical}, text)
    points = tables.points["ours"]
    musical = within({"musical": [word for point in _MUSICAL for word in points[point]]}, text)
    for clause in clauses:
        category = next((n for n, words in categories.items() if hit(words, clause)), None)
        if category is None:
            yield None
            continue
        depth = next((n for n, words in depths.items() if hit(words, clause)), "surface")
        related = category == "technical_analysis" or any(
            hit(words, clause) for words in musical.values()
        )
        related = related or any(pattern.search(clause) for pattern in about)
        yield NovelStatement(clause, category, related, depth)


class GradedExample(msgspec.Struct, frozen=True):
    """A review, what is known of its song, and its grades by the rubrics, given by hand.

    `completeness` is out of 16, `precision` in [0, 1] (None: nothing to check), `novelty` out
    of 10.
    """

    text: str
    details: SongDetails
    completeness: float
    precision: float | None
    novelty: float


class Closeness(msgspec.Struct, frozen=True):
    """Agreement on an aspect: texts, rank correlation, and mean absolute and signed difference."""

    aspect: str
    n: int
    rank: Correlation
    off_by: float
    bias: float
    most: float


def examples() -> list[GradedExample]:
    """The graded examples, Chinese and English."""
    lines = (Path(__file__).parents[1] / "graded.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=GradedExample) for line in lines]


@cache
def closeness(judge: LexicalJudge) -> list[Closeness]:
    """Measure how close a judge by rule comes to the grades given by hand."""
    from zhiyin.plugins.judges.combine import MOST
    from zhiyin.plugins.methods.calibration import length_correlation

    results = []
    for aspect, most in MOST.items():
        hand, own = [], []
        for example in examples():
            dossier = Dossier(aspect, example.text, example.details)
            reply = msgspec.json.encode(judge.judge(dossier)).decode()
            score = aspects.read(dossier, reply).scores.get("score")
            given = getattr(example, aspect)
            if score is not None and given is not None:
                hand.append(given)
                own.append(score)
        rank = length_correlation(own, hand)  # Spearman's, of any two rows
        off_by = fmean(abs(a - b) for a, b in zip(own, hand, strict=True))
        results.append(Closeness(aspect, len(own), rank, off_by, fmean(own) - fmean(hand), most))
    return results


def agreement_lines(judge: LexicalJudge) -> list[str]:
    """The agreement as lines to print."""
    lines = []
    for close in closeness(judge):
        share = close.most == 1
        times, places = (100, 1) if share else (1, 2)
        rho = "-" if close.rank.rho is None else f"{close.rank.rho:.2f}"
        lines.append(naming(said(
            "judged-close", n=close.n, aspect=close.aspect, rho=rho, share=share, most=close.most,
            off=f"{times * close.off_by:.{places}f}", bias=f"{times * close.bias:+.{places}f}",
        )))  # fmt: skip
    return lines
