"""Whoever asks a model is within the budget, the cache and the pace, and stands in the journal."""

import asyncio
import json
from collections import defaultdict
from itertools import pairwise
from types import SimpleNamespace

import msgspec
import pytest
from test_audit_judge import judge as marks
from test_forge_questions import h as forging
from test_paraphrase import ROWS, proposer

from audit_help import a_run
from judge_help import judge_answer
from listening_help import make_mmar, make_mmau_pro, make_msu, mmar_entry, pro_row
from questions_help import tone
from servers import ChatServer
from zhiyin.cli import main
from zhiyin.contract.registry import find
from zhiyin.contract.settings import RunSettings
from zhiyin.cost import request_queue
from zhiyin.cost.budget import Budget, Pace
from zhiyin.cost.request_queue import Spending
from zhiyin.engine.asking import other_asker
from zhiyin.models import open_model
from zhiyin.record import Sampling
from zhiyin.session import carry_out

pytestmark = pytest.mark.slow

RIGHT = '{"reason": "so it is", "verdict": "right"}'
GRADES = json.dumps(dict.fromkeys(("correctness", "relevance", "completeness", "clarity"), 4))
RUBRIC = json.dumps({"criteria": [{"criterion": n, "met": n < 4} for n in range(1, 6)]})
SAYS = "def model(messages):\n    return 'It has voices.'\n"
JUDGES = f"def model(messages):\n    return {RIGHT!r}\n"
REVIEWER = "python:zhiyin.plugins.benchmarks.appraisal.reviewer:review"


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ZHIYIN_PRICES", str(tmp_path / "prices"))
    (tmp_path / "says.py").write_text(SAYS)
    (tmp_path / "judges.py").write_text(JUDGES)
    return tmp_path


def free(here, n=8):
    """Free questions, which a judge grades, and a run of them by models of this machine."""
    rows = [
        {"id": f"q{k}", "question": f"What has a fugue, {k}?", "scorer": "judge", "rubric": "So."}
        for k in range(n)
    ]
    data = lines(here / "free.jsonl", rows)
    own = ["run", data, "-m", "python:says.py:model", "--judge", "python:judges.py:model"]
    assert main([*own, "--out", "old", "--quiet"]) == 0
    return data


def replay_of_a_run(here, spec):
    data = free(here)
    return ["run", data, "-m", "replay:old", "--judge", spec, "--out"], lambda call: RIGHT


def replay_of_files(here, spec):
    data = free(here)
    own = [{"id": f"q{k}", "text": "It has voices."} for k in range(8)]
    files = lines(here / "one.jsonl", own[:5]) + "," + lines(here / "two.jsonl", own[5:])
    return ["run", data, "-m", f"replay:{files}", "--judge", spec, "--out"], lambda call: RIGHT


def replay_of_written_trials(here, spec):
    data = free(here)
    asked = ["trials", data, "--judge", "python:judges.py:model", "--out", "away"]
    assert main(asked) == 0
    written = map(json.loads, (here / "away" / "trials.jsonl").read_text().splitlines())
    lines(here / "away" / "answers.jsonl", [{"id": w["id"], "text": "Voices."} for w in written])
    own = ["run", data, "-m", "replay:away/answers.jsonl", "--judge", spec, "--out"]
    return own, lambda call: RIGHT


def mmau_pro(here, spec):
    rows = [pro_row(f"o{k}", "open", answer="a flute") | {"choices": None} for k in range(8)]
    make_mmau_pro(here / "pro", rows)
    own = ["run", "mmau-pro", "--data", "pro", "--judge", spec, "-m"]
    assert main([*own[:-3], "-m", "python:says.py:model", "--out", "old", "--quiet"]) == 0
    return [*own, "replay:old", "--out"], lambda call: GRADES


def msu_bench(here, spec):
    data = make_msu(here)
    own = ["run", "msu-bench", "--data", str(data), "--scores", "scores"]
    assert main([*own, "-m", "python:says.py:model", "--out", "old", "--quiet"]) == 0
    return [*own, "--judge", spec, "-m", "replay:old", "--out"], lambda call: RIGHT


def appraisal(here, spec):
    own = ["run", "appraisal", "--source", "generated", "--n", "6", "--seed", "1", "--parts"]
    own += ["appraisal", "--language", "en"]
    assert main([*own, "-m", REVIEWER, "--out", "old", "--quiet"]) == 0
    return [*own, "-m", "replay:old", "--judge", spec, "--out"], lambda call: judge_answer(
        SimpleNamespace(body={"messages": [{"content": call.text}]})
    )


def mmar_rubrics(here, spec):
    make_mmar(here / "data")
    sent = [
        {"id": e["id"], "thinking_prediction": "I hear.", "answer_prediction": e["answer"]}
        for e in (mmar_entry(k, 12) for k in range(8))
    ]
    sent = lines(here / "sent.jsonl", sent)
    own = ["import", "mmar-rubrics", sent, "data/MMAR-meta.jsonl", "--extract", "string-match"]
    assert main([*own, "--out", "imported"]) == 0
    return ["judge", "imported", "-m", spec, "--aspects", "reasoning"], lambda call: RUBRIC


def audit(here, spec):
    run = a_run(here / "audited")
    return ["audit", str(run), "--n", "12", "--judge", spec], marks


def paraphrases(here, spec):
    data = lines(here / "set.jsonl", ROWS)
    own = ["forge", "paraphrase", data, "-m", f"{spec}-2", "--checker", spec, "--wordings", "3"]
    return [*own, "--out"], proposer


def forged(here, spec):
    captions = forging.make_captions(here)
    own = ["forge", "questions", str(captions), "-m", spec, "--blind", f"{spec}-2"]
    return [*own, "--out"], forging.writer


def with_a_canary(here, spec):
    for k in range(6):
        tone(here / f"{k}.wav", 200 + k)
    rows = [
        {"id": f"a{k}", "question": f"Which, {k}?", "audio": f"{k}.wav", "options": ["a", "b"],
         "answer": "A"}
        for k in range(6)
    ]  # fmt: skip
    return ["run", lines(here / "heard.jsonl", rows), "-m", spec, "--out"], lambda call: "A"


def exam(here, spec):
    own = ["exercises", "--n", "2", "--json", "--out"]
    takers = ("random", "first", "longest", "overlap")
    for name in takers:
        assert main(["run", "-m", name, *own, name]) == 0
    assert main(["stats", "items", *takers, "--bank", "bank.json"]) == 0
    own = ["exam", "exercises", "--bank", "bank.json", "-m", spec, "--n", "12", "--out"]
    return own, lambda call: "A"


def parity(here, spec):
    return ["parity", spec, f"{spec}-2", "--n", "8", "--out"], lambda call: "A"


def doctor(here, spec):
    return ["doctor", spec, "--seconds", "10"], lambda call: "ready"


ASKERS = (
    replay_of_a_run, replay_of_files, replay_of_written_trials, mmau_pro, msu_bench, appraisal,
    mmar_rubrics, audit, paraphrases, forged, with_a_canary, exam, parity, doctor,
)  # fmt: skip


class Asks:
    """One asker before a server that counts."""

    def __init__(self, here, make, server, capsys, caplog):
        self.here, self.server, self.make = here, server, make
        self.capsys, self.caplog = capsys, caplog
        self.words, server.answer = make(here, server.spec)
        prices = here / "prices" / "prices.toml"
        prices.parent.mkdir(exist_ok=True)
        prices.write_text(
            "".join(
                f'["{name}"]\ninput = 10\noutput = 100\ndate = 2026-11-20\nsource = "mine"\n'
                for name in (server.spec, f"{server.spec}-2")
            )
        )
        assert server.calls == 0

    def __call__(self, out, *flags):
        """Run the command; how many calls that made."""
        before = self.server.calls
        words = [*self.words]
        if words[-1] == "--out":
            words.append(f"{out}.jsonl" if words[:2] == ["forge", "paraphrase"] else out)
        quiet = [] if words[0] == "doctor" else ["--quiet"]
        self.status = main([*words, *flags, *quiet])
        self.told = " ".join(("".join(self.capsys.readouterr()) + self.caplog.text).split())
        return self.server.calls - before


@pytest.fixture(params=ASKERS, ids=lambda make: make.__name__)
def asks(request, here, capsys, caplog):
    with ChatServer() as server:
        yield Asks(here, request.param, server, capsys, caplog)


def journals(folder):
    """Calls that all journals below a folder know, by whether they began and ended."""
    begun = ended = 0
    for path in folder.rglob("calls.jsonl"):
        known = [json.loads(line) for line in path.read_text().splitlines()]
        begun += sum("expected" in one for one in known)
        ended += sum("paid" in one for one in known)
    return begun, ended


def test_a_budget_of_calls_is_never_passed(asks, here):
    """A replayed run paid 50 calls of a judge with a budget of 20, and said that it was done."""
    assert asks("new", "--budget", "5calls") == 5
    assert asks.status != 0
    assert "budget" in asks.told
    if asks.make is doctor:
        return
    assert journals(here) == (5, 5)
    assert asks("new", "--budget", "5calls") == 0
    assert asks("new", "--budget", "7calls") == 2
    assert journals(here) == (7, 7)


@pytest.mark.sample(3)
def test_a_budget_of_dollars_is_kept_and_wants_a_price(asks, here):
    """A call costs 410 millionths of a dollar."""
    flags = ("--concurrency", "1", "--budget", "0.0018usd")
    prices = here / "prices" / "prices.toml"
    prices.rename(here / "away.toml")
    assert asks("new", *flags) == 0
    assert asks.status == 2
    assert "the price of" in asks.told
    (here / "away.toml").rename(prices)
    assert asks("new", *flags) in (4, 5)
    if asks.make is not doctor:
        assert asks("new", *flags) == 0


@pytest.mark.sample(3)
def test_kept_replies_are_used(asks, here):
    if asks.make in (doctor, parity):
        pytest.skip("it looks at what is served now")
    first = asks("new", "--cache", "always")
    assert first > 5
    old = here / "imported", here / "audited"
    if asks.words[-1] != "--out":
        for place in old:
            for folder in [*place.glob("judged-*"), *place.glob("audited-*")]:
                folder.rename(here / f"away-{folder.name}")
            (place / "audit.jsonl").unlink(missing_ok=True)
    # A canary is asked anew, and so is what could not be read: an eighth of what is forged here.
    again = {with_a_canary: 8, forged: first // 8}.get(asks.make, 0)
    assert asks("other", "--cache", "always") <= again


@pytest.mark.sample(3)
def test_a_rate_is_kept(asks, monkeypatch):
    """By a clock of the test's own: none goes ahead of its second, and none goes past the pace."""
    begun = defaultdict(list)

    class Watched(Pace):
        now = 0.0

        def __init__(self, requests=None, tokens=None):
            super().__init__(requests, tokens, lambda: self.now, self._pass)

        async def _pass(self, seconds):
            self.now += seconds

        async def wait(self, tokens):
            await super().wait(tokens)
            begun[self].append(self.now)

    monkeypatch.setattr(request_queue, "Pace", Watched)
    calls = asks("new", "--rpm", "30")
    assert sum(map(len, begun.values())) == calls > 5
    for times in begun.values():
        assert all(b - a >= 2 for a, b in pairwise(times))


def test_a_suite_says_what_the_judge_of_a_replayed_run_has_spent(here, capsys):
    with ChatServer(lambda call: RIGHT) as server:
        data = free(here)
        rows = (
            'name = "s"\nbudget = "5calls"\n[[models]]\nmodel = "replay:old"\n[[benchmarks]]\n'
            f'benchmark = "questions"\n[benchmarks.flags]\ndata = "{data}"\n'
            f'judge = "{server.spec}"\n'
        )
        (here / "s.toml").write_text(rows)
        capsys.readouterr()
        assert main(["suite", "s.toml", "--out", "s", "--no-report", "--quiet"]) == 1
        assert server.calls == 5
        assert "spent: 5 of 5 calls" in " ".join(capsys.readouterr().out.split())
        assert journals(here) == (5, 5)


def test_a_benchmark_object_of_two_runs_has_the_asker_of_each(here):
    """The judge of the second run was asked by the first, from a budget that was spent."""
    with ChatServer(lambda call: RIGHT) as server:
        msu_bench(here, server.spec)
        options = {"data": "msu", "scores": "scores", "judge": server.spec}
        made = find("msu-bench").from_options(options)
        for name, calls in (("one", 2), ("two", 3)):
            before, spending = server.calls, Spending(budget=Budget(calls=calls))
            order = RunSettings(made, "replay:old", options, limit=None, out=name)
            asyncio.run(carry_out(msgspec.structs.replace(order, spending=spending)))
            assert server.calls == before + calls
    assert journals(here / "one") == (2, 2)
    assert journals(here / "two") == (3, 3)


def test_there_is_no_asking_without_a_session(here):
    with pytest.raises(RuntimeError, match="within the session of a run only"):
        other_asker(open_model("python:judges.py:model"), Sampling())
