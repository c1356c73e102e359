"""The benchmark object: from its settings to conversations, and from exchanges to verdicts.

Conversations made of stimuli: what is said and played, and what stays in the history.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.benchmark import Benchmark, deferred
from zhiyin.contract.conditions import TASK
from zhiyin.contract.declared import CheckResult, Published
from zhiyin.contract.published import Source
from zhiyin.engine.scoring import judge_choice
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.muse.stimuli import (
    Stimulus,
    StimulusBank,
    check_folder,
    open_bank,
    published_design,
    recording_files,
)
from zhiyin.plugins.benchmarks.muse.tasks import (
    MODES,
    TASKS,
    Mode,
    MuseSettings,
    MuseTask,
    TaskName,
)
from zhiyin.prompts import Prompts
from zhiyin.record import Exchange, Record, Verdict
from zhiyin.sequence import Sequence as TrialSequence
from zhiyin.sequence import conversation
from zhiyin.sound import audio_part
from zhiyin.trial import Audio, Message, Option, Part, Tag, Text, Trial, say
from zhiyin.words import Said, said

_UNDERSTOOD = re.compile(r"[\s\"'*(]*(?:yes\b|a(?:[.):,*\"']|\s*$))", re.IGNORECASE)
"""Yes, or its letter; "As a language model, I cannot ..." begins with an A, too, and is none."""

_LEFT_OUT = "no answer that the runner reads: left out of the published count"


class Muse(Benchmark[MuseSettings]):
    """Ten tasks of music perception as a `Benchmark`.

    The stimuli are opened when they are first needed, so that a log can be scored again where
    they are not at hand.
    """

    name = "muse"
    summary = said("muse-summary")
    description = "benchmark.toml"
    ways = (TASK,)
    titles = {
        **{str(name): task.called for name, task in TASKS.items()},
        **{
            f"{name}/{mode}": said("muse-task-mode", task=task.called, mode=mode)
            for name, task in TASKS.items()
            for mode in MODES
        },
    }
    Settings = MuseSettings
    tables = deferred("zhiyin.plugins.benchmarks.muse.results:TABLES")
    """The published accuracies, from run logs."""
    details = deferred("zhiyin.plugins.benchmarks.muse.results:sections")
    """Published rule and ours side by side, and what the model remembered."""
    import_answers = deferred("zhiyin.plugins.benchmarks.muse.logs:import_logs")
    """Runs of published logs, one for each model."""

    def __init__(self, settings: MuseSettings) -> None:
        super().__init__(settings)
        self._prompts = Prompts(__package__, folder=settings.prompts)
        self._maker = TrialMaker(self._prompts, cache(audio_part), settings.chat, settings.source)

    @cached_property
    def bank(self) -> StimulusBank:
        """The bank of what is played, in trials and in examples."""
        return open_bank(self.settings)

    def sequences(self) -> Iterator[TrialSequence]:
        """The conversations: one for each task, mode, group and order. None of them where fresh."""
        if self.settings.chat == "stateful":
            for (task, group), mode, order, stimuli in self._runs():
                shown = self.bank.examples[task, group, mode]
                yield Chat(
                    self._maker, task, mode, group, order, stimuli, shown, self.settings.keep
                )

    def trials(self) -> Iterator[Trial]:
        """Every trial in a conversation of its own; none where one conversation holds them all."""
        if self.settings.chat == "stateful":
            return
        for (task, group), mode, order, stimuli in self._runs():
            examples = self.bank.examples[task, group, mode]
            opening = self._maker.opening(TASKS[task], mode, examples)
            place = place_of(task, mode, group, order)
            for stimulus in stimuli:
                yield self._maker.trial(place, mode, order, stimulus, opening)

    def _runs(self) -> Iterator[tuple[Any, Any, int, list[Stimulus]]]:
        """Each run of the design that has a trial: task and group, mode, order, its trials."""
        for place in self.bank.trials:
            for mode in self.settings.mode:
                for order in self.settings.orders:
                    stimuli = [s for s in self.bank.in_order(*place, order) if s.sounds]
                    if stimuli:
                        yield place, mode, order, stimuli

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """The answer, and of the first question of a chat whether the task was understood.

        By the published rules a reply in which the runner reads no answer, such as an empty one, is
        in no count; by ours it is no answer, and counts.
        """
        if trial.tags.get("asks") == READY:
            understood = bool(_UNDERSTOOD.match(exchange.final.text))
            why = "says that the task is understood" if understood else "does not say so"
            return Verdict("ungraded", None, why=why, scores={"understood": float(understood)})
        verdict = judge_choice(trial, exchange, self.policy)
        left_out = self.policy.name.startswith(self.name) and self.policy.unread == "left out"
        if left_out and verdict.answer is None:
            return Verdict("ungraded", None, None, _LEFT_OUT, self.policy.label)
        return verdict

    def fingerprint(self) -> str:
        """SHA-256 over prompts, answers and sounds; not over the recordings' names."""
        digest = hashlib.sha256()
        digest.update(self._prompts.as_bytes())
        shown = [(key, "example", item) for key, row in self.bank.examples.items() for item in row]
        asked = [(key, "trial", item) for key, row in self.bank.trials.items() for item in row]
        for key, role, item in (*asked, *shown):
            sounds = [self._maker.play(path).sha256 for path in item.sounds]
            line = "\0".join((*key, role, item.id, item.answer or "", *sounds))
            digest.update(line.encode() + b"\n")
        return digest.hexdigest()

    def remarks(self) -> list[Said]:
        """List what the user should know of the data."""
        return self.bank.remarks

    # About the benchmark, without data

    @classmethod
    def expected(cls) -> Published:
        """Contents of the published design, each trial once."""
        return published_design()

    @classmethod
    def fetched(cls, options: Mapping[str, Any]) -> str | None:
        """The folder of fetched recordings, but for fresh stimuli."""
        return None if options.get("source") == "generated" else super().fetched(options)

    @classmethod
    def sources(cls) -> Sequence[Source]:
        """List the sources of the data: each recording a file, and the logs out of an archive."""
        data, logs = super().sources()
        return msgspec.structs.replace(data, files=recording_files()), logs

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Look through a folder of the recordings. Raises `InputError` where there are none."""
        if not options.get("data"):
            raise InputError(said("muse-recordings"))
        return check_folder(Path(str(options["data"])), bool(options.get("partial")))


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
        self, task: MuseTask, mode: Mode, examples: Sequence[Stimulus]
    ) -> tuple[Message, ...]:
        """The instruction and the worked examples."""
        instruction = self._prompts.texts[f"{task.name}-{mode}"]
        answers = "\n".join(task.answers)
        words = self._prompts.fill(f"frame-{mode}", task=instruction, answers=answers)
        shown = (
            self._reasoned(task, examples) if mode == "cot" else self._in_one_turn(task, examples)
        )
        return (say("system", words), *shown)

    def _reasoned(self, task: MuseTask, examples: Sequence[Stimulus]) -> Iterator[Message]:
        for example in examples:
            yield Message("user", self._question(task, "cot", example))
            yield say("assistant", task.reasoned(example.answer or "A"))

    def _in_one_turn(self, task: MuseTask, examples: Sequence[Stimulus]) -> Iterator[Message]:
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


class Chat(TrialSequence):
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
        stimuli: Sequence[Stimulus],
        examples: Sequence[Stimulus],
        keep: int | None = None,
    ) -> None:
        self.id = place_of(task, mode, group, order)
        self.item = f"{task}/{mode}/{group}"
        self.groups = (task, f"{task}/{mode}")
        self.at_least = self.at_most = len(stimuli) + 1
        self._maker, self._mode, self._order = maker, mode, order
        self._task, self._stimuli, self._examples, self._keep = task, stimuli, examples, keep

    def next(self, done: Sequence[Record]) -> Trial | None:
        """The next trial, after all that has been said; what the model said is as it was logged."""
        if not done:
            opening = self._maker.opening(TASKS[self._task], self._mode, self._examples)
            return self._maker.ready(self.id, opening)
        if len(done) > len(self._stimuli):
            return None
        stimulus = self._stimuli[len(done) - 1]
        return self._maker.trial(self.id, self._mode, self._order, stimulus, self._history(done))

    def _history(self, done: Sequence[Record]) -> tuple[Message, ...]:
        if self._keep is None:
            return conversation(done[-1])
        first, *trials = done
        kept = trials[max(0, len(trials) - self._keep) :]
        later = (conversation(record)[len(record.trial.messages) - 1 :] for record in kept)
        return (*conversation(first), *chain.from_iterable(later))


def place_of(task: str, mode: str, group: str, order: int) -> str:
    """The run that a trial belongs to: ``transposition/cot/A/1``."""
    return f"{task}/{mode}/{group}/{order}"
