"""Do the tests find faults? ``python bench/mutants.py`` makes small ones and counts those found.

Faults are drawn by a seed from five parts: the reader of answers, the solvers, the metrics, the
statistics, and all of the core by its own tests alone (`scripts/mutation.py` says what a fault is).
For each, the tests that run through the changed line are run, fastest first, until one fails. A
change that alters nothing is listed with its reason in ``bench/mutants_equal.jsonl`` and left out
of the share. Each fault is tried in a process of its own, forked from one that has imported
everything but Zhiyin; a test that takes five times its time has found the fault too.

A survivor is a missing test, dead code, or equal; ``--again`` tries those of last time once more.
Tests that were written for the faults of one sample say nothing of that sample: ``--unlike`` draws
a new one from the others. ``--own`` takes the tests alone whose file carries the name of the
changed module, or of its room where none does: its own tests are to tell who changes a module.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib
import importlib.machinery
import json
import os
import random
import resource
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SOURCE, TESTS = ROOT / "src" / "zhiyin", ROOT / "tests"
EQUAL = Path(__file__).with_name("mutants_equal.jsonl")
sys.path[:0] = [str(ROOT / "scripts"), str(TESTS), str(ROOT / "src")]

from mutation import Change, changed, changes  # noqa: E402


class Part(NamedTuple):
    """What is changed, and the tests that are to find it, as patterns of paths."""

    source: tuple[str, ...]
    tests: tuple[str, ...]


PARTS = {
    "answers": Part(
        ("reader/**/*.py",),
        ("reader_*", "reading_command", "string_match", "confirm", "scores", "muse"),
    ),
    "solvers": Part(
        ("plugins/music/solvers.py", "plugins/music/theory.py", "plugins/music/notated/solving.py"),
        ("music_solvers", "music_theory", "music_notated", "listener_melody",
         "strategies_logiclm"),
    ),
    "metrics": Part(
        ("plugins/benchmarks/perception/scoring.py", "benchmarks/questions/scoring.py",
         *(f"plugins/judges/{name}.py" for name in ("combine", "reliability", "confidence")),
         *(f"plugins/benchmarks/cmi/{name}.py" for name in ("events", "measures", "tasks")),
         "engine/scoring.py"),
        ("perception_fidelity", "judges_combine", "judges_reliability", "judges_confidence",
         "questions_scorers", "questions_runs", "questions_files", "questions_check", "cmi",
         "tally", "runs_large", "log_promises", "judges_released"),
    ),
    "statistics": Part(
        ("statistics/**/*.py",),
        ("statistics_*", "item_analysis", "interval_coverage", "thresholds",
         "skills", "rhythm_ability", "analysis_intervals", "difficulty", "judges_reliability",
         "plan_command"),
    ),
    # By its own tests alone: whoever changes the core runs them.
    "core": Part(
        ("*.py", *(f"{room}/**/*.py" for room in (
            "analysis", "benchmarks", "contract", "cost", "engine", "models", "reader", "report",
            "runs", "session", "shown", "statistics", "strategies", "words"))),
        tuple(path.stem.removeprefix("test_") for path in (TESTS / "core").glob("test_*.py")),
    ),
}  # fmt: skip
SLOWEST_S = 30.0
"""A test that takes longer is not run for each fault. Traced, tests take some times as long."""
SPENT_S = 40.0
"""CPU seconds of tests for one fault, by what they took unchanged."""
ENDED = (0, 1, 5)
"""How pytest ends where it could run: all pass, some fail, none was left to run."""


Key = tuple[str, str, str, str]
"""What tells one fault from another: its file, the function around it, what becomes what."""


class Test(NamedTuple):
    """A test that passes unchanged: the seconds it takes, and the lines it runs through by file."""

    name: str
    seconds: float
    lines: dict[str, set[int]]


class Fault(NamedTuple):
    """A change, and what became of it: ``killed``, ``survived``, ``unreached`` or ``equal``."""

    part: str
    file: str
    number: int
    change: Change
    state: str = ""
    by: str = ""
    seconds: float = 0.0

    @property
    def key(self) -> Key:
        return (self.file, self.change.scope, self.change.before, self.change.after)


def files(part: Part) -> list[Path]:
    return sorted(path for pattern in part.source for path in SOURCE.glob(pattern))


def drawn(
    name: str, number: int, seed: int | str, known: Container[Key] = (), rooms: Container[str] = ()
) -> list[Fault]:
    """As many faults of a part, drawn at random from all of its files that are not `known`.

    `rooms`: the folders of `src/zhiyin` to draw from; all of them where none is named.
    """
    every = [
        Fault(name, str(path.relative_to(SOURCE)), position, change)
        for path in files(PARTS[name])
        if not rooms or path.relative_to(SOURCE).parts[0] in rooms
        for position, change in enumerate(changes(path.read_text("utf-8")))
    ]
    every = [fault for fault in every if fault.key not in known]
    return random.Random(f"{seed} {name}").sample(every, min(number, len(every)))


# In the forked process -------------------------------------------------------------------------


def forked(work: Callable[[], object], seconds: float) -> object:
    """What `work` returns in a process of its own; None where it is killed or takes too long."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 3))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(json.dumps(work()).encode())
            pipe.flush()
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        watch = threading.Timer(20 * seconds + 60, os.killpg, (child, signal.SIGKILL))
        watch.start()
        data = pipe.read()
        watch.cancel()
    os.waitpid(child, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what its tests left running
    return json.loads(data) if data else None


def replace(file: str, number: int) -> None:
    """Zhiyin, imported from now on, has the fault."""
    path = str(SOURCE / file)
    tree = changed(Path(path).read_text("utf-8"), number)
    plain = importlib.machinery.SourceFileLoader.get_code

    def get_code(self: importlib.machinery.SourceFileLoader, name: str) -> object:
        if self.path == path:
            return compile(tree, path, "exec", dont_inherit=True)
        return plain(self, name)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[assignment,method-assign]


class Watch:
    """A plugin of pytest: which tests pass, how long they take, and through what they run."""

    def __init__(self, watched: set[str], chosen: list[str] | None = None) -> None:
        self.watched, self.chosen = watched, chosen
        self.lines: dict[str, set[int]] = {}
        self.tests: list[Test] = []
        self.failed: list[str] = []

    def trace(self, frame: FrameType, event: str, argument: object) -> object:
        if frame.f_code.co_filename not in self.watched:
            return None
        lines = self.lines.setdefault(frame.f_code.co_filename, set())
        lines.add(frame.f_lineno)

        def line(frame: FrameType, event: str, argument: object) -> object:
            lines.add(frame.f_lineno)
            return line

        return line

    def pytest_collection_modifyitems(self, items: list) -> None:  # type: ignore[type-arg]
        if self.chosen is not None:
            order = {name: position for position, name in enumerate(self.chosen)}
            items[:] = sorted(
                (item for item in items if item.nodeid in order),
                key=lambda item: order[item.nodeid],
            )

    def pytest_runtest_logreport(self, report) -> None:  # type: ignore[no-untyped-def]
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report) -> None:  # type: ignore[no-untyped-def]
        if report.failed:
            self.failed.append(report.nodeid)

    def hooks(self) -> object:
        """The same with tracing: for the one run without a fault."""
        import pytest

        watch = self

        class Hooks:
            @pytest.hookimpl(wrapper=True)
            def pytest_runtest_protocol(self, item, nextitem):  # type: ignore[no-untyped-def]
                watch.lines, begun, failed = {}, time.process_time(), len(watch.failed)
                sys.settrace(watch.trace)
                threading.settrace(watch.trace)
                try:
                    return (yield)
                finally:
                    sys.settrace(None)
                    threading.settrace(None)  # type: ignore[arg-type]
                    if len(watch.failed) == failed:
                        took = time.process_time() - begun
                        watch.tests.append(Test(item.nodeid, took, watch.lines))

        return Hooks()


def pytest_run(paths: list[str], plugins: list[object], *flags: str) -> int:
    import hypothesis
    import pytest

    hypothesis.settings.register_profile(
        "calm", deadline=None, derandomize=True, database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )  # fmt: skip
    hypothesis.settings.load_profile("calm")
    os.chdir(ROOT)
    basetemp = tempfile.mkdtemp(prefix="zhiyin-mutants-")
    command = [*paths, "-p", "no:cacheprovider", "-p", "no:xdist", f"--basetemp={basetemp}/t"]
    return int(pytest.main([*command, "-o", "console_output_style=classic", *flags], plugins))


def unchanged(part: Part, path: Path) -> dict[str, object]:
    """The tests of a file without a fault: names, seconds and lines; and what they imported."""
    watch = Watch({str(path) for path in files(part)})
    status = pytest_run([str(path)], [watch, watch.hooks()])
    found = [
        (test.name, test.seconds, {file: sorted(lines) for file, lines in test.lines.items()})
        for test in watch.tests
    ]
    modules = [module for module, held in list(sys.modules.items()) if hasattr(held, "__file__")]
    return {"tests": found, "modules": modules, "failed": watch.failed, "status": status}


def tried(fault: Fault, tests: list[Test]) -> dict[str, str]:
    """Run tests on a fault until one fails."""
    replace(fault.file, fault.number)
    watch = Watch(set(), [test.name for test in tests])
    paths = list(dict.fromkeys(str(ROOT / test.name.split("::")[0]) for test in tests))
    status = pytest_run(paths, [watch], "-x")
    return {"failed": watch.failed[0] if watch.failed else "nothing collected" if status else ""}


# In this process -------------------------------------------------------------------------------


def import_others(modules: list[str]) -> None:
    """What is not ours, once for all forks."""
    ours = {path.stem for path in TESTS.glob("*.py")} | {"zhiyin", "conftest", "__main__"}
    for module in modules:
        if module.split(".")[0] not in ours and not module.startswith(("_pytest", "ray")):
            try:
                importlib.import_module(module)
            except Exception:  # a part of a package that only the package imports
                continue


def tests_for(fault: Fault, tests: list[Test]) -> list[Test]:
    """The tests that run through a changed line, fastest first.

    A line that runs when it is imported may be seen by any test: those that run through its file
    go before the others.
    """
    file, wanted = str(SOURCE / fault.file), set(fault.change.lines)
    through = [test for test in tests if wanted & test.lines.get(file, set())]
    if not fault.change.scope or len(through) < 3:  # seen by whoever happened to import it first
        through = tests

    def order(test: Test) -> tuple[bool, float]:
        return not test.lines.get(file), test.seconds

    chosen, spent = [], 0.0
    for test in sorted(through, key=order):
        if test.seconds > SLOWEST_S:
            continue
        spent += test.seconds
        if spent > SPENT_S:
            break
        chosen.append(test)
    return chosen


def own_files(file: str) -> list[Path]:
    """The files of tests that carry a module's name, or that of the nearest room of which one does.

    `file`: in the source; ``statistics/paired.py`` has ``test_statistics_paired.py`` and others
    that begin with it.
    """
    parts = [part for part in Path(file).with_suffix("").parts if part not in ("benchmarks",)]
    for depth in range(len(parts), 0, -1):
        name = "test_" + "_".join(parts[:depth])
        found = [*TESTS.rglob(f"{name}.py"), *TESTS.rglob(f"{name}_*.py")]
        if found:
            return sorted(found)
    return []


def looked_at(name: str, folder: Path, paths: Iterable[Path] = ()) -> Iterator[Test]:
    """The tests of a part that pass unchanged; kept for as long as the part and the tests stay.

    `paths`: of other files of tests than those of the part.
    """
    part = PARTS[name]
    source = b"".join(path.read_bytes() for path in files(part))
    usual = (path for each in part.tests for path in TESTS.glob(f"**/test_{each}.py"))
    for path in sorted(set(paths or usual)):
        digest = hashlib.sha256(source + path.read_bytes()).hexdigest()[:16]
        kept = folder / f"{name}-{path.stem}-{digest}.json"
        if not kept.exists():
            told = forked(lambda p=path: unchanged(part, p), 600)  # type: ignore[misc]
            if not isinstance(told, dict) or told["status"] not in ENDED:
                raise SystemExit(f"{path.name}: its tests did not end without a fault")
            kept.write_text(json.dumps(told), "utf-8")
        told = json.loads(kept.read_text("utf-8"))
        if told["failed"]:
            print(f"{path.name}: fail without a fault and are left out: {told['failed']}")
        import_others(told["modules"])
        for test, seconds, held in told["tests"]:
            yield Test(test, seconds, {file: set(lines) for file, lines in held.items()})


def try_part(name: str, faults: list[Fault], folder: Path, *, own: bool) -> Iterator[Fault]:
    """What becomes of each fault of a part; `own`: by the tests of its module alone."""
    known = {tuple(json.loads(line)["change"]) for line in EQUAL.read_text("utf-8").splitlines()}
    begun = time.monotonic()
    paths = {path for fault in faults for path in own_files(fault.file)} if own else set()
    tests = list(looked_at(name, folder, paths))
    print(
        f"{name}: {len(tests)} tests pass unchanged, {time.monotonic() - begun:.0f} s", flush=True
    )
    for fault in faults:
        if fault.key in known:
            yield fault._replace(state="equal")
            continue
        theirs = {f"tests/{path.relative_to(TESTS)}" for path in own_files(fault.file)}
        chosen = tests_for(
            fault, [test for test in tests if not own or test.name.split("::")[0] in theirs]
        )
        if not chosen:
            yield fault._replace(state="unreached")
            continue
        begun = time.monotonic()
        limit = 20 + 5 * sum(test.seconds for test in chosen)
        found = forked(lambda f=fault, c=chosen: tried(f, c), limit)  # type: ignore[misc]
        by = found["failed"] if isinstance(found, dict) else "it took too long, or died"
        took = time.monotonic() - begun
        yield fault._replace(state="killed" if by else "survived", by=by, seconds=took)


def line_of(fault: Fault) -> str:
    before, after = (" ".join(text.split())[:60] for text in fault.key[2:])
    lines, where = fault.change.lines, fault.change.scope or "module"
    return f"{fault.file}:{lines.start} {where}: {before}  ->  {after}"


def share(killed: int, of: int) -> str:
    from zhiyin.statistics.intervals import wilson

    found = wilson(killed, of)
    return f"{killed} of {of} ({found.mean:.1%}, 95 % interval {found.low:.1%} to {found.high:.1%})"


def as_kept(fault: Fault) -> dict[str, object]:
    return fault._asdict() | {"change": None, "key": fault.key}


def keys_in(paths: Iterable[Path]) -> set[Key]:
    """What was tried in earlier runs."""
    lines = [line for path in paths for line in path.read_text("utf-8").splitlines()]
    return {tuple(json.loads(line)["key"]) for line in lines}


def read_results(path: Path) -> list[Fault]:
    """The faults of an earlier run, found again in the source of today by what they change."""
    found = []
    for line in path.read_text("utf-8").splitlines():
        held = json.loads(line)
        key = tuple(held.pop("key"))
        every = changes((SOURCE / held["file"]).read_text("utf-8"))
        same = [number for number, change in enumerate(every) if (held["file"], *change[1:]) == key]
        if same:
            held["number"] = min(same, key=lambda number: abs(number - held["number"]))
            found.append(Fault(**held | {"change": every[held["number"]]}))
    return found


def sum_up(results: list[Fault]) -> None:
    print()
    for name in [*PARTS, ""]:
        part = [fault for fault in results if not name or fault.part == name]
        counted = [fault for fault in part if fault.state != "equal"]
        if counted:
            killed = sum(fault.state == "killed" for fault in counted)
            print(f"{name or 'all':12} killed {share(killed, len(counted))}, "
                  f"{len(part) - len(counted)} equal")  # fmt: skip
    for fault in results:
        if fault.state in ("survived", "unreached"):
            print(f"{fault.state:9} {fault.part}:{fault.number} {line_of(fault)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", action="append", choices=PARTS, help="one of them alone")
    parser.add_argument(
        "--room", action="append", default=[], help="a folder of src/zhiyin to draw from alone"
    )
    parser.add_argument("--number", type=int, default=10, help="faults of each part")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, default=ROOT / "build" / "mutants")
    parser.add_argument("--again", action="store_true", help="only those that survived last time")
    parser.add_argument(
        "--unlike", type=Path, action="append", default=[],
        help="results of an earlier run, whose faults are not drawn again",
    )  # fmt: skip
    parser.add_argument("--own", action="store_true", help="by the module's own tests alone")
    parser.add_argument("--skip", type=int, default=0, help="faults of each part to leave out")
    chosen = parser.parse_args()
    os.nice(19)
    chosen.write.mkdir(parents=True, exist_ok=True)
    results: list[Fault] = []
    known = keys_in(chosen.unlike)
    for name in chosen.part or PARTS:
        kept = chosen.write / f"{name}.jsonl"
        if chosen.again:
            before = read_results(kept)
            faults = [fault for fault in before if fault.state in ("survived", "unreached")]
            results += [fault for fault in before if fault.state in ("killed", "equal")]
        else:
            found = drawn(name, chosen.number, chosen.seed, known, chosen.room)
            faults = found[chosen.skip :]
        done = [fault for fault in results if fault.part == name]
        for number, fault in enumerate(try_part(name, faults, chosen.write, own=chosen.own), 1):
            done.append(fault)
            results.append(fault)
            left = faults[number:] if chosen.again else []  # broken off, it loses none
            lines = [json.dumps(as_kept(each)) + "\n" for each in (*done, *left)]
            kept.write_text("".join(lines), "utf-8")
            print(f"{fault.state:9} {fault.seconds:5.1f} s {line_of(fault)}", flush=True)
    sum_up(results)


if __name__ == "__main__":
    main()
