"""Sister sets, and whether a model does better on what it may have read."""

import json
import math
import shutil
import tomllib
from pathlib import Path

import msgspec
import numpy as np
import pytest
from scipy import stats

from questions_help import jsonl
from zhiyin import cli
from zhiyin.engine.folder import read_records
from zhiyin.plugins.making.forge.renewing import (
    ItemAnswers,
    compare_answers,
    compare_features,
    content_of,
    contrast,
)
from zhiyin.record import Verdict
from zhiyin.trial import Option, Trial, say


def forge(capsys, *args):
    status = cli.main(["forge", *map(str, args)])
    found = capsys.readouterr()
    return status, found.out, found.err


def rows(count, first=0, group="timbre", length=4):
    words = ["lute", "oboe", "harp", "tuba", "viola", "cello", "horn", "gong"]
    return [
        {
            "id": f"q{n}",
            "question": f"Which of them plays {'softly ' * (n % length)}in take {n}?",
            "options": [words[(n + k) % 8] for k in range(4)],
            "answer": "ABCD"[n % 4],
            "category": group,
        }
        for n in range(first, first + count)
    ]


def run(folder, name, questions, model="first"):
    path = jsonl(folder / f"{name}.jsonl", *questions)
    flags = ["run", str(path), "-m", model, "--out", str(folder / name), "--quiet"]
    assert cli.main(flags) == 0
    return folder / name


@pytest.mark.slow
def test_a_generated_set_is_drawn_again_by_a_recipe(tmp_path, capsys):
    old, new = tmp_path / "old", tmp_path / "new"
    flags = ["--task", "chords", "--modality", "midi", "--n", "8"]
    assert cli.main(["run", "perception", *flags, "-m", "first", "--out", str(old), "--quiet"]) == 0
    capsys.readouterr()
    status, out, _ = forge(capsys, "renew", old, "--out", tmp_path / "s", "--json")
    found = json.loads(out)
    assert (status, found["old"], found["new"], found["shared"]) == (0, 8, 8, 0)
    assert found["command"].endswith("-m MODEL --recipe " + found["file"])
    recipe = ["--recipe", found["file"], "-m", "first", "--out", str(new), "--quiet"]
    assert cli.main(["run", "perception", *recipe]) == 0
    told = contrast(old, new)
    assert told.items == (8, 8)


@pytest.mark.slow
def test_a_setting_of_zero_is_in_the_recipe(tmp_path, capsys):
    """Scores without rests and ledger lines are renewed without them."""
    old = tmp_path / "old"
    flags = ["--source", "generated", "--task", "note", "--n", "2", "--rests", "0", "--ledger", "0"]
    cli.main(["run", "scores", *flags, "-m", "first", "--out", str(old), "--quiet"])
    capsys.readouterr()
    status, out, _ = forge(capsys, "renew", old, "--out", tmp_path / "s", "--json")
    recipe = tomllib.loads(Path(json.loads(out)["file"]).read_text())["flags"]
    assert status == 0
    assert (recipe["rests"], recipe["ledger"]) == (0, 0)


@pytest.mark.slow
def test_the_recipe_asks_as_many_items_as_were_compared(tmp_path, capsys):
    old, new = tmp_path / "old", tmp_path / "new"
    flags = ["--n", "3", "--limit", "10", "-m", "first"]
    assert cli.main(["run", "exercises", *flags, "--out", str(old), "--quiet"]) == 0
    capsys.readouterr()
    _, out, _ = forge(capsys, "renew", old, "--out", tmp_path / "s", "--json")
    found = json.loads(out)
    recipe = ["--recipe", found["file"], "-m", "first", "--out", str(new), "--quiet"]
    assert cli.main(["run", "exercises", *recipe]) == 0
    assert len(list(read_records(new))) == found["new"] == 10


def test_items_that_come_from_no_seed_are_told(tmp_path, capsys):
    old = run(tmp_path, "old", rows(12))
    status, _, err = forge(capsys, "renew", old, "--out", tmp_path / "s")
    assert status == 2
    assert "they do not come from the seed" in err
    assert "--pool" in err


def test_the_same_options_in_another_order_are_the_same_item():
    def trial(texts, **more):
        options = tuple(Option(x, t, t) for x, t in zip("ABC", texts, strict=True))
        told = "\n".join(f"{o.letter}. {o.text}" for o in options)
        return Trial("t", (say("user", f"Which?\n{told}"),), "Which?", options, **more)

    one, other = trial(["lute", "oboe", "harp"]), trial(["harp", "lute", "oboe"], groups=("x",))
    assert content_of(one) == content_of(other)
    assert content_of(one) != content_of(trial(["harp", "lute", "tuba"]))


def test_a_pool_is_matched_item_by_item(tmp_path, capsys):
    old = run(tmp_path, "old", rows(8))
    # The pool: two of the old ones, eight of the same lengths, eight that are far longer.
    far = [{**row, "question": "Well, " * 30 + row["question"]} for row in rows(8, 200)]
    pool = jsonl(tmp_path / "pool.jsonl", *far, *rows(2), *rows(8, 100))
    capsys.readouterr()
    status, out, _ = forge(capsys, "renew", old, "--pool", pool, "--out", tmp_path / "s", "--json")
    found = json.loads(out)
    assert (status, found["new"], found["shared"]) == (0, 8, 2)
    written = Path(found["file"]).read_text("utf-8").splitlines()
    taken = [json.loads(line)["id"] for line in written]
    assert sorted(taken) == sorted(row["id"] for row in rows(8, 100))
    status, _, err = forge(
        capsys, "renew", old, "--pool", jsonl(tmp_path / "p.jsonl", *rows(9)), "--out", tmp_path
    )
    assert status == 2
    assert "make more" in err


def test_features_apart_by_hand():
    (one,) = compare_features([{"x": 1.0}, {"x": 3.0}], [{"x": 4.0}, {}])
    assert (one.old, one.new, one.apart) == (2.0, 2.0, 0.0)
    (one,) = compare_features([{"x": 1.0}, {"x": 3.0}], [{"x": 4.0}])
    assert one.apart == 2.0


def test_the_contrast_by_hand(tmp_path):
    # "first" is right in the items whose answer is A: 3 of 10 and 5 of 20.
    old, new = run(tmp_path, "old", rows(10)), run(tmp_path, "new", rows(20, 300))
    found = contrast(old, new)
    assert (found.old, found.new, found.items) == (0.3, 0.25, (10, 20))
    plain = [10 / 9 * (3 * 0.7**2 + 7 * 0.3**2) / 100, 20 / 19 * (5 * 0.75**2 + 15 * 0.25**2) / 400]
    floor = [4 / 12 * 8 / 12 / 12, 6 / 22 * 16 / 22 / 22]
    variances = [max(a, b) for a, b in zip(plain, floor, strict=True)]
    se = math.sqrt(sum(variances))
    assert found.se == pytest.approx(se)
    df = sum(variances) ** 2 / (variances[0] ** 2 / 9 + variances[1] ** 2 / 19)
    assert found.p == pytest.approx(2 * stats.t.sf(0.05 / se, df))
    assert found.detectable == pytest.approx((stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * se)
    assert found.found == "none"


def test_answers_to_noise_or_fewer_options_are_no_further_items(tmp_path):
    """The run was asked each item with silence too, and knew none of those."""
    plain = [run(tmp_path, "old", rows(10)), run(tmp_path, "new", rows(20, 300))]
    both = []
    for folder in plain:
        records = list(read_records(folder))
        silent = [
            msgspec.structs.replace(
                one, id=f"{one.id}/silence", verdict=Verdict("wrong", "x", "D"),
                trial=msgspec.structs.replace(
                    one.trial, id=f"{one.id}/silence", stem=f"(silence) {one.trial.stem}",
                    tags={**one.trial.tags, "audio": "silence"},
                ),
            )
            for one in records
        ]  # fmt: skip
        both.append(folder.with_name(f"{folder.name}-both"))
        shutil.copytree(folder, both[-1])
        lines = [msgspec.json.encode(one) + b"\n" for one in records + silent]
        (both[-1] / "records.jsonl").write_bytes(b"".join(lines))
    assert contrast(*both) == contrast(*plain)


def test_new_items_are_weighed_to_the_old_groups(tmp_path):
    old = run(tmp_path, "old", rows(8) + rows(8, 8, "form"))
    new = run(tmp_path, "new", rows(4, 300) + rows(40, 400, "form") + rows(4, 500, "other"))
    found = contrast(old, new)
    assert found.new == pytest.approx(0.25)  # a quarter of each group
    assert (found.items, found.alone, found.shared) == ((16, 44), 4, 0)


@pytest.mark.slow
def test_items_in_both_runs_are_no_evidence(tmp_path, capsys):
    old = run(tmp_path, "old", rows(10))
    new = run(tmp_path, "new", rows(4) + rows(8, 300))
    found = contrast(old, new)
    assert (found.shared, found.items) == (4, (6, 8))
    capsys.readouterr()
    status, _, err = forge(capsys, "contamination", old, old)
    assert status == 2
    assert "too few to compare" in err
    other = run(tmp_path, "other", rows(8, 300), "random")
    capsys.readouterr()
    status, _, err = forge(capsys, "contamination", old, other)
    assert status == 2
    assert "give two runs of one model" in err


def drawn(rng, clusters, share):
    """Three items of each cluster, which depend on each other."""
    items = {}
    for cluster in range(clusters):
        known = rng.beta(4 * share, 4 * (1 - share))
        for n in range(3):
            right = float(rng.random() < known)
            items[f"{cluster}/{n}"] = ItemAnswers("all", str(cluster), right, 1)
    return items


def figures(rng, share_old, share_new):
    sets = [drawn(rng, 60, share_old), drawn(rng, 50, share_new)]
    return compare_answers("m", sets, {"all": 1.0})


@pytest.mark.slow
def test_the_test_keeps_its_level_and_has_the_power_that_it_states():
    rng = np.random.default_rng(5)
    null = [figures(rng, 0.6, 0.6) for _ in range(1500)]
    wrong = sum(one.p < 0.05 for one in null)
    assert 0.02 <= wrong / 1500 <= 0.07
    wanted = float(np.mean([one.detectable for one in null]))
    met = sum(figures(rng, 0.6 + wanted / 2, 0.6 - wanted / 2).p < 0.05 for _ in range(600))
    assert 0.73 <= met / 600 <= 0.88
