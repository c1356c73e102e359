"""Programs over pipes: what they are given, and what becomes of those that fail."""

import asyncio
import json
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from conftest import REPOSITORY
from questions_help import jsonl, tone
from zhiyin.cli import main
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.errors import FatalError, InputError, ModelError, TransientError
from zhiyin.models import open_model
from zhiyin.plugins.local import pipe
from zhiyin.record import Sampling
from zhiyin.sound import audio_part
from zhiyin.trial import Message, Text, Trial, say

pytestmark = pytest.mark.slow

START = """
import json, os, sys, time
def tell(line):
    sys.stdout.write(json.dumps(line) + "\\n")
    sys.stdout.flush()
tell({"zhiyin": 1, "name": "scripted", "at_once": 4})
for line in sys.stdin:
    asked = json.loads(line)
    words = " ".join(p.get("text", "") for t in asked["messages"] for p in t["content"])
"""


@pytest.fixture
def program(tmp_path):
    """A model whose program answers by some lines of Python; `words` are what it was asked."""

    def make(body: str, timeout: float = 20.0, start: str = START):
        path = tmp_path / f"program{len(list(tmp_path.iterdir()))}.py"
        indented = "".join(f"    {line}\n" for line in body.strip().splitlines())
        path.write_text(start + indented)
        return open_model(f"subprocess:{sys.executable} {path}", timeout=timeout)

    return make


ECHO = 'tell({"id": asked["id"], "text": words[::-1], "tokens": {"prompt_tokens": 3}})'


def ask(model, *questions: str, check: bool = True):
    async def all_of_them():
        try:
            if check:
                await model.check()
            found = []
            for words in questions:
                trial = Trial(words, (say("user", words),))
                try:
                    found.append(await model.generate(trial.messages, Sampling(), trial))
                except ModelError as error:
                    found.append(error)
            return found
        finally:
            await model.close()

    return asyncio.run(all_of_them())


def test_answers_come_back_whatever_their_order(program):
    held = """
waiting = globals().setdefault("waiting", [])
waiting.append((asked["id"], words))
if len(waiting) == 4:
    for number, text in reversed(waiting):
        tell({"id": number, "text": text[::-1]})
    waiting.clear()
"""
    model = program(held)

    async def together():
        await model.check()
        assert model.concurrency == 4
        trials = [Trial(f"t{n}", (say("user", f"question {n}"),)) for n in range(8)]
        asked = (model.generate(t.messages, Sampling(), t) for t in trials)
        try:
            return await asyncio.gather(*asked)
        finally:
            await model.close()

    texts = [reply.text for reply in asyncio.run(together())]
    assert texts == [f"question {n}"[::-1] for n in range(8)]


def test_what_is_handed_over_tells_no_answer(program, tmp_path):
    sound = audio_part(tone(tmp_path / "the-answer-is-B.wav", seconds=0.5))
    message = Message("user", (sound, Text("What?")))
    trial = Trial("secret-id", (say("system", "Be brief."), message), target="B")
    model = program(
        'tell({"id": asked["id"], "text": line, "seconds_heard": [0.25], "finish": "length",'
        ' "tokens": {"prompt_tokens": 3}, "reasoning": "hm"})'
    )

    async def once():
        await model.check()
        sampling = Sampling(temperature=0.5, max_tokens=7, seed=3)
        reply = await model.generate(trial.messages, sampling, trial)
        path = json.loads(reply.text)["messages"][1]["content"][0]["path"]
        same = Path(path).read_bytes() == Path(sound.path).read_bytes()
        await model.close()
        return reply, path, same

    reply, path, same = asyncio.run(once())
    assert same
    assert not Path(path).exists(), "the copies are deleted"
    assert "secret" not in reply.text
    assert "answer-is" not in reply.text
    given = json.loads(reply.text)
    assert given["sampling"] == {"temperature": 0.5, "max_tokens": 7, "seed": 3}
    assert [turn["role"] for turn in given["messages"]] == ["system", "user"]
    assert given["messages"][1]["content"][0]["seconds"] == 0.5
    assert reply.finish == "length"
    assert reply.usage == {"prompt_tokens": 3}
    assert reply.detail["audio_seconds"] == 0.5
    assert reply.detail["audio_seconds_heard"] == 0.25
    assert reply.detail["reasoning"] == "hm"


FAULTS = {
    "dies": ("os._exit(3)", "exit status 3"),
    "is killed": ("os.kill(os.getpid(), 9)", "SIGKILL"),
    "rubbish": ('print("Loading: 10 %", flush=True)', "which is no answer"),
    "cut JSON": ('print(\'{"id": 1, "te\', flush=True)', "which is no answer"),
    "no UTF-8": (r'sys.stdout.buffer.write(b"\xff\xfe\n"); sys.stdout.flush()', "no answer"),
    "wrong types": ('tell({"id": asked["id"], "text": 5})', "which is no answer"),
    "an id of nobody": ('tell({"id": 999, "text": "B"})', "which was not asked"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_program_that_fails_is_started_again_and_that_is_told(fault, program):
    doing, told = FAULTS[fault]
    model = program(f"if 'bad' in words:\n    {doing}\nelse:\n    {ECHO}")
    found = ask(model, "abc", "bad", "def")
    assert found[0].text == "cba"
    assert isinstance(found[1], TransientError)
    assert told in str(found[1])
    assert "\n" not in str(found[1])
    assert found[2].text == "fed", "it goes on with a fresh program"
    lines = model.report()
    assert len(lines) == 1
    assert "started again once" in lines[0]
    assert told in lines[0]


def test_a_program_that_never_answers_says_what_is_wrong_with_it(program):
    found = ask(program('tell({"id": asked["id"], "text": 5})'), "a", "b", "c", "d")
    assert isinstance(found[-1], FatalError)
    assert "3 times and gave no answer: it wrote" in str(found[-1])
    assert "Expected `str | null`, got `int`" in str(found[-1])


def test_a_line_without_end_is_given_up(program, monkeypatch):
    monkeypatch.setattr(pipe, "LONGEST_LINE", 2**20)
    huge = 'sys.stdout.write("x" * 3_000_000 + "\\n"); sys.stdout.flush()'
    model = program(f"if 'bad' in words:\n    {huge}\nelse:\n    {ECHO}")
    found = ask(model, "bad", "abc")
    assert "a line of more than 1 MB" in str(found[0])
    assert found[1].text == "cba"


def test_a_program_that_hangs_is_ended_with_all_that_it_started(program, tmp_path):
    child = tmp_path / "child"
    hang = (
        "import subprocess\n"
        "    one = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"    open({str(child)!r}, 'w').write(str(one.pid))\n"
        "    time.sleep(600)"
    )
    model = program(f"if 'bad' in words:\n    {hang}\nelse:\n    {ECHO}", timeout=3.0)
    found = ask(model, "abc", "bad", "def")
    assert "no answer within 3 s" in str(found[1])
    assert not isinstance(found[1], TransientError), "the same trial would hang it again"
    assert found[2].text == "fed"
    number, end = int(child.read_text()), time.monotonic() + 10
    while _alive(number) and time.monotonic() < end:
        time.sleep(0.05)
    assert not _alive(number)


def _alive(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]


def test_its_own_refusals_are_errors_of_the_trial_alone(program):
    body = f"""
if 'bad' in words:
    tell({{"id": asked["id"], "error": "that is\\ntoo short"}})
elif 'none' in words:
    tell({{"id": asked["id"]}})
else:
    {ECHO}
"""
    model = program(body)
    found = ask(model, "bad", "none", "abc")
    assert str(found[0]) == "the program says: that is too short"
    assert "neither text nor error" in str(found[1])
    assert found[2].text == "cba"
    assert model.report() == []


def test_a_program_that_never_gives_an_answer_stops_the_run(program):
    found = ask(program("os._exit(1)"), *"abcdef")
    assert isinstance(found[0], TransientError)
    assert isinstance(found[-1], FatalError)
    assert "started 3 times" in str(found[-1])


@pytest.mark.parametrize(
    ("start", "told"),
    [
        ("print('hello')\nimport sys\nif 1:\n", "standard error"),
        ("import sys\nprint('no such weights', file=sys.stderr)\nif 1:\n", "no such weights"),
        ("print('{\"zhiyin\": 2}')\nif 1:\n", "speaks version 2"),
    ],
)
def test_a_program_that_does_not_greet_is_told_before_the_run(start, told, program):
    model = program("pass", start=start)
    with pytest.raises(InputError, match=told):
        ask(model)


def test_a_program_that_never_greets_is_given_up_and_told(tmp_path, capsys):
    path = tmp_path / "mute.py"
    path.write_text(
        "import sys, time\nprint('loading', file=sys.stderr, flush=True)\ntime.sleep(99)"
    )
    command = f"{sys.executable} {path}"
    model = open_model(f"subprocess:start=1.5,{command}")
    assert model.name == f"subprocess:{command}", "no other run"
    with pytest.raises(InputError) as caught:
        ask(model)
    assert "wrote no greeting within 1.5 s" in str(caught.value)
    assert "subprocess:start=SECONDS,COMMAND" in str(caught.value)
    assert "it said: loading" in str(caught.value)


def test_how_long_a_greeting_may_take_is_its_own_limit(program):
    slow = "import time\ntime.sleep(1.0)\n" + START
    model = program(ECHO, timeout=0.9, start=slow)
    assert ask(model, "abc")[0].text == "cba"
    for seconds in ("0", "-1", "nan", "soon", "", "1e9"):
        with pytest.raises(InputError, match="write seconds"):
            open_model(f"subprocess:start={seconds},python x.py")


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("subprocess:", "write subprocess:COMMAND"),
        ("subprocess:no-such-program --x", "there is no program 'no-such-program'"),
        ("subprocess:python 'unclosed", "No closing quotation"),
    ],
)
def test_a_wrong_command_is_told(spec, told):
    with pytest.raises(InputError, match=told):
        open_model(spec)


def chord(path: Path, steps: tuple[int, ...]) -> Path:
    import soundfile

    time = np.arange(22050) / 22050
    notes = [np.sin(2 * np.pi * 220 * 2 ** (step / 12) * time) for step in steps]
    soundfile.write(path, 0.2 * sum(notes), 22050)
    return path


def test_the_example_names_chords_in_a_whole_run(tmp_path, capsys):
    for name, steps in {"a": (0, 4, 7), "b": (0, 3, 7), "c": (2, 5, 9), "d": (2, 6, 9)}.items():
        chord(tmp_path / f"{name}.wav", steps)
    quality = {"a": "major", "b": "minor", "c": "minor", "d": "major"}
    path = jsonl(
        tmp_path / "questions.jsonl",
        *(
            {
                "id": name, "question": "Which quality has this chord?", "audio": f"{name}.wav",
                "options": ["major", "minor"], "answer": right,
            }
            for name, right in quality.items()
        ),
    )  # fmt: skip
    adapter = REPOSITORY / "examples" / "subprocess" / "adapter.py"
    order = ["run", str(path), "-m", f"subprocess:{sys.executable} {adapter}", "--quiet"]
    assert main([*order, "--out", str(tmp_path / "run")]) == 0
    records = list(read_records(tmp_path / "run"))
    assert [record.verdict.state for record in records] == ["correct"] * 4
    assert all(r.exchange.final.detail["audio_seconds_heard"] == 1.0 for r in records)
    told = read_manifest(tmp_path / "run").decoding
    assert told["capabilities"]["clips"] == 1, "what it says of itself when it greets"
    # Two sounds for a program that takes one: refused before the run, when it has greeted.
    two = jsonl(
        tmp_path / "two.jsonl",
        {
            "id": "x", "question": "Which?", "audio": ["a.wav", "b.wav"],
            "options": ["a", "b"], "answer": "a",
        },
    )  # fmt: skip
    capsys.readouterr()
    order[1] = str(two)
    assert main([*order, "--out", str(tmp_path / "other")]) == 2
    assert "plays 2 sounds, and the model takes 1" in capsys.readouterr().err


def test_sounds_that_are_copied_at_once_lie_in_one_folder(tmp_path, monkeypatch):
    """Each of several calls may be the first; a folder that nobody holds is deleted at once."""
    sounds = [audio_part(tone(tmp_path / f"{n}.wav", 200 + 50 * n)) for n in range(4)]
    slow = tempfile.TemporaryDirectory

    def make(*words, **more):
        time.sleep(0.05)
        return slow(*words, **more)

    monkeypatch.setattr(tempfile, "TemporaryDirectory", make)
    model = open_model(f"subprocess:{sys.executable}")
    with ThreadPoolExecutor(4) as pool:
        copies = [Path(one["path"]) for one in pool.map(model._played, sounds)]
    assert len({copy.parent for copy in copies}) == 1
    assert all(copy.is_file() for copy in copies)
    asyncio.run(model.close())
    assert not copies[0].parent.exists()
