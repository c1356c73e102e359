"""Asking models of a benchmark's trials without a run folder, and models that cheat."""

import asyncio
import hashlib

import numpy as np

from columns_help import rows_from
from zhiyin.record import Exchange, Record, Reply, Sampling, Turn
from zhiyin.sound import read_sound
from zhiyin.trial import Audio


def sounds_of(messages):
    return [part for m in messages for part in m.parts if isinstance(part, Audio)]


async def _ask(benchmark, trials, choose):
    found = []
    for trial in trials:
        text = choose(trial.blind())
        reply = await text if asyncio.iscoroutine(text) else text
        reply = reply if isinstance(reply, Reply) else Reply(f"Answer: {reply}")
        exchange = Exchange((Turn(reply),))
        record = Record(trial.id, benchmark.score(trial, exchange), trial, exchange)
        found.append(record)
    return rows_from(found)


def ask(benchmark, choose, trials=None):
    """The rows of a run; `choose` gives a letter, a `Reply`, or a coroutine of one."""
    return asyncio.run(_ask(benchmark, benchmark.trials() if trials is None else trials, choose))


def model(model):
    """A model as a chooser."""
    return lambda trial: model.generate(trial.messages, Sampling(), trial)


def oracle(benchmark):
    """Knows every answer."""
    keys = {trial.id: trial.target for trial in benchmark.trials()}
    return lambda trial: keys[trial.id]


def by_options(trial):
    """Takes what comes first in the alphabet: reads only the options."""
    return min(trial.options, key=lambda option: option.text).letter


def by_length(trial):
    """Looks only at how long everything is."""
    return "A" if sum(s.seconds for s in sounds_of(trial.messages)) < 10.5 else "B"


def by_loudness(trial):
    """Looks only at how loud the last recording is."""
    samples = read_sound(sounds_of(trial.messages)[-1].path).samples
    return "A" if np.sqrt(np.mean(np.square(samples, dtype=float))) > 0.04 else "B"


def by_first(trial):
    """Makes something of the first recording alone."""
    digest = hashlib.sha256(sounds_of(trial.messages)[0].sha256.encode()).digest()
    return "AB"[digest[0] % 2]
