"""A suite and two studies for the pictures: real pages, of runs and answers that are made here.

The people are simulated: four whose answers are right three times in four, and one who is still at
it. No figure of theirs is told anywhere.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from make import zhiyin

Opened = Callable[[Any, Path], Awaitable[None]]
SUITE = """\
name = "pilot"
about = "What do baselines get?"

[defaults]
seed = 1

[[models]]
model = "listener"

[[models]]
model = "random"

[[models]]
model = "first"

[[benchmarks]]
benchmark = "perception"
flags = { task = "chords", source = "generated", n = 24, stimuli = "stimuli" }

[[benchmarks]]
benchmark = "exercises"
flags = { task = "theory", n = 2 }
"""
RIGHT = 0.75


def make_suite() -> None:
    """A small suite, its report left out, in the working folder."""
    Path("pilot.toml").write_text(SUITE, "utf-8")
    zhiyin("suite", "pilot.toml", "--out", "suite", "--no-report", "--quiet")


def make_studies() -> None:
    """A study of questions in words, which people have answered, and one of sounds."""
    from study_help import Person, opened

    zhiyin("run", "exercises", "--task", "theory", "--kind", "interval,mode,metre", "--n", 3,
           "-m", "first", "--out", "theory", "--quiet")  # fmt: skip
    zhiyin("study", "make", "--from", "theory", "--out", "exam")
    zhiyin("study", "make", "--from", "runs/listener", "--sample", 6, "--out", "by-ear")
    file = Path("exam", "study.toml")
    file.write_text(file.read_text("utf-8").replace("# wanted = 20", "wanted = 20"), "utf-8")
    key, draw = _key(Path("theory")), random.Random(1)

    def answer(stem: str, shown: list[str]) -> dict[str, Any]:
        right = next(n for n, text in enumerate(shown) if text in key[stem])
        return {"chosen": [right if draw.random() < RIGHT else draw.randrange(len(shown))]}

    with opened(Path("exam")) as store:
        for number in range(4):
            person = Person.of(store)
            person.begin({"education": ("master", "bachelor")[number % 2], "music_major": "no",
                          "music_background": ("yes", "no")[number // 2]})  # fmt: skip
            person.all(answer)
    for study in ("exam", "by-ear"):
        with opened(Path(study)) as store:
            person = Person.of(store)
            person.begin()
            Path(study, "link.txt").write_text(person.link, "utf-8")


def _key(run: Path) -> dict[str, set[str]]:
    """The words of the right option by the question as it stands on a page."""
    from html import escape

    from zhiyin.engine.folder import read_records

    found: dict[str, set[str]] = {}
    for record in read_records(run):
        trial = record.trial
        words = {escape(o.text) for o in trial.options if o.key == trial.target}
        found.setdefault(escape(trial.stem), set()).update(words)
    return found


def study(name: str, page_of: str) -> Opened:
    """A page of a study: "information", "question" or "research"."""

    async def opened_there(page: Any, folder: Path) -> None:
        from study_help import Here, opened

        with opened(folder / name) as store, Here(store) as here:
            await page.call("Network.clearBrowserCookies")
            if page_of == "research":
                await page.open(here.research)
                await page.run("document.getElementById('token').value = 'token-t';"
                               "document.querySelector('button').click()")  # fmt: skip
                await page.wait_for("document.body?.dataset.page === 'research'")
            else:
                link = (folder / name / "link.txt").read_text("utf-8")
                begun = page_of == "question"
                await page.open(here.address + (link if begun else "/?language=en"))
            await page.wait_for("document.readyState === 'complete'")
            await page.run("new Promise((done) => setTimeout(done, 500))")

    return opened_there
