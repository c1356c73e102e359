"""LogicLM: the model transcribes, a deterministic solver decides, the model states the answer.

The adaptation of Logic-LM (Pan et al. 2023) to listening by Carone, Roman and Ripollés,
section 2.3 and supplementary section S3 ("Self-refinement"):

1. *transcribe*: the trial's messages ask for schema lines (`zhiyin.plugins.music.solvers`).
2. *repair*: faulty lines are shown back, with the fault, in a conversation of their own and
   under deterministic sampling, at most twice. The sound is not heard again.
3. When the solver cannot decide from valid lines, one further repair is asked for, with a
   parse fault that says so.
4. *final*: in the first conversation, the solver's decision is stated and the question asked.

Where no decision is reached there is nothing to state, and the final question is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import msgspec

from zhiyin.plugins.music.solvers import (
    Kind,
    Parsed,
    SolverFault,
    constraints,
    parse_schema,
    required_line,
    write_schema,
)
from zhiyin.prompts import Prompts, Template
from zhiyin.record import Ask, Exchange, Record, Reply, Sampling, Turn
from zhiyin.trial import Message, Trial, say

ROUNDS = 2
"""Self-refinement rounds for faulty lines (S3)."""

REPAIR = Sampling(temperature=0.0, top_p=1.0, top_k=1, max_tokens=256)
"""The deterministic sampling of repairs (S3)."""

Values = Sequence[Sequence[int]]


class Decision(msgspec.Struct, frozen=True):
    """A solver's decision: the key of an option, and the words for it."""

    key: str
    words: str


class Dialogue(msgspec.Struct):
    """The dialogue of one trial so far, with what was found."""

    turns: list[Turn] = []
    faults: list[SolverFault] = []
    repairs: int = 0
    accepted: Parsed | None = None
    decision: Decision | None = None

    def notes(self) -> dict[str, object]:
        """Collect what the log keeps: see `LogicLM`."""
        accepted = self.accepted
        return {
            "executable": self.decision is not None,
            "repairs": self.repairs,
            "faults": [msgspec.structs.asdict(fault) for fault in self.faults],
            "transcription": None if accepted is None else [list(row) for row in accepted.values],
            "solver": None if self.decision is None else self.decision.key,
        }


class LogicLM(msgspec.Struct, frozen=True):
    """Conducts LogicLM conversations of one task.

    The exchange's `notes` hold: `executable` (whether the solver decided), `repairs` (rounds
    asked for), `faults` (each with `kind` and `message`, in the order met), `transcription`
    (the last valid one, a list for each sound, or None) and `solver` (the key of the decided
    option, or None).

    Attributes
    ----------
    kind : {"rhythm", "melody", "chord"}
        The schema that the trial's messages ask for.
    ids : tuple of str
        The identifiers of the sounds, in order.
    decide : callable
        From the transcription, a sequence for each sound, to a `Decision`; None where it is
        undecidable.
    question : str
        The final question: the choices, and how the answer is to be given.
    """

    kind: Kind
    ids: tuple[str, ...]
    decide: Callable[[Values], Decision | None]
    question: str

    async def __call__(self, trial: Trial, ask: Ask) -> Exchange:
        """Conduct one trial. Whatever `ask` raises goes through."""
        talk = Dialogue()
        first = await ask(trial.messages)
        talk.turns.append(Turn(first, None, "transcribe"))
        read = await self._until_valid(first.text, talk, ask)
        if isinstance(read, Parsed):
            await self._solve(read, talk, ask)
        if talk.decision is not None and talk.accepted is not None:
            question = self._final_question(talk.accepted, talk.decision)
            messages = (*trial.messages, say("assistant", first.text), question)
            talk.turns.append(Turn(await ask(messages), messages[-2:], "final"))
        return Exchange(tuple(talk.turns), talk.notes())

    async def _until_valid(self, text: str, talk: Dialogue, ask: Ask) -> Parsed | SolverFault:
        """Read a transcription; have it repaired while there are rounds left."""
        read = parse_schema(self.kind, text, self.ids)
        for _ in range(ROUNDS):
            if isinstance(read, Parsed):
                return read
            text = (await self._repair(text, read, talk, ask)).text
            read = parse_schema(self.kind, text, self.ids)
        if isinstance(read, SolverFault):
            talk.faults.append(read)
        return read

    async def _solve(self, read: Parsed, talk: Dialogue, ask: Ask) -> None:
        """Let the solver decide; where it cannot, ask for one more repair."""
        talk.accepted, talk.decision = read, self.decide(read.values)
        if talk.decision is not None:
            return
        undecided = SolverFault("parse", "the solver cannot decide from these numbers")
        shown = write_schema(self.kind, read.values, self.ids)
        reply = await self._repair(shown, undecided, talk, ask)
        again = parse_schema(self.kind, reply.text, self.ids)
        if isinstance(again, SolverFault):
            talk.faults.append(again)
            return
        talk.accepted, talk.decision = again, self.decide(again.values)
        if talk.decision is None:
            talk.faults.append(undecided)

    async def _repair(self, output: str, fault: SolverFault, talk: Dialogue, ask: Ask) -> Reply:
        """Show an output back with its fault, in a conversation of its own."""
        prompt = _template("repair").fill(
            {
                "output": output,
                "kind": fault.kind,
                "message": fault.message,
                "count": "this line"
                if len(self.ids) == 1
                else f"these {len(self.ids)} lines in this order",
                "required": "\n".join(required_line(self.kind, name) for name in self.ids),
                "constraints": constraints(self.kind),
            }
        )
        messages = (say("user", prompt),)
        reply = await ask(messages, REPAIR)
        talk.faults.append(fault)
        talk.repairs += 1
        talk.turns.append(Turn(reply, messages, "repair"))
        return reply

    def _final_question(self, accepted: Parsed, decision: Decision) -> Message:
        text = _template("final").fill(
            {
                "transcription": write_schema(self.kind, accepted.values, self.ids),
                "decision": decision.words,
                "question": self.question,
            }
        )
        return say("user", text)


def token_limited(record: Record) -> bool:
    """Tell whether the model's output was cut off or empty before it led to an answer.

    A LogicLM trial with a valid transcription is complete, whatever became of later repairs.
    """
    if record.verdict.state in ("correct", "wrong", "error") or not record.exchange.turns:
        return False
    if record.exchange.notes.get("transcription") is not None:
        return False
    reply = record.exchange.final
    return reply.finish == "length" or not reply.text.strip()


@cache
def _template(name: str) -> Template:
    return Template(Prompts(__package__).texts[name])
