"""ZIQI-Eval as a benchmark: from its options to trials, and from exchanges to verdicts."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.benchmarks.ziqi.protocols import PROTOCOLS
from zhiyin.contract.declared import CheckResult, Reference, Section

if TYPE_CHECKING:
    from zhiyin.contract.declared import Published
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import msgspec

from zhiyin.benchmarks.ziqi.categories import category_of
from zhiyin.benchmarks.ziqi.data import Item, Sheet, choose_stems, find_stems, read_sheet
from zhiyin.benchmarks.ziqi.flaws import find_flaws, is_order_bound, left_out
from zhiyin.benchmarks.ziqi.protocols import RELEASED
from zhiyin.benchmarks.ziqi.trials import TrialMaker, count_rotations
from zhiyin.benchmarks.ziqi.wording import open_wording
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.declared import Flaw
from zhiyin.engine.scoring import judge_choice
from zhiyin.errors import InputError
from zhiyin.prompts import LINES, Language, Prompts, read_language
from zhiyin.reader import Policy, open_policy
from zhiyin.record import Exchange, Strategy, Verdict
from zhiyin.strategies import standalone
from zhiyin.trial import Trial

MOST_SHOTS = 5


class Settings(msgspec.Struct, frozen=True):
    """What the user chose. `data` is read only when a trial is asked for.

    Attributes
    ----------
    data : str or None
        Folder with ``test/*.csv`` and, for examples, ``dev/*.csv``.
    seed : int
        Seed of the options' order.
    shots : int
        Examples before each question, 0 to 5.
    language : {"zh", "en"}
        Language of the instructions; the questions are Chinese either way.
    categories : tuple of str
        File stems, "comprehension" or "generation"; none for all.
    prompts : str or None
        Folder whose files replace our prompts.
    pack : str or None
        Our own words for a protocol; None for the usual ones.
    released : str or None
        A clone of the published repository, for its prompt.
    shuffle, clean, partial : bool
        Shuffle options; leave flawed questions out; take an incomplete set.
    rotations : bool
        Ask every question under each cyclic rotation of its options.
    extract : str
        Name of the extraction policy.
    """

    data: str | None = None
    seed: int = 0
    shots: int = 0
    language: Language = "zh"
    categories: tuple[str, ...] = ()
    prompts: str | None = None
    pack: str | None = None
    released: str | None = None
    shuffle: bool = False
    clean: bool = False
    partial: bool = False
    rotations: bool = False
    extract: str = "robust"


def read_settings(options: Mapping[str, Any]) -> Settings:
    """The settings in `options`, as flags or a manifest give them. Other keys are ignored.

    Raises
    ------
    InputError
        `shots` is no number from 0 to 5, or `language` is unknown.
    """
    language = read_language(options.get("language"))
    return Settings(
        data=options.get("data"),
        seed=int(options.get("seed") or 0),
        shots=_shots(options.get("shots")),
        language=language,
        categories=_words(options.get("category")),
        prompts=options.get("prompts"),
        pack=RELEASED.name if options.get("protocol") == RELEASED.name else None,
        released=options.get("released"),
        shuffle=bool(options.get("shuffle")),
        clean=bool(options.get("clean")),
        partial=bool(options.get("partial")),
        rotations=options.get("rotations") == "all",
        extract=options.get("extract") or "robust",
    )


def _shots(value: Any) -> int:
    text = "0" if value is None else str(value).strip()
    if text not in {str(number) for number in range(MOST_SHOTS + 1)}:
        raise InputError(f"--shots {value}: ziqi takes a number from 0 to {MOST_SHOTS}")
    return int(text)


def _words(value: str | Sequence[str] | None) -> tuple[str, ...]:
    """The words of comma lists, one or several."""
    lists = [value] if isinstance(value, str) else value or []
    words = (word.strip() for words in lists for word in words.split(","))
    return tuple(dict.fromkeys(word for word in words if word))


class Ziqi(Benchmark[Settings]):
    """ZIQI-Eval: 14,139 questions on music and 195 continuations of tunes, four options each.

    Parameters
    ----------
    settings : Settings

    Raises
    ------
    InputError
        The extraction policy is unknown. Whatever is wrong with data or prompts is raised by
        the method that first needs them.
    """

    name = "ziqi"
    version = "1"
    summary = "ZIQI-Eval: 14,334 Chinese multiple-choice questions on music and ABC continuation"
    paper = (
        "Jiajia Li, Lu Yang, Mingni Tang, Cong Chen, Zuchao Li, Ping Wang, Hai Zhao: The Music "
        "Maestro or The Musically Challenged, A Massive Music Evaluation Benchmark for Large "
        "Language Models. arXiv:2406.15885, 2024. Data: "
        "https://huggingface.co/datasets/MYTH-Lab/ZIQI-Eval"
    )
    licence = "CC BY-NC-SA 4.0"
    bibtex = """\
@article{li2024ziqi,
  title   = {The Music Maestro or The Musically Challenged, A Massive Music Evaluation
             Benchmark for Large Language Models},
  author  = {Li, Jiajia and Yang, Lu and Tang, Mingni and Chen, Cong and Li, Zuchao and
             Wang, Ping and Zhao, Hai},
  journal = {arXiv preprint arXiv:2406.15885},
  year    = {2024}
}
"""
    chance = 0.25
    protocols = PROTOCOLS

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._policy: Policy = open_policy(settings.extract)

    def trials(self) -> Iterator[Trial]:
        """Every trial: the categories in the paper's order, the questions as in their files."""
        for stem, items in self._items.items():
            maker = self._makers[stem]
            for item in items:
                if self.settings.rotations:
                    yield from maker.rotations(item)
                else:
                    yield maker.make(item)

    def __len__(self) -> int:
        if self.settings.rotations:
            return sum(count_rotations(item) for items in self._items.values() for item in items)
        return sum(len(items) for items in self._items.values())

    def strategy(self, trial: Trial) -> Strategy:
        """One question, one reply."""
        return standalone

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """Whether the option that the last reply names is the keyed one."""
        return judge_choice(trial, exchange, self._policy)

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

    def remarks(self) -> list[str]:
        """Flawed questions, files that are missing, and what shuffling and examples met."""
        remarks = [_flaws_remark(self._flaws, self.settings.clean)]
        if missing := self._stems[1]:
            remarks.append(f"an incomplete set, without {', '.join(missing)}")
        items = [item for items in self._items.values() for item in items]
        moved = self.settings.shuffle or self.settings.rotations
        if moved and (bound := sum(map(is_order_bound, items))):
            remarks.append(
                "not shuffled or rotated, for their options point at each other or at letters: "
                f"{bound}"
            )
        if self.settings.shots:
            met = sum(
                self._makers[stem].is_example(item)
                for stem, items in self._items.items()
                for item in items
            )
            if met:
                remarks.append(f"examples too, and therefore asked without themselves: {met}")
        return [remark for remark in remarks if remark]

    @cached_property
    def _stems(self) -> tuple[list[str], list[str]]:
        """The files to read, and the published ones that are missing."""
        settings = self.settings
        found = find_stems(settings.data)
        return choose_stems(found, settings.categories, settings.partial, str(settings.data))

    @cached_property
    def _test(self) -> dict[str, Sheet]:
        return self._read("test")

    @cached_property
    def _dev(self) -> dict[str, Sheet]:
        return self._read("dev") if self.settings.shots else {}

    def _read(self, part: str) -> dict[str, Sheet]:
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
    def _items(self) -> dict[str, list[Item]]:
        """The questions to ask, by category."""
        drop = left_out(self._flaws) if self.settings.clean else set()
        return {
            stem: [item for item in sheet.items if (sheet.name, item.id) not in drop]
            for stem, sheet in self._test.items()
        }

    @cached_property
    def _wording(self) -> Prompts:
        settings = self.settings
        return open_wording(settings.language, settings.prompts, settings.pack, settings.released)

    @cached_property
    def _makers(self) -> dict[str, TrialMaker]:
        settings = self.settings
        return {
            stem: TrialMaker(
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
    def add_options(cls, parser: argparse._ActionsContainer) -> None:
        """Add the benchmark's own flags to ``zhiyin run ziqi``."""
        parser.add_argument(
            "--language",
            choices=("zh", "en"),
            default="zh",
            help="language of the instructions; the questions are Chinese (default: zh)",
        )
        parser.add_argument(
            "--category",
            action="append",
            metavar="STEM[,STEM]",
            help="only these files, or 'comprehension' or 'generation' (default: all)",
        )
        parser.add_argument(
            "--prompts", metavar="DIR", help="folder with prompts that replace ours by file name"
        )
        parser.add_argument(
            "--shuffle",
            action="store_true",
            help="shuffle each question's options by --seed (default: the published order)",
        )
        parser.add_argument(
            "--rotations",
            choices=("none", "all"),
            default="none",
            help="ask every question under each cyclic rotation of its options (default: none)",
        )
        parser.add_argument(
            "--clean",
            action="store_true",
            help="leave flawed questions out (zhiyin data check ziqi lists them)",
        )

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Benchmark[Any]:
        """ZIQI-Eval as `options` say: parsed flags, or a run's manifest. Other keys are ignored.

        Reads no data, so that a run can be scored again without it.

        Raises
        ------
        InputError
            A value that no flag takes (shots, language, extraction policy).
        """
        return Ziqi(read_settings(options))

    @classmethod
    def published(cls) -> Reference:
        """The paper's Tables 1 to 4 under the names of our groups, in [0, 1]."""
        import msgspec

        text = (Path(__file__).parent / "published.json").read_bytes()
        return msgspec.json.decode(text, type=Reference)

    @classmethod
    def expected(cls) -> Published:
        """What the published data hold."""
        from zhiyin.contract.declared import read_published

        return read_published(Path(__file__).with_name("published_counts.json"))

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Every flaw of the data in ``options["data"]``; see `zhiyin.benchmarks.ziqi.flaws`."""
        from zhiyin.benchmarks.ziqi.flaws import check_folder

        return check_folder(options.get("data"), bool(options.get("partial")))

    @classmethod
    def details(cls, folder: Path) -> list[Section]:
        """F1 as the mean of subthemes, the type of section 6.1, the repository's leaderboard."""
        from zhiyin.benchmarks.ziqi.sections import sections

        return sections(folder)


def _flaws_remark(flaws: Sequence[Flaw], clean: bool) -> str:
    """How many questions are flawed and what becomes of them; nothing where none is."""
    count = Counter(flaw.kind for flaw in flaws)
    parts = [
        (count["repeated-option"], "repeat an option"),
        (count["repeated-key"], "repeat the keyed option"),
        (count["repeated-question"], "repeat an earlier question to the letter"),
        (count["near-repeat"], "repeat one nearly"),
        (count["conflicting-answers"], "contradict a repeat of themselves"),
        (count["missing-figure"], "speak of a figure that is not there"),
    ]
    said = ", ".join(f"{number} {what}" for number, what in parts if number)
    if not said:
        return ""
    fate = (
        f"left out ({len(left_out(flaws))} questions, of repeats all but the first)"
        if clean
        else "asked as published (--clean leaves them out)"
    )
    return f"flawed questions, {fate}: {said}; zhiyin data check ziqi lists them"
