"""The same replies by every published rule: guesses, denominators, pairs, files and the report."""

import json
import re
import unicodedata

import msgspec
import numpy as np
import pytest

from listening_help import complaint, zhiyin
from questions_help import jsonl, run
from zhiyin.cli import main
from zhiyin.contract.policies import open_policy, policies
from zhiyin.contract.registry import find
from zhiyin.engine.scoring import judge_choice
from zhiyin.plugins.benchmarks.muchomusic import reading as muchomusic
from zhiyin.plugins.methods import harnesses, readers
from zhiyin.plugins.methods.chapter import readers_sections, span_words
from zhiyin.plugins.methods.readers import (
    DRAWS,
    ByEveryRule,
    RuleFigure,
    by_every_rule,
    fitting,
    rules_of_run,
)
from zhiyin.plugins.methods.replies import given_entries, records_of
from zhiyin.record import Exchange, Reply, Turn
from zhiyin.trial import Option, Trial, say
from zhiyin.words import say as say_words

FOUR = ["Piano", "Violin", "Flute", "Guitar"]


def entry(name, reply, choices=FOUR, answer="Violin", **more):
    question = {"id": name, "question": "Which one?", "choices": choices, "answer": answer}
    return {**question, "reply": reply, **more}


def found_in(tmp_path, entries, **settings):
    path = tmp_path / "replies.jsonl"
    path.write_text("\n".join(map(json.dumps, entries)))
    return by_every_rule(records_of(given_entries([path]), ""), **settings)


def figures(found):
    return {each.name: each for each in found.figures}


def test_guesses_are_given_in_expectation_and_by_draws(tmp_path):
    entries = [entry(str(n), "I hear strings") for n in range(200)]
    entries += [entry(str(n), "Answer: (B)") for n in range(200, 300)]
    known = figures(found_in(tmp_path, entries))
    guessing = known["lmms-mmau"]
    assert guessing.accuracy == pytest.approx((200 / 4 + 100) / 300)
    assert guessing.unreadable == pytest.approx(2 / 3)
    low, high = guessing.drawn
    spread = np.sqrt(200 * 3 / 16) / 300
    assert low == pytest.approx(guessing.accuracy - 1.96 * spread, abs=0.01)
    assert high == pytest.approx(guessing.accuracy + 1.96 * spread, abs=0.01)
    assert DRAWS == 1000
    assert known["robust"].accuracy == pytest.approx(1 / 3)
    assert known["robust"].drawn is None
    assert known["evalscope-mmau"].accuracy == pytest.approx(1 / 3)


@pytest.mark.slow
def test_repeats_of_an_item_are_no_further_items(tmp_path):
    """Three identical replies weigh as one, in the figure, the interval and the draws."""
    once = [entry(str(n), "(B)" if n % 2 else "no idea") for n in range(40)]
    one, three = (figures(found_in(tmp_path, once * n))["lmms-mmau"] for n in (1, 3))
    assert three.n == 3 * one.n
    assert three.accuracy == pytest.approx(one.accuracy)
    assert three.ci95 == pytest.approx(one.ci95)


def test_what_is_guessed_for_two_options_is_wrong_beyond_them(tmp_path):
    """lmms-eval draws A to D for two options, too; its MMAR rule draws among the options."""
    known = figures(found_in(tmp_path, [entry("1", "hm", ["Yes", "No"], "No")] * 4))
    assert known["lmms-mmau"].accuracy == pytest.approx(1 / 4)
    assert known["lmms-mmar"].accuracy == pytest.approx(1 / 2)


def test_of_two_options_with_one_text_letters_and_texts_differ():
    """A source that compares letters takes the first alone; one that compares texts takes both."""
    options = tuple(
        Option(letter, text, key)
        for letter, text, key in zip("ABC", ["one", "two", "two"], "ABB", strict=True)
    )
    trial = Trial("t", (say("user", "?"),), options=options, target="B")
    exchange = Exchange((Turn(Reply("ANSWER: C")),))
    assert judge_choice(trial, exchange, open_policy("inspect")).state == "wrong"
    assert judge_choice(trial, exchange, open_policy("robust")).state == "correct"
    exchange = Exchange((Turn(Reply("(C)")),))
    assert judge_choice(trial, exchange, open_policy("lmms-mmau")).state == "correct"
    assert judge_choice(trial, exchange, open_policy("lmms-mmar")).state == "wrong"
    assert judge_choice(trial, Exchange((Turn(Reply("two")),)), open_policy("robust")).answer == "B"


def test_options_that_differ_in_case_alone_are_one_where_the_source_folds_them(tmp_path):
    """lmms-eval counts either as right, guessed too; EvalScope keys the first of the two."""
    choices = ["Tom-tom", "Tom-Tom", "Snare", "Bass"]
    entries = [entry(str(n), text, choices, "Tom-Tom") for n, text in enumerate(["(A)", "(B)", ""])]
    known = figures(found_in(tmp_path, entries))
    assert known["lmms-mmau"].accuracy == pytest.approx((1 + 1 + 2 / 4) / 3)
    assert known["evalscope-mmau"].accuracy == pytest.approx((1 + 0 + 1) / 3)
    assert known["lmms-mmar"].accuracy == pytest.approx((0 + 1 + 1 / 4) / 3)
    assert known["inspect"].accuracy == 0


@pytest.mark.parametrize(
    ("text", "english", "chinese"),
    [
        ("答案：B", "B", "B"),
        ("答案: **B**，因为 A 不对", "A", "B"),
        ("答案：（B）", "B", "B"),
        ("答案：A\n再想想。\n答案：B。C 错了", "C", "B"),
        ("答案：A,B", "B", None),
        ("ANSWER: B\nNot A", "B", "A"),
        ("答案是小提琴", None, None),
    ],
)
def test_evalscope_reads_its_chinese_prompts_by_a_marker_of_their_own(text, english, chinese):
    options = [Option(letter, text, letter) for letter, text in zip("ABCD", FOUR, strict=True)]
    assert open_policy("evalscope").extract(text, options).letter == english
    assert open_policy("evalscope-zh").extract(text, options).letter == chinese


FORMS = {
    "options with letters": lambda e: {
        **e,
        "choices": [f"({letter}) {text}" for letter, text in zip("ABCD", FOUR, strict=True)],
        "answer": "B",
    },
    "options as lines": lambda e: {**e, "choices": "A. Piano\nB. Violin\nC. Flute\nD. Guitar"},
    "options as JSON": lambda e: {**e, "choices": json.dumps(FOUR), "answer": "(B) Violin"},
    "options by letter": lambda e: {
        **e,
        "choices": dict(zip("ABCD", FOUR, strict=True)),
        "answer": "B",
    },
    "a list of one reply": lambda e: {**e, "reply": [e["reply"]]},
    "of the replies to MMAR": lambda e: {
        "id": e["id"],
        "chain_id": 0,
        "predicted_choice": None,
        "correct_choice": "B",
        "question": e["question"],
        "choices": "(A) Piano\n(B) Violin\n(C) Flute\n(D) Guitar",
        "generated_cot": e["reply"],
        "sanitized_cot": "I hear.",
    },
    "of lm-evaluation-harness": lambda e: {
        "doc_id": 0,
        "doc": {"question": e["question"], "choices": {"text": FOUR}},
        "target": "Violin",
        "resps": [[e["reply"]]],
        "filtered_resps": ["B"],
    },
}
TEXTS = ["The answer is violin", "(A) is wrong, (B) is right", "**B**", "", "Piano"]


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_files_of_other_programs_give_the_same_figures(tmp_path, capsys, form):
    """Whatever form question, options, key and reply have."""
    plain, other = tmp_path / "plain.jsonl", tmp_path / "other.jsonl"
    entries = [entry(str(n), text) for n, text in enumerate(TEXTS)]
    plain.write_text("\n".join(map(json.dumps, entries)))
    other.write_text("\n".join(json.dumps(FORMS[form](each)) for each in entries))
    assert told_of(capsys, plain) == told_of(capsys, other)


def test_a_reply_that_is_missing_in_the_first_row_counts_nowhere(tmp_path, capsys):
    path = tmp_path / "given.json"
    entries = [entry(str(n), text) for n, text in enumerate([None, "Violin", "Piano"])]
    path.write_text(json.dumps({"model": "m", "results": entries}))
    assert ("string-match", 2, 0.5) in told_of(capsys, path)


def told_of(capsys, path):
    result = zhiyin(capsys, "readers", path)[1]["result"]
    return [(each["name"], each["n"], each["accuracy"]) for each in result["figures"]]


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("<Reasoning>A is long.</Reasoning>B</Conclusion>", "B"),
        ("<Reasoning>A or C.</Reasoning>，Conclusion，B，", "B"),
        ("<think>hm</think> B", "B"),
        ("<Reasoning>x</Reasoning>T</Conclusion>", None),
        ("<Reasoning>x</Reasoning>Not B</Conclusion>", None),
    ],
)
def test_one_letter_behind_the_reasoning_is_read(text, letter):
    options = [Option(letter, text, letter) for letter, text in zip("ABCD", FOUR, strict=True)]
    assert open_policy("robust").extract(text, options).letter == letter


def test_what_leaves_the_count_is_in_no_denominator(tmp_path):
    entries = [entry("1", "B"), entry("2", "A"), entry("3", "violin"), entry("4", "")]
    known = figures(found_in(tmp_path, entries))
    assert (known["air-bench"].n, known["air-bench"].accuracy) == (2, 0.5)
    assert known["string-match"].n == 4


def test_what_an_embedding_decides_is_bounded_and_computed_where_there_is_one(tmp_path):
    entries = [entry("1", "Violin"), entry("2", "a fiddle"), entry("3", "")]
    own = figures(found_in(tmp_path, entries))["mmau-pro"]
    assert own.accuracy is None
    assert own.bounds == (pytest.approx(1 / 3), 1.0)
    own = figures(found_in(tmp_path, entries, nearest=lambda reply, texts: 1 if reply else 0))
    assert own["mmau-pro"].accuracy == pytest.approx(2 / 3)
    assert own["mmau-pro"].bounds is None


def test_pairs_are_counted_by_cause_with_examples(tmp_path):
    entries = [entry("1", "(A) is wrong, (B) is right"), entry("2", "(B)"), entry("3", "Violin")]
    found = found_in(tmp_path, entries)
    names = [each.name for each in found.figures]
    assert len(found.pairs) == len(names) * (len(names) - 1) // 2
    pair = next(p for p in found.pairs if (p.first, p.second) == ("lm-eval-first", "lm-eval-last"))
    assert (pair.n, pair.first_gains, pair.second_gains) == (1, 0, 1)
    (cause,) = pair.causes
    assert cause.n == 1
    assert (cause.examples[0].first, cause.examples[0].second) == ("A", "B")
    assert cause.examples[0].reply == "(A) is wrong, (B) is right"
    few = found_in(tmp_path, entries, every_pair=False)
    assert {p.first for p in few.pairs} == {"robust"}


def test_every_published_rule_is_named_with_its_source():
    named = [policy for policy in policies().values() if policy.source]
    assert len(named) >= 20
    assert {p.name for p in policies().values()} - {p.name for p in named} == {
        "robust",
        "abc-eval",
    }  # our own
    options = tuple(Option(letter, text, letter) for letter, text in zip("ABCD", FOUR, strict=True))
    fit = {p.name for p in fitting([Trial("t", (), options=options)])}
    assert "robust" in fit
    assert not fit & {"muse", "muse-af3", "music-bench"}
    of_code = [p.source for p in named if "@" in p.source]
    assert len(of_code) >= 15
    assert all(re.search(r"[\w.-]+/[\w.-]+@[0-9a-f]{7}", source) for source in of_code)


@pytest.mark.slow
def test_the_command_and_what_it_refuses(tmp_path, capsys):
    path = tmp_path / "given.jsonl"
    path.write_text(json.dumps(entry("1", "The answer is violin", model_output="B")))
    assert "--field model_output; or zhiyin readers" in complaint(capsys, "readers", path)
    status, said = zhiyin(capsys, "readers", path, "--field", "model_output")
    assert status == 0
    known = {each["name"]: each for each in said["result"]["figures"]}
    assert known["robust"]["accuracy"] == 1
    assert known["string-match"]["accuracy"] == 0
    assert main(["readers", str(path), "--field", "reply", "--between", "robust,inspect"]) == 0
    assert "robust and inspect read 1 reply differently" in capsys.readouterr().out
    assert "no row has --field nope" in complaint(capsys, "readers", path, "--field", "nope")
    path.write_text('{"id": "1", "reply": "B"}')
    assert "--questions" in complaint(capsys, "readers", path)
    questions = tmp_path / "questions.json"
    questions.write_text(json.dumps([entry("1", "x")]))
    status, said = zhiyin(capsys, "readers", path, "--questions", questions)
    assert status == 0
    path.write_text('{"id": "2", "reply": "B"}')
    assert "'2' is none of" in complaint(capsys, "readers", path, "--questions", questions)


def test_an_embedding_of_the_users(tmp_path, capsys):
    path = tmp_path / "given.jsonl"
    path.write_text(json.dumps(entry("1", "some viol")))
    code = tmp_path / "vectors.py"
    code.write_text(
        "def counts(texts):\n"
        "    return [[t.lower().count(c) for c in 'abcdefghijklmnopqrstuvwxyz'] for t in texts]\n"
        "def broken(texts):\n    return [[1.0]]\n"
    )
    status, said = zhiyin(capsys, "readers", path, "--embed", f"python:{code}:counts")
    assert status == 0
    known = {each["name"]: each for each in said["result"]["figures"]}
    assert known["mmau-pro"]["accuracy"] == 1
    assert "one vector" in complaint(capsys, "readers", path, "--embed", f"python:{code}:broken")


@pytest.mark.parametrize(("lowest", "said"), [(0.45, False), (0.41, False), (0.39, True)])
def test_what_other_rules_read_matters_out_of_the_interval_of_ours(lowest, said):
    figures = [
        RuleFigure(name, name, "", source, "wrong", 90, share, (share - 0.1, share + 0.1), 0.0)
        for name, source, share in (("robust", "", 0.5), ("x", "X", lowest), ("y", "Y", 0.55))
    ]
    found = ByEveryRule(90, 90, [], figures, [])
    assert found.span is not None
    assert found.matters is said


@pytest.mark.parametrize("choices", [["奏鸣曲", "回旋曲式", "变奏曲式", "赋格曲式"], FOUR])
def test_a_rule_that_reads_the_same_in_any_reply_is_left_out(tmp_path, choices):
    """AudioBench cuts four characters of an option: nothing is left of one in Chinese of three."""
    each = [entry(str(n), "ABCD"[n % 4], choices, choices[1]) for n in range(40)]
    found = found_in(tmp_path, each)
    left = [name for name, own in figures(found).items() if not own.heeds]
    assert left == (["audiobench"] if choices != FOUR else [])
    assert not set(left) & {own.name for own in found.of_others}
    notes = [str(note) for section in readers_sections(found) for note in section.notes]
    assert any("audiobench: reads the same" in note for note in notes) is bool(left)
    lower = msgspec.structs.replace(found.of_others[0], name="lower", accuracy=0.1)
    found = msgspec.structs.replace(found, figures=[*found.figures, lower])
    words = str(span_words({"run": found}))
    assert "lowest by lower, highest by " in words
    assert ("whatever the reply (audiobench)" in words) is bool(left)


def test_a_model_that_says_one_thing_tells_nothing_of_a_rule(tmp_path):
    """All replies are B: no rule can be seen to read another answer in another."""
    found = found_in(tmp_path, [entry(str(n), "B") for n in range(9)])
    assert all(own.heeds for own in found.figures)


@pytest.mark.slow
def test_the_report_says_it_where_rules_disagree(tmp_path, capsys):
    """Replies by text: MMAU's rules disagree. Replies of letters to other questions: no line."""
    path = tmp_path / "mmau.jsonl"
    texts = ["The correct answer is: Violin", "(B)", "Violin", "**Violin**"]
    each = [{"audio_id": f"./{n}.wav", "task": "music"} for n in range(40)]
    replies = [entry(str(n), texts[n % 4], **more) for n, more in enumerate(each)]
    path.write_text("\n".join(map(json.dumps, replies)))
    run = tmp_path / "run"
    assert zhiyin(capsys, "import", "mmau", path, "--field", "reply", "--out", run)[0] == 0
    found = rules_of_run(run)
    lowest, highest = found.span
    assert {lowest.name, highest.name} <= set(find("mmau").rules)
    assert rules_of_run(run, most=39) is None
    assert main(["report", str(run), "--out", str(tmp_path / "page"), "--no-figures",
                 "--lang", "en,zh"]) == 0  # fmt: skip
    for name, words in (
        (
            "index.html",
            r"same replies give: .* % right by \d+ rules .* where ours gives [\d.]+.%.*"
            r"Left out are rules whose sources report no figure of this benchmark\.",
        ),
        ("index.zh.html", r"同一批回答若按.*来源没有报告本基准数值的规则未计入"),
    ):
        page = (tmp_path / "page" / name).read_text("utf-8")
        assert re.search(words, page)
        assert 'href="#readers-mmau"' in page
        assert 'id="readers-mmau"' in page


def test_replies_by_id_are_imported_with_their_questions(tmp_path, capsys):
    """JSON lines of ids and two fields: the field is asked for, and several replies are repeats."""
    path, questions = tmp_path / "ids.jsonl", tmp_path / "mmau-test-mini.json"
    more = {"audio_id": "./a.wav", "task": "music"}
    asked = [{**entry(str(n), ""), **more} for n in range(3)]
    for each in asked:
        del each["reply"]
    questions.write_text(json.dumps(asked))
    fields = {"model_output": "The answer is a violin", "model_prediction": "Violin"}
    path.write_text("\n".join(json.dumps({"id": str(n % 3), **fields}) for n in range(6)))
    given = ("import", "mmau", path, "--questions", questions, "--out", tmp_path / "run")
    assert "choose with --field" in complaint(capsys, *given)
    assert "name mmau-test-mini.json with --questions" in complaint(capsys, "import", "mmau", path)
    status, said = zhiyin(capsys, *given, "--field", "model_prediction")
    assert status == 0
    summary = said[0] if isinstance(said, list) else said
    assert summary["states"]["correct"] == 6
    assert summary["groups"]["all"]["items"] == 3
    assert "takes no --field" in complaint(capsys, "import", "muse", path, "--field", "x")


# Real replies


@pytest.fixture
def known_of(shared):
    def known(field, replies, questions):
        if not (shared / replies).is_file():
            pytest.skip(f"no {replies} in the shared folder")
        records = records_of(given_entries([shared / replies], shared / questions), field)
        return figures(by_every_rule(records, every_pair=False))

    return known


@pytest.mark.slow
@pytest.mark.parametrize(
    ("field", "percent"), [("model_output", 59.80), ("model_prediction", 66.10)]
)
def test_mmau_by_the_field_that_is_read(known_of, field, percent):
    replies = "mmau_replies/desta25_test_mini.jsonl"
    known = known_of(field, replies, "mmau/mmau-test-mini.json")
    assert round(100 * known["string-match"].accuracy, 2) == percent
    assert round(100 * known["desta"].accuracy, 2) == 66.10


@pytest.mark.slow
def test_mmar_by_three_rules(known_of):
    replies = "mmar_replies/qwen25omni_99x3.jsonl"
    known = known_of("", replies, "mmar/MMAR-meta.jsonl")
    right = {name: round(99 * known[name].accuracy, 6) for name in known if known[name].accuracy}
    assert right["string-match"] == 17
    assert right["faithfulness-omni"] == 57
    assert right["robust"] == 58


def _varied(n):
    """Replies in many forms to questions whose options share words, repeat and end in signs."""
    draw = np.random.default_rng(5)
    words = [
        "a major", "A minor", "Violin", "violin (solo)", "C", "no", "3/4", "_x_", "é", "小提琴",
    ]  # fmt: skip
    forms = [
        "{}", "({})", "Answer: {}", "the answer is {}.", "I hear {1}; **{}**", "no idea", ": {}",
    ]  # fmt: skip
    for number in range(n):
        options = [str(word) for word in draw.choice(words, 4, replace=False)]
        one, other = (str(word) for word in draw.choice([*options, "B", "D"], 2))
        reply = str(draw.choice(forms)).replace("{1}", other).replace("{}", one)
        yield entry(str(number), reply, options, str(draw.choice(options)))


@pytest.mark.slow
def test_replies_that_are_read_once_give_what_each_gives_by_itself(tmp_path, monkeypatch):
    """Against each reply judged alone by each rule; and no reply is read more than once by any."""
    once = list(_varied(150))
    entries = [{**one, "id": f"{one['id']}/{turn}"} for turn in range(4) for one in once]
    found = found_in(tmp_path, entries)
    records = list(records_of(given_entries([tmp_path / "replies.jsonl"]), ""))
    rules = {policy.name: policy for policy in fitting(one.trial for one in records)}
    assert [*rules] == [each.name for each in found.figures]
    states = {
        name: [judge_choice(one.trial, one.exchange, policy).state for one in records]
        for name, policy in rules.items()
    }
    for each in found.figures:
        if each.unread == "wrong":
            right = np.mean([state == "correct" for state in states[each.name]])
            assert each.accuracy == pytest.approx(right)
    for pair in found.pairs:
        assert sum(cause.n for cause in pair.causes) == pair.n
        assert pair.n % 4 == 0
        for cause in pair.causes:
            assert [one.trial for one in cause.examples] == sorted(
                (one.trial for one in cause.examples), key=[one.id for one in records].index
            )

    read = []
    real = harnesses.inspect_choice
    policy = next(one for one in policies().values() if one.name == "inspect")

    def counted(text, options):
        read.append((text, options))
        return real(text, options)

    rule = msgspec.structs.replace(policy, extract=counted)
    monkeypatch.setattr(readers, "policies", lambda: {**policies(), "inspect": rule})
    readers.by_every_rule(iter(records))
    assert len(read) - readers._TRIED <= len(once) < len(records)


@pytest.mark.parametrize("seed", range(20))
def test_texts_are_found_as_their_pattern_finds_them(seed):
    draw = np.random.default_rng(seed)
    make = lambda most: "".join(draw.choice(list("ab _é."), draw.integers(0, most)))  # noqa: E731
    for _ in range(200):
        text, wanted = make(14), [make(4) for _ in range(3)]
        assert harnesses._hits(text, wanted) == re.findall("|".join(map(re.escape, wanted)), text)
        one = wanted[0]
        apart = re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text) is not None
        assert muchomusic._contains(text, one) == (bool(one) and apart)
        kept = "".join(s for s in text if unicodedata.category(s)[0] != "P")
        assert harnesses._unpunctuated(text) == kept


def test_over_how_many_questions_the_rules_of_others_are_is_told(tmp_path):
    def answer(trial):
        if "Which" in trial.stem:
            return "A and C"
        return "It cannot be B, which has a reed. I choose A"

    words = {"options": ["x", "y", "z", "w"]}
    ones = [{"question": f"Name {n}?", **words, "answer": "A"} for n in range(6)]
    sets = [{"question": f"Which {n}?", **words, "answer": "A,C"} for n in range(2)]
    run(jsonl(tmp_path / "both.jsonl", *ones, *sets), answer, tmp_path / "both")
    run(jsonl(tmp_path / "ones.jsonl", *ones), answer, tmp_path / "ones")
    told = {name: say_words(span_words({"": rules_of_run(tmp_path / name)}), "en")
            for name in ("both", "ones")}  # fmt: skip
    assert "(6 of 8 questions)" in told["both"]
    assert "questions)" not in told["ones"]
