"""What is made of files of questions and of free answers, as golden tables have it.

Of each file: its trials, what the check finds, and what is said of how it was read. Recordings and
pictures lie beside it, made here; sentences are held by the names of their messages.
"""

import asyncio
import itertools
import json
import shutil
import wave

import msgspec
import pytest
from PIL import Image as Pillow

from golden_help import Table, outcome, plain
from questions_help import run, tone, trials
from zhiyin.benchmarks.questions import cells, published
from zhiyin.benchmarks.questions.benchmark import Questions, name_of
from zhiyin.benchmarks.questions.scoring import members, normalised, open_scorer, score
from zhiyin.contract.policies import open_policy
from zhiyin.errors import InputError
from zhiyin.record import Exchange, Reply, Turn
from zhiyin.trial import Audio, Image, Option, Trial, say

FOLDER, NUMBERS = [], itertools.count()
"""Where the files lie, made once."""


@pytest.fixture(scope="module", autouse=True)
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("desk")
    for name, hertz in (("a", 440), ("c", 550), ("d", 660), ("the lute", 330)):
        tone(folder / f"{name}.wav", hertz)
    shutil.copy(folder / "a.wav", folder / "copy of a.wav")
    tone(folder / "silent.wav", level=0)
    with wave.open(str(folder / "cancels.wav"), "wb") as file:
        file.setparams((2, 2, 8000, 0, "NONE", ""))
        file.writeframes(b"\x00\x20\x00\xe0\x00\xe0\x00\x20" * 800)
    (folder / "broken.wav").write_bytes((folder / "a.wav").read_bytes()[:900])
    for name, colour in (("p", "black"), ("q", "red"), ("blank", "white")):
        picture = Pillow.new("RGB", (8, 6), "white")
        picture.paste(colour, (1, 1, 4, 4))
        picture.save(folder / f"{name}.png")
    FOLDER[:] = [folder]
    yield
    FOLDER.clear()


def part(each):
    if isinstance(each, Audio):
        return ["sound", each.path.rpartition("/")[2][-16:], each.seconds]
    if isinstance(each, Image):
        return ["picture", each.path.rpartition("/")[2], each.width]
    return each.text


def asked(trial):
    """A trial, but for what hangs on where its files lie."""
    turns = [[m.role, *map(part, m.parts)] for m in trial.messages]
    return [turns, *msgspec.structs.astuple(trial)[2:], trial.id]


def told(call):
    """The outcome of a call; of an error, the message and its facts."""
    try:
        found = plain(call())
    except InputError as error:
        found = ["refused", plain(error.args[0])]
    return json.loads(json.dumps(found).replace(str(FOLDER[0]), "DESK"))


def of_file(given):
    name, text, options = given
    path = FOLDER[0] / name
    path.write_text(text, "utf-8")
    options = {"data": str(path), **options}

    def made():
        benchmark = Questions.from_options(options)
        return [len(benchmark), [asked(trial) for trial in benchmark.trials()]]

    def remarks():
        benchmark = Questions.from_options(options)
        return [benchmark.name, benchmark.columns, benchmark.remarks()]

    found = [told(made), told(lambda: Questions.check(options)), told(remarks)]
    path.unlink()
    return found


def of_run(given):
    """What a run on a file comes to, the replies given in turn."""
    text, options, replies = given
    path = FOLDER[0] / "run.jsonl"
    path.write_text(text, "utf-8")
    turn = itertools.cycle(replies)
    said = {trial.id: next(turn) for trial in trials(path, **options)}
    summary, records = run(
        path, lambda t: said[t.id], FOLDER[0] / f"run {next(NUMBERS)}", **options
    )
    figures = [summary.states, summary.groups, summary.details]
    return plain([[r.id, r.verdict] for r in sorted(records, key=lambda r: r.id)] + figures)


def of_answer(given):
    scorer, accept, reply = given
    try:
        known, bound = open_scorer(scorer)
    except InputError as error:
        return str(error).partition(":")[0]
    tags = {"scorer": f"{known.name}:{bound}" if bound else known.name, "kind": "free",
            "accept": json.dumps(accept)}  # fmt: skip
    trial = Trial("q", (say("user", "?"),), "?", target=" | ".join(accept), tags=tags)
    verdict = score(trial, Exchange((Turn(Reply(reply)),)), open_policy("robust"))
    return [verdict, bool(known.check(accept, bound)), normalised(reply), members(reply, accept)]


def of_letters(given):
    kind, target, reply = given
    options = tuple(Option(a, t, k) for a, t, k in zip(
        "ABCD", ("lute", "oboe", "viola", "horn"), "BADC", strict=True))  # fmt: skip
    trial = Trial("q", (say("user", "?"),), "?", options, target, tags={"kind": kind})
    return score(trial, Exchange((Turn(Reply(reply)),)), open_policy("robust"))


def of_cell(given):
    value, answers, delimiter = given
    options = outcome(cells.options_of, value, delimiter)
    own = cells.options_of(value, delimiter)
    if not isinstance(own, cells.Options):
        return [options, cells.yes(value if isinstance(value, str) else None)]
    read = [cells.readings(answer, own, delimiter) for answer in answers]
    form, unclear = cells.choose_form(read)
    keys = [cells.resolve(a, r, form, own) for a, r in zip(answers, read, strict=True)]
    return [options, read, form, unclear, keys]


def of_columns(given):
    names, chosen = given
    return told(lambda: cells.match_columns(names, chosen, "FILE"))


def of_published(given):
    """Published rows beside a file, and what a run keeps of them."""
    folder = FOLDER[0] / "published"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "mine.csv").write_text("question\n", "utf-8")
    for name, text in given.items():
        (folder / name).write_text(text, "utf-8")
    published.keep(folder / "mine.csv", folder)
    kept = sorted(path.name for path in folder.iterdir())
    return [told(lambda: published.read_published(folder / "mine.csv")), kept,
            told(lambda: published.read_published(folder / "other.csv"))]  # fmt: skip


TABLES = [
    Table("questions/files", of_file, 4),
    Table("questions/runs", of_run, 1),
    Table("questions/answers", of_answer, 40),
    Table("questions/letters", of_letters, 40),
    Table("questions/cells", of_cell, 20),
    Table("questions/columns", of_columns, 20),
    Table("questions/published", of_published, 12),
    Table("questions/names", name_of, 12),
]


@pytest.mark.parametrize(("table", "part"), [
    pytest.param(table, *part.values, id=part.id) for table in TABLES for part in table.parts
])  # fmt: skip
def test_questions_are_those_of_the_golden_table(table, part):
    if table.path.stem in ("files", "answers", "runs"):
        pytest.importorskip("rapidfuzz")
    table.check(part)


def test_a_question_with_several_right_answers_is_one_call():
    from zhiyin.benchmarks.questions.benchmark import several

    async def ask(messages):
        return Reply(f"{len(messages)} A, B")

    exchange = asyncio.run(several(Trial("q", (say("user", "?"),)), ask))
    assert [(t.reply.text, t.purpose) for t in exchange.turns] == [("1 A, B", "letters")]
