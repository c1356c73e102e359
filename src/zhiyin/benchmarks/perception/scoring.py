"""LogicLM's verdict: the solver's decision scores the trial, the model's own answer is noted.

Where the solver reached no decision there is no answer, and none is put in its place.
"""

from __future__ import annotations

from zhiyin.benchmarks.perception import fidelity
from zhiyin.benchmarks.perception.tasks import Transcription
from zhiyin.engine.scoring import read_choice
from zhiyin.reader import Policy, is_refusal
from zhiyin.record import Exchange, Record, State, Verdict
from zhiyin.trial import Tag, Trial

SOLVER = "solver@1"


def judge_logiclm(trial: Trial, exchange: Exchange, policy: Policy) -> Verdict:
    """Score a LogicLM exchange.

    Returns
    -------
    Verdict
        `answer` is the solver's. Without a decision, a valid transcription is `no_answer`; where
        there is none the state is `truncated` or `refused` as the last output was, else
        `no_answer`, and `why` is the last fault. `scores` hold
        the counts of `fidelity` where the truth is known. `tags` hold `executable`,
        `repairs`, and, where the final question was asked, `own_answer` (a key, or None) and
        `agrees` (None where the model's own answer cannot be read). `policy` names the solver
        and the policy by which the model's own answer was read.
    """
    notes = exchange.notes
    key = notes["solver"]
    if key is not None:
        state: State = "correct" if key == trial.target else "wrong"
        why = "decided by the solver"
    else:
        state, why = _undecided(exchange)
    letter = next((option.letter for option in trial.options if option.key == key), None)
    return Verdict(
        state,
        key,
        letter,
        why,
        f"{SOLVER}, {policy.label}",
        _fidelity(trial, exchange),
        {
            "executable": notes["executable"],
            "repairs": notes["repairs"],
            **_own_answer(trial, exchange, policy),
        },
    )


def pack(transcription: Transcription) -> str:
    """A transcription as a tag: ``60 64 67``, two melodies separated by ``|``."""
    return " | ".join(" ".join(map(str, row)) for row in transcription)


def unpack(tag: str) -> Transcription:
    """What `pack` wrote."""
    return tuple(tuple(map(int, row.split())) for row in tag.split("|"))


def without_messages(record: Record) -> Record:
    """A LogicLM record without its trial's messages, which are long and not in any table."""
    trial = record.trial
    record.trial = Trial(trial.id, (), target=trial.target, tags=trial.tags)
    return record


def _undecided(exchange: Exchange) -> tuple[State, str]:
    if exchange.notes["transcription"] is not None:
        return "no_answer", "the solver cannot decide from the transcription"
    reply, fault = exchange.final, exchange.notes["faults"][-1]
    why = f"{fault['kind']} fault: {fault['message']}"
    if reply.finish == "length":
        return "truncated", why
    if reply.finish == "refusal" or is_refusal(reply.text):
        return "refused", why
    return "no_answer", why


def _own_answer(trial: Trial, exchange: Exchange, policy: Policy) -> dict[str, Tag]:
    """The model's own answer to the final question, beside the decision that it was given."""
    if not any(turn.purpose == "final" for turn in exchange.turns):
        return {}
    letter = read_choice(trial, exchange, policy)[0].letter
    if letter is None:
        return {"own_answer": None, "agrees": None}
    own = next((option.key for option in trial.options if option.letter == letter), None)
    return {"own_answer": own, "agrees": own == exchange.notes["solver"]}


def _fidelity(trial: Trial, exchange: Exchange) -> dict[str, float]:
    truth = trial.tags.get("transcription")
    if not isinstance(truth, str):
        return {}
    transcription = exchange.notes["transcription"]
    return fidelity.as_scores(fidelity.count(str(trial.tags["task"]), transcription, unpack(truth)))
