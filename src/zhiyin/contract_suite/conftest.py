"""Who is tried, by the flags; without them every test of the suite is skipped."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from zhiyin.api.running import named_benchmark
from zhiyin.contract_suite.subject import (
    BENCHMARK,
    PLAIN,
    Subject,
    blaming,
    broken,
    reply_of,
    spread,
)
from zhiyin.engine.sequences import Walk
from zhiyin.errors import ModelError
from zhiyin.models import is_heavy, open_model
from zhiyin.record import Model
from zhiyin.trial import Trial

HERE = Path(__file__).parent
MODEL = "zhiyin.Model"
NOBODY = "nobody is tried: give --benchmark NAME or --model SPEC"
_told = pytest.StashKey[set[str]]()


def _given(config: pytest.Config, flag: str) -> str:
    values: list[str] = config.getoption(flag, None) or [""]
    return values[0]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of what is not tried; with both, the model is, by the benchmark."""
    config.stash[_told] = set()
    if _given(config, "--model") or _given(config, "--benchmark"):
        unwanted = HERE / "test_model.py"
        wanted = {unwanted} if _given(config, "--model") else {*HERE.iterdir()} - {unwanted}
        items[:] = [item for item in items if item.path in wanted or item.path.parent != HERE]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tell once what several tests fail by, such as trials that cannot be made."""
    report, told = (yield), item.config.stash[_told]
    if report.failed and report.longreprtext in told:
        report.outcome, report.longrepr = "skipped", (str(HERE), 0, "see what failed")
    elif report.failed:
        told.add(report.longreprtext)
    return report


@pytest.fixture(scope="session")
def offered(pytestconfig: pytest.Config) -> Subject | None:
    """The benchmark of the flags."""
    if not (named := _given(pytestconfig, "--benchmark")):
        return None
    words = [word.partition("=") for word in pytestconfig.getoption("--option")]
    flags = {key.replace("-", "_"): value if given else True for key, given, value in words}
    with blaming(f"--benchmark {named}", BENCHMARK, ends=True):
        _, options, kind = named_benchmark(named, flags)
        benchmark = kind.from_options(options)
        for made in (benchmark.trials, benchmark.sequences):
            next(iter(made()), None)  # its data are here
    return Subject(named, flags, kind, options)


@pytest.fixture(scope="session")
def subject(offered: Subject | None) -> Subject:
    """The benchmark that is tried."""
    return offered or pytest.skip(NOBODY)


@pytest.fixture(scope="session")
def trials(subject: Subject) -> list[Trial]:
    """All its trials, those of sequences as they are after silence."""
    with blaming("sequences", f"{BENCHMARK}.sequences"):
        walks = [*map(Walk, subject.opened().sequences())]
    return [*subject.plain(), *(r.trial for walk in walks for r in subject.walked(walk))]


@pytest.fixture(scope="session")
def runner() -> Iterator[asyncio.Runner]:
    """The event loop of the model that is tried."""
    with asyncio.Runner() as runner:
        yield runner


@contextmanager
def _opened(config: pytest.Config, runner: asyncio.Runner) -> Iterator[Model]:
    if not (spec := _given(config, "--model")):
        pytest.skip(NOBODY)
    with blaming(f"--model {spec}", MODEL, ends=True):
        model = open_model(spec)
        if check := getattr(model, "check", None):
            runner.run(check())
    yield model
    runner.run(model.close())


@pytest.fixture(scope="session")
def question(pytestconfig: pytest.Config, offered: Subject | None, runner: asyncio.Runner) -> Trial:
    """A trial that the model answers: the first of the benchmark's, or a plain question."""
    why = ""
    with _opened(pytestconfig, runner) as model:
        for trial in [PLAIN] if offered is None else spread(offered.plain(), 8):
            try:
                runner.run(reply_of(model, trial))
            except ModelError as error:
                why = str(error)
            else:
                return trial
    mend = "" if offered else "; if it answers certain questions alone, give --benchmark, too"
    broken(f"it answers no question: {why}{mend}", MODEL)


def _scope(fixture_name: str, config: pytest.Config) -> Any:
    return "session" if is_heavy(_given(config, "--model")) else "function"


@pytest.fixture(scope=_scope)
def model(pytestconfig: pytest.Config, question: Trial, runner: asyncio.Runner) -> Iterator[Model]:
    """The model that is tried: opened anew for each test, but for one that fills the memory."""
    with _opened(pytestconfig, runner) as model:
        yield model
