"""The benchmark object: from its settings to trials, and from exchanges to verdicts."""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.benchmarks.muchomusic import COMMANDS, small
from zhiyin.benchmarks.muchomusic.data import Question, find_questions, read_questions
from zhiyin.benchmarks.muchomusic.dimensions import PANELS, SKILLS
from zhiyin.benchmarks.muchomusic.flaws import find_flaws
from zhiyin.benchmarks.muchomusic.protocols import PROTOCOLS
from zhiyin.benchmarks.muchomusic.settings import Settings
from zhiyin.benchmarks.muchomusic.sounds import Stage
from zhiyin.benchmarks.muchomusic.trials import Condition, Played, TrialMaker
from zhiyin.benchmarks.muchomusic.wording import Wording, open_wording
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.conditions import LISTENING_WAYS
from zhiyin.contract.declared import CheckResult, Flaw, Reference, Section
from zhiyin.engine.folder import Manifest
from zhiyin.runs.rows import Rows
from zhiyin.trial import Trial
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.contract.declared import Drawn, FigureRun
    from zhiyin.contract.published import Source

_AHEAD, _THREADS = 8, 2


class MuChoMusic(Benchmark[Settings]):
    """Questions with four options about recordings, as a `Benchmark`.

    Parameters
    ----------
    settings : Settings

    Raises
    ------
    InputError
        The extraction policy is unknown. Whatever is wrong with data or prompts is raised by
        the method that first needs them.
    """

    name = "muchomusic"
    version = "1"
    summary = said("muchomusic-summary")
    paper = (
        "Benno Weck, Ilaria Manco, Emmanouil Benetos, Elio Quinton, George Fazekas, Dmitry "
        "Bogdanov: MuChoMusic, Evaluating Music Understanding in Multimodal Audio-Language Models. "
        "ISMIR 2024, "
        "arXiv:2408.01337. Data: https://doi.org/10.5281/zenodo.12709974"
    )
    licence = "questions CC BY-SA 4.0; recordings by the terms of Song Describer and MusicCaps"
    bibtex = """\
@inproceedings{weck2024muchomusic,
  title     = {{MuChoMusic}: Evaluating Music Understanding in Multimodal Audio-Language Models},
  author    = {Weck, Benno and Manco, Ilaria and Benetos, Emmanouil and Quinton, Elio and
               Fazekas, Gy{\\"o}rgy and Bogdanov, Dmitry},
  booktitle = {Proceedings of the 25th International Society for Music Information Retrieval
               Conference},
  year      = {2024}
}
"""
    chance = 0.25
    without_sound = "--audio none"
    protocols = PROTOCOLS
    commands = COMMANDS
    panels = PANELS
    ways = LISTENING_WAYS
    skills = SKILLS
    Making = small.Making

    Settings = Settings

    def trials(self) -> Iterator[Trial]:
        """Every trial, all of a track together, so that its recording is prepared once.

        What is played (noise has to be made first) is prepared a few steps ahead, in threads of
        its own.
        """
        repeats = range(1, self.settings.repeats + 1)
        for question, audio, played in self._played_ahead():
            for distractors in self.settings.sets:
                condition = Condition(audio, distractors)
                for repeat in repeats:
                    yield from self._maker.make(question, condition, repeat, played)

    def __len__(self) -> int:
        settings = self.settings
        orders = sum(self._maker.rotations(distractors) for distractors in settings.sets)
        return len(settings.audio) * orders * settings.repeats * len(self._questions)

    def fingerprint(self) -> str:
        """SHA-256 over questions, prompts and recordings; not over the recordings' names."""
        total = hashlib.sha256()
        total.update(msgspec.json.encode(self._wording, order="sorted"))
        for question in self._questions:
            asked = msgspec.structs.replace(question, line=0)
            total.update(msgspec.json.encode(asked) + b"\n")
        if stage := self._stage:
            with ThreadPoolExecutor(_THREADS) as pool:
                sounds = pool.map(stage.whole, stage.places)
                for place, sound in zip(stage.places, sounds, strict=True):
                    total.update(f"{place} {sound.sha256}\n".encode())
        return total.hexdigest()

    def remarks(self) -> list[str | Said]:
        """Flawed questions, recordings that are missing, and what the table's first line is."""
        remarks: list[str | Said] = list(_flaws_remark(find_flaws(self._path, self._questions)))
        left_out = len(self._all) - len(self._questions)
        if left_out:
            whole = len(self._all)
            remarks.append(
                said("examples-missing", n=left_out, of=whole, unit="questions", what="recordings")
            )
        audio, sets = self.settings.audio, self.settings.sets
        if "true" in audio and "all" in sets and len(audio) + len(sets) > 2:
            remarks.append(said("muchomusic-all"))
        return remarks

    @cached_property
    def _path(self) -> Path:
        return find_questions(self.settings.data)

    @cached_property
    def _all(self) -> list[Question]:
        return read_questions(self._path)

    @cached_property
    def _stage(self) -> Stage | None:
        """The recordings; None where nothing is played, so that none are needed."""
        if self.settings.audio == ("none",):
            return None
        return Stage(self._path.parent, self._all, self.settings)

    @cached_property
    def _tracks(self) -> list[list[Question]]:
        """The questions that can be asked, track by track."""
        tracks: dict[str, list[Question]] = {}
        for question in self._all:
            if self._stage is None or question.place in self._stage.places:
                tracks.setdefault(question.place, []).append(question)
        return list(tracks.values())

    @cached_property
    def _questions(self) -> list[Question]:
        """The questions that can be asked, those of a track together."""
        return [question for questions in self._tracks for question in questions]

    @cached_property
    def _wording(self) -> Wording:
        settings = self.settings
        return open_wording(settings.prompts, settings.pack, settings.released)

    @cached_property
    def _maker(self) -> TrialMaker:
        return TrialMaker(self.settings, self._wording)

    def _steps(self) -> Iterator[tuple[Question, str]]:
        """Questions and what is played: all of a track, under one condition after another."""
        for questions in self._tracks:
            for audio in self.settings.audio:
                for question in questions:
                    yield question, audio

    def _played_ahead(self) -> Iterator[tuple[Question, str, Played]]:
        waiting: deque[tuple[Question, str, Future[Played]]] = deque()
        pool = ThreadPoolExecutor(_THREADS, "muchomusic")
        try:
            for question, audio in self._steps():
                waiting.append((question, audio, pool.submit(self._play, question, audio)))
                if len(waiting) >= _AHEAD:
                    question, audio, played = waiting.popleft()
                    yield question, audio, played.result()
            for question, audio, played in waiting:
                yield question, audio, played.result()
        finally:
            pool.shutdown(cancel_futures=True)

    def _play(self, question: Question, audio: str) -> Played:
        return Played(None, None) if self._stage is None else self._stage.play(question, audio)

    # About the benchmark, without data

    @classmethod
    def published(cls) -> Reference:
        """The paper's Table 3 under the names of our groups, in [0, 1]."""
        from zhiyin.benchmarks.muchomusic.table import table_3

        return table_3()

    @classmethod
    def sources(cls) -> Sequence[Source]:
        """Where its data are published."""
        from zhiyin.benchmarks.muchomusic.sources import SOURCES

        return SOURCES

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Every flaw of the questions and recordings in ``options["data"]``; decodes every file."""
        from zhiyin.benchmarks.muchomusic.flaws import check_folder

        return check_folder(options.get("data"), bool(options.get("partial")))

    @classmethod
    def details(cls, rows: Rows, manifest: Manifest) -> list[Section]:
        """Intervals by track, spread over repeats, reading rules, distractors, attention."""
        from zhiyin.benchmarks.muchomusic.sections import sections

        return sections(rows, manifest)

    @classmethod
    def figures(cls, runs: Sequence[FigureRun]) -> Iterator[Drawn]:
        """How many questions there are of each kind."""
        from zhiyin.benchmarks.muchomusic.figures import draw_dimensions

        if (drawn := draw_dimensions(runs)) is not None:
            yield drawn

    @classmethod
    def export_answers(cls, run: Path, out: Path) -> tuple[list[Path], list[str]]:
        """As the JSON that the published code scores, a file for each repeat."""
        from zhiyin.benchmarks.muchomusic.published_json import write_outputs

        return write_outputs(run, out)

    @classmethod
    def import_answers(
        cls, files: Sequence[Path], out: Path | None, extract: str, model: str
    ) -> Path:
        """Answers in the format that the released evaluation reads."""
        from zhiyin.benchmarks.muchomusic.outputs import import_outputs

        return import_outputs(list(files), out, extract, model)

    @classmethod
    def make(cls, options: Mapping[str, Any]) -> str:
        """Write a small benchmark of ours in the published layout; says what was made."""
        return small.make(dict(options))


def _flaws_remark(flaws: list[Flaw]) -> Iterator[Said]:
    """How many flaws of each kind there are; nothing where there are none."""
    kinds = Counter(flaw.kind for flaw in flaws)
    if kinds:
        yield said("muchomusic-flaws", kinds=[f"{n:,} {kind}" for kind, n in kinds.items()])
