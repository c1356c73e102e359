"""The appraisal benchmark: questions and songs to trials, and exchanges to verdicts."""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from zhiyin.contract.benchmark import Benchmark, deferred
from zhiyin.contract.declared import NOTHING, CheckResult, Flaw
from zhiyin.engine.scoring import judge_choice
from zhiyin.errors import InputError
from zhiyin.files import cache_folder, inside
from zhiyin.flags import Flag
from zhiyin.plugins.benchmarks.appraisal.data import (
    DETAILS_FILE,
    LETTERS,
    QA,
    QA_FILE,
    REVIEWS,
    Details,
    Question,
    QuestionFile,
    make_pieces,
    read_details,
    read_questions,
)
from zhiyin.plugins.judges.cases import WRITTEN, reviewed
from zhiyin.plugins.judges.language import OURS, open_language
from zhiyin.plugins.judges.rules import ASKING, JUDGING
from zhiyin.prompts import Prompts
from zhiyin.reader import is_refusal
from zhiyin.record import Exchange, Reply, Verdict
from zhiyin.sound import audio_part
from zhiyin.text import printable
from zhiyin.trial import Audio, Message, Trial, say
from zhiyin.words import Said, localized, said

if TYPE_CHECKING:
    from zhiyin.contract.settings import RunSettings
    from zhiyin.engine.runner import Watch
    from zhiyin.session import Result

_log = logging.getLogger("zhiyin")
PLACES: dict[str, tuple[str, ...]] = {"question": ("question", "options"), "appraisal": ()}
"""The prompts, and the places that each must have."""


class Settings(msgspec.Struct, frozen=True):
    """Settings of an appraisal run. Paths are read only when a trial is asked for."""

    source: Annotated[
        Literal["data", "generated"],
        Flag("songs in --data, or pieces made by Zhiyin, of which all is known", stated=True),
    ] = "data"
    n: Annotated[
        int,
        Flag("how many pieces to make", stated=True, chooses=True),
        msgspec.Meta(ge=1, le=10_000),
    ] = 3
    qa: Annotated[str | None, Flag(f"questions; default DIR/{QA_FILE}", "FILE", place=True)] = None
    details: Annotated[
        str | None, Flag(f"song details; default DIR/{DETAILS_FILE}", "FILE", place=True)
    ] = None
    audio_root: Annotated[
        str | None,
        Flag("where audio paths begin; default: beside the file, else here", "DIR", place=True),
    ] = None
    parts: Annotated[
        Literal["both", "qa", "appraisal"],
        Flag("questions, reviews, or both", stated=True, chooses=True),
    ] = "both"
    reviews: Annotated[
        Literal["all", "details"],
        Flag("of all songs, or of those alone that have details", stated=True, chooses=True),
    ] = "all"
    language: Annotated[
        str, Flag("of the prompts: zh, en, or the folder of a language pack", "LANG", stated=True)
    ] = "zh"
    prompts: Annotated[
        str | None, Flag("prompts that replace ours by file name", "DIR", place=True)
    ] = None
    stimuli: Annotated[
        str | None, Flag("where generated pieces are kept; default in the cache", "DIR", place=True)
    ] = None
    judge: Annotated[
        str | None,
        Flag(
            "judge the reviews when the run is whole, e.g. lexical or openai:MODEL",
            "JUDGE",
            place=True,
        ),
    ] = None
    data: Annotated[str | None, Flag("folder of both files", place=True)] = None
    seed: Annotated[int, Flag("of generated pieces")] = 0
    extract: Annotated[str, Flag("how replies are read")] = "robust"
    partial: Annotated[bool, Flag("songs may be missing", place=True)] = False

    @property
    def files(self) -> tuple[str | None, str | None]:
        """The files of questions and of song details, where there are any."""
        return self.qa or _file_in(self.data, QA_FILE), self.details or _file_in(
            self.data, DETAILS_FILE
        )


def _recording(roots: list[Path], song: str) -> Path:
    """A song's recording: the first that is there, in one of some folders and within it.

    Raises
    ------
    InputError
        It lies in none of them.
    """
    faults = []
    for root in roots:
        try:
            place = inside(root, song)
        except InputError as fault:
            faults.append(fault)
        else:
            if place.is_file():
                return place
    if len(faults) < len(roots):
        raise InputError(said("appraisal-absent", folders=roots))
    raise InputError(said("appraisal-outside", fault=faults[0]))


def _file_in(data: str | None, name: str) -> str | None:
    """The file called `name` in the folder of the data, where there is one."""
    path = Path(data) / name if data else None
    return str(path) if path and path.is_file() else None


class Appraisal(Benchmark[Settings]):
    """Option questions about songs (group "qa") and reviews of them (group "appraisal").

    A review has no right answer: its trial is logged as "ungraded", with the score ``written``
    (1 or 0). Its grades are the business of judges; accuracy is that of the questions.

    Parameters
    ----------
    settings : Settings

    Raises
    ------
    InputError
        The extraction policy is unknown. Whatever is wrong with data or prompts is raised by
        the method that first needs them.
    """

    name = "appraisal"
    version = "2"
    summary = said("appraisal-summary")
    description = "benchmark.toml"
    protocols = (ASKING,)
    reviews = REVIEWS
    """Reviews are only counted as written, and judged afterwards."""
    chance = None
    """Questions have two to nine options; there is no one level. `details` gives that of a run."""

    Settings = Settings
    tables = deferred("zhiyin.plugins.benchmarks.appraisal.results:TABLES")
    """The figures of a result that the published program saved."""
    import_answers = deferred("zhiyin.plugins.benchmarks.appraisal.results:import_results")
    """A run of the questions of each result that the published program saved."""
    totals = deferred("zhiyin.plugins.benchmarks.appraisal.results:totals")
    """The total and the parts of a run, once for each judge of its reviews."""
    details = deferred("zhiyin.plugins.benchmarks.appraisal.results:sections", 1)
    """The judgements of a run, one table for each judge, and its headline."""

    def trials(self) -> Iterator[Trial]:
        """The questions in the order of their file, then a review of each song."""
        if self.settings.parts != "appraisal":
            for question in self._questions.items:
                if question.song in self._sounds:
                    words = self._wording.fill(
                        "question", question=question.text, options=question.option_lines
                    )
                    yield question_trial(question, say("user", words, self._sounds[question.song]))
        if self.settings.parts != "qa":
            for song in self._sounds:
                if self.settings.reviews == "all" or self._details.items.get(song):
                    yield self._review(song)

    def __len__(self) -> int:
        return sum(1 for _ in self.trials())

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """The chosen option; for a review, whether there is one."""
        if trial.options:
            return judge_choice(trial, exchange, self.policy)
        written, why = _written(exchange.final)
        return Verdict("ungraded", None, why=why, scores={WRITTEN: float(written)})

    def fingerprint(self) -> str:
        """SHA-256 over questions, details, prompts and recordings."""
        total = hashlib.sha256(self._wording.fingerprint().encode())
        for source in self._sources:
            total.update(source.sha256.encode())
        for sound in self._sounds.values():
            total.update(sound.sha256.encode())
        return total.hexdigest()

    def remarks(self) -> list[str | Said]:
        """Lines and songs that were left out."""
        missing = [flaw for flaw in self._flaws if flaw.kind == "missing-song"]
        lines = [flaw for flaw in self._flaws if flaw.kind != "missing-song"]
        remarks: list[str | Said] = [
            said("appraisal-left-out", file=flaw.file, id=flaw.id, detail=flaw.detail)
            for flaw in lines
        ]
        if missing:
            songs = len(missing) + len(self._sounds)
            remarks.append(said("appraisal-missing", n=len(missing), of=songs))
        return remarks

    def checked(self) -> CheckResult:
        """Every flaw of the data."""
        if not any(self.settings.files):
            self._refuse_without_data()
        sounds, _ = self._recordings
        asked = [one for one in self._questions.items if one.song in sounds]
        items = len(asked) + len(sounds)  # a review of each song
        notes = [said("appraisal-recordings", n=len(sounds)), *self._against_published()]
        return CheckResult(items, self._flaws, notes)

    def _against_published(self) -> Iterator[Said]:
        """Report how many of the published questions are here, and how many others."""
        from zhiyin.analysis.question_set import fingerprint_words

        published = (self.expected() or NOTHING).fingerprints(QA) or Counter()
        total = published.total()
        fingerprints: Counter[int] = Counter()
        for question in self._questions.items:
            options = zip(LETTERS, question.options, strict=False)
            fingerprints[fingerprint_words(question.text, options, question.answer)] += 1
        if same := (fingerprints & published).total():
            others = fingerprints.total() - same
            yield said("flaw-coverage", n=same, of=total, whole=same == total, others=others)

    @cached_property
    def _wording(self) -> Prompts:
        pack = open_language(self.settings.language)
        return Prompts(
            "zhiyin.plugins.benchmarks.appraisal",
            PLACES,
            language=pack.language,
            folder=self.settings.prompts,
            base=None if pack.language in OURS else pack.folder,
        )

    @cached_property
    def _files(self) -> tuple[str | None, str | None]:
        """The files of questions and details; pieces are made first where they are wanted."""
        settings = self.settings
        if settings.source == "generated":
            language = open_language(settings.language).language
            kept = f"pieces-{settings.n}-{settings.seed}-{language}"
            folder = Path(settings.stimuli or cache_folder("stimuli") / kept)
            make_pieces(folder, settings.n, settings.seed, language)
            return _file_in(str(folder), QA_FILE), _file_in(str(folder), DETAILS_FILE)
        if not any(settings.files):
            self._refuse_without_data()
        return settings.files

    def _refuse_without_data(self) -> None:
        raise InputError(said("appraisal-no-data", questions=QA_FILE, details=DETAILS_FILE))

    @cached_property
    def _questions(self) -> QuestionFile:
        path = self._files[0]
        return read_questions(Path(path)) if path else QuestionFile(Path(), "", [], [])

    @cached_property
    def _details(self) -> Details:
        path = self._files[1]
        return read_details(Path(path)) if path else Details(Path(), "", [], {})

    @property
    def _sources(self) -> tuple[QuestionFile, Details]:
        return self._questions, self._details

    @cached_property
    def _recordings(self) -> tuple[dict[str, Audio], list[Flaw]]:
        """The recording of each song that has one, and a flaw for each song that has none."""
        sounds: dict[str, Audio] = {}
        flaws: list[Flaw] = []
        songs_of_files = [(q.song, self._questions.path) for q in self._questions.items]
        songs_of_files += [(song, self._details.path) for song in self._details.items]
        sources: dict[str, Path] = {}
        for song, source in songs_of_files:
            sources.setdefault(song, source)
        for song, source in sources.items():
            try:
                sounds[song] = audio_part(_recording(self._roots(source), song))
            except InputError as fault:
                flaws.append(Flaw("missing-song", str(source), song, fault.args[0]))
        return sounds, flaws

    def _roots(self, source: Path) -> list[Path]:
        """List the folders where the songs of a file may lie: the one that the user names, else
        that of the file, that of the data, and the working directory, as published.
        """
        if self.settings.audio_root:
            return [Path(self.settings.audio_root)]
        data = [Path(self.settings.data)] if self.settings.data else []
        return list(dict.fromkeys([source.parent, *data, Path.cwd()]))

    @cached_property
    def _sounds(self) -> dict[str, Audio]:
        sounds, missing = self._recordings
        if not sounds:
            first, n = next(iter(missing), None), len(missing)
            told = first and said("appraisal-one", id=first.id, detail=first.detail)
            raise InputError(said("appraisal-no-recordings", n=n, first=told))
        for flaw in self._flaws:
            told = said("appraisal-left-out", file=flaw.file, id=flaw.id, detail=flaw.detail)
            _log.warning("%s", printable(localized(told)))
        return sounds

    @property
    def _flaws(self) -> list[Flaw]:
        return [flaw for source in self._sources for flaw in source.flaws] + self._recordings[1]

    def _review(self, song: str) -> Trial:
        """The trial of a review; what is known of the song is its target, for its judges."""
        words = self._wording.fill("appraisal")
        details = self._details.items.get(song)
        return Trial(
            f"{REVIEWS}/{song}", (say("user", words, self._sounds[song]),), words,
            target=msgspec.json.encode(details).decode() if details else None, groups=(REVIEWS,),
            cluster=song, tags={"song": song}, item=f"{REVIEWS}/{song}",
        )  # fmt: skip

    # About the benchmark, without data

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Every flaw of the data: broken lines, bad answers, songs that are missing."""
        benchmark = cls.from_options(options)
        assert isinstance(benchmark, Appraisal)
        return benchmark.checked()

    async def before(self, order: RunSettings) -> None:
        """Make sure of the judge that is to follow, before the first call. Raises `InputError`."""
        from zhiyin.plugins.judges.judging import check_judge

        judge = self.judge_of(order.options)
        if judge and order.options.get("parts") != "qa":
            await check_judge(judge)

    @classmethod
    async def after(cls, folder: Path, order: RunSettings, watch: Watch) -> Result | None:
        """Judge the reviews of a whole run, where ``--judge`` asks for it and there are any."""
        from zhiyin.plugins.judges.judging import JudgeRequest, judge_run

        judge = cls.judge_of(order.options)
        if not judge or not any(reviewed(folder)):
            return None
        options = judging_options(order.options)
        spending = order.spending.beside
        request = JudgeRequest(str(folder), judge, options, order.limits, spending=spending)
        return await judge_run(request, watch)


def question_trial(question: Question, message: Message) -> Trial:
    """The trial of an option question, asked in a message."""
    name, options = f"{QA}/{question.id}", question.choices
    return Trial(
        name, (message,), question.text, options, question.answer, (QA,), question.song,
        {"song": question.song, "options": len(options)}, item=name,
    )  # fmt: skip


def _written(reply: Reply) -> tuple[bool, str]:
    """Tell whether a reply is a review, and describe it."""
    cut = reply.finish == "length"
    if not reply.text.strip():
        return False, "cut off before a word" if cut else "nothing written"
    if reply.finish == "refusal" or is_refusal(reply.text):
        return False, "declined to review"
    return True, "written, but cut off" if cut else "written"


def judging_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options for judging the reviews of a run with these options: its language and protocol."""
    language = options.get("language") or "zh"
    if options.get("protocol") in (None, "ours"):
        return {"language": language}
    return {**JUDGING.usual(), "language": language, "protocol": options["protocol"]}
