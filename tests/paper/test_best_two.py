"""Which two runs a page and its figures call the best two, as docs/report.md has it."""

import re
from pathlib import Path

import pytest

from findings_help import choice, student, write_run
from zhiyin.report.run_set import in_rank
from zhiyin.report.writing import report


def runs_in_two_ways(folder):
    """Two models asked in two ways; the second way goes better."""
    asked = [choice(f"q{i}", groups=("x",), gold="ABCD"[i % 4]) for i in range(300)]
    gifts = {("good", 0): 0.7, ("middling", 0): 0.5, ("good", 5): 0.9, ("middling", 5): 0.6}
    return [
        write_run(
            folder / f"{model}-{shots}", "toy", model,
            map(student(f"{model}{shots}", gift), asked),
            **({"options__shots": shots} if shots else {}),
        )
        for (model, shots), gift in gifts.items()
    ]  # fmt: skip


@pytest.mark.slow  # draws figures in processes
def test_the_link_and_the_figure_are_of_the_best_two_that_were_asked_alike(tmp_path):
    places = runs_in_two_ways(tmp_path)
    names = {run: place.name for run, place in enumerate(in_rank(places))}
    report(*places, out=tmp_path / "page", notation=False)
    page = (tmp_path / "page" / "index.html").read_text("utf-8")
    one, two = re.search(r"agree=apart%3A(\d+)%3A(\d+)[^>]*>Where they differ", page).groups()
    assert {names[int(one)], names[int(two)]} == {"good-5", "middling-5"}
    data = (tmp_path / "page" / "figures" / "toy-differences.csv").read_text("utf-8")
    assert "good, 5 shots" in data
    assert "middling, 5 shots" in data
    floats = (tmp_path / "page" / "figures" / "captions.tex").read_text("utf-8").split("\n\n")
    assert all(one.startswith(r"\begin{figure*}") for one in floats)
    assert any(r"\label{fig:toy-differences}" in one for one in floats)
    docs = Path(__file__).parent.parent.parent / "docs"
    assert "the best two asked alike differ" in " ".join(
        (docs / "report.md").read_text("utf-8").split()
    )
    whole = " ".join((docs / "how-to" / "publish.md").read_text("utf-8").split())
    assert "the two best runs asked alike (`*-differences`)" in whole
