"""Conversations made of stimuli: what is said and played, and what stays in the history."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Records
from itertools import chain

from zhiyin.plugins.benchmarks.muse.stimuli import Stimulus
from zhiyin.plugins.benchmarks.muse.tasks import TASKS, Mode, MuseTask, TaskName
from zhiyin.prompts import Prompts
from zhiyin.record import Record
from zhiyin.sequence import Sequence, conversation
from zhiyin.trial import Audio, Message, Option, Part, Tag, Text, Trial, say

READY = "ready"
"""The first trial of a chat: whether the examples were understood. It is never scored."""
UNDERSTOOD = (Option("A", "Yes, I understand.", "A"), Option("B", "No, I don't understand.", "B"))


class TrialMaker:
    """Makes the opening of a conversation, and its trials.

    Parameters
    ----------
    prompts : Prompts
    play : callable
        From a path to the sound of a message.
    chat : {"stateful", "fresh"}
    source : {"published", "generated"}
    """

    def __init__(
        self, prompts: Prompts, play: Callable[[str], Audio], chat: str, source: str
    ) -> None:
        self._prompts, self.play = prompts, play
        self.chat, self.source = chat, source

    def opening(
        self, task: MuseTask, mode: Mode, examples: Records[Stimulus]
    ) -> tuple[Message, ...]:
        """The instruction and the worked examples."""
        instruction = self._prompts.texts[f"{task.name}-{mode}"]
        answers = "\n".join(task.answers)
        words = self._prompts.fill(f"frame-{mode}", task=instruction, answers=answers)
        shown = (
            self._reasoned(task, examples) if mode == "cot" else self._in_one_turn(task, examples)
        )
        return (say("system", words), *shown)

    def _reasoned(self, task: MuseTask, examples: Records[Stimulus]) -> Iterator[Message]:
        for example in examples:
            yield Message("user", self._question(task, "cot", example))
            yield say("assistant", task.reasoned(example.answer or "A"))

    def _in_one_turn(self, task: MuseTask, examples: Records[Stimulus]) -> Iterator[Message]:
        """All examples in one turn, since many servers want user and model by turns."""
        parts: list[Part] = []
        for number, example in enumerate(examples, 1):
            parts.append(Text(self._prompts.fill("example", number=str(number))))
            parts += self._sounds(example)
            if example.answer is None:
                parts.append(Text(task.alone[example.id]))
            else:
                answer = task.answer(example.answer)
                parts.append(Text(self._prompts.fill("example-answer", answer=answer)))
        if parts:
            yield Message("user", tuple(parts))

    def _sounds(self, stimulus: Stimulus) -> Iterator[Part]:
        for number, path in enumerate(stimulus.sounds, 1):
            if len(stimulus.sounds) > 1:
                yield Text(f"Excerpt {number}:")
            yield self.play(path)

    def _question(self, task: MuseTask, mode: Mode, stimulus: Stimulus) -> tuple[Part, ...]:
        words = self._prompts.texts[f"{task.name}-{'steps' if mode == 'cot' else 'ask'}"]
        return (*self._sounds(stimulus), Text(words))

    def ready(self, place: str, opening: tuple[Message, ...]) -> Trial:
        """The question that closes the examples: is the task understood?"""
        words = self._prompts.texts["ready"]
        *before, last = opening
        if last.role == "user":
            asked = (*before, Message("user", (*last.parts, Text(words))))
        else:
            asked = (*opening, say("user", words))
        return Trial(f"{place}/{READY}", asked, words, UNDERSTOOD, tags={"asks": READY})

    def trial(
        self, place: str, mode: Mode, order: int, stimulus: Stimulus, before: tuple[Message, ...]
    ) -> Trial:
        """One trial after what was said before."""
        task = TASKS[stimulus.task]
        parts = self._question(task, mode, stimulus)
        *earlier, last = before or (None,)
        if last is not None and last.role == "user":  # one turn, as in `_in_one_turn`
            messages = (*earlier, Message("user", (*last.parts, *parts)))
        else:
            messages = (*before, Message("user", parts))
        facts: dict[str, Tag] = {
            "task": task.name, "mode": mode, "order": order, "repeat": order,
            "chat": self.chat, "source": self.source, "item": stimulus.id, **stimulus.facts,
        }  # fmt: skip
        return Trial(
            id=f"{place}/{stimulus.id}",
            messages=messages,
            stem=self._prompts.texts[f"{task.name}-ask"],
            options=task.options,
            target=stimulus.answer,
            groups=(task.name, f"{task.name}/{mode}"),
            cluster=stimulus.id,  # which every order asks again
            tags=facts,
            item=stimulus.id,
            condition=mode,
        )


class Chat(Sequence):
    """One conversation: the examples, whether they are understood, then trial after trial.

    Parameters
    ----------
    maker : TrialMaker
    task, mode, group, order
        Which run of the published design it is.
    stimuli : sequence of Stimulus
        Its trials in their order.
    examples : sequence of Stimulus
    keep : int or None
        How many trials stay in the conversation; None for all.
    """

    def __init__(
        self,
        maker: TrialMaker,
        task: TaskName,
        mode: Mode,
        group: str,
        order: int,
        stimuli: Records[Stimulus],
        examples: Records[Stimulus],
        keep: int | None = None,
    ) -> None:
        self.id = place_of(task, mode, group, order)
        self.item = f"{task}/{mode}/{group}"
        self.groups = (task, f"{task}/{mode}")
        self.at_least = self.at_most = len(stimuli) + 1
        self._maker, self._mode, self._order = maker, mode, order
        self._task, self._stimuli, self._examples, self._keep = task, stimuli, examples, keep

    def next(self, done: Records[Record]) -> Trial | None:
        """The next trial, after all that has been said; what the model said is as it was logged."""
        if not done:
            opening = self._maker.opening(TASKS[self._task], self._mode, self._examples)
            return self._maker.ready(self.id, opening)
        if len(done) > len(self._stimuli):
            return None
        stimulus = self._stimuli[len(done) - 1]
        return self._maker.trial(self.id, self._mode, self._order, stimulus, self._history(done))

    def _history(self, done: Records[Record]) -> tuple[Message, ...]:
        if self._keep is None:
            return conversation(done[-1])
        first, *trials = done
        kept = trials[max(0, len(trials) - self._keep) :]
        later = (conversation(record)[len(record.trial.messages) - 1 :] for record in kept)
        return (*conversation(first), *chain.from_iterable(later))


def place_of(task: str, mode: str, group: str, order: int) -> str:
    """The run that a trial belongs to: ``transposition/cot/A/1``."""
    return f"{task}/{mode}/{group}/{order}"
