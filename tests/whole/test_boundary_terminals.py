"""What commands print: within the width of a terminal, every figure whole, no word obeyed."""

import contextlib
import csv
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rich.cells import cell_len

import judge_help
import warm
from findings_help import mucho_trials, student, write_run
from report_help import answered, choice
from said_help import texts
from zhiyin import cli
from zhiyin.analysis.summary import summarise
from zhiyin.cli import main
from zhiyin.cli.show import has_figures
from zhiyin.engine.folder import Manifest, Session, read_manifest
from zhiyin.engine.log import RunFolder
from zhiyin.plugins.lab.export import export
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.runs.figures import GroupTree
from zhiyin.session.progress import Progress, in_words
from zhiyin.shown.table import Row, table_of
from zhiyin.shown.terminal import MOST_ROWS, Terminal, shortened
from zhiyin.text import csv_cell, csv_row, printable
from zhiyin.trial import Option, Trial, say

pytestmark = pytest.mark.slow

WIDTHS = (60, 80, 120, 200)


KEPT = Path(__file__).parent.parent / "data" / "runs-1" / "runs.tar.xz"


NUMBER = re.compile(r"^[-+]?\d[\d,]*(\.\d+)?$|^\d+\.\d–\d+\.\d$|^[-+]\d+\.\d$")
ALWAYS = "one-answer"
"""What stands for the interval of a group to which all answers are the same."""


LONG = "a-very-long-name-of-a-model-" * 8 + "7b"


def cell_trial(number, cell):
    options = tuple(Option(x, f"option {x}", x) for x in "ABCD")
    task, sound, shots, way = cell
    path = [task, f"{task}/{sound}", f"{task}/{sound}/{shots}/{way}"]
    name = f"{'/'.join(cell)}/{number}"
    return Trial(name, (say("user", name),), name, options, "ABCD"[number % 4], tuple(path))


def failed(trial, why="the server was away"):
    empty = Exchange((Turn(Reply("")),))
    return Record(trial.id, Verdict("error", None, None, why, ""), trial, empty, why)


def labelled(folder, label, records, planned=None):
    about = Manifest(
        benchmark="quiz", model=f"python:{label[:12]}.py:answer", label=label, planned=planned or 0,
        config={"benchmark": "quiz", "options": {}, "data": "0" * 64, "sampling": None}, options={},
        sessions=[
            Session(
                "2026-01-01T00:00:00+00:00", asked=len(records), elapsed_s=1.0,
                ended="2026-01-01T00:00:01",
            )
        ],
    )  # fmt: skip
    about.planned = planned or len(records)
    with RunFolder(folder, about) as log:
        for record in records:
            log.append(record)
    return folder


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    """Runs of every make, by name."""
    root = tmp_path_factory.mktemp("terminal")
    with tarfile.open(KEPT) as kept:
        kept.extractall(root, filter="data")
    found = {path.parent.relative_to(root / "runs").as_posix(): path.parent
             for path in sorted((root / "runs").rglob("run.json"))}  # fmt: skip
    made = root / "made"
    made.mkdir()
    plain = [answered(choice(n), "ABCD"[n * n % 4] if n % 7 else None) for n in range(60)]
    found["chinese"] = labelled(made / "chinese", "知音" * 40, plain)
    found["long"] = labelled(made / "long", LONG, plain)
    found["dead"] = labelled(made / "dead", "dead", [failed(choice(n)) for n in range(30)])
    found["partial"] = labelled(made / "partial", "partial", plain[:20], planned=60)
    cells = [(task, sound, shots, way) for task in ("chords", "syncopation", "transposition")
             for sound in ("audio", "midi") for shots in ("zero", "few")
             for way in ("standalone", "cot", "logiclm")]  # fmt: skip
    grid = [answered(cell_trial(n, cell), "ABCD"[n * 3 % 4]) for cell in cells for n in range(5)]
    found["grid"] = labelled(root / "grid", "thirty-six cells", grid)
    named = [
        Record(r.id, r.verdict, Trial(
            r.trial.id, r.trial.messages, r.trial.stem, r.trial.options, r.trial.target,
            (f"{'民族音乐' * 12}{n % 3}", f"{'group of a very long name ' * 6}{n % 40} bpm"),
        ), r.exchange)
        for n, r in enumerate(plain)
    ]  # fmt: skip
    found["names"] = labelled(made / "names", "long group names", named)
    for n in range(10):
        letters = [answered(choice(k), "ABCD"[(k + (k % (n + 2) == 0)) % 4]) for k in range(40)]
        found[f"ten/{n}"] = labelled(made / f"ten{n}", f"model of a middling name {n}", letters)
    return found


def shown(capsys, monkeypatch, width, *words):
    monkeypatch.setenv("COLUMNS", str(width))
    status = main([*map(str, words)])
    out, err = capsys.readouterr()
    assert status in (0, 1), err
    return out


@cache
def summary_of(folder):
    return summarise(folder)


def figures(summary):
    """Every figure that a summary may put into a row, as it is to be written."""

    def percent(share):
        return "-" if share is None else f"{100 * share:.1f}"

    rows = {}
    for name, group in summary.groups.items():
        ends = group.ci95
        bounds = "-" if ends is None else f"{percent(ends[0])}–{percent(ends[1])}"
        rows[name] = [f"{group.n:,}", f"{group.answered:,}", percent(group.accuracy),
                      ALWAYS if group.always else bounds,
                      percent(group.precision), percent(group.f1), percent(group.ifr),
        ]  # fmt: skip
    return rows


def is_command(line):
    """Whether a line is a command, which is in one line however long it is: it is to be copied."""
    return line.startswith("    zhiyin ")


def fits(out, width):
    for line in out.splitlines():
        assert is_command(line) or cell_len(line.rstrip()) <= width, line


def rows_in(out):
    """The cells behind the name in each row of a table of figures."""
    for line in out.splitlines():
        cells = re.sub(r" always \S+ ", f" {ALWAYS} ", line).split()[-7:]
        if len(cells) == 7 and all(NUMBER.match(cell) or cell in ("-", ALWAYS) for cell in cells):
            yield cells


def joined(out):
    """All that is printed, without the ends of lines."""
    return "".join(str(out).split())


@pytest.mark.sample(2)
@pytest.mark.parametrize("width", WIDTHS)
def test_of_every_run_nothing_is_cut_or_lost(runs, capsys, monkeypatch, width):
    few = ("ziqi-first", "grid", "names", "chinese", "long", "perception-listener")
    for name, folder in runs.items():
        if name.startswith("ten/") or (width > 80 and name not in few):
            continue
        summary = summary_of(folder)
        out = shown(capsys, monkeypatch, width, "show", folder)
        fits(out, width)
        expected = figures(summary)
        rows = list(rows_in(out))
        if has_figures(summary):
            assert expected["all"] in rows, (name, out)
            left = re.search(r"… (\d+) more:\s+zhiyin show", out)
            assert len(rows) == min(len(expected), MOST_ROWS), (name, out)
            assert bool(left) == (len(expected) > MOST_ROWS)
            assert not left or int(left[1]) + len(rows) == len(expected)
        for row in rows:
            assert row in expected.values(), (name, row)
        for warning in summary.warnings:
            there = joined(warning.text) in joined(out)
            assert there or (warning.severity != "stop" and "more:zhiyinshow" in joined(out))
        for section in summary.details:  # those that are not shown are named
            assert joined(section.title) in joined(out), (name, out)
        whole = shown(capsys, monkeypatch, width, "show", folder, "--groups", "all")
        fits(whole, width)
        told = joined(whole)
        for text in (*texts(summary.warnings), *texts(summary.remarks)):
            assert joined(text) in told, (name, text)
        for section in summary.details:
            assert all(joined(note) in told for note in section.notes)
            assert joined(section.title) in told
        if has_figures(summary):
            there = Counter(map(tuple, rows_in(whole)))
            assert not Counter(map(tuple, expected.values())) - there, name


@pytest.mark.parametrize("width", WIDTHS)
def test_many_runs_are_one_small_table(runs, capsys, monkeypatch, width):
    ten = [folder for name, folder in runs.items() if name.startswith("ten/")]
    mixed = [folder for name, folder in runs.items() if "/" not in name]
    for folders in (ten, mixed, [runs["chinese"], runs["long"]], [runs["dead"], runs["partial"]]):
        out = shown(capsys, monkeypatch, width, "show", *folders)
        fits(out, width)
        rows = len(folders) - MOST_ROWS
        assert rows < 1 or f"…{rows}more:zhiyinshow" in joined(out)
        for folder in folders if width > 60 and len(folders) <= MOST_ROWS else ():
            summary = summary_of(folder)
            cells = [*figures(summary)["all"], f"{summary.states['error']:,}"]
            assert any(line.split()[-8:] == cells for line in out.splitlines()), (folder, out)


def compared(runs):
    return (
        (runs["ziqi-first"], runs["ziqi-second"]),
        (runs["muchomusic-first"], runs["muchomusic-second"]),
        (runs["chinese"], runs["long"]),
        tuple(folder for name, folder in runs.items() if name.startswith("ten/"))[:5],
    )


@pytest.mark.parametrize("width", [60, 80, 200])
def test_comparisons_fit_and_are_whole(runs, capsys, monkeypatch, width):
    for folders in compared(runs):
        out = shown(capsys, monkeypatch, width, "compare", *folders)
        fits(out, width)
        found = json.loads(shown(capsys, monkeypatch, width, "compare", *folders, "--json"))
        best = {run["label"] for run in found["ranking"][:2]}  # their pair stands first
        row = next(p["groups"][0] for p in found["pairs"] if {p["first"], p["second"]} == best)
        told = [f"{100 * share:.1f}" for share in sorted((row["first"], row["second"]))[::-1]]
        apart = f"{100 * abs(row['difference']):+.1f}"  # the better minus the other
        told.append("0.0" if apart == "+0.0" else apart)
        assert any(" ".join(told) in " ".join(line.split()) for line in out.splitlines()), out


@pytest.mark.sample(3)
@pytest.mark.parametrize("width", [60, 80, 200])
def test_other_results_are_within_the_width(runs, capsys, monkeypatch, tmp_path, width):
    for name in ("ziqi-first", "ziqi-rotated", "chinese", "names"):
        fits(shown(capsys, monkeypatch, width, "stats", "health", runs[name]), width)
    fits(
        shown(capsys, monkeypatch, width, "judge", runs["appraisal-first"], "-m", "lexical"), width
    )
    many = [runs[name] for name in ("ziqi-first", "ziqi-rotated", "chinese", "names", "long")]
    several = shown(capsys, monkeypatch, width, "stats", "health", *many)
    fits(several, width)
    for run in many:  # a row for each, with the figures of its own
        one = json.loads(shown(capsys, monkeypatch, width, "stats", "health", run, "--json"))
        mean = f"{100 * one['groups'][0]['accuracy']['mean']:.1f}"
        assert width < 80 or any(mean in line.split() for line in several.splitlines())
    root = runs["ziqi-first"].parent
    board = shown(capsys, monkeypatch, width, "leaderboard", root, "--apart", "-o", tmp_path / "b")
    fits(board, width)
    many = runs["chinese"].parent
    board = shown(capsys, monkeypatch, width, "leaderboard", many, "--apart", "-o", tmp_path / "c")
    fits(board, width)


def test_every_figure_is_that_of_the_records(runs, capsys, monkeypatch):
    """Counted again from the lines of the log, by nothing of ours."""
    for name in ("ziqi-first", "ziqi-second", "own-overlap", "chinese", "partial", "grid", "ten/3"):
        lines = (runs[name] / "records.jsonl").read_text("utf-8").splitlines()
        records = [json.loads(line) for line in lines]
        groups = {}
        for record in records:
            for group in {"all", *record["trial"].get("groups", ())}:
                groups.setdefault(group, Counter())[record["verdict"]["state"]] += 1
        out = shown(capsys, monkeypatch, 120, "show", runs[name], "--groups", "all")
        rows = Counter(tuple(row[:3] + row[4:]) for row in rows_in(out))
        for states in groups.values():
            n = states.total() - states["error"]
            given = states["correct"] + states["wrong"]
            right = states["correct"]
            shares = (right / n if n else None, right / given if given else None,
                      2 * right / (n + given) if n else None, given / n if n else None)  # fmt: skip
            cells = ["-" if share is None else f"{100 * share:.1f}" for share in shares]
            assert rows[(str(n), str(given), *cells)] > 0, (name, states, out)


def test_sentences_stay_whole_in_a_pipe(runs, capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    main(["show", str(runs["ziqi-first"])])
    (line,) = [
        x for x in capsys.readouterr().out.splitlines() if "warning: 1 trial failed and is" in x
    ]
    assert line.endswith("asks it again")


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1", "TERM": "xterm"}, True),
        ({"FORCE_COLOR": "1", "TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, False),
        ({"FORCE_COLOR": "0", "TERM": "xterm"}, False),
    ],
)
def test_colours_are_as_the_environment_asks(runs, capsys, monkeypatch, variables, coloured):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    main(["show", str(runs["ziqi-first"])])
    out = capsys.readouterr().out
    assert bool(re.search(r"\x1b\[[\d;]*3[0-7]", out)) == coloured


@given(
    st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), min_size=1, max_size=80),
    st.integers(4, 60),
)
def test_a_shortened_name_fits_and_keeps_its_numbers_whole(name, cells):
    short = shortened(name, cells)
    assume(name.isprintable())
    assert cell_len(short) <= max(cells, 3)
    plain = " ".join(name.split())
    if short != plain:
        numbers = set(re.findall(r"[0-9]+", plain))
        assert set(re.findall(r"[0-9]+", short)) <= numbers


@given(st.lists(st.sampled_from(["a", "b", "a/x", "a/y", "b/x", "a/x/1", "c", "d/e"]), unique=True),
       st.integers(1, 9))  # fmt: skip
def test_wide_groups_stay_longest(names, most):
    names = ["all", *names]
    tree = GroupTree(names, {})
    rows = [Row((name,), tree.level(name), tree.weight(name, 1)) for name in names]
    kept = table_of("groups", {"group": "text"}, rows).heaviest(most).rows
    assert len(kept) == min(most, len(names))
    assert [row for row in rows if row in kept] == list(kept)
    assert kept[0].cells == ("all",)
    assert max(row.level for row in kept) <= min(
        (row.level for row in rows if row not in kept), default=9
    )


def test_progress_tells_rate_time_left_and_cost(monkeypatch, capsys):
    from zhiyin.cost.budget import Budget, Pace
    from zhiyin.cost.ledger import Ledger
    from zhiyin.cost.prices import Price
    from zhiyin.engine.scoring import Count

    progress = Progress(100, 10)
    progress._begun -= 30
    ledger = Ledger(Budget(usd=5), Price(input=1.0, output=2.0))
    ledger.account.add(usd=0.4321)
    pace = Pace()
    progress.follow(ledger, pace)
    progress._printed -= 60
    with progress:
        progress.update(Count(correct=5, wrong=3, error=2), 20)
    told = capsys.readouterr().err
    there = "20 of 100 trials, 0.43 usd of 5, 20.0/min, 4 min left, in this session: 62.5 % correct"
    assert f"{there}, 2 errors" in told
    for width in (20, 40, 60, 80, 200):
        progress._console.width = width
        assert cell_len(progress._line().plain) <= max(width, 24)
    pace.hold(125.4)
    assert (
        "20 of 100 trials, 0.43 usd of 5, 20.0/min, the server asks to wait 2 min 5 s"
        in progress._line().plain
    )


@pytest.fixture
def left():
    """A pipe whose reader has left."""
    reader, writer = os.pipe()
    os.close(reader)
    with contextlib.suppress(BrokenPipeError), open(writer, "w") as stream:  # noqa: PTH123
        yield stream


def test_a_run_goes_on_when_the_reader_of_its_progress_has_left(left):
    from zhiyin.engine.scoring import Count

    progress = Progress(100, 0)
    progress._console.file = left
    with progress:
        for done in (1, 2):
            progress._printed -= 60
            progress.update(Count(correct=done), done)
    assert progress._console.quiet
    progress._console.quiet = False
    progress._console.file = Path("/dev/full").open("w", buffering=1)  # noqa: SIM115
    progress._printed -= 60
    progress.update(Count(correct=3), 3)
    assert progress._console.quiet


def test_a_first_interrupt_says_what_it_does(capsys):
    Progress(100, 0).stopping(5.0)
    assert "waiting up to 5 s for replies; Ctrl-C again drops them" in capsys.readouterr().err


def test_results_whose_reader_has_left_are_no_failure(left):
    with pytest.raises(BrokenPipeError):  # of which `main` makes status 141
        Terminal(file=left).print("a line")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "0 s"), (59.6, "1 min"), (61, "1 min 1 s"), (7500, "2 h 5 min"), (273_600, "3 d 4 h")],
)
def test_times_in_words(seconds, words):
    assert in_words(seconds) == words


def test_groups_of_one_last_name_are_distinguished_in_a_comparison(tmp_path, capsys, monkeypatch):
    cells = [("chords", "audio", shots, "cot") for shots in ("zero", "few")]
    for name, letters in (("one", "ABCD"), ("two", "ABBA")):
        records = [answered(cell_trial(n, c), letters[n % 4]) for c in cells for n in range(4)]
        labelled(tmp_path / name, name, records)
    out = shown(capsys, monkeypatch, 80, "compare", tmp_path / "one", tmp_path / "two")
    assert "zero/cot" in out
    assert "few/cot" in out


def test_long_lists_are_whole_and_within_the_width(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    names = [f"maker/model-{n}" for n in range(59)] + ["bedrock/eu-central-1/" + "anthropic." * 8]
    rows = {
        name: {"input_cost_per_token": 1.125e-6, "output_cost_per_token": 2e-6,
               "litellm_provider": "x", "mode": "chat"}
        for name in names
    }  # fmt: skip
    table = tmp_path / "prices.json"
    table.write_text(json.dumps(rows))
    assert main(["prices", "import", str(table)]) == 0
    capsys.readouterr()
    for command in (
        ["prices"],
        ["data", "list"],
        ["reproduce"],
        ["plan", "--items", "900"],
        ["list"],
    ):
        assert main(command) == 0
        out = capsys.readouterr().out
        # a path has no blank to be wrapped at
        assert all(cell_len(line) <= 80 or "/" in line for line in out.splitlines()), command
        if command == ["prices"]:
            assert all(f"{name} " in out for name in names[:-1])
            assert joined(names[-1]) in re.sub(r"[\d.]+\s+-.*|\s", "", out)
            assert out.count("1.125 ") == 60


def test_what_stands_apart_from_a_leaderboard_is_told_with_its_reason(capsys, monkeypatch):
    from zhiyin.plugins.lab.exchange_command import print_boards
    from zhiyin.plugins.lab.leaderboard.board import Board, BoardRow
    from zhiyin.runs.measures import ACCURACY, Estimate
    from zhiyin.words.findings import Remark

    monkeypatch.setenv("COLUMNS", "80")
    run = BoardRow("ours", "run", {"accuracy, all": Estimate(ACCURACY, 0.5, 0.4, 0.6)}, "a", 100)
    dead = BoardRow("dead", "run", {}, notes=(Remark(what="no figure"),))
    why = Remark(what="their prompts are other ones")
    old = BoardRow("Old", "model", {"accuracy, all": Estimate(ACCURACY, 0.7)}, notes=(why,))
    board = Board("quiz", "quiz", ["accuracy, all"], [run, dead], 100, {}, {}, "A paper",
                  aside=[old])  # fmt: skip
    print_boards([board])
    shown = " ".join(capsys.readouterr().out.split())
    assert "1 published row stands apart, on the page: 1 (their prompts are other ones)" in shown
    assert "not ranked model dead no figure" in shown


@pytest.mark.parametrize("first", [0, 9])
def test_what_is_damaged_or_lost_is_always_shown(tmp_path, capsys, monkeypatch, first):
    """However much else there is to say: two remarks of a session that ask for something."""
    cells = product(("chords", "scales", "metre"), ("audio", "midi"), ("zero", "few"), ("a", "b"))
    trials = [cell_trial(n, cell) for n, cell in enumerate(cells)]
    records = [failed(t, f"cause {n}") if n % 5 == 0 else answered(t, None)
               for n, t in enumerate(trials)]  # fmt: skip
    folder = labelled(tmp_path / "run", "long", records, planned=90)
    manifest = read_manifest(folder)
    urgent = ["replies are not kept: replies.sqlite cannot be used (malformed); "
              "`zhiyin cache clear` begins a new one",
              "7 requests had expired and were handed in again"]  # fmt: skip
    usual = [f"a usual remark of no great weight, number {n}" for n in range(9)]
    manifest.remarks = [*usual[:first], *urgent, *usual[first:]]
    (folder / "run.json").write_bytes(msgspec.json.encode(manifest))
    out = shown(capsys, monkeypatch, 80, "show", folder)
    fits(out, 80)
    for remark in urgent:
        assert remark in " ".join(out.split()), out


@pytest.mark.parametrize(
    ("closing", "encoding", "shown"),
    [("", "ascii", b"\\xb1"), (">&-", "utf-8", b""), ("<&- >&- 2>&-", "utf-8", b"")],
)
def test_streams_that_are_closed_or_know_few_characters(closing, encoding, shown):
    """Nothing is written where a closed stream's number was given to a file."""
    plan = f"{shlex.quote(sys.executable)} -m zhiyin plan --difference 0.05 {closing}"
    variables = os.environ | {"PYTHONIOENCODING": encoding, "LC_ALL": "C"}
    done = subprocess.run(["sh", "-c", plan], capture_output=True, env=variables, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert shown in done.stdout
    assert bool(shown) == bool(done.stdout)


def on_a_terminal(words, lines=24, **variables):
    """What a command prints on a terminal of 80 letters, and whether a pager was asked."""
    import fcntl
    import pty
    import struct
    import termios

    main_end, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", lines, 80, 0, 0))
    set_otherwise = ("COLUMNS", "LINES", "NO_COLOR", "PAGER")
    clean = {k: v for k, v in os.environ.items() if k not in set_otherwise}
    process = subprocess.Popen(
        [sys.executable, "-m", "zhiyin", *map(str, words)], stdin=other, stdout=other,
        stderr=other, env={**clean, "TERM": "xterm", **variables},
    )  # fmt: skip
    os.close(other)
    printed = b""
    with contextlib.suppress(OSError):  # the end of a terminal
        while read := os.read(main_end, 65536):
            printed += read
    os.close(main_end)
    assert process.wait() == 0, printed
    return printed.decode().replace("\r\n", "\n")


PAGER = "sed s/^/paged:/"


def test_all_of_a_run_goes_through_a_pager_where_a_screen_does_not_hold_it(runs):
    words = ["show", runs["grid"], "--groups", "all"]
    out = on_a_terminal(words, PAGER=PAGER)
    assert all(line.startswith("paged:") for line in out.splitlines())
    assert "\x1b[1m" in out
    plain = on_a_terminal(words, PAGER=PAGER, NO_COLOR="1")
    assert not re.search(r"\x1b\[[\d;]*3[0-7]", plain)
    assert "paged:" not in on_a_terminal(words, lines=200, PAGER=PAGER)
    assert "paged:" not in on_a_terminal(words, PAGER=PAGER, TERM="dumb")


@pytest.mark.sample(3)
@pytest.mark.parametrize("pager", ["no-such-pager", "", "less '"])
def test_what_is_no_pager_keeps_nothing_back(runs, pager):
    words = ["show", runs["grid"], "--groups", "all"]
    assert "thirty-six cells" in on_a_terminal(words, PAGER=pager)


def test_a_pager_that_is_left_early_ends_nothing(runs):
    out = on_a_terminal(["show", runs["grid"], "--groups", "all"], PAGER="head -n 2")
    assert len(out.splitlines()) == 2


def test_there_is_no_pager_in_a_pipe(runs):
    words = [sys.executable, "-m", "zhiyin", "show", str(runs["grid"]), "--groups", "all"]
    done = subprocess.run(
        words,
        capture_output=True,
        env=os.environ | {"PAGER": PAGER, "FORCE_COLOR": "1"},
        check=True,
    )
    assert b"paged:" not in done.stdout
    assert done.stdout.count(b"\n") > 40


def test_runs_of_several_benchmarks_are_called_alike_in_table_and_warnings(tmp_path, capsys):
    """Two benchmarks, one model: a warning of "m" would be of either."""
    asked = [choice(n) for n in range(4)]
    right = [answered(trial, trial.target) for trial in asked]
    dead = [Record(trial.id, Verdict("error", None), trial, error="500") for trial in asked[1:]]
    one = write_run(tmp_path / "1", "toy", "m", [right[0], *dead])
    two = write_run(tmp_path / "2", "muchomusic", "m", right)
    assert main(["show", str(one), str(two)]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    rows = [line.split("  ")[0] for line in lines if "  100.0  " in line]
    assert rows == ["toy: m", "muchomusic: m"]
    assert any(line.startswith("warning: toy: m: 3 trials failed") for line in lines)
    assert any(line.startswith("muchomusic: not comparable with published") for line in lines)


@pytest.mark.parametrize("width", range(24, 60))
def test_a_number_and_its_unit_stay_on_one_line(width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    out = io.StringIO()
    console = Terminal(file=out, width=width, force_terminal=True, color_system=None)
    figures = ("3.5 s", "50.0 %", "12 points", "1.2 GB")
    console.say(
        f"it took {figures[0]} for {figures[1]} of them, {figures[2]} more than {figures[3]}"
    )
    lines = out.getvalue().splitlines()
    assert len(lines) > 1
    assert all(any(figure in line for line in lines) for figure in figures)


SMALL = Path(__file__).parent.parent / "data" / "ziqi_small"


RUN = ["run", "ziqi", "--data", str(SMALL), "--partial", "--quiet"]


@pytest.fixture(scope="module")
def small_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "run"
    assert cli.main([*RUN, "-m", "first", "--out", str(folder)]) == 0
    return folder


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_results_that_cannot_be_printed_are_one_line(small_run, flags):
    with Path("/dev/full").open("w") as full:
        process = warm.Started(["show", small_run, *flags], stdout=full, stderr=subprocess.PIPE)
        _, said = process.communicate()
    assert process.returncode == 2
    assert said.count("\n") == 1
    assert "No space left" in said


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["show", "RUN", "--groups", "all"], 0),
        (["show", "RUN", "--json"], 0),
        (["verify", "RUN"], 1),
    ],
)
def test_a_reader_that_leaves_does_not_change_the_exit_status(small_run, tmp_path, words, status):
    run = shutil.copytree(small_run, tmp_path / "run")
    if words[0] == "verify":
        (run / "records.jsonl").write_text((run / "records.jsonl").read_text()[:-1] + " \n")
    for also_errors in (False, True):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            [sys.executable, "-m", "zhiyin", *[str(run) if w == "RUN" else w for w in words]],
            stdout=writer, stderr=writer if also_errors else subprocess.DEVNULL, check=False,
        )  # fmt: skip
        os.close(writer)
        assert done.returncode == status


def numbers(text):
    return re.findall(r"\d+(?:\.\d+)?", text)


def test_figures_are_never_cut(tmp_path, capsys, monkeypatch):
    asked = mucho_trials(20, audio=("true", "noise"))
    runs = []
    for place in range(4):
        name = f"a-model-with-rather-a-long-name-{place}"
        records = map(student(name, 0.3 + place / 10), asked)
        runs.append(str(write_run(tmp_path / name, "muchomusic", name, records)))
    for command in (
        ["show", *runs],
        ["show", runs[0]],
        ["compare", *runs],
        ["stats", "health", runs[0]],
    ):
        command = [*command, "--groups", "all"]  # a screen leaves rows out where it is narrow
        monkeypatch.setenv("COLUMNS", "400")
        assert main(command) == 0
        wide = numbers(capsys.readouterr().out)
        for width in ("80", "60"):
            monkeypatch.setenv("COLUMNS", width)
            assert main(command) == 0
            narrow = capsys.readouterr().out
            lost = set(wide) - set(numbers(narrow))
            assert not lost, (command[0], width, lost)
            assert not re.search(r"^\s*[.\d]+\s*$", narrow, re.MULTILINE), command[0]


def test_control_characters_are_shown():
    assert printable("a\x1b[2Jb\x00\x7f\x9b\u202e\ud800c\n\t音") == (
        r"a\x1b[2Jb\x00\x7f\x9b\u202e\ud800c" + "\n\t音"
    )


@pytest.fixture
def run(tmp_path):
    """A run whose every word wants to steer the terminal."""
    folder = tmp_path / "run"
    evil = "\x1b[2J\x1b]0;owned\x07"
    manifest = Manifest(f"toy{evil}", f"model{evil}", {}, {}, 3, remarks=[f"remark{evil}"])
    with RunFolder(folder, manifest) as log:
        log.append(judge_help.choice("right", f"=1+1{evil}", "correct"))
        log.append(
            judge_help.choice("wrong", f"It is hard to tell{evil} from this clip.", "no_answer")
        )
        log.append(judge_help.choice("guess", f"My best guess is{evil} B", "wrong"))
    return folder


@pytest.mark.parametrize(
    "words",
    [
        ["show", "{run}"],
        ["judge", "{run}", "-m", "lexical", "--aspects", "failures"],
        ["stats", "health", "{run}"],
        ["show", "{run}/\x1b[2J"],
        ["list", "\x1b[2J"],
        ["compare", "{run}", "{run}"],
    ],
)
def test_no_command_passes_escape_sequences_on(run, words, capsys):
    main([word.format(run=run) for word in words])
    said = capsys.readouterr()
    assert not {"\x1b", "\x07"} & set(said.out + said.err)
    assert said.out + said.err


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3+cmd", "'-2+3+cmd"),
        ("@SUM(1)", "'@SUM(1)"),
        ("\t=1", "'\t=1"),
        ("＝1+1", "'＝1+1"),
        ("-3.5", "-3.5"),
        ("-", "-"),
        ("A", "A"),
        (-3.5, -3.5),
        (None, ""),
    ],
)
def test_a_formula_is_a_text(cell, written):
    assert csv_cell(cell) == written
    assert csv_row([cell]) == [written]


def test_a_csv_export_holds_no_formula(run, tmp_path):
    pytest.importorskip("polars")
    export([run], "csv", tmp_path / "a.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text("utf-8"))))
    assert rows[0]["reply"].startswith("'=1+1")
    assert not any(cell.startswith(("=", "+", "@")) for row in rows for cell in row.values())
