"""Every command that README and docs show is run, in order, as a reader would type it."""

import functools
import importlib.util
import itertools
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from test_muchomusic_runs import published_json

import forge_help
import howto_help
import listening_help
import muchomusic_help
import notation_help
import people_help
import questions_help
import results_help
import scores_help
import warm
from conftest import REPOSITORY
from judge_help import judge_answer
from muse_help import right_answer, write_log
from probe_help import ear
from servers import ChatServer
from zhiyin.cli import main
from zhiyin.plugins.lab.suite.file import read_text
from zhiyin.plugins.local import hf, vllm_offline
from zhiyin.plugins.local.checkpoint import read_spec
from ziqi_layout import write_ziqi

PAGES = [REPOSITORY / "README.md", REPOSITORY / "README.zh.md"]
PAGES += sorted((REPOSITORY / "docs").rglob("*.md"))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
# A run is shown whole and tried short: what is shown is that it works, not how long it takes.
LIMIT = ["--limit", "3"]
SHORTER = {
    r"(data make muchomusic .*)": r"\1 --clips 4",
    r"(stimuli make .*)--n \d\d\b": r"\1--n 6",
    r"(run appraisal --source generated) --n \d+": r"\1 --n 2",
    r"(run bodies --n 1 -m listener)": r"\1 --limit 10",
    r"(run muchomusic -m listener)": r"\1 --limit 3",
    r"(run pairs --n 1 -m listener)": r"\1 --fact third --change gain",
    r"(run thresholds -m first --dimension pitch),tempo": r"\1",
    r"(run scores -m random .*)--n 4\b": r"\1--n 1",
    r"(suite music-core.toml .*--out core)": r"\1 --sample 1",
    r"(suite (nightly|pilot).toml)": r"\1 --sample 3 --no-figures",
    r"(report (?!runs/one).* (?:-o|--out) [\w./-]+)": r"\1 --no-figures",  # drawn for report.md
    r"(run known/questions.jsonl -m \w+ --hear) \S+": r"\1 0,2s,100%",
}
"""Fewer stimuli and figures than a page shows."""
PUBLISHED = {
    r"--(source|protocol) muse\b|run muse .*--data": "muse --partial",
    r"\brhythm-ability\b": "rat",
    r"\bruns/whole\b": "ziqi",
}
"""The commands that want published data, with the folder of those data and what to say of it."""
IN_TABLES = ("seeds",)
"""Pages whose tables hold whole commands, beside their blocks."""
ANSWERER = "python:my_model.py:answer"
TRIED: set[str] = set()
# In one process: what one page has tried, the other need not, and one cluster is for all.
GROUPS = {"local": "torch", "gpu": "torch", "cluster": "ray"}


def commands(page: Path) -> list[str]:
    """The `zhiyin` commands of a page's code blocks, continued lines joined, comments dropped."""
    found = []
    for language, block in BLOCK.findall(page.read_text("utf-8")):
        if language in ("", "sh", "console", "bash"):
            lines = block.replace("\\\n", " ").splitlines()
            found += [line.removeprefix("$ ").strip() for line in lines]
    if page.stem in IN_TABLES:
        found += dict.fromkeys(
            re.findall(r"^\|.*?\| `(zhiyin .*?)` \|", page.read_text("utf-8"), re.M)
        )
    return [line for line in found if re.match(r"(echo .*\| *)?zhiyin |python theirs", line)]


def wants_published(command: str) -> bool:
    """Whether a command can be tried on published data alone."""
    return any(re.search(pattern, command) for pattern in PUBLISHED)


def files(page: Path) -> dict[str, str]:
    """The files that a page shows: blocks that stand under their name alone, by that name."""
    shown = r"^`([\w.]+)`[:：]\n\n```\w*\n(.*?)^```"
    return dict(re.findall(shown, page.read_text("utf-8"), re.MULTILINE | re.DOTALL))


@pytest.fixture(scope="module")
def server():
    with ChatServer(reply) as running:
        yield running


def reply(call):
    """Grade where a judge is asked, answer otherwise."""
    if any(asked in call.text for asked in ("What do you hear", "What does it show")):
        return ear(call)
    if (forged := forge_help.docs_reply(call)) is not None:
        return forged
    first = call.body["messages"][0]["content"]
    if not isinstance(first, str):
        return "答案：B"
    if '"verdict": "right"' in first:
        return '{"reason": "It says so.", "verdict": "right"}'
    if '"correctness": 1' in first:
        return json.dumps(dict.fromkeys(("correctness", "relevance", "completeness", "clarity"), 4))
    if '{"answer": a letter' in first:
        return '{"answer": "B"}'
    parts = ("points", "claims", "statements", "criteria", "quote")
    judged = any(f'"{part}"' in first for part in parts)
    return judge_answer(call) if judged else "答案：B"


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A folder with what the pages suppose the reader to have."""
    tmp_path = tmp_path_factory.mktemp("desk")
    write_ziqi(tmp_path / "data" / "ziqi", 6)
    muchomusic_help.make_data(tmp_path / "data" / "muchomusic")
    shutil.copytree(REPOSITORY / "tests" / "data" / "appraisal_small", tmp_path / "data/appraisal")
    (tmp_path / "grades.csv").write_text("song,completeness\npiece-1.wav,9\npiece-2.wav,11\n")
    published_json(tmp_path / "outputs.json")
    listening_help.make_desk(tmp_path)
    notation_help.make_desk(tmp_path)
    scores_help.make_desk(tmp_path)
    forge_help.make_desk(tmp_path)
    captions = files(REPOSITORY / "docs/how-to/forge.md")["captions.csv"]
    (tmp_path / "captions.csv").write_text(captions, "utf-8")
    people_help.make_desk(tmp_path)
    results_help.saved(
        tmp_path / "comprehensive_demo_results.json",
        results_help.rows(results_help.questions(), 11),
        11,
    )
    write_log(tmp_path / "LOGS", "oddballs", "cot", "A", 1, right_answer)
    draw = random.Random(2)
    rows = ["Model,Modality,Stimulus,Correct"]
    for model, modality, stimulus in itertools.product("abc", ("audio", "midi"), range(30)):
        rows.append(f"{model},{modality},{stimulus},{int(draw.random() < 0.6)}")
    (tmp_path / "answers.csv").write_text("\n".join(rows) + "\n")
    marked = (REPOSITORY / "tests/data/reading/open.jsonl").read_text("utf-8").splitlines(True)
    (tmp_path / "marked.jsonl").write_text("".join(marked[:40]), "utf-8")
    (tmp_path / "triads.py").write_text(howto_help.benchmark_code(), "utf-8")
    shutil.copy(REPOSITORY / "examples" / "subprocess" / "adapter.py", tmp_path)
    questions_help.tone(tmp_path / "chord.wav")
    questions_help.jsonl(
        tmp_path / "chords.jsonl",
        {
            "id": "x", "question": "Which quality has it?", "audio": "chord.wav",
            "options": ["major", "minor"], "answer": "major",
        },
    )  # fmt: skip
    core = re.sub(r"\bn = \d+", "n = 1", read_text("music-core")[1])
    for name, few in (("muse", "n = 1"), ("pairs", 'n = 1, fact = "third", change = "gain"')):
        core = re.sub(
            rf'("{name}"\noptional = true)\n(?!flags)', rf"\1\nflags = {{ {few} }}\n", core
        )
    (tmp_path / "music-core.toml").write_text(core)
    (tmp_path / "my_model.py").write_text("def answer(messages):\n    return 'Answer: B'\n")
    return tmp_path


@pytest.fixture(scope="session")
def three_runs(made):
    """Runs of three models, for the pages that suppose them."""
    for name, model in (("one", "random"), ("two", "longest"), ("three", "first")):
        line = f"zhiyin run ziqi --data data/ziqi -m {model} --out runs/{name} --quiet"
        path = os.environ | {"PATH": f"{warm.folder_of()}:{os.environ['PATH']}"}
        subprocess.run(line, shell=True, cwd=made, env=path, check=True)
    return (made / "runs").rename(made.with_name("three-runs"))


@pytest.fixture
def desk(made, tmp_path):
    """The same for one page, which may change it."""
    return shutil.copytree(made, tmp_path / "desk")


def fill_in(command: str, server: ChatServer) -> str:
    """Put something real in the place of a page's stand-ins."""
    replaced = {
        r"-m hf:\S+ --ray auto --ray-gpus 1": f"-m {ANSWERER} --ray $CLUSTER --ray-workers 1",
        r"\bsuite music-core -m": "suite music-core.toml --no-figures -m",
        r"\bpool:\S+": f"pool:{server.spec}",
        r"https?://[\w.:-]+/v1#\S+|dashscope:qwen-plus": server.spec,
        r"\bZIQI\b": "data/ziqi",
        r"(run ziqi -m \S+(?!.*--data))": r"\1 --data data/ziqi",
        r"-m MODEL\b": "-m first",
        r"(zhiyin suite \S+\.toml)( --out \S+)?$": r"\1\2 --no-figures",
        r"\bRUNS_DIR\b": "runs",
        r"\b(LONGEST|TEXT_ONLY)\b": "runs/two",
        r"\bRUN RUN RUN\b": "runs/one runs/two runs/three",
        r"\bRUN RUN\b(\.\.\.| \.\.\.)?": "runs/one runs/two",
        r"\bRUN\b(\.\.\.)?": "runs/one",
    }
    for pattern, real in replaced.items():
        command = re.sub(pattern, real, command)
    return command


def shortened(command: str) -> str:
    """A command of a page on fewer stimuli."""
    for pattern, shorter in SHORTER.items():
        command = re.sub(pattern, shorter, command)
    return command


def checkpoint() -> Path | None:
    """A tiny checkpoint of text and sound; None where torch is not."""
    if not all(map(importlib.util.find_spec, ("torch", "transformers"))):
        return None
    from local_help import checkpoints

    return checkpoints("qwen2_audio")


def local(command: str, checkpoint: Path | None) -> str | None:
    """A command for a checkpoint of a real size, with a tiny one; None where that cannot be tried.

    Its options are read, and one command is not tried twice for two checkpoints, on any page.
    """
    kind, rest = re.findall(r"-m (hf|vllm):(\S+)", command)[0]
    read_spec(kind, rest, {"hf": hf.OPTIONS, "vllm": vllm_offline.OPTIONS}[kind])
    command = re.sub(r"-m \S+", f"-m hf:{checkpoint}", command)
    plain = re.sub(r" --out \S+", "", command)
    if checkpoint is None or kind == "vllm" or plain in TRIED:
        return None
    TRIED.add(plain)
    return f"{command} {shlex.join(LIMIT)} --max-tokens 4"


@functools.cache
def first_commands() -> list[str]:
    """What a reader of the README tries first."""
    return commands(PAGES[0])[:2]


def program(command: str) -> str:
    """The folder of the `zhiyin` that runs a command; "" for the one in the path.

    The program is started as it is for the first commands of the README, and where it starts
    others.
    """
    if command in first_commands() or re.search(r"--ray\b|zhiyin batch\b", command):
        return ""
    return str(warm.folder_of(*(("torch", "transformers") if "-m hf:" in command else ())))


def serves(command: str, desk: Path, environment: dict[str, str]) -> bool:
    """Whether a command that serves until it is stopped says where, and ends when told to."""
    # `exec`: what is stopped is the program, not a shell around it.
    process = subprocess.Popen(
        f"exec {command}", shell=True, cwd=desk, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdout is not None
    line = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    return "http://127.0.0.1" in line


@pytest.mark.slow
@pytest.mark.sample(20)
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(
            page,
            id=str(page.relative_to(REPOSITORY)),
            marks=pytest.mark.xdist_group(GROUPS.get(page.stem, "test_docs")),
        )
        for page in PAGES
        if commands(page)
    ],
)
def test_commands_work(page, desk, server, request):
    shown = [each for each in commands(page) if not wants_published(each)]
    # Of a mirror (docs/how-to/data.md) data are fetched here; without one there is no network.
    shown = [each for each in shown if not re.match(r"zhiyin data fetch \S+$", each)]
    try_commands(page, shown, desk, server, request)


# Commands of the others need what those before them made, or a shell.
UNDERSTOOD = [
    page
    for page in filter(commands, PAGES)
    if page.stem not in ("doctor", "add-a-benchmark", "forge", "study", "human-baseline", "verify")
]


@pytest.mark.slow
@pytest.mark.parametrize("page", UNDERSTOOD, ids=lambda page: page.stem)
def test_commands_that_are_tried_later_are_understood(page, desk, server, monkeypatch, capsys):
    monkeypatch.chdir(desk)
    monkeypatch.setattr("zhiyin.cli.functions.carry_out", lambda order: 0)
    monkeypatch.setattr("zhiyin.cli.functions.carry_out_added", lambda command, order: 0)
    for name, text in files(page).items():
        (desk / name).write_text(text, "utf-8")
    for command in commands(page):
        words = shlex.split(fill_in(command, server), comments=True)
        assert main(words[words.index("zhiyin") + 1 :]) == 0, capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=str(page.relative_to(REPOSITORY)))
        for page in PAGES
        if any(map(wants_published, commands(page)))
    ],
)
def test_commands_on_published_data_work(page, desk, server, request, shared):
    shown = []
    for command in filter(wants_published, commands(page)):
        (folder,) = (PUBLISHED[each] for each in PUBLISHED if re.search(each, command))
        command = re.sub(r"--data \S+", f"--data {shared}/{folder}", command)
        shown.append(command.split("  #")[0])
    try_commands(page, shown, desk, server, request)


def try_commands(page, shown, desk, server, request):
    """Do what a page shows, command after command, in the folder that it supposes."""
    environment = os.environ | {
        "OPENAI_API_KEY": "not-a-real-key",
        "OPENAI_BASE_URL": server.url,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "RAY_AUTH_MODE": "disabled",  # else a token is written into the home folder
        "ZHIYIN_DATA": str(desk / "fetched"),
    }
    if any("zhiyin cache" in command for command in shown):  # sounds of other pages are kept
        environment["ZHIYIN_CACHE"] = str(desk / "cache")
    if any("zhiyin hearing" in command for command in shown):  # its text shows the PNGs
        del environment[warm.SVG]
    if any("--ray auto" in command for command in shown) and importlib.util.find_spec("ray"):
        cluster = request.getfixturevalue("ray_cluster")
        node = cluster.add_node(num_cpus=1)
        request.addfinalizer(lambda: cluster.remove_node(node, allow_graceful=False))
        environment["CLUSTER"] = cluster.address
    if any(re.search(r"\bRUNS?\b|\bRUNS_DIR\b", command) for command in shown):
        shutil.copytree(request.getfixturevalue("three_runs"), desk / "runs")
    for name, text in files(page).items():
        (desk / name).write_text(text, "utf-8")
    left_out: list[str] = []
    for command in shown:
        if any(folder in command.split() for folder in left_out):
            continue
        if "--ray auto" in command and importlib.util.find_spec("ray") is None:
            continue
        if re.search(r"-m (hf|vllm):", command) and "--ray" not in command:
            small = local(command, checkpoint())
            if small is None:
                left_out += re.findall(r"--out (\S+)", command)
                continue
            command = small
        command = fill_in(command, server)
        command = shortened(command)
        if "zhiyin run perception" in command and not re.search("--(limit|n|sample) ", command):
            command = f"{command.split('#  ')[0].split('  #')[0]} {shlex.join(LIMIT)}"
        if "--to hf" in command and "--partial" not in command:
            # The desk holds other questions than the published ones.
            command = command.replace("--to hf", "--to hf --partial")
        if re.match(r"zhiyin (view|study serve|audit(?!.* --(judge|marks|sheet|json)))\b", command):
            assert serves(command, desk, environment)
            if page.stem == "human-baseline":
                people_help.take_part(desk / command.split()[3])
            continue
        first = program(command)
        path = environment | {"PATH": f"{first}:{environment['PATH']}".lstrip(":")}
        done = subprocess.run(
            command, shell=True, cwd=desk, env=path, capture_output=True, text=True,
            timeout=300, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr
        bulk = any("zhiyin batch" in other for other in shown)  # it asks for the answers itself
        if (away := re.search(r"zhiyin trials .*--out (\S+)", command)) and not bulk:
            written = sorted((desk / away[1]).glob("*.json*"))
            questions = "".join(path.read_text("utf-8") for path in written)
            ids = re.findall(r'"id": ?"(\w[\w-]*)"', questions)
            lines = "".join(f'{{"id": "{name}", "text": "B"}}\n' for name in ids)
            (desk / away[1] / "answers.jsonl").write_text(lines)
        if sheet := re.search(r"--sheet (\S+)", command):  # the reader fills it in
            written = desk / sheet[1]
            written.write_text(written.read_text("utf-8").replace('"mark":null', '"mark":"none"'))


def test_the_datasheets_state_the_terms_of_every_published_set():
    page = (REPOSITORY / "docs" / "datasheets.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| [`")]
    files = (REPOSITORY / "src" / "zhiyin").rglob("*.toml")
    described = [tomllib.loads(file.read_text("utf-8")) for file in files]
    terms = sorted(each["licence"] for each in described if each.get("sources"))
    assert sorted(row.split(" | ")[-1].removesuffix(" |") for row in rows) == terms
