"""The benchmark object: items, their base and changed versions, and what stands in their place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import msgspec

from zhiyin.contract.benchmark import Benchmark, deferred, digest_of
from zhiyin.contract.conditions import SOUND
from zhiyin.plugins.composed.pairs.sounds import (
    CONTROLS,
    FACTS,
    Change,
    Fact,
    FactName,
    PairSettings,
    Scene,
    Studio,
    replaced,
)
from zhiyin.plugins.music.stimuli.dice import Dice, crossed
from zhiyin.prompts import Prompts
from zhiyin.trial import Audio, Message, Option, Text, Trial, say
from zhiyin.words import Said, said


class PairItem(msgspec.Struct, frozen=True):
    """One item.

    Attributes
    ----------
    id : str
    fact : str
    scene : Scene
    base : int
        Which scene is the base, 0 or 1; the other is the version with the fact changed.
    first : int
        Which answer is shown under A.
    """

    id: str
    fact: FactName
    scene: Scene
    base: int
    first: int

    @property
    def options(self) -> tuple[Option, ...]:
        """The two answers as they are shown, the same in every version."""
        order = (self.first, 1 - self.first)
        texts = FACTS[self.fact].answers
        return tuple(Option(a, texts[n], a) for a, n in zip("AB", order, strict=True))

    def key(self, scene: int) -> str:
        """The key of the answer that is true of a scene."""
        return "A" if scene == self.first else "B"


class Pairs(Benchmark[PairSettings]):
    """Minimal pairs as a `Benchmark`.

    Parameters
    ----------
    settings : PairSettings
    """

    name = "pairs"
    version = "1"
    summary = said("pairs-summary")
    description = "benchmark.toml"
    ways = (SOUND,)
    titles = {name: said("pairs-fact", fact=name) for name in FACTS}
    Settings = PairSettings
    figures = deferred("zhiyin.plugins.composed.pairs.results:draw_figures")
    """What moves answers; by fact, whether they move with it and stay otherwise."""
    hearing = deferred("zhiyin.plugins.composed.pairs.results:draw_consistency")
    """Pair consistency."""
    details = deferred("zhiyin.plugins.composed.pairs.results:sections", 1)
    """Pairs by fact, what answers follow, and what they rest on."""

    def __init__(self, settings: PairSettings) -> None:
        super().__init__(settings)
        places = {"system": (), "question": ("question", "options")}
        self._prompts = Prompts(__package__, places, folder=settings.prompts)
        self._studio = Studio()

    @cached_property
    def items(self) -> list[PairItem]:
        """`n` items of each fact. Which scene is the base and which answer is A are balanced."""
        items = []
        for name in self.settings.facts:
            ways = crossed((0, 1), (0, 1), self.settings.seed, name, "ways")
            for number, (base, first) in zip(range(1, self.settings.n + 1), ways, strict=False):
                scene = FACTS[name].draw(Dice(self.settings.seed, "pairs", name, number))
                items.append(
                    PairItem(f"{name}-{self.settings.seed}-{number:03d}", name, scene, base, first)
                )
        return items

    @property
    def _changes(self) -> tuple[Change, ...]:
        return tuple(change for change in self.settings.changes if self._studio.can(change))

    def remarks(self) -> list[Said]:
        """Name the changes that cannot be made on this machine."""
        missing = [change for change in self.settings.changes if change not in self._changes]
        return [said("pairs-without", changes=missing)] if missing else []

    def __len__(self) -> int:
        count = 2 + len(self._changes) + 2 * len(CONTROLS)
        return sum(count + 2 * (FACTS[item.fact].clips - 1) for item in self.items)

    def trials(self) -> Iterator[Trial]:
        """Each item: base, changed, the changes that say nothing, and what stands in its place."""
        for item in self.items:
            fact, changed = FACTS[item.fact], 1 - item.base
            yield self._trial(item, "base", item.base, self._play(item, item.base, None))
            yield self._trial(item, "changed", changed, self._play(item, changed, None))
            for change in self._changes:
                yield self._trial(item, change, item.base, self._play(item, item.base, change))
            for control in CONTROLS:
                for version, scene in (("base", item.base), ("changed", changed)):
                    yield self._replaced(item, version, scene, control, fact)
            if fact.clips == 2:
                for version, scene in (("base", item.base), ("changed", changed)):
                    yield self._replaced(item, version, scene, "half", fact)

    def _play(self, item: PairItem, scene: int, change: Change | None) -> list[Audio]:
        """The recordings of a scene; a change is made of the last one."""
        *before, last = item.scene[scene]
        return [
            *(self._studio.record(clip, None, item.id) for clip in before),
            self._studio.record(last, change, item.id),
        ]

    def _replaced(
        self, item: PairItem, version: str, scene: int, control: str, fact: Fact
    ) -> Trial:
        """Silence or noise in the place of all recordings; of two, noise for the second one."""
        sounds = self._play(item, scene, None)
        seed = f"{item.id}-{version}"
        if control == "half":
            sounds[-1] = replaced(sounds[-1], "noise", seed)
        else:
            sounds = [replaced(s, control, f"{seed}-{n}") for n, s in enumerate(sounds)]
        return self._trial(item, f"{control}-{version}", scene, sounds, control)

    def _trial(
        self, item: PairItem, version: str, scene: int, sounds: Sequence[Audio], audio: str = "true"
    ) -> Trial:
        fact = FACTS[item.fact]
        option_lines = "\n".join(f"{option.letter}. {option.text}" for option in item.options)
        request = Text(self._prompts.fill("question", question=fact.question, options=option_lines))
        return Trial(
            id=f"{item.id}/{version}",
            messages=(
                say("system", self._prompts.texts["system"]),
                Message("user", (*sounds, request)),
            ),
            stem=fact.question,
            options=item.options,
            target=item.key(scene),
            groups=(item.fact,) if audio == "true" else (f"audio={audio}",),
            cluster=item.id,
            tags={"fact": item.fact, "version": version, "audio": audio},
            item=item.id,
            condition=version,
        )

    def fingerprint(self) -> str:
        """SHA-256 over prompts, questions, answers and what is sent; not over files' places."""
        return digest_of(self._prompts.as_bytes(), self.trials())
