"""The same questions through Zhiyin, the LM Evaluation Harness and Inspect AI: ``bench/peers.py``.

One local server, in a process of its own, answers every chat completion at once. Each program
runs as its users run it, as a whole process with its start and its own log, with the same
messages, the same answer wanted and as many connections. They take turns, and the median of the
rounds counts. A bare aiohttp loop that only asks is beside them as the ceiling.

The other two are installed once into environments of their own (``--environments``), since their
requirements clash.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import aiohttp

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from published_data import published_data
from zhiyin.contract.registry import find

ROOT = Path(__file__).resolve().parent.parent
HARNESS_NEEDS = ["lm-eval[api]==0.4.13"]
INSPECT_NEEDS = ["inspect-ai==0.3.285", "openai"]
INSPECT_NAME = "Inspect AI"
OURS = "Zhiyin"
MODEL = "scripted"
HARNESS = """\
task: same
dataset_path: json
dataset_kwargs: {data_files: {test: %(questions)s}}
test_split: test
output_type: generate_until
doc_to_text: "{{input}}"
doc_to_target: "{{target}}"
generation_kwargs: {until: [], max_gen_toks: 16, do_sample: false, temperature: 0.0}
metric_list: [{metric: exact_match, aggregation: mean, higher_is_better: true}]
"""
INSPECT = """\
from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import match
from inspect_ai.solver import generate, system_message


@task
def same():
    return Task(
        dataset=json_dataset(%(questions)r),
        solver=[%(solvers)s],
        scorer=match(location="exact"),  # `exact` takes "A" for an article, and leaves it out
        config=GenerateConfig(temperature=0.0, max_tokens=16),
    )
"""


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """The address of a server that answers "A" at once."""
    command = [sys.executable, str(ROOT / "bench" / "instant.py"), "--port", "0"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.stdin.close()


def questions(data: Path, limit: int | None) -> list[dict[str, str]]:
    """What Zhiyin asks, with the answer wanted, as the other two read it."""
    benchmark = find("ziqi").from_options({"data": data})
    rows = []
    for trial in itertools.islice(benchmark.trials(), limit):
        said = {message.role: message.text for message in trial.messages}
        rows.append(
            {"system": said.get("system", ""), "input": said["user"], "target": str(trial.target)}
        )
    return rows


def environment(folder: Path, packages: list[str]) -> Path:
    """The programs' folder of an environment with `packages`; made where it is not there."""
    if not (folder / "ready").exists():
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", *packages]
        subprocess.run(pip, check=True)
        (folder / "ready").touch()
    return folder / "bin"


def bare(url: str, rows: list[dict[str, str]], connections: int) -> float:
    """Seconds that a loop needs that only asks and reads."""

    async def ask_all() -> None:
        left = iter(rows)
        connector = aiohttp.TCPConnector(limit=connections)
        async with aiohttp.ClientSession(connector=connector) as session:

            async def work() -> None:
                for row in left:
                    body = {"model": MODEL, "messages": _messages(row), "max_tokens": 16}
                    async with session.post(f"{url}/chat/completions", json=body) as reply:
                        assert (await reply.json())["choices"][0]["message"]["content"] == "A"

            await asyncio.gather(*(work() for _ in range(connections)))

    begun = time.perf_counter()
    asyncio.run(ask_all())
    return time.perf_counter() - begun


def _messages(row: dict[str, str]) -> list[dict[str, str]]:
    system = [{"role": "system", "content": row["system"]}] if row["system"] else []
    return [*system, {"role": "user", "content": row["input"]}]


def timed(command: list[str | Path], within: Path, **more: str) -> tuple[float, str]:
    """Seconds that a whole process takes, and what it printed."""
    environ = {**os.environ, **more}
    begun = time.perf_counter()
    done = subprocess.run(
        command, cwd=within, env=environ, capture_output=True, text=True, check=False
    )
    elapsed = time.perf_counter() - begun
    if done.returncode:
        raise SystemExit(f"{command[0]} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return elapsed, done.stdout


class Peers:
    """The programs, each asking one server the same questions.

    Parameters
    ----------
    url : str
        The server.
    rows : list of dict
        The questions.
    folder : Path
        For whatever the programs write.
    chosen : argparse.Namespace
        What the command line says.
    """

    def __init__(
        self, url: str, rows: list[dict[str, str]], folder: Path, chosen: argparse.Namespace
    ) -> None:
        self.url, self.rows, self.folder, self.chosen = url, rows, folder, chosen
        self.questions = folder / "questions.jsonl"
        self.questions.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        (self.system,) = {row["system"] for row in rows}
        self.wanted = statistics.mean(row["target"] == "A" for row in rows)
        self.round = 0

    def zhiyin(self) -> float:
        """Seconds of ``zhiyin run``."""
        out = self.folder / f"zhiyin-{self.round}"
        command = [sys.executable, "-m", "zhiyin", "run", "ziqi", "--data", self.chosen.data]
        command += ["-m", f"{self.url}#{MODEL}", "--no-canary", "--cache", "off", "--json"]
        command += ["--concurrency", str(self.chosen.connections), "--out", out]
        command += ["--limit", str(self.chosen.limit)] if self.chosen.limit else []
        seconds, printed = timed(command, self.folder)
        self._check(OURS, json.loads(printed)["groups"]["all"]["accuracy"])
        return seconds

    def harness(self) -> float:
        """Seconds of ``lm_eval``."""
        programs = environment(self.chosen.environments / "lm", HARNESS_NEEDS)
        tasks = self.folder / "tasks"
        tasks.mkdir(exist_ok=True)
        (tasks / "same.yaml").write_text(HARNESS % {"questions": self.questions}, "utf-8")
        out = self.folder / f"lm-{self.round}"
        about = f"model={MODEL},base_url={self.url}/chat/completions,tokenized_requests=False"
        about += f",num_concurrent={self.chosen.connections},max_retries=3"
        command = [programs / "lm_eval", "--model", "local-chat-completions"]
        command += ["--model_args", about, "--tasks", "same", "--include_path", tasks]
        command += ["--apply_chat_template", "--output_path", out, "--log_samples"]
        command += ["--system_instruction", self.system] if self.system else []
        home = str(self.folder / "hub")
        seconds, _ = timed(
            command, self.folder, OPENAI_API_KEY="none", HF_HOME=home, HF_HUB_OFFLINE="1"
        )
        (results,) = out.rglob("results_*.json")
        figures = json.loads(results.read_text("utf-8"))["results"]["same"]
        self._check("lm-evaluation-harness", figures["exact_match,none"])
        return seconds

    def inspect(self) -> float:
        """Seconds of ``inspect eval``."""
        programs = environment(self.chosen.environments / "inspect", INSPECT_NEEDS)
        system = f"system_message({self.system!r}), " if self.system else ""
        task = self.folder / "same.py"
        words = {"questions": str(self.questions), "solvers": f"{system}generate()"}
        task.write_text(INSPECT % words, "utf-8")
        logs, most = self.folder / f"inspect-{self.round}", str(self.chosen.connections)
        command = [programs / "inspect", "eval", task.name, "--model", f"openai-api/local/{MODEL}"]
        command += ["--max-connections", most, "--max-samples", most]
        command += ["--display", "none", "--log-dir", logs]
        seconds, _ = timed(command, self.folder, LOCAL_API_KEY="none", LOCAL_BASE_URL=self.url)
        told = subprocess.run(
            [programs / "inspect", "log", "dump", "--header-only", next(logs.glob("*.eval"))],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        metrics = json.loads(told.stdout)["results"]["scores"][0]["metrics"]
        self._check("Inspect AI", metrics["accuracy"]["value"])
        return seconds

    def _check(self, name: str, accuracy: float) -> None:
        """All must have asked and scored the same."""
        if abs(accuracy - self.wanted) > 5e-4:
            raise SystemExit(f"{name} found {accuracy:.4f} right where {self.wanted:.4f} are")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=published_data("ziqi"))
    parser.add_argument("--environments", type=Path, default=ROOT / "build" / "peers")
    parser.add_argument("--limit", type=int, help="only the first questions")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--inspect-rounds", type=int, help="fewer of Inspect AI, which takes longest"
    )
    parser.add_argument("--only", action="append", help="one of the programs; again for more")
    chosen = parser.parse_args()
    if chosen.data is None:
        print("no ZIQI-Eval: give --data, or set ZHIYIN_SHARED")
        return
    chosen.data, chosen.environments = chosen.data.resolve(), chosen.environments.resolve()
    rows = questions(chosen.data, chosen.limit)
    with serving() as url, tempfile.TemporaryDirectory() as folder:
        peers = Peers(url, rows, Path(folder), chosen)
        programs: dict[str, Callable[[], float]] = {
            "bare aiohttp loop": lambda: bare(url, rows, chosen.connections),
            OURS: peers.zhiyin,
            "lm-evaluation-harness": peers.harness,
            INSPECT_NAME: peers.inspect,
        }
        programs = {
            name: ask for name, ask in programs.items() if name in (chosen.only or programs)
        }
        seconds: dict[str, list[float]] = {name: [] for name in programs}
        for peers.round in range(chosen.rounds):
            for name, ask in programs.items():
                if name == INSPECT_NAME and peers.round >= (chosen.inspect_rounds or chosen.rounds):
                    continue
                seconds[name].append(ask())
                told = f"round {peers.round + 1}: {name} {seconds[name][-1]:.1f} s"
                print(told, file=sys.stderr, flush=True)
    ours = statistics.median(seconds[OURS])
    print(f"{len(rows):,} questions, {chosen.connections} connections, {chosen.rounds} rounds")
    for name, each in seconds.items():
        middle = statistics.median(each)
        print(
            f"  {name:<22}{middle:8.1f} s{len(rows) / middle:8.0f} trials/s"
            f"   Zhiyin is {middle / ours:.2f} times as fast"
        )


if __name__ == "__main__":
    main()
