"""A run of a benchmark: taken up again, scored again, and read by every command."""

from __future__ import annotations

import contextlib
import io
import shutil
from math import inf
from pathlib import Path
from typing import Any

import pytest

from zhiyin import InputError, Reply, Run, Trial, rescore, run
from zhiyin.analysis.compare import compare
from zhiyin.cli import main
from zhiyin.contract_suite.subject import (
    BENCHMARK,
    SOME,
    Subject,
    blaming,
    broken,
    right_option,
    worded,
)
from zhiyin.engine.folder import RECORDS
from zhiyin.record import NOT_JUDGED
from zhiyin.runs.estimates import estimate
from zhiyin.runs.rows import rows_of

MEASURE = "zhiyin.runs.measures.Measure"
_ROUNDING = 1e-9


class Knowing:
    """A model that is told what to reply, by the trial's id; to all others it says one thing."""

    concurrency = 1

    def __init__(self, name: str, replies: dict[str, str]) -> None:
        self.name, self._replies = name, replies

    async def generate(self, messages: Any, sampling: Any, trial: Trial) -> Reply:
        """Give the reply that is known."""
        return Reply(self._replies.get(trial.id, "A"))

    async def close(self) -> None:
        """Do nothing: no resource is held open."""


def _carried_out(subject: Subject, model: Any, out: Path, trials: list[Trial]) -> Run:
    more = {**subject.flags, "sample": SOME if len(trials) > SOME else None}
    with blaming("a run", BENCHMARK):
        return run(subject.named, model, out=out, progress=False, canary=False, **more)


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the runs."""
    return tmp_path_factory.mktemp("contract")


@pytest.fixture(scope="session")
def guesser(trials: list[Trial]) -> Knowing | str:
    """The baseline `random`; where nothing can be chosen, a model that says the same to all."""
    return "random" if any(trial.options for trial in trials) else Knowing("same", {})


@pytest.fixture(scope="session")
def guessed(subject: Subject, guesser: Any, trials: list[Trial], home: Path) -> Run:
    """A whole run of it."""
    return _carried_out(subject, guesser, home / "guessed", trials)


@pytest.fixture(scope="session")
def knew(subject: Subject, trials: list[Trial], home: Path) -> Run:
    """A run with the right answer to all of which one is known."""
    benchmark, replies = subject.opened(), {}
    for trial in trials:
        right = right_option(trial)
        if right or (trial.target is not None and not trial.options):
            replies[trial.id] = worded(benchmark, trial, right) if right else str(trial.target)
    return _carried_out(subject, Knowing("knowing", replies), home / "knew", trials)


def test_a_run_is_whole(guessed: Run) -> None:
    """All of it is asked, and every reply can be scored."""
    summary = guessed.summary
    if summary.states["error"] or not summary.complete:
        broken(f"the run has {summary.how_far}: {[*summary.failures][:1]}", f"{BENCHMARK}.score")


def test_a_run_that_was_cut_off_ends_as_one_that_was_not(
    subject: Subject, guesser: Any, guessed: Run, trials: list[Trial], home: Path
) -> None:
    """The log is cut within a line, and the same command goes on."""
    log = shutil.copytree(guessed.folder, home / "cut") / RECORDS
    log.write_bytes(log.read_bytes()[: log.stat().st_size * 3 // 5])
    whole, cut = guessed, _carried_out(subject, guesser, log.parent, trials)
    first, again = ({r.id: (r.trial, r.verdict) for r in each.records()} for each in (whole, cut))
    for name in {**first, **again}:
        if first.get(name) != again.get(name):
            broken(f"trial {name!r} differs in a run that was cut off", f"{BENCHMARK}.trials")


def test_verdicts_are_found_again_in_the_log(guessed: Run) -> None:
    """`rescore` by the run's own policy changes none."""
    with blaming("rescore", f"{BENCHMARK}.score"):
        changed = rescore(guessed.folder, guessed.summary.settings["options"]["extract"]).changed
    if changed:
        broken(f"rescore changes {changed} verdicts of a run just made", f"{BENCHMARK}.score")


@pytest.mark.parametrize("command", ["show", "table", "report", "compare"])
def test_runs_are_read(command: str, subject: Subject, guessed: Run, knew: Run) -> None:
    """Each command ends well on the runs."""
    judged = any(n for state, n in guessed.summary.states.items() if state not in NOT_JUDGED)
    if not judged and command in ("table", "compare"):
        pytest.skip("nothing is right or wrong: there is no figure for it")
    if command == "compare" and [*subject.opened().sequences()]:
        pytest.skip("trials that are chosen by answers are not paired")
    page = ["--out", str(guessed.folder.parent / "page.html")] if command == "report" else []
    said, complained = io.StringIO(), io.StringIO()
    with (
        blaming(f"zhiyin {command}", BENCHMARK),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(complained),
    ):
        status = main([command, str(guessed.folder), str(knew.folder), *page])
    if status:
        broken(f"zhiyin {command}, status {status}: {complained.getvalue()}", BENCHMARK)


def test_figures_are_within_their_range(subject: Subject, guessed: Run, knew: Run) -> None:
    """What a measure comes to, with its interval, lies in the range that it declares."""
    for folder in (guessed.folder, knew.folder):
        for measure in subject.kind.measures:
            with blaming(f"measure {measure.name!r}", MEASURE):
                own = estimate(rows_of(folder), measure)
            low, high = measure.range
            least, most = -inf if low is None else low, inf if high is None else high
            for value in (own.value, own.low, own.high):
                if value is not None and not least - _ROUNDING <= value <= most + _ROUNDING:
                    broken(f"{measure.name!r} is {value:g}, not within {measure.range}", MEASURE)


def test_right_answers_are_not_worse(subject: Subject, guessed: Run, knew: Run) -> None:
    """By no declared measure is guessing shown to be better than knowing: directions hold."""
    if knew.summary.states["correct"] < knew.summary.trials:
        pytest.skip("not all right answers are known beforehand")
    for measure in subject.kind.measures:
        try:
            found = compare([guessed.folder, knew.folder], measure=measure, only_whole=True)
        except InputError:
            continue  # not of these trials
        guess = next(one.label for one in found.runs if Path(one.run) == guessed.folder)
        if any(found.better(pair, row) == guess for pair in found.pairs for row in pair.groups):
            way = "lower" if measure.lower_is_better else "higher"
            broken(f"guesses beat right answers by {measure.name!r}, {way} is better", MEASURE)
