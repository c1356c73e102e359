"""How well replies are read whose answer is known from how they are made (`phrasings`).

The part for work was looked at while the reader was mended, the part set aside only counted.
"""

from collections import Counter

import pytest

from phrasings import phrased
from reading_help import shown
from zhiyin.reader import is_refusal, open_policy

PEOPLE = ["Nina Simone", "Clara Schumann", "Johann Sebastian Bach", "Igor Stravinsky"]
read = open_policy("robust").extract


def outcome(reply):
    found = read(reply.text, shown(reply.options)).letter
    if found == reply.expect:
        return "right"
    return "not read" if found is None else "wrong"


@pytest.mark.parametrize(
    ("part", "least", "right", "wrong"), [("work", 480, 0.99, 0.0), ("aside", 400, 0.925, 0.008)]
)
def test_phrasings_are_read_right(part, least, right, wrong):
    counts = Counter(map(outcome, phrased(part)))
    assert counts.total() >= least
    assert counts["right"] >= right * counts.total()
    assert counts["wrong"] <= wrong * counts.total()


@pytest.mark.parametrize("part", ["work", "aside"])
def test_a_refusal_is_known_and_nothing_else_is_one(part):
    replies = [reply for reply in phrased(part) if outcome(reply) == "right" and not reply.expect]
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
