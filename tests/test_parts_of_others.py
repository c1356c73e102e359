"""What a stranger's package adds to runs: ways of asking, parts of sessions, scorers, makers."""

import json
import re

import pytest

from howto_help import Desk

pytestmark = pytest.mark.slow

MODULE = """
from pathlib import Path
from typing import Annotated

import msgspec

from zhiyin.benchmarks.questions.scoring import Graded, Scorer, whole_reply
from zhiyin.contract.session_parts import SessionPart
from zhiyin.contract.variations import asked_otherwise
from zhiyin.errors import InputError
from zhiyin.extensions import Maker
from zhiyin.flags import Flag
from zhiyin.reader.policy import Policy, Reading
from zhiyin.runs.ways import Way
from zhiyin.trial import Message, Text


class EchoSettings(msgspec.Struct, frozen=True):
    echo: Annotated[str | None, Flag("words said before each question, too", "WORDS")] = None
    loudly: Annotated[bool, Flag("in capitals")] = False


class Echo:
    Settings = EchoSettings
    way = Way("echo", plain="no", changes="words")
    fingerprint = ""

    def __init__(self, words):
        self.words = words

    @classmethod
    def of(cls, options, benchmark):
        words = options.get("echo")
        return cls(words.upper() if options.get("loudly") else words) if words else None

    def trials_of(self, trial):
        yield msgspec.structs.replace(trial, tags={**trial.tags, "echo": "no"})
        messages = (Message("user", (Text(self.words),)), *trial.messages)
        yield asked_otherwise(trial, "echo=yes", messages, {**trial.tags, "echo": "yes"})

    def refuse(self, name, *, sequences, varied):
        if sequences:
            raise InputError(f"--echo: {name} has sequences: leave it out")


class CalmSettings(msgspec.Struct, frozen=True):
    calm: Annotated[bool, Flag("ask once more, after a word of calm")] = False


class Calm(Echo):
    Settings = CalmSettings
    way = Way("calm", plain="no", contrast="no", changes="task")

    @classmethod
    def of(cls, options, benchmark):
        return cls("") if options.get("calm") else None

    def trials_of(self, trial):
        yield msgspec.structs.replace(trial, tags={**trial.tags, "calm": "no"})
        messages = (Message("system", (Text("Take your time."),)), *trial.messages)
        yield asked_otherwise(trial, "calm=yes", messages, {**trial.tags, "calm": "yes"})


class WitnessSettings(msgspec.Struct, frozen=True):
    witness: Annotated[str, Flag("who looks on", "NAME")]


class Witness(SessionPart):
    Settings = WitnessSettings
    title = "who looks on"
    files = ("witness.txt",)

    @classmethod
    def restore(cls, manifest, folder):
        name = manifest.config.get("witness")
        return WitnessSettings(name) if name else None

    @classmethod
    def verify(cls, folder, manifest):
        if "witness" in manifest.config and not (folder / "witness.txt").exists():
            raise InputError("nobody looked on")

    def describe(self, manifest):
        manifest.config["witness"] = self.settings.witness

    def begin(self, order, selection, folder):
        (folder / "witness.txt").write_text(f"{self.settings.witness} begins")

    def end(self, manifest, trials):
        manifest.remarks = [*manifest.remarks, f"{self.settings.witness} saw {trials} trials"]


LONG = Scorer(
    "longer", "a reply longer than the key", whole_reply,
    lambda value, accepted, bound: Graded(len(value) > len(accepted[0])),
)


class Making(msgspec.Struct, frozen=True):
    out: Annotated[str, Flag("the file to write", "FILE")]


def make(options):
    Path(options["out"]).write_text("made")
    return f"wrote {options['out']}"


MAKER = Maker(Making, make)


def shortest(letter):
    def extract(text, options):
        return Reading(letter.upper(), "always")

    return Policy(f"always:{letter}", 1, "always the same", extract)
"""
POINTS = """
[zhiyin.conditions]
calm = stranger:Calm
echo = stranger:Echo

[zhiyin.sessions]
broken = stranger:Gone
witness = stranger:Witness

[zhiyin.scorers]
longer = stranger:LONG

[zhiyin.makers]
mmau = stranger:MAKER

[zhiyin.policies]
always = stranger:shortest
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    site, folder = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("desk")
    (site / "stranger.py").write_text(MODULE)
    info = site / "stranger-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(POINTS)
    rows = [
        {"id": "a", "question": "Which is higher?", "options": ["C4", "D4"], "answer": "D4"},
        {"id": "b", "question": "Name a dance.", "scorer": "longer", "answer": "jig"},
    ]
    (folder / "own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "mine.py").write_text('def answer(messages):\n    return "Answer: a bourrée"\n')
    return Desk(folder, folder / "cache", site)


def run_of(desk, name):
    folder = desk.folder / name
    lines = (folder / "records.jsonl").read_text("utf-8").splitlines()
    return json.loads((folder / "run.json").read_bytes()), list(map(json.loads, lines))


def test_a_way_of_asking_a_part_and_a_scorer_take_part_in_a_run(desk):
    words = ("run", "own.jsonl", "-m", "python:mine.py:answer", "--quiet", "--out", "r")
    desk(*words, "--echo", "listen", "--loudly", "--witness", "Ann")
    manifest, records = run_of(desk, "r")
    assert manifest["options"]["echo"] == "listen"
    assert manifest["config"]["witness"] == "Ann"
    assert "Ann saw 4 trials" in manifest["remarks"]
    echoed = {r["trial"]["id"]: r["trial"]["messages"] for r in records}
    assert {"a", "a/echo=yes", "b", "b/echo=yes"} == echoed.keys()
    assert echoed["a/echo=yes"][0]["parts"][0]["text"] == "LISTEN"
    states = {r["trial"]["id"]: r["verdict"]["state"] for r in records}
    assert states["b"] == "correct"
    desk("rescore", "r", "--extract", "always:b", "--out", "again")
    assert (desk.folder / "again" / "witness.txt").read_text() == "Ann begins"
    assert run_of(desk, "again")[1][0]["verdict"]["policy"] == "always:b@1"
    desk("verify", "r")
    (desk.folder / "r" / "witness.txt").unlink()
    assert "nobody looked on" in desk("verify", "r", status=1)


def test_the_command_of_a_run_names_what_takes_part(desk):
    (desk.folder / "bad.py").write_text("def answer(messages):\n    raise ValueError\n")
    words = ("run", "own.jsonl", "-m", "python:bad.py:answer", "--quiet", "--retries", "0")
    told = desk(*words, "--out", "one", "--witness", "Bo", status=1)
    assert "--witness Bo" in " ".join(told.split())


def test_what_is_not_asked_for_changes_nothing(desk):
    desk("run", "own.jsonl", "-m", "first", "--quiet", "--out", "plain")
    manifest, _ = run_of(desk, "plain")
    assert not {"echo", "loudly", "witness"} & {*manifest["options"], *manifest["config"]}
    refused = desk.run("run", "own.jsonl", "-m", "first", "--loudly")
    broken, line = refused.stderr.splitlines()
    assert refused.returncode == 2
    assert broken.startswith("note: zhiyin.sessions: 'broken' of stranger 0.1 cannot be loaded")
    assert "--loudly needs --echo WORDS" in line


def test_another_way_of_asking_is_in_no_figure_of_the_whole(desk):
    (desk.folder / "calm.py").write_text(
        "def answer(messages):\n"
        "    return 'Answer: C4' if messages[0]['role'] == 'system' else 'Answer: D4'\n"
    )
    desk("run", "own.jsonl", "-m", "python:calm.py:answer", "--quiet", "--out", "c", "--calm")

    def counted(text):
        told = json.loads(text)
        of_kinds = sum(row[1] for row in told["details"][0]["rows"]) if told["details"] else None
        return told["groups"]["all"]["n"], of_kinds

    assert counted(desk("show", "c", "--json")) == (2, 2)
    rescored = json.loads(desk("rescore", "c", "--extract", "always:b", "--out", "d", "--json"))
    assert rescored["groups"]["all"]["n"] == 2  # and not also what was asked calmly
    assert counted(desk("show", "d", "--json")) == (2, 2)
    desk("report", "c", "--out", "page")
    page = re.sub(r"<[^>]*>", "", (desk.folder / "page" / "index.html").read_text("utf-8"))
    assert "Trials with another way of asking (calm: yes) are not part of the overall" in page
    assert "Does it matter how it is asked?" in page
    assert not re.search("fewer distractors|Is it listening|reads better|reading and hearing", page)


def test_small_sets_are_made_by_others(desk):
    assert desk("data", "make", "mmau", "--out", "small.txt") == "wrote small.txt\n"
    assert (desk.folder / "small.txt").read_text() == "made"


def test_one_that_cannot_be_loaded_is_one_line(desk):
    (fault,) = json.loads(desk("list", "--json"))["faults"]
    assert fault.startswith("zhiyin.sessions: 'broken' of stranger 0.1 cannot be loaded")
