"""Batches: handed in once, collected by whoever comes, matched by id, expired parts asked again."""

import asyncio
import json
import re
import signal
import subprocess
import textwrap
import time

import pytest
from aiohttp import web

import warm
from batch_servers import SERVERS, OpenAI
from said_help import texts
from servers import ChatServer
from zhiyin.engine.folder import read_records
from zhiyin.errors import ModelError
from zhiyin.plugins.local.batch_model import BatchModel
from zhiyin.record import Sampling
from zhiyin.trial import Trial
from ziqi_layout import write_ziqi

pytestmark = pytest.mark.slow


@pytest.fixture(params=SERVERS, ids=lambda kind: kind.__name__)
def server(request, monkeypatch, tmp_path):
    kind = request.param
    with kind(letter) as running:
        prepare(monkeypatch, tmp_path, running)
        yield running


@pytest.fixture
def openai(monkeypatch, tmp_path):
    with OpenAI(letter) as running:
        prepare(monkeypatch, tmp_path, running)
        yield running


def prepare(monkeypatch, tmp_path, server):
    for variable in ("GOOGLE_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(variable, raising=False)
    key, address = server.variables
    monkeypatch.setenv(key, "secret-key")
    monkeypatch.setenv(address, server.base)
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ZHIYIN_BATCH_GATHER_S", "0.2")
    monkeypatch.setenv("ZHIYIN_BATCH_POLL_S", "0.1")


def letter(text):
    """An answer that depends on the question: a mix-up would be seen."""
    return "ABCD"[sum(map(ord, text)) % 4]


@pytest.fixture
def data(tmp_path):
    return write_ziqi(tmp_path / "ziqi", 1)


def words(server, data, out, *more):
    run = ("run", "ziqi", "--data", data, "-m", server.spec, "--out", out, "--batch", "--quiet")
    return [str(word) for word in (*run, *more)]


def zhiyin(*words):
    from zhiyin.cli import main

    return main(list(words))


def check_answers(folder):
    records = list(read_records(folder))
    for record in records:
        assert record.error is None
        assert record.exchange.final.text == letter(record.trial.messages[-1].text)
        assert re.fullmatch(r"(batches/)?batch_\d+", record.exchange.final.detail["batch"])
    return len(records)


def test_a_run_is_one_batch_matched_by_id(server, data, tmp_path):
    assert zhiyin(*words(server, data, tmp_path / "run")) == 0
    asked = check_answers(tmp_path / "run")
    assert asked > 5
    assert [len(batch["requests"]) for batch in server.batches.values()] == [asked]
    assert set(server.paid.values()) == {1}
    trial = next(read_records(tmp_path / "run")).id
    sent = json.dumps([b["requests"] for b in server.batches.values()])
    assert trial not in sent, "an id may tell the answer"


@pytest.mark.sample(3)
def test_expired_parts_are_handed_in_again(server, data, tmp_path, capsys):
    server.held = True
    process = start(server, data, tmp_path / "run")
    wait_until(lambda: server.batches)
    bodies = list(next(iter(server.batches.values()))["requests"].values())
    server.expire = {json.dumps(body, sort_keys=True) for body in bodies[:3]}
    server.held = False
    process.communicate(timeout=60)
    assert process.returncode == 0
    manifest = json.loads((tmp_path / "run" / "run.json").read_bytes())
    assert any("3 requests had expired" in remark for remark in texts(manifest["remarks"]))
    asked = check_answers(tmp_path / "run")
    assert [len(b["requests"]) for b in server.batches.values()] == [asked, 3]
    assert set(server.paid.values()) == {1}


def start(server, data, out):
    pipe = subprocess.PIPE
    return warm.Started(words(server, data, out), stdout=pipe, stderr=pipe)


def wait_until(what):
    for _ in range(3000):
        if what():
            return
        time.sleep(0.01)
    raise AssertionError("it never came to that")


def test_killed_between_handing_in_and_collecting_nothing_is_paid_twice(server, data, tmp_path):
    server.held = True
    process = start(server, data, tmp_path / "run")
    journal = tmp_path / "run" / "batches.jsonl"
    wait_until(lambda: journal.exists() and '"batch":' in journal.read_text() and server.polls)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not list(read_records(tmp_path / "run"))
    server.held = False
    assert zhiyin(*words(server, data, tmp_path / "run")) == 0
    check_answers(tmp_path / "run")
    assert len(server.batches) == 1
    assert set(server.paid.values()) == {1}


@pytest.mark.sample(3)
def test_killed_while_handing_in_the_batch_is_found_again(server, data, tmp_path):
    server.held = server.stall = True
    process = start(server, data, tmp_path / "run")
    wait_until(lambda: server.batches)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert '"batch":' not in (tmp_path / "run" / "batches.jsonl").read_text()
    server.held = server.stall = False
    assert zhiyin(*words(server, data, tmp_path / "run")) == 0
    check_answers(tmp_path / "run")
    assert len(server.batches) == 1
    assert set(server.paid.values()) == {1}


@pytest.mark.sample(3)
def test_what_never_arrived_is_handed_in_again(server, data, tmp_path):
    server.held = True
    process = start(server, data, tmp_path / "run")
    wait_until(lambda: server.batches)
    process.send_signal(signal.SIGKILL)
    process.wait()
    # As if it had been killed a moment before: our line is there, and no batch.
    lines = (tmp_path / "run" / "batches.jsonl").read_text().splitlines()
    (tmp_path / "run" / "batches.jsonl").write_text(lines[0] + "\n" + '{"token":"torn')
    server.batches.clear()
    server.held = False
    assert zhiyin(*words(server, data, tmp_path / "run")) == 0
    check_answers(tmp_path / "run")
    assert set(server.paid.values()) == {1}


def test_ctrl_c_leaves_the_batch_to_be_collected(openai, data, tmp_path):
    openai.held = True
    process = start(openai, data, tmp_path / "run")
    wait_until(lambda: openai.polls)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    told = "".join(process.communicate(timeout=30))
    assert process.returncode == 130, told
    assert "1 batch is being processed" in told
    openai.held = False
    assert zhiyin(*words(openai, data, tmp_path / "run")) == 0
    check_answers(tmp_path / "run")
    assert set(openai.paid.values()) == {1}


def test_a_setting_that_is_refused_is_left_out(openai, data, tmp_path):
    def refuse(body):
        if "temperature" in body:
            return {
                "message": "Unsupported parameter: 'temperature'",
                "code": "unsupported_parameter",
                "param": "temperature",
            }
        return None

    openai.refuse = refuse
    assert zhiyin(*words(openai, data, tmp_path / "run")) == 0
    asked = check_answers(tmp_path / "run")
    assert [len(b["requests"]) for b in openai.batches.values()] == [asked, asked]
    assert set(openai.paid.values()) == {1}


def test_a_part_that_fails_is_an_error_of_its_trial(openai, data, tmp_path):
    wrong = []

    def refuse(body):
        if not wrong:
            wrong.append(body)
        return {"message": "too long for us"} if body == wrong[0] else None

    openai.refuse = refuse
    assert zhiyin(*words(openai, data, tmp_path / "run")) == 1
    errors = [r.error for r in read_records(tmp_path / "run") if r.error]
    assert len(errors) == 1
    assert "too long for us" in errors[0]
    openai.refuse = None
    assert zhiyin(*words(openai, data, tmp_path / "run")) == 0
    assert set(openai.paid.values()) == {1}


def test_half_the_price_is_told(openai, data, tmp_path, capsys, monkeypatch):
    prices = tmp_path / "prices"
    prices.mkdir()
    (prices / "prices.toml").write_text('["openai:m"]\ninput = 10\noutput = 100\nbatch = 0.5\n')
    monkeypatch.setenv("ZHIYIN_PRICES", str(prices))
    zhiyin(*words(openai, data, tmp_path / "run"))
    capsys.readouterr()
    zhiyin("show", str(tmp_path / "run"), "--json")
    cost = json.loads(capsys.readouterr().out)["cost"]
    asked = sum(openai.paid.values())
    assert cost["usd"] == pytest.approx(asked * (20 * 10 + 5 * 100) / 1e6 / 2)


def test_a_batch_is_no_larger_than_the_budget(openai, data, tmp_path, capsys):
    assert zhiyin(*words(openai, data, tmp_path / "run", "--budget", "4calls")) == 1
    assert sum(openai.paid.values()) == 4
    assert zhiyin(*words(openai, data, tmp_path / "more", "--cache", "off", "--budget",
                         "600tokens")) == 1  # fmt: skip
    assert len(list(read_records(tmp_path / "more"))) < 10


@pytest.mark.parametrize("model", ["first", "mistral:m"])
def test_a_model_without_batches_is_told_before_anything(
    data, tmp_path, capsys, model, monkeypatch
):
    monkeypatch.setenv("MISTRAL_API_KEY", "k")
    run = ("run", "ziqi", "--data", str(data), "-m", model, "--batch", "--out", str(tmp_path / "r"))
    assert zhiyin(*run) == 2
    assert re.search("--batch: .* has no batches", capsys.readouterr().err)
    assert not (tmp_path / "r").exists()


def test_a_server_without_batches_is_told(data, tmp_path, capsys, monkeypatch):
    with ChatServer(lambda call: "A") as server:
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        run = ("run", "ziqi", "--data", str(data), "-m", "openai:m", "--batch", "--quiet")
        assert zhiyin(*run, "--limit", "2", "--out", str(tmp_path / "r")) == 2
    assert "answers 404 to a batch: leave --batch out" in capsys.readouterr().err


def test_a_damaged_journal_is_told_with_its_line(openai, data, tmp_path, capsys):
    zhiyin(*words(openai, data, tmp_path / "run"))
    path = tmp_path / "run" / "batches.jsonl"
    path.write_text("no line\n" + path.read_text())
    (tmp_path / "run" / "records.jsonl").write_text("")
    assert zhiyin(*words(openai, data, tmp_path / "run")) == 2
    assert "batches.jsonl, line 1" in capsys.readouterr().err


def test_what_could_not_be_judged_is_handed_in_again(openai, tmp_path):
    (tmp_path / "vain.py").write_text(
        textwrap.dedent("""
        import zhiyin as zy
        from zhiyin.record import Verdict
        from zhiyin.trial import Trial, say

        class Vain(zy.Benchmark):
            name, version, summary = "vain", "1", "grades, where there are any"
            def trials(self):
                for n in range(6):
                    yield Trial(f"q/{n}", (say("user", f"Grade {n}"),), f"Grade {n}")
            def score(self, trial, exchange):
                text = exchange.final.text
                return Verdict("ungraded" if text.isdigit() else "error", text, why="no grade")
        """)
    )
    openai.answer = lambda text: "7" if text < "Grade 4" else "?"
    command = ["run", f"{tmp_path}/vain.py:Vain", "-m", openai.spec, "--batch", "--quiet"]
    command += ["--out", str(tmp_path / "run")]
    assert zhiyin(*command) == 1
    openai.held = True
    openai.answer = lambda text: "8"
    process = warm.Started(command)
    wait_until(lambda: len(openai.batches) == 2 and '"batch_2"' in
               (tmp_path / "run" / "batches.jsonl").read_text())  # fmt: skip
    process.send_signal(signal.SIGKILL)
    process.wait()
    openai.held = False
    assert zhiyin(*command) == 0
    assert [len(b["requests"]) for b in openai.batches.values()] == [6, 2]
    assert sorted(openai.paid.values()) == [1, 1, 1, 1, 2, 2]


@pytest.mark.parametrize("where", ["submit", "results"])
def test_a_reply_of_another_form_fails_the_trial_and_nobody_waits_for_ever(tmp_path, where):
    class Odd:
        most, size = 10, 10**6

        async def submit(self, token, requests):
            return [].id if where == "submit" else "batch"

        async def results(self, batch):
            return [].status

        async def close(self):
            pass

    class Writer:
        name = "m"
        capabilities = None
        close = Odd.close

        async def written(self, messages, sampling):
            return Odd  # its body is asked for alone

    async def ask():
        model = BatchModel(Writer(), Odd(), 0.01, 0.01)
        model.begin(tmp_path)
        try:
            async with asyncio.timeout(60):
                await model.generate((), Sampling(), Trial("t", ()))
        finally:
            await model.close()

    Odd.body = b"{}"
    with pytest.raises(ModelError, match="no batch"):
        asyncio.run(ask())


class NoBatches(OpenAI):
    """A server that answers every address with something else than a batch."""

    async def _look(self, request):
        return web.json_response({"object": "chat.completion"})


def test_a_server_that_has_no_batches_is_one_line(data, tmp_path, monkeypatch, capsys):
    with NoBatches(letter) as server:
        prepare(monkeypatch, tmp_path, server)
        status = zhiyin(*words(server, data, tmp_path / "run"))
    captured = capsys.readouterr()
    printed = " ".join((captured.out + captured.err).split())
    assert status != 0
    assert "leave out --batch" in printed
    assert "KeyError" not in printed
