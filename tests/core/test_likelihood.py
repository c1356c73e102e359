"""Options scored by log-probability, beside the reply: what is asked, chosen, logged and shown."""

import asyncio
import json
import math

import msgspec
import pytest

from questions_help import jsonl
from servers import ChatServer, completion
from zhiyin.cli import main
from zhiyin.engine.folder import read_records
from zhiyin.errors import InputError
from zhiyin.models.replies import read_likelihood
from zhiyin.record import Exchange, Likelihood, Reply, Sampling, Turn, Verdict
from zhiyin.session.rescore import rescore
from zhiyin.strategies import standalone
from zhiyin.strategies.likelihood import NOTED, choices, scoring, with_choices
from zhiyin.trial import Option, Trial, say

OPTIONS = tuple(
    Option(letter, text, key)
    for letter, text, key in [("A", "a fugue", "C"), ("B", "mass", "A"), ("C", "a march", "B")]
)
TRIAL = Trial("t", (say("user", "Which?"),), "Which?", OPTIONS, "A")


def numbers(**more):
    return {
        "letter": {"A": -1.0, "B": -2.0, "C": -3.0},
        "letter_prior": {"A": -0.1, "B": -1.5, "C": -2.0},
        "text": {"A": -6.0, "B": -5.0, "C": -7.0},
        "text_prior": {"A": -3.0, "B": -1.0, "C": -6.0},
        **more,
    }


def test_each_way_chooses_by_its_own_score():
    found = choices(OPTIONS, numbers())
    assert found == {
        "letter": "A",
        "letter-prior": "B",  # -0.9, -0.5, -1.0
        "text": "B",
        "text-length": "A",  # -6/7, -5/4, -7/7
        "text-prior": "C",  # -3, -4, -1
    }


def test_what_is_not_known_chooses_nothing():
    assert choices(OPTIONS, "the server gives no log-probabilities") == {}
    assert choices(OPTIONS, {}) == {}
    # A letter that was not among the most probable is less probable than those that were.
    part = {"letter": {"B": -2.0, "C": -3.0}, "letter_prior": {"B": -1.0, "C": -9.0}}
    assert choices(OPTIONS, part) == {"letter": "B"}
    assert "text" not in choices(OPTIONS, numbers(text={"A": -6.0, "B": -5.0}))
    tied = numbers(letter={"A": -1.0, "B": -1.0, "C": -2.0})
    assert "letter" not in choices(OPTIONS, tied)
    assert "letter" not in choices(OPTIONS, {"letter": {"A": -math.inf, "B": -math.inf}})


def test_lengths_are_those_of_utf8():
    options = (Option("A", "琵琶", "A"), Option("B", "abcd", "B"))
    noted = {"text": {"A": -6.0, "B": -5.0}}  # 6 and 4 bytes: -1.0, -1.25
    assert choices(options, noted)["text-length"] == "A"


def test_a_verdict_says_which_choices_were_right_and_is_else_untouched():
    inner = Verdict("wrong", "B", "C", scores={"own": 0.5})
    scored = with_choices(lambda trial, exchange: inner)
    exchange = Exchange((Turn(Reply("C")),), {NOTED: numbers()})
    verdict = scored(TRIAL, exchange)  # the key A is shown under B
    assert verdict.state == "wrong"
    assert verdict.scores == {
        "own": 0.5, "loglikelihood.letter": 0.0, "loglikelihood.letter-prior": 1.0,
        "loglikelihood.text": 1.0, "loglikelihood.text-length": 0.0,
        "loglikelihood.text-prior": 0.0,
    }  # fmt: skip
    plain = Verdict("wrong", "B")
    assert with_choices(lambda *_: plain)(TRIAL, Exchange((Turn(Reply("C")),))).scores == {}


class Numbered:
    """Answers B; gives log-probabilities by a rule, and counts what it was asked."""

    name, concurrency = "numbered", 1

    def __init__(self, fails=False):
        self.asked, self.fails = [], fails

    async def ask(self, messages, sampling=None):
        if not isinstance(sampling, Likelihood):
            return Reply("B")
        if self.fails:
            raise RuntimeError("no numbers here")
        self.asked.append((messages[0].text, sampling.continuations))
        return Reply("", logprobs={w: -float(len(w)) for w in sampling.continuations})


def test_priors_are_asked_once_for_all_trials():
    model = Numbered()
    strategy = scoring(lambda trial: standalone)
    for _ in range(3):
        exchange = asyncio.run(strategy(TRIAL)(TRIAL, model.ask))
    assert exchange.final.text == "B"
    assert len(exchange.turns) == 1, "the reply is the only turn"
    assert set(exchange.notes[NOTED]) == {"letter", "text", "letter_prior", "text_prior"}
    asked = [text for text, _ in model.asked]
    assert asked.count("Which?") == 3
    assert len(asked) == 4, "the prior of the same words is asked once"
    assert "Which?" not in asked[1]
    assert model.asked[0][1] == ("A", "B", "C", "a fugue", "mass", "a march")


def test_priors_are_of_the_language_of_the_question():
    chinese = msgspec.structs.replace(TRIAL, id="zh", messages=(say("user", "哪一个？"),))
    blanks = []
    for order in ((TRIAL, chinese), (chinese, TRIAL)):
        model, strategy = Numbered(), scoring(lambda trial: standalone)
        for trial in order:
            asyncio.run(strategy(trial)(trial, model.ask))
        blanks.append({text for text, _ in model.asked} - {"Which?", "哪一个？"})
    assert blanks[0] == blanks[1]
    assert len(blanks[0]) == 2


def test_where_there_are_no_numbers_the_reply_stands_and_the_notes_say_why():
    exchange = asyncio.run(scoring(lambda t: standalone)(TRIAL)(TRIAL, Numbered(True).ask))
    assert exchange.final.text == "B"
    assert exchange.notes[NOTED] == "no numbers here"


def test_a_loss_in_the_place_of_log_probabilities_chooses_nothing():
    async def ask(messages, sampling=None):
        losses = {w: float(len(w)) for w in getattr(sampling, "continuations", ())}
        return Reply("" if losses else "B", logprobs=losses)

    exchange = asyncio.run(scoring(lambda t: standalone)(TRIAL)(TRIAL, ask))
    assert exchange.final.text == "B"
    assert "none is above 0" in exchange.notes[NOTED]
    assert choices(TRIAL.options, exchange.notes[NOTED]) == {}


# Servers


def top(**logged: float):
    """A completion of one token, with the log-probabilities of the likeliest."""
    body = completion("A", "length")
    named = [{"token": t, "logprob": p, "bytes": None} for t, p in logged.items()]
    first = {"token": "A", "logprob": -0.1, "bytes": None, "top_logprobs": named}
    body["choices"][0]["logprobs"] = {"content": [first], "refusal": None}
    return body


def scripted(call):
    if not call.body.get("logprobs"):
        return "Answer: B"
    asked = any(word in call.text for word in ("fugue", "march"))
    return top(**({"A": -0.5, " B": -2.0, "B": -2.0, "Hm": -3.0} if asked else {"A": -1, "B": -4}))


@pytest.fixture
def questions(tmp_path):
    rows = (
        {"id": f"q{n}", "question": "Is it a fugue?", "options": ["a fugue", "a march"],
         "answer": "a march"} for n in range(4)
    )  # fmt: skip
    return jsonl(tmp_path / "questions.jsonl", *rows)


@pytest.mark.slow
def test_a_chat_server_gives_what_its_first_token_may_be(tmp_path, questions, capsys):
    with ChatServer(scripted) as server:
        order = ["run", str(questions), "-m", server.spec, "--out", str(tmp_path / "run")]
        assert main([*order, "--score", "loglikelihood", "--quiet", "--concurrency", "1"]) == 0
        bodies = [call.body for call in server.seen if call.body.get("logprobs")]
        assert len(bodies) == 5, "four trials, and one prior for all"
        assert all(body["max_tokens"] == 1 and body["top_logprobs"] == 20 for body in bodies)
        assert all(body["temperature"] == 1 for body in bodies), "or they would be sharpened"
    for record in read_records(tmp_path / "run"):
        noted = record.exchange.notes[NOTED]
        assert set(noted) == {"letter", "letter_prior"}, "words cannot be had of a first token"
        assert noted["letter"]["A"] == pytest.approx(-0.5)
        # "B" and " B" say the same: e^-2 + e^-2
        assert noted["letter"]["B"] == pytest.approx(-2 + math.log(2))
        assert record.verdict.state == "correct"
        assert record.verdict.scores == {
            "loglikelihood.letter": 0.0,  # A is the likelier
            "loglikelihood.letter-prior": 1.0,  # less what it says anyway: +0.5 against +2.7
        }
    shown = capsys.readouterr().out
    assert "By log-probability of the options" in shown
    assert "letter, less what it says anyway" in shown
    # Scored again, the same figures; and a run without numbers has no such table.
    again = rescore(tmp_path / "run", "robust", tmp_path / "again")
    assert again.changed == 0
    kept = [record.verdict.scores for record in read_records(tmp_path / "again")]
    assert kept == [record.verdict.scores for record in read_records(tmp_path / "run")]


def test_what_is_next_to_impossible_has_a_logarithm_all_the_same():
    reply = Reply("A", logprobs={"A": -0.5, "B": -800.0, " B": -800.0, "C": -9999.0})
    read_likelihood(reply, "ABCD")
    assert reply.logprobs == pytest.approx({"A": -0.5, "B": -800 + math.log(2)})


def test_the_figures_stand_in_json_with_intervals(tmp_path, questions, capsys):
    with ChatServer(scripted) as server:
        order = ["run", str(questions), "-m", server.spec, "--out", str(tmp_path / "run")]
        assert main([*order, "--score", "loglikelihood", "--json"]) == 0
    table = json.loads(capsys.readouterr().out)["details"][-1]
    rows = {row[0]: row[1:] for row in table["rows"]}
    assert rows["reply, as read"][:2] == [4, 100.0]
    assert rows["letter"][:2] == [4, 0.0]
    assert rows["letter"][2] <= 0.0 <= rows["letter"][3]
    assert rows["letter"][4] == 0.0, "it never chooses what the reply chose"
    assert rows["letter, less what it says anyway"][4] == 100.0


def test_a_server_without_numbers_costs_nothing_but_says_so(tmp_path, questions, capsys):
    with ChatServer("Answer: B") as server:
        order = ["run", str(questions), "-m", server.spec, "--out", str(tmp_path / "run")]
        assert main([*order, "--score", "loglikelihood", "--quiet"]) == 0
    assert "warning: 4 of 4 have no log-probabilities" in " ".join(capsys.readouterr().out.split())
    assert all(r.verdict.state == "correct" for r in read_records(tmp_path / "run"))


def test_a_run_with_numbers_is_another_run(tmp_path, questions, capsys):
    with ChatServer(scripted) as server:
        order = [
            "run",
            str(questions),
            "-m",
            server.spec,
            "--out",
            str(tmp_path / "run"),
            "--quiet",
        ]
        assert main(order) == 0
        assert main([*order, "--score", "loglikelihood"]) == 2
    assert "score" in capsys.readouterr().err


def test_python_takes_the_same_word(tmp_path, questions):
    import zhiyin as zy

    with pytest.raises(InputError, match="loglikelihood"):
        zy.run(str(questions), "random", out=tmp_path / "run", score="likelihood")


def test_sampling_of_a_likelihood_is_none_of_the_runs(tmp_path):
    assert Likelihood(continuations=("A",)) != Sampling()
