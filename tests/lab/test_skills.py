"""Report cards: skills over benchmarks, with parts, floors, intervals and people's figures."""

import asyncio

import msgspec
import numpy as np
import pytest

from conftest import REPOSITORY
from zhiyin.analysis.summary import summarise
from zhiyin.contract import Benchmark
from zhiyin.contract.declared import SKILLS, Reference
from zhiyin.contract.registry import find, ours, register
from zhiyin.contract.settings import RunSettings
from zhiyin.plugins.lab.suite.cards import Cards, WrittenCard, orders_table, skill_findings
from zhiyin.plugins.lab.suite.file import read_suite
from zhiyin.plugins.methods.skills import orders, read_card
from zhiyin.record import Reply, Verdict
from zhiyin.session import carry_out
from zhiyin.statistics.paired import holm, sign_flip
from zhiyin.trial import Option, Trial, say


def options(n):
    return tuple(Option(letter, letter.lower(), letter) for letter in "ABCDE"[:n])


def trial(name, n=4, groups=("tones",), **more):
    return Trial(name, (say("user", name),), name, options(n), "A", groups, **more)


class Ears(Benchmark):
    name = "skill-ears"
    skills = {"tones": "pitch", "beats": "rhythm", "deep": "reasoning"}
    made = ()

    def trials(self):
        return iter(self.made)

    def score(self, trial, exchange):
        if not trial.options:
            return Verdict("ungraded", None)
        return super().score(trial, exchange)

    @classmethod
    def published(cls):
        rows = {
            "Musicians": {"tones": {"accuracy": 0.9}, "deep": {"accuracy": 0.5}},
            "Others": {"tones": {"precision": 0.6}},
            "A model": {"tones": {"accuracy": 1.0}},
        }
        kinds = {"Musicians": "human", "Others": "human", "A model": "model"}
        return Reference("people", "a paper", rows, kinds)


class More(Ears):
    name = "skill-more"

    @classmethod
    def published(cls):
        return None


for kind in (Ears, More):
    register(kind)


class Says:
    concurrency, instant = 1, True

    def __init__(self, name, right):
        self.name, self.right = name, right

    async def generate(self, messages, sampling, trial):
        return Reply("Answer: A" if self.right(trial.id) else "Answer: B")

    async def close(self):
        pass


def run(folder, kind, trials, right, name="m"):
    own = type(kind.__name__, (kind,), {"made": tuple(trials)})
    order = RunSettings(own({}), Says(name, right), {}, out=str(folder), canary=False)
    asyncio.run(carry_out(order))
    return folder


def lines(card):
    return {line.skill: line for line in card.lines}


def test_an_items_askings_are_averaged_and_every_item_weighs_the_same(tmp_path):
    asked = [trial(f"a/r{n}", item="a") for n in range(3)] + [trial("b"), trial("c", 2)]
    one = run(tmp_path / "one", Ears, asked, lambda name: name in ("a/r0", "b"))
    two = run(tmp_path / "two", More, [trial("a"), trial("d")], lambda name: name == "d")
    line = lines(read_card("m", [("ears", one), ("more", two)]))["pitch"]
    assert line.items == 5  # "a" of the other benchmark is another item
    assert line.figure.value == pytest.approx((1 / 3 + 1 + 0 + 0 + 1) / 5)
    assert line.floor == pytest.approx((0.25 * 4 + 0.5) / 5)
    ears, more = line.parts
    assert (ears.items, more.items) == (3, 2)
    # A part's figures are those of the benchmark itself.
    whole = summarise(one).groups["tones"]
    assert ears.figure.value == pytest.approx(whole.accuracy)
    assert (ears.figure.low, ears.figure.high) == pytest.approx(whole.ci95)


def test_intervals_know_of_clusters(tmp_path):
    asked = [trial(str(n), cluster=f"song{n // 10}") for n in range(100)]
    apart = [msgspec.structs.replace(one, cluster=None) for one in asked]

    def right(name):
        return int(name) // 10 % 2 == 0

    found = [
        lines(read_card("m", [("ears", run(tmp_path / str(n), Ears, trials, right))]))["pitch"]
        for n, trials in enumerate((asked, apart))
    ]
    widths = [line.figure.high - line.figure.low for line in found]
    assert [line.clusters for line in found] == [10, 100]
    assert widths[0] > 2 * widths[1]


def test_a_trial_may_show_two_skills_or_none(tmp_path):
    asked = [trial("a", groups=("tones", "deep")), trial("b", groups=("beats",)),
             trial("c", groups=("noise",))]  # fmt: skip
    found = lines(read_card("m", [("ears", run(tmp_path / "r", Ears, asked, lambda n: True))]))
    held = {skill: line.items for skill, line in found.items() if line.items}
    assert held == {"pitch": 1, "rhythm": 1, "reasoning": 1}
    assert set(found) == set(SKILLS)


def test_altered_conditions_and_failures_are_in_no_skill(tmp_path):
    asked = [trial("a"), trial("b", tags={"audio": "noise"})]
    found = lines(read_card("m", [("ears", run(tmp_path / "r", Ears, asked, lambda n: True))]))
    assert found["pitch"].items == 1


def test_what_is_neither_right_nor_wrong_is_counted_apart(tmp_path):
    asked = [trial("a"), trial("b", 0), trial("c", 0)]
    (part,) = lines(read_card("m", [("ears", run(tmp_path / "r", Ears, asked, lambda n: True))]))[
        "pitch"
    ].parts
    assert (part.items, part.degrees) == (1, 2)


def test_people_stand_beside_with_their_figure_and_where_it_is_of_other_items(tmp_path):
    folder = run(tmp_path / "r", Ears, [trial("a"), trial("b")], lambda n: True)
    (part,) = lines(read_card("m", [("ears", folder)]))["pitch"].parts
    told = {people.who: (people.value, people.figure) for people in part.people}
    assert told == {"Musicians": (0.9, "accuracy"), "Others": (0.6, "precision")}


def test_a_missing_benchmark_is_named_at_every_skill_that_it_shows(tmp_path):
    card = read_card("m", [], [("ears", Ears, "get it from https://x.org")])
    assert {skill for skill, line in lines(card).items() if line.missing} == {
        "pitch", "rhythm", "reasoning",
    }  # fmt: skip
    assert card.get == {"ears": "get it from https://x.org"}


@pytest.mark.slow
def test_models_are_compared_on_the_items_that_all_judged(tmp_path):
    asked = [trial(str(n), cluster=f"c{n // 2}") for n in range(60)]
    rights = {"best": lambda n: int(n) % 10 != 0, "poor": lambda n: int(n) % 3 == 0,
              "twin": lambda n: int(n) % 10 != 1}  # fmt: skip
    cards = []
    for name, right in rights.items():
        own = asked if name != "poor" else asked[:40]
        folder = run(tmp_path / name, Ears, own, right, name)
        cards.append(read_card(name, [("ears", folder)]))
    (order,) = orders(cards)
    assert (order.items, order.clusters, order.tests) == (40, 20, 3)
    by_name = {row.name: row for row in order.ranked}
    assert by_name["best"].letters == by_name["twin"].letters != by_name["poor"].letters
    told = str(order.sentence)
    assert told in (
        "best, not significantly better than twin",
        "twin, not significantly better than best",
    )
    # By hand.
    values = {name: np.array([float(right(str(n))) for n in range(40)])
              for name, right in rights.items()}  # fmt: skip
    clusters = [f"c{n // 2}" for n in range(40)]
    pairs = [("best", "poor"), ("best", "twin"), ("poor", "twin")]
    p = holm([sign_flip(values[a] - values[b], clusters).p for a, b in pairs])
    assert [bool(one < 0.05) for one in p] == [True, False, True]


@pytest.mark.slow
def test_a_baseline_is_never_best(tmp_path):
    asked = [trial(str(n)) for n in range(40)]

    def order_of(**rights):
        cards = []
        for name, right in rights.items():
            folder = run(tmp_path / f"{name}{len(rights)}{right}", Ears, asked,
                         lambda n, most=right: int(n) < most, name)  # fmt: skip
            cards.append(read_card(name, [("ears", folder)]))
        (order,) = orders(cards)
        return order.ahead, str(order.sentence)

    worse = order_of(random=40, mine=4)
    assert worse == ("", "for scale: random significantly better")
    alike = order_of(random=21, mine=20)
    assert alike == ("", "for scale: random not significantly different")
    better = order_of(random=4, mine=40)
    assert better == ("mine", "for scale: random significantly worse")
    models = order_of(random=4, listener=40, mine=39, other=38)
    assert models[1] == (
        "no significant difference between the models. "
        "For scale: listener not significantly different; random significantly worse"
    )
    alone = order_of(random=4, listener=40)
    assert alone == ("listener", "for scale: random significantly worse")
    assert order_of(random=40, longest=4) == ("", "baselines alone")


def test_no_difference_is_no_best_model(tmp_path):
    asked = [trial(str(n)) for n in range(8)]
    cards = [
        read_card(name, [("ears", run(tmp_path / name, Ears, asked, lambda n: True, name))])
        for name in ("one", "other")
    ]
    (order,) = orders(cards)
    assert str(order.sentence) == "no significant difference between the models"


@pytest.mark.parametrize("name", ours())
def test_benchmarks_declare_groups_that_they_have(name):
    """A skill whose group is never counted would silently be empty."""
    kind = find(name)
    expected, published = kind.expected(), kind.published()
    known = set(expected.counts) if expected else set()
    known |= {group for row in published.rows.values() for group in row} if published else set()
    known |= {part for group in known for part in ("/".join(group.split("/")[:n]) for n in (1, 2))}
    source = "".join(
        path.read_text("utf-8")
        for path in (REPOSITORY / "src/zhiyin/plugins").rglob("*.*")
        if path.suffix in (".py", ".toml") and path.name != "benchmark.toml"  # which declares them
    )
    for group, skill in kind.skills.items():
        assert skill in SKILLS
        words = group.split("/")
        assert group in known or all(word.replace("_", " ") in source or word in source
                                     for word in words), group  # fmt: skip


def test_music_core_covers_every_skill_but_says_what_is_missing():
    suite = read_suite("music-core", ["first"])
    covered = {skill for cell in suite.cells for skill in find(cell.asked).skills.values()}
    assert covered == set(SKILLS)
    assert all(cell.optional for cell in suite.cells)


def test_of_few_items_no_sentence_speaks_of_a_skill(tmp_path):
    """As its cell is grey: below ten items nobody is best, and nobody is not."""
    for n in (8, 12):
        asked = [trial(str(i)) for i in range(n)]
        cards = [
            read_card(name, [("ears", run(tmp_path / f"{name}{n}", Ears, asked, right, name))])
            for name, right in (("one", lambda i: True), ("other", lambda i: False))
        ]
        found = orders(cards)
        written = [WrittenCard(card.name, card.lines, card.get) for card in cards]
        told = skill_findings([Cards("", written, found)])
        (row,) = orders_table(found).rows
        if n == 8:
            assert told == []
            assert str(row.cells[-1]) == "too few items to say (fewer than 10)"
        else:
            assert [str(one.sentence()) for one in told] == ["one is best at pitch, in writing."]
            assert "significantly better" in str(row.cells[-1]) or str(row.cells[-1]) == "one"
