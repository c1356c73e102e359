"""Other wordings: where they are put, what is refused, what is kept, and what figures owe them."""

import json
import re
from pathlib import Path

import msgspec
import pytest

import paraphrase_help as help_
import zhiyin as zy
from columns_help import interval_of
from questions_help import jsonl, refused, tone
from servers import ChatServer
from zhiyin import cli
from zhiyin.contract.session_parts import conditions_of, vary
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.errors import InputError
from zhiyin.plugins.making.forge.paraphrasing import read_items
from zhiyin.plugins.making.forge.sameness import (
    Paraphrase,
    ParaphraseItem,
    fault_of,
    wordings_by_grammar,
)
from zhiyin.plugins.methods.chapter import kept_in_other_words
from zhiyin.plugins.methods.dependence import dependence_of, dependence_sections
from zhiyin.plugins.methods.wordings import Rewording, Wording, hashes_of, places_of, read_wordings
from zhiyin.runs.rows import rows_of
from zhiyin.trial import Option, Text, Trial, say

QUIZ = f"{Path(help_.__file__)}:Quiz"


def lines(path):
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


def forge(capsys, *arguments):
    status = cli.main(["forge", "paraphrase", *map(str, arguments)])
    return status, capsys.readouterr().out


# Where other words are put

OPTIONS = (Option("A", "a lute", "C"), Option("B", "two lutes", "A"))
LISTED = ("A. a lute\nB. two lutes", "(A) a lute; (B) two lutes", "A: a lute, B: two lutes")


def asked(listing, stem="Which is a lute?", before=()):
    text = f"Choose. {stem}\n{listing}\nReply: A. lute or so."
    return Trial("t", (*before, say("user", text)), stem, OPTIONS, "C", ("low",), item="i")


def wording(trial, number=1, stem="A lute is which?", options=None):
    return {"item": trial.item, "number": number, "stem": stem, "options": options or {},
            "of": hashes_of(trial)}  # fmt: skip


def worded(tmp_path, trial, most=2, *rows):
    path = jsonl(tmp_path / "w.jsonl", *rows)
    options = {"paraphrase": most, "paraphrases": str(path)}
    return list(vary([trial], conditions_of(options, "x")))


@pytest.mark.parametrize("listing", LISTED)
def test_stem_and_options_are_put_in_their_places(tmp_path, listing):
    trial = asked(listing)
    own, other = worded(tmp_path, trial, 2, wording(trial, options={"a lute": "some lute"}))
    assert own.messages == trial.messages
    assert (own.id, own.tags["wording"]) == ("t", "own")
    text = other.messages[-1].text
    assert text == trial.messages[-1].text.replace("Which is a lute?", "A lute is which?").replace(
        "A. a lute" if "A. a" in listing else listing[: listing.index("a lute") + 6],
        ("A. a lute" if "A. a" in listing else listing[: listing.index("a lute") + 6]).replace(
            "a lute", "some lute"
        ),
    )
    assert [o.text for o in other.options] == ["some lute", "two lutes"]
    assert [o.key for o in other.options] == ["C", "A"]
    assert (other.id, other.item, other.condition) == ("t/wording=1", "i", "wording=1")
    assert other.groups == ("wording=1", "wording=1/low")
    assert other.stem == "A lute is which?"


def test_words_that_cannot_be_told_from_the_prompt_are_left_alone(tmp_path):
    twice = asked(LISTED[0], before=()).messages[0].text + " Which is a lute?"
    trial = Trial("t", (say("user", twice),), "Which is a lute?", OPTIONS, "C", item="i")
    assert places_of(trial) == (False, False)
    assert worded(tmp_path, trial, 1, wording(trial)) == [trial]
    assert places_of(asked("lutes, one or two")) == (True, False)
    moved = asked("lutes, one or two")
    assert len(worded(tmp_path, moved, 1, wording(moved, options={"a lute": "x"}))) == 1
    assert len(worded(tmp_path, moved, 1, wording(moved))) == 2
    examples = (say("user", f"Which is a lute?\n{LISTED[0]}"), say("assistant", "A"))
    shown = asked(LISTED[0], before=examples)
    assert worded(tmp_path, shown, 1, wording(shown))[1].messages[:2] == examples


def test_a_question_whose_words_have_changed_is_refused(tmp_path):
    trial = asked(LISTED[0])
    row = wording(trial)
    with pytest.raises(InputError, match="item i has other words"):
        worded(tmp_path, asked(LISTED[0], stem="Which is the lute?"), 1, row)
    fewer = Trial(**{**_fields(trial), "options": OPTIONS[:1]})
    assert len(worded(tmp_path, fewer, 1, row)) == 2
    assert len(worded(tmp_path, trial, 1, row, wording(trial, 2, "Lute: which?"))) == 2
    assert len(worded(tmp_path, trial, 2, row, wording(trial, 2, "Lute: which?"))) == 3


def _fields(trial):
    return {name: getattr(trial, name) for name in trial.__struct_fields__}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{}\n", "w.jsonl, line 1: no wording"),
        ("\n\nx", "w.jsonl, line 3: no wording"),
        ("", "no wording of"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path, capsys, content, why):
    (tmp_path / "w.jsonl").write_text(content)
    flags = ["--paraphrase", "1", "--paraphrases", tmp_path / "w.jsonl"]
    assert why in refused(capsys, "run", QUIZ, "-m", "first", *flags)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"number": 0}, "begin with 1"),
        ({"number": 2}, "stands there twice"),
        ({"of": []}, "which words it stands for"),
        ({"stem": " "}, "is empty"),
        ({"options": {"two lutes": ""}}, "is empty"),
        ({"options": {"a harp": "a lyre"}}, "an option that the question has not"),
        ({"options": {"two lutes": "a lute"}}, "two options the same"),
        ({"stem": "Which is a lute?"}, "own words"),
    ],
)
def test_a_file_that_was_edited_wrongly_is_refused(tmp_path, change, why):
    trial = asked(LISTED[0])
    rows = wording(trial), wording(trial, 2, "Lute: which?")
    broken = {**msgspec.to_builtins(rows[0]), **change}
    file = jsonl(tmp_path / "w.jsonl", broken, msgspec.to_builtins(rows[1]))
    with pytest.raises(InputError, match=why):
        list(Rewording.of({"paraphrase": 2, "paraphrases": str(file)}, "x").trials_of(trial))


def test_a_file_with_a_byte_order_mark_is_read(tmp_path):
    row = json.dumps(msgspec.to_builtins(wording(asked(LISTED[0]))))
    (tmp_path / "w.jsonl").write_bytes(b"\xef\xbb\xbf" + row.encode() + b"\r\n")
    assert len(read_wordings(tmp_path / "w.jsonl")[0]) == 1


def test_flags_that_do_not_go_together(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    line = refused(capsys, "run", QUIZ, "-m", "first", "--paraphrases", "x.jsonl")
    assert "--paraphrase N" in line
    line = refused(capsys, "run", QUIZ, "-m", "first", "--paraphrase", "2")
    assert "quiz.jsonl" in line
    assert "zhiyin forge paraphrase" in line
    (tmp_path / "w.jsonl").write_text("")
    line = refused(capsys, "run", "thresholds", "-m", "first", "--paraphrase", "1",
                   "--paraphrases", "w.jsonl")  # fmt: skip
    assert "depends on the replies" in line


# The grammar and the rules


def test_the_grammar_puts_it_otherwise_and_frames_it():
    found = wordings_by_grammar("What is the tempo of the piece?", "q", 5)
    assert "State what the tempo of the piece is." in found
    assert len(set(found)) == 5
    assert not any("what the song called" in text for text in
                   wordings_by_grammar("What is the song called in France?", "q", 20))  # fmt: skip
    found = wordings_by_grammar("下列哪个是“以下”的意思？", "q", 9)
    assert all("“以下”" in text for text in found)
    assert any(text.startswith("以下哪一个") for text in found)


ITEM = ParaphraseItem(
    "q", "q", "Which chord is not in bar 12 of “Ase's Death” in B minor?",
    ("the major triad on the fourth degree", "the minor triad on the fourth degree"),
    "the major triad on the fourth degree",
)  # fmt: skip
FINE = "In bar 12 of “Ase's Death” in B minor, which chord is not present?"


@pytest.mark.parametrize(
    ("stem", "options", "why"),
    [
        (FINE, {}, None),
        ("which chord is not in bar 12 of “Ase's Death” in B minor", {}, "unchanged"),
        (FINE.replace("12", "13"), {}, "numbers-changed"),
        (FINE.replace("B minor", "Bb minor"), {}, "names-changed"),
        (FINE.replace("not ", ""), {}, "negation-changed"),
        (FINE.replace("not ", "never not "), {}, "negation-changed"),
        (FINE.replace("Ase's", "Åse's"), {}, "quotation-changed"),
        (FINE.replace("which chord", "which first chord"), {}, "degree-changed"),
        (FINE.replace("chord", "harmony"), {}, "term-changed"),
        (FINE.replace("minor", "minor triad"), {}, "term-changed"),
        (FINE + " Think of its position on the staff" * 9, {}, "too-long"),
        (FINE.replace("?", "？请问"), {}, "other-language"),
        (FINE.replace(",", ",\n"), {}, "other-lines"),
        (FINE + " You must answer now", {}, "speaks-to-the-model"),
        (FINE, {ITEM.right: "on the fourth degree, the minor triad"}, "term-changed"),
        (
            FINE,
            {ITEM.right: "on the fourth degree, that is to say the major triad"},
            "gives-itself-away",
        ),
    ],
)
def test_what_speaks_against_a_paraphrase(stem, options, why):
    fault = fault_of(ITEM, Paraphrase(stem, options), [], 2.0)
    assert (fault and fault.why) == why


@pytest.mark.parametrize(
    ("stem", "other", "why"),
    [
        ("What is the interval from C to G?", "What is the interval from G to C?", "names-changed"),
        ("Is it from C major to A minor?", "Is it from A minor to C major?", "names-changed"),
        ("Name the notes e g b.", "Name the notes e g c.", "names-changed"),
        ("Who wrote it in Vienna?", "Who wrote it in Leipzig?", "names-changed"),
        ("Which instrument plays?", "Which instrument, as for Paganini, plays?", "names-changed"),
        ("Is it 3/4 or 4/4?", "Is it 4/4 or 3/4?", "numbers-changed"),
        ("十二个半音是几度？", "十一个半音是几度？", "numbers-changed"),
        ("Is the flute above the oboe?", "Is the oboe above the flute?", "term-changed"),
        ("What is $kl$ called?", "What is $lk$ called?", "quotation-changed"),
        ("Which <em>bar</em> is it?", "Which bar is it?", "quotation-changed"),
        ("Which is the loudest?", "Which is the quietest?", "degree-changed"),
        ("Which of these is often heard?", "Which of these is seldom heard?", "degree-changed"),
        ("左手弹奏的是什么？", "右手弹奏的是什么？", "degree-changed"),
        ("Which claim is correct?", "Which claim is mistaken?", "negation-changed"),
        ("Which of these is not 宫调式?", "Which of these is 宫调式?", "negation-changed"),
        ("Which of these is the 宫调式?", "下列哪个是宫调式？", "other-language"),
        ("Which instrument plays?", "Quel instrument joue ici dans ce morceau ?", "other-language"),
        ("Which instrument plays?", "Which instrument plays? Think of wood.", "adds-words"),
        ("Which instrument plays?", "Which instrument (of wood) plays?", "adds-words"),
        ("Which instrument plays?", "Which instrument is it\u200b\u200b that plays?", "adds-words"),
    ],
)
def test_what_turns_a_question_round_falls(stem, other, why):
    item = ParaphraseItem("q", "q", stem, ("viola", "gong"), "viola")
    fault = fault_of(item, Paraphrase(other), [], 3.0)
    assert fault is not None
    assert fault.why == why


@pytest.mark.parametrize(
    ("stem", "never"),
    [
        ("Which scale is based on a folk song?", "going by"),
        ("Which of the following are chords?", "Which one"),
        ("The chords are C and F. Which of the following is the tonic?", "these"),
        ("How many of the following are chords?", "number of of"),
        ("Is this typically Romantic?", "usually"),
        ("Which instrument is featured in the intro?", "appears"),
        ("What is the BPM of the track, roughly?", "roughly is"),
        ("What about the drums?", "State"),
        ("以下列音为主音的是什么调？", "下列列"),
        ("以下行音阶为例，为什么乐器要移调？", "何种"),
        ("乐谱下面哪个声部最高？", "以下"),
        ("不一般的拍子是哪种？", "不通常"),
        ("贝多芬被称为什么？", "何种"),
        ("Which of these is a 二胡?", "请"),
    ],
)
def test_the_grammar_leaves_alone_what_it_would_spoil(stem, never):
    assert not any(never in text for text in wordings_by_grammar(stem, "q", 30))


def test_the_grammar_knows_two_languages():
    for stem in ("Quelle est la tonalité ?", "この曲の調は何ですか？", "下列哪個是調式？"):
        assert wordings_by_grammar(stem, "q", 3) == []
    assert len(wordings_by_grammar("What is a 二胡?", "q", 3)) == 3


def test_further_rules():
    known = [Paraphrase(FINE)]
    assert fault_of(ITEM, Paraphrase(FINE.lower()), known, 2.0).why in ("repeated", "names-changed")
    names = ParaphraseItem("q", "q", "Who wrote it?", ("Clara Wieck", "Amy Beach"), "Clara Wieck")
    assert fault_of(names, Paraphrase("By whom?", {"Clara Wieck": "Mrs Wieck"}), [], 2).why == (
        "option-is-a-name"
    )
    assert fault_of(names, Paraphrase("Was it written by wieck?"), [], 2).why == (
        "answer-words-changed"
    )
    alike = ParaphraseItem(
        "q", "q", "How is it?", ("it is quite calm there", "it is rather calm there"),
        "it is quite calm there",
    )  # fmt: skip
    assert fault_of(
        alike, Paraphrase("How so?", {alike.right: "it is rather calm there"}), [], 2
    ).why == ("options-alike")
    blank = ParaphraseItem("q", "q", "写作过24首前奏曲的有____。", ("巴赫",), "巴赫")
    assert fault_of(blank, Paraphrase("谁写作过24首前奏曲？"), [], 2).why == "blanks-changed"
    assert fault_of(blank, Paraphrase("题目：写作过24首前奏曲的有____。"), [], 2, ours=True) is None


# The forge

ROWS = [
    {"id": f"q{n}", "question": f"Which instrument plays in take {n}?",
     "options": ["viola", "gong", "drum", "sitar"], "answer": "A"}
    for n in range(4)
]  # fmt: skip


def proposer(call):
    """For each question two good wordings, one that turns it round, and one with another number."""
    text = call.body["messages"][0]["content"]
    if "Two wordings" in text:
        return checker(text)
    stem = re.search(r"Question: (.*)", text)[1]
    take = re.search(r"take (\d)", stem)[1]
    made = [
        f"In take {take}, which instrument plays?",
        f"Which instrument does not play in take {take}?",
        f"Which instrument plays in take {int(take) + 1}?",
        f"Take {take}: which instrument is it that plays?",
        f"Which instrument is it that almost plays in take {take}?",
    ]
    return json.dumps({"wordings": [{"question": one, "options": {}} for one in made]})


def checker(text):
    """Agrees, but for what is almost played; and names the wrong option for the question 3."""
    second = text.partition("Second wording:")[2]
    letters = {words: letter for letter, words in re.findall(r"^([A-D])\. (.*)$", second, re.M)}
    right = letters["gong" if "ake 3" in second else "viola"]
    return json.dumps({"same": "almost" not in second, "right": right, "difference": "?"})


@pytest.mark.slow
def test_proposals_are_kept_where_rules_and_checker_agree(tmp_path, capsys):
    data, out = jsonl(tmp_path / "set.jsonl", *ROWS), tmp_path / "w.jsonl"
    with ChatServer(proposer) as one, ChatServer(proposer) as two:
        flags = [data, "-m", one.spec, "--checker", two.spec, "--wordings", 3, "--out", out,
                 "--json"]  # fmt: skip
        status, said = forge(capsys, *flags)
        assert status == 0
        fell = json.loads(said)["funnel"]["fell"]
        assert fell == {"negation-changed": 4, "not-the-same": 4, "numbers-changed": 4,
                        "another-key": 2}  # fmt: skip
        before = one.calls + two.calls
        first = out.read_bytes()
        assert forge(capsys, *flags)[0] == 0
        assert (one.calls + two.calls, out.read_bytes()) == (before, first)
        spec = one.spec
    kept = lines(out)
    assert [(row["item"], row["number"]) for row in kept] == [
        (f"q{n}", k) for n in range(3) for k in (1, 2)
    ]
    assert kept[0]["source"] == spec
    assert kept[0]["checks"] == ["rules", f"checker:{two.spec}"]
    assert "viola" not in json.dumps(kept)
    assert len(lines(tmp_path / "w" / "fell.jsonl")) == 14
    line = refused(capsys, "forge", "paraphrase", data, "-m", spec, "--checker", spec)
    assert "another model" in line
    with ChatServer("I will not judge this.") as silent:
        flags = [data, "-m", spec, "--checker", silent.spec, "--out", out, "--wordings", 3]
        assert forge(capsys, *flags)[0] != 0
    assert out.read_bytes() == first


def test_an_item_that_is_shown_with_several_sets_of_options_is_one():
    three = (*OPTIONS, Option("C", "a harp", "B"))
    shown = [asked("x"), Trial(**_fields(asked("x")) | {"options": three[::2]})]
    (item,), fallen = read_items(shown)
    assert not fallen
    assert item.options == ("a lute", "two lutes", "a harp")
    assert all(Wording("i", 1, "?", of=item.of).is_of(trial) for trial in shown)
    other = Trial(**_fields(asked("x")) | {"target": "A"})
    assert [one.id for one in read_items([shown[0], other])[0]] == ["i", "i~2"]


def test_people_confirm_by_marking_the_right_option(tmp_path, capsys):
    data, out = jsonl(tmp_path / "set.jsonl", *ROWS), tmp_path / "w.jsonl"
    flags = [data, "--wordings", 1, "--out", out]
    assert forge(capsys, *flags)[0] == 0
    asked_of = {row["id"]: row for row in lines(tmp_path / "w" / "questions.jsonl")}
    assert len(asked_of) == 4
    said = ["item,annotator,chosen"]
    for name, row in asked_of.items():
        wrong = "B" if row["answer"] != "B" else "C"
        for who in range(3):
            said.append(f"{name},p{who},{wrong if name.startswith('q2') else row['answer']}")
    table = tmp_path / "said.csv"
    table.write_text("\n".join(said))
    status, told = forge(capsys, *flags, "--annotations", table)
    assert status == 0
    assert "right-answer-missed" in told
    assert [row["item"] for row in lines(out)] == ["q0", "q1", "q3"]
    assert lines(out)[0]["checks"] == ["rules", "people"]


@pytest.mark.slow
def test_a_set_is_asked_in_its_own_words_and_in_others(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for n in range(4):
        tone(tmp_path / f"{n}.wav", 200 + 50 * n, 1.0)
    rows = [row | {"audio": f"{n}.wav"} for n, row in enumerate(ROWS)]
    jsonl(tmp_path / "set.jsonl", *rows)
    assert forge(capsys, "set.jsonl", "--wordings", 2)[0] == 0
    assert cli.main(["run", "set.jsonl", "-m", "random", "--paraphrase", "2", "--out", "w"]) == 0
    assert cli.main(["run", "set.jsonl", "-m", "random", "--out", "own"]) == 0
    worded, own = rows_of("w"), rows_of("own")
    assert len(worded) == 3 * len(own)
    assert {row.id for row in own} == {row.id for row in worded.unvaried}
    assert interval_of(worded.main).mean == interval_of(own).mean
    assert interval_of(worded.within("all")).n == 4
    assert read_manifest(tmp_path / "w").config["options"]["paraphrase"] == 2
    capsys.readouterr()
    assert cli.main(["show", "w"]) == 0
    told = capsys.readouterr().out
    assert "What this figure depends on" in told
    assert "not varied" in told
    assert cli.main(["compare", "w", "own"]) == 0
    assert "paraphrase" in capsys.readouterr().out
    crossed = ["--hear", "0,100%", "--paraphrase", "1", "--out", "crossed"]
    assert cli.main(["run", "set.jsonl", "-m", "random", *crossed]) == 0
    found = {record.trial.condition for record in read_records(tmp_path / "crossed")}
    assert found == {"", "hear=0", "wording=1", "hear=0/wording=1"}
    sounds = [p for r in read_records(tmp_path / "crossed") for p in r.trial.messages[-1].parts]
    assert sum(not isinstance(part, Text) for part in sounds) == 8


# Controls with a known answer


@pytest.fixture(scope="module")
def wordings(tmp_path_factory):
    out = tmp_path_factory.mktemp("quiz") / "quiz.jsonl"
    assert cli.main(["forge", "paraphrase", QUIZ, "--wordings", "3", "--out", str(out)]) == 0
    return out


def ran(model, out, wordings, **more):
    more = {"repeats": 2, "rotations": True, **more}
    zy.run(
        help_.Quiz, model, out=out, paraphrase=3, paraphrases=str(wordings), progress=False,
        cache="off", **more,
    )  # fmt: skip
    return out


def shares(found):
    return {part.name: part.share for part in found.components.parts}


def positions(found):
    return {one.level: one for one in found.levels if one.factor == "position"}


WHY = "A component of 0 can have an SE"


@pytest.mark.slow
def test_an_oracle_depends_on_nothing(tmp_path, wordings):
    found = dependence_of([ran(help_.oracle, tmp_path / "run", wordings)])
    own = found.consistency
    assert (own.same.mean, own.right.mean, own.every.mean) == (1, 1, 1)
    assert own.same.low < 0.8
    assert own.chance_right == pytest.approx(0.25**4)
    assert {part.variance for part in found.components.parts} == {0.0, None}
    assert WHY not in str(dependence_sections(found)[1].notes)
    none, *rest = found.components.parts  # by moments 0, over clusters not
    parts = (msgspec.structs.replace(none, se=0.03), *rest)
    again = msgspec.structs.replace(
        found, components=msgspec.structs.replace(found.components, parts=parts)
    )
    assert WHY in " ".join(map(str, dependence_sections(again)[1].notes))


@pytest.mark.slow
def test_a_model_that_goes_by_order_shows_as_a_position(tmp_path, wordings):
    found = dependence_of([ran(help_.by_order, tmp_path / "run", wordings)])
    assert shares(found)["order"] > 0.99
    assert found.consistency.same.mean == 1
    assert found.consistency.right.mean == 0.25
    at = positions(found)
    assert (at["A"].accuracy.mean, at["B"].accuracy.mean) == (1, 0)
    assert at["A"].difference[1] > 0 > at["B"].difference[2]


@pytest.mark.slow
def test_a_model_that_goes_by_words_shows_in_words(tmp_path, wordings, capsys):
    found = dependence_of([ran(help_.by_word, tmp_path / "run", wordings)])
    assert shares(found)["words"] > 0.8
    assert shares(found)["order"] == 0
    assert found.consistency.again.mean == 1
    assert found.consistency.same.mean < 0.5
    assert all(one.difference[1] <= 0 <= one.difference[2] for one in positions(found).values())
    (told,) = kept_in_other_words("it", tmp_path / "run")
    assert f"to {100 * found.consistency.same.mean:.1f}\xa0% of 24 items" in str(told.words)
    assert (
        cli.main(["report", str(tmp_path / "run"), "--out", str(tmp_path / "page"), "--no-figures"])
        == 0
    )
    page = (tmp_path / "page" / "index.html").read_text("utf-8")
    assert "What this figure depends on" in page
    assert "other words (wording: 1, 2, 3)" in page


@pytest.mark.slow
def test_a_coin_is_all_sampling(tmp_path, wordings):
    found = dependence_of([ran(help_.Coin(), tmp_path / "run", wordings)])
    assert shares(found)["sampling"] > 0.85
    assert found.consistency.again.mean == pytest.approx(0.5, abs=0.1)


@pytest.mark.slow
def test_runs_by_several_servers_and_seeds(tmp_path, wordings, capsys):
    one = ran(help_.oracle, tmp_path / "one", wordings, repeats=1)
    two = ran(help_.by_word, tmp_path / "two", wordings, repeats=1)
    found = dependence_of([one, two])
    assert found.components.part("server").variance > 0.1
    assert {one.level for one in found.levels if one.factor == "server"} == {
        read_manifest(folder).model for folder in (one, two)
    }
    assert found.components.part("sampling").variance is None
    other = ran(help_.by_order, tmp_path / "seed-1", wordings, rotations=False, seed=1)
    first = ran(help_.by_order, tmp_path / "seed-0", wordings, rotations=False, seed=0)
    seeds = dependence_of([first, other])
    assert seeds.components.part("server").variance is None
    assert seeds.components.part("order").variance > 0.05
    assert cli.main(["stats", "variance", str(first), str(other), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["components"]["items"] == 24
    assert "same run twice" in refused(capsys, "stats", "variance", first, first)


@pytest.mark.slow
def test_a_server_that_was_asked_in_fewer_words_is_compared_in_these(tmp_path, wordings):
    one = ran(help_.by_word, tmp_path / "one", wordings, repeats=1)
    zy.run(help_.Quiz, help_.by_word, out=tmp_path / "two", rotations=True, progress=False,
           cache="off")  # fmt: skip
    found = dependence_of([one, tmp_path / "two"])
    servers = [level.difference for level in found.levels if level.factor == "server"]
    assert [round(mean, 9) for mean, _, _ in servers] == [0, 0]
