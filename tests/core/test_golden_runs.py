"""Whole stories of runs: all that the commands say, ask and leave in their folders.

See `golden_help`, which says how a change is accepted. Each story has files, what a server says to
one call after another, and commands; times, ids and places are left out.
"""

import json
import re
import shlex
from pathlib import Path

import pytest
from test_golden_requests import Server, surroundings, told

import provider_servers
from golden_help import Golden
from questions_help import tone
from zhiyin.cli import main

pytestmark = pytest.mark.slow
RUNS = Golden("runs", like=True)
CLOCKED = frozenset((
    *("elapsed_s", "latency_s", "started", "ended", "machine", "per_second", "waited_s"),
    *("trials_per_s", "versions", "declared", "asked_s", "folder_size", "slowest_s"),
))  # fmt: skip
assert surroundings


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in CLOCKED}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def lines(path, *, whole=False):
    text = path.read_text("utf-8")
    try:
        each = [text] if whole else text.splitlines()
        found = [without_times(json.loads(line)) for line in each]
    except ValueError:
        return text
    return found[0] if whole else found


def left_in(folder, *, trials):
    """A run's folder: its files, and what stands in each; of trials no more than is wanted."""
    found = {"files": sorted(path.name for path in folder.iterdir())}
    for path in sorted(folder.glob("*.json*")):
        if path.suffix == ".json":
            found[path.name] = lines(path, whole=True)
            if "sessions" in found[path.name]:  # of one second, those of a merge are in any order
                found[path.name]["sessions"].sort(key=json.dumps)
            continue
        found[path.name] = lines(path)
        for line in found[path.name] if not trials else ():
            if isinstance(line, dict):
                line.pop("trial", None)
    return found


def question(n):
    about = {"id": f"q{n}", "question": f"Which clef has {n} signs?"}
    options = ["alto", "bass", "C", "D"]
    return {**about, "options": options, "answer": "ABCD"[n % 4], "group": f"g{n % 2}"}


def made(folder, files):
    """Write files: of lines, of words, with a tone, with so many questions."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".wav":
            tone(path, **text)
        elif isinstance(text, int):
            path.write_text("".join(json.dumps(question(n)) + "\n" for n in range(text)))
        elif text[:1] == "@":  # a file of the tests
            path.write_text((Path(__file__).parent.parent / text[1:]).read_text("utf-8"))
        else:
            path.write_text(
                text if isinstance(text, str) else "".join(json.dumps(one) + "\n" for one in text)
            )


def touched(verb, name, text=""):
    """Write a file, add to it, repeat its lines so many times, or take it away."""
    path = Path(name)
    if verb == "remove":
        path.unlink()
    elif verb == "repeat":
        path.write_text(path.read_text() * text)
    else:
        path.write_text(path.read_text() * (verb == "append") + text)


@pytest.mark.parametrize("case", RUNS.cases)
def test_a_story_is_told_as_ever(case, tmp_path, surroundings, capsys):
    given = RUNS.given(case)
    for name in ("CACHE", "PRICES"):
        surroundings.setenv(f"ZHIYIN_{name}", str(tmp_path / name.lower()))
    surroundings.chdir(tmp_path)
    surroundings.setenv("COLUMNS", "100")
    with Server(getattr(provider_servers, given.get("wire", "Wire"))(), given["says"]) as server:
        made(
            tmp_path,
            {
                k: json.loads(json.dumps(v).replace("SERVER", server.url))
                for k, v in given["files"].items()
            },
        )
        for name, value in given.get("environment", {}).items():
            surroundings.setenv(name, value.replace("SERVER", server.url))
        told_by = []
        for command in given["commands"]:
            if isinstance(command, list):  # something happens to a file in between
                touched(*command)
                continue
            status = main(shlex.split(command.replace("SERVER", server.url)))
            shown = capsys.readouterr()
            out = (
                without_times(json.loads(shown.out))
                if "--json" in command and shown.out
                else shown.out
            )
            sent = server.take()
            told_by.append({"status": status, "out": out, "err": shown.err, "calls": len(sent)})
            if given.get("sent"):
                told_by[-1]["sent"] = [told(one) for one in sent]
    runs = sorted(path.parent for path in tmp_path.rglob("run.json"))
    folders = {
        str(run.relative_to(tmp_path)): left_in(run, trials=given.get("trials")) for run in runs
    }
    text = json.dumps({"commands": told_by, "folders": folders})
    for pattern, name in (
        (r"127\.0\.0\.1-?:?\d+", "HERE"), (re.escape(str(tmp_path)), "DIR"),
        (r"\b\d+(\.\d+)? (s|ms)\b(, [\d.,]+ a second)?", "TIME"), (r"-[0-9a-f]{8}\b", "-HASH"),
        (r"\"[0-9a-f]{16}\"", '"ID"'), (r"\b20\d\d-\d\d-\d\d(T[\d:+]+)?", "DAY"),
        (r"(\\n *)?zhiyin audit [^\\\"]*", ""),
    ):  # fmt: skip
        text = re.sub(pattern, name, text)
    RUNS.same(case, json.loads(text))
