"""Rows of a run say what a loop over its records says; runs side by side are the same trials."""

import statistics

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from columns_help import rows_from
from findings_help import answered, choice, failed, write_run
from zhiyin.engine.folder import RECORDS, read_records
from zhiyin.record import NOT_JUDGED, STATES
from zhiyin.runs import cache
from zhiyin.runs import rows as rows_module
from zhiyin.runs import table as table_module
from zhiyin.runs.estimates import Frame, estimate
from zhiyin.runs.measures import ACCURACY, Estimate
from zhiyin.runs.pairing import NOT_ASKED, Collation
from zhiyin.runs.rows import read_table, rows_of
from zhiyin.runs.table import RunTable

LETTERS = st.sampled_from(["A", "B", "C", "?", None])


def record_of(number, letter, tags, cluster):
    trial = choice(f"q{number}", groups=("g", f"g/{number % 3}"), gold="ABC"[number % 3], tags=tags)
    trial = msgspec.structs.replace(trial, item=f"i{number // 2}", cluster=cluster)
    return failed(trial) if letter is None else answered(trial, letter)


records = st.lists(
    st.tuples(
        LETTERS,
        st.sampled_from([{}, {"audio": "true"}, {"audio": "noise"}, {"step": 1}, {"step": True}]),
        st.sampled_from([None, "c1", "c2"]),
    ),
    min_size=1,
    max_size=30,
).map(lambda rows: [record_of(number, *row) for number, row in enumerate(rows)])


@pytest.mark.slow
@settings(suppress_health_check=list(HealthCheck))
@given(records)
def test_rows_say_what_a_loop_says(tmp_path_factory, made):
    folder = write_run(tmp_path_factory.mktemp("r"), "toy", "m", made)
    kept = list(read_records(folder))
    for rows in (rows_of(folder), rows_from(kept)):
        assert [row.id for row in rows] == [record.id for record in kept]
        assert [row.item for row in rows] == [record.trial.item for record in kept]
        assert [row.cluster for row in rows] == [record.trial.cluster for record in kept]
        assert [list(map(repr, row.tags.items())) for row in rows] == [
            list(map(repr, record.trial.tags.items())) for record in kept
        ]
        assert [row.state for row in rows] == [record.verdict.state for record in kept]
        assert [row.letter for row in rows] == [record.verdict.letter for record in kept]
        assert list(rows.records()) == kept
        judged = [record for record in kept if record.verdict.state not in NOT_JUDGED]
        assert [row.id for row in rows.judged] == [record.id for record in judged]
        plain = [r.id for r in judged if r.trial.tags.get("audio", "true") == "true"]
        assert [row.id for row in rows.judged.main] == plain
        by_group = {}
        for record in kept:
            for name in ("all", *record.trial.groups):
                by_group.setdefault(name, []).append(record.id)
        assert {n: [r.id for r in own] for n, own in rows.by_group().items()} == by_group
        if not judged:
            assert estimate(rows) == Estimate(ACCURACY)
            continue
        items = {}
        for record in judged:
            items.setdefault(record.trial.item, []).append(record.verdict.state == "correct")
        mean = statistics.fmean(map(statistics.fmean, items.values()))
        for own in (rows, Frame(rows, rows)):  # of two runs each item is averaged
            found = estimate(own)
            assert (found.value, found.items) == (pytest.approx(mean), len(items))


@pytest.mark.slow
@settings(suppress_health_check=list(HealthCheck))
@given(records, records, st.integers(0, 5))
def test_runs_side_by_side_are_the_same_trials(tmp_path_factory, one, two, other):
    """A trial that asks something else under the same name is another."""
    two = [
        record
        if number != other
        else msgspec.structs.replace(
            record, trial=msgspec.structs.replace(record.trial, stem="Something else?")
        )
        for number, record in enumerate(two)
    ]
    place = tmp_path_factory.mktemp("r")
    folders = [write_run(place / name, "toy", name, r) for name, r in (("a", one), ("b", two))]
    both = Collation({n: read_table(folder) for n, folder in enumerate(folders)})
    known = {}
    for run in (one, two):
        for record in run:
            known.setdefault((record.id, record.trial.stem), len(known))
    assert len(both) == len(known)
    for number, run in enumerate((one, two)):
        states = ["-"] * len(known)
        for record in run:
            states[known[record.id, record.trial.stem]] = record.verdict.state
        found = ["-" if c == NOT_ASKED else STATES[c] for c in both.states(number).tolist()]
        assert found == states
        counts = both.frame(number).count()
        assert counts.correct == states.count("correct")


def test_a_table_grows_with_its_log_and_is_made_anew_where_that_is_another(tmp_path, monkeypatch):
    monkeypatch.setattr(table_module, "is_being_written", lambda folder: True)
    made = [record_of(number, "A", {}, None) for number in range(6)]
    folder = write_run(tmp_path / "r", "toy", "m", made[:4])
    first = read_table(folder)
    held, question = first.state, first.question
    log = folder / RECORDS
    with log.open("ab") as file:
        file.write(msgspec.json.encode(made[4]) + b'\n{"torn')
    grown = read_table(folder)
    assert grown is first
    assert (len(grown), len(held), len(grown.question)) == (5, 4, 5)
    assert grown.question[:4].tolist() == question.tolist()
    lines = log.read_bytes().split(b"\n")
    log.write_bytes(
        b"\n".join([lines[1], lines[0], *lines[2:5], msgspec.json.encode(made[5])]) + b"\n"
    )
    anew = read_table(folder)
    assert anew is not first or len(anew) == 6
    assert [row.id for row in rows_of(folder)] == ["q1", "q0", "q2", "q3", "q4", "q5"]


def columns(table):
    return {
        **{name: getattr(table, name).tolist() for name in ("trial", "item", "start", "fact")},
        "kinds": [table.kinds[k] for k in table.kind.tolist()],
        "outcomes": [table.outcomes[o] for o in table.outcome.tolist()],
        "causes": [table.causes[c] for c in table.cause.tolist()],
        "question": table.question.tolist(),
        "scores": {name: table.scores(name).tolist() for name in table.score_names},
        "calls": [msgspec.to_builtins(alike.kind) for alike in table.calls()],
        "facts": table.facts,
        "paid": table.paid,
    }


@pytest.mark.slow
@settings(suppress_health_check=list(HealthCheck))
@given(records)
def test_a_table_that_is_kept_is_the_one_that_was_made(tmp_path_factory, made):
    place = tmp_path_factory.mktemp("r")
    folder = write_run(place / "run", "toy", "m", made)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZHIYIN_CACHE", str(place / "cache"))
        patch.setattr(cache, "_LEAST", 1)
        made_now = columns(read_table(folder, lambda trial: len(trial.stem), "words"))
        patch.setattr(rows_module, "_open", {})
        with patch.context() as broken:
            broken.setattr(RunTable, "extend", lambda self: pytest.fail("read again"))
            again = read_table(folder, lambda trial: len(trial.stem), "words")
            assert columns(again) == made_now
            patch.setattr(rows_module, "_open", {})
            assert columns(read_table(folder))["kinds"] == made_now["kinds"]
        with (folder / RECORDS).open("ab") as log:  # another log is read anew
            log.write(msgspec.json.encode(record_of(99, "A", {}, None)) + b"\n")
        patch.setattr(rows_module, "_open", {})
        assert len(read_table(folder)) == len(made) + 1
        for file in (place / "cache").rglob("*.table"):
            file.write_bytes(b"damaged")
        patch.setattr(rows_module, "_open", {})
        assert len(read_table(folder)) == len(made) + 1
