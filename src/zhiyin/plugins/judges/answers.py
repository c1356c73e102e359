"""Free answers that a model judges, within the trial that they answer.

The judge's reply is logged with the trial, so that scoring stays a pure function of the record.
A judge that fails or cannot be read makes the trial an error, never a wrong answer; the reply of
the model judged is kept, and ``-m replay:RUN`` has it judged again without asking for it again.

The scorer of one's own questions that has a model judge free answers by a rubric.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import msgspec

from zhiyin import session
from zhiyin.benchmarks.questions.scoring import VERSION, Graded, Scorer, whole_reply
from zhiyin.cost.ledger import HeldPlace
from zhiyin.cost.prices import CACHED, KEPT_AT, OthersPaid
from zhiyin.cost.request_queue import RequestQueue
from zhiyin.engine.asking import Call, Conversation, OtherAsker, other_asker, together
from zhiyin.engine.scoring import unread
from zhiyin.errors import FatalError, InputError, ModelError, SpentError, reworded
from zhiyin.plugins.judges.language import fenced
from zhiyin.plugins.judges.reading import UnreadableJudgement, read_object, word_of
from zhiyin.prompts import Prompts
from zhiyin.record import Ask, Exchange, Model, Reply, Sampling, Turn, Verdict
from zhiyin.trial import Message, Trial, say
from zhiyin.words import said

T = TypeVar("T")
VERDICTS = {"right": 1.0, "partly": 0.5, "wrong": 0.0}
_SYNONYMS = {
    "right": ("correct", "true", "正确"),
    "partly": ("partly_right", "partial", "partially", "部分正确"),
    "wrong": ("incorrect", "false", "错误"),
}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "reason": {"type": "string"},
        "verdict": {"type": "string", "enum": list(VERDICTS)},
    },
    "required": ["reason", "verdict"],
    "additionalProperties": False,
}


class JudgingForm(NamedTuple):
    """The form of a judge's reply: a JSON schema, and the function that reads it.

    `read` raises `UnreadableJudgement` for a text that holds no judgement.
    """

    schema: dict[str, Any]
    read: Callable[[str], object]


class Judge:
    """A model that judges.

    Parameters
    ----------
    spec : str
        A model as ``-m`` takes it.
    prompts : Prompts
        With ``judge``, which may hold `question`, `rubric`, `expected` and `reply`, and ``again``,
        which holds `fault`.
    form : JudgingForm, optional
        By default a word of `VERDICTS` and the reason.

    Raises
    ------
    InputError
        The spec names no model, or one that cannot be opened.
    """

    def __init__(self, spec: str, prompts: Prompts, form: JudgingForm | None = None) -> None:
        from zhiyin.models import open_model

        with reworded("--judge: ", of=InputError):
            self._model: Model = open_model(spec)
        self._prompts = prompts
        self._form = form or WORDS
        self._reached = False

    async def check(self) -> None:
        """Make sure that the judge can be reached, where it knows how. Raises `InputError`."""
        try:
            await session.check(self._model)
        finally:
            await self._model.close()

    async def conduct(self, trial: Trial, ask: Ask) -> Exchange:
        """Ask the model under examination, then have its reply judged.

        Both are had from the budget together, or neither is asked.
        """
        asker = other_asker(self._model, Sampling(schema=self._form.schema))
        place = self._place(asker, trial)
        try:
            token = together.set(place)
            try:
                reply = await ask(trial.messages)
            finally:
                together.reset(token)
            if not reply.text.strip() or reply.finish == "refusal":
                return Exchange((Turn(reply),))
            if place and not place.held:  # the reply cost nothing, and its judge will
                await asker.queue.admit(place)  # type: ignore[union-attr]
            return await self._judge(asker, trial, reply, place)
        finally:
            if place:
                place.give_up()

    def _place(self, asker: OtherAsker, trial: Trial) -> HeldPlace | None:
        """Room for the judge's call, to be had together with the trial's own."""
        if not isinstance(asker.queue, RequestQueue):
            return None
        return asker.queue.place((say("user", self._request(trial, Reply(""))),))

    async def _judge(
        self, asker: OtherAsker, trial: Trial, reply: Reply, place: HeldPlace | None
    ) -> Exchange:
        """The reply with what the judge says of it."""
        notes: dict[str, Any] = {"model": self._model.name, "replies": []}
        exchange = Exchange((Turn(reply),), {"judge": notes})
        conversation = Conversation(place)
        messages: tuple[Message, ...] = (say("user", self._request(trial, reply)),)
        call = Call(asker, Trial(trial.id, messages), conversation)
        try:
            for _ in range(2):
                async with asker.slots:
                    judgement = await call.ask(messages)
                self._reached = True
                notes["replies"].append(judgement.text)
                if judgement.detail.get(CACHED):
                    notes.setdefault("kept_at", []).append(judgement.detail.get(KEPT_AT, ""))
                try:
                    self._form.read(judgement.text)
                    break
                except UnreadableJudgement as fault:
                    again = self._prompts.fill("again", fault=fault.args[0])
                    messages = (
                        *messages,
                        say("assistant", judgement.text.strip() or "..."),
                        say("user", again),
                    )
            else:
                if asker.queue:  # what could not be read is to be answered anew
                    await asker.queue.forget(conversation)
        except FatalError as error:
            if not self._reached:  # no call will ever succeed: stop before more is asked and paid
                raise FatalError(f"--judge: {error}") from None
            notes["error"] = str(error)
        except (ModelError, SpentError) as error:
            notes["error"] = str(error) or type(error).__name__
        if (spent := conversation.spent).calls:
            paid = OthersPaid(spent.calls, spent.tokens, spent.usd)
            exchange.notes["paid"] = msgspec.to_builtins(paid)
        return exchange

    def _request(self, trial: Trial, reply: Reply) -> str:
        accepted = msgspec.json.decode(str(trial.tags.get("accept") or "[]"), type=list[str])
        return self._prompts.fill(
            "judge",
            question=trial.stem,
            rubric=str(trial.tags.get("rubric") or ""),
            expected="\n".join(accepted) or "-",
            reply=fenced(reply.text),
        )


def read_verdict(text: str) -> tuple[str, str]:
    """The word and the reason in a judge's reply. Raises `UnreadableJudgement` for none."""
    verdict = read_object(text, ("verdict",))
    reason = verdict.get("reason")
    word = word_of(verdict.get("verdict"), _SYNONYMS, "verdict")
    return word, reason if isinstance(reason, str) else ""


WORDS = JudgingForm(_SCHEMA, read_verdict)


def judged(exchange: Exchange) -> tuple[str, str] | str:
    """The judge's word and reason in a logged exchange; a text for why there is none."""
    return judgement_in(exchange, read_verdict)


def judgement_in(exchange: Exchange, read: Callable[[str], T]) -> T | str:
    """Read the judge's last reply with `read`; a text says why there is no judgement."""
    notes = exchange.notes.get("judge")
    if notes is None:
        return str(said("log-judge-not-asked"))
    fault = notes.get("error", "")
    for text in reversed(notes.get("replies", [])):
        try:
            return read(text)
        except UnreadableJudgement as unreadable:
            fault = fault or str(unreadable)
    return str(said("log-judge-error", why=fault or said("log-judge-no-reply")))


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
