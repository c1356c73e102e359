"""The benchmark object: from its settings to conversations, and from exchanges to verdicts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.contract.benchmark import Benchmark, deferred
from zhiyin.contract.conditions import TASK
from zhiyin.contract.declared import CheckResult
from zhiyin.engine.scoring import judge_choice
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.muse.conversation import READY, Chat, TrialMaker, place_of
from zhiyin.plugins.benchmarks.muse.settings import MuseSettings
from zhiyin.plugins.benchmarks.muse.stimuli import (
    Stimulus,
    StimulusBank,
    check_folder,
    open_bank,
    published_design,
    recording_files,
)
from zhiyin.plugins.benchmarks.muse.tasks import MODES, TASKS
from zhiyin.prompts import Prompts
from zhiyin.record import Exchange, Verdict
from zhiyin.sequence import Sequence as TrialSequence
from zhiyin.sound import audio_part
from zhiyin.trial import Trial
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.contract.declared import Published
    from zhiyin.contract.published import Source

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
    tables = deferred("zhiyin.plugins.benchmarks.muse.accuracies:TABLES")
    """The published accuracies, from run logs."""
    details = deferred("zhiyin.plugins.benchmarks.muse.sections:sections")
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
            raise InputError("give --data, the folder of the MUSE recordings")
        return check_folder(Path(str(options["data"])), bool(options.get("partial")))
