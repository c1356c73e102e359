"""The paper's figures: as printed, consistent with themselves, under our groups' names."""

from pathlib import Path
from statistics import mean

import pytest

from zhiyin.contract.declared import Reference
from zhiyin.contract.registry import find
from zhiyin.plugins.benchmarks.ziqi.data import ELSEWHERE, KINDS, WORLD, published_categories

BIAS = {
    "female_music": 0.4006,
    f"{WORLD}/black_african_music": 0.4862,
    f"{WORLD}/european_music": 0.4353,
    f"{WORLD}/{ELSEWHERE}": 0.3647,
}


@pytest.fixture(scope="module")
def reference() -> Reference:
    published: Reference = find("ziqi").published()
    return published


def test_rows_and_kinds(reference: Reference) -> None:
    assert reference.rows.keys() == reference.kinds.keys()
    assert list(reference.kinds.values()).count("human") == 13
    models = [row for row, groups in reference.rows.items() if "comprehension" in groups]
    assert len(models) == 16
    assert all(reference.kinds[row] == "model" for row in models)


def test_groups_are_those_of_our_runs(reference: Reference) -> None:
    ours = {"all", *KINDS, f"{WORLD}/{ELSEWHERE}"}
    for category in published_categories().values():
        for subtheme in category.subcategories:
            ours.update(category.groups(subtheme))
    for groups in reference.rows.values():
        assert groups.keys() <= ours


def test_f1_is_the_harmonic_mean_of_precision_and_recall(reference: Reference) -> None:
    for row, groups in reference.rows.items():
        for figures in groups.values():
            assert all(0 <= value <= 1 for value in figures.values())
            if "recall" in figures and figures["f1"]:
                p, r = figures["precision"], figures["recall"]
                assert figures["f1"] == pytest.approx(2 * p * r / (p + r), abs=1.1e-4), row


def test_means_of_table_2_are_the_printed_ones(reference: Reference) -> None:
    for group, printed in BIAS.items():
        values = [
            groups[group]["f1"]
            for groups in reference.rows.values()
            if "f1" in groups.get(group, {})
        ]
        assert len(values) == 16
        assert mean(values) == pytest.approx(printed, abs=6e-5)


def test_gpt4_of_table_4_adds_up_to_its_mean_in_table_3(reference: Reference) -> None:
    """Two questions per subcategory; film score apart from popular music; seven of history."""
    asked = {
        "western_music_history": 16,
        "popular_music": 22,
        "popular_music/film_score": 2,
        "world_ethnic_music": 18,
        "chinese_traditional_music": 12,
        "chinese_music_history": 14,
        "female_music": 8,
        "music_performance": 4,
        "music_education": 2,
        "music_aesthetics": 6,
        "composition_theory": 6,
        "generation": 4,
    }
    row = reference.rows["GPT-4 on the people's 114 questions"]
    right = sum(round(row[group]["precision"] * number) for group, number in asked.items())
    assert sum(asked.values()) == 114
    assert right / 114 == pytest.approx(row["all"]["precision"], abs=5e-5)


def printed_after(lines: list[str], heading: str, rows: int) -> list[list[str]]:
    """The words of the `rows` lines below the line that begins with `heading`."""
    start = next(i for i, line in enumerate(lines) if line.startswith(heading)) + 1
    return [line.split(" ") for line in lines[start : start + rows]]


@pytest.fixture
def paper(shared: Path) -> list[str]:
    """The lines of the paper's text, where it lies beside the data."""
    texts = list((shared.parent / "seeds").glob("000_*.txt"))
    if not texts:
        pytest.skip("the paper's text is not beside the data")
    return texts[0].read_text(encoding="utf-8").split("\n")


def test_tables_1_and_2_are_the_papers(paper: list[str], reference: Reference) -> None:
    models = [row for row, groups in reference.rows.items() if "comprehension" in groups]
    main = printed_after(paper, "Precision Recall (Acc.) F1", 16)
    bias = printed_after(paper, "European Other", 16)
    for row, (name, *first), (also, *second) in zip(models, main, bias, strict=True):
        assert row == name
        assert row.lower() == also.lower()
        groups = reference.rows[row]
        ours = [groups[kind][m] for kind in KINDS for m in ("precision", "recall", "f1")]
        assert [float(v) for v in first] == pytest.approx([100 * v for v in ours])
        ours = [groups[group]["f1"] for group in BIAS]
        assert [float(v) for v in second] == pytest.approx([100 * v for v in ours])


def test_tables_3_and_4_are_the_papers(paper: list[str], reference: Reference) -> None:
    people = printed_after(paper, "Educational Qualifications and Major", 12)
    ours = [
        groups["all"]["precision"]
        for groups in reference.rows.values()
        if "precision" in groups.get("all", {})
    ]
    assert [float(words[-1]) for words in people] == pytest.approx([100 * v for v in ours])
    fields = printed_after(paper, "master Ph.D. GPT-4", 13)
    rows = ("Master", "Doctorate", "GPT-4 on the people's 114 questions")
    for place, row in zip((-3, -2, -1), rows, strict=True):
        ours = [f["precision"] for group, f in reference.rows[row].items() if group != "all"]
        assert [float(words[place]) for words in fields] == pytest.approx([100 * v for v in ours])


def test_ranges_of_table_3_hold_their_means(reference: Reference) -> None:
    assert len(reference.ranges) == 11
    for row, groups in reference.ranges.items():
        low, high = groups["all"]["precision"]
        assert low <= reference.rows[row]["all"]["precision"] <= high
