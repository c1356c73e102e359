"""Published run logs as runs: read by both rules, refused where something is wrong."""

import json

import pytest

from english_help import in_english
from muse_help import right_answer, write_log
from said_help import texts
from zhiyin import cli
from zhiyin.contract.registry import open_benchmark
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.muse.logs import MODELS, find_logs, import_logs, read_log
from zhiyin.plugins.benchmarks.muse.results import accuracies, printed, sections
from zhiyin.plugins.benchmarks.muse.tasks import MODES, TASKS
from zhiyin.runs.rows import rows_of


def all_right(folder, model="made-1.0", label="Made", joined=False):
    for task in ("transposition", "instrumentID"):
        for mode in MODES:
            for group in "AB":
                for seed in (1, 2, 3):
                    write_log(
                        folder, task, mode, group, seed, right_answer, label, model, joined=joined
                    )
    return folder


@pytest.mark.slow
def test_logs_become_a_run_of_each_model(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    all_right(tmp_path / "logs" / "one")
    all_right(tmp_path / "logs" / "two", "maker/audio-flamingo-3-chat", "AF3", joined=True)
    assert cli.main(["import", "muse", "logs", "--out", "runs", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["runs"]
    assert {run["model"] for run in told} == {"made-1.0", "maker/audio-flamingo-3-chat"}
    for run in told:
        assert run["groups"]["all"]["accuracy"] == 1.0
        assert run["groups"]["transposition/cot"]["n"] == 60
    assert cli.main(["import", "muse", "logs", "-m", "x", "--out", "named"]) == 2
    assert "import one at a time" in capsys.readouterr().err
    with pytest.raises(InputError, match="the same run as"):
        import_logs([all_right(tmp_path / "again"), tmp_path / "logs" / "one"], tmp_path / "both")


def test_the_difference_of_the_rules_is_said(tmp_path):
    def reply(item):
        if item.place == "A01":
            return ""
        return "piano, guitar, bass, drums" if item.place == "A02" else right_answer(item)

    def parsed(text):
        return {"": None, "piano, guitar, bass, drums": "D. Drums"}.get(text, text)

    write_log(
        tmp_path / "logs", "instrumentID", "cot", "A", 1, reply, "AF3", "n/audio-flamingo-3-chat",
        parsed=parsed,
    )  # fmt: skip
    (folder,) = import_logs([tmp_path / "logs"], tmp_path / "run")
    table, causes = in_english(sections(rows_of(folder), read_manifest(folder)))
    (row,) = table.rows
    # Nine of ten are in the published count: eight of them right. By ours, eight of ten.
    assert row[2:6] == [10, round(800 / 9, 2), 80.0, 1]
    assert causes.rows[0][:3] == ["instrument", "D", "none"]
    again = open_benchmark("muse", {"extract": "muse-af3-table"})
    states = [again.score(r.trial, r.exchange).state for r in read_records(folder)]
    assert states.count("ungraded") == 1  # left out, never wrong


def test_a_reply_without_an_answer_is_a_trial_of_the_log(tmp_path, capsys):
    """The runners write a parse error and go on; the published count leaves such a trial out."""
    no_stop, empty, vague = "Yes, these are the same melody", "", "They sound alike to me."
    odd = {"A01": no_stop, "A02": empty, "A03": vague}

    def reply(item):
        return odd.get(item.place, right_answer(item))

    path = write_log(
        tmp_path / "logs", "transposition", "cot", "A", 1, reply,
        parsed=lambda text: None if text in odd.values() else text,
    )  # fmt: skip
    log = read_log(path)
    assert len(log.answers) == 10
    assert sorted(a.reply for a in log.answers if a.parsed is None) == sorted(odd.values())
    assert sum(a.correct for a in log.answers) == 7
    (as_logged,) = import_logs([path], tmp_path / "logged", extract="muse")
    states = [record.verdict.state for record in read_records(as_logged)]
    assert (states.count("correct"), states.count("no_answer")) == (7, 3)  # the log's own verdicts
    (folder,) = import_logs([path], tmp_path / "run", extract="muse-table")
    states = [record.verdict.state for record in read_records(folder)]
    # Two are in no published count; the one without a full stop is, and is right or wrong.
    assert states.count("ungraded") == 2
    assert states.count("correct") + states.count("wrong") == 8
    table = in_english(sections(rows_of(folder), read_manifest(folder)))[0]
    assert table.rows[0][2] == 10
    made = accuracies([path])
    assert made.rows[0].replies == 8
    assert round(made.rows[0].rule * 8) == states.count("correct")
    (ours,) = import_logs([path], tmp_path / "ours")
    assert [r.verdict.state for r in read_records(ours)].count("no_answer") >= 1


def test_a_recording_that_was_missing_is_a_trial_that_nobody_was_asked(tmp_path):
    path = write_log(tmp_path, "transposition", "cot", "A", 1, right_answer, joined=True)
    text = path.read_text("utf-8")
    head, _, rest = text.partition("[COT/GroupA] Q3")
    _, _, rest = rest.partition("\n2025-09-07 15:37:18,605 - \n--- Question 4")
    missing = "Missing stimulus file: stimuli/x.wav\n2025-09-07 15:37:18,605 - \n--- Question 4"
    text = (head + missing + rest).replace("Correct: 10 out", "Correct: 9 out")
    path.write_text(text, "utf-8")
    log = read_log(path)
    assert (len(log.answers), log.unasked) == (9, 1)
    (folder,) = import_logs([path], tmp_path / "run")
    manifest = read_manifest(folder)
    assert manifest.planned == 10
    assert "1 trial was not asked: its recording was missing there" in texts(manifest.remarks)


FAULTS = {
    "breaks off": lambda text: text.partition("Total Correct")[0],
    "no published trial": lambda text: text.replace("M1_EbMaj_90.wav", "M1_Other.wav"),
    "its total says": lambda text: text.replace("Total Correct: 10", "Total Correct: 7"),
    "its settings say": lambda text: text.replace("seed=1", "seed=2"),
    "Config": lambda text: text.replace("Config: ", "Configured: "),
    "published answer is": lambda text: text.replace(
        "Evaluation: Correct", "Evaluation: Incorrect (expected=Maybe.)"
    ),
    "is it a log": lambda text: "",
    "unlike its name": lambda text: text.replace("[COT/GroupA]", "[SYSINST/GroupA]"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_log_is_one_clear_line(tmp_path, fault):
    path = write_log(tmp_path, "transposition", "cot", "A", 1, right_answer)
    assert len(read_log(path).answers) == 10
    path.write_text(FAULTS[fault](path.read_text("utf-8")), "utf-8")
    with pytest.raises(InputError, match=fault) as told:
        read_log(path)
    assert str(path) in str(told.value)
    assert "\n" not in str(told.value)


def test_a_name_that_says_nothing_and_an_empty_folder_are_refused(tmp_path):
    (tmp_path / "run.log").write_text("x", "utf-8")
    with pytest.raises(InputError, match="the name of a log is"):
        read_log(tmp_path / "run.log")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no \.log in it"):
        find_logs([tmp_path / "empty"])


@pytest.fixture(scope="module")
def published(shared, tmp_path_factory):
    """The runs of the published logs that are here."""
    if not (shared / "muse_tasks" / "logs").is_dir():
        pytest.skip("no logs of muse_tasks in the shared folder")
    return import_logs([shared / "muse_tasks" / "logs"], tmp_path_factory.mktemp("published"))


@pytest.mark.slow
def test_the_published_figures_come_of_the_published_replies(published):
    assert len(published) == 2
    cells = 0
    for folder in published:
        name = MODELS[read_manifest(folder).model.rpartition("/")[2]]
        table = in_english(sections(rows_of(folder), read_manifest(folder)))[0]
        titles = {task.title: task.name for task in TASKS.values()}
        for task, mode, trials, theirs, _, _, shown in table.rows:
            share = printed(name)[f"{titles[task]}/{mode}"]
            assert (trials, theirs, shown) == (60, share, theirs)
            cells += 1
    assert cells == 40


@pytest.mark.slow
def test_the_published_parse_is_repeated_for_every_reply(published):
    seen = 0
    for folder in published:
        rule = open_benchmark("muse", {"extract": read_manifest(folder).options["rule"]}).policy
        for record in read_records(folder):
            task = TASKS[record.trial.tags["task"]]
            letter = rule.extract(record.exchange.final.text, record.trial.options).letter
            assert record.trial.tags["parsed"] == (letter and task.answer(letter))
            seen += 1
    assert seen == 2400


@pytest.mark.slow
def test_the_only_replies_read_otherwise_are_a_refusal_that_lists_the_instruments(published):
    causes = []
    for folder in published:
        found = [
            s
            for s in in_english(sections(rows_of(folder), read_manifest(folder)))
            if s.title.startswith("Replies")
        ]
        causes += [row for section in found for row in section.rows]
    assert [row[:3] + row[4:] for row in causes] == [["instrument", "D", "none", 3]]
