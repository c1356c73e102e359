"""Trials of ZIQI-Eval: their words, examples, shuffled options and verdicts."""

import argparse
import asyncio
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from zhiyin.contract.registry import find, open_benchmark
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.ziqi.data import published_categories
from zhiyin.plugins.benchmarks.ziqi.trials import ORDERS, open_wording, shuffled_order
from zhiyin.prompts import Template
from zhiyin.record import Exchange, Reply, Sampling, Turn
from zhiyin.trial import Message, Trial

SMALL = str(Path(__file__).parent.parent / "data" / "ziqi_small")
GOLDEN = Path(__file__).parent.parent / "golden" / "ziqi"


def trials(**options: Any) -> dict[str, Trial]:
    benchmark = open_benchmark("ziqi", {"data": SMALL, "partial": True, **options})
    made = {trial.id: trial for trial in benchmark.trials()}
    assert len(made) == len(benchmark)
    assert list(benchmark.trials()) == list(made.values())
    return made


def transcript(trial: Trial) -> str:
    return "".join(f"<<{m.role}>>\n{m.text}\n" for m in trial.messages)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("shots", ["0", "2"])
def test_prompts_are_as_they_were(language: str, shots: str) -> None:
    """ZHIYIN_GOLDEN=write renews the snapshots; raise `Ziqi.version` with them."""
    made = trials(language=language, shots=shots)
    chosen = ["popular_music/0", "popular_music/1", "music_generation/1"]
    text = "".join(f"## {name}\n{transcript(made[name])}" for name in chosen)
    path = GOLDEN / f"prompts.{language}.{shots}.txt"
    if os.environ.get("ZHIYIN_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_a_trial_holds_what_scoring_and_tables_need() -> None:
    trial = trials()["popular_music/7"]
    assert trial.target == "C"
    assert [(o.letter, o.key, o.text) for o in trial.options] == [
        (x, x, text)
        for x, text in zip("ABCD", ["第二拍", "第三拍", "第一拍", "第四拍"], strict=True)
    ]
    assert trial.groups == ("comprehension", "popular_music", "popular_music/funk")
    assert trial.tags["subcategory_zh"] == "放克（Funk）"
    assert trial.tags["kind"] == "comprehension"
    assert trials()["music_generation/0"].groups == (
        "generation",
        "music_generation",
        "music_generation/continuation",
    )


def test_european_music_is_set_against_all_other() -> None:
    sides = Counter(
        "world_ethnic_music/outside_europe" in trial.groups
        for trial in trials(category="world_ethnic_music").values()
    )
    assert sides == {True: 8, False: 2}
    assert not any("outside_europe" in g for g in trials()["female_music/0"].groups)


def test_braces_and_brackets_of_abc_survive() -> None:
    for trial in trials(shots=3, shuffle=True).values():
        last = trial.messages[-1].text
        assert trial.stem in last
        for option in trial.options:
            assert f"{option.letter}. {option.text}" in last
    assert "{c}B2 A2 G2|" in trials()["music_generation/1"].messages[-1].text
    assert Template("{question} {x").fill({"question": "{options} {question}"}) == (
        "{options} {question} {x"
    )


@pytest.mark.parametrize("shots", range(4))
def test_examples_stand_before_the_same_question(shots: int) -> None:
    bare, shown = trials(), trials(shots=shots)
    for name, trial in shown.items():
        given = trial.tags["shots"]
        assert len(trial.messages) == 2 * int(str(given)) + 1
        assert [m.role for m in trial.messages[:-1]] == ["user", "assistant"] * int(str(given))
        assert trial.messages[-1] == bare[name].messages[-1]
    collided = {name for name, trial in shown.items() if trial.tags["shots"] != shots}
    assert collided == ({"popular_music/1"} if shots == 3 else set())


def test_no_question_is_asked_after_its_own_answer() -> None:
    for trial in trials(shots=3).values():
        assert not any(f"\n\n{trial.stem}\n\n" in m.text for m in trial.messages[:-1])
    first = trials(shots=2)["popular_music/1"]
    assert "军鼓" in first.messages[0].text
    assert "民谣弹唱" in first.messages[2].text
    assert first.messages[3].text == "答案：A"


@pytest.mark.slow
def test_no_published_question_is_asked_after_its_own_answer(shared: Path) -> None:
    options = {"data": str(shared / "ziqi"), "shots": "5"}
    benchmark = open_benchmark("ziqi", options)
    fewer = [trial for trial in benchmark.trials() if trial.tags["shots"] != 5]
    assert all(trial.tags["shots"] == 4 for trial in fewer)
    assert f"each asked without itself: {len(fewer)}" in str(benchmark.remarks()[-1])
    assert "each asked without itself: 1" in str(benchmark.remarks_on(lambda: fewer[:1])[-1])
    others = [trial for trial in benchmark.trials() if trial.tags["shots"] == 5]
    assert not any("themselves" in str(r) for r in benchmark.remarks_on(lambda: others[:600]))
    for trial in benchmark.trials():
        assert not any(f"\n\n{trial.stem}\n\n" in m.text for m in trial.messages[:-1])


def test_shots_beyond_the_examples_or_the_range() -> None:
    with pytest.raises(InputError, match=r"popular_music\.csv: 3 different examples: --shots 4"):
        trials(shots=4)
    for value in ("6", "-1", "few", "1.5", ""):
        with pytest.raises(InputError, match="from 0 to 5"):
            trials(shots=value)


def test_missing_examples(tmp_path: Path) -> None:
    (tmp_path / "test").mkdir()
    source = Path(SMALL) / "test" / "female_music.csv"
    (tmp_path / "test" / "female_music.csv").write_bytes(source.read_bytes())
    with pytest.raises(InputError, match=r"dev/female_music\.csv: missing: --shots"):
        trials(data=str(tmp_path), shots=1)
    assert len(trials(data=str(tmp_path))) == 6


def test_every_order_is_equally_likely() -> None:
    counts = Counter(shuffled_order(7, f"popular_music/{i}") for i in range(24_000))
    assert set(counts) == set(ORDERS)
    assert stats.chisquare(list(counts.values())).pvalue > 0.001


@pytest.mark.slow
def test_shuffling_puts_the_key_anywhere_in_the_published_data(shared: Path) -> None:
    benchmark = open_benchmark("ziqi", {"data": str(shared / "ziqi"), "shuffle": True, "seed": 3})
    letters = Counter(
        option.letter
        for trial in benchmark.trials()
        for option in trial.options
        if option.key == trial.target
        if [o.key for o in trial.options] != ["A", "B", "C", "D"]
    )
    assert stats.chisquare(list(letters.values())).pvalue > 0.001


def test_shuffling_is_by_seed_and_id_alone_and_keeps_keys() -> None:
    plain, first, again, other = (
        trials(),
        trials(shuffle=True, seed=1),
        trials(shuffle=True, seed=1, category="popular_music"),
        trials(shuffle=True, seed=2),
    )
    assert all(first[name] == trial for name, trial in again.items())
    assert any(first[name] != trial for name, trial in other.items())
    for name, trial in first.items():
        assert [o.letter for o in trial.options] == list("ABCD")
        assert sorted((o.key, o.text) for o in trial.options) == [
            (o.key, o.text) for o in plain[name].options
        ]
        assert trial.target == plain[name].target


def test_all_of_the_above_stays_last() -> None:
    for seed in range(20):
        options = trials(shuffle=True, seed=seed)["popular_music/5"].options
        assert [o.key for o in options] == list("ABCD")


def test_a_verdict_speaks_of_the_published_letters() -> None:
    benchmark = open_benchmark("ziqi", {"data": SMALL, "partial": True, "shuffle": True, "seed": 1})
    moved = 0
    for trial in benchmark.trials():
        shown = next(o.letter for o in trial.options if o.key == trial.target)
        verdict = benchmark.score(trial, Exchange((Turn(Reply(shown)),)))
        assert (verdict.state, verdict.answer, verdict.letter) == ("correct", trial.target, shown)
        moved += shown != trial.target
        other = next(o.letter for o in trial.options if o.key != trial.target)
        assert benchmark.score(trial, Exchange((Turn(Reply(other)),))).state == "wrong"
    assert moved > 10
    silent = Exchange((Turn(Reply("这道题与音乐有关。", "length")),))
    assert benchmark.score(trial, silent).state == "truncated"


def test_the_answer_we_ask_for_is_the_answer_we_read() -> None:
    for language in ("zh", "en"):
        benchmark = open_benchmark(
            "ziqi", {"data": SMALL, "partial": True, "shots": 1, "language": language}
        )
        for trial in benchmark.trials():
            form = trial.messages[1].text[:-1]
            assert trial.messages[-1].text.endswith(f"\n{form}X")
            reply = Reply(f"先想一想。\n{form}{trial.target}")
            assert benchmark.score(trial, Exchange((Turn(reply),))).state == "correct"


def test_one_reply_per_trial() -> None:
    trial = trials()["female_music/0"]
    sent: list[Sequence[Message]] = []

    async def ask(messages: Sequence[Message], sampling: Sampling | None = None) -> Reply:
        sent.append(messages)
        return Reply("A")

    strategy = open_benchmark("ziqi", {}).strategy(trial)
    exchange = asyncio.run(strategy(trial, ask))
    assert sent == [trial.messages]
    assert exchange.final.text == "A"


def test_flags_and_manifest_give_the_same_benchmark() -> None:
    package = find("ziqi")
    parser = argparse.ArgumentParser()
    package.add_options(parser)
    flags = ["--category", "female_music,generation", "--category", "popular_music", "--shuffle"]
    parsed = vars(parser.parse_args(flags)) | {"data": SMALL, "seed": 4, "shots": "1"}
    manifest = {**parsed, "shots": 1, "colour": "green"}
    first, second = package.from_options(parsed), package.from_options(manifest)
    assert first.settings == second.settings
    assert [t.groups[1] for t in first.trials()].count("music_generation") == 5
    assert len(first) == 21
    assert len(package.from_options({"data": SMALL, "partial": True})) == 41


def test_unknown_language_and_policy() -> None:
    with pytest.raises(InputError, match="--language 'fr': known: en, zh"):
        open_benchmark("ziqi", {"language": "fr"})
    with pytest.raises(InputError, match="'robusst': did you mean robust"):
        open_benchmark("ziqi", {"extract": "robusst"})


def test_prompts_can_be_replaced_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "question.zh.txt").write_text("{category}|{question}|{options}|{question}\n")
    (tmp_path / "option.zh.txt").write_text("<{text}>={letter}")
    text = trials(prompts=str(tmp_path))["composition_theory/4"].messages[-1].text
    stem = "In the set {0, 4, 7}, counted in semitones from the root, the chord is ____."
    assert text == (f"作曲理论|{stem}|<minor>=A\n<diminished>=B\n<augmented>=C\n<major>=D|{stem}")
    ours = trials()["music_generation/0"].messages[-1].text
    theirs = trials(prompts=str(tmp_path))["music_generation/0"].messages[-1].text
    assert theirs.split("\n")[0] == ours.split("\n")[0]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("question.zh.txt", "{question}", r"question\.zh\.txt: no \{options\}"),
        ("answer.zh.txt", "答案", r"answer\.zh\.txt: no \{letter\}"),
        ("option.zh.txt", "{letter} {text} {category}", r"unknown placeholder \{category\}"),
        ("question.zh.txt", "{question}{options}{option}", "did you mean options"),
        ("qestion.zh.txt", "{question}{options}", r"replaces no prompt: did you mean question\.zh"),
        ("question.en.txt", "{question}{options}", "no prompt for --language zh"),
        ("question.zh.txt", "题{question}{options}".encode("gbk"), "not UTF-8"),
    ],
)
def test_a_bad_prompt_names_file_and_placeholder(
    tmp_path: Path, name: str, text: str | bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=said) as caught:
        open_wording("zh", str(tmp_path))
    assert "\n" not in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_a_pack_that_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder: --prompts"):
        open_wording("zh", str(tmp_path / "absent"))


def test_unknown_names_go_by_their_own(tmp_path: Path) -> None:
    (tmp_path / "test").mkdir()
    header = "id,question,A,B,C,D,answer,subtheme\n"
    (tmp_path / "test" / "qin_music.csv").write_text(
        header + "x,琴有几弦？,五,六,七,八,C,古琴 制作\n"
    )
    (trial,) = trials(data=str(tmp_path), partial=False).values()
    assert trial.id == "qin_music/x"
    assert trial.groups == ("comprehension", "qin_music", "qin_music/古琴_制作")
    assert (trial.tags["category"], trial.tags["subcategory"]) == ("Qin music", "古琴 制作")


def test_names_of_groups_are_unique() -> None:
    categories = published_categories()
    groups = [c.groups(zh)[2] for c in categories.values() for zh in c.subcategories]
    assert len(groups) == len(set(groups)) == 57


def test_rotations_ask_every_question_with_each_option_first() -> None:
    plain, turned = trials(), {}
    for trial in trials(rotations="all").values():
        turned.setdefault(trial.tags["item"], []).append(trial)
    assert turned.keys() == plain.keys()
    assert any(len(rotations) == 4 for rotations in turned.values())
    for item, rotations in turned.items():
        assert [trial.tags["rotation"] for trial in rotations] == list(range(len(rotations)))
        assert {trial.cluster for trial in rotations} == {item}
        assert len({trial.options[0].key for trial in rotations}) == len(rotations)
        assert {trial.target for trial in rotations} == {plain[item].target}
        assert rotations[0].options == plain[item].options
        texts = {(option.key, option.text) for option in plain[item].options}
        assert all({(o.key, o.text) for o in trial.options} == texts for trial in rotations)
