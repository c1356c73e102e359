"""From an exchange to a verdict: one option, several, or a free answer by its scorer. Pure."""

from __future__ import annotations

import msgspec

from zhiyin.benchmarks.questions.judging import VERDICTS, judged
from zhiyin.benchmarks.questions.scorers import SCORERS, VERSION
from zhiyin.engine.scoring import judge_choice
from zhiyin.reader import Policy, forms, is_refusal
from zhiyin.record import Exchange, Reply, State, Verdict
from zhiyin.trial import Trial


def score(trial: Trial, exchange: Exchange, policy: Policy) -> Verdict:
    """What to make of an exchange. Needs the logged record alone."""
    if trial.options and trial.tags.get("kind") == "several":
        return _several(trial, exchange.final)
    if trial.options:
        return judge_choice(trial, exchange, policy)
    spec = str(trial.tags.get("scorer"))
    name, _, bound = spec.partition(":")
    if name == "judge":
        return _judged(trial, exchange, bound)
    scorer = SCORERS[name]
    reading = scorer.read(exchange.final.text)
    label = f"{spec}@{VERSION}"
    if reading.value is None:
        return _unread(exchange.final, reading.why, label)
    accepted = msgspec.json.decode(str(trial.tags.get("accept") or "[]"), type=list[str])
    graded = scorer.grade(reading.value, accepted, bound)
    return Verdict(
        "correct" if graded.right else "wrong", _shown(reading.value), None, reading.why, label,
        graded.scores, confidence=reading.confidence, span=reading.span,
    )  # fmt: skip


def _several(trial: Trial, reply: Reply) -> Verdict:
    """Right where all right options are named and no other; F1 says how near it comes."""
    label = f"letters@{VERSION}"
    reading = forms.letters(reply.text, trial.options)
    if not reading.value:
        return _unread(reply, reading.why, label)
    named = {option.key for option in trial.options if option.letter in reading.value}
    wanted = set((trial.target or "").split(","))
    f1 = 2 * len(named & wanted) / (len(named) + len(wanted))
    state: State = "correct" if named == wanted else "wrong"
    return Verdict(
        state, ",".join(sorted(named)), None, reading.why, label,
        {"f1": f1}, confidence=reading.confidence, span=reading.span,
    )  # fmt: skip


def _judged(trial: Trial, exchange: Exchange, bound: str) -> Verdict:
    label = f"judge@{VERSION}"
    reply = exchange.final
    if not reply.text.strip() or reply.finish == "refusal":
        return _unread(reply, "nothing to judge", label)
    judgement = judged(exchange)
    if isinstance(judgement, str):
        return Verdict("error", None, why=judgement, policy=label)
    word, reason = judgement
    right = VERDICTS[word] >= float(bound or 1)
    why = f"judged {word}: {reason}" if reason else f"judged {word}"
    return Verdict(
        "correct" if right else "wrong", None, None, why, label, {"judged": VERDICTS[word]}
    )


def _unread(reply: Reply, why: str, label: str) -> Verdict:
    if reply.finish == "length":
        return Verdict("truncated", None, None, why, label)
    if reply.finish == "refusal" or is_refusal(reply.text):
        return Verdict("refused", None, None, why, label)
    return Verdict("no_answer", None, None, why, label)


def _shown(value: object) -> str:
    """A value that was read, in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
