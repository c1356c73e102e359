"""Whole outputs of the core alone, for runs of all kinds, against ``tests/golden/core``.

The runs are made here, of benchmarks and models in `golden_desk`, and each view of them is held to
the letter: what a command prints in either language, its JSON, a page with its pictures, a log.
How a change is accepted: see `golden_help`.
"""

import base64
import csv
import gzip
import hashlib
import json
import os
import re
import shutil
from contextlib import chdir
from importlib.metadata import EntryPoint
from pathlib import Path
from zlib import crc32

import pytest

import findings_help as hand
import golden_desk as desk
import zhiyin
from golden_help import as_lines, core_alone, kept, make_timeless, told
from questions_help import jsonl, tone
from zhiyin import __version__
from zhiyin.analysis.beside import RunTests, asked_alike, asked_otherwise, on_shared_items
from zhiyin.analysis.run import OpenRun
from zhiyin.contract.registry import known
from zhiyin.runs.estimates import estimate
from zhiyin.words import say

pytestmark = pytest.mark.slow
STRONG, WEAK = "-m python:desk.py:strong", "-m python:desk.py:weak"
HEARD = "heard/heard.jsonl --audio true,none,noise --distractors ir,cu+iu,all"
RUNS = f"""
run choices.csv {STRONG} --out runs/strong
run choices.csv {WEAK} --out runs/weak
run choices.csv -m random --out runs/random
run choices.csv -m longest --sample 20 --out runs/part
run choices.csv {STRONG} --budget 9calls --out runs/begun
run choices.csv {STRONG} --limit 30 --out runs/begun
run choices.csv {STRONG} --repeats 3 --out runs/strong-thrice
run choices.csv {WEAK} --repeats 3 --shuffle --confirm --out runs/weak-thrice
run choices.csv -m overlap --rotations all --limit 80 --label overlapping --out runs/turned
run choices.csv {WEAK} --rotations all --limit 80 --out runs/turned-weak
run {HEARD} {STRONG} --out runs/heard
run {HEARD} {WEAK} --out runs/heard-weak
run free.jsonl {STRONG} --out runs/free
run free.jsonl {WEAK} --language zh --out runs/free-weak
run desk.py:Tuning -m python:desk.py:fine --out runs/fine
run desk.py:Tuning -m python:desk.py:coarse --out runs/coarse
run desk.py:Triads -m random --out runs/triads-random
run desk.py:Triads -m longest --extract first-letter --out runs/triads-longest
run desk.py:Triads {STRONG} --out runs/triads
run desk.py:Triads {WEAK} --out runs/triads-weak
run desk.py:Triads {WEAK} --mode plain --extract first-letter --out runs/triads-plain
run desk.py:Steps {STRONG} --out runs/steps
run desk.py:Steps {WEAK} --out runs/steps-weak
run tunes {STRONG} --out runs/tunes
run tunes {WEAK} --protocol released --temperature 1 --out runs/tunes-weak
run tunes -m first --mode plain --limit 20 --out runs/tunes-part
run tunes -m random --extract flexible --out runs/tunes-random
run choices.csv {WEAK} --shard 1/2 --out shards/1
run choices.csv {WEAK} --shard 2/2 --out shards/2
"""
TUNES = EntryPoint("tunes", "golden_desk:Tunes", "zhiyin.benchmarks")
CANARY = {
    "state": "failed", "right": 3, "asked": 8, "needed": 7, "by_guessing": 0.01, "unread": 1,
    "warning": "it hears nothing",
}  # fmt: skip
EDITED = {
    "people": ("strong", {"model": "people: students", "spec": "", "decoding": {
        "kind": "people", "people": 12, "took_part": 15, "set_aside": 3,
        "set_aside_by": {"too fast": 2, "attention": 1}, "attention_questions": 2,
        "practice_questions": 1,
        "agreement": {"alpha": 0.61, "low": 0.5, "high": 0.7, "questions": 40},
    }}),
    "person": ("weak", {"model": "people: Ann", "spec": "", "label": "Ann",
                        "decoding": {"kind": "people", "people": 1}}),
    "imported": ("strong", {"options": {"imported": True}, "label": "from elsewhere"}),
    "deaf": ("weak", {"canary": {"sound": CANARY, "image": {**CANARY, "state": "passed"}}}),
    "private": ("random", {
        "config": {"commitment": "ab" * 32, "sampling": {"temperature": 0.7, "max_tokens": 64}},
        "decoding": {"kind": "http"}, "model": "openai:gpt-4o", "spec": "openai:gpt-4o",
    }),
}  # fmt: skip
"""Runs with the manifests of others: people, a person, an import, a deaf model, a private seed."""
SETS = {
    "two": "strong weak", "four": "strong weak random part", "begun": "begun",
    "thrice": "strong-thrice weak-thrice", "turned": "turned turned-weak",
    "heard": "heard heard-weak", "free": "free free-weak", "tuning": "fine coarse",
    "triads": "triads triads-weak triads-plain", "steps": "steps steps-weak",
    "published": "triads-random triads-longest",
    "tunes": "tunes tunes-weak tunes-part tunes-random", "people": "people person strong",
    "elsewhere": "imported deaf private strong", "tracks": "served cheap",
    "mixed": "strong weak fine triads-random triads-weak heard free",
}  # fmt: skip
FAMILIES = {
    "tunes": "major/*",
    "free": "kind/*", "tuning": "high/*", "triads": "minor/*", "steps": "falling",
    "published": "major/*,minor/*", "tracks": "knowledge/*",
}  # fmt: skip
SHOWN = ("show RUNS", "show RUNS --groups all")
COMPARED = ("compare RUNS", "compare RUNS --all --family FAMILY --alpha 0.1 --seed 3")
TABLES = (
    "table RUNS",
    "table RUNS --to latex --published all",
    "table RUNS --to csv --columns groups",
    "table RUNS --to md --spread se --columns benchmarks --published people --language zh",
    "table RUNS --to html --brief --spread none",
)
OTHERS = """
table runs/tunes runs/tunes-weak runs/tunes-part --as tunes:table-1
table runs/tunes runs/tunes-weak runs/tunes-random --as tunes:table-2 --spread interval --to md
table runs/tunes runs/tunes-random --as tunes:table-1 --spread se --to csv
table runs/tunes --as tunes:figure-1
table runs/tunes --as tunes:table-3
table runs/tunes --as nothing
table runs/strong --as tunes:table-1
table runs/strong runs/strong
list tunes
run tunes -m random --protocol nothing
run tunes -m random --released DIR
run tunes -m random --protocol released --dry-run
list desk.py:Triads --all
run desk.py:Triads -m random --dry-run
run heard/heard.jsonl -m random --audio true,swap --repeats 2 --dry-run
run desk.py:Steps -m random --dry-run
run choices.csv -m random --shots 2 --dry-run --json
merge shards/1 shards/2 --out runs/merged
merge shards/1 --out runs/half
rescore runs/weak --extract first-letter
rescore runs/weak --extract first-letter --json
rescore runs/free-weak --extract flexible
rescore runs/steps-weak --extract first-letter --out runs/rescored
show runs/rescored
compare runs/weak runs/weak-thrice
compare runs/fine runs/coarse --score sharp
compare runs/fine runs/coarse --score depth
compare runs/strong
compare runs/triads runs/triads-weak --family nothing
show runs/none
show shards/1
table runs/strong --published Nobody
table runs/strong --add nothing
table runs/strong --to pdf
report runs/strong --lang fr
run desk.py:Triads -m random --mode none
run desk.py:Nothing -m random
run triad -m random
run choices.csv -m random --columns answer=nothing
run choices.csv -m random --columns nothing=answer
run choices.csv -m random --repeats 0
run choices.csv -m random --shots 99
run choices.csv -m random --distractors ir
run choices.csv -m random --scorer nothing
run choices.csv -m random --extract nothing
run choices.csv -m random --sample 99 --limit 2
run choices.csv -m random --shard 3/2
run choices.csv -m random --budget 3euro
run choices.csv -m python:desk.py:strong --temperature 1 --out runs/strong
"""


def make_desk():
    """All that the runs are made of, in the working directory."""
    shutil.copy(desk.__file__, "desk.py")
    rows = [*desk.rows()]
    with Path("choices.csv").open("w", newline="") as file:
        lines = csv.DictWriter(file, rows[0])
        lines.writeheader()
        lines.writerows(rows)
    for n, row in enumerate(rows[:24]):
        tone(Path("heard", f"{n // 2}.wav"), 200 + 10 * n)
        options = [row[letter] for letter in "ABCD"]
        others = iter(("ir", "cu", "iu"))
        row |= {
            "audio": f"{n // 2}.wav", "options": options,
            "distractor_kinds": [
                "right" if letter == row["answer"] else next(others) for letter in "ABCD"
            ],
        }  # fmt: skip
        for letter in "ABCD":
            del row[letter]
    jsonl(Path("heard", "heard.jsonl"), *rows[:24])
    scorers = {
        "exact": "D", "normalised": "d", "contains": "C", "number:1": "6", "set-f1": "C, E, G",
        "wer": "7 beats", "cer": "D", "edit": "7 beats, C", "regex": "[CD]", "notes": "C, E",
    }  # fmt: skip
    jsonl(
        Path("free.jsonl"),
        *(
            {"question": f"{n}. What is {name}?", "answer": right, "scorer": name,
             "group": f"kind/{name.partition(':')[0]}", "cluster": f"c{n % 7}"}
            for n in range(2) for name, right in scorers.items()
        ),
        *(
            {"question": f"{n}. Which are they?", "options": ["C", "D", "E", "F"],
             "answer": ["A", "C"][: 1 + n % 2] , "group": "several"}
            for n in range(8)
        ),
    )  # fmt: skip


def make_served():
    """Runs by hand, of models that are served, with log-probabilities, costs and repeats."""
    for name, model, gift in (
        ("served", "openai:gpt-4o-audio-preview", 0.7), ("cheap", "openai:gpt-4o-mini", 0.45)
    ):  # fmt: skip
        answer = hand.student(name, gift, "B" if name == "cheap" else None)
        trials = hand.mucho_trials(
            12, audio=("true", "none"), distractors=("all", "ir+cu"), repeats=2
        )
        records = [answer(trial) for trial in trials]
        records[3:5] = [hand.failed(trial) for trial in trials[3:5]]
        hand.write_run(Path("runs", name), "tracks", model, records)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A folder with all runs, inside which the core is alone and its screen 100 columns wide."""
    folder = tmp_path_factory.mktemp("golden")
    with pytest.MonkeyPatch.context() as patch, chdir(folder), core_alone(TUNES):
        patch.setenv("COLUMNS", "100")
        patch.setenv("ZHIYIN_LANG", "en")
        for name in ("CACHE", "DATA", "PRICES"):
            patch.setenv(f"ZHIYIN_{name}", str(folder / "cache"))
        make_desk()
        make_served()
        said = []
        patch.setenv("COLUMNS", "1000")  # a time may be longer than another
        for line in RUNS.strip().splitlines():
            said.append(f"$ zhiyin {line}\n{told(*line.split())}\n")
        patch.setenv("COLUMNS", "100")
        for path in [*Path().glob("*/*/run.json")]:
            make_timeless(path.parent)
        for name, (source, changes) in EDITED.items():
            shutil.copytree(Path("runs", source), Path("runs", name))
            about = json.loads(Path("runs", name, "run.json").read_text("utf-8"))
            for key, value in changes.items():
                about[key] = {**about[key], **value} if isinstance(value, dict) else value
            Path("runs", name, "run.json").write_text(json.dumps(about), "utf-8")
            make_timeless(Path("runs", name))
        yield said


CHINESE = ("heard", "mixed", "published", "tracks", "tunes")
"""Sets whose texts stand there in Chinese, too; its messages are all in ``golden/words``."""


def console(words, languages=("en",)):
    """What some commands print, as on a terminal."""
    found = []
    for line in words:
        for language in languages:
            os.environ["ZHIYIN_LANG"] = language
            found.append(f"$ {line}\n{told(*line.split())}\n")
    os.environ["ZHIYIN_LANG"] = "en"
    return place_free("".join(found))


def place_free(text):
    """Without what hangs on the machine: its folder, its clock, and the program's version."""
    text = text.replace(hashlib.sha256(Path("desk.py").read_bytes()).hexdigest(), "CODE")
    text = text.replace(str(Path.cwd()), "DESK").replace(__version__, "VERSION")
    text = re.sub(r'(?<="machine": )"[^"]*"', "MACHINE", text)
    return re.sub(r"[\d.,]+ s(, [\d.,]+ a second)?(?=\n)|(?<=_s\": )[\d.e-]+", "TIME", text)


def runs_of(name):
    return " ".join(f"runs/{run}" for run in SETS[name].split())


def languages_of(name):
    return ("en", "zh") if name in CHINESE else ("en",)


def test_what_a_run_prints(house):
    kept("core/run.txt", place_free("".join(house)))


@pytest.mark.parametrize("name", ["weak-thrice", "heard", "free-weak", "triads", "steps", "fine"])
def test_what_a_run_keeps(house, name):
    about = json.loads(Path("runs", name, "run.json").read_text("utf-8"))
    lines = Path("runs", name, "records.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines[:: len(lines) // 5]]
    kept(f"core/run-{name}.json", place_free(as_lines([about, *records])))


@pytest.mark.parametrize("name", SETS)
def test_what_is_shown(house, name):
    lines = [x.replace("RUNS", runs_of(name)) for x in SHOWN]
    kept(f"core/show-{name}.txt", console(lines, languages_of(name)))
    others = " ".join(runs for other, runs in SETS.items() if other < name).split()
    runs = [f"runs/{run}" for run in SETS[name].split() if run not in others]
    found = [json.loads(told("show", run, "--json")) for run in runs]
    if found:  # each run is told once
        kept(f"core/show-{name}.json", place_free(as_lines(found)))


@pytest.mark.parametrize("name", SETS)
def test_what_is_compared(house, name):
    family = FAMILIES.get(name, "near/*")
    lines = [x.replace("RUNS", runs_of(name)).replace("FAMILY", family) for x in COMPARED]
    text = told(*lines[1].split(), "--json")
    text = as_lines(json.loads(text)) if text.count("\n") == 1 else text
    kept(f"core/compare-{name}.txt", console(lines, languages_of(name)) + text)


@pytest.mark.parametrize("name", SETS)
def test_what_stands_in_tables(house, name):
    lines = [x.replace("RUNS", runs_of(name)) for x in TABLES]
    kept(f"core/table-{name}.txt", console(lines))


@pytest.mark.parametrize("name", SETS)
def test_what_stands_on_a_page(house, name):
    languages = ",".join(languages_of(name))
    out = Path(f"report-{name}")
    text = console([f"report {runs_of(name)} --lang {languages} --out {out}"])
    for page in sorted(out.glob("*.html")):
        body = place_free(page.read_text("utf-8").partition('<main id="main">')[2])
        body = body.partition("</svg>")[2]  # without its patterns
        text += f"\n--- {page.name}\n{body if name in WHOLE else in_words(body)}"
    for path in sorted(out.glob("data/*.js")):
        data = json.loads(re.sub(r"^[^{\[]*?,(?=[{\[\x22])|\)\W*$", "", path.read_text("utf-8")))
        if isinstance(data, str):  # a large portion is packed
            data = json.loads(gzip.decompress(base64.b64decode(data)))
        data.pop("words", None) if isinstance(data, dict) else None
        every = crc32(place_free(as_lines(data)).encode())
        text += f"\n--- {path.name} {every:x}\n{as_lines(beginning(data))}"
    kept(f"core/report-{name}.txt", re.sub(r" \([\d.]+ kB\)", "", place_free(text)))


WHOLE = ("published",)
"""Pages that stand there to the letter."""


def beginning(data):
    """The first few of whatever there are many of."""
    if isinstance(data, list):
        return [beginning(each) for each in data[:2]]
    if isinstance(data, dict):
        names = [*data][: None if len(data) < 16 else 2]
        return {name: beginning(data[name]) for name in names}
    return data


def in_words(page):
    """The words and figures of a page; of its marks and pictures a sum, which sees any change."""
    words = re.sub(r"<svg.*?</svg>|<[^>]*>", " ", page, flags=re.DOTALL)
    lines = [" ".join(line.split()) for line in words.splitlines()]
    return "\n".join([f"{crc32(page.encode()):x}", *filter(None, lines), ""])


def test_what_other_commands_print(house):
    kept("core/others.txt", console(OTHERS.strip().splitlines()))


def test_which_runs_stand_side_by_side(house):
    text = ""
    for names in (*SETS.values(), "strong weak strong-thrice weak-thrice turned merged half"):
        runs = [
            OpenRun(Path("runs", name)) for name in names.split() if Path("runs", name).exists()
        ]
        by_benchmark = {}
        for run in runs:
            by_benchmark.setdefault(run.manifest.benchmark, []).append(run)
        for own in by_benchmark.values():
            alike = asked_alike(own)
            told_of = asked_otherwise(own, alike)
            text += f"{[run.folder.name for run in own]} {alike} {on_shared_items(own, alike)}\n"
            text += f"{asked_alike(own, ('options.repeats', 'options.extract'))}\n"
            for language in ("en", "zh"):
                words = [*told_of.common, *(w for each in told_of.each for w in each)]
                text += f"{[say(each, language) for each in words]}\n"
                text += (
                    f"{[say(each, language) for each in told_of.named('abcdefgh'[: len(own)])]}\n"
                )
            for group in alike:
                text += "".join(ranked([own[n] for n in group]))
    kept("core/side-by-side.txt", text)


def ranked(runs):
    """How runs that were asked alike are ranked, in the whole and in each group."""
    for measure in known(runs[0].manifest).measures[:2]:
        names = [run.folder.name for run in runs]
        tests = RunTests(names, runs, measure, groups=True)
        for group in ("all", "near", "near/white", "far", "high", "minor", "knowledge"):
            places = enumerate(tests.samples)
            values = {n: estimate(one.frame, measure, one.frame.places(group)) for n, one in places}
            values = {n: own for n, own in values.items() if own.value is not None}
            order, best = tests.ranking(values, group), tests.ahead(values, group)
            pairs = [
                (pair, f"{one.value:.8g}", one.better) for pair, one in tests.pairs(group).items()
            ]
            yield f"{measure.name} {group}: {order} {best} {tests.rivals(values)} "
            yield f"{tests.shared(group)} {pairs}\n"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_the_core_says_stands_in_its_own_catalogues(language):
    """Elsewhere its message would be a bare name where the plug-in that has it is not there."""
    core = Path(zhiyin.__file__).parent
    files = [p for p in core.rglob("*") if "plugins" not in p.relative_to(core).parts]
    own = [
        p for p in files if p.suffix == ".ftl" and language in (p.parent.name, p.suffixes[0][1:])
    ]
    names = {
        name for path in own
        for name in re.findall(r"^([a-z][\w-]*) =", path.read_text("utf-8"), re.MULTILINE)
    }  # fmt: skip
    for path in files:
        if path.suffix == ".py":
            used = re.findall(r'\bsaid\(\s*"([a-z][\w-]*)"', path.read_text("utf-8"))
            assert set(used) <= names, path
