"""A judge model marks the replies of an audit: a run of its own in the folder of the run."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.contract.benchmark import Benchmark
from zhiyin.errors import InputError
from zhiyin.plugins.judges.cases import run_judged
from zhiyin.plugins.judges.language import fenced
from zhiyin.plugins.judges.reading import UnreadableJudgement, read_object
from zhiyin.plugins.methods.audit.drawing import ShownReply, show
from zhiyin.plugins.methods.audit.marks import NONE, UNSURE, Book, Draw, DrawnReply
from zhiyin.prompts import Prompts
from zhiyin.record import Exchange, Strategy, Verdict
from zhiyin.strategies import standalone
from zhiyin.text import quoted
from zhiyin.trial import Tag, Trial, say

if TYPE_CHECKING:
    from zhiyin.contract.settings import RunSettings

PREFIX = "audited-"
VERSION = 1
DONE = "correct"
"""The state of a trial whose reply is a mark; it does not mean that an answer is right."""


class Marking(Benchmark[Any]):
    """The replies of a run's draw, each put before a judge model. A benchmark as others.

    The judge sees the options and the reply: neither the reader's verdict nor the right answer.

    Parameters
    ----------
    run : str
        Folder of the run.
    """

    name = "audit"
    version = str(VERSION)
    summary = "marks that a judge model gives to replies of an earlier run (use `zhiyin audit RUN`)"
    paper = "none"
    licence = "prompts: as Zhiyin"
    bibtex = ""
    chance = None
    """A mark is not right or wrong, and so there is no chance level."""
    places = frozenset({"run"})

    def __init__(self, run: str) -> None:
        self.run = Path(run)

    @classmethod
    def ordered_by(cls, order: RunSettings) -> str:
        """The command that has a run marked: see `run_judged`."""
        return shlex.join(["zhiyin", "audit", run_judged(order), "--judge", str(order.model)])

    @cached_property
    def _draw(self) -> Draw:
        draw = Book(self.run).draw
        if draw is None:
            first = f"`zhiyin audit {quoted(self.run)}`"
            raise InputError(f"{self.run}: nothing is drawn: run {first} first")
        return draw

    @cached_property
    def _shown(self) -> dict[str, ShownReply]:
        return show(self.run, {one.id for one in self._draw.replies})

    @cached_property
    def _wording(self) -> Prompts:
        return Prompts(__package__, {"mark": ("options", "text")})

    def trials(self) -> Iterator[Trial]:
        """A trial for every reply drawn, in the order of the draw."""
        for drawn in self._draw.replies:
            yield self._ask(drawn)

    def __len__(self) -> int:
        return len(self._draw.replies)

    def _ask(self, drawn: DrawnReply) -> Trial:
        shown = self._shown[drawn.id]
        options = "\n".join(f"{o.letter}. {o.text}" for o in shown.options)
        text = "\n\n[asked once more, for the letter alone]\n\n".join(shown.texts)
        words = self._wording.fill("mark", options=options, text=fenced(text))
        letters = "".join(o.letter for o in shown.options)
        tags: dict[str, Tag] = {"trial": drawn.id, "reply": drawn.reply, "letters": letters}
        return Trial(f"{drawn.id}#{drawn.reply}", (say("user", words),), "", tags=tags)

    def strategy(self, trial: Trial) -> Strategy:
        """Return the strategy of one question and one reply."""
        return standalone

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """The mark in the last reply; an error where it holds none."""
        label = f"mark@{VERSION}"
        try:
            answer = read_object(exchange.final.text, ("answer",)).get("answer")
            mark = _mark(answer, str(trial.tags["letters"]))
        except UnreadableJudgement as fault:
            return Verdict("error", None, why=f"judge_error: {fault}", policy=label)
        return Verdict("correct", mark, why="marked", policy=label)

    def fingerprint(self) -> str:
        """SHA-256 over the prompt. What is marked is in the trials' ids."""
        return self._wording.fingerprint()

    def remarks(self) -> list[str]:
        """Return no remarks."""
        return []

    # About the benchmark, without data

    @classmethod
    def add_options(cls, parser: argparse._ActionsContainer) -> None:
        """Add the flags of such a run."""
        parser.add_argument("--run", metavar="RUN", help="the run whose replies are marked")

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Benchmark[Any]:
        """The marking that flags or a manifest name. Raises `InputError` where they name no run."""
        if not options.get("run"):
            raise InputError("no run to audit: write `zhiyin audit RUN --judge MODEL`")
        return Marking(str(options["run"]))


def _mark(answer: Any, letters: str) -> str:
    word = answer.strip() if isinstance(answer, str) else "none" if answer is None else ""
    if word.lower() in (NONE, UNSURE):
        return word.lower()
    if len(word) == 1 and word.upper() in letters:
        return word.upper()
    raise UnreadableJudgement(f'"answer" is {answer!r}, and no option, "none" or "unsure"')
