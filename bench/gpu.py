"""`hf:` with models of a real size, on a GPU: prompts a second, memory, and what the GPU waits for.

Qwen2-Audio-7B and Qwen3-8B in their published shape, with random weights in bfloat16 and a
tokenizer of bytes: nothing is fetched, and the work is that of the real ones (prompts of so many
tokens, features of 30 s, replies of a fixed length). Each batch size is asked 6 batches (64: 4);
"waits" is the share of time in which the model has nothing to do because its next batch is not
prepared. Beside it, what one would write without Zhiyin: prompts one after another, and batches of
prompts sorted by length, each decoded, prepared and generated in turn. `--layers` and `--width`
make the models tiny.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

LETTERS = ("A", "B", "C", "D")
BATCHES, ALONE, MOST, GB = 6, 12, 256, 1e9


class Timed(NamedTuple):
    """What one batch size did."""

    rate: float
    waits: float
    runs_s: float
    prepares_s: float
    copies_s: float
    memory: int
    replies: list[Any]


def config_of(kind: str, words: Any, layers: int | None, width: int | None) -> Any:
    """The published shape, or that of a tiny one.

    Sources: config.json of Qwen/Qwen2-Audio-7B-Instruct and of Qwen/Qwen3-8B on the hub.
    """
    from transformers import Qwen2AudioConfig, Qwen3Config

    number = words.convert_tokens_to_ids
    own = {"eos_token_id": words.eos_token_id, "pad_token_id": words.pad_token_id}
    text = {
        "hidden_size": width or 4096, "num_attention_heads": 2 if width else 32,
        "initializer_range": 0.3 if width else 0.02,  # the tiny one would hardly see its prompt
        "vocab_size": len(words) if width else 156_032 if kind == "audio" else 151_936, **own,
    }  # fmt: skip
    if kind == "audio":
        text |= {
            "model_type": "qwen2", "num_hidden_layers": layers or 32, "rms_norm_eps": 1e-5,
            "num_key_value_heads": 2 if width else 32, "max_position_embeddings": 8192,
            "intermediate_size": 2 * width if width else 11_008,
        }  # fmt: skip
        hearing = {
            "num_mel_bins": 128, "encoder_layers": layers or 32, "d_model": width or 1280,
            "encoder_attention_heads": 2 if width else 20,
            "encoder_ffn_dim": 2 * width if width else 5120, "dropout": 0.0,
        }  # fmt: skip
        return Qwen2AudioConfig(
            audio_config=hearing, text_config=text, audio_token_index=number("<|AUDIO|>"), **own
        )
    return Qwen3Config(
        **text, num_hidden_layers=layers or 36, num_key_value_heads=2 if width else 8,
        head_dim=width // 2 if width else 128, max_position_embeddings=40_960,
        intermediate_size=2 * width if width else 12_288, rope_theta=1e6,
        tie_word_embeddings=False, bos_token_id=None,
    )  # fmt: skip


def build(kind: str, folder: Path, args: argparse.Namespace) -> Any:
    """A model with random weights where it is to run; its folder has all but the weights."""
    import torch
    import transformers

    import tiny_checkpoints as tiny

    if kind == "audio":
        words = tiny.tokenizer("<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>")
        hearing = transformers.WhisperFeatureExtractor(feature_size=128)
        processor = transformers.Qwen2AudioProcessor(hearing, words)
        named = transformers.Qwen2AudioForConditionalGeneration
    else:
        words = processor = tiny.tokenizer()
        words.chat_template = tiny.chatml()
        named = transformers.Qwen3ForCausalLM
    config = config_of(kind, words, args.layers, args.width)
    config.architectures = [named.__name__]
    torch.manual_seed(7)
    with torch.device(args.device):
        model = named._from_config(config, dtype=getattr(torch, args.dtype)).eval()
    settings = model.generation_config
    settings.eos_token_id, settings.pad_token_id = words.eos_token_id, words.pad_token_id
    processor.save_pretrained(folder)
    model.config.save_pretrained(folder)
    settings.save_pretrained(folder)
    return model


def clip(folder: Path, number: int, seconds: float) -> Any:
    """A recording in stereo at 44,100 Hz, as FLAC."""
    import numpy as np
    import soundfile

    from zhiyin.sound import audio_part

    path = folder / f"{number}-{seconds}.flac"
    if not path.exists():
        count = int(seconds * 44_100)
        noise = np.random.default_rng(number).normal(0, 0.02, (count, 2)).astype(np.float32)
        tone = 0.3 * np.sin(np.arange(count) * (2 * np.pi * (110 + number) / 44_100))
        soundfile.write(path, noise + tone[:, None].astype(np.float32), 44_100)
    return audio_part(path)


def trials(kind: str, count: int, folder: Path, seconds: float) -> list[Any]:
    """Prompts of about 200 tokens beside their clip, or without one."""
    from local import WORDS
    from zhiyin.trial import Message, Text, Trial

    draw, found, clips = random.Random(1), [], []
    if kind == "audio":
        with ThreadPoolExecutor() as pool:
            clips = list(pool.map(lambda n: clip(folder, n, seconds), range(count)))
    for n in range(count):
        words = Text(" ".join(draw.choices(WORDS, k=draw.randint(25, 60))))
        parts = (clips[n], words) if clips else (words,)
        found.append(Trial(f"t{n}", (Message("user", parts),)))
    return found


def opened(folder: Path, model: Any, rows: int, device: str) -> Any:
    """`hf:` over a model that is there already."""
    from zhiyin.models import open_model

    asked: Any = open_model(f"hf:{folder},batch={rows},device={device}")
    if model is not None:
        asked.checkpoint.model = lambda *_: model
    return asked


def clocked(work: Any, name: str, spans: list[tuple[float, float]], device: str) -> None:
    """Note when a method of `work` begins and ends, the GPU's own work included."""
    import torch

    own = getattr(work, name)

    def call(*given: Any) -> Any:
        begun = time.perf_counter()
        found = own(*given)
        if device.startswith("cuda") and name != "prepare":
            torch.cuda.synchronize()
        spans.append((begun, time.perf_counter()))
        return found

    setattr(work, name, call)


async def ask(model: Any, asked: list[Any], sampling: Any, device: str) -> Timed:
    """Ask everything, after one batch to warm up."""
    import torch

    from local import ours
    from zhiyin.plugins.local.inputs import ClipDecoder

    on_gpu = device.startswith("cuda")
    await model.check()
    await ours(model, asked[: model.rows], sampling)
    work = model.work
    work.ears = ClipDecoder(work.inputs.rate, model.sound)  # which has kept no clip
    runs, prepares, copies = [], [], []
    for name, spans in (("run", runs), ("prepare", prepares), ("_on_device", copies)):
        clocked(work, name, spans, device)
    if on_gpu:
        torch.cuda.reset_peak_memory_stats()
    seconds, replies = await ours(model, asked, sampling)
    busy, whole = sum(b - a for a, b in runs), runs[-1][1] - runs[0][0]
    return Timed(
        len(asked) / seconds, 1 - busy / whole, busy / len(runs),
        sum(b - a for a, b in prepares) / len(prepares),
        sum(b - a for a, b in copies) / len(copies),
        torch.cuda.max_memory_allocated() if on_gpu else 0, replies,
    )  # fmt: skip


def bare(model: Any, inputs: Any, asked: list[Any], rows: int, tokens: int) -> list[Any]:
    """Prompts a second and texts of a plain loop over batches of so many, sorted by length."""
    import soundfile
    import torch
    from scipy.signal import resample_poly

    texts = [inputs.prompt(trial.messages).text for trial in asked]
    order = sorted(range(len(asked)), key=lambda n: len(texts[n]))
    found = [""] * len(asked)
    begun = time.perf_counter()
    for at in range(0, len(order), rows):
        chosen = order[at : at + rows]
        sounds = []
        for n in chosen:
            for part in asked[n].messages[0].parts[:-1]:
                samples, _ = soundfile.read(part.path, dtype="float32")
                sounds.append(resample_poly(samples.mean(axis=1), 160, 441).astype("float32"))
        more: dict[str, Any] = {"audio": sounds, "sampling_rate": 16_000} if sounds else {}
        made = inputs.processor(
            text=[texts[n] for n in chosen], padding=True, return_tensors="pt", **more
        ).to(model.device)
        if sounds:
            made["input_features"] = made["input_features"].to(model.dtype)
        with torch.inference_mode():
            written = model.generate(**made, do_sample=False, max_new_tokens=tokens)
        new = inputs.words.batch_decode(
            written[:, made["input_ids"].shape[1] :], skip_special_tokens=True
        )
        for n, text in zip(chosen, new, strict=True):
            found[n] = text.strip()
    return [len(asked) / (time.perf_counter() - begun), found]


def line(name: str, timed: Timed, weights: int, others: list[Any]) -> None:
    """One row of the table; `others` are the replies of prompts asked alone."""
    pairs = list(zip(timed.replies, others, strict=False))
    same = sum(a.text == b.text for a, b in pairs)
    beside = (timed.memory - weights) / GB
    print(
        f"  {name:24} {timed.rate:8.2f} prompts/s, model waits {100 * timed.waits:5.1f} %, "
        f"runs {1000 * timed.runs_s:6.0f} ms a batch (copies {1000 * timed.copies_s:4.1f}), "
        f"prepares {1000 * timed.prepares_s:5.0f}, peak {timed.memory / GB:5.1f} GB "
        f"(+{beside:5.1f})" + (f", as alone {same}/{len(pairs)}" if pairs else ""),
        flush=True,
    )


def apart(replies: list[Any], others: list[Any]) -> float:
    """The largest difference between log-probabilities."""
    return max(
        abs(a.logprobs[name] - b.logprobs[name])
        for a, b in zip(replies, others, strict=False)
        for name in LETTERS
    )


async def measure(kind: str, folder: Path, args: argparse.Namespace) -> None:
    import torch

    from zhiyin.record import Likelihood, Sampling

    begun = time.perf_counter()
    place = folder / kind
    model = build(kind, place, args)
    on_gpu = args.device.startswith("cuda")
    count = sum(p.numel() for p in model.parameters())
    weights = torch.cuda.memory_allocated() if on_gpu else 0
    print(f"{kind}: {count / 1e9:.2f} thousand million weights, {weights / GB:.1f} GB, built in "
          f"{time.perf_counter() - begun:.0f} s", flush=True)  # fmt: skip
    if args.save:
        settings = write(model, place)
        del model
        model = await loaded(place, settings, args)
    rows, sampling = max(args.batches), Sampling(max_tokens=args.tokens)
    first, alone = args.seconds[0], []
    asked = trials(kind, min(BATCHES * rows, MOST), folder, first)

    async def one(
        batch: int, prompts: list[Any], sampling: Any = sampling, name: str = "", lost: bool = False
    ) -> Timed:
        hf = opened(place, model, batch, args.device)
        timed = await ask(hf, prompts, sampling, args.device)
        if name:
            line(name, timed, weights, [] if prompts[0] is not asked[0] else alone)
        for told in hf.report() if lost else ():
            print(f"    {told}")
        await hf.close()
        return timed

    rates = {}
    for batch in args.batches:
        timed = await one(batch, asked[: max(ALONE, BATCHES * batch)], name=f"hf: batch {batch}")
        alone = alone or timed.replies
        rates[batch] = timed.rate
    for seconds in args.seconds[1:] if kind == "audio" else ():
        longer = trials(kind, 2 * rows, folder, seconds)
        await one(rows, longer, name=f"hf: batch {rows}, {seconds:g} s")
    hf = opened(place, model, rows, args.device)
    await hf.check()
    inputs = hf.work.inputs
    own, texts = bare(model, inputs, asked[:ALONE], 1, args.tokens)
    differing = sum(a != b.text for a, b in zip(texts, alone, strict=False))
    print(f"  bare loop, one by one    {own:8.2f} prompts/s, {differing} texts differ from hf:'s")
    for batch in args.batches[-2:]:
        bare(model, inputs, asked[:batch], batch, 2)  # warm
        rate, _ = bare(model, inputs, asked[: 3 * batch], batch, args.tokens)
        print(f"  bare loop, batches of {batch:<3}{rate:7.2f} prompts/s: hf: does "
              f"{rates[batch] / rate:.2f} of it, and {rates[batch] / own:.1f} of the bare loop "
              "one by one", flush=True)  # fmt: skip
    await hf.close()
    likely = Likelihood(continuations=LETTERS)
    many = await one(rows, asked[: 2 * rows], likely)
    few = await one(1, asked[: 2 * ALONE], likely)
    print(f"  options: {many.rate:.2f} prompts/s in batches of {rows}, {few.rate:.2f} alone; "
          f"log-probabilities at most {apart(few.replies, many.replies):.2g} apart; peak "
          f"+{(many.memory - weights) / GB:.1f} GB", flush=True)  # fmt: skip
    if on_gpu and args.limit:
        torch.cuda.empty_cache()
        free = torch.cuda.get_device_properties(0).total_memory
        torch.cuda.set_per_process_memory_fraction((weights + args.limit * GB) / free)
        await one(rows, asked[: 3 * rows], name=f"hf: {args.limit:g} GB of room", lost=True)
        torch.cuda.set_per_process_memory_fraction(1.0)
    model = hf = inputs = None
    gc.collect()
    if on_gpu:
        torch.cuda.empty_cache()
        print(f"  left when all is closed: {torch.cuda.memory_reserved() / GB:.2f} GB")


def write(model: Any, place: Path) -> Any:
    """Write a checkpoint; its generation config."""
    begun = time.perf_counter()
    model.save_pretrained(place)
    print(f"  written in {time.perf_counter() - begun:.0f} s", flush=True)
    return model.generation_config


async def loaded(place: Path, settings: Any, args: argparse.Namespace) -> Any:
    """The model of a checkpoint, loaded as a user's is."""
    import torch

    gc.collect()
    on_gpu = args.device.startswith("cuda")
    if on_gpu:
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
    hf, clock = opened(place, None, 1, args.device), [time.perf_counter()]
    hf.fingerprint()
    clock.append(time.perf_counter())
    await hf.check()
    clock.append(time.perf_counter())
    peak = torch.cuda.max_memory_allocated() if on_gpu else 0
    known, took = clock[1] - clock[0], clock[2] - clock[1]
    print(
        f"  fingerprint {known:.1f} s, loaded in {took:.0f} s, peak {peak / GB:.1f} GB", flush=True
    )
    found = hf.work.model
    found.generation_config = settings
    await hf.close()
    for path in place.glob("*.safetensors"):
        path.unlink()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=["audio", "text"])
    parser.add_argument("--batches", type=int, nargs="+", default=[1, 8, 32, 64])
    parser.add_argument("--tokens", type=int, default=32, help="of each reply")
    parser.add_argument("--seconds", type=float, nargs="+", default=[10.0, 30.0], help="of clips")
    parser.add_argument("--layers", type=int)
    parser.add_argument("--width", type=int)
    parser.add_argument("--device", help="default: the first GPU, else the CPU")
    parser.add_argument("--dtype", default="bfloat16")
    parser.add_argument("--save", action="store_true", help="and load, as a checkpoint of a user's")
    parser.add_argument("--limit", type=float, help="GB beside the weights, in a last table row")
    args = parser.parse_args()
    try:
        import torch
        import transformers
    except ImportError:
        print("skipped: torch and transformers are not installed (pip install '.[hf]')")
        return
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    there = torch.cuda.is_available()
    args.device = args.device or ("cuda:0" if there else "cpu")
    named = torch.cuda.get_device_name(0) if args.device.startswith("cuda") else "the CPU"
    print(f"{named}, torch {torch.__version__}, transformers {transformers.__version__}, "
          f"{torch.get_num_threads()} threads, {args.dtype}, replies of {args.tokens}")  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        for kind in args.kinds:
            asyncio.run(measure(kind, Path(folder), args))


if __name__ == "__main__":
    main()
