"""Every sentence of the report against brute force, on sets of runs that are easily misread."""

import random
import re

import msgspec
import pytest

from findings_help import Tracks, answered, beyond, choice, failed, mucho_trials, student, write_run
from published_help import declare
from said_help import texts
from zhiyin.analysis.compare import compare
from zhiyin.report.findings import ALPHA
from zhiyin.report.overview import overview
from zhiyin.report.page_data import index
from zhiyin.report.run_set import RunSet

pytestmark = pytest.mark.slow
NBSP = "\u00a0"


def plain(trial):
    tags = trial.tags
    return tags.get("audio", "true") == "true" and tags.get("distractors", "all") == "all"


class World:
    """Runs that are written, and what is said of them."""

    def __init__(self, root):
        self.root, self.runs, self._of = root, {}, []

    def add(self, name, records, **settings):
        records = list(records)
        write_run(self.root / name, "tracks", name, records, **settings)
        self.runs[name] = records

    def look(self):
        (found,) = overview(RunSet([self.root / name for name in self.runs])).benchmarks
        return found

    def board(self):
        """What a look at these runs found first."""
        if self._of != list(self.runs):
            self._board, self._of = self.look(), list(self.runs)
        return self._board

    def said(self, topic=None):
        return [
            str(f.words).replace(NBSP, " ")
            for f in self.board().findings
            if topic in (None, f.topic)
        ]

    def judged(self, name):
        """The trials that a headline is over: true sound, all distractors."""
        return [r for r in self.runs[name] if plain(r.trial) and r.verdict.state != "error"]

    def accuracy(self, name):
        records = self.judged(name)
        return sum(r.verdict.state == "correct" for r in records) / len(records)

    def by_cluster(self, name):
        """The scores of the items of each cluster."""
        items, clusters = {}, {}
        for r in self.judged(name):
            key = r.trial.cluster, r.trial.tags["item"]
            items.setdefault(key, []).append(r.verdict.state == "correct")
        for (cluster, item), right in items.items():
            clusters.setdefault(cluster or item, []).append(sum(right) / len(right))
        return list(clusters.values())

    def chance(self, name):
        records = self.judged(name)
        return sum(1 / len(r.trial.options) for r in records) / len(records)


@pytest.fixture
def world(tmp_path):
    return World(tmp_path)


def ablated():
    return mucho_trials(20, audio=("true", "noise", "swap"), distractors=("all", "ir", "ir+cu"))


def answering(name, gift, unread=0.0):
    """Answers with `gift`, less under altered sound; a share of replies cannot be read."""

    def answer(trial):
        draw = random.Random(f"{name}{trial.id}")
        if draw.random() < unread:
            return answered(trial, None, "hm", state="no_answer")
        return student(name, gift if trial.tags.get("audio") == "true" else 0.2)(trial)

    return answer


SETS = {
    "one run": lambda w: w.add("alone", map(answering("alone", 0.6), mucho_trials(20))),
    "ablations and noise": lambda w: [
        w.add("ears", map(answering("ears", 0.8), ablated())),
        w.add("luck", map(answering("luck", 0.2), mucho_trials(20))),
    ],
    "an ablation alone": lambda w: [
        w.add("ears", map(answering("ears", 0.45), mucho_trials(40))),
        w.add("two", map(answering("two", 0.45), mucho_trials(40, distractors=("ir",)))),
    ],
    "noise alone": lambda w: [
        w.add("ears", map(answering("ears", 0.7), mucho_trials(20))),
        w.add("deaf", map(answering("deaf", 0.7), mucho_trials(20, audio=("noise",)))),
    ],
    "repeats": lambda w: [
        w.add(n, map(answering(n, g), mucho_trials(20, repeats=3)))
        for n, g in (("good", 0.8), ("poor", 0.3))
    ],
    "a part": lambda w: [
        w.add("whole", map(answering("whole", 0.6), mucho_trials(20))),
        w.add("part", map(answering("part", 0.6), mucho_trials(20)[:15]), limit=15),
    ],
    "dead": lambda w: [
        w.add("dead", map(failed, mucho_trials(20))),
        w.add("live", map(answering("live", 0.6), mucho_trials(20))),
    ],
    "half dead": lambda w: w.add(
        "half",
        [failed(t) if n % 2 else answering("half", 0.6)(t) for n, t in enumerate(mucho_trials(20))],
    ),
    "other items": lambda w: [
        w.add("here", map(answering("here", 0.6), mucho_trials(20))),
        w.add("there", map(answering("there", 0.6), moved(mucho_trials(20)))),
    ],
    "many": lambda w: [
        w.add(f"m{n}", map(answering(f"m{n}", n / 8), mucho_trials(30))) for n in range(8)
    ],
    "many alike": lambda w: [
        w.add(f"m{n}", map(answering(f"m{n}", 0.5), mucho_trials(20))) for n in range(5)
    ],
    "unreadable": lambda w: [
        w.add("mumbler", map(answering("mumbler", 0.9, 0.6), mucho_trials(40))),
        w.add("plain", map(answering("plain", 0.6), mucho_trials(40))),
    ],
}


def moved(trials):
    return [
        msgspec.structs.replace(
            t, id=f"x{t.id}", stem=f"Other {t.stem}", cluster=t.cluster and f"x{t.cluster}"
        )
        for t in trials
    ]


def some(sets, every):
    """Their names: `make test` tries one in so many, `make trust` the others."""
    left = pytest.mark.trust
    return [pytest.param(name, marks=[left] * bool(n % every)) for n, name in enumerate(sets)]


@pytest.fixture(params=some(SETS, 3), scope="module")
def runs(request, tmp_path_factory):
    """Runs that no test changes: written, and looked at, once."""
    made = World(tmp_path_factory.mktemp("runs"))
    SETS[request.param](made)
    return made


HEADLINE = re.compile(
    r"(\S+) answers ([\d.]+) % of (\d+) trials? right \(95 % interval ([\d.]+) % to ([\d.]+) %\)"
    r": (better than chance|worse than chance|not significantly better than chance) \(([\d.]+) %\)"
    r"(?: by a test on (\d+) clusters)?"
)


def test_headlines_are_over_the_main_way_and_chance_is_the_runs_own(runs):
    told = {m[1]: m for text in runs.said("score") if (m := HEADLINE.match(text))}
    for name, records in runs.runs.items():
        if not runs.judged(name):
            assert name not in told
            alone = all(r.verdict.state == "error" for r in records)
            words = f"Every trial of {name} failed" if alone else f"{name} was judged with "
            assert any(text.startswith(words) for text in runs.said("score"))
            continue
        found = told[name]
        assert int(found[3]) == len(runs.judged(name))
        assert float(found[2]) == pytest.approx(100 * runs.accuracy(name), abs=0.051)
        assert float(found[7]) == pytest.approx(100 * runs.chance(name), abs=0.051)
        low, high, level = float(found[4]), float(found[5]), float(found[7])
        tested = beyond(runs.by_cluster(name), runs.chance(name))
        beside = "better" if low > level else "worse" if high < level else None
        if beside and (tested if tested is not None else not found[8]):
            assert found[6] == f"{beside} than chance"
        else:
            assert found[6] == "not significantly better than chance"
        assert bool(found[8]) == (bool(beside) and found[6].startswith("not"))
        if found[8]:
            assert int(found[8]) == len(runs.by_cluster(name))


def test_the_table_above_has_the_figures_of_the_sentences(runs):
    figures = runs.board().figures
    for number, name in enumerate(runs.runs):
        told = figures[number].get("all")
        if runs.judged(name):
            assert told.accuracy == pytest.approx(runs.accuracy(name))
            assert told.chance == pytest.approx(runs.chance(name))
            assert told.n == len(runs.judged(name))
        else:
            assert not told or not told.n


def test_adding_a_run_changes_nothing_that_is_said_of_another(world):
    world.add("ears", map(answering("ears", 0.45), mucho_trials(40)))
    before = [t for t in world.said("score") if t.startswith("ears answers")]
    world.add("two", map(answering("two", 0.5), mucho_trials(40, distractors=("ir", "cu"))))
    world.add("deaf", map(answering("deaf", 0.3), mucho_trials(40, audio=("noise", "swap"))))
    assert [t for t in world.said("score") if t.startswith("ears answers")] == before
    assert "chance (25.0 %)" in before[0]


def test_shown_trials_are_those_that_a_sentence_counts(runs):
    book = RunSet([runs.root / name for name in runs.runs])
    (board,) = overview(book).benchmarks
    columns = index(book, [])
    for finding in board.findings:
        counted = re.match(r"(\S+) got ([\d,]+) trials? wrong", str(finding.words))
        if not counted:
            continue
        show = finding.show
        states = columns.runs[int(show["run"])].states
        wanted = {k.removeprefix("tag."): v for k, v in show.items() if k.startswith("tag.")}
        listed = 0
        for place, state in enumerate(states):
            tags = all(
                columns.tags[tag].values[columns.tags[tag].codes[place]] == value
                for tag, value in wanted.items()
                if tag in columns.tags
            )
            listed += tags and state == "1"
        assert listed == int(counted[2].replace(",", ""))


BETTER = re.compile(r"(\S+) is better than (\S+) by ([\d.]+) points on the (\d+) items?")
APART = re.compile(r"No significant difference between (\S+) and (\S+) on (\d+) shared items?")


def test_who_is_better_is_what_the_comparison_says(runs):
    alive = [name for name in runs.runs if runs.judged(name)]
    pairs = {}
    if len(alive) > 1 and "there" not in alive:
        found = compare([runs.root / name for name in alive])
        pairs = {(p.first, p.second): p.groups[0] for p in found.pairs}
    said = runs.said("comparison")
    for text in said:
        if match := BETTER.match(text):
            row = pairs.get((match[1], match[2])) or pairs[match[2], match[1]]
            sign = 1 if (match[1], match[2]) in pairs else -1
            assert sign * row.difference > 0
            assert row.p_adjusted < ALPHA
            assert int(match[4]) == row.items
            assert float(match[3]) == pytest.approx(100 * abs(row.difference), abs=0.051)
        elif match := APART.match(text):
            assert pairs[match[1], match[2]].p_adjusted >= ALPHA
    if "there" in alive or len(alive) < 2:
        assert not said


def test_a_ranking_says_of_each_whether_the_first_beats_it(runs):
    said = [text for text in runs.said("comparison") if text.startswith("On ")]
    if len([name for name in runs.runs if runs.judged(name)]) <= 3:
        assert not said
        return
    (text,) = said
    found = compare([runs.root / name for name in runs.runs])
    named = re.findall(r"(m\d) \(([\d.]+) %\)", text)
    scores = [float(score) for _, score in named]
    assert scores == sorted(scores, reverse=True)
    best = named[0][0]
    beaten = {
        p.second if p.first == best else p.first
        for p in found.pairs
        if best in (p.first, p.second)
        and p.groups[0].p_adjusted < ALPHA
        and (p.groups[0].difference > 0) == (p.first == best)
    }
    others = {name for name, _ in named[1:]}
    tail = text.rpartition("better than ")[2]
    if others == beaten:
        assert tail == "each of the others."
    else:
        assert set(re.findall(r"m\d", tail)) == others - beaten


def test_groups_are_above_or_below_the_average_by_their_intervals(runs):
    board = runs.board()
    labels = {str(g.label): g.name for g in board.groups if g.level == 0}
    for number, name in enumerate(runs.runs):
        figures = board.figures[number]
        for text in runs.said("score"):
            if not text.startswith(f"{name} is clearly"):
                continue
            for side, names in re.findall(
                r"clearly (above|below) its own average in ([^;]*)", text
            ):
                for label in re.findall(r"([A-Z][^(]*?) \(", names):
                    low, high = figures[labels[label]].ci95
                    ends = figures["all"].ci95
                    assert low > ends[1] if side == "above" else high < ends[0]


def test_nothing_is_told_of_conditions_that_were_not_altered(runs):
    mixed = any(plain(r.trial) for rs in runs.runs.values() for r in rs) and any(
        not plain(r.trial) for rs in runs.runs.values() for r in rs
    )
    told = any("not part of the overall results" in text for text in runs.said("score"))
    assert told == mixed


def listening(world, heard, read):
    """A run on one set of items, heard and read, with these shares right."""
    records = []
    for number in range(100):
        for modality, right in (("audio", number < heard), ("midi", number < read)):
            trial = choice(
                f"q{number}/{modality}",
                groups=(modality,),
                cluster=f"s{number}",
                gold="A",
                tags={"item": f"q{number}", "modality": modality},
            )
            records.append(answered(trial, "A" if right else "B"))
    world.add("m", random.Random(1).sample(records, len(records)))
    return world.said("listening")


@pytest.mark.parametrize(
    ("heard", "read", "words"),
    [
        (90, 30, "m hears better than it reads"),
        (30, 90, "m reads better than it hears"),
        (50, 52, "No significant difference between reading and hearing for m"),
    ],
)
def test_no_difference_found_is_not_called_equal(world, heard, read, words):
    (text,) = listening(world, heard, read)
    assert text.startswith(words)
    assert "as well" not in text


def test_the_best_run_is_the_one_with_most_right_not_the_one_that_answers_least(world, monkeypatch):
    asked = mucho_trials(40)
    declare(monkeypatch, "tracks", asked)
    from zhiyin.contract.declared import Reference

    rows = {"People": {"all": {"precision": 0.6}}, "A model": {"all": {"precision": 0.55}}}
    reference = Reference("T", "Source", rows, {"People": "human", "A model": "model"})
    monkeypatch.setattr("findings_help.Tracks.published", lambda: reference)
    SETS["unreadable"](world)
    assert world.accuracy("mumbler") < world.accuracy("plain")
    precision = sum(r.verdict.state == "correct" for r in world.judged("mumbler")) / sum(
        r.verdict.state in ("correct", "wrong") for r in world.judged("mumbler")
    )
    assert precision > world.accuracy("plain")
    said = world.said("published")
    assert len(said) == 2
    assert all("with the highest accuracy, plain: precision" in text for text in said)


def test_precision_is_told_with_what_it_leaves_out(world, monkeypatch):
    asked = mucho_trials(40)
    declare(monkeypatch, "tracks", asked)
    from zhiyin.contract.declared import Reference

    reference = Reference("T", "Source", {"P": {"all": {"precision": 0.6}}}, {"P": "human"})
    monkeypatch.setattr("findings_help.Tracks.published", lambda: reference)
    world.add("mumbler", map(answering("mumbler", 0.9, 0.6), asked))
    (text,) = world.said("published")
    answered_ = sum(r.verdict.state in ("correct", "wrong") for r in world.judged("mumbler"))
    assert f"of the {100 * answered_ / 80:.1f} % of the questions" in text
    assert f"{100 * world.accuracy('mumbler'):.1f} % of all" in text


def test_published_rows_only_beside_whole_runs(runs, monkeypatch):
    declare(monkeypatch, "tracks", mucho_trials(20))
    board = runs.look()
    beside = {group for row in board.published for group in row.groups}
    for group in ("all", "knowledge", "reasoning"):
        wanted = {t.tags["item"] for t in mucho_trials(20) if in_group(t, group)}
        whole = [
            name
            for name, records in runs.runs.items()
            if all(r.verdict.state != "error" for r in records)
            and wanted
            == {
                r.trial.tags["item"] for r in records if plain(r.trial) and in_group(r.trial, group)
            }
        ]
        assert (group in beside) == bool(whole), (group, whole)
    assert {row.name for row in board.published} == set(Tracks.published().rows)


def in_group(trial, group):
    return group == "all" or group in {name.removeprefix("audio=true/") for name in trial.groups}


def test_repeats_that_failed_unevenly_are_counted_as_they_are(world):
    """An item's trials are averaged first: the share right is none of the trials."""

    def answer(trial):
        early = int(trial.tags["item"][1:]) < 10
        if early and trial.tags["repeat"] > 1:
            return failed(trial)
        return answered(trial, "A" if early else "B")

    world.add("a", map(answer, mucho_trials(20, repeats=3)))
    (score,) = [t for t in world.said("score") if t.startswith("a answers")]
    told = "a answers 25.0 % right on average over 40 items, in 100 trials (95 % interval "
    assert score.startswith(told)
    (run,) = overview(RunSet([world.root / "a"])).runs
    assert not any("chance" in warning for warning in texts(run.warnings))


def test_every_condition_of_a_benchmark_has_words(world):
    """`pairs` puts noise in the place of one recording of two: no bare name of a tag is shown."""
    world.add("ears", map(answering("ears", 0.9), mucho_trials(20, audio=("true", "half"))))
    (told,) = world.said("listening")
    assert "noise in the place of one recording of two" in told
    assert " half" not in told
