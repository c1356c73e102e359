"""Hearing what differs in short recordings: which note is loud or late, which bar rises, how fast a
second recording goes, and whether a trumpet or a clarinet plays.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zhiyin.listener.comparing import Answer
from zhiyin.listener.melody import HeardMelody, hear_melody
from zhiyin.listener.spectrum import RATE, Array, prepared
from zhiyin.sound import Sound

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


def loudest(sounds: Sequence[Sound]) -> Answer:
    """Whether the third or the sixth of eight notes is the loudest."""
    samples, heard = prepared(sounds[0]), hear_melody(sounds[0])
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


def late(sounds: Sequence[Sound]) -> Answer:
    """Whether the third or the sixth of eight notes comes late."""
    heard = hear_melody(sounds[0])
    if len(heard.pitches) != NOTES:
        return None, f"heard {len(heard.pitches)} notes, not {NOTES}"
    on = heard.onsets
    delays = [on[n] - (on[n - 1] + on[n + 1]) / 2 for n in (THIRD, SIXTH)]
    if max(delays) < LATE_S or abs(delays[0] - delays[1]) < LATE_S:
        return None, "heard no note that comes late"
    word = "third" if delays[0] > delays[1] else "sixth"
    return word, f"heard a note {1000 * max(delays):.0f} ms late"


def first_bar(sounds: Sequence[Sound]) -> Answer:
    """Whether the first half of a melody rises and the second falls, or the other way round."""
    pitches = hear_melody(sounds[0]).pitches
    if len(pitches) < 4 or len(pitches) % 2:
        return None, f"heard {len(pitches)} notes, which are no two equal bars"
    half = len(pitches) // 2
    ways = [float(np.sign(np.diff(part)).sum()) for part in (pitches[:half], pitches[half:])]
    if ways[0] * ways[1] >= 0:
        return None, "heard no two bars that go different ways"
    return ("rises" if ways[0] > 0 else "falls"), f"heard {' '.join(map(str, pitches))}"


def pace(sounds: Sequence[Sound]) -> Answer:
    """Whether the second of two recordings of the same notes goes faster or slower."""
    heard = [hear_melody(sound) for sound in sounds]
    counts = [len(each.pitches) for each in heard]
    if min(counts) < 3 or counts[0] != counts[1]:
        return None, f"heard {counts[0]} and {counts[1]} notes"
    spans = [_span(each) for each in heard]
    ratio = spans[0] / spans[1]
    if abs(ratio - 1) < OTHER_PACE:
        return None, "heard the same pace twice"
    return ("faster" if ratio > 1 else "slower"), f"heard a pace of {ratio:.2f} times the first"


def _span(heard: HeardMelody) -> float:
    return heard.onsets[-1] - heard.onsets[0]


def brass_or_reed(sounds: Sequence[Sound]) -> Answer:
    """Whether a trumpet plays or a clarinet, whose tube has few even partials."""
    samples, heard = prepared(sounds[0]), hear_melody(sounds[0])
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
