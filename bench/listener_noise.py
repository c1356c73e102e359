"""How the listener fares as white noise rises: a table, and the figure in docs/listener.md.

    python bench/listener_noise.py [--n 40] [--seed 7] [-o docs/images]

Fresh stimuli of each task are made at each signal-to-noise ratio and answered by the listener
through its own functions. Chance is 25, 20 and 50 %.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from zhiyin.plugins.music.listener.chords import hear_chord
from zhiyin.plugins.music.listener.melody import hear_melody, same_melody
from zhiyin.plugins.music.listener.rhythm import hear_rhythm
from zhiyin.plugins.music.solvers import CHORD_LETTERS, syncopation_letter
from zhiyin.plugins.music.stimuli import Difficulty, Item
from zhiyin.plugins.music.stimuli.folder import make
from zhiyin.plugins.paper.figures.style import MARKERS, PALETTE, canvas, style
from zhiyin.sound import read_sound
from zhiyin.statistics.intervals import wilson

LEVELS = (30.0, 20.0, 15.0, 10.0, 5.0, 0.0, -5.0, -10.0, -15.0)
TASKS = {"chords": "chord quality", "syncopation": "syncopation", "transposition": "transposition"}
CHANCE = {"chords": 0.25, "syncopation": 0.2, "transposition": 0.5}


def answer(item: Item, folder: Path) -> str | None:
    """What the listener answers, None where it heard nothing to answer from."""
    sounds = [read_sound(folder / name) for name in item.sounds]
    if item.task == "chords":
        quality = hear_chord(sounds[0]).quality
        return CHORD_LETTERS[quality] if quality else None
    if item.task == "syncopation":
        heard = hear_rhythm(sounds[0])
        return syncopation_letter(heard.offbeats) if heard.slots else None
    match = same_melody(*(hear_melody(sound) for sound in sounds))
    return None if match.same is None else ("Yes" if match.same else "No")


def measure(task: str, level: float | None, n: int, seed: int) -> float:
    """Share of `n` items that are answered rightly."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        items = make(task, n, seed, folder, Difficulty(noise_db=level))
        return sum(answer(item, folder) == item.answer for item in items) / n


def draw(found: dict[str, list[float]], n: int, out: Path) -> None:
    """Accuracy against noise, with 95 % intervals."""
    places = [35.0, *LEVELS]
    with style():
        made, (ax,) = canvas(5.0, 3.0)
        for place, (task, shares) in enumerate(found.items()):
            ends = [wilson(round(share * n), n) for share in shares]
            ax.fill_between(
                places,
                [100 * e.low for e in ends],
                [100 * e.high for e in ends],
                color=PALETTE[place],
                alpha=0.12,
                linewidth=0,
            )
            ax.plot(
                places,
                [100 * share for share in shares],
                color=PALETTE[place],
                marker=MARKERS[place],
                markersize=9 - 2 * place,  # where all are right, each is still seen
                label=TASKS[task],
            )
            chance = 100 * CHANCE[task]
            ax.axhline(chance, color=PALETTE[place], linewidth=0.6, linestyle=":")
            ax.annotate(
                "chance", (36.5, chance), (0, 2), textcoords="offset points", fontsize=6,
                color=PALETTE[place],
            )  # fmt: skip
        ax.set_xlim(37, -17)
        ax.set_ylim(0, 103)
        ax.set_xticks(places, ["clean", *(f"{level:g}" for level in LEVELS)])
        ax.set_xlabel("signal-to-noise ratio, dB")
        ax.set_ylabel("right, %")
        ax.legend(loc="center left", bbox_to_anchor=(0, 0.68), frameon=False)
        made.savefig(out / "listener-noise.png", dpi=160)


def main() -> None:
    """Measure, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=40)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("-o", "--out", type=Path, help="draw the figure in this folder")
    args = parser.parse_args()
    print("task           clean" + "".join(f"{level:6g}" for level in LEVELS) + "  dB")
    found = {}
    for task in TASKS:
        shares = [measure(task, level, args.n, args.seed) for level in (None, *LEVELS)]
        found[task] = shares
        print(f"{task:<14}" + "".join(f"{100 * share:6.0f}" for share in shares), flush=True)
    if args.out:
        draw(found, args.n, args.out)


if __name__ == "__main__":
    main()
