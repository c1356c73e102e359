"""Hearing differences: what one of two sounds has more of, and what differs within a recording."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from zhiyin.plugins.music.listener.melody import hear_melody
from zhiyin.plugins.music.listener.spectrum import RATE, Answer, Array, prepared
from zhiyin.sound import Sound

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples = NDArray[np.float64]


Hear = Callable[..., Answer]
"""From one recording or two to the answer."""
Measure = Callable[["Samples", int], float | None]
SILENT_DB = -45.0
"""Against the loudest 5 ms: below it nothing sounds."""
BETWEEN_S = 0.6
"""Silence that parts two sounds; the beats of one row are nearer to each other."""
_FRAME_S = 0.005
_FIRST, _LAST = 80.0, 1600.0
"""Fundamentals that are looked for, in Hz."""


def parts(sound: Sound) -> list[Samples]:
    """The sounds of a recording that long silences part, without the silence around them."""
    samples, size = sound.samples.astype(float), max(1, round(_FRAME_S * sound.rate))
    count = len(samples) // size
    if not count:
        return []
    power = np.square(samples[: count * size]).reshape(count, size).mean(axis=1)
    if not power.max() > 0:
        return []
    loud = np.flatnonzero(power > power.max() * 10 ** (SILENT_DB / 10))
    cuts = np.flatnonzero(np.diff(loud) * _FRAME_S > BETWEEN_S)
    firsts, lasts = loud[np.append(0, cuts + 1)], loud[np.append(cuts, len(loud) - 1)]
    return [samples[a * size : (b + 1) * size] for a, b in zip(firsts, lasts, strict=True)]


def onset_times(samples: Samples, rate: int) -> Samples:
    """Find onsets, in seconds: where the envelope passes 0.4 of its highest point."""
    size = max(1, round(0.004 * rate))
    envelope = np.sqrt(np.convolve(samples**2, np.ones(size) / size, mode="same"))
    loud = envelope > 0.4 * envelope.max()
    rises = np.flatnonzero(loud[1:] & ~loud[:-1])
    if loud[0]:
        rises = np.append(0, rises)
    kept: list[float] = []
    for place in rises / rate:
        if not kept or place - kept[-1] > 0.12:
            kept.append(float(place))
    return np.array(kept)


def partials(samples: Samples, rate: int, most: int = 6) -> Samples | None:
    """Frequencies of the first partials of a tone in Hz; None where there is no pitch."""
    if len(samples) < rate // 20:
        return None
    size = 1 << (8 * len(samples) - 1).bit_length()
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples)), size))
    wave = np.fft.irfft(spectrum**2)[: size // 2]
    first, last = int(rate / _LAST), min(int(rate / _FIRST), len(wave) - 2)
    # Of the lags that fit nearly as well as the best, the shortest: longer ones are its multiples.
    row = wave[first:last]
    tops = 1 + np.flatnonzero((row[1:-1] >= row[:-2]) & (row[1:-1] > row[2:]))
    if not len(tops) or row[tops].max() < 0.3 * wave[0]:
        return None
    lag = first + int(tops[row[tops] > 0.93 * row[tops].max()][0])
    base = rate / lag
    frequencies = []
    for number in range(1, most + 1):
        near, wide = base * number * size / rate, 0.17 * base * size / rate
        low, high = int(near - wide), int(near + wide) + 1
        if high + 1 >= len(spectrum):
            break
        top = low + int(np.argmax(spectrum[low:high]))
        a, b, c = np.log(spectrum[top - 1 : top + 2] + 1e-12)
        frequencies.append((top + 0.5 * (a - c) / (a - 2 * b + c or 1e-12)) * rate / size)
        if number == 1:
            base = frequencies[0]
    return np.array(frequencies)


def pitch(samples: Samples, rate: int) -> float | None:
    """Measure the pitch of a tone by its first three partials, in cents above 1 Hz."""
    frequencies = partials(samples, rate, 3)
    if frequencies is None or not len(frequencies):
        return None
    return float(1200 * np.log2(np.median(frequencies / np.arange(1, len(frequencies) + 1))))


def rise(samples: Samples, rate: int) -> float | None:
    """Measure the rise from the first to the last third of a pair of tones, in cents."""
    third = int(0.44 * len(samples))
    ends = pitch(samples[:third], rate), pitch(samples[-third:], rate)
    return None if ends[0] is None or ends[1] is None else ends[1] - ends[0]


def tempo(samples: Samples, rate: int) -> float | None:
    """Measure the tempo of a row of beats, in per cent above 60 BPM, on a logarithmic scale."""
    times = onset_times(samples, rate)
    if len(times) < 3:
        return None
    return float(-100 * np.log(np.polyfit(np.arange(len(times)), times, 1)[0]))


def unevenness(samples: Samples, rate: int) -> float | None:
    """Measure how far the most uneven of a row of beats is from between its neighbours, in ms."""
    times = onset_times(samples, rate)
    if len(times) < 4:
        return None
    return float(1000 * np.abs(times[1:-1] - (times[:-2] + times[2:]) / 2).max())


def loudness(samples: Samples, rate: int) -> float | None:
    """Measure the level of a sound, in dB."""
    return float(10 * np.log10(np.mean(samples**2) + 1e-12))


def mistuning(samples: Samples, rate: int) -> float | None:
    """Measure how far the partial of a tone that fits least is off, in cents."""
    frequencies = partials(samples, rate, 8)
    if frequencies is None or len(frequencies) < 4:
        return None
    cents = 1200 * np.log2(frequencies / np.arange(1, len(frequencies) + 1))
    return float(np.abs(cents - np.median(cents)).max())


def hole(samples: Samples, rate: int) -> float | None:
    """Measure the faintest millisecond of a noise against the whole, in dB below it."""
    size = max(2, round(0.001 * rate))
    inner = samples[round(0.05 * rate) : -round(0.05 * rate)]
    if len(inner) < 10 * size:
        return None
    power = np.convolve(inner**2, np.ones(size) / size, mode="valid")
    return float(10 * np.log10(np.mean(inner**2) / (power.min() + 1e-9)))


def tonality(samples: Samples, rate: int) -> float | None:
    """Measure how far the strongest places of a noise's spectrum stand out, in dB."""
    power = np.abs(np.fft.rfft(samples * np.hanning(len(samples)))) ** 2
    used = power[int(150 * len(samples) / rate) : int(5000 * len(samples) / rate)]
    if len(used) < 100:
        return None
    return float(10 * np.log10(np.sort(used)[-6:].mean() / (np.median(used) + 1e-12)))


def tune(samples: Samples, rate: int) -> Samples | None:
    """The notes of a melody, in cents; None where they cannot be told."""
    times = onset_times(samples, rate)
    ends = np.append(times[1:], len(samples) / rate)
    notes = [
        pitch(samples[round(a * rate) : round(min(b, a + 0.16) * rate)], rate)
        for a, b in zip(times, ends, strict=True)
    ]
    return None if not notes or None in notes else np.array(notes, dtype=float)


def likeness(samples: Samples, rate: int, model: Samples) -> float | None:
    """Compare a melody with another one: minus the largest difference of their notes, in cents."""
    first, second = tune(model, rate), tune(samples, rate)
    if first is None or second is None or len(first) != len(second):
        return None
    return -float(np.abs(first - second).max())


def which_has_more(measure: Measure) -> Hear:
    """Make a listener that tells which of two sounds in a recording has more: "1" or "2"."""

    def hear(sound: Sound) -> Answer:
        heard = parts(sound)
        if len(heard) != 2:
            return None, f"hear {len(heard)} sounds where there should be two"
        a, b = (measure(part, sound.rate) for part in heard)
        if a is None or b is None or a == b:
            return None, "cannot tell the two sounds apart"
        return "1" if a > b else "2", f"measured {a:.2f} and {b:.2f}"

    return hear


def has_it(measure: Measure, least: float, *, above_first: bool = False) -> Hear:
    """Make a listener that tells if a sound has more than `least`, or so much above the first."""

    def hear(sound: Sound) -> Answer:
        heard = parts(sound)
        if len(heard) != 1 + above_first:
            return None, f"hear {len(heard)} sounds where there should be {1 + above_first}"
        values = [measure(part, sound.rate) for part in heard]
        measured = [value for value in values if value is not None]
        if len(measured) < len(values):
            return None, "cannot measure that sound"
        size = measured[-1] - measured[0] if above_first else measured[0]
        return "yes" if size > least else "no", f"measured {size:.2f}"

    return hear


def same_again(sound: Sound) -> Answer:
    """Tell whether the second melody is the first, or which of two after it is: "1" or "2"."""
    heard, rate = parts(sound), sound.rate
    if len(heard) not in (2, 3):
        return None, f"hear {len(heard)} melodies where there should be two or three"
    alike = [likeness(part, rate, heard[0]) for part in heard[1:]]
    likenesses = [value for value in alike if value is not None]
    if len(likenesses) < len(alike):
        return None, "cannot tell the notes"
    if len(likenesses) == 1:
        (only,) = likenesses
        return "yes" if only > -50 else "no", f"measured {-only:.0f} cents between notes"
    one, two = likenesses
    return "1" if one > two else "2", f"measured {-one:.0f} and {-two:.0f} cents"


# Hearing what differs in short recordings: which note is loud or late, which bar rises, how fast a
# second recording goes, and whether a trumpet or a clarinet plays.

NOTES, THIRD, SIXTH = 8, 2, 5
LOUDER_DB = 1.0
"""By how much the louder of two notes must be louder."""
LATE_S = 0.02
"""How late a note must come."""
ATTACK_S = 0.15
"""Of a note whose level is taken, from its onset."""
OTHER_PACE = 0.04
"""By how much, of the whole, the paces of two recordings must differ."""
EVEN = -4.0
"""Level of the second partial against the first, in dB, below which a tube is closed at one end,
as a clarinet's is: 2 or more of trumpets, -9 or less of clarinets, in both synthesisers."""


def loudest(sound: Sound) -> Answer:
    """Tell whether the third or the sixth of eight notes is the loudest."""
    samples, heard = prepared(sound), hear_melody(sound)
    if samples is None or len(heard.pitches) != NOTES:
        return None, f"heard {len(heard.pitches)} notes, not {NOTES}"
    levels = []
    for onset in heard.onsets:
        first = round(onset * RATE)
        part = samples[first : first + round(ATTACK_S * RATE)].astype(float)
        levels.append(10.0 * np.log10(np.mean(np.square(part)) + 1e-12))
    more = levels[THIRD] - levels[SIXTH]
    if abs(more) < LOUDER_DB:
        return None, f"heard notes whose levels differ by {abs(more):.1f} dB"
    return ("third" if more > 0 else "sixth"), f"heard a difference of {more:+.1f} dB"


def late(sound: Sound) -> Answer:
    """Tell whether the third or the sixth of eight notes comes late."""
    heard = hear_melody(sound)
    if len(heard.pitches) != NOTES:
        return None, f"heard {len(heard.pitches)} notes, not {NOTES}"
    on = heard.onsets
    delays = [on[n] - (on[n - 1] + on[n + 1]) / 2 for n in (THIRD, SIXTH)]
    if max(delays) < LATE_S or abs(delays[0] - delays[1]) < LATE_S:
        return None, "heard no note that comes late"
    word = "third" if delays[0] > delays[1] else "sixth"
    return word, f"heard a note {1000 * max(delays):.0f} ms late"


def first_bar(sound: Sound) -> Answer:
    """Tell whether a melody first rises and then falls, or the other way round."""
    pitches = hear_melody(sound).pitches
    if len(pitches) < 4 or len(pitches) % 2:
        return None, f"heard {len(pitches)} notes, which are no two equal bars"
    half = len(pitches) // 2
    ways = [float(np.sign(np.diff(part)).sum()) for part in (pitches[:half], pitches[half:])]
    if ways[0] * ways[1] >= 0:
        return None, "heard no two bars that go different ways"
    return ("rises" if ways[0] > 0 else "falls"), f"heard {' '.join(map(str, pitches))}"


def pace(*sounds: Sound) -> Answer:
    """Tell whether the second of two recordings of the same notes goes faster or slower."""
    heard = [hear_melody(sound) for sound in sounds]
    counts = [len(each.pitches) for each in heard]
    if min(counts) < 3 or counts[0] != counts[1]:
        return None, f"heard {counts[0]} and {counts[1]} notes"
    spans = [each.onsets[-1] - each.onsets[0] for each in heard]
    ratio = spans[0] / spans[1]
    if abs(ratio - 1) < OTHER_PACE:
        return None, "heard the same pace twice"
    return ("faster" if ratio > 1 else "slower"), f"heard a pace of {ratio:.2f} times the first"


def brass_or_reed(sound: Sound) -> Answer:
    """Tell a trumpet from a clarinet, whose tube has few even partials."""
    samples, heard = prepared(sound), hear_melody(sound)
    if samples is None or not heard.pitches:
        return None, "heard no clear note"
    levels = []
    for pitch, onset, length in zip(heard.pitches, heard.onsets, heard.durations, strict=True):
        first = round((onset + 0.08) * RATE)
        part = samples[first : first + round(min(0.3, length - 0.1) * RATE)]
        if len(part) < 1024:
            continue
        levels.append(_second_partial_db(part, 440.0 * 2 ** ((pitch - 69) / 12)))
    if not levels:
        return None, "heard no note long enough to tell its partials"
    middle = float(np.median(levels))
    why = f"heard a second partial of {middle:+.0f} dB against the first"
    return ("trumpet" if middle > EVEN else "clarinet"), why


def _second_partial_db(part: Array, hertz: float) -> float:
    size = 1 << 15
    magnitude = np.abs(np.fft.rfft(part * np.hanning(len(part)), size))

    def level(number: int) -> float:
        place = round(number * hertz * size / RATE)
        near = magnitude[round(place * 0.97) : round(place * 1.03) + 1]
        return float(near.max(initial=1e-9))

    return 20.0 * float(np.log10(level(2) / level(1)))
