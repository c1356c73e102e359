"""How fast stimuli are made: items a second and times real time, for every renderer there is.

Run ``python bench/synthesis.py [--items N]``; one process, one thread (set OMP_NUM_THREADS=1).
Counts everything that `make` does: planning, rendering, hashing and writing WAV, MIDI and truth.
"""

import argparse
import tempfile
import time
from pathlib import Path

from zhiyin.errors import InputError
from zhiyin.plugins.music.render import NAMES, open_renderer
from zhiyin.plugins.music.stimuli import TASKS
from zhiyin.plugins.music.stimuli.folder import make

GOAL = 500


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=48)
    items_wanted = parser.parse_args().items
    for name in NAMES:
        try:
            renderer = open_renderer(name)
        except InputError as error:
            print(f"{name}: {error}")
            continue
        print(renderer.label)
        for task in TASKS:
            with tempfile.TemporaryDirectory() as folder:
                make(task, 1, 1, Path(folder) / "warm", renderer=renderer)
                began, burned = time.perf_counter(), time.process_time()
                items = make(task, items_wanted, 1, Path(folder) / "timed", renderer=renderer)
                took, cpu = time.perf_counter() - began, time.process_time() - burned
            audio = sum(item.truth["seconds"] * len(item.sounds) for item in items)
            print(
                f"  {task:<14}{len(items) / took:7.1f} items/s"
                f"{audio / took:8.0f} x real time (wall){audio / cpu:8.0f} x (CPU)"
                f"{audio / cpu / GOAL:7.2f} of the goal"
            )


if __name__ == "__main__":
    main()
