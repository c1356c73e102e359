"""Stages from captions to a benchmark folder, in order, each done once.

``WORK/1-select`` to ``WORK/5-label`` hold what each stage kept (``kept.jsonl``), what fell
(``fell.jsonl``) and its funnel; the folders ``run-...`` in them are runs as any other. The
benchmark is ``WORK/NAME``. What a stage keeps can be replaced by a file of the user's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args

import msgspec

from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import write_atomically
from zhiyin.flags import COUNT, Flag
from zhiyin.models.baselines import BASELINES
from zhiyin.plugins.making.forge import (
    KEPT,
    TAXONOMY,
    A,
    Asked,
    Asker,
    Done,
    Fallen,
    ForgeItem,
    ForgeTrack,
    Funnel,
    ask_items,
    done,
    finish,
    funnel,
    key_of,
    lines_of,
    open_prompts,
    read_lines,
    sha256_of,
    sieve,
    validating,
)
from zhiyin.plugins.making.forge.blind import ask_blind, index_of, rotations
from zhiyin.plugins.making.forge.checks import checks_of, thin
from zhiyin.plugins.making.forge.folder import TEXTS, Building, build
from zhiyin.plugins.making.forge.selecting import Selecting, select
from zhiyin.plugins.making.forge.sources import read_captions, read_texts
from zhiyin.plugins.making.forge.writing import Labelling, Writing, label, read_items, read_taxonomy
from zhiyin.prompts import Prompts
from zhiyin.record import Sampling
from zhiyin.session import Watch, silent
from zhiyin.words import naming, said

Stage = Literal["select", "write", "check", "validate", "label", "build"]
STAGES: tuple[Stage, ...] = get_args(Stage)
SHEET, QUESTIONS, NOT_PROBED = "sheet.csv", "questions.jsonl", "not-probed"


class StageOutcome(NamedTuple):
    """Result of a stage: what it keeps, what fell, its funnels, and whether calls failed."""

    kept: Sequence[msgspec.Struct]
    fallen: Sequence[Fallen]
    funnels: list[Funnel]
    failed: bool = False


Work = Callable[[], StageOutcome]


class ForgePlan(msgspec.Struct, frozen=True):
    """Plan of what is to be made, and how.

    Attributes
    ----------
    captions : str
        A table, or the folder of a published data set.
    texts : bool
        Whether these are texts, about which nothing is heard, and not captions of recordings.
    work : str
        The folder of the stages.
    writer : Asker or None
        Who writes the questions and files them.
    blind : tuple of Asker
        Text models that must not be able to answer.
    least_index : float
        The perceptual index that a question needs, by each of them.
    annotations : str or None
        The table of what people said; None as long as there is none.
    unvalidated : bool
        Whether to go on without people.
    use : dict of str to str
        Files in the place of what stages keep.
    until : Stage
        The last stage.
    audio, columns, annotation_columns, answers
        How tables are read.
    """

    captions: str
    work: str
    writer: Asker | None = None
    blind: tuple[Asker, ...] = ()
    least_index: Annotated[float, Flag("perceptual index", "X")] = 0.5
    count: Annotated[int, Flag("questions", name="per-track"), COUNT] = 3
    selecting: Selecting = Selecting()
    rule: validating.AcceptanceRule = validating.AcceptanceRule()
    building: Building = Building()
    annotations: Annotated[
        str | None, Flag("what people said of the questions: a table", "FILE")
    ] = None
    unvalidated: Annotated[bool, Flag("go on without people")] = False
    use: dict[str, str] = {}
    until: Annotated[
        Stage, Flag(f"the last stage: {', '.join(STAGES[:-1])} or {STAGES[-1]}", "STAGE")
    ] = "build"
    audio: Annotated[
        str | None, Flag("where the recordings lie; default: beside the captions", "DIR")
    ] = None
    columns: Annotated[tuple[str, ...], Flag("of the captions", "MEANING=NAME")] = ()
    annotation_columns: Annotated[tuple[str, ...], Flag("of the table", "MEANING=NAME")] = ()
    answers: Annotated[validating.Form, Flag("how they are written there")] = "auto"
    texts: Annotated[bool, Flag("they are texts: books (.txt, .md), passages, exam questions")] = (
        False
    )


class ForgeResult(msgspec.Struct):
    """Result of the pipeline: the funnels so far, and what is wanted of the user next."""

    funnels: list[Funnel]
    folder: str = ""
    next: str = ""


def make(plan: ForgePlan, watch: Watch = silent) -> ForgeResult:
    """Carry out what is not done yet.

    Raises
    ------
    InputError
        For anything that the user can mend. What is done stays done.
    asking.Interrupted
        Ctrl-C.
    """
    return _Pipeline(plan, watch).run()


class _Pipeline:
    """The stages, one after the other."""

    def __init__(self, plan: ForgePlan, watch: Watch) -> None:
        self.plan, self.watch = plan, watch
        self.work = Path(plan.work)
        self.made = ForgeResult([])
        self._check()

    def _check(self) -> None:
        """Check what can be known before anybody is asked."""
        plan = self.plan
        for stage in plan.use:
            if stage not in STAGES[:-1]:
                raise InputError(
                    said("forge-use-which", stage=stage, hint=did_you_mean(stage, STAGES[:-1]))
                )
        wanted = STAGES[: STAGES.index(plan.until) + 1]
        asks = [s for s in ("write", "label") if s in wanted and s not in plan.use]
        if asks and plan.writer is None:
            raise InputError(said("forge-stage", asks=repr(asks[0]), asksb=asks[0]))
        for asker in plan.blind:
            if asker.model in BASELINES:
                raise InputError(said("forge-blind-baseline", model=asker.model))
        if plan.texts and plan.blind:
            raise InputError(said("forge-blind-texts", model=plan.blind[0].model))
        if not 0 <= plan.least_index <= 1:
            raise InputError(said("forge-index", leastindex=f"{plan.least_index:g}"))
        prompts = self._prompts(plan.writer)
        read_taxonomy(prompts.texts[TAXONOMY], str(prompts.paths[TAXONOMY]))
        if plan.annotations and not Path(plan.annotations).is_file():
            raise InputError(said("forge-annotations", annotations=plan.annotations))

    def run(self) -> ForgeResult:
        """All stages up to the last one that is wanted, or that can be done."""
        for stage in STAGES[:-1]:
            if not self._carry_out(stage) or stage == self.plan.until:
                return self.made
        self._build()
        return self.made

    def _carry_out(self, stage: Stage) -> bool:
        """Do a stage, unless it is done or replaced; tell whether anything is left for the next."""
        kind: type[Any] = ForgeTrack if stage == "select" else ForgeItem
        work: Work
        if replaced := self.plan.use.get(stage):
            file = Path(replaced)
            key = key_of(stage, sha256_of(file) if file.is_file() else "", [])

            def work() -> StageOutcome:
                kept = read_lines(file, kind)
                note = f"taken from {file.name}, in the place of this stage"
                unit = self._unit if stage == "select" else "questions"
                return StageOutcome(kept, [], [funnel(stage, unit, len(kept), [], [note])])

        else:
            steps: dict[str, Callable[[], tuple[list[Any], Work] | None]] = {
                "select": self._select, "write": self._write, "check": self._checks,
                "validate": self._validate, "label": self._label,
            }  # fmt: skip
            step = steps[stage]()
            if step is None:
                return False
            depends, work = step
            key = key_of(stage, "", depends)
        finished: Done | None = done(self.folder(stage), key)
        if finished is None:
            came = work()
            finished = finish(
                self.folder(stage), key, came.kept, came.fallen, came.funnels, failed=came.failed
            )
        self.made.funnels += finished.funnels
        return finished.funnels[-1].kept > 0

    @property
    def _unit(self) -> str:
        return "texts" if self.plan.texts else "tracks"

    def folder(self, stage: Stage) -> Path:
        """Folder of a stage."""
        return self.work / f"{STAGES.index(stage) + 1}-{stage}"

    def kept(self, stage: Stage) -> Path:
        """The file of what it kept."""
        return self.folder(stage) / KEPT

    def _prompts(self, asker: Asker | None) -> Prompts:
        return open_prompts(asker.prompts if asker else None, texts=self.plan.texts)

    def _tracks(self) -> dict[str, ForgeTrack]:
        return {track.id: track for track in read_lines(self.kept("select"), ForgeTrack)}

    def _who(self, *askers: Asker | None) -> list[Any]:
        """Return what a stage that asks models depends on; it is redone if a call failed."""
        return [[a.model, a.sampling, self._prompts(a).fingerprint()] for a in askers if a]

    def _ask(self, stage: Stage, kind: type[A], source: Path, **more: Any) -> Asked[A]:
        """Put what a stage kept before the writer."""
        asker = self.plan.writer
        assert asker is not None
        texts = {"texts": True} if self.plan.texts else {}
        options = {"items": str(source), "prompts": asker.prompts, **more, **texts}
        return ask_items(kind, options, asker, self.folder(stage), self.watch)

    def _select(self) -> tuple[list[Any], Work]:
        plan, source = self.plan, Path(self.plan.captions)
        if not source.exists():
            raise InputError(said("forge-source", source=source))
        if plan.texts:
            read = read_texts(source, plan.columns)
        else:
            read = read_captions(source, plan.columns, Path(plan.audio) if plan.audio else None)

        def work() -> StageOutcome:
            kept, fallen = select(read.tracks, plan.selecting)
            return StageOutcome(
                kept, fallen, [funnel("select", self._unit, len(kept), fallen, read.remarks)]
            )

        return [lines_of(read.tracks).hex(), plan.selecting], work

    def _write(self) -> tuple[list[Any], Work]:
        source = self.kept("select")

        def work() -> StageOutcome:
            writing, records = self._ask("write", Writing, source, count=self.plan.count)
            tracks = read_lines(source, ForgeTrack)
            items, malformed, unwritten = read_items(tracks, records, writing)
            first = funnel("write", self._unit, len(tracks) - len(unwritten), unwritten)
            second = funnel("read", "questions", len(items), malformed)
            return StageOutcome(items, [*unwritten, *malformed], [first, second], bool(unwritten))

        depends = [self.plan.count, sha256_of(source)]
        return [depends, self._who(self.plan.writer)], work

    def _checks(self) -> tuple[list[Any], Work]:
        plan, source = self.plan, self.kept("write")

        def work() -> StageOutcome:
            items = read_lines(source, ForgeItem)
            kept, fallen = sieve(items, checks_of(self._tracks(), texts=plan.texts))
            funnels = [funnel("check", "questions", len(kept), fallen)]
            for asker in plan.blind:
                kept, gone, tested = self._unheard(kept, asker)
                fallen = [*fallen, *gone]
                funnels.append(tested)
            kept, gone, notes = thin(kept)
            funnels.append(funnel("blind rules", "questions", len(kept), gone, notes))
            failed = any(one.why == NOT_PROBED for one in fallen)
            return StageOutcome(kept, [*fallen, *gone], funnels, failed)

        depends = [sha256_of(source), sha256_of(self.kept("select")), plan.least_index]
        return [depends, self._who(*plan.blind)], work

    def _unheard(
        self, items: list[ForgeItem], asker: Asker
    ) -> tuple[list[ForgeItem], list[Fallen], Funnel]:
        """Keep the questions that a text model cannot answer without the sound."""
        if not items:
            return [], [], funnel(f"text alone, {asker.called}", "questions", 0, [])
        probes = [probe for i in items for probe in rotations(i.id, i.question, i.options, i.track)]
        answers = ask_blind(probes, asker, self.folder("check"), self.watch)
        index = index_of(answers, probes)
        kept, fallen = [], []
        for item in items:
            value = index.get(item.id)
            if value is None:
                fallen.append(Fallen(item.id, NOT_PROBED, "a call failed: run again"))
            elif value < self.plan.least_index:
                detail = f"index {value:.2f}: {item.answer!r} is guessed from {item.question!r}"
                fallen.append(Fallen(item.id, "answerable-unheard", detail))
            else:
                both = {**item.index, asker.called: value}
                kept.append(msgspec.structs.replace(item, index=both))
        notes = [f"{answers.by_choice} of {len(probes)} askings are known by their choice alone"]
        notes = notes if answers.by_choice else []
        return kept, fallen, funnel(f"text alone, {asker.called}", "questions", len(kept), fallen,
                                    notes)  # fmt: skip

    def _validate(self) -> tuple[list[Any], Work] | None:
        plan, source = self.plan, self.kept("check")
        items = read_lines(source, ForgeItem)
        if not plan.annotations and not plan.unvalidated:
            sheet = self.folder("validate") / SHEET
            sheet.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(sheet, validating.write_sheet(items, self._tracks()))
            write_atomically(
                sheet.with_name(QUESTIONS), validating.write_questions(items, self._tracks())
            )
            self.made.next = naming(said("forge-sheet", sheet=sheet, least=plan.rule.least))
            return None

        def work() -> StageOutcome:
            kept, fallen = items, list[Fallen]()
            notes = ["nobody has validated these questions (--unvalidated)"]
            if plan.annotations:
                annotations, remarks = validating.read_annotations(
                    Path(plan.annotations), items, plan.annotation_columns, plan.answers
                )
                kept, fallen, more = validating.validate(items, annotations, plan.rule)
                notes = [*remarks, *more]
            one = funnel("validate", "questions", len(kept), fallen, notes)
            return StageOutcome(kept, fallen, [one])

        digest = sha256_of(Path(plan.annotations)) if plan.annotations else "nobody"
        return [sha256_of(source), digest, plan.rule, plan.annotation_columns, plan.answers], work

    def _label(self) -> tuple[list[Any], Work]:
        source = self.kept("validate")

        def work() -> StageOutcome:
            labelling, records = self._ask("label", Labelling, source)
            kept, fallen = label(read_lines(source, ForgeItem), records, labelling)
            one = funnel("label", "questions", len(kept), fallen)
            return StageOutcome(kept, fallen, [one], bool(fallen))

        return [[sha256_of(source)], self._who(self.plan.writer)], work

    def _build(self) -> None:
        plan = self.plan
        tracks, items = self._tracks(), read_lines(self.kept("label"), ForgeItem)
        lost = sorted({item.track for item in items} - set(tracks))
        if lost:
            raise InputError(
                said("forge-lost", what=self.kept("label"), whatb=self.kept("select"), lost=lost[0])
            )
        facts: dict[str, Any] = {
            "rule of validation": _rule_in_words(plan),
            "text models": ", ".join(asker.called for asker in plan.blind) or "none",
            "least perceptual index": plan.least_index if plan.blind else "not asked for",
            "seed": plan.building.seed,
        }
        if plan.texts:
            facts = {"made from": TEXTS, **facts}
        if plan.writer:
            facts = {"written and filed by": plan.writer.model, **facts}
        place = self.work / plan.building.name
        kept, fallen, notes = build(place, items, tracks, plan.building, self.made.funnels, facts)
        one = funnel("build", "questions", len(kept), fallen, notes)
        finish(self.folder("build"), key_of("build"), kept, fallen, [one])
        self.made.funnels.append(one)
        self.made.folder = str(place)


def _rule_in_words(plan: ForgePlan) -> str:
    if not plan.annotations:
        return "none: nobody was asked" if "validate" not in plan.use else "the maker's own"
    rule = plan.rule
    how = "all together" if rule.together else "each"
    return (
        f"{rule.least} annotations at least; the right answer in {rule.right:.0%} of them at "
        f"least, wrong answers ({how}) in {rule.wrong:.0%} at most"
    )


def asker_of(model: str, base: Asker) -> Asker:
    """Return another model's asker, with the limits of `base`, for greedy sampling."""
    return msgspec.structs.replace(base, model=model, sampling=Sampling(0.0), opened=None)
