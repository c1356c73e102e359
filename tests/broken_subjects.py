"""Benchmarks and models that break the contract, each in one way, for the tests of its suite."""

import itertools
import random

from zhiyin import Benchmark, Capabilities, ModelError, Option, Reply, Sequence, Trial, Verdict, say
from zhiyin.contract import score
from zhiyin.runs.measures import Measure, one
from zhiyin.trial import Audio
from zhiyin.words import said

NAMES = ("unison", "third", "fifth", "octave")


def question(number, *, shown=None, **more):
    """A question whose right answer is told by its number, and by nothing else."""
    name = f"q{number}"
    right = NAMES[number % 4]
    shown = shown or random.Random(name).sample(NAMES, 4)
    options = tuple(Option(a, text, text) for a, text in zip("ABCD", shown, strict=True))
    stem = f"What is interval {number}?"
    listed = "\n".join(f"{option.letter}. {option.text}" for option in options)
    given = {"id": name, "messages": (say("user", f"{stem}\n{listed}"),), "stem": stem,
             "options": options, "target": right, "groups": ("low",)}  # fmt: skip
    return Trial(**{**given, **more})


class Fine(Benchmark):
    """Keeps all of it."""

    name = "fine"
    summary = "forty intervals"

    def trials(self):
        yield from map(question, range(40))


class Unseeded(Fine):
    name = "unseeded"

    def trials(self):
        for number in range(40):
            yield question(number, shown=random.sample(NAMES, 4))


class OfASet(Fine):
    name = "of-a-set"

    def trials(self):
        for name in {f"q{number}" for number in range(40)}:
            yield question(int(name[1:]))


class SameIds(Fine):
    name = "same-ids"

    def trials(self):
        for number in range(40):
            yield question(number, id=f"q{number % 39}")


class Telling(Fine):
    name = "telling"

    def trials(self):
        for number in range(40):
            yield question(number, id=f"q{number}-{NAMES[number % 4]}")


class AlwaysFirst(Fine):
    name = "always-first"

    def trials(self):
        for number in range(40):
            right = NAMES[number % 4]
            yield question(number, shown=sorted(NAMES, key=lambda name: name != right))


class Generous(Fine):
    name = "generous"

    def score(self, trial, exchange):
        return Verdict("correct", trial.target)


class Moody(Fine):
    name = "moody"
    times = itertools.count()

    def score(self, trial, exchange):
        verdict = super().score(trial, exchange)
        verdict.scores = {"mood": float(next(self.times))}
        return verdict


class Backwards(Fine):
    name = "backwards"
    measures = (score("cents", unit="cents", range=(0.0, None)), *Benchmark.measures)

    def score(self, trial, exchange):
        verdict = super().score(trial, exchange)
        verdict.scores = {"cents": 0.0 if verdict.state == "correct" else 50.0}
        return verdict


class Overfull(Backwards):
    name = "overfull"
    measures = (score("cents", lower_is_better=True, range=(0.0, 10.0)), *Benchmark.measures)


def twice(rows):
    return 2 * rows.right


class Doubled(Fine):
    name = "doubled"
    measures = (*Benchmark.measures, Measure("double", of=(twice, one), method="mean"))


class Unnested(Fine):
    name = "unnested"

    def trials(self):
        yield question(0, groups=("theory", "theory/keys"))
        yield question(1, groups=("theory/keys",))


class Deafening(Fine):
    name = "deafening"

    def trials(self):
        sound = Audio(__file__, "0" * 64, 1.0)
        yield question(0, messages=(say("user", "What is it?", sound),))


class Failing(Fine):
    name = "failing"

    def trials(self):
        yield from map(question, range(3))
        raise KeyError("answers.csv")


class Wordless(Fine):
    name = "wordless"
    summary = said("wordless-summary")


class Forgetful(Sequence):
    id, at_least, at_most = "chat", 2, 4
    times = itertools.count()

    def next(self, done):
        return question(next(self.times)) if len(done) < 3 else None


class Wavering(Benchmark):
    name = "wavering"

    def sequences(self):
        yield Forgetful()


class Bot:
    name = "bot"
    capabilities = Capabilities(sound=False, image=False, system=True, settings=("max_tokens",))

    async def generate(self, messages, sampling, trial):
        return "B"


class Silent(Bot):
    async def generate(self, messages, sampling, trial):
        return {"text": "B"}


class Wordy(Bot):
    async def generate(self, messages, sampling, trial):
        return Reply("I think that it is the octave, since that has twelve semitones in it.")


class Deaf(Bot):
    capabilities = Capabilities(sound=True, image=False)

    async def generate(self, messages, sampling, trial):
        if len(messages[-1].parts) > 1:
            raise ModelError("there is sound in it")
        return "B"


class Boastful(Bot):
    capabilities = Capabilities(sound="yes")


class Private(Bot):
    def describe(self):
        return {"key": object()}


class Closing(Bot):
    closed = False

    async def close(self):
        if self.closed:
            raise RuntimeError("closed already")
        self.closed = True
