"""Published tables made again: from the published replies where they are, and from made ones."""

import csv
import io
import json
import shutil

import pytest

from cmi_help import LABELS, write_replies
from muse_help import right_answer, write_log
from scores_help import result_line, write_lines
from zhiyin.cli import main
from zhiyin.contract.published import ReproducedFigure
from zhiyin.plugins.benchmarks.cmi.results import published
from zhiyin.plugins.benchmarks.cmi.tasks import TASKS
from zhiyin.plugins.benchmarks.muse.results import printed
from zhiyin.plugins.benchmarks.muse.tasks import TASKS as MUSE_TASKS
from zhiyin.plugins.benchmarks.reproduce_command import closing_sentence
from zhiyin.plugins.composed.scores.benchmark import Scores


@pytest.fixture(autouse=True)
def _nothing_fetched(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_DATA", str(tmp_path / "fetched"))


def reproduce(capsys, *words):
    assert main(["reproduce", *map(str, words), "--json"]) == 0, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)


def refusal(capsys, *words):
    assert main(["reproduce", *map(str, words)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def row_of(found, what):
    (row,) = [row for row in found["rows"] if row["what"] == what]
    return row


# The published replies


@pytest.fixture
def replies(shared):
    def place(*parts):
        folder = shared.joinpath(*parts)
        if not folder.is_dir():
            pytest.skip(f"no {'/'.join(parts)} in the shared folder")
        return folder

    return place


@pytest.mark.slow
def test_all_published_accuracies_of_two_models_come_out_of_their_logs(replies, capsys):
    found = reproduce(capsys, "muse:accuracies", "--replies", replies("muse_tasks", "logs"))
    assert found["told"] == "All 40 published figures came out."
    models = {"Gemini 2.5 Flash", "Audio Flamingo 3"}
    wanted = {
        (m, f"{task.title}, {mode}"): printed(m)[f"{task.name}/{mode}"]
        for m in models
        for task in MUSE_TASKS.values()
        for mode in ("sysinst", "cot")
    }
    assert {(r["model"], r["what"]) for r in found["rows"]} == wanted.keys()
    for row in found["rows"]:
        share = wanted[row["model"], row["what"]]
        assert row["rule"] == pytest.approx(share / 100, abs=5e-5)  # printed with two decimals
    odd = [row for row in found["rows"] if row["remarks"]]
    assert len(odd) == 10
    assert all("contradicts itself" in row["remarks"][0] for row in odd)
    assert sum("no repetitions" in note for note in found["notes"]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("task", ["gs_key", "vocalset_tech", "gtzan_beat", "dsing", "guzheng_tech"])
def test_published_values_come_out_of_both_models_replies(replies, capsys, task):
    found = reproduce(capsys, f"cmi:{task}", "--replies", replies("cmi", "results"))
    known = [row for row in found["rows"] if row["published"] is not None]
    assert {row["model"] for row in known} == {"qwen2", "flamingo"}
    assert all(row["reproduced"] for row in known)
    for row in known:
        effects = [c["effect"] for c in row["causes"]]
        if row["ours"] is not None and None not in effects:
            assert sum(effects) == pytest.approx(row["ours"] - row["rule"], abs=1e-9)


@pytest.mark.trust
def test_all_published_values_come_out(replies, capsys):
    found = reproduce(capsys, "cmi", "--replies", replies("cmi", "results"))
    wanted = sum(
        len(figures) for model in published().values.values() for figures in model.values()
    )
    assert found["told"].startswith(f"All {wanted} published figures came out")


def test_what_is_missing_of_published_replies_is_counted(replies, capsys, tmp_path):
    """A file that lost its end, and one that holds rows twice: the figure differs, and why."""
    whole = json.loads(
        (replies("cmi", "results") / "qwen2" / "qwen2_GTZAN.jsonl").read_text("utf-8")
    )
    path = tmp_path / "qwen2_GTZAN.jsonl"
    path.write_text(json.dumps(whole[:200]))
    row = row_of(reproduce(capsys, "cmi:gtzan", "--replies", path), "GTZAN, accuracy")
    assert row["reproduced"] is False
    assert ("published", 90) in [(c["between"], c["count"]) for c in row["causes"]]
    path.write_text(json.dumps(whole + whole[:30]))
    found = reproduce(capsys, "cmi:gtzan", "--replies", path)
    counted = {c["what"]: c["count"] for c in row_of(found, "GTZAN, accuracy")["causes"]}
    assert counted["replies more than in the published file"] == 30
    assert counted["of them rows that stand twice, or ask of another part"] == 30
    assert "0 of 1 published figures came out, not qwen2, GTZAN, accuracy" in found["told"]


@pytest.mark.slow
@pytest.mark.parametrize(("split", "size"), [("public_test", 48), ("dev", 24)])
def test_music_bench_figures_come_out_under_its_own_name(replies, capsys, split, size):
    place = replies("music_bench")
    found = reproduce(capsys, f"music-bench:{split}", "--replies", place)
    assert found["told"] == "All 9 published figures came out."
    stored = {}
    for path in (place / split / "results").iterdir():
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for name, key in (("exact match", "exact_match"), ("note F1", "note_f1"),
                          ("edits", "edit_distance")):  # fmt: skip
            mean = sum(line["metrics"][key] for line in lines) / size
            stored[lines[0]["model"], f"{split}, {name}"] = mean
    assert {(r["model"], r["what"]): r["rule"] for r in found["rows"]} == pytest.approx(stored)
    assert reproduce(capsys, f"scores:{split}", "--replies", place) == found


# Made replies: other models, and each cause


def test_logs_of_another_model_have_no_published_figure(capsys, tmp_path):
    write_log(tmp_path, "oddballs", "cot", "A", 1, right_answer)
    found = reproduce(capsys, "muse:accuracies", "--replies", tmp_path)
    (row,) = found["rows"]
    assert (row["published"], row["rule"], row["ours"], row["reproduced"]) == (None, 1, 1, None)
    assert found["told"].startswith("No figure is published of these replies")


def test_lost_logs_empty_replies_and_forgiven_full_stops_are_counted(capsys, tmp_path):
    def say(item):
        if item.place == "A01":
            return ""
        return right_answer(item).rstrip(".") if item.place == "A02" else right_answer(item)

    def parsed(text):
        return text if text.endswith(".") else None

    for seed in (1, 2):
        write_log(
            tmp_path / "logs", "oddballs" if seed == 3 else "transposition", "cot", "A", seed, say,
            "G25Pro", "gemini-2.5-pro", parsed=parsed,
        )  # fmt: skip
    shutil.copytree(tmp_path / "logs", tmp_path / "logs" / "copy")
    found = reproduce(capsys, "muse:accuracies", "--replies", tmp_path / "logs")
    (row,) = found["rows"]
    assert row["model"] == "Gemini 2.5 Pro"
    assert (row["replies"], row["rule"], row["ours"]) == (18, 1.0, 0.9)
    assert row["published"] == pytest.approx(59 / 60, abs=5e-5)
    causes = {c["what"]: (c["between"], c["count"]) for c in row["causes"]}
    unread = "replies without an answer by the rule, which are in no published count"
    assert causes[unread] == ("ours", 2)
    assert causes["trials whose logs are not here (here are A1, A2)"] == ("published", 40)
    assert (
        causes["replies without the full stop that the runner wants and the table forgives"]
        == ("published", 2)
    )  # fmt: skip
    assert any(note.startswith("2 logs stand twice") for note in found["notes"])


@pytest.mark.slow
def test_replies_of_any_model_to_every_task(capsys, tmp_path):
    for task in LABELS:
        write_replies(tmp_path / f"other_{task}.jsonl", task, lambda label, index: f"{label}.")
    (tmp_path / "CMI_GTZAN.jsonl").write_text("a question file is none of replies")
    found = reproduce(capsys, "cmi", "--replies", tmp_path)
    assert {row["what"].partition(",")[0] for row in found["rows"]} == LABELS.keys() - {"MedleyDB"}
    assert {row["model"] for row in found["rows"]} == {"other"}
    beat = row_of(found, "gtzan_beat, F")
    assert (beat["rule"], beat["ours"]) == (0, 1)  # a full stop makes the published item nothing
    (cause,) = beat["causes"]
    assert cause["count"] == 4
    assert cause["effect"] == 1
    technique = row_of(found, "VocalSet_tech, accuracy")
    assert (technique["rule"], technique["ours"]) == (0.75, 1.0)
    assert technique["causes"][0]["what"].endswith(
        "the label holds another one, so the rule never takes it"
    )


def music_bench(folder, *said, model="made-1", name="made-1", split="public_test", **more):
    """A split with an example for each reply, all with the notes C4 D4, and the replies."""
    examples = [
        {
            "id": f"{split}-{n:04}", "image_path": f"images/{n}.png", "target_measure": 1,
            "question": "Which notes?", "answer_notes": ["C4", "D4"],
            "metadata": {"family_id": f"f{n // 2}", "family_role": "base"},
        }
        for n in range(len(said))
    ]  # fmt: skip
    write_lines(folder / split / "manifest.jsonl", examples)
    lines = [
        result_line(example, text, **{"model": model, **more})
        for example, text in zip(examples, said, strict=True)
    ]
    return write_lines(folder / split / "results" / f"{name}.jsonl", lines)


def test_each_cause_of_a_difference_in_reading_scores(capsys, tmp_path):
    """A fence, no reply at all, a wrong list: by the published rule, and by ours."""
    right = '{"notes": ["C4", "D4"]}'
    music_bench(tmp_path, right, f"```json\n{right}\n```", None, '{"notes": ["C4"]}')
    found = reproduce(capsys, "music-bench:public_test", "--replies", tmp_path)
    exact, f1, edits = (
        row_of(found, f"public_test, {name}") for name in ("exact match", "note F1", "edits")
    )
    assert (exact["published"], exact["replies"]) == (None, 4)
    assert (exact["rule"], exact["ours"]) == (0.25, pytest.approx(2 / 3))
    assert f1["rule"] == pytest.approx((1 + 2 / 3) / 4)
    assert f1["ours"] == pytest.approx((2 + 2 / 3) / 3)
    assert (edits["rule"], edits["ours"]) == ((0 + 2 + 2 + 1) / 4, pytest.approx(1 / 3))
    for row in (exact, f1, edits):
        assert sum(c["effect"] for c in row["causes"]) == pytest.approx(row["ours"] - row["rule"])
        fence, silent = row["causes"]
        assert (fence["count"], silent["count"]) == (1, 1)
        assert "invalid json" in fence["what"]


def test_lost_replies_of_a_published_model_are_the_cause(replies, capsys, tmp_path):
    place = replies("music_bench") / "dev"
    (tmp_path / "dev" / "results").mkdir(parents=True)
    shutil.copyfile(place / "manifest.jsonl", tmp_path / "dev" / "manifest.jsonl")
    lines = [
        json.loads(line)
        for line in (place / "results" / "openai-gpt-5.4.jsonl").read_text("utf-8").splitlines()
    ]
    right = [line for line in lines if line["metrics"]["exact_match"]]
    right[0]["raw_response"] = None
    write_lines(tmp_path / "dev" / "results" / "lost.jsonl", lines)
    found = reproduce(capsys, "music-bench:dev", "--replies", tmp_path)
    assert not any(row["reproduced"] for row in found["rows"])
    for row in found["rows"]:
        causes = {(c["between"], c["what"]): c["count"] for c in row["causes"]}
        assert causes["published", "examples whose lines have no reply"] == 1


def test_other_examples_are_never_compared_with_published_figures(capsys, tmp_path):
    music_bench(tmp_path, '{"notes": ["C4", "D4"]}', model="gpt-5.4")
    found = reproduce(capsys, "music-bench:public_test", "--replies", tmp_path)
    assert {row["published"] for row in found["rows"]} == {None}
    assert "has other examples" in found["rows"][0]["remarks"][0]


def test_replies_are_found_from_within_their_folder_and_beside_fetched_pictures(
    capsys, tmp_path, monkeypatch
):
    file = music_bench(tmp_path, '{"notes": ["C4", "D4"]}')
    monkeypatch.chdir(file.parent)
    (row, *_) = reproduce(capsys, "music-bench:public_test", "--replies", file.name)["rows"]
    assert row["what"].startswith("public_test")
    alone = tmp_path / "alone" / "public_test" / file.name
    alone.parent.mkdir(parents=True)
    shutil.copyfile(file, alone)
    assert "data fetch scores" in refusal(capsys, "music-bench:public_test", "--replies", alone)
    monkeypatch.setattr(Scores, "fetched", classmethod(lambda cls, options: str(tmp_path)))
    (row, *_) = reproduce(capsys, "music-bench", "--replies", alone)["rows"]
    assert (row["what"], row["rule"]) == ("public_test, exact match", 1)


def test_only_the_published_pictures_are_fetched(capsys, tmp_path):
    music_bench(tmp_path, '{"notes": ["C4", "D4"]}')
    assert main(["data", "fetch", "scores", "--from", str(tmp_path)]) == 2
    assert "manifest" in capsys.readouterr().err


def test_a_file_that_is_named_itself_may_be_called_anything(capsys, tmp_path):
    row = {
        "audio_path": "a.mp3", "question": "Who?", "options": ["x", "y"], "correct_answer": "A",
        "predicted_answer": "A", "is_correct": True,
    }  # fmt: skip
    saved = {"summary": {"qa_accuracy": 1.0}, "detailed_results": {"qa_results": [row]}}
    for name in ("mine.json", "results.txt", "comprehensive_demo_results.json"):
        (tmp_path / name).write_text(json.dumps(saved), "utf-8")
        for table in ("appraisal:results", "appraisal"):
            found = reproduce(capsys, table, "--replies", tmp_path / name)
            assert [row["published"] for row in found["rows"]] == [1.0]
    # In a folder, and where several tables are meant, names say which file is whose.
    found = reproduce(capsys, "appraisal", "--replies", tmp_path)
    assert {row["model"] for row in found["rows"]} == {"comprehensive_demo_results"}
    assert "no MODEL_GTZAN.jsonl" in refusal(capsys, "cmi", "--replies", tmp_path / "mine.json")
    other = tmp_path / "other.log"
    other.write_text("no log", "utf-8")
    for table in ("muse:accuracies", "cmi:gtzan", "music-bench:dev", "appraisal:results"):
        line = refusal(capsys, table, "--replies", other)
        assert "other.log" in line


def test_the_last_sentence_is_true_of_the_rows():
    def row(published, rule):
        return ReproducedFigure("m", "f", published, rule, None, 1)

    assert closing_sentence([row(0.5, 0.50004)]) == "The one published figure came out."
    assert closing_sentence([row(0.5, 0.5), row(0.5, 0.51), row(None, 1)]) == (
        "1 of 2 published figures came out, not m, f; of 1 further row nothing is published."
    )
    assert closing_sentence([row(0.5, None)]).startswith("0 of 1 published figures came out")
    assert closing_sentence([row(None, 0.5)]).startswith("No figure is published of these replies")


def test_the_list_and_what_is_printed(capsys, tmp_path, monkeypatch):
    assert main(["reproduce"]) == 0
    listed = capsys.readouterr().out
    assert "muse:accuracies" in listed
    assert "cmi:gtzan" in listed
    tables = reproduce(capsys)["tables"]
    assert {t["table"] for t in tables if t["benchmark"] == "cmi"} == {
        f"cmi:{name.lower()}" for name in TASKS if name != "MedleyDB"
    }
    assert not any(t["files_here"] for t in tables)
    write_replies(tmp_path / "made_GTZAN.jsonl", "GTZAN", lambda label, index: "all of it")
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["reproduce", "cmi:gtzan", "--replies", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "GTZAN, accuracy, %" in printed
    assert max(map(len, printed.splitlines()[:3])) <= 80
    out = tmp_path / "rows.csv"
    assert main(["reproduce", "cmi:gtzan", "--replies", str(tmp_path), "--csv", str(out)]) == 0
    (line,) = csv.DictReader(io.StringIO(out.read_text("utf-8")))
    assert (line["table"], line["model"], line["by_rule"]) == ("cmi:gtzan", "made", "0.0")
    (tmp_path / "made_GTZAN.jsonl").rename(tmp_path / "=1+1_GTZAN.jsonl")
    assert main(["reproduce", "cmi:gtzan", "--replies", str(tmp_path), "--csv", str(out)]) == 0
    (line,) = csv.DictReader(io.StringIO(out.read_text("utf-8")))
    assert line["model"] == "'=1+1"  # no spreadsheet computes it


def test_bad_input_is_one_line(capsys, tmp_path):
    assert "unknown benchmark 'mus'" in refusal(capsys, "mus:accuracies")
    assert "did you mean accuracies" in refusal(capsys, "muse:accuracy")
    assert "declares no table" in refusal(capsys, "perception")
    assert "no replies; give" in refusal(capsys, "muse:accuracies")
    assert "no such file" in refusal(capsys, "muse:accuracies", "--replies", tmp_path / "x")
    assert "in " + str(tmp_path) in refusal(capsys, "cmi:gtzan", "--replies", tmp_path)
    assert "which table?" in refusal(capsys, "--replies", tmp_path)
    (tmp_path / "m_GTZAN.jsonl").write_text("[1")
    assert "not JSON" in refusal(capsys, "cmi:gtzan", "--replies", tmp_path)
    other = tmp_path / "b"
    other.mkdir()
    for folder, word in ((tmp_path, "rock"), (other, "jazz")):
        write_replies(folder / "m_GTZAN.jsonl", "GTZAN", lambda label, index, word=word: word)
    assert "holds other replies of m" in refusal(capsys, "cmi:gtzan", "--replies", tmp_path)
    assert "cannot be written" in refusal(
        capsys, "cmi:gtzan", "--replies", other, "--csv", tmp_path / "no" / "x.csv"
    )


# MMAU and MMAR


@pytest.mark.slow
def test_both_fields_and_both_keys_of_mmau_come_out(replies, capsys):
    places = replies("mmau_replies"), replies("mmau")
    found = reproduce(capsys, "mmau:desta25", "--replies", *places)
    assert found["told"] == "All 28 published figures came out."
    printed = {
        "model_prediction, all, keys of then": 66.00,
        "model_prediction, sound, keys of then": 70.57,
        "model_prediction, music, keys of then": 56.29,
        "model_prediction, speech, keys of then": 71.17,
        "model_output, all, keys of then": 59.70,
        "model_prediction, all, keys of today": 66.10,
        "model_output, all, keys of today": 59.80,
    }
    for what, percent in printed.items():
        row = row_of(found, what)
        assert round(100 * row["rule"], 2) == percent
        effects = [cause["effect"] for cause in row["causes"]]
        assert sum(effects) == pytest.approx(row["ours"] - row["rule"], abs=1e-9)


@pytest.mark.slow
def test_three_readings_of_mmar_come_out(replies, capsys):
    places = replies("mmar_replies"), replies("mmar")
    found = reproduce(capsys, "mmar:qwen25-omni", "--replies", *places)
    assert found["told"] == "All 2 published figures came out."
    assert round(99 * row_of(found, "whole reply")["rule"], 6) == 17
    parsed = row_of(found, "their parser")
    assert (round(99 * parsed["rule"], 6), round(99 * parsed["ours"], 6)) == (57, 58)
    assert any("no repetitions" in note for note in found["notes"])


def test_replies_without_their_questions_are_refused(capsys, tmp_path):
    path = tmp_path / "desta25_test_mini.jsonl"
    path.write_text('{"id": "1", "model_output": "Man", "model_prediction": "Man"}\n')
    assert "give mmau-test-mini.json with --replies too" in refusal(
        capsys, "mmau", "--replies", path
    )
    path = tmp_path / "mmau-test-mini.json"
    path.write_text("[]")
    assert "questions alone" in refusal(capsys, "mmau", "--replies", path)
