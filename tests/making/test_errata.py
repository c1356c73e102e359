"""Errata: what each rule finds and what it must leave alone, the file, the page, the figures."""

import json

import msgspec
import pytest

from zhiyin.cli import main
from zhiyin.errors import InputError
from zhiyin.plugins.making import errata as items
from zhiyin.plugins.making.errata import folded, items_of, theory
from zhiyin.plugins.making.errata.finding import (
    errata_sections,
    find_errata,
    read_errata,
    without_errata,
)
from zhiyin.plugins.making.errata.rules import all_rules
from zhiyin.text import equal_places, option_form
from zhiyin.trial import Audio, Option, Trial, say

SOUND = Audio("clip.wav", "0" * 64)


def trial(name, stem, options, target="A", *, media=(), keys="ABCDEFGH", **more):
    offered = tuple(Option("ABCDEFGH"[n], text, keys[n]) for n, text in enumerate(options))
    text = "\n".join([stem, *(f"{o.letter}. {o.text}" for o in offered)])
    return Trial(name, (say("user", text, *media),), stem, offered, target, **more)


def found(rule, *trials, sounding=False):
    if sounding:
        trials = [msgspec.structs.replace(one, tags={"audio": "none"}) for one in trials]
    return [one.id for one in all_rules()[rule].find(items_of(trials))]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Hand claps", "handclaps", True),
        ("Son cubano", "Son Cubano", True),
        ("Beat-matching", "Beatmatching", True),
        ("海顿;", "海顿", True),
        ("泽纳基斯、 凯奇", "泽纳基斯、凯奇", True),
        ("3.5万", "35万", False),
        ("VIII", "viii", False),
        ("GABc", "GABC", False),
        ("A,", "A", False),
        ("c'", "c", False),
        ("1 2", "12", False),
        ("#F", "F", False),
        ("Yes", "yes.", True),
        ("Tom-Tom", "Tom-tom", True),
        ("Am", "AM", False),
        ("Bbm", "BbM", False),
        ("a", "A", False),
    ],
)
def test_options_are_the_same_but_for_their_form(one, other, same):
    assert (option_form(one) == option_form(other)) is same
    assert bool(equal_places([one, other, "something else"])) is same  # `data check` says the same


def test_questions_fold_gaps_and_not_accidentals():
    assert folded("奥地利国歌是____创作的。") == folded("奥地利国歌是( )创作的")
    assert folded("#F大调的属音是") != folded("F大调的属音是")


def test_a_keyed_option_that_stands_again_and_a_wrong_one_are_told_apart():
    twice = trial("k", "Which?", ["Flute", "flute", "Oboe"])
    wrong = trial("w", "Which?", ["Flute", "Hand claps", "Handclaps"])
    shared_key = trial("s", "Which?", ["1.63 s", "1.63 s", "2 s"], keys="AAC")
    fine = trial("f", "Which?", ["Flute", "Oboe"])
    assert found("keyed-twice", twice, wrong, shared_key, fine) == ["k", "s"]
    assert found("repeated-option", twice, wrong, shared_key, fine) == ["w"]


def test_an_item_is_made_of_all_its_trials():
    passes = [
        trial(f"q/{n}", "Which?", ["Banjo", *wrong], item="q")
        for n, wrong in enumerate((["Tenor banjo", "Fiddle"], ["Tenor Banjo", "Fiddle"]))
    ]
    (item,) = items_of(passes)
    assert len(item.options) == 4
    assert found("repeated-option", *passes) == ["q"]


def test_a_key_that_is_no_option():
    assert found("no-right-option", trial("n", "Which?", ["a", "b"], target="Z")) == ["n"]


def test_two_items_contradict_each_other_only_where_both_offer_both_keys():
    one = trial("1", "奥地利国歌是____创作的。", ["海顿", "莫扎特", "贝多芬"])
    other = trial("2", "奥地利国歌是( )创作的", ["莫扎特;", "海顿;", "韦伯"])
    same = trial("3", "奥地利国歌是____创作的", ["海顿", "舒曼", "韦伯"])
    assert found("contradicted", one, other) == ["1", "2"]
    assert found("contradicted", one, same) == []
    best = trial("4", "迪斯科音乐与哪种文化相关联？", ["夜店文化", "嘻哈文化"])
    rest = trial("5", "迪斯科音乐与哪种文化相关联？", ["嘻哈文化", "乡村文化"])
    assert found("contradicted", best, rest) == []
    assert found("contested", best, rest) == ["4", "5"]
    fastest = trial("6", "下列术语中速度最快的是____。", ["Allegro", "Andante"])
    faster = trial("7", "下列术语中速度最快的是____。", ["Presto", "Allegro"])
    assert found("contested", fastest, faster) == []


def test_the_same_question_about_another_recording_is_no_contradiction():
    trials = [
        trial(str(n), "What is the tempo of it?", ["slow", "fast"], target=key, cluster=cluster)
        for n, (key, cluster) in enumerate([("A", "x"), ("B", "y"), ("B", "x")])
    ]
    assert found("contradicted", *trials) == ["0", "2"]


@pytest.mark.parametrize(
    ("stem", "options", "right"),
    [
        ("增四度转位后是____。", ["减五度", "增五度", "减四度"], [True, False, False]),
        ("与增六度互为等音程的是____。", ["小七度", "大七度", "减七度"], [True, False, False]),
        ("小三度里含有____半音。", ["3个", "4个"], [True, False]),
        ("小字组的b到小字一组的e之间共有几个半音____。", ["五个", "六个"], [True, False]),
        ("A—♭D之间包含几个半音____", ["4个", "5个"], [True, False]),
        ("F与B为几度音程关系____", ["增四度", "纯四度"], [True, False]),
        ("F大调下属调的平行调是____。", ["g小调", "a小调"], [True, False]),
        ("E自然大调的调号是____。", ["四个升号", "无升无降"], [True, False]),
        ("调号为一个升号的大调是___", ["G大调", "e小调"], [True, False]),
        ("两个升号是____。", ["D大调", "b小调", "C大调"], [True, True, False]),
        ("D徵调式的调号为____。", ["一个升号", "两个升号"], [True, False]),
        ("____音 在A 大调中为属音。", ["E", "F"], [True, False]),
        ("d和声小调导音的音名为____。", ["升C", "C"], [True, False]),
        ("自然大调的导音上构成的七和弦是____。", ["半减七和弦", "减减七和弦"], [True, False]),
        ("bB大调二级七和弦的性质是____", ["小七和弦", "大小七和弦"], [True, False]),
        ("将小三和弦的五音降低半音后，就构成了____。", ["减三和弦", "增三和弦"], [True, False]),
        ("What is the relative minor of Eb major?", ["C minor", "G minor"], [True, False]),
        ("What is the inversion of a minor third?", ["major sixth", "minor sixth"], [True, False]),
        ("How many semitones are in a perfect fifth?", ["7", "five"], [True, False]),
        ("Which chord in the audio is a dominant seventh chord?", ["Ab7", "Em"], [True, False]),
    ],
)
def test_theory_is_solved(stem, options, right):
    solved = theory.solve(stem)
    assert solved is not None
    assert [solved.judge(option) for option in options] == right


@pytest.mark.parametrize(
    "stem",
    [
        "增八度的转位音程是____。",  # books differ
        "a小调的导音是____。",  # raised or not
        "小字组a与小字二组d之间共包含几个自然半音____",
        "下列属于近关系调的是____。",
    ],
)
def test_what_is_not_certain_is_not_solved(stem):
    assert theory.solve(stem) is None


@pytest.mark.parametrize(
    ("stem", "answer"),
    [
        ("What is the relative minor of C major?", "A minor"),
        ("两个升号是____。", "D major or B minor"),
        ("C大调的调号是____。", "no sharps or flats"),
        ("F大调的调号是____。", "1 flat"),
    ],
)
def test_an_answer_is_told_in_words(stem, answer):
    assert theory.solve(stem).answer == answer


def test_what_cannot_be_read_is_neither_right_nor_wrong():
    solved = theory.solve("B大调的关系小调是____。")
    assert [solved.judge(option) for option in ("#g小调", "小调", "g小调")] == [True, None, False]
    assert items.interval("大五度") is None


def test_a_solver_refutes_a_key_and_finds_a_second_one():
    wrong = trial("w", "F自然大调的调号是____。", ["六个升号", "一个降号"])
    two = trial("t", "两个升号是____。", ["D大调", "b小调", "C大调"])
    fine = trial("f", "F自然大调的调号是____。", ["一个降号", "六个升号"])
    assert found("refuted", wrong, two, fine) == ["w"]
    assert found("several-right", wrong, two, fine) == ["t"]
    heard = trial("h", "Which chord in the audio is a dominant seventh chord?", ["A7", "Em", "D7"])
    assert found("several-right", heard, sounding=True) == []  # the ear says which
    assert found("solved-unheard", heard, sounding=True) == []
    alone = trial("a", heard.stem, ["A7", "Em"])
    assert found("solved-unheard", alone, sounding=True) == ["a"]
    assert found("solved-unheard", alone) == []  # of a question in words that is what is asked


def test_names_of_one_sound():
    options = ["F# major", "Gb major", "G major"]
    heard = trial("h", "What is the key?", options, media=(SOUND,))
    spelled = trial("s", "How is the key spelled?", options, media=(SOUND,))
    assert found("same-by-sound", heard, spelled) == ["h"]
    assert found("same-by-sound", trial("r", "What is the key?", options)) == []


def test_what_is_not_shown_and_what_got_lost():
    missing = trial("m", "下图所示的乐器是____。", ["三弦", "热瓦普"])
    notated = trial("n", "以下旋律的调是____。\nX:1\nK:G\nGABc", ["G", "D"])
    letters = trial("l", "What is the tempo of the song?", ["A", "B", "C", "D"])
    notes = trial("o", "C大调的导音是____。", ["A", "B", "C", "D"])
    named = [
        trial(f"o{n}", stem, ["A", "B", "C", "D"])
        for n, stem in enumerate(
            ["Which chord is the tonic of A major?", "F大调的关系小调是____。"]
        )
    ]
    interval = trial("i", "下列哪个音程是纯五度？", ["A", "B", "C", "D"])
    bare = trial("b", "下列属于A宫的同宫系统调式的是____。", ["羽调", "G商调", "F羽调"])
    trials = missing, notated, letters, notes, *named, interval, bare
    assert found("missing-figure", *trials) == ["m"]
    assert found("lost-content", *trials) == ["l", "i", "b"]


def test_frames_that_always_name_the_key_and_one_that_does_not():
    things = ["waterfall", "whip", "hair dryer", "church bell"]
    named = [
        trial(str(n), f"Identify the source of the {thing} sound.", [thing, "rain", "fan", "horn"])
        for n, thing in enumerate(things)
    ]
    assert found("stem-names-key", *named) == ["0", "1", "2", "3"]
    other = trial("x", "Identify the source of the rain sound.", ["fan", "rain", "saw", "horn"])
    assert found("stem-names-key", *named, other) == []
    assert found("stem-names-key", *named[:2]) == []  # chance may do so


def test_headers_and_orders_of_notation():
    tune = "M:4/4\nL:1/8\nK:G\nGABc d2d2|"
    stem = "Identify the key signature of the score."
    shown = trial("s", stem, ["G", "D"])
    shown = msgspec.structs.replace(shown, messages=(say("user", f"{stem}\n{tune}"),))
    assert found("header-shows-key", shown) == ["s"]
    parts = "Put them in order.\n\n0. GABc\n1. d2d2\n2. GABc\n3. e4"
    order = Trial("o", (say("user", parts),), "Put them in order.", (), "0123")
    single = Trial("d", (say("user", parts.replace("2. GABc", "2. c4")),), order.stem, (), "0123")
    assert found("several-orders", order, single) == ["o"]
    (one,) = all_rules()["several-orders"].find(items_of([order]))
    assert one.witness["right"] == ["2103"]


def test_what_only_an_ear_can_judge_is_a_suspect():
    flutes = trial("f", "Which instrument?", ["Flute", "Pan flute", "Oboe"])
    denied = trial("d", "Is it sung?", ["Sung", "Not sung"])
    assert found("nested", flutes, denied, sounding=True) == ["f"]
    assert all_rules()["nested"].class_ == "suspect"


ROWS = [
    {"id": "1", "question": "Which wind instrument is it?", "options": ["flute", "Flute", "oboe"],
     "answer": "A"},
    {"id": "2", "question": "Which composer wrote the anthem?", "options": ["Haydn", "Mozart"],
     "answer": "A"},
    {"id": "3", "question": "Which composer wrote the anthem?", "options": ["Mozart", "Haydn"],
     "answer": "A"},
    {"id": "4", "question": "What is the relative minor of C major?",
     "options": ["A minor", "E minor"], "answer": "A"},
    {"id": "5", "question": "Which tempo is slow?", "options": ["largo", "presto"], "answer": "A"},
]  # fmt: skip


@pytest.fixture
def questions(tmp_path):
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def test_a_file_of_errata_is_written_read_and_taken_out_of_a_run(questions, tmp_path, capsys):
    out, run = tmp_path / "errata", tmp_path / "run"
    assert main(["errata", str(questions), "--out", str(out), "--lang", "en,zh"]) == 0
    printed = capsys.readouterr().out
    assert "1 keyed-twice, 2 contradicted" in printed
    errata = read_errata(out)
    assert sorted(errata.flawed()) == ["1", "2", "3"]
    assert errata.lines[0].witness["again"] == ["Flute"]
    assert errata.head.items == 5
    page = (out / "index.html").read_text("utf-8")
    assert "Errata of " in page
    assert "3 of 5 items are flawed" in page
    page = (out / "index.zh.html").read_text("utf-8")
    assert "标准答案又出现" in page
    assert " 勘误" in page
    assert main(["run", str(questions), "-m", "first", "--out", str(run)]) == 0
    capsys.readouterr()
    assert main(["show", str(run), "--errata", str(out), "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["runs"]
    assert (told["all"]["items"], told["without"]["items"]) == (5, 2)
    assert told["left_out"] == {"keyed-twice": 1, "contradicted": 2}
    assert main(["show", str(run), "--errata", str(out)]) == 0
    assert "left out: 1 keyed-twice" in capsys.readouterr().out


def test_an_erratum_of_another_key_leaves_the_item_in(questions, tmp_path):
    main(["errata", str(questions), "--out", str(tmp_path / "errata")])
    moved = [{**row, "answer": "B"} if row["id"] == "1" else row for row in ROWS]
    questions.write_text("".join(json.dumps(row) + "\n" for row in moved))
    main(["run", str(questions), "-m", "first", "--out", str(tmp_path / "run")])
    (told,) = without_errata(tmp_path / "run", read_errata(tmp_path / "errata"))
    assert told.other_version == 1
    assert told.left_out == {"contradicted": 2}


@pytest.mark.slow
def test_a_run_that_is_scored_again_has_both_figures_too(questions, tmp_path, capsys):
    """As scored now, whether that is written or not; the run itself stays as it was."""
    main(["errata", str(questions), "--out", str(tmp_path / "errata")])
    run, out = tmp_path / "run", tmp_path / "again"
    main(["run", str(questions), "-m", "first", "--out", str(run)])
    log = (run / "records.jsonl").read_bytes()
    command = ["rescore", str(run), "--extract", "string-match", "--errata"]
    capsys.readouterr()
    assert main([*command, str(tmp_path / "errata"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert main([*command, str(tmp_path / "errata"), "--json", "--out", str(out)]) == 0
    again = json.loads(capsys.readouterr().out)
    (one,), (written,) = told["without_errata"], again["without_errata"]
    assert (one["run"], written["run"]) == (str(run), str(out))
    assert {**one, "run": ""} == {**written, "run": ""}
    direct = without_errata(out, read_errata(tmp_path / "errata"))
    assert (one["without"]["value"], one["without"]["items"]) == (
        direct[0].without.value,
        direct[0].without.items,
    )
    assert one["all"]["items"] - one["without"]["items"] == 3
    assert one["all"]["value"] == told["runs"][0]["groups"]["all"]["accuracy"]
    assert (run / "records.jsonl").read_bytes() == log
    assert main([*command, str(tmp_path / "errata")]) == 0
    assert "with and without the flawed items" in capsys.readouterr().out


@pytest.mark.slow
def test_a_report_has_both_figures_and_a_line_that_leads_to_them(questions, tmp_path, capsys):
    main(["errata", str(questions), "--out", str(tmp_path / "errata")])
    runs = [str(tmp_path / name) for name in ("one", "two")]
    for run, model in zip(runs, ("first", "random"), strict=True):
        main(["run", str(questions), "-m", model, "--out", run])
    page = tmp_path / "page"
    command = ["report", *runs, "--no-figures", "--out", str(page)]
    both = ["--errata", str(tmp_path / "errata"), "--lang", "en,zh"]
    assert main([*command, *both]) == 0
    for name, words in (("index", "proved flawed: "), ("index.zh", "去掉已证明有缺陷的 3 题")):
        text = (page / f"{name}.html").read_text("utf-8")
        assert 'id="errata-questions-questions"' in text
        assert 'href="#errata-questions-questions"' in text
        assert words in text
    assert main(command) == 0
    assert "errata-questions-questions" not in (page / "index.html").read_text("utf-8")
    main(["run", "exercises", "-m", "first", "--n", "1", "--out", str(tmp_path / "other")])
    capsys.readouterr()
    other = ["report", str(tmp_path / "other"), "--out", str(page)]
    assert main([*other, "--errata", str(tmp_path / "errata")]) == 2
    assert "of questions-questions, and these are runs of exercises" in capsys.readouterr().err


def test_a_baseline_has_no_place(questions, tmp_path):
    main(["errata", str(questions), "--out", str(tmp_path / "errata")])
    main(["run", str(questions), "-m", "first", "--out", str(tmp_path / "run")])
    (blind,) = without_errata(tmp_path / "run", read_errata(tmp_path / "errata"))
    assert blind.baseline
    high = msgspec.structs.replace(blind.all, value=0.9)
    low = msgspec.structs.replace(blind.all, value=0.1)
    one = msgspec.structs.replace(blind, baseline=False, all=low, without=high)
    other = msgspec.structs.replace(blind, baseline=False, all=high, without=low)
    top = msgspec.structs.replace(blind, all=high, without=high)
    (section,) = errata_sections([one, top, other], ["a", "b", "c"])
    assert [row[-1] for row in section.rows] == ["2 → 1", None, "1 → 2"]
    (section,) = errata_sections([one, blind], ["a", "b"])
    assert len(section.columns) == 6  # of one model there are no places


def test_errata_of_another_benchmark_or_no_errata_are_refused(questions, tmp_path, capsys):
    main(["errata", str(questions), "--out", str(tmp_path / "errata")])
    main(["run", "exercises", "-m", "first", "--n", "1", "--out", str(tmp_path / "run")])
    with pytest.raises(InputError, match="errata are of questions"):
        without_errata(tmp_path / "run", read_errata(tmp_path / "errata"))
    with pytest.raises(InputError, match="no file of errata"):
        read_errata(questions)
    assert main(["errata", str(questions), "--rules", "refuted,keyed-twice"]) == 0
    assert "1 keyed-twice" in capsys.readouterr().out
    assert main(["errata", str(questions), "--rules", "keyed"]) == 2
    assert "keyed-twice" in capsys.readouterr().err


def test_people_are_asked_about_doubted_items_alone(questions, tmp_path):
    main(["errata", str(questions), "--out", str(tmp_path / "errata")])
    command = ["study", "make", "--from", str(questions), "--kind", "annotate"]
    assert main([*command, "--out", str(tmp_path / "without")]) == 2
    out = tmp_path / "study"
    assert main([*command, "--errata", str(tmp_path / "errata"), "--out", str(out)]) == 0
    items = [json.loads(line) for line in (out / "items.jsonl").read_text().splitlines()]
    assert sorted(item["trial"].get("item") or item["id"] for item in items) == ["1", "2", "3"]
    assert {choice["key"] for choice in items[0]["choices"]} > {"sound", "wrong"}
    assert "✓" in items[0]["stem"]
    assert items[0]["quoted"][0]["text"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("mmau", {"keyed-twice": 16, "repeated-option": 11, "lost-content": 3, "refuted": 1}),
        ("rul", {"repeated-option": 11, "nested": 20}),
        ("ziqi", {"contradicted": 45, "missing-figure": 45, "lost-content": 11, "refuted": 1}),
    ],
)
def test_published_sets(name, wanted, shared):
    counts = find_errata(name, {"data": str(shared / name)}).counts
    assert {rule: counts[rule] for rule in wanted} == wanted


@pytest.mark.slow
def test_a_worked_example_that_the_ear_contradicts(shared):
    options = {
        "data": str(shared / "muse" / "stimuli"), "source": "muse", "partial": True,
        "modality": "audio", "shots": "few", "task": "syncopation",
    }  # fmt: skip
    errata = find_errata("perception", options, ["heard-otherwise"])
    (line,) = errata.lines
    assert line.item == "example:Sync3_A.wav"
    assert line.witness["heard"].startswith("8")
    assert not errata.flawed()  # it is no item
