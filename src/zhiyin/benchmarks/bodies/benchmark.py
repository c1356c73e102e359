"""The benchmark object: each item in every body that can carry it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zhiyin.benchmarks.bodies import COMMANDS, making
from zhiyin.benchmarks.bodies.bodying import Maker
from zhiyin.benchmarks.bodies.items import Item, items_about, own_items, read_pieces
from zhiyin.benchmarks.bodies.settings import HEARD, Body
from zhiyin.benchmarks.bodies.settings import Settings as BodySettings
from zhiyin.contract.benchmark import Benchmark, digest_of
from zhiyin.contract.declared import CheckResult, Section
from zhiyin.contract.declared import Skill as HearingSkill
from zhiyin.engine.folder import Manifest
from zhiyin.errors import InputError
from zhiyin.prompts import Prompts
from zhiyin.runs.rows import Rows
from zhiyin.trial import Message, Part, Tag, Text, Trial, say
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.contract.declared import Drawn, FigureRun


class Bodies(Benchmark[BodySettings]):
    """One piece in six bodies as a `Benchmark`.

    Parameters
    ----------
    settings : Settings
    """

    name = "bodies"
    version = "1"
    summary = said("bodies-summary")
    description = "benchmark.toml"
    commands = COMMANDS
    Settings = BodySettings
    Making = making.Making

    def __init__(self, settings: BodySettings) -> None:
        super().__init__(settings)
        places = {
            "system": (), "question": ("question", "options"), "first": (), "second": (),
            "piece": (),
        }  # fmt: skip
        self._prompts = Prompts("zhiyin.benchmarks.bodies", places, folder=settings.prompts)
        self._maker = Maker()

    @cached_property
    def _items_and_remarks(self) -> tuple[list[Item], list[str]]:
        """The items, and what the user should know."""
        settings = self.settings
        if not settings.data:
            return list(own_items(settings)), []
        pieces, faults = read_pieces(settings)
        items = list(items_about(settings, pieces))
        if not items:
            raise InputError(f"{settings.data}: gives no question of {', '.join(settings.skills)}")
        remarks = [f"left out: {fault}" for fault in faults]
        return items, [*remarks, *_without_questions(settings, items)]

    @property
    def items(self) -> list[Item]:
        """Every question."""
        return self._items_and_remarks[0]

    def remarks(self) -> list[str]:
        """Files that were left out, and skills that no piece gave a question for."""
        return self._items_and_remarks[1]

    def _items_by_body(self) -> Iterator[tuple[Item, Body]]:
        for item in self.items:
            for body in self.settings.bodies:
                if body in item.question.bodies:
                    yield item, body

    def __len__(self) -> int:
        return sum(1 for _ in self._items_by_body())

    def trials(self) -> Iterator[Trial]:
        """Each item in each body that carries it; sounds and pictures are made where missing."""
        for item, body in self._items_by_body():
            yield self._trial(item, body)

    def _trial(self, item: Item, body: Body) -> Trial:
        question = item.question
        option_lines = "\n".join(f"{option.letter}. {option.text}" for option in item.options)
        names = ("first", "second") if len(question.pieces) > 1 else ("piece",)
        parts: list[Part] = []
        for name, piece in zip(names, question.pieces, strict=True):
            parts += [Text(self._prompts.texts[name]), self._maker.body(piece, body)]
        parts.append(
            Text(self._prompts.fill("question", question=question.stem, options=option_lines))
        )
        return Trial(
            id=f"{item.id}/{body}",
            messages=(say("system", self._prompts.texts["system"]), Message("user", tuple(parts))),
            stem=question.stem,
            options=item.options,
            target=item.target,
            groups=(body, item.skill),
            cluster=item.cluster,
            tags={"body": body, "skill": item.skill},
            item=item.id,
            condition=body,
        )

    @classmethod
    def shows(cls, groups: Sequence[str], tags: Mapping[str, Tag]) -> Mapping[HearingSkill, str]:
        """Reading, of what is written or engraved; of sound what the question is about."""
        if tags.get("body") != "sound":
            return {"reading": str(tags.get("body"))}
        skill = str(tags.get("skill"))
        return {HEARD[skill]: skill} if skill in HEARD else {}

    def fingerprint(self) -> str:
        """SHA-256 over prompts, questions, answers and what is sent; not over files' places."""
        return digest_of(self._prompts.as_bytes(), self.trials())

    # About the benchmark, without data

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Look through notation of a user. Raises `InputError` where there is none."""
        return making.check(options)

    @classmethod
    def make(cls, options: Mapping[str, Any]) -> str:
        """Write pieces of our own in all six bodies; says what was made."""
        return making.make(dict(options))

    @classmethod
    def details(cls, rows: Rows, manifest: Manifest) -> list[Section]:
        """What is lost from reading to hearing to seeing, and skill by body."""
        from zhiyin.benchmarks.bodies.sections import sections

        return sections(rows)

    @classmethod
    def figures(cls, runs: Sequence[FigureRun]) -> Iterator[Drawn]:
        """Reading, hearing and seeing side by side, and skill by body."""
        from zhiyin.benchmarks.bodies.figures import draw_losses, draw_matrix

        yield from draw_losses(runs)
        yield from draw_matrix(runs)

    @classmethod
    def hearing(cls, runs: Sequence[FigureRun]) -> Iterator[Drawn]:
        """Reading against hearing, and seeing where it was asked."""
        from zhiyin.benchmarks.bodies.figures import draw_losses

        yield from draw_losses(runs)


def _without_questions(settings: BodySettings, items: Sequence[Item]) -> Iterator[str]:
    skills_asked = {item.skill for item in items}
    if missing := [skill for skill in settings.skills if skill not in skills_asked]:
        yield f"no piece gives a question of {', '.join(missing)}"
