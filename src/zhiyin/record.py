"""Results of a run: replies, exchanges, verdicts and records, and who takes part in it.

States of a verdict
-------------------
correct, wrong
    An answer was found in the reply and compared with the target.
no_answer
    The reply holds no answer that the policy recognises. Wrong, and it lowers the
    instruction-following rate.
refused
    The model declined. Counted like no_answer, under its own name.
truncated
    The reply was cut by its length limit before any answer. Counted like no_answer.
error
    No reply could be had, or no judgement. Outside every denominator, always counted.
ungraded
    What was asked for has no right answer (a review, a judgement), or how hard it was followed from
    the answers before. It was done, or the verdict says why not; it is in no share of right
    answers. Its worth is in `scores`, or for judges.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import Annotated, Any, Literal, Protocol, get_args

import msgspec

from zhiyin.errors import InputError, did_you_mean
from zhiyin.flags import COUNT, Flag
from zhiyin.trial import Message, Messages, Tag, Trial, one_line
from zhiyin.words import said

State = Literal["correct", "wrong", "no_answer", "refused", "truncated", "error", "ungraded"]
STATES: tuple[State, ...] = get_args(State)
SCORE = "score:"
"""What stands before the name of a score where figures are named."""
NOT_JUDGED: frozenset[State] = frozenset(("error", "ungraded"))
"""States that are in no share of right answers."""
Finish = Literal["stop", "length", "refusal"]
FINISHES: tuple[Finish, ...] = get_args(Finish)


LEVELS = ("minimal", "low", "medium", "high", "xhigh", "max")
"""Words for how much a model thinks, from little to much; no model knows all of them."""
OFF = "off"


def read_thinking(value: Any) -> str | int:
    """Read how a model is to think: "off", a level, or a number of tokens."""
    if isinstance(value, str) and value.isdecimal():
        value = int(value)
    if value in (OFF, *LEVELS) or (type(value) is int and value >= 1):
        return value  # type: ignore[no-any-return]
    words = (OFF, *LEVELS)
    hint = did_you_mean(value if isinstance(value, str) else "", words)
    raise InputError(said("error-thinking", value=repr(value), hint=hint))


class Sampling(msgspec.Struct, frozen=True):
    """Settings for generating a reply. None leaves a setting to the model's own default.

    `schema` is a JSON schema that the reply is to follow, for models that can be bound to one;
    the others get the same words and are not bound. `thinking` is "off", a level ("low", "high",
    ...) or a number of tokens, for models that think before they answer.
    """

    temperature: Annotated[
        float | None,
        Flag(
            "default 0; here and below 'default' leaves it to the model",
            metavar="T",
            within=msgspec.Meta(ge=0, le=2),
            unset="default",
        ),
    ] = 0.0
    max_tokens: Annotated[
        int | None, Flag("of a reply; default: its own", metavar="N", within=COUNT, unset="default")
    ] = None
    top_p: Annotated[
        float | None,
        Flag(
            "default: the model's own",
            metavar="P",
            within=msgspec.Meta(gt=0, le=1),
            unset="default",
        ),
    ] = None
    top_k: Annotated[
        int | None, Flag("default: the model's own", metavar="K", within=COUNT, unset="default")
    ] = None
    seed: Annotated[
        int | None,
        Flag(
            "sent to the model; default: none is sent",
            metavar="N",
            name="sampling-seed",
            unset="default",
        ),
    ] = None
    schema: dict[str, Any] | None = None
    thinking: Annotated[
        str | int | None,
        Flag(
            "off, low, medium, high or a number of tokens; default: the model's own",
            metavar="HOW",
            read=read_thinking,
            unset="default",
        ),
    ] = None


class Likelihood(Sampling, frozen=True):
    """Asks for log-probabilities in the place of a reply.

    `continuations` are what might be said next. The reply has no text; its `logprobs` map those
    continuations whose log-probability the model gives.
    """

    continuations: tuple[str, ...] = ()


class Reply(msgspec.Struct, omit_defaults=True):
    """One answer of a model.

    `latency_s` is the time from sending to the last byte, None for what answers at once.
    `usage` holds token counts as the server names them. `logprobs` maps what might be said to its
    natural log-probability, where that was asked for (`Likelihood`). `detail` holds what the
    adapter wants remembered (the model's name as the server reports it, seconds of audio sent,
    reasoning).
    """

    text: str
    finish: Finish = "stop"
    usage: dict[str, int] = {}
    latency_s: float | None = None
    logprobs: dict[str, float] = {}
    detail: dict[str, Any] = {}


WORDS_IN = "words_in"
"""The entry of a reply's ``detail`` for one without text: where its words are, "reasoning", "tools"
or "audio"."""
RETRIED = "retried"
"""The entry of a reply's ``detail`` with the usage of each empty reply that came before it: what
was asked again was paid for too."""


def retried(detail: Mapping[str, Any]) -> list[dict[str, int]]:
    """The usage of each empty reply before one, from its detail; none where there are none."""
    entries = detail.get(RETRIED)
    if not isinstance(entries, list):
        return []
    return [one for one in entries if isinstance(one, dict)
            and all(isinstance(n, int) for n in one.values())]  # fmt: skip


class Turn(msgspec.Struct, omit_defaults=True):
    """One call of the model: its purpose, what was sent beyond the trial's messages, the reply.

    `sent` is None when exactly the trial's own messages were sent.
    """

    reply: Reply
    sent: tuple[Message, ...] | None = None
    purpose: str = "answer"


class Exchange(msgspec.Struct, omit_defaults=True):
    """The whole conversation of a trial. `notes` is what the strategy found on the way.

    `broken` says that a call failed before the conversation's end: the turns until then are
    kept, since they were paid for, and are never scored.
    """

    turns: tuple[Turn, ...] = ()
    notes: dict[str, Any] = {}
    broken: bool = False

    @property
    def final(self) -> Reply:
        """The last reply. Raises IndexError when nothing was said."""
        return self.turns[-1].reply


class Verdict(msgspec.Struct, omit_defaults=True):
    """The judgement of an exchange.

    `answer` is the key of the chosen option (as in the data), `letter` the one under which it
    was shown; `why` says how the answer was found, or why there is none; `policy` names the
    reading policy and its version, `confidence` how sure it is ("declared", "inferred", "by text
    alone"; "" where it does not say), and `span` where in the reply the words stand that it
    rests on. `scores` holds named numbers beyond right and wrong.
    """

    state: State
    answer: str | None
    letter: str | None = None
    why: str = ""
    policy: str = ""
    scores: dict[str, float] = {}
    tags: dict[str, Tag] = {}
    confidence: str = ""
    span: tuple[int, int] | None = None

    @property
    def of_reply(self) -> State:
        """State of the reply itself.

        The replies of an exam are counted in no share, since its questions are chosen by what they
        tell; its scores ``right`` and ``answered`` say of each what it is.
        """
        if self.state != "ungraded" or "right" not in self.scores:
            return self.state
        if self.scores["right"]:
            return "correct"
        return "wrong" if self.scores.get("answered", 1.0) else "no_answer"


class Record(msgspec.Struct, omit_defaults=True):
    """One line of the log. `last` says that the trial's sequence came to its end with it."""

    id: str
    verdict: Verdict
    trial: Trial
    exchange: Exchange = msgspec.field(default_factory=Exchange)
    error: str | None = None
    attempts: int = 1
    last: bool = False

    def __repr__(self) -> str:
        """Return one line: the state of the trial."""
        verdict, turns = self.verdict, self.exchange.turns
        text = self.error or (turns[-1].reply.text if turns else "")
        answer = [] if verdict.letter is None else [f"answer {verdict.letter!r}"]
        return one_line("Record", self.id, text, verdict.state, *answer)


class Model(Protocol):
    """A model that answers questions.

    `trial` is the blinded trial (see `Trial.blind`), for models that work on stem and
    options rather than on a prompt; a language model ignores it. Raises `errors.ModelError`.
    """

    name: str
    concurrency: int
    """How many calls at once suit this model when the user does not say."""

    async def generate(self, messages: Messages, sampling: Sampling, trial: Trial) -> Reply: ...

    async def close(self) -> None: ...


class InHand(Protocol):
    """The request that a model is answering: a further call of it is admitted here, and counted.

    ``again`` ends a call that failed, for another try elsewhere; ``double`` begins a second one
    beside the first, or gives None where there is no room for it; ``failed`` ends that. A model
    with ``tells_sending`` calls ``sent`` right before anything leaves this machine.
    """

    def sent(self) -> None: ...

    async def again(self, error: Any) -> None: ...
    def double(self) -> InHand | None: ...
    def failed(self, error: BaseException | None = None) -> None: ...


in_hand: ContextVar[InHand | None] = ContextVar("in_hand", default=None)
"""The request of the call that is made; None where nobody counts them."""


def identity_of(model: Any) -> dict[str, Any] | None:
    """Return what makes a model the one that it is; None if that is unknown.

    A model says it by a method ``identity``. Functions, programs and other models that may change
    between two runs have none, and their replies are not kept.
    """
    own = getattr(model, "identity", None)
    return own() if callable(own) else None


Ask = Callable[..., Awaitable[Reply]]
"""`ask(messages, sampling=None)`: one call of the model, with the run's retries and limits."""


class Strategy(Protocol):
    """Conducts the conversation of one trial."""

    async def __call__(self, trial: Trial, ask: Ask) -> Exchange: ...
