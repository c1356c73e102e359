"""What a stranger's package adds to runs: ways of asking, parts of sessions, scorers, makers."""

import csv
import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from howto_help import Desk

pytestmark = pytest.mark.slow

MODULE = """
from pathlib import Path
from typing import Annotated

import msgspec

from zhiyin.analysis.parts import ChapterPart, Finding, Folded, RunColumn, RunPart
from zhiyin.benchmarks.questions.scoring import Graded, Scorer, whole_reply
from zhiyin.contract import USUAL, Benchmark, Section, score
from zhiyin.contract.session_parts import SessionPart
from zhiyin.contract.session_parts import asked_otherwise
from zhiyin.errors import InputError
from zhiyin.extensions import Maker
from zhiyin.flags import Flag
from zhiyin.reader.policy import Policy, Reading
from zhiyin.runs.rows import rows_of
from zhiyin.runs.ways import Way
from zhiyin.shown.table import Column
from zhiyin.record import Verdict
from zhiyin.trial import Message, Text, Trial, say
from zhiyin.words.findings import Remark


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


class Fifths(Benchmark):
    name = "fifths"
    measures = (score("cents", unit="cents", lower_is_better=True, range=(0.0, None)), *USUAL)

    def trials(self):
        for n in range(1, 9):
            stem = f"How many cents are {n} fifths?"
            yield Trial(str(n), (say("user", stem),), stem, (), str(702 * n), ("stacked",))

    def score(self, trial, exchange):
        off = abs(float(exchange.final.text) - float(trial.target))
        state = "correct" if off < 5 else "wrong"
        return Verdict(state, exchange.final.text, policy="cents@1", scores={"cents": off})


LONG = Scorer(
    "longer", "a reply longer than the key", whole_reply,
    lambda value, accepted, bound: Graded(len(value) > len(accepted[0])),
)


class Making(msgspec.Struct, frozen=True):
    out: Annotated[str, Flag("the file to write", "FILE")]


def make(options):
    Path(options["out"]).write_text("made")
    return f"wrote {options['out']}"


class Hasty(RunPart):
    def warnings(self, rows, manifest):
        yield Remark(what=f"{len(rows)} came in haste", severity="doubt", remedy="zhiyin slow")
        yield Remark(what="it was a Sunday")

    def chapter(self, chapter):
        table = Section("Haste", ["run", "letters"], [[run.label, 7] for run in chapter.runs])
        found = Finding("How hasty is it?", "In a great haste.", table=f"haste-{chapter.benchmark}")
        return ChapterPart([found], [Folded("findings", "haste", "Of haste", [("", table)])])


def letters(folders):
    return sum(len(row.answer or "") for folder in folders for row in rows_of(folder)) or None


LETTERS = RunColumn(Column("letters", "count"), letters)
NO_COLUMN = RunColumn(Column("none"), lambda folders: 1 / 0)


class Lame(RunPart):
    def warnings(self, rows, manifest):
        return [1 / 0]


PROVIDERS = Path(__file__).with_name("providers.json")
BROKEN = Path(__file__).with_name("broken.json")
MAKER = Maker(Making, make)


def shortest(letter):
    def extract(text, options):
        return Reading(letter.upper(), "always")

    return Policy(f"always:{letter}", 1, "always the same", extract)
"""
PROVIDERS = {
    "form": "mine:MODEL", "summary": "a chat server of mine",
    "speaks": "zhiyin.models.dialects:Dialect", "keys": ["MINE_KEY"],
    "addresses": ["MINE_URL"], "address": "https://mine.example/v1", "can": {"sound": False},
}  # fmt: skip
POINTS = """
[zhiyin.benchmarks]
fifths = stranger:Fifths

[zhiyin.conditions]
calm = stranger:Calm
echo = stranger:Echo

[zhiyin.sessions]
witness = stranger:Witness

[zhiyin.scorers]
longer = stranger:LONG

[zhiyin.providers]
mine = stranger:PROVIDERS

[zhiyin.sections]
hasty = stranger:Hasty

[zhiyin.columns]
letters = stranger:LETTERS
no-column = stranger:NO_COLUMN

[zhiyin.makers]
mmau = stranger:MAKER

[zhiyin.policies]
always = stranger:shortest
"""
BROKEN = """
[zhiyin.sessions]
broken = stranger:Gone

[zhiyin.providers]
halved = stranger:BROKEN
openai = stranger:PROVIDERS
"""


def install(site, name, points):
    info = site / f"{name}-0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(points)
    return site


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    site, folder = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("desk")
    (site / "stranger.py").write_text(MODULE)
    speechless = {**PROVIDERS, "form": "mute:MODEL", "speaks": "stranger:Nothing"}
    every = {"mine": PROVIDERS, "mute": speechless}
    (site / "providers.json").write_text(json.dumps(every))
    (site / "broken.json").write_text('{"halved": {"form": "halved:MODEL"}}')
    install(site, "stranger", POINTS)
    rows = [
        {"id": "a", "question": "Which is higher?", "options": ["C4", "D4"], "answer": "D4"},
        {"id": "b", "question": "Name a dance.", "scorer": "longer", "answer": "jig"},
    ]
    (folder / "own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "mine.py").write_text('def answer(messages):\n    return "Answer: a bourrée"\n')
    made = Desk(folder, folder / "cache", site)
    made.site = site
    return made


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
    witness = desk.folder / "r" / "witness.txt"
    witness.write_text("Eve begins")
    assert "witness.txt: it is not what it was" in desk("verify", "r", status=1)
    witness.unlink()
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
    assert "--loudly needs --echo WORDS" in desk(
        "run", "own.jsonl", "-m", "first", "--loudly", status=2
    )


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


def test_one_that_cannot_be_loaded_is_one_line(desk, tmp_path):
    beside = Desk(desk.folder, tmp_path, desk.site, install(tmp_path / "b", "broken", BROKEN))
    halved, mine, mute, session = json.loads(beside("list", "--json"))["faults"]
    assert halved.startswith("zhiyin.providers: 'halved' of broken 0.1: stranger:BROKEN is no file")
    assert mine.startswith("zhiyin.providers: 'mine' of broken 0.1 has a name that is taken")
    assert "'mute'" in mute
    assert session.startswith("zhiyin.sessions: 'broken' of broken 0.1 cannot be loaded")
    refused = beside.run("run", "own.jsonl", "-m", "halved:m")
    assert refused.returncode == 2
    assert "field `summary`" in refused.stderr.splitlines()[-1]
    assert beside.run("run", "own.jsonl", "-m", "first", "--out", "beside").returncode == 0


def test_a_part_warns_in_every_view_and_has_a_section_of_the_page(desk):
    desk("run", "own.jsonl", "-m", "first", "--quiet", "--out", "w")
    told = desk("show", "w", "--groups", "all")
    assert "warning: 1 came in haste\n    zhiyin slow\n" in told
    assert "note: it was a Sunday" in told
    found = json.loads(desk("show", "w", "--json"))
    assert found["warnings"][-1] == {
        "kind": "remark", "severity": "doubt", "remedy": "zhiyin slow",
        "text": "1 came in haste", "what": "1 came in haste",
    }  # fmt: skip
    assert found["remarks"][-1]["text"] == "it was a Sunday"
    desk("report", "w", "--out", "hasty")
    page = (desk.folder / "hasty" / "index.html").read_text("utf-8")
    for words in ("1 came in haste", "How hasty is it?", "In a great haste.", "Of haste"):
        assert words in page
    assert 'href="#haste-questions-own"' in page
    assert re.search('id="?haste-questions-own', page)


def test_a_column_stands_in_the_table_of_a_paper_where_it_is_named(desk):
    for model in ("first", "random"):
        desk("run", "own.jsonl", "-m", model, "--quiet", "--out", f"two/{model}")
    (bare, *_), (wide, *rows) = (
        list(csv.reader(desk("table", "two", "--to", "csv", *words).splitlines()))
        for words in ((), ("--add", "letters"))
    )
    assert wide == [*bare, "letters"]
    assert {row[0]: row[-1] for row in rows} == {"first": "1", "random": "1", "chance": ""}
    assert "& letters" in desk("table", "two", "--to", "latex", "--add", "letters")
    assert "| letters |" in desk("table", "two", "--to", "md", "--add", "letters")
    assert "did you mean letters?" in desk("table", "two", "--add", "leters", status=2)
    fault = "zhiyin.columns: 'no-column' has a fault (ZeroDivisionError: division by zero)"
    assert fault in desk("table", "two", "--add", "no-column", status=2)


def test_an_error_in_cents_leads_in_every_view(desk):
    for model, plus in (("near", 4), ("far", 40)):
        text = f"int(messages[-1]['content'].split()[4]) * 702 + {plus}"
        (desk.folder / f"{model}.py").write_text(f"def answer(messages):\n    return str({text})\n")
        desk("run", "fifths", "-m", f"python:{model}.py:answer", "--quiet", "--out", f"f/{model}")
    runs = ("f/near", "f/far")
    assert re.search(r"cents, lower is better +8 +4\.0", desk("show", "f/near"))
    together = desk("show", *runs)
    assert re.search(r"near\.py:answer +cents, lower is better +8 +4\.0", together)
    assert re.search(r"far\.py:answer +cents, lower is better +8 +40\.0", together)
    assert "fifths: cents, lower is better, on 8 items" in " ".join(desk("compare", *runs).split())
    head = desk("table", *runs, "--to", "md").splitlines()[2]
    assert head.count("cents, lower is better") == 1
    assert "accuracy, %" in head
    desk("report", *runs, "--out", "cents")
    page = re.sub(r"<[^>]*>", "", (desk.folder / "cents" / "index.html").read_text("utf-8"))
    assert "better than far.py:answer by 36.0 cents" in page
    assert "In right answers: near.py:answer" in page


def test_a_part_with_a_fault_is_one_line_and_hides_no_figure(desk, tmp_path):
    points = "[zhiyin.sections]\nlame = stranger:Lame\n"
    beside = Desk(desk.folder, tmp_path, desk.site, install(tmp_path / "l", "lame", points))
    beside("run", "own.jsonl", "-m", "first", "--quiet", "--out", "lame")
    found = json.loads(beside("show", "lame", "--json"))
    assert found["groups"]["all"]["n"] == 1
    fault = "zhiyin.sections: stranger:Lame has a fault (ZeroDivisionError: division by zero)"
    assert fault in found["warnings"][-1]["text"]


class Six(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(404)
        self.end_headers()

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        own = self.headers["Authorization"] == "Bearer sesame-1"
        message = {"role": "assistant", "content": "Answer: D4"}
        body = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()
        self.send_response(200 if own else 401)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def test_a_provider_is_a_file_of_its_package(desk):
    assert "mine:MODEL" in desk("list")
    words = ("run", "own.jsonl", "--quiet", "-m")
    assert "set the environment variable MINE_KEY" in desk(*words, "mine:m", status=2)
    assert "what it speaks, stranger:Nothing, cannot be loaded" in desk(*words, "mute:m", status=2)
    assert "did you mean mine:..." in desk(*words, "mime:m", status=2)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Six)
    Thread(target=server.serve_forever, daemon=True).start()
    address = {"MINE_URL": f"http://127.0.0.1:{server.server_port}/v1", "MINE_KEY": "sesame-1"}
    there = Desk(desk.folder, desk.folder / "cache", desk.site)
    there.environment |= address
    there(*words, "mine:m", "--out", "served")
    server.shutdown()
    assert run_of(desk, "served")[1][0]["verdict"]["state"] == "correct"
