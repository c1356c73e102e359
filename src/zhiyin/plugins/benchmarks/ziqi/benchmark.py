"""ZIQI-Eval as a benchmark: from its options to trials, and from exchanges to verdicts."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from zhiyin.contract.benchmark import Benchmark, deferred
from zhiyin.contract.conditions import SHOTS
from zhiyin.contract.declared import NOTHING, CheckResult, Flaw
from zhiyin.contract.protocols import OURS
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.plugins.benchmarks.ziqi import COMMANDS
from zhiyin.plugins.benchmarks.ziqi.data import (
    RELEASED,
    ZiqiItem,
    ZiqiSheet,
    category_of,
    choose_stems,
    find_stems,
    group_titles,
    read_sheet,
)
from zhiyin.plugins.benchmarks.ziqi.flaws import find_flaws, is_order_bound, left_out
from zhiyin.plugins.benchmarks.ziqi.measures import MEAN_F1
from zhiyin.plugins.benchmarks.ziqi.trials import ZiqiTrialMaker, count_rotations, open_wording
from zhiyin.prompts import LINES, Language, Prompts
from zhiyin.trial import Trial
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.contract.declared import Drawn, FigureRun


class ZiqiSettings(msgspec.Struct, frozen=True):
    """Settings of a run of ZIQI-Eval. `data` is read only when a trial is asked for."""

    language: Annotated[
        Language, Flag("language of the instructions; the questions are Chinese", stated=True)
    ] = "zh"
    category: Annotated[
        tuple[str, ...],
        Flag(
            "only these files, or 'comprehension' or 'generation' (default: all)",
            "STEM[,STEM]",
            told="only {}",
        ),
    ] = ()
    prompts: Annotated[
        str | None, Flag("folder with prompts that replace ours by file name", "DIR", place=True)
    ] = None
    shuffle: Annotated[
        bool, Flag("shuffle each question's options by --seed (default: the published order)")
    ] = False
    rotations: Annotated[
        Literal["none", "all"],
        Flag("ask every question under each cyclic rotation of its options", stated=True),
    ] = "none"
    clean: Annotated[
        bool, Flag("leave flawed questions out (`zhiyin data check ziqi --all` lists them)")
    ] = False
    data: Annotated[
        str | None, Flag("folder with test/*.csv and, for examples, dev/*.csv", place=True)
    ] = None
    seed: Annotated[int, Flag("of the order of the options")] = 0
    shots: Annotated[int, Flag("examples"), msgspec.Meta(ge=0, le=5)] = 0
    partial: Annotated[bool, Flag("take an incomplete set", place=True)] = False
    extract: Annotated[str, Flag("how replies are read")] = "robust"
    protocol: Annotated[str, Flag("whose way of asking")] = OURS.name
    released: Annotated[
        str | None, Flag("a clone of the published repository, for its prompt", place=True)
    ] = None

    @property
    def rotates(self) -> bool:
        """True if each question is asked under every rotation of its options."""
        return self.rotations == "all"

    @property
    def pack(self) -> str | None:
        """Our own words for a protocol; None for the usual ones."""
        return RELEASED if self.protocol == RELEASED else None


class Ziqi(Benchmark[ZiqiSettings]):
    """ZIQI-Eval: 14,139 questions on music and 195 continuations of tunes, four options each.

    Parameters
    ----------
    settings : ZiqiSettings

    Raises
    ------
    InputError
        The extraction policy is unknown. Whatever is wrong with data or prompts is raised by
        the method that first needs them.
    """

    name = "ziqi"
    version = "1"
    summary = said("ziqi-summary")
    description = "benchmark.toml"
    ways = (SHOTS,)
    titles = group_titles()
    commands = COMMANDS
    printed_measures = (MEAN_F1,)

    Settings = ZiqiSettings
    details = deferred("zhiyin.plugins.benchmarks.ziqi.sections:sections")
    """F1 as the mean of subthemes, the type of section 6.1, the repository's leaderboard."""

    def trials(self) -> Iterator[Trial]:
        """Every trial: the categories in the paper's order, the questions as in their files."""
        for stem, items in self._items.items():
            maker = self._makers[stem]
            for item in items:
                if self.settings.rotates:
                    yield from maker.rotations(item)
                else:
                    yield maker.make(item)

    def __len__(self) -> int:
        if self.settings.rotates:
            return sum(count_rotations(item) for items in self._items.values() for item in items)
        return sum(len(items) for items in self._items.values())

    def fingerprint(self) -> str:
        """SHA-256 over the bytes of every file read, and the prompts."""
        total = hashlib.sha256()
        for sheet in (*self._test.values(), *self._dev.values()):
            total.update(f"{sheet.name} {sheet.sha256}\n".encode())
        for name, text in sorted(self._wording.texts.items()):
            if name == "options" and text == LINES:
                continue  # as it was before there were other layouts: the run is the same
            name = f"{name}.{self.settings.language}.txt"
            total.update(f"{name} {hashlib.sha256(text.encode()).hexdigest()}\n".encode())
        return total.hexdigest()

    def remarks(self) -> list[str | Said]:
        """Flawed questions, files that are missing, and what shuffling and examples met."""
        return self._remarks(self._flaws)

    def remarks_on(self, asked: Callable[[], Iterable[Trial]]) -> list[str | Said]:
        """The same; of flawed questions that stay in, those that are asked."""
        if self.settings.clean:  # said is what the set has lost
            return self.remarks()
        items = {trial.item for trial in asked()}
        stems = {sheet.name: stem for stem, sheet in self._test.items()}
        return self._remarks([f for f in self._flaws if f"{stems[f.file]}/{f.id}" in items])

    def _remarks(self, flaws: Sequence[Flaw]) -> list[str | Said]:
        remarks: list[str | Said] = list(_flaws_remark(flaws, self.settings.clean))
        if missing := self._stems[1]:
            remarks.append(said("ziqi-incomplete", files=missing))
        items = [item for items in self._items.values() for item in items]
        moved = self.settings.shuffle or self.settings.rotates
        if moved and (bound := sum(map(is_order_bound, items))):
            remarks.append(said("ziqi-not-moved", n=bound))
        if self.settings.shots:
            asked_examples = sum(
                self._makers[stem].is_example(item)
                for stem, items in self._items.items()
                for item in items
            )
            if asked_examples:
                remarks.append(said("ziqi-examples", n=asked_examples))
        return remarks

    @cached_property
    def _stems(self) -> tuple[list[str], list[str]]:
        """The files to read, and the published ones that are missing."""
        settings = self.settings
        present = find_stems(settings.data)
        return choose_stems(present, settings.category, settings.partial, str(settings.data))

    @cached_property
    def _test(self) -> dict[str, ZiqiSheet]:
        return self._read("test")

    @cached_property
    def _dev(self) -> dict[str, ZiqiSheet]:
        return self._read("dev") if self.settings.shots else {}

    def _read(self, part: str) -> dict[str, ZiqiSheet]:
        folder = Path(str(self.settings.data)) / part
        paths = {stem: folder / f"{stem}.csv" for stem in self._stems[0]}
        for path in paths.values():
            if part == "dev" and not path.is_file():
                raise InputError(f"{path}: missing: --shots takes its examples from there")
        return {stem: read_sheet(path) for stem, path in paths.items()}

    @cached_property
    def _flaws(self) -> list[Flaw]:
        return find_flaws(self._test, {})

    @cached_property
    def _items(self) -> dict[str, list[ZiqiItem]]:
        """The questions to ask, by category."""
        if not self.settings.clean:
            return {stem: sheet.items for stem, sheet in self._test.items()}
        drop = left_out(self._flaws)
        return {
            stem: [item for item in sheet.items if (sheet.name, item.id) not in drop]
            for stem, sheet in self._test.items()
        }

    @cached_property
    def _wording(self) -> Prompts:
        settings = self.settings
        return open_wording(settings.language, settings.prompts, settings.pack, settings.released)

    @cached_property
    def _makers(self) -> dict[str, ZiqiTrialMaker]:
        settings = self.settings
        return {
            stem: ZiqiTrialMaker(
                category_of(stem),
                self._wording,
                settings.language,
                settings.seed if settings.shuffle else None,
                settings.shots,
                self._dev.get(stem),
                as_printed=settings.pack is not None,
            )
            for stem in self._test
        }

    # About the benchmark, without data

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Every flaw of the data in ``options["data"]``; see `ziqi.flaws`."""
        from zhiyin.plugins.benchmarks.ziqi.flaws import check_folder

        published = cls.expected() or NOTHING
        return check_folder(options.get("data"), bool(options.get("partial")), published)

    @classmethod
    def figures(cls, runs: Sequence[FigureRun]) -> Iterator[Drawn]:
        """The paper's Figure 3: women, Black Africa, Europe and elsewhere."""
        from zhiyin.plugins.benchmarks.ziqi.bias import draw_bias

        reference = cls.published()
        if reference is not None and (drawn := draw_bias(runs, reference)) is not None:
            yield drawn


def _flaws_remark(flaws: Sequence[Flaw], clean: bool) -> Iterator[Said]:
    """Report how many questions are flawed and what becomes of them; nothing where none is."""
    count = Counter(flaw.kind for flaw in flaws)
    told = (
        "repeated-option", "repeated-key", "repeated-question", "near-repeat",
        "conflicting-answers", "missing-figure",
    )  # fmt: skip
    if kinds := [said("ziqi-flaw", n=count[kind], kind=kind) for kind in told if count[kind]]:
        yield said("ziqi-flaws", left=len(left_out(flaws)) if clean else None, kinds=kinds)
