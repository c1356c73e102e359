"""Throughput on a Ray of this machine, from 1 to 16 workers: ``python bench/ray_workers.py``.

Each worker takes one trial at a time, and a trial takes 50 ms of waiting. The baseline is
arithmetic: workers / 50 ms. Timed from the first reply to the last, as the log has them.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from pathlib import Path

from zhiyin.models import Setting
from zhiyin.plugins.local.on_ray import Cluster
from zhiyin.plugins.local.on_ray.model import RayModel
from zhiyin.record import Sampling
from zhiyin.trial import Trial, say

MODEL = "import time\ndef answer(prompt):\n    time.sleep(0.05)\n    return 'A'\n"
PAUSE_S = 0.05


async def measure(spec: str, workers: int, each: int) -> float:
    """Trials a second."""
    cluster = Cluster("auto", workers=workers, cpus=0.01, each=1)
    model = RayModel(spec, cluster, Setting(60.0), None)
    await model.check()
    while sum(hand.ready for hand in model._crew.handles) < workers:  # type: ignore[union-attr]
        await asyncio.sleep(0.1)
    gate = asyncio.Semaphore(model.concurrency)
    trial = Trial("t", (say("user", "?"),))

    async def one() -> None:
        async with gate:
            await model.generate(trial.messages, Sampling(), trial)

    await asyncio.gather(*(one() for _ in range(workers * 4)))  # all are warm
    begun = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(workers * each)))
    took = time.perf_counter() - begun
    await model.close()
    return workers * each / took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=400, help="trials for each worker")
    chosen = parser.parse_args()
    os.environ.setdefault("RAY_AUTH_MODE", "disabled")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray

    ray.init(include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.py"
        file.write_text(MODEL)
        for workers in (1, 2, 4, 8, 16):
            rate = asyncio.run(measure(f"python:{file}:answer", workers, chosen.each))
            linear = workers / PAUSE_S
            print(f"{workers:2} workers: {rate:6.1f} trials/s, {rate / linear:.3f} of linear")
    ray.shutdown()


if __name__ == "__main__":
    main()
