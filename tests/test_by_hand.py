"""Small things by hand, each of which a fault made on purpose once got past the other tests."""

import json
from fractions import Fraction
from hashlib import sha256
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

import columns_help
from tally_help import Tally
from zhiyin.benchmarks.cmi import beats, choices, numbers, tags
from zhiyin.benchmarks.questions.scoring import SCORERS, open_scorer
from zhiyin.errors import InputError
from zhiyin.judges import combine
from zhiyin.judges.heard import NOTHING
from zhiyin.judges.rubric import JudgementDetail
from zhiyin.music import solvers, theory
from zhiyin.music.notated import solving
from zhiyin.statistics import audited, choice, parts, psychometric
from zhiyin.statistics.audited import Stratum
from zhiyin.statistics.crossed import crossed_mean
from zhiyin.statistics.glmm import design, means
from zhiyin.statistics.intervals import interval_from_sums, wilson
from zhiyin.statistics.items import shorter
from zhiyin.statistics.paired import paired_difference
from zhiyin.statistics.parts import ratio_interval

F = Fraction


# Solvers ----------------------------------------------------------------------------------------


def test_the_tables_of_theory():
    assert dict(zip("CDEFGAB", (0, 2, 4, 5, 7, 9, 11), strict=True)) == theory.NATURALS
    modes = ["major", "dorian", "phrygian", "lydian", "mixolydian", "minor", "locrian"]
    white = [0, 2, 4, 5, 7, 9, 11]
    for start, mode in zip(white, modes, strict=True):
        assert theory.SCALES[mode] == tuple(sorted((step - start) % 12 for step in white))
    assert theory.SCALES["harmonic minor"] == (0, 2, 3, 5, 7, 8, 11)
    assert theory.SCALES["melodic minor"] == (0, 2, 3, 5, 7, 9, 11)
    assert theory.QUALITIES == {
        "major": (0, 4, 7), "minor": (0, 3, 7), "dominant": (0, 4, 7, 10),
        "diminished": (0, 3, 6), "augmented": (0, 4, 8), "major7": (0, 4, 7, 11),
        "minor7": (0, 3, 7, 10), "half-diminished": (0, 3, 6, 10), "sus4": (0, 5, 7),
    }  # fmt: skip
    assert theory.ROOTS == ("C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B")


@pytest.mark.parametrize(
    ("name", "semitone"),
    [("B double flat 3", 57), ("B double-flat 3", 57), ("F𝄪4", 67), ("B𝄫3", 57), ("E♭4", 63),
     ("F sharp 4", 66), ("F doublesharp 4", 67), ("Fx4", 67), ("Gbb4", 65), ("C♯-1", 1)],
)  # fmt: skip
def test_accidentals_in_every_spelling(name, semitone):
    assert theory.parse_pitch(name) == semitone


def test_keys_by_their_place():
    assert theory.key_at(0) == theory.Key("C", "major")
    assert [theory.key_at(n).tonic for n in range(12)] == [
        "C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B",
    ]  # fmt: skip
    assert theory.key_at(3, "minor") == theory.Key("Eb", "minor")


def played(*numbers, chords=()):
    events = [SimpleNamespace(numbers=(n,), onset=F(i)) for i, n in enumerate(numbers)]
    below = [SimpleNamespace(numbers=each) for each in chords]
    return SimpleNamespace(
        tune=events, parts=[SimpleNamespace(events=events), SimpleNamespace(events=below)]
    )


@pytest.mark.parametrize(
    ("chords", "name"),
    [(((43, 47, 50), (48, 52, 55)), "authentic"), (((41, 45, 48), (48, 52, 55)), "plagal"),
     (((41, 45, 48), (43, 47, 50)), "half"), (((43, 47, 50), (45, 48, 52)), "deceptive"),
     (((48, 52, 55), (48, 52, 55)), None)],
)  # fmt: skip
def test_cadences(chords, name):
    piece = played(60, chords=((36, 40, 43), *chords))
    found = solving._cadence({"key": "C major"}, [piece], ())
    assert found == (name and solving.CADENCE_WORDS[name])


@pytest.mark.parametrize(
    ("numbers_", "shape"),
    [((60, 62, 64), "rising"), ((64, 62, 60), "falling"), ((60, 64, 62), "rising, then falling"),
     ((64, 60, 62), "falling, then rising"), ((60, 61, 62), "rising"), ((60, 60, 62), None),
     ((60, 62, 61, 63), None), ((60,), None), ((60, 62), "rising")],
)  # fmt: skip
def test_shapes(numbers_, shape):
    assert solving.shape_of(numbers_) == shape


def test_what_a_stretch_holds():
    events = played(60, 62, 64, 65).tune
    assert solving.content(events, F(1), F(3)) == [(F(0), 62), (F(1), 64)]
    late = [SimpleNamespace(numbers=(60,), onset=F(1) - F(3, 100))]
    assert solving.content(late, F(1), F(2)) == [(F(-3, 100), 60)]
    assert solving.content(late, F(0), F(1)) == []
    edge = [SimpleNamespace(numbers=(60,), onset=F(1) - F(1, 25))]
    assert solving.content(edge, F(0), F(1)) == []
    assert solving.content(edge, F(1), F(2)) == [(F(-1, 25), 60)]


def test_single_notes():
    piece = played(60, 64, 67)
    assert solving._pitch({"a": "1"}, [piece], ("E4", "C4", "G4")) == "C4"
    assert solving._pitch({"a": "3"}, [piece], ("E4", "C4", "G4")) == "G4"
    assert solving._changed({}, [piece, played(60, 63, 67)], ()) == "note number 2"
    assert solving._changed({}, [piece, played(61, 63, 67)], ()) is None
    with pytest.raises(ValueError, match="shorter"):  # pieces of unlike length are no such pair
        solving._changed({}, [piece, played(60, 63)], ())


def test_the_words_of_questions_are_those_of_runs_before():
    """Other words make another benchmark: then this is changed with them."""
    words = json.dumps([solving.WORDS, solving.CADENCE_WORDS, list(solving.UPBEATS.values())])
    assert sha256(words.encode()).hexdigest()[:12] == "a056d694a061"


def test_quotations_are_cut_beyond_their_length():
    most = solvers._LONGEST
    assert solvers._quote("x" * most) == repr("x" * most)
    assert solvers._quote("x" * (most + 1)) == repr("x" * (most - 1) + "…")


# Metrics ----------------------------------------------------------------------------------------


def graded(spec, value, accepted):
    scorer, bound = open_scorer(spec)
    return scorer.grade(value, accepted, bound)


def test_scorers_by_name():
    assert set(SCORERS) == {
        "exact", "normalised", "contains", "number", "regex", "set-f1", "edit", "wer", "cer",
        "notes", "yes-no", "judge",
    }  # fmt: skip
    for also, name in (("normalized", "normalised"), ("f1", "set-f1"), ("regexp", "regex"),
                       ("yes_no", "yes-no")):  # fmt: skip
        assert open_scorer(also)[0] is SCORERS[name]


def test_scores_of_lists_and_signs():
    found = graded("set-f1:0.8", "a, b", ["a", "b", "c", "d"])
    assert not found.right
    assert found.scores == {"f1": pytest.approx(2 / 3), "precision": 1.0, "recall": 0.5}
    assert graded("set-f1:0.6", "a, b", ["a", "b", "c", "d"]).right
    assert graded("set-f1:0.5", "a", ["a", "b", "c"]).right
    assert graded("exact", "F#", ["F♯"]).right
    assert not graded("exact", "F", ["F♯"]).right


def test_keys_and_notes_as_they_are_named():
    majors = ["C", "D", "E", "F", "G", "A", "B"]
    assert [choices.read_key(f"{m} major")[0] for m in majors] == [f"{m} major" for m in majors]
    assert choices.published_key("zam") == "A minor"
    assert choices.published_key("zzam") is None
    assert choices.published_key("d") == "D major"
    sharps = {"C#": "Db", "D#": "Eb", "F#": "Gb", "G#": "Ab", "A#": "Bb", "E#": None}
    for name, flat in sharps.items():
        assert choices.published_key(f"{name} minor") == (flat and f"{flat} minor")
        assert choices.published_key(name) == (flat and f"{flat} major")
    named = ", ".join(f"({n}, '{m}4')" for n, m in enumerate(majors))
    assert [midi for _, midi in beats.read_melody(named)] == [60, 62, 64, 65, 67, 69, 71]
    assert beats.read_melody("(0.5, 'Bb-1'), (1, '')") == [(0.5, 10.0), (1.0, 0.0)]


def test_sums_of_tags_by_hand():
    """Three tags of four clips: one that all have, one named well, one that nobody has."""
    sums = np.array([4.0, 4, 2, 0, 4, 3, 1, 4, 2, 0])
    with np.errstate(all="ignore"):
        assert tags.roc_auc(sums) == pytest.approx(0.5 * (1 + 2 / 2 - 1 / 2))
        assert tags.pr_auc(sums) == pytest.approx((1 + 2 / 3) / 2)
        assert tags.pr_auc_all(sums) == pytest.approx((1 + 2 / 3) / 3)
    assert tags.micro_f1(sums) == pytest.approx(2 * 6 / (6 + 8))


def test_r_squared_is_a_square():
    x, y = np.array([1.0, 2, 4, 4]), np.array([1.0, 3, 2, 5])
    moments = [4, 0, 0, 4, x.sum(), x @ x, x @ y, y.sum(), y @ y]
    r = np.corrcoef(x, y)[0, 1]
    assert numbers._correlation(np.array(moments)) == pytest.approx(r)
    assert numbers._squared(np.array(moments)) == pytest.approx(r * r)


def judgement(case, aspect, found):
    """A grade as `combine` sees it; None for one that could not be had."""
    given = found and SimpleNamespace(scores=found, detail=JudgementDetail(), mended=False)
    return SimpleNamespace(case=case, aspect=aspect, judgement=given, error="gone")


def test_pooled_precision_by_hand():
    """Two draws of a song, one of them lost: between all wrong and all right of as many claims."""
    one = judgement("a", "precision", {"supported": 2.0, "checked": 4.0, "score": 0.5})
    lost = judgement("a", "precision", None)
    other = judgement("b", "precision", {"supported": 1.0, "checked": 1.0, "score": 1.0})
    found = combine.pooled_precision({"a": [one, lost], "b": [other]})
    assert found.value == pytest.approx(3 / 5)
    assert found.low == pytest.approx((2 / 2 + 1) / ((4 + 4) / 2 + 1))
    assert found.high == pytest.approx((2 / 2 + 1 + 4 / 2) / ((4 + 4) / 2 + 1))


def test_notes_say_what_is_there_and_nothing_else():
    grades = SimpleNamespace(
        grades=[judgement("a", "novelty", {"score": 1.0})], errors=[],
        rules=SimpleNamespace(pooled=True), unwritten=[],
    )  # fmt: skip
    assert combine._notes({}, {}, grades) == []
    grades.grades[0].judgement.detail = JudgementDetail(unquoted=2)
    assert list(map(str, combine._notes({}, {}, grades))) == [
        "quotations of the judge that do not stand in the review: 2"
    ]


def test_a_lost_judgement_without_weight_costs_no_total():
    rules = SimpleNamespace(most=dict.fromkeys(combine.ASPECTS, 2.0))
    case = SimpleNamespace(id="a", song="a", text="", heard=NOTHING)
    grades = [judgement("a", "completeness", {"score": 1.0}), judgement("a", "novelty", None)]
    weights = {"completeness": 1.0, "precision": 1.0, "novelty": 0.0}
    told = SimpleNamespace(grades=grades, rules=rules)
    assert combine._song(case, told, weights).total == 0.5
    assert combine._song(case, told, weights | {"novelty": 1.0}).total is None
    both = SimpleNamespace(grades=grades[:1], rules=rules)
    assert combine._song(case, both, weights | {"novelty": 1.0}).total == 0.5


def test_a_new_count_holds_nothing():
    assert Tally().repeated == 0


def test_questions_of_which_half_failed():
    found = combine.questions(SimpleNamespace(judged=5, error=5, correct=3))
    assert (found.value, found.low, found.high) == (0.6, 0.3, 0.8)
    assert combine.questions(SimpleNamespace(judged=0, error=0, correct=0)).why == "not run"


# Statistics -------------------------------------------------------------------------------------


def test_letters_of_unlike_numbers_are_refused():
    with pytest.raises(InputError):
        choice.letter_bias(["A", "B"], ["A", "B"], ["one"])
    with pytest.raises(InputError):
        choice.letter_bias(["A"], ["A", "B"])


def test_two_letters_are_enough_for_a_test():
    found = choice.letter_bias(["A"] * 8 + ["B"] * 2, ["A", "B"] * 5)
    assert found.chosen_against_key is not None
    assert found.chosen_against_key.df == 1
    assert found.chosen_against_key.statistic == pytest.approx(9 / 5 + 9 / 5)
    assert choice.ENOUGH == 5.0


def test_a_score_may_be_all_or_nothing():
    def entry(value, item):
        return SimpleNamespace(
            judged=True, item=item, condition="", verdict=SimpleNamespace(scores={"f": value}),
            trial=SimpleNamespace(cluster=None),
        )  # fmt: skip

    found = columns_help.figure_interval([entry(1, "a"), entry(0, "b"), entry(0.5, "c")], "score:f")
    assert found.mean == 0.5
    for bad in (1.01, -0.01):
        with pytest.raises(InputError, match="from 0 to 1"):
            columns_help.figure_interval([entry(bad, "a")], "score:f")


def test_two_values_are_held_half_way():
    assert design._covariate(["0", "0", "0", "1"]).held_at == 0.5
    assert design._covariate(["0", "0", "3", "1"]).held_at == 1.0
    assert design._covariate(["2", "2"]).held_at == 2.0


def test_a_response_that_is_none_is_named_with_its_line():
    table = SimpleNamespace(source="t.csv", lines=[2, 3, 4])
    with pytest.raises(InputError, match=r"line 3: column 'r' holds 'maybe'"):
        design._response(table, "r", ["0", "maybe", "1"], [0, 1, 2])
    assert list(design._response(table, "r", ["0", "true", "wrong"], [0, 1, 2])) == [0, 1, 0]


def test_the_method_for_many_clusters():
    rng = np.random.default_rng(1)
    counts = np.full(400, 5.0)
    sums = rng.binomial(5, rng.beta(2, 2, 400)).astype(float)
    auto, wide = interval_from_sums(sums, counts), interval_from_sums(sums, counts, method="t")
    assert (auto.method, wide.method) == ("wilson (effective n)", "t")
    assert (auto.low, auto.high) == pytest.approx((wide.low, wide.high), abs=1e-3)


def test_as_many_answers_as_people_tell_nothing_of_them():
    people, items = ["a", "b", "c", "c"], ["x", "y", "x", "y"]
    assert crossed_mean([1, 0, 1, 0], people, items).low is not None
    alone = crossed_mean([1, 0, 1], ["a", "b", "c"], ["x", "x", "y"])
    assert alone.low is None


def test_one_song_has_no_interval():
    one = parts.Parts(("p",), (1.0,), ("s",), np.array([[0.5]]), np.array([[1.5]]),
                      np.array([[True]]))  # fmt: skip
    found = parts.part_interval(one, parts.TOTAL)
    assert (found.low, found.high) == (0.0, 1.0)
    two = parts.Parts(("p",), (1.0,), ("s", "t"), np.array([[0.5, 0.75]]), np.array([[1.5, 1.5]]),
                      np.array([[True, True]]))  # fmt: skip
    assert parts.part_interval(two, parts.TOTAL).low > 0
    assert parts._half(SimpleNamespace(low=0.2, high=0.6)) == pytest.approx(0.2)


def test_ratios_that_do_not_vary_count_each_cluster_once():
    found = ratio_interval([1, 1, 1, 1], [2, 2, 2, 2], 8)
    assert found.mean == 0.5
    four = wilson(2, 4)
    assert (found.low, found.high) == pytest.approx((four.low, four.high))
    uneven, two = ratio_interval([1, 3], [2, 6], 8), wilson(1, 2)  # a draw each, of any size
    assert uneven.low <= two.low < two.high <= uneven.high


def test_what_a_stratum_adds_to_the_variance():
    assert audited._spread(Stratum(100, 50, 10), 10) == pytest.approx(0.5 * 10 * 40 / 49)
    assert audited._spread(Stratum(100, 1, 1), 1) == pytest.approx(0.25 * 0.99)
    assert audited._spread(Stratum(40, 2, 1), 1) == pytest.approx(0.95 * 1 * 1 / 1)
    assert audited._spread(Stratum(40, 40, 9), 9) == 0


def test_comparisons_are_named_by_what_is_held(monkeypatch):
    named = []
    monkeypatch.setattr(means, "_directions", lambda *given: None)
    monkeypatch.setattr(means, "_pairs", lambda model, *told: named.append(told[:3]) or [])
    levels = {"m": ("x", "y"), "t": ("p", "q")}
    factors = {name: SimpleNamespace(levels=each) for name, each in levels.items()}
    model = SimpleNamespace(frame=SimpleNamespace(factors=factors))
    means._family(model, ("m", "t"), ("m",))
    means._family(model, ("m", "t"), ("m", "t"))
    assert named == [
        ("m | t", {"t": "p"}, ["x", "y"]),
        ("m | t", {"t": "q"}, ["x", "y"]),
        ("m:t", {}, ["x p", "y p", "x q", "y q"]),
    ]


def test_a_difference_of_shares_is_at_most_one():
    found = paired_difference([1, 1, 1], [0, 0, 0])
    assert found.mean == 1.0
    assert found.high == 1.0
    assert paired_difference([0, 0, 0], [1, 1, 1]).low == -1.0


def test_the_psychometric_function_by_hand():
    method = next(iter(psychometric.GAIN))
    ladder = psychometric.Ladder((1.0, 2.0, 4.0))
    found = SimpleNamespace(slope=1.0, lapse=0.0, place=ladder.place(2.0))
    at = psychometric.chance_of_right(found, ladder, method, 2.0)
    from scipy.special import ndtr

    assert at == pytest.approx(float(ndtr(psychometric.GAIN[method])))
    off = ladder.place(4.0) - ladder.place(2.0)
    high = psychometric.chance_of_right(found, ladder, method, 4.0)
    assert high == pytest.approx(
        float(ndtr(psychometric.GAIN[method] * min(10.0**off, psychometric._MOST)))
    )


def test_a_shorter_test_is_tried_on_people_who_were_left_out():
    rng = np.random.default_rng(2)
    ability = rng.normal(size=23)
    table = (rng.random((23, 8)) < 1 / (1 + np.exp(-ability[:, None] + rng.normal(size=8)))) * 1.0
    found = shorter(table, 3)
    assert found is not None
    taus = []
    for fifth in range(5):
        out = np.arange(23) % 5 == fifth
        chosen = shorter(table[~out], 3).items
        taus.append(stats.kendalltau(table[out][:, chosen].sum(axis=1), table[out].sum(axis=1))[0])
    assert found.tau_new == pytest.approx(np.mean(np.nan_to_num(taus)))
