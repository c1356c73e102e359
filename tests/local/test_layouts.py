"""Questions in the files of other harnesses: whole, with their key, and read by those harnesses.

The harnesses are large and no part of our environment. Where they are importable here, or by the
interpreter that ``$ZHIYIN_HARNESS_PYTHON`` names (several with ":" between), their own readers read
what is written; tried with evalscope 1.14.1, lmms-eval 0.7.3 and ms-vlmeval 0.0.20.
"""

from __future__ import annotations

import base64
import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import PIL.Image
import pytest

from questions_help import jsonl, refused, tone
from zhiyin.cli import main
from zhiyin.models.replay import QuestionsManifest

PAIRS = ("pairs", "--n", "1", "--fact", "third", "--change", "gain")


def write(folder: Path, layout: str, *words: str) -> QuestionsManifest:
    assert main(["trials", *words, "--layout", layout, "--out", str(folder)]) == 0
    return msgspec.json.decode((folder / "manifest.json").read_bytes(), type=QuestionsManifest)


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def plain(folder: Path, *words: str) -> dict[str, dict]:
    """The same questions as `zhiyin trials` writes them without a key, by id."""
    write(folder, "chat", *words)
    return {row["id"]: row for row in rows(folder / "trials.jsonl")}


def spoken(row: dict) -> str:
    """The words of the last message of a question."""
    content = row["messages"][-1]["content"]
    if isinstance(content, str):
        return content
    return "\n\n".join(part["text"] for part in content if part["type"] == "text")


@pytest.fixture
def own(tmp_path) -> str:
    """Questions of one's own with sound: choices, and one that is free."""
    made = [
        {"id": f"secret-{n}", "question": f"Which, {n}?", "A": "do", "B": "re",
         "answer": "AB"[n % 2], "audio": tone(tmp_path / f"a{n}.wav", 300 + 50 * n).name}
        for n in range(4)
    ]  # fmt: skip
    free = {"id": "free", "question": "How many?", "answer": "7", "scorer": "number"}
    return str(jsonl(tmp_path / "mine.jsonl", *made, free))


def test_evalscope_gets_our_prompts_and_the_key(own, tmp_path, capsys) -> None:
    manifest = write(tmp_path / "out", "evalscope", own)
    told = capsys.readouterr().out
    assert "these files hold the right answers" in told
    assert "--datasets general_vmcq" in told
    assert manifest.holds_key
    assert manifest.files == ["default_val.jsonl", "default_test.jsonl"]
    asked = plain(tmp_path / "plain", own)
    chosen = rows(tmp_path / "out/default_val.jsonl")
    for row in chosen:
        there = asked[row["id"]]
        assert row["options"] == list(there["options"].values()) == ["do", "re"]
        number = int(there["question"].split()[1].rstrip("?"))
        assert row["answer"] == "AB"[number % 2]
        assert row["question"].replace("<audio 1>", "").strip() == spoken(there).strip()
        assert (tmp_path / "out" / row["audio_1"]).is_file()
    (free,) = rows(tmp_path / "out/default_test.jsonl")
    assert free["answer"] == "7"
    assert free["messages"][-1]["content"] == spoken(asked[free["id"]])
    assert len(chosen) + 1 == len(asked) == manifest.trials
    write(tmp_path / "out", "evalscope", own)  # in place of what it wrote before


@pytest.mark.slow
def test_lmms_eval_gets_a_task(own, tmp_path) -> None:
    manifest = write(tmp_path / "out", "lmms-eval", own)
    assert manifest.files == ["trials.jsonl", "zhiyin_questions_mine.yaml", "utils.py"]
    asked = plain(tmp_path / "plain", own)
    program = (
        "import json, sys; sys.path.insert(0, '.'); import utils\n"
        "for line in open('trials.jsonl', encoding='utf-8'):\n"
        "    doc = json.loads(line)\n"
        "    media = utils.doc_to_visual(doc)\n"
        "    said = ['{a}', 'Answer: {a}', '({a}) do', 'The answer is {a}.', 'Ahem']\n"
        "    right = [utils.process_results(doc, [s.format(a=doc['answer'])]) for s in said]\n"
        "    shapes = [[one['sampling_rate'], one['array'].ndim] for one in media]\n"
        "    print(json.dumps([doc['id'], utils.doc_to_text(doc), shapes, right]))\n"
    )
    done = subprocess.run([sys.executable, "-S", "-c", _SITE + program], cwd=tmp_path / "out",
                          capture_output=True, text=True, check=True)  # fmt: skip
    for line in done.stdout.splitlines():
        name, text, shapes, right = json.loads(line)
        assert text == spoken(asked[name])
        scores = [one["accuracy"] for one in right]
        if asked[name].get("options"):
            assert shapes == [[16000, 1]] or shapes[0][1] == 1
            assert scores == [1.0, 1.0, 1.0, 1.0, 0.0]
        else:
            assert (shapes, scores) == ([], [1.0, 0.0, 0.0, 0.0, 0.0])


_SITE = f"import sys; sys.path += {[p for p in sys.path if 'site-packages' in p]!r}\n"
"""For a process that finds the libraries, and not this package."""


@pytest.mark.slow
def test_vlmevalkit_gets_pictures_within_and_no_sound(own, tmp_path, capsys) -> None:
    assert "plays sound" in refused(capsys, "trials", own, "--layout", "vlmevalkit", "--out",
                                    tmp_path / "no")  # fmt: skip
    order = ("exercises", "--limit", "9")
    manifest = write(tmp_path / "out", "vlmevalkit", *order)
    asked = plain(tmp_path / "plain", *order)
    with (tmp_path / "out" / manifest.files[0]).open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file, delimiter="\t"))
    assert [line["index"] for line in lines] == list(map(str, range(9)))
    for line in lines:
        there = asked[line["id"]]
        assert there["question"] in line["question"]
        for letter, words in there["options"].items():
            assert line[letter] == words
        assert line["answer"] in there["options"]


def test_a_picture_stands_in_the_table(tmp_path) -> None:
    made = []
    for n in range(3):
        PIL.Image.new("RGB", (8, 8), (n, 9, 9)).save(tmp_path / f"p{n}.png")
        row = {"id": f"{n}", "question": f"Which, {n}?", "A": "do", "B": "re", "answer": "A"}
        made.append({**row, "image": f"p{n}.png"})
    path = jsonl(tmp_path / "mine.jsonl", *made)
    manifest = write(tmp_path / "out", "vlmevalkit", str(path))
    with (tmp_path / "out" / manifest.files[0]).open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file, delimiter="\t"))
    shown = {base64.b64decode(line["image"]) for line in lines}
    assert shown == {(tmp_path / f"p{n}.png").read_bytes() for n in range(3)}


def test_a_prompt_that_says_more_than_the_question_stays_whole(tmp_path) -> None:
    """Notes in letters stand in the prompt alone: the question without it could not be answered."""
    order = ("bodies", "--body", "abc", "--skill", "pitch", "--n", "2")
    manifest = write(tmp_path / "out", "vlmevalkit", *order)
    text = (tmp_path / "out" / manifest.files[0]).read_text("utf-8")
    for row in plain(tmp_path / "plain", *order).values():
        notes = next(line for line in spoken(row).splitlines() if line.startswith("K:"))
        assert notes in text


def test_a_batch_holds_no_key_and_is_what_a_run_would_send(own, tmp_path, capsys) -> None:
    from zhiyin.plugins.local.batch_apis import OpenAIBatches

    manifest = write(tmp_path / "out", "openai-batch", own)
    assert "right answers" not in capsys.readouterr().out
    assert not manifest.holds_key
    asked = plain(tmp_path / "plain", own)
    lines = rows(tmp_path / "out/batch-001.jsonl")
    assert len(lines) == len(asked) < OpenAIBatches.most
    for line in lines:
        assert set(line) == {"custom_id", "method", "url", "body"}
        assert line["url"] == "/v1/chat/completions"
        body, there = line["body"], asked[line["custom_id"]]
        assert body["model"] == "MODEL"
        assert body["temperature"] == there["settings"]["temperature"]
        content = body["messages"][-1]["content"]
        if isinstance(content, str):
            assert content == spoken(there)
            continue
        words = "\n\n".join(part["text"] for part in content if part["type"] == "text")
        assert words == spoken(there)
        (sound,) = [part["input_audio"] for part in content if part["type"] == "input_audio"]
        assert base64.b64decode(sound["data"]).startswith(b"RIFF")
        assert sound["format"] == "wav"
    assert "secret" not in (tmp_path / "out/batch-001.jsonl").read_text("utf-8")


@pytest.mark.slow
def test_what_has_no_place_in_a_layout_is_said(tmp_path, capsys) -> None:
    row = {"id": "2", "question": "Which?", "A": "do", "B": "re", "C": "mi", "answer": "A,C"}
    path = jsonl(tmp_path / "several.jsonl", row)
    line = refused(capsys, "trials", path, "--layout", "evalscope", "--out", tmp_path / "out")
    assert "has several right answers, and it wants one" in line
    line = refused(capsys, "trials", "appraisal", "--source", "generated", "--layout",
                   "lmms-eval", "--out", tmp_path / "out")  # fmt: skip
    assert "no right answer" in line
    assert not (tmp_path / "out").exists()


# Read by the harnesses themselves


def python_with(package: str) -> str:
    for python in (sys.executable, *os.environ.get("ZHIYIN_HARNESS_PYTHON", "").split(":")):
        probe = f"import importlib.util as u, sys; sys.exit(u.find_spec({package!r}) is None)"
        if python and subprocess.run([python, "-c", probe], check=False).returncode == 0:
            return python
    pytest.skip(f"{package} is not here: name an interpreter in $ZHIYIN_HARNESS_PYTHON")


def read_by(package: str, program: str, folder: Path) -> list:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    environment |= {"HF_HUB_OFFLINE": "1", "LMUData": str(folder)}
    done = subprocess.run(
        [python_with(package), "-c", program], cwd=folder, env=environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


@pytest.mark.slow
def test_evalscope_reads_it(tmp_path) -> None:
    manifest = write(tmp_path / "out", "evalscope", *PAIRS)
    settings = json.loads(manifest.use.partition("--dataset-args '")[2].rstrip("'"))
    found = read_by("evalscope", (
        "import json\n"
        "from evalscope import TaskConfig\n"
        "from evalscope.api.registry import get_benchmark\n"
        f"settings = {settings!r}\n"
        "name = 'general_vmcq'\n"
        "config = TaskConfig(model='mock', eval_type='mock_llm', datasets=[name],\n"
        "                    dataset_args=settings)\n"
        "read = get_benchmark(name, config).load_dataset()\n"
        "print(json.dumps([[s.target, list(s.choices), [[m.role, m.text] for m in s.input],\n"
        "    [c.audio for m in s.input if not isinstance(m.content, str)\n"
        "     for c in m.content if c.type == 'audio']]\n"
        "    for part in read.values() for s in part]))\n"
    ), tmp_path / "out")  # fmt: skip
    written = rows(tmp_path / "out/default_val.jsonl")
    asked = plain(tmp_path / "plain", *PAIRS)
    assert len(found) == len(written) == len(asked)
    for (target, choices, messages, sounds), row in zip(found, written, strict=True):
        assert (target, choices) == (row["answer"], row["options"])
        there = asked[row["id"]]
        assert messages[0] == ["system", there["messages"][0]["content"]]
        assert messages[-1][1].split() == spoken(there).split()
        assert sounds == [row[name] for name in row if name.startswith("audio_")]


@pytest.mark.slow
def test_lmms_eval_reads_it(tmp_path) -> None:
    write(tmp_path / "out", "lmms-eval", *PAIRS)
    found = read_by("lmms_eval", (
        "import json\n"
        "from lmms_eval.tasks import TaskManager, get_task_dict\n"
        "manager = TaskManager(include_path='.', include_defaults=False)\n"
        "task = get_task_dict(['zhiyin_pairs'], manager)['zhiyin_pairs']\n"
        "print(json.dumps([[d['id'], task.doc_to_text(d), task.doc_to_target(d),\n"
        "    [len(s['array']) for s in task.doc_to_visual(d)],\n"
        "    task.process_results(d, ['Answer: ' + d['answer']])] for d in task.test_docs()]))\n"
    ), tmp_path / "out")  # fmt: skip
    asked = plain(tmp_path / "plain", *PAIRS)
    assert {one[0] for one in found} == set(asked)
    for name, text, target, sounds, scores in found:
        assert text.endswith(spoken(asked[name]))
        assert target in asked[name]["options"]
        assert all(sounds)
        assert scores == {"accuracy": 1.0}


@pytest.mark.slow
def test_vlmevalkit_reads_it(tmp_path) -> None:
    """Its readers alone: the package imports every model and data set that it knows."""
    order = ("exercises", "--limit", "9")
    write(tmp_path / "out", "vlmevalkit", *order)
    found = read_by("vlmeval", (
        "import importlib.util, json, sys, types\n"
        "root = importlib.util.find_spec('vlmeval').submodule_search_locations[0]\n"
        "for name in ('vlmeval', 'vlmeval.dataset', 'vlmeval.dataset.utils'):\n"
        "    package = types.ModuleType(name)\n"
        "    package.__path__ = [root + name.removeprefix('vlmeval').replace('.', '/')]\n"
        "    sys.modules[name] = package\n"
        "package.DEBUG_MESSAGE, package.build_judge = '', None\n"
        "from vlmeval.dataset.text_mcq import CustomTextMCQDataset\n"
        "data = CustomTextMCQDataset(dataset='zhiyin_exercises')\n"
        "print(json.dumps([[data.build_prompt(n)[-1]['value'], *map(str, data.data.iloc[n][\n"
        "    ['id', 'answer']])] for n in range(len(data))]))\n"
    ), tmp_path / "out")  # fmt: skip
    asked = plain(tmp_path / "plain", *order)
    assert len(found) == len(asked)
    for text, name, answer in found:
        there = asked[name]
        assert there["question"] in text
        assert all(f"{letter}. {words}" in text for letter, words in there["options"].items())
        assert answer in there["options"]
