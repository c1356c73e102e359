"""From an exchange to a verdict, for every benchmark whose answer is one of some options."""

from __future__ import annotations

from zhiyin.reader import Policy, is_refusal
from zhiyin.record import Exchange, State, Verdict
from zhiyin.trial import Trial


def judge_choice(trial: Trial, exchange: Exchange, policy: Policy) -> Verdict:
    """Score the last reply of `exchange` as a choice among the options of `trial`.

    A reply without an answer is `truncated` when its length limit cut it, `refused` when the
    model declined, `no_answer` otherwise. An answer that was given before the cut counts. A
    letter that no option has, which some published rules count as answered, is `wrong`.
    """
    reply = exchange.final
    found = policy.extract(reply.text, trial.options)
    if found.letter is not None:
        key = next((o.key for o in trial.options if o.letter == found.letter), None)
        state: State = "correct" if key is not None and key == trial.target else "wrong"
        return Verdict(
            state, key, found.letter, found.why, policy.label,
            confidence=found.confidence, span=found.span,
        )  # fmt: skip
    if reply.finish == "length":
        state = "truncated"
    elif reply.finish == "refusal" or is_refusal(reply.text):
        state = "refused"
    else:
        state = "no_answer"
    return Verdict(state, None, None, found.why, policy.label)
