"""The doctor: what it says of servers that hear, are deaf, cut, ignore and refuse."""

from __future__ import annotations

import asyncio
import json
import random
import re
from shlex import quote

import pytest

import paying
from probe_help import ear, pictures_of
from questions_help import Says, refused
from servers import ChatServer, _json, completion
from zhiyin import Capabilities
from zhiyin.cli import main
from zhiyin.engine.runner import Limits
from zhiyin.models import open_model
from zhiyin.plugins.lab.diagnosis import ProbeUsage, a_minute
from zhiyin.plugins.lab.doctor import Doctor, diagnose

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def desk(tmp_path, monkeypatch):
    """A folder of its own: the doctor writes its page beside it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sampled(body, honoured):
    """Twelve letters, as a model draws them that honours these settings."""
    warm = body.get("temperature", 1) > 0 if "temperature" in honoured else True
    if "top_p" in honoured and body.get("top_p", 1) < 0.01:
        warm = False
    if "top_k" in honoured and body.get("top_k") == 1:
        warm = False
    seed = body.get("seed") if "seed" in honoured else None
    draw = random.Random(seed if warm else 0) if seed is not None or not warm else random.Random()
    return "".join(draw.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(12))


ALL = {"temperature", "top_p", "top_k", "seed", "max_tokens", "system"}


def served(honoured=frozenset(ALL), most=1e9, refuses=()):
    def answer(call):
        for name in refuses:
            if name in call.body:
                return _json({"error": {"message": f"unknown parameter: {name}"}}, 400)
        text = call.text
        if "drawn at random" in text:
            return sampled(call.body, honoured)
        if text.startswith("Count"):
            numbers = [str(n) for n in range(1, 301)]
            limit = call.body.get("max_tokens") if "max_tokens" in honoured else None
            cut = limit is not None
            return completion(" ".join(numbers[:limit]), "length" if cut else "stop")
        if "ready" in text:
            return "ready"
        if text == "Name a country.":
            return "Brass." if "system" in honoured else "Mali"
        return ear(call, most)

    return answer


def ask(answer, **more):
    price = more.pop("price", None)
    with ChatServer(answer) as server:
        doctor = Doctor(open_model(server.spec), 0, Limits(8, 30.0, 0), price=price, **more)
        found = asyncio.run(diagnose(doctor)).in_english()
        return found, {one.about: one for one in found.found}, server


def test_a_model_that_does_everything() -> None:
    found, by, server = ask(served())
    assert {one.state for one in found.found} == {"yes"}, found.found
    assert found.works
    assert found.canary["sound"].right == found.canary["image"].right == 8
    assert found.heard_tokens == pytest.approx(60 * 25, rel=0.01)
    assert found.used.calls == server.calls
    assert by["65 s of sound"].told == "4 of 4 right, 3 needed (guessing: 5.1\u00a0%)"


def test_an_empty_reply_that_is_asked_for_again_is_a_call(monkeypatch, capsys) -> None:
    monkeypatch.setattr("zhiyin.engine.asking._wait", lambda *_: 0.0)
    with ChatServer(lambda call: completion("")) as server:
        main(["doctor", server.spec, "--quick", "--retries", "1", "--json"])
        assert json.loads(capsys.readouterr().out)["used"]["calls"] == server.calls > 1


@pytest.mark.parametrize("most", [30, 12])
def test_a_clip_that_is_cut_is_found(most) -> None:
    found, by, _ = ask(served(most=most))
    for seconds in (10, 25, 35, 65):
        assert by[f"{seconds} s of sound"].state == ("yes" if seconds < most else "no")
    assert "makes no more tokens than 35 s" in by["65 s of sound"].told
    # Where only one length is heard whole, nobody knows the slope.
    assert found.heard_tokens == (pytest.approx(1500, rel=0.01) if most == 30 else None)


def test_settings_that_are_ignored_are_not_called_honoured() -> None:
    _, by, _ = ask(served({"temperature", "max_tokens"}), seconds=())
    assert by["temperature"].state == "yes"
    assert by["top_p"].state == by["top_k"].state == by["seed"].state == "no"
    assert by["system message"].state == "not known"
    _, by, _ = ask(served(set()), seconds=())
    assert by["temperature"].state == "not known"
    assert by["max_tokens"].state == "no"
    assert "16 were allowed, and 300 numbers came" in by["max_tokens"].told
    constant = served()
    _, by, _ = ask(lambda call: "qwerty" if "random" in call.text else constant(call), seconds=())
    for name in ("temperature", "top_p", "top_k", "seed"):
        assert by[name].state == "not known", by[name]


def test_settings_that_are_refused_are_told() -> None:
    _, by, _ = ask(served(refuses=("top_k", "seed")), seconds=())
    for name in ("top_k", "seed"):
        assert by[name].state == "no"
        assert by[name].told == "refused by name, and left out"
    assert by["top_p"].state == "yes"


def test_a_limit_of_the_server_is_told() -> None:
    honest = served()

    def answer(call):
        if call.text.startswith("Count") and "max_tokens" not in call.body:
            return completion(" ".join(map(str, range(1, 40))), "length")
        return honest(call)

    _, by, _ = ask(answer, seconds=())
    assert by["long reply"].state == "no"
    assert "cut after 39 of 300 numbers: give --max-tokens a value" in by["long reply"].told


def test_a_deaf_model_is_asked_no_more_about_sound(capsys) -> None:
    deaf = served()

    def answer(call):
        return "B" if call.sounds else deaf(call)

    found, by, _ = ask(answer)
    assert by["sound"].state == "no"
    assert "two clips" not in by
    assert found.works  # as a text model does, whose server drops the sound
    with ChatServer(answer) as server:
        assert main(["doctor", server.spec, "--quick"]) == 0
        said = capsys.readouterr()
        assert "the canary failed" in " ".join(said.out.split())
        assert "warning: taken without a sign of being used" in " ".join(said.err.split())
        assert f"zhiyin suite music-text -m {quote(server.spec)} --out text" in said.out
        assert "sound" in said.err
    model = Says(lambda trial: "B" if trial.options else "ready")
    model.capabilities = Capabilities(sound=True, image=False)
    assert "sound" in map(str, asyncio.run(diagnose(Doctor(model), quick=True)).failing)


def test_what_is_declared_is_not_asked() -> None:
    def answer(trial):
        media = [part for each in trial.messages for part in each.parts if hasattr(part, "path")]
        assert not media, "it takes neither sound nor pictures"
        return "A" if trial.options else "ready"

    model = Says(answer)
    model.capabilities = Capabilities(sound=False, image=False, settings=("max_tokens",))
    found = asyncio.run(diagnose(Doctor(model))).in_english()
    by = {one.about: one for one in found.found}
    for name in ("sound", "pictures", "temperature", "top_p", "top_k", "seed"):
        assert by[name].state == "no"
        assert "declaration" in by[name].told
    assert found.works
    assert found.canary == {}


def test_a_model_that_declares_a_limit_is_not_asked_beyond_it() -> None:
    asked = []

    def answer(trial):
        asked.append(trial.id)
        return "A"

    model = Says(answer)
    model.capabilities = Capabilities(sound=True, seconds=30, clips=1, image=False)
    doctor = Doctor(model)

    async def go():
        import tempfile
        from pathlib import Path

        with tempfile.TemporaryDirectory() as folder:
            await doctor._end(35.0, Path(folder))
            await doctor._end(25.0, Path(folder))

    asyncio.run(go())
    assert {name.split("/")[1] for name in asked} == {"25"}
    assert "30 s" in str(doctor.result.found[0].told)


def test_prices_are_told_where_they_are_known_and_not_otherwise(capsys) -> None:
    asked = []

    def price(used: ProbeUsage) -> float:
        asked.append(used)
        return used.input / 1e6 + 2 * used.output / 1e6

    found, _, _ = ask(served(), price=price)
    words, sound = asked
    assert words.calls == sound.calls == 1000
    assert words.input == 150_000
    assert sound.audio_input == pytest.approx(1000 * 30 * 25, rel=0.01)
    assert sound.input == words.input + sound.audio_input
    assert sound.seconds == 30_000
    first, second = found.thousand.values()
    assert 0 < first < second
    with ChatServer(served()) as server:
        assert main(["doctor", server.spec, "--quick"]) == 0
        out = " ".join(capsys.readouterr().out.split())
    assert "a thousand questions" not in out
    assert "a minute of sound" not in out


def test_nobody_there_is_one_line(capsys) -> None:
    assert "cannot reach" in refused(capsys, "doctor", "http://127.0.0.1:9/v1#m")
    with ChatServer(lambda call: _json({"error": {"message": "Incorrect API key"}}, 401)) as server:
        line = refused(capsys, "doctor", server.spec)
        assert "wants a key" in line
        assert server.calls == 1
    line = refused(capsys, "doctor", "first", "--seconds", "2")
    assert "--seconds 2" in line


def test_one_json_object(capsys) -> None:
    with ChatServer(served()) as server:
        assert main(["doctor", server.spec, "--json", "--seconds", "8"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["canary"]["sound"]["state"] == "passed"
    assert found["declared"]["sound"] == "unknown"
    assert found["heard_tokens"] is None


def test_tokens_of_a_minute() -> None:
    assert a_minute({10.0: 300, 25.0: 675, 65.0: 1675}) == pytest.approx(1500)
    assert a_minute({10.0: 300}) is None
    assert a_minute({10.0: 800, 25.0: 800}) is None


def test_sound_is_sent_as_a_run_would_send_it(capsys) -> None:
    from zhiyin.cli import main

    with ChatServer(ear) as server:
        flags = ["--audio-rate", "8000", "--audio-mono", "--audio-format", "wav"]
        assert main(["doctor", server.spec, "--quick", *flags, "--json"]) in (0, 1)
        sounds = [wave for call in server.seen if call.sounds for wave in call.waves()]
        assert len(sounds) == 16  # and as many of silence
        assert {rate for _, rate in sounds} == {8000}
        assert {wave.shape[1] for wave, _ in sounds} == {1}
    assert main(["doctor", "random", "--audio-format", "flac"]) == 2
    assert "is sent no sound over the net" in capsys.readouterr().err


def test_two_clips_are_joined_where_a_run_would_join_them() -> None:
    from zhiyin.cli import main

    with ChatServer(ear) as server:
        main(["doctor", server.spec, "--join-clips", "0.5", "--seconds", "6", "--json"])
        asked = [call for call in server.seen if call.sounds]
        assert all(len(call.sounds) == 1 for call in asked)


def text_alone(call):
    """A server of a text model, which refuses all else."""
    if call.sounds or pictures_of(call):
        return _json({"error": {"message": "this model takes text only"}}, 400)
    return served()(call)


def asked_of(folder):
    """How many trials each benchmark asked, by the name of its run."""
    runs = sorted((folder / "runs").glob("*/records.jsonl"))
    return {run.parent.name.partition("--")[0]: len(run.read_bytes().splitlines()) for run in runs}


def test_a_text_model_does_what_text_models_do(desk, capsys) -> None:
    with ChatServer(text_alone) as server:
        assert main(["doctor", server.spec, "--out", "look"]) == 0
        refused_calls = sum(bool(call.sounds or pictures_of(call)) for call in server.seen)
    said = capsys.readouterr()
    assert said.err.startswith(
        "  asks up to 72 short questions, then up to "
    )  # before anything is paid for
    assert "does not apply" not in said.err + said.out
    assert asked_of(desk / "look") == {"exercises": 10, "bodies": 10}
    assert refused_calls == 2  # what is refused once is not sent again
    out = " ".join(said.out.split())
    assert "over 10 questions of exercises (theory); 10 questions of bodies (reading)" in out
    page = (desk / "look/report/index.html").read_text("utf-8")
    assert re.search(r">exercises<|>bodies<", page)
    assert "Western theory" in page  # a part of the skill has a name of its own
    assert "not asked: knowledge, reasoning, whose data are others'" in out
    assert "every question: look/report/index.html" in out
    assert not re.search(r"heard|s of sound|its sound|clips", out)  # but that it takes none
    assert out.count(" sound ") == 1
    assert "400: this model takes text only" in out
    assert "look/report/index.html" in out
    assert (desk / "look/report/index.html").is_file()


def test_ten_questions_of_each_skill_are_on_a_page_with_their_sounds(desk, capsys) -> None:
    with ChatServer(served()) as server:
        assert main(["doctor", server.spec, "--out", "look", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["page"] == "look/report/index.html"
    asked = asked_of(desk / "look")
    assert asked == {"exercises": 10, "bodies": 10, "scores": 10, "perception": 30, "pairs": 28,
                     "appraisal": 10}  # fmt: skip
    assert len(list((desk / "look/report").rglob("*.wav"))) >= 30
    manifests = [json.loads(run.read_bytes()) for run in (desk / "look/runs").glob("*/run.json")]
    assert not any(one["canary"] for one in manifests)  # the doctor has asked it
    assert main(["show", *map(str, sorted((desk / "look/runs").iterdir()))]) == 0


@pytest.mark.parametrize(
    ("reply", "status"), [("I am a text model and cannot hear that.", 0), ("B", 0)]
)
def test_a_model_that_says_it_cannot_hear_has_not_failed(reply, status, capsys) -> None:
    honest = served()
    with ChatServer(lambda call: reply if call.sounds else honest(call)) as server:
        assert main(["doctor", server.spec, "--quick"]) == status
    out = " ".join(capsys.readouterr().out.split())
    assert out.count("the canary failed") == 1
    assert "all replies the same: the sound makes no difference" in out


def test_replies_without_an_answer_are_a_failure(capsys) -> None:
    with ChatServer("A lovely question, about which much could be said.") as server:
        assert main(["doctor", server.spec, "--quick"]) == 1
    assert "none of 4 replies holds one of the options" in " ".join(capsys.readouterr().out.split())


def test_a_sound_that_changes_answers_is_not_said_to_make_no_difference(capsys) -> None:
    honest = served()

    def muddled(call):
        reply = honest(call)
        if not call.sounds:
            return reply
        place = "ABCD".find(reply["choices"][0]["message"]["content"])
        return "BCDA"[place]  # of silence D

    with ChatServer(muddled) as server:
        assert main(["doctor", server.spec, "--quick"]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "the canary failed" in out
    assert "makes no difference" not in out


@pytest.mark.parametrize("name", ["first", "random"])
def test_a_baseline_is_asked_what_has_options(name, desk, capsys) -> None:
    assert main(["doctor", name]) == 0
    said = capsys.readouterr()
    assert "it costs nothing" in said.err
    assert "words" not in said.out
    assert "not asked: knowledge, hearing mood, reasoning, whose data" in said.out
    assert asked_of(desk / "doctor" / name)["perception"] == 30
    assert main(["doctor", name, "--quick"]) == 0
    assert not (desk / "doctor" / f"{name}-2").exists()


def test_a_function_that_declares_nothing_has_not_failed_by_not_hearing(desk, capsys) -> None:
    (desk / "mine.py").write_text("def answer(messages): return 'A'\n")
    assert main(["doctor", "python:mine.py:answer", "--quick"]) == 0
    assert "no evidence that the model can hear" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(("status", "words"), [(429, "said 429"), (500, "said 500")])
def test_a_server_that_answers_nothing_is_one_line(status, words, desk, capsys) -> None:
    body = {"error": {"message": "no"}}
    with ChatServer(lambda call: _json(body, status, {"Retry-After": "0"})) as server:
        assert main(["doctor", server.spec, "--retries", "1"]) == 1
    assert words in capsys.readouterr().out
    assert not (desk / "doctor").exists()


def test_one_budget_is_for_all_of_it(desk, capsys) -> None:
    with ChatServer(served()) as server:
        assert main(["doctor", server.spec, "--budget", "5calls", "--out", "a"]) == 1
        assert server.calls == 5
        assert "the rest was not asked" in capsys.readouterr().out
        assert main(["doctor", server.spec, "--budget", "80calls", "--seconds", "8",
                     "--out", "b"]) == 1  # fmt: skip
        assert server.calls == 85
    assert "failed" in capsys.readouterr().out


def test_it_speaks_chinese(desk, monkeypatch, capsys) -> None:
    monkeypatch.setenv("ZHIYIN_LANG", "zh")
    deaf = served()
    with ChatServer(lambda call: "B" if call.sounds else deaf(call)) as server:
        assert main(["doctor", server.spec, "--out", "look"]) == 0  # as a text model does
    said = capsys.readouterr()
    assert said.err.startswith("  最多提问 72 个短问题")
    for words in ("答案格式", "探测未通过", "声音不起作用", "不含声音的套件"):
        assert words in said.out
    assert not re.search(r"\b(?:the|not|replies|asked)\b", said.out)


@pytest.mark.parametrize("quick", [False, True])
def test_what_it_costs_at_most_is_said_before(quick, desk, monkeypatch, capsys):
    monkeypatch.setenv("ZHIYIN_PRICES", str(desk / "prices"))
    with paying.PayServer(lambda text: "A") as server:
        paying.write_prices(desk / "prices", server.spec)
        main(["doctor", server.spec, *(["--quick"] if quick else [])])
    said = capsys.readouterr().err.splitlines()[0]
    (told,) = re.findall(r"up to about ([0-9.]+) usd", said)
    assert server.usd <= 1.5 * float(told) < (0.3 if quick else 3)
