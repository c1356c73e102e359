"""A study whose truth is known, as `zhiyin study export` writes it, and an exam to go with it."""

import json
import random
from collections import Counter
from pathlib import Path

import msgspec

from zhiyin.trial import Option, Trial, say

KEYS = "ABCD"


def exam(groups, per_group=None, target="B"):
    """Trials: `groups` is a list of names, or a mapping of names to numbers of questions."""
    counts = groups if isinstance(groups, dict) else dict.fromkeys(groups, per_group)
    return [
        Trial(
            f"{group}/{n}", (say("user", f"{group} {n}?"),), f"{group} {n}?",
            tuple(Option(key, f"{key} of {group} {n}", key) for key in KEYS),
            target, (group,), item=f"{group}/{n}",
        )
        for group, count in counts.items()
        for n in range(count)
    ]  # fmt: skip


def row(person, trial, keys, **more):
    """A line of the export, with the columns that are read and some that are not."""
    usual = {
        "format": 1, "study": "s", "kind": "exam", "participant": person, "language": "en",
        "education": None, "music_major": None, "music_background": None, "scores": {},
        "headphones": "none", "headphones_passed": None, "item": f"i-{trial}", "trial": trial,
        "trial_item": trial, "condition": "", "group": "", "form": "one", "role": "plain",
        "position": 1, "order": list(KEYS), "keys": list(keys), "said": "", "grades": {},
        "text": "", "expected": [], "right": None, "listens": [], "given": 1.0, "saved": 2.0,
        "active_s": 5.0, "idle_s": 0.0, "outcome": "complete", "excluded": [],
    }  # fmt: skip
    return usual | more


def write_export(folder: Path, trials, rows, keep=None) -> Path:
    """Answers, trials and codebook in a folder; gives the file of answers."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")
    lines = b"".join(msgspec.json.encode(trial) + b"\n" for trial in trials)
    path.with_suffix(".trials.jsonl").write_bytes(lines)
    book = {"format": 1, "study": {"name": "s", "kind": "exam", "keep": keep or {}}}
    path.with_suffix(".codebook.json").write_text(json.dumps(book))
    return path


def brute_alpha(units):
    """Krippendorff's nominal alpha by all pairs of values, from its definition."""
    units = [unit for unit in units if len(unit) > 1]
    total = sum(map(len, units))
    observed = sum(
        sum(a != b for i, a in enumerate(u) for j, b in enumerate(u) if i != j) / (len(u) - 1)
        for u in units
    )
    counts = Counter(value for unit in units for value in unit)
    expected = sum(
        n * m for a, n in counts.items() for b, m in counts.items() if a != b
    ) / (total - 1)  # fmt: skip
    return 1 - observed / expected


def make_desk(folder: Path) -> None:
    """What the page on people supposes the reader to have."""
    draw = random.Random(5)
    trials = exam(["melody", "harmony"], 6)
    study = [
        row(
            f"person-{n}", trial.id, "B" if draw.random() < 0.4 + 0.2 * (n % 3) else "C",
            education=("bachelor", "master")[n % 2], music_major=("yes", "no")[n // 2 % 2],
            order=draw.sample(KEYS, 4),
        )
        for n in range(16)
        for trial in trials
    ]  # fmt: skip
    write_export(folder / "people", trials, study)
    marks = [
        row(f"person-{n}", trial.id, "B" if draw.random() < 0.8 else "BC", kind="validate",
            form="many")
        for n in range(4)
        for trial in trials
    ]  # fmt: skip
    write_export(folder / "validation", trials, marks)
    rated = [
        row(f"person-{n}", trial.id, [], kind="rate", form="grades", item=f"run-{run}/{trial.id}",
            grades={"precision": draw.randint(run, 6), "novelty": draw.randint(1, 9)})
        for n in range(4)
        for trial in trials[:3]
        for run in (1, 2)
    ]  # fmt: skip
    write_export(folder / "rated", trials, rated)
    lines = ["id,question,A,B,C,D,answer,topic"]
    for trial in trials:
        lines.append(",".join([trial.id, trial.stem, *(o.text for o in trial.options), "B",
                               trial.groups[0]]))  # fmt: skip
    (folder / "exam.csv").write_text("\n".join(lines) + "\n")
    lines = ["ID,Degree,Question,Response,Role,Time"]
    for n in range(6):
        lines += [f"P{n},{('BA', 'MA')[n % 2]},{t.id},{draw.choice('BBC')},q,3.5" for t in trials]
    (folder / "survey.csv").write_text("\n".join(lines) + "\n")


def take_part(folder: Path, people: int = 3) -> None:
    """Let people answer a study in browsers, by chance but for its attention checks.

    That they have been there long enough to hear every sound is written into the store.
    """
    import sqlalchemy as sa

    from study_help import Person, opened
    from zhiyin.plugins.studies.database import PLACES

    draw = random.Random(0)
    with opened(folder) as store:
        for _ in range(people):
            person = Person.of(store)
            person.begin()
            while person.look():
                with store.write() as connection:
                    row = connection.execute(
                        sa.select(PLACES).where(PLACES.c.id == int(person.place))
                    ).one()
                    earlier = PLACES.update().where(PLACES.c.id == row.id)
                    connection.execute(earlier.values(given=row.given - 60))
                item = store.items[row.item]
                right = row.order.index(item.expected[0])
                chosen = right if item.role == "attention" else draw.randrange(len(row.order))
                sent = {"chosen": [chosen], "active_ms": 9000, "listens": [1] * len(item.sounds)}
                assert person.answer(**sent, after_ms=3000).json()["state"] == "saved"
