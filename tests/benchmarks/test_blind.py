"""A model sees letters and texts, and nothing that tells the right one."""

import asyncio
import json

import pytest

from engine import examine
from listening_help import make_mmau
from muchomusic_help import make_data
from zhiyin import cli
from zhiyin.contract.policies import open_policy
from zhiyin.models.baselines import Baseline
from zhiyin.record import Reply, Sampling
from zhiyin.trial import Option, Trial, say

KEYED = Trial(
    "t/1",
    (say("user", "Which?"),),
    "Which?",
    (Option("A", "re", "C"), Option("B", "mi", "A"), Option("C", "do", "B")),
    "A",
    ("all",),
    "track 1",
    {"level": 2},
)


class Spy:
    """Keeps what it was shown, and answers A."""

    name, concurrency = "spy", 1

    def __init__(self):
        self.shown = []

    async def generate(self, messages, sampling, trial):
        self.shown.append(trial)
        return Reply("A")

    async def close(self):
        pass


class Cheat(Spy):
    """Knows that in MuChoMusic's data the right option comes first."""

    async def generate(self, messages, sampling, trial):
        return Reply(next(o.letter for o in trial.options if o.key == "A"))


def test_options_are_letters_and_texts_and_their_keys_stay_with_the_trial():
    blind = KEYED.blind()
    assert [(o.letter, o.text) for o in blind.options] == [("A", "re"), ("B", "mi"), ("C", "do")]
    assert [o.key for o in blind.options] == ["A", "B", "C"]
    assert blind == Trial("t/1", KEYED.messages, "Which?", blind.options)
    assert [o.key for o in KEYED.options] == ["C", "A", "B"]


def test_a_model_in_a_run_is_shown_no_key(tmp_path):
    spy = Spy()
    asyncio.run(examine(tmp_path, spy, 3))
    assert all(o.key == o.letter for trial in spy.shown for o in trial.options)


@pytest.mark.slow
def test_knowing_the_datas_order_is_worth_nothing_in_muchomusic(tmp_path):
    from zhiyin.contract.settings import RunSettings
    from zhiyin.engine.runner import Limits
    from zhiyin.record import Sampling
    from zhiyin.session import carry_out

    options = {"data": str(make_data(tmp_path / "data", tracks=12)), "partial": True}
    order = RunSettings(
        "muchomusic", Cheat(), options, Sampling(), None, str(tmp_path / "run"), Limits(1)
    )
    result = asyncio.run(carry_out(order))
    assert result.outcome.count.judged >= 24
    assert result.outcome.count.correct < 0.6 * result.outcome.count.judged
    lines = (tmp_path / "run" / "records.jsonl").read_text("utf-8").splitlines()
    keys = [option[2] for option in json.loads(lines[0])["trial"]["options"]]
    assert sorted(keys) == ["A", "B", "C", "D"]  # the log knows them still
    assert cli.main(["show", str(tmp_path / "run"), "--json"]) == 0


def test_a_baseline_answers_in_the_form_that_is_read():
    """By words where a policy looks for words; by the letter wherever that is read."""
    options = (Option("A", "Male voice", "A"), Option("B", "Drum kit", "B"))
    trial = Trial("t", (say("user", "Which?"),), "Which?", options)
    forms = {"robust": "A", "string-match": "Male voice", "rul": "[[A]]"}
    for policy, form in forms.items():
        baseline = Baseline("first")
        read = open_policy(policy).extract
        baseline.read = lambda text, options, read=read: read(text, options).letter
        reply = asyncio.run(baseline.generate(trial.messages, Sampling(), trial.blind()))
        assert reply.text == form


def test_guessing_stands_at_chance_where_the_words_of_an_option_are_read(tmp_path, capsys):
    data = make_mmau(tmp_path / "data", 40, sound=False)
    order = ["run", "mmau", "--data", str(data), "--audio", "none", "-m", "first", "--quiet"]
    assert cli.main([*order, "--protocol", "mmau-words", "--out", str(tmp_path / "run")]) == 0
    states = json.loads((tmp_path / "run" / "records.jsonl").read_text().splitlines()[0])
    assert states["verdict"]["state"] in ("correct", "wrong")
    assert "40 of 40 replies hold no readable answer" not in capsys.readouterr().out
