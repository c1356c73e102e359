"""Published material and what is made of it, whole, against ``tests/golden/benchmarks``."""

import itertools
import json
from contextlib import chdir
from pathlib import Path

import msgspec

from golden_help import every, kept, line_of
from zhiyin.contract import Benchmark
from zhiyin.contract import published as material
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.plugins.benchmarks.reproduce_command import closing_sentence, files_of
from zhiyin.plugins.methods import imported
from zhiyin.record import Reply
from zhiyin.trial import Option, Trial, say


def row(published, rule, **more):
    return material.ReproducedFigure("m", f"{published}", published, rule, None, 9, **more)


def test_published_material(tmp_path, monkeypatch):
    right, wrong, open_one = row(0.5, 0.50005), row(0.25, 0.2502), row(None, 0.5)
    sets = [(n * [right] + m * [wrong] + k * [open_one],)
            for n in range(3) for m in (0, 1, 4, 5) for k in range(3)]  # fmt: skip
    text = every(closing_sentence, sets)
    rows = [row(0.5, 0.5 + off, within=0.01) for off in (0, 0.01, -0.01, 0.0101, 0.02)]
    text += f"{[each.reproduced for each in (*rows, row(0.5, None), open_one)]}\n"
    table = material.ReproducibleTable("t", "s", "r", lambda path: path.suffix == ".jsonl", list)
    monkeypatch.setenv("ZHIYIN_DATA", "home")
    with chdir(tmp_path):
        for name in ("a/x.jsonl", "a/b/y.jsonl", "a/.z.jsonl", "a/n.txt", "own.txt"):
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(name[-6:])
        places = ([Path("a")], [Path("own.txt")], [Path("a/b"), Path("a"), Path("a/x.jsonl")], [])
        for each, named in itertools.product(places, (True, False)):
            found = sorted(map(str, files_of(table, each, named=named)))
            text += f"{each} {named}: {found}\n"
        for each in places:
            found = line_of(imported.files_below, each, lambda place: place.glob("*.jsonl"), "none")
            text += found.partition(" -> ")[2]
        paths = [Path("a/x.jsonl"), Path("a/b/y.jsonl"), Path("own.txt")]
        text += every(imported.each_once, [(paths, "files"), ([*paths, paths[0]], "files"),
                                           (paths, "files", type)])  # fmt: skip
        file, packed = material.File("p", "at", size=3), material.Archive("z", {}, size=4)
        for files, archives in (((), ()), ((file,), ()), ((), (packed,)), ((file,), (packed,)),
                                ((file, material.File("q")), (packed,))):  # fmt: skip
            for name in ("data", "replies"):
                own = material.Source(name, "w", "h", "l", files=files, archives=archives)
                folder = material.folder_of("b", own)
                text += f"{own.fetchable} {own.size} {folder} {[f.address for f in files]}\n"
                text += f"{material.fetched_folder('b', [own])}\n"
                folder.mkdir(parents=True, exist_ok=True)
                (folder / ".fetched.json").touch()
                text += f"{material.fetched_folder('b', [own])}\n"
        text += f"{material.folder_of('b', own)} {table.called('b')}\n"
        options = tuple(Option(letter, letter, letter) for letter in "AB")
        trials = [Trial(f"t/{n}", (say("user", "?"),), "?", options, "A") for n in range(3)]

        class Kind(Benchmark):
            name, version = "kind", "7"

        score = Kind(None).score
        twice = [imported.repeated(trials[0], 2), *trials, trials[1]]
        given = [(trial, Reply("A" if n % 2 else "B")) for n, trial in enumerate(twice)]
        for more in ({}, {"lacking": 2, "unknown": "pictures", "options": {"x": 1}}):
            run = imported.write_run(Kind, given, score, paths, None, "robust", "", ["r"], **more)
            about = msgspec.to_builtins(read_manifest(run))
            del about["id"], about["versions"]
            text += f"{run} {json.dumps(about)}\n"
            text += "".join(f"{r.id} {r.verdict.state} {r.trial.tags}\n" for r in read_records(run))
            for path in run.iterdir():
                path.unlink()
    kept("benchmarks/published-material.txt", text.replace(f"{tmp_path}", ""))
