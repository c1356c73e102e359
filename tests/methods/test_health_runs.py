"""`zhiyin stats health`: letters, behaviour, rotations and blind runs."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from findings_help import answered, choice, failed, mucho_trials, student, write_run
from zhiyin.cli import main
from zhiyin.errors import InputError
from zhiyin.plugins.methods.health import health, is_evasion
from zhiyin.trial import Option, Trial


def asked(n=80):
    return [
        choice(f"g/{i}", groups=("easy" if i % 2 else "hard",), gold="ABCD"[i % 4])
        for i in range(n)
    ]


def test_a_favoured_letter_shows(tmp_path):
    run = write_run(tmp_path / "r", "toy", "m", map(student("m", 0.3, favour="A"), asked(400)))
    whole = health(run).groups[0]
    counts = {row.letter: row.chosen for row in whole.letters.letters}
    assert counts["A"] > 250
    test = whole.letters.chosen_against_key
    expected = stats.chisquare(list(counts.values()), [100] * 4)
    assert test.statistic == pytest.approx(expected.statistic)
    assert test.p == pytest.approx(expected.pvalue)
    assert whole.letters.rstd > 0.2
    assert whole.constant.accuracy == 0.25
    accuracy = whole.accuracy.mean
    assert whole.corrected.corrected == pytest.approx((accuracy - 0.25) / 0.75)


def test_each_way_of_not_answering_is_counted_apart(tmp_path):
    trials = asked(8)
    records = [
        answered(trials[0], "A", "A"),
        answered(trials[1], "B", "(b)."),
        answered(trials[2], "C", "The answer is C, for it is sung."),
        answered(trials[3], None, "无法确定，需要更多信息。"),
        answered(trials[4], None, "Unable to determine, need more information."),
        answered(trials[5], None, "I cannot answer.", state="refused"),
        answered(trials[6], None, "Well, music", state="truncated"),
        answered(trials[7], None, "La la la."),
    ]
    said = health(write_run(tmp_path / "r", "toy", "m", records)).groups[0].behaviour
    assert (said.answered, said.evasions, said.refusals, said.truncated, said.other) == (
        3,
        2,
        1,
        1,
        1,
    )
    assert said.bare_letters == {"A": 1, "B": 1}


@pytest.mark.parametrize(
    "text",
    [
        "It is impossible to tell.",
        "信息不足",
        "I don't know",
        "难以判断旋律",
        "cannot be determined",
        "It is hard to tell from this clip.",
        "None of the options fits.",
        "选项都不对",
        "Unable to determine, need more information.",
    ],
)
def test_evasions_are_recognised(text):
    assert is_evasion(text)


@pytest.mark.parametrize("text", ["B", "The melody rises to the dominant.", "这首曲子是贝多芬写的"])
def test_answers_are_no_evasions(text):
    assert not is_evasion(text)


@pytest.mark.slow
@given(st.text(max_size=200))
def test_any_text_can_be_looked_at(text):
    assert is_evasion(text) in (True, False)


def test_rotations_are_compared_by_content(tmp_path):
    records = []
    for item in range(6):
        for turn in range(4):
            keys = "ABCD"[turn:] + "ABCD"[:turn]
            options = tuple(
                Option(letter, f"text {k}", k) for letter, k in zip("ABCD", keys, strict=True)
            )
            base = choice(f"q{item}/rotation={turn}")
            trial = Trial(base.id, base.messages, base.stem, options, "A", (), None,
                          {"item": f"q{item}", "rotation": turn})  # fmt: skip
            key = "A" if item < 3 else keys[0]  # three know, three always say the first letter
            letter = next(o.letter for o in options if o.key == key)
            records.append(answered(trial, letter))
    found = health(write_run(tmp_path / "r", "toy", "m", records)).rotations
    assert (found.items, found.asked) == (6, 24)
    assert found.all_right.mean == 0.5
    assert found.accuracy.mean == pytest.approx((3 + 3 * 0.25) / 6)
    assert found.agreement.mean == 0.5


def test_blind_runs_take_away_what_needs_no_music(tmp_path):
    trials = mucho_trials(20)
    easy = {t.id for t in trials[:16]}
    run = write_run(
        tmp_path / "r",
        "muchomusic",
        "m",
        [answered(t, "A" if t.id in easy or n % 2 else "B") for n, t in enumerate(trials)],
    )
    blind = []
    for k in (0, 8):
        records = [
            answered(t, "A" if t.id in easy and n >= k else "B") for n, t in enumerate(trials)
        ]
        blind.append(write_run(tmp_path / f"b{k}", "muchomusic", f"blind {k}", records))
    found = health(run, blind).blind
    assert found.items == 40
    assert [(row.by, row.solved) for row in found.unsolved] == [(1, 16), (2, 8)]
    assert found.unsolved[0].rest.mean == 0.5
    assert found.unsolved[0].rest.n == 24
    assert found.against[0].gain.second == 0.4
    assert found.against[0].gain.clusters == 20


def test_failed_and_free_trials_are_counted_and_left_out(tmp_path):
    trials = asked(4)
    free = Trial("free", trials[0].messages, "sing", (), "la")
    records = [answered(trials[0], "A"), failed(trials[1]), answered(free, None, "la")]
    found = health(write_run(tmp_path / "r", "toy", "m", records))
    assert (found.trials, found.errors, found.free) == (3, 1, 1)
    assert found.groups[0].behaviour.judged == 1


def test_bad_input_is_one_line(tmp_path, capsys):
    free = Trial("free", asked(1)[0].messages, "sing", (), "la")
    run = write_run(tmp_path / "free", "toy", "m", [answered(free, None, "la")])
    with pytest.raises(InputError, match="no judged multiple-choice trial"):
        health(run)
    run = write_run(tmp_path / "r", "toy", "m", map(student("m", 0.5), asked()))
    other = write_run(tmp_path / "o", "toy", "m", [answered(choice("elsewhere"), "A")])
    with pytest.raises(InputError, match="no item in common"):
        health(run, [other])
    assert main(["stats", "health", str(run), "--group", "nowhere"]) == 2
    assert "no group 'nowhere'" in capsys.readouterr().err


def test_the_command_says_it_in_words_and_in_json(tmp_path, capsys):
    run = write_run(tmp_path / "r", "toy", "m", map(student("m", 0.5, favour="C"), asked()))
    blind = write_run(tmp_path / "b", "toy", "b", [answered(t, "A") for t in asked()])
    assert main(["stats", "health", str(run), "--blind", str(blind), "--groups", "all"]) == 0
    printed = capsys.readouterr().out
    assert "letters chosen against the key" in printed
    assert "solved by at least 1 blind run" in printed
    assert main(["stats", "health", str(run), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [group["group"] for group in found["groups"]] == ["all", "hard", "easy"]


def test_conditions_are_not_pooled(tmp_path):
    trials = mucho_trials(audio=("true", "noise"))
    run = write_run(tmp_path / "r", "toy", "m", map(student("m", 0.9), trials))
    plain = [t for t in trials if t.tags.get("audio", "true") == "true"]
    assert 0 < len(plain) < len(trials)
    found = health(run)
    assert found.groups[0].behaviour.judged == len(plain)
    assert found.altered == len(trials) - len(plain)
    assert main(["stats", "health", str(run)]) == 0
