"""The scorer of one's own questions that has a model judge free answers by a rubric."""

from __future__ import annotations

from zhiyin.benchmarks.questions.scoring import VERSION, Graded, Scorer, whole_reply
from zhiyin.engine.scoring import unread
from zhiyin.plugins.judges.answers import VERDICTS, Judge, judged
from zhiyin.record import Exchange, Verdict
from zhiyin.trial import Trial


def verdict(trial: Trial, exchange: Exchange, bound: str) -> Verdict:
    """Return the judge's verdict on a reply; an error where nothing in it can be read."""
    label = f"judge@{VERSION}"
    reply = exchange.final
    if not reply.text.strip() or reply.finish == "refusal":
        return unread(reply, "nothing to judge", label)
    judgement = judged(exchange)
    if isinstance(judgement, str):
        return Verdict("error", None, why=judgement, policy=label)
    word, reason = judgement
    right = VERDICTS[word] >= float(bound or 1)
    why = f"judged {word}: {reason}" if reason else f"judged {word}"
    return Verdict(
        "correct" if right else "wrong", None, None, why, label, {"judged": VERDICTS[word]}
    )


SCORER = Scorer(
    "judge",
    "a model judges by your rubric (--judge); right where it says so; judge:0.5 takes partly",
    whole_reply,
    lambda value, accepted, bound: Graded(False),
    bound="share",
    judge=Judge,
    verdict=verdict,
)
