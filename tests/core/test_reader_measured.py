"""How well the default policy reads: floors a little under what is measured today.

Of the set-aside replies only counts are shown, never a reply: they measure, and mend nothing.
"""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from conftest import REPOSITORY
from phrased_kinds import FRESH, FRESH_LATER, fresh_replies, phrased_kinds
from phrasings import phrased
from reading_help import HERE, KEYS, explain, explainers, lines, shown
from zhiyin.contract.policies import open_policy
from zhiyin.reader import is_refusal

pytestmark = pytest.mark.slow

read = open_policy("robust").extract
EXPLAINED = ("answer-first", "answer-last", "answer-middle", "stepwise", "self-check")
REALISTIC = (
    *("plain", "markdown", "latex", "json", "xml", "table", "end-token", "thinking", "polite"),
    *("correction", "wide-letter", "lower-case", "quoted", "ordinals", "numbers", "text-alone"),
)


def outcome(reply):
    found, expected = read(reply["text"], shown(reply["options"])).letter, reply["expect"]
    if found == expected:
        return "right"
    return "miss" if found is None else "false" if expected is None else "wrong"


def shares(replies, kinds=None, field="kind"):
    counts = Counter(outcome(r) for r in replies if kinds is None or r[field] in kinds)
    return {name: count / counts.total() for name, count in counts.items()}


@pytest.mark.parametrize(
    ("part", "all_right", "most_false"), [("open", 0.99, 0.003), ("aside", 0.94, 0.015)]
)
def test_marked_replies(part, all_right, most_false):
    replies = lines(HERE / f"{part}.jsonl")
    assert shares(replies)["right"] >= all_right
    assert shares(replies).get("false", 0) <= most_false
    assert shares(replies, EXPLAINED)["right"] >= 0.97
    assert shares(replies, REALISTIC)["right"] >= 0.97


def test_reference_replies(shared):
    path = shared.parent / "reference" / "reading" / "replies.jsonl"
    if not path.is_file():
        pytest.skip("no reference/reading beside the data")
    replies = lines(path)
    assert shares(replies)["right"] >= 0.995
    assert shares(replies).get("false", 0) == 0
    for kind in ("mixed", "explained", "follow-up"):
        assert shares(replies, [kind], "set")["right"] >= 0.99


def test_paraphrases():
    """Written to find faults, kind by kind; those not read right are named in docs/reading.md."""
    replies = lines(REPOSITORY / "tests" / "golden" / "paraphrases.jsonl")
    wrong = [r for r in replies if outcome(r) != "right"]
    assert wrong == []


@pytest.mark.parametrize("part", ["open", "aside"])
def test_an_explainer_who_is_always_right_is_always_read_right(part):
    misread = 0
    for template, texts, key in itertools.product(explainers(part), KEYS, "ABCD"):
        misread += read(explain(template, shown(texts), key), shown(texts)).letter != key
    assert misread == 0


PEOPLE = ["Nina Simone", "Clara Schumann", "Johann Sebastian Bach", "Igor Stravinsky"]


def phrased_outcome(reply):
    found = read(reply.text, shown(reply.options)).letter
    if found == reply.expect:
        return "right"
    return "not read" if found is None else "wrong"


@pytest.mark.parametrize(
    ("part", "least", "right", "wrong"), [("work", 480, 0.99, 0.0), ("aside", 400, 0.925, 0.008)]
)
def test_phrasings_are_read_right(part, least, right, wrong):
    counts = Counter(map(phrased_outcome, phrased(part)))
    assert counts.total() >= least
    assert counts["right"] >= right * counts.total()
    assert counts["wrong"] <= wrong * counts.total()


@pytest.mark.parametrize(
    ("part", "least", "right", "wrong"), [("work", 480, 0.97, 0.006), ("aside", 320, 0.83, 0.085)]
)
def test_replies_of_hard_kinds_are_read_right(part, least, right, wrong):
    """Before clauses weighed options, 70 % of the part for work and 65.5 % of the other were."""
    counts = Counter(map(phrased_outcome, phrased_kinds(part)))
    assert counts.total() >= least
    assert counts["right"] >= right * counts.total()
    assert counts["wrong"] <= wrong * counts.total()


@pytest.mark.parametrize(
    ("file", "part", "least", "right", "wrong"),
    [
        (FRESH, "work", 99, 0.98, 0.0),
        (FRESH, "aside", 103, 0.88, 0.03),
        (FRESH_LATER, "work", 73, 0.93, 0.02),
        (FRESH_LATER, "aside", 58, 0.82, 0.02),
    ],
)
def test_fresh_replies_are_read_right(file, part, least, right, wrong):
    """When they were first read, 84 and 86 % of the parts of the first were right; 85 and 76 %
    of those of the second.
    """
    counts = Counter(map(phrased_outcome, fresh_replies(part, file)))
    assert counts.total() >= least
    assert counts["right"] >= right * counts.total()
    assert counts["wrong"] <= wrong * counts.total()


OBOE = ["Oboe", "Flute", "Horn", "Harp"]


@pytest.mark.parametrize(
    ("text", "options", "letter"),
    [
        ("Mozart [assuming it is his; otherwise it would be Haydn]", ["Haydn", "Mozart"], "B"),
        ("If there is a reed, it's A; otherwise it's B.", OBOE, None),
        ("It depends: with a reed, A; without one, B.", OBOE, None),
        ("Let us assume it's nasal. Then the answer is A.", OBOE, None),
        ("My answer is C. In the case of a slower piece, I would say D instead.", OBOE, "C"),
        ("If you listen closely, you will hear that it's B.", OBOE, "B"),
        ("While C might be what most expect, the lead is the signature of a harp.", OBOE, "D"),
        ("Oboe seems likely. Flute seems just as likely.", OBOE, None),
        ("Likely A. Likely B.", OBOE, None),
        ("A is likely, B even more so.", OBOE, "B"),
        ("About 40% for the oboe, 40% for the flute, 20% for the others.", OBOE, None),
        ("Likelihoods: A low, B very low, C high, D very low.", OBOE, "C"),
        ("D sounds alike, but is less convincing than C.", OBOE, "C"),
        ("A) no B) yes C) no D) no", OBOE, "B"),
        ("A: F\nB: T\nC: F\nD: F", OBOE, "B"),
        ("A n, B n, C y, D n", OBOE, "C"),
        ("My gut says A, but my ears say B.", OBOE, "B"),
        ("A is likely what most will say. It's B.", OBOE, "B"),
        ("[Draft] B, it is slow.\n[Final] A", OBOE, "A"),
        ("It's A; I withdraw my earlier remark about the flute.", OBOE, "A"),
        ("The note is E, which is option D.", ["G", "D", "A", "E"], "D"),
        ("三拍子最支持C；D也是三拍，但不如C贴切。", ["甲", "乙", "丙", "丁"], "C"),
        ("A的可能性大，B的可能性同样大。", ["甲", "乙", "丙", "丁"], None),
        ("若不是双簧，选D；有双簧的话选A，视音色而定。", ["甲", "乙", "丙", "丁"], None),
    ],
)
def test_what_is_supposed_compared_or_marked(text, options, letter):
    assert read(text, shown(options)).letter == letter


def test_the_parts_of_the_hard_kinds_share_no_template():
    work, aside = (phrased_kinds(part) for part in ("work", "aside"))
    assert not {reply.template for reply in work} & {reply.template for reply in aside}
    assert {reply.kind for reply in work} == {reply.kind for reply in aside}
    assert {None} < {reply.expect for reply in [*work, *aside]}


FOUR = ["Oboe", "Cello", "Trumpet", "Marimba"]


@pytest.mark.parametrize(
    ("text", "options", "letter"),
    [
        ("<Reasoning>It is low.</Reasoning><Conclusion>B</Conclusion>", FOUR, "B"),
        ("A❌ B❌ C✅ D❌", FOUR, "C"),
        ("A× B× C√ D×", FOUR, "C"),
        ("A is partly right, but C is better.", FOUR, "C"),
        ("A is partly right and B is partly right, too.", FOUR, None),
        ("A is likely, but D is likelier.", FOUR, "D"),
        ("A is the obvious choice, but I doubt it.", FOUR, None),
        ("A is the obvious choice, but I cannot be sure.", FOUR, "A"),
        ("Draft 1: A\nDraft 2: C\nFinal version: B", FOUR, "B"),
        ("Preliminary answer: A\nFinal answer:", FOUR, None),
        ("Scores out of ten: A 3, C 2, D 1, B 9.", FOUR, "B"),
        ("10% A, 20% B, 70% C", FOUR, "C"),
        ("我有六成把握是C，四成是A。", FOUR, "C"),
        ("C比A更接近听到的内容。", FOUR, "C"),
        ("正确答案为B，A属于迷惑选项，C则与题意无关。", FOUR, "B"),
        ("A. B is a classic mistake.", FOUR, "A"),
        ("C. (If it were lower, B would be the right choice.)", FOUR, "C"),
        ("The tempo is about 72.", ["About 72 beats per minute", "About 88 beats"], "A"),
        ("每小节有四拍。", ["3拍", "4拍"], "B"),
        ("I cannot hear it; I have three ears.", ["3 beats", "4 beats"], None),
        ("D. 4拍", ["3拍", "4拍", "5拍", "6拍"], None),
        ("Y", ["No", "Yes"], "B"),
        ("The answer is N.", ["No", "Yes"], "A"),
        ("最后一个音是C。", FOUR, None),
    ],
)
def test_what_is_weighed(text, options, letter):
    assert read(text, shown(options)).letter == letter


@pytest.mark.parametrize("part", ["work", "aside"])
def test_a_refusal_is_known_and_nothing_else_is_one(part):
    replies = [
        reply for reply in phrased(part) if phrased_outcome(reply) == "right" and not reply.expect
    ]
    assert {reply.refuses for reply in replies} == {True, False}
    assert [reply.text for reply in replies if is_refusal(reply.text) != reply.refuses] == []


def test_a_reply_says_what_it_was_made_to_say():
    """The letter that is expected is that of the key's text, and both stand where they should."""
    seen = {part: phrased(part) for part in ("work", "aside")}
    assert not {r.template for r in seen["work"]} & {r.template for r in seen["aside"]}
    for reply in [*seen["work"], *seen["aside"]]:
        assert not set("⟨⟩¦") & set(reply.text)
        assert len(set(reply.options)) == 4
        if reply.expect and "{K}" not in reply.template and "{kt}" in reply.template:
            assert reply.options["ABCD".index(reply.expect)] in reply.text
        elif reply.expect and "{K}" in reply.template:
            assert reply.expect in reply.text
        else:
            assert reply.expect is None or "{A}" in reply.template


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("My first choice would be C", "C"),
        ("My first choice was A, but the style is wrong, so B.", "B"),
        ("His first choice would be A.", None),
        ("So A it must be.", "A"),
        ("After some thought I'd settle on B.", "B"),
        ("Some thought it was B.", None),
        ("A is what I wanted to say.", None),
        ("I suppose it's D.", "D"),
        ("I suppose A would be right if it were faster.", None),
        ("Sonata form, so the answer is A.", "A"),
        ("I was leaning towards A.", None),
        ("A isn't right, and neither is B nor C.", "D"),
        ("A is the second best fit.", None),
        ("A is a poor match.", None),
        ("I'm going to have to go with B.", "B"),
        ("Everything speaks for B.", "B"),
        ("It cannot possibly be understood as anything other than B.", "B"),
        ("Nina Simone, on the other hand, is consistent with everything.", "A"),
        ("A – no, it never rests.\nB – yes, it never rests.", "B"),
        ("不是A就是B。", None),
        ("选A还是选B，很难说。", None),
        ("不建议选A。", None),
        ("很难说是A。", None),
        ("不敢肯定是A。", None),
        ("找不到选A的理由。", None),
        ("找不到不选A的理由。", "A"),
        ("种种迹象都指向A。", "A"),
        ("这些都不指向A。", None),
        ("在A和C之间，我更看好C。", "C"),
        ("除了A，其他选项都可以排除。", "A"),
        ("A与所听到的一致。", "A"),
        ("A与所听到的不一致。", None),
    ],
)
def test_phrases_that_were_misread(text, letter):
    assert read(text, shown(PEOPLE)).letter == letter


def test_a_digit_that_is_an_options_text():
    numbers = ["4", "6", "12", "8"]
    assert (
        read("This is clearly 8. With 6, things would be different.", shown(numbers)).letter == "D"
    )
    assert read("All in all, 12 seems the most convincing choice.", shown(numbers)).letter == "C"
    assert read("4 and 8 make 12.", shown(numbers)).letter is None
