"""`hf:` against a bare loop over the same trials sorted by length: same model, same process.

The bare loop tokenizes all prompts, sorts them by their tokens, and calls `generate` for 32 at a
time, padded on the left: what one would write who needs neither a log nor to go on after a break.
`hf:` gets the trials in their own order, as many at once as it asks for. Both must give the same
texts. A random tiny Llama on the CPU: what is measured is what we add to the model's own work, and
with a model of a real size that is less. Rounds alternate; the ratio is the median of the rounds'.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

WORDS = [
    "which",
    "of",
    "these",
    "chords",
    "has",
    "a",
    "minor",
    "third",
    "above",
    "its",
    "root",
    "and",
    "was",
    "written",
    "by",
    "Bach",
]
ROWS, TOKENS, LEAST = 32, 16, 0.9


def trials(count: int) -> list[Any]:
    from zhiyin.trial import Trial, say

    draw = random.Random(1)
    return [
        Trial(f"t{n}", (say("user", " ".join(draw.choices(WORDS, k=draw.randint(5, 60)))),))
        for n in range(count)
    ]


def bare(model: Any, words: Any, asked: list[Any]) -> tuple[float, list[str]]:
    """Seconds and texts of a plain loop."""
    import torch

    begun = time.perf_counter()
    prompts = [
        words.apply_chat_template(
            [{"role": "user", "content": t.messages[0].text}],
            tokenize=False,
            add_generation_prompt=True,
        )
        for t in asked
    ]
    ids = [words(prompt, add_special_tokens=False)["input_ids"] for prompt in prompts]
    order = sorted(range(len(ids)), key=lambda n: len(ids[n]))
    texts = [""] * len(ids)
    for at in range(0, len(order), ROWS):
        chosen = order[at : at + ROWS]
        batch = words.pad(
            {"input_ids": [ids[n] for n in chosen]}, padding_side="left", return_tensors="pt"
        )
        with torch.inference_mode():
            written = model.generate(**batch, do_sample=False, max_new_tokens=TOKENS)
        new = written[:, batch["input_ids"].shape[1] :]
        for n, text in zip(chosen, words.batch_decode(new, skip_special_tokens=True), strict=True):
            texts[n] = text.strip()
    return time.perf_counter() - begun, texts


async def ours(model: Any, asked: list[Any], sampling: Any = None) -> tuple[float, list[Any]]:
    """Seconds and replies of `hf:`, with as many trials waiting as it wants."""
    from zhiyin.record import Sampling

    sampling, source = sampling or Sampling(max_tokens=TOKENS), iter(enumerate(asked))
    replies: list[Any] = [None] * len(asked)

    async def work() -> None:
        for n, trial in source:
            replies[n] = await model.generate(trial.messages, sampling, trial)

    begun = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(model.concurrency):
            group.create_task(work())
    return time.perf_counter() - begun, replies


async def measure(folder: Path, count: int, rounds: int) -> float:
    import tiny_checkpoints
    from zhiyin.models import open_model

    place = tiny_checkpoints.text(folder / "text", hidden_size=64, intermediate_size=128)
    model: Any = open_model(f"hf:{place},batch={ROWS}")
    await model.check()
    loaded, words = model.work.model, model.work.inputs.words
    asked, ratios, costs = trials(count), [], []
    bare(loaded, words, asked[: 2 * ROWS])  # warm both up
    await ours(model, asked[: 2 * ROWS])
    for number in range(rounds):
        clock = time.process_time()
        theirs, texts = bare(loaded, words, asked)
        between = time.process_time()
        mine, same = await ours(model, asked)
        costs.append((time.process_time() - between) / (between - clock))
        differing = sum(a != b.text for a, b in zip(texts, same, strict=True))
        ratios.append(theirs / mine)
        print(
            f"  round {number + 1}: bare {count / theirs:7.1f} trials/s, hf: {count / mine:7.1f}, "
            f"ratio {theirs / mine:.2f}, processor {costs[-1]:.2f}, {differing} texts differ"
        )
        assert not differing
    await model.close()
    print(f"  hf: takes {statistics.median(costs):.2f} of the bare loop's processor time")
    return statistics.median(ratios)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1536)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, help="of torch; default: its own choice")
    args = parser.parse_args()
    try:
        import torch
        import transformers  # noqa: F401
    except ImportError:
        print("skipped: torch and transformers are not installed (pip install '.[hf]')")
        return
    torch.set_num_threads(args.threads or torch.get_num_threads())
    print(f"{args.trials} trials, {torch.get_num_threads()} threads of torch")
    with tempfile.TemporaryDirectory() as folder:
        ratio = asyncio.run(measure(Path(folder), args.trials, args.rounds))
    print(f"hf: does {ratio:.2f} of what a bare sorted loop does (wanted: at least {LEAST})")


if __name__ == "__main__":
    main()
