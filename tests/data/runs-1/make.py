"""Makes the run folders of this fixture: `python tests/data/runs-1/make.py OUT`.

It was run once, by the code of the first log format. It is kept to show what the folders are, and
is not to be run again: a fixture that a later version writes proves nothing about older runs.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent.parent

ANSWERS = '''
"""Made models: what they say hangs on the question alone."""

from hashlib import sha256
from pathlib import Path

from zhiyin.record import Reply


def _number(name, *words):
    return int.from_bytes(sha256("|".join([name, *words]).encode()).digest()[:6], "big")


def _says(name, question, options):
    if not options:
        return Reply(REVIEWS[_number(name, question) % len(REVIEWS)])
    words = (name, question, *options)
    number = _number(*words)
    kind, number = number % 20, number // 20
    if kind in (0, 4):
        raise RuntimeError("the model is worn out")
    if kind == 1:
        return Reply("I'm sorry, but I cannot help with that.", "refusal")
    if kind == 2:
        return Reply("Let me think. The first of them looks likely, since", "length")
    if kind == 3:
        return Reply("All of them are lovely pieces of music.")
    chosen = min(range(len(options)), key=lambda i: _number(*words, options[i]))
    letter = "ABCDEFGHIJ"[chosen]
    ways = (f"{letter}", f"[[答案：{letter}]]", f"The answer is {letter}.",
            f"Looking at each, I would say ({letter}) {options[chosen]}.", options[chosen])
    return Reply(ways[number % len(ways)], "stop", {"prompt_tokens": 40 + number % 9,
                 "completion_tokens": 3 + number % 5})


REVIEWS = (
    "前奏一响，我就像回到了十七岁的夏天。她的嗓音好比细雨落在湖面，鼓点收放得很讲究，一下一下如同脉搏。",
    "这首歌的旋律从容，副歌的和声铺得很开；吉他分解和弦一直在走，节奏平稳，主题是对故乡的想念。",
)


def first(audio_path, question, options):
    return _says("first" + " hears" * bool(audio_path), question, options)


def second(audio_path, question, options):
    return _says("second" + " hears" * bool(audio_path), question, options)


def judge(messages):
    """Judges failures by turns."""
    modes = ("perception", "reasoning", "format", "other")
    mode = modes[_number("judge", messages[-1]["content"]) % len(modes)]
    return '{"mode": "%s", "quote": "A", "reason": "made up"}' % mode


def marker(messages):
    """Marks replies for an audit."""
    return "B" if _number("marker", messages[-1]["content"]) % 4 else "none"
'''

QUESTIONS = """id;Question;A;B;C;D;answer;group;track
q1;Which note is a fifth above C?;F;G;A;B;B;intervals;one
q2;Which note is a third above C?;E;F;G;A;A;intervals;one
q3;How many lines has a staff?;three;four;five;six;C;signs;two
q4;What does piano mean?;loud;soft;fast;slow;soft;signs;two
q5;What does forte mean?;loud;soft;fast;slow;loud;signs;three
q6;Which voice is the lowest?;alto;bass;soprano;tenor;B;voices;three
q7;Which voice is the highest?;alto;bass;soprano;tenor;C;voices;four
q8;What is an octave above A?;A;B;C;D;A;intervals;four
"""

FREE = """{"question": "How many beats has a bar of 3/4?", "answer": "3", "scorer": "number"}
{"question": "Name the note above E.", "answer": "F", "scorer": "normalised"}
{"question": "Name the clef of the violin.", "answer": "treble", "scorer": "contains"}
"""

COMMANDS = r"""
run ziqi --data ziqi --partial -m python:answers.py:first --out runs/ziqi-first
run ziqi --data ziqi --partial -m python:answers.py:second --out runs/ziqi-second --label second
run ziqi --data ziqi --partial -m longest --rotations all \
  --category popular_music --out runs/ziqi-rotated
run muchomusic --data muchomusic --partial -m python:answers.py:first \
  --audio true,none --repeats 3 --out runs/muchomusic-first
run muchomusic --data muchomusic --partial -m python:answers.py:second \
  --audio true,none --repeats 3 --out runs/muchomusic-second
run perception -m listener --n 3 --out runs/perception-listener
run perception -m python:answers.py:first --n 3 --modality audio,midi \
  --strategy standalone,cot,logiclm --task chords --out runs/perception-first
run appraisal --data appraisal -m python:answers.py:first --out runs/appraisal-first
judge runs/appraisal-first -m lexical
judge runs/ziqi-first -m python:answers.py:judge --aspects failures
audit runs/ziqi-first --n 12 --judge python:answers.py:marker --json
run own.csv -m python:answers.py:first --out runs/own-first
run own.csv -m overlap --out runs/own-overlap
run free.jsonl -m python:answers.py:first --out runs/own-free
run intervals -m counter:3 --limit 24 --out runs/plugin-three
run intervals -m counter --limit 24 --out runs/plugin-right
"""


def main(out: Path) -> None:
    """Make all in `out`, which must not exist."""
    out.mkdir()
    sys.path.insert(0, str(TESTS))
    from muchomusic_help import make_data

    for name, source in (("ziqi", "ziqi_small"), ("appraisal", "appraisal_small")):
        shutil.copytree(TESTS / "data" / source, out / name)
    make_data(out / "muchomusic", tracks=4)
    (out / "answers.py").write_text(ANSWERS, "utf-8")
    (out / "own.csv").write_text(QUESTIONS, "utf-8-sig", newline="\r\n")
    (out / "free.jsonl").write_text(FREE, "utf-8")
    plugin = out / "plugin"
    shutil.copytree(TESTS.parent / "examples" / "plugin", plugin)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    pip += ["--no-build-isolation", "--target", str(out / "site"), str(plugin)]
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run(pip, check=True, env=clean)
    paths = os.pathsep.join((str(TESTS.parent / "src"), str(out / "site")))
    environment = os.environ | {"PYTHONPATH": paths, "ZHIYIN_CACHE": str(out / "cache")}
    for line in COMMANDS.replace("\\\n", "").strip().splitlines():
        words = [sys.executable, "-m", "zhiyin", *line.split()]
        if "--json" not in words:
            words.append("--quiet")
        print(line, flush=True)
        done = subprocess.run(
            words, cwd=out, env=environment, stdout=subprocess.DEVNULL, check=False
        )
        if done.returncode == 2:
            raise SystemExit(f"failed: {line}")
    tidy(out)
    from runs_help import figures

    packed = out / "packed"
    packed.mkdir()
    with tarfile.open(packed / "runs.tar.xz", "w:xz") as archive:
        archive.add(out / "runs", "runs", filter=_plain)
    told = figures(out, packed)
    lines = [  # a line for each run, pair or table
        f"{json.dumps(command)}: {{\n"
        + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in found.items())
        + "\n}"
        for command, found in told.items()
    ]
    (HERE / "figures.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    shutil.copy(packed / "runs.tar.xz", HERE / "runs.tar.xz")


def _plain(info: tarfile.TarInfo) -> tarfile.TarInfo:
    """Without this machine's users and clock."""
    info.uid = info.gid = info.mtime = 0
    info.uname = info.gname = ""
    return info


def tidy(out: Path) -> None:
    """Take out this machine's paths, and the sounds that were made."""
    for path in (out / "runs").rglob("*.json*"):
        text = path.read_text("utf-8")
        path.write_text(text.replace(f"{out.resolve()}/", ""), "utf-8")
    for folder in (out / "runs").iterdir():
        if not (folder / "run.json").exists():
            shutil.rmtree(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
