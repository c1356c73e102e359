"""The benchmark object: questions about tracks, under conditions and with sets of distractors."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from hashlib import blake2b
from itertools import groupby, permutations
from pathlib import Path

import msgspec

from zhiyin.contract.benchmark import deferred
from zhiyin.contract.conditions import EVERY
from zhiyin.contract.control_sounds import draw_order
from zhiyin.contract.declared import NOTHING, Flaw
from zhiyin.contract.protocols import OURS
from zhiyin.contract.question_table import Fault
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.listening import Listening, Variant
from zhiyin.plugins.benchmarks.muchomusic import COMMANDS, wording
from zhiyin.plugins.benchmarks.muchomusic.pieces import MakingPieces
from zhiyin.plugins.benchmarks.muchomusic.questions import (
    FILE,
    TrackQuestion,
    encoded,
    find_flaws,
    read_questions,
)
from zhiyin.plugins.benchmarks.muchomusic.recordings import find_recordings
from zhiyin.plugins.benchmarks.recordings import RecordingSet
from zhiyin.plugins.methods.imported import write_run
from zhiyin.plugins.music.clips import FaultSink
from zhiyin.trial import Audio, Message, Option, Part, Tag, Text
from zhiyin.words import Said, said

_THREADS = 2


class MuChoMusic(Listening[wording.MuChoMusicSettings, TrackQuestion]):
    """Questions with four options about recordings, as a `Benchmark`."""

    name = "muchomusic"
    rules = ("muchomusic", "muchomusic-code", "lmms-muchomusic")
    summary = said("muchomusic-summary")
    description = "benchmark.toml"
    commands = COMMANDS
    Making = MakingPieces
    make = deferred("zhiyin.plugins.benchmarks.muchomusic.pieces:make_pieces")
    """Write a small benchmark of ours in the published layout; says what was made."""
    Settings = wording.MuChoMusicSettings
    file = FILE
    right_first = True

    # Questions
    details = deferred("zhiyin.plugins.benchmarks.muchomusic.results:sections")
    """Intervals by track, spread over repeats, reading rules, distractors, attention."""
    export_answers = deferred("zhiyin.plugins.benchmarks.muchomusic.results:write_outputs")
    """As the JSON that the published code scores, a file for each repeat."""

    @classmethod
    def read(cls, path: Path, on_fault: FaultSink) -> list[TrackQuestion]:
        """The questions of a file; of a row that cannot be asked, its line and what is wrong."""

        def note(fault: Fault) -> None:
            detail = said("flaw-at", unit="line", line=str(fault.line), detail=fault.problem)
            on_fault(Flaw(fault.kind, path.name, fault.id, detail))

        return read_questions(path, note)

    @cached_property
    def all_questions(self) -> list[TrackQuestion]:
        """The questions of the file, all of a track together."""
        tracks: dict[str, list[TrackQuestion]] = {}
        for question in read_questions(self.path):
            tracks.setdefault(question.recording, []).append(question)
        return [question for questions in tracks.values() for question in questions]

    @classmethod
    def open_recordings(cls, folder: Path, questions: Sequence[TrackQuestion]) -> RecordingSet:
        """The recordings of the tracks, as far as they are in the folder of the data."""
        tracks = (question.recording for question in questions)
        return RecordingSet(folder, tracks, find_recordings(folder, questions))

    def fingerprint(self) -> str:
        """SHA-256 over questions, prompts and recordings; not over the recordings' names."""
        total = hashlib.sha256()
        total.update(msgspec.json.encode(self._wording, order="sorted"))
        for question in self.questions:
            total.update(encoded(question) + b"\n")
        if self.recordings is not None:
            tracks = self.recordings.found
            with ThreadPoolExecutor(_THREADS) as pool:
                sounds = pool.map(self.recordings.whole, tracks)
                for track, sound in zip(tracks, sounds, strict=True):
                    total.update(f"{track} {sound.sha256}\n".encode())
        return total.hexdigest()

    def flaws_told(self, questions: Sequence[TrackQuestion]) -> Iterator[Said]:
        """Count the flaws of questions by kind."""
        kinds = Counter(flaw.kind for flaw in find_flaws(self.path, questions))
        if kinds:
            yield said("muchomusic-flaws", kinds=[f"{n:,} {kind}" for kind, n in kinds.items()])

    # Trials

    def steps(self) -> Iterator[tuple[TrackQuestion, str]]:
        """All questions of a track under one condition after another: it is prepared once."""
        for _, questions in groupby(self.questions, key=lambda question: question.recording):
            of_track = list(questions)
            for audio in self.settings.audio:
                for question in of_track:
                    yield question, audio

    def variants(self, question: TrackQuestion) -> Iterator[Variant]:
        """Each set of distractors, asked again and again, under all rotations if they are asked."""
        for kind in self.settings.sets:
            choices = tuple(question.choices[place] for place in wording.offered_places(kind))
            for repeat in range(1, self.settings.repeats + 1):
                name, tags = f"r{repeat}", {"repeat": repeat}
                if self.settings.rotations == "none":
                    yield Variant(choices, 0, kind, name, {**tags})
                    continue
                for rotation in range(len(choices)):
                    again = {**tags, "rotation": rotation}
                    yield Variant(choices, 0, kind, f"{name}/rotation={rotation}", {**again})

    def options(self, question: TrackQuestion, variant: Variant) -> tuple[Option, ...]:
        """The options in the order of this asking; their keys are their places in the data."""
        keys = [wording.KEYS[place] for place in wording.offered_places(variant.kind)]
        repeat, rotation = variant.tags["repeat"], int(variant.tags.get("rotation") or 0)
        order = shuffled(self.settings.seed, question.id, repeat, len(keys))
        return tuple(
            Option(letter, variant.choices[which], keys[which])
            for letter, which in zip(
                wording.KEYS, order[rotation:] + order[:rotation], strict=False
            )
        )

    def messages(
        self,
        question: TrackQuestion,
        variant: Variant,
        options: Sequence[Option],
        audio: str,
        sound: Audio | None,
    ) -> tuple[Message, ...]:
        """The examples, and the question with what is played for it."""
        text = self._wording.fill(
            "question",
            examples=self._examples.text(variant.kind),
            question=question.text,
            options=self._wording.options({o.letter: o.text for o in options}),
        )
        parts: tuple[Part, ...] = (Text(text),) if sound is None else (sound, Text(text))
        return (*self._examples.turns(variant.kind, audio), Message("user", parts))

    def tags(
        self, question: TrackQuestion, variant: Variant, audio: str, sound: Audio | None
    ) -> dict[str, Tag]:
        """Facts about a trial, never sent; among them whose recording is heard, if any."""
        heard = None
        if sound is not None and audio in ("true", "swap"):
            heard = self._track(question, audio)
        shots = self.settings.shots
        return {
            **question.tags,
            "audio": audio,
            "heard": heard,
            "clip": self.settings.window.name,
            "seconds": round(sound.played, 3) if sound else 0.0,
            "distractors": variant.kind,
            "repeat": variant.tags["repeat"],
            "shots": f"{shots} with sound" if self._examples.sounds else shots,
            **variant.tags,
        }

    def prefix(self, audio: str, kind: str) -> str:
        """Prefix of a condition's groups, where several are run."""
        several = (len(self.settings.audio) > 1, self.kinds > 1)
        parts = (f"audio={audio}", f"distractors={kind}")
        return "/".join(part for part, needed in zip(parts, several, strict=True) if needed)

    @property
    def kinds(self) -> int:
        """Number of sets of distractors that are asked."""
        return len(self.settings.sets)

    @property
    def mixed(self) -> bool:
        """True if others are run besides the paper's condition: true sound, all distractors."""
        main = "true" in self.settings.audio and EVERY in self.settings.sets
        return main and super().mixed

    @cached_property
    def _wording(self) -> wording.PromptTemplates:
        settings = self.settings
        pack = None if settings.protocol == OURS.name else settings.protocol
        return wording.open_wording(settings.prompts, pack, settings.released)

    @cached_property
    def _examples(self) -> wording.Examples:
        return wording.Examples(self._wording, self.settings)

    # What is played

    def play(self, question: TrackQuestion, audio: str) -> Audio | None:
        """Get what is played for a question: the clip of its track, of another, or a stand-in."""
        if self.recordings is None or audio == "none":
            return None
        track = self._track(question, audio)
        start, end = self.settings.window.window(self.recordings.whole(track).seconds)
        what = "true" if audio == "swap" else audio
        return self.recordings.play(track, what, self.settings.seed, start, end)

    def _track(self, question: TrackQuestion, audio: str) -> str:
        """The track whose recording is played, or what is played in its place."""
        return self._other_track(question) if audio == "swap" else question.recording

    @cached_property
    def _swaps(self) -> dict[str, str]:
        """The other track of each question, as far as they have been drawn."""
        return {}

    def _other_track(self, question: TrackQuestion) -> str:
        """Another track, drawn for the question by the seed.

        It is one of the same data set, of a known and other genre; ``--swap-any`` allows every
        genre, ``--swap-from all`` every track there is. A second copy of the same recording is
        no other track.
        """
        recordings = self.recordings
        assert recordings is not None
        if question.id in self._swaps:
            return self._swaps[question.id]
        candidates = [
            track
            for track in recordings.found
            if track != question.recording and self._may_swap(question, track)
        ]
        same = recordings.whole(question.recording).sha256
        for track in draw_order(self.settings.seed, question.id, candidates):
            if recordings.whole(track).sha256 != same:
                self._swaps[question.id] = track
                return track
        whole = self.settings.swap_whole
        genre = not (self.settings.swap_any or whole)
        further = ["--swap-any"] * genre + ["--swap-from all"] * (not whole)
        raise InputError(said(
            "mucho-no-swap", recording=question.recording, genre=genre, further=further or None,
            place=None if whole else question.dataset,
        ))  # fmt: skip

    def _may_swap(self, question: TrackQuestion, track: str) -> bool:
        if self.settings.swap_whole:
            return True
        if not track.startswith(f"{question.dataset}/"):
            return False
        genre = self._genres[track]
        return self.settings.swap_any or (genre is not None and genre != question.genre)

    @cached_property
    def _genres(self) -> dict[str, str | None]:
        return {question.recording: question.genre for question in self.all_questions}

    # About the benchmark, without data

    @classmethod
    def flaws(cls, path: Path, questions: Sequence[TrackQuestion]) -> Iterator[Flaw]:
        """Yield the flaws of questions that can be asked all the same."""
        return iter(find_flaws(path, questions))

    @classmethod
    def against_published(
        cls, questions: Sequence[TrackQuestion], recordings: RecordingSet
    ) -> tuple[list[tuple[str, str]], list[str]]:
        """List data sets with another number of questions than published; and how many there are.

        A folder with neither of the published data sets is a set of its own.
        """
        tracks = len(recordings.found) + len(recordings.missing)
        of_sets = Counter(track.partition("/")[0] for track in recordings.found)
        notes = [f"{len(questions)} questions on {tracks} tracks"]
        notes += [f"{count} recordings of {dataset}" for dataset, count in of_sets.items()]
        published = cls.expected() or NOTHING
        counts = Counter(f"source/{question.dataset}" for question in questions)
        if not any(counts[part] for part in published.parts):
            own = "none of the published data sets is here: this is a set of its own"
            return [], [*notes, own]
        lacking = []
        for part in published.parts:
            name = part.removeprefix("source/")
            coverage = f"{counts[part]:,} of {published.counts[part]:,}"
            notes.append(f"{coverage} published questions of {name}, by their number")
            if counts[part] != published.counts[part]:
                lacking.append((name, f"{coverage} published questions"))
        if not lacking and tracks != published.clusters:
            lacking.append(("", f"{tracks:,} of {published.clusters:,} published tracks"))
        return lacking, notes

    @classmethod
    def import_answers(
        cls, files: Sequence[Path], out: Path | None, extract: str, model: str
    ) -> Path:
        """Answers in the format that the released evaluation reads."""
        from zhiyin.plugins.benchmarks.muchomusic.results import read_outputs

        benchmark = cls.from_options({"extract": extract})
        return write_run(cls, read_outputs(files), benchmark.score, files, out, extract, model)


@cache
def _orders(count: int) -> tuple[tuple[int, ...], ...]:
    return tuple(permutations(range(count)))


def shuffled(seed: int, item: str, repeat: Tag, count: int) -> tuple[int, ...]:
    """Draw which of `count` options stands first, second, ...

    One of the orders, each as likely as any other, from the hash of seed, item and repeat. It
    does not depend on what is played, so that conditions differ in nothing else, nor on which
    other questions there are.
    """
    digest = blake2b(f"{seed}/{item}/{repeat}".encode(), digest_size=8).digest()
    orders = _orders(count)
    return orders[int.from_bytes(digest, "big") % len(orders)]
