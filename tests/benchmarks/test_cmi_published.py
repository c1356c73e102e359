"""CMI-Bench's published figures on replies that nobody has seen: our scorers against an oracle."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import cmi_oracle as oracle
from zhiyin.plugins.benchmarks.cmi import events, tasks
from zhiyin.plugins.benchmarks.cmi import measures as choices
from zhiyin.plugins.benchmarks.cmi.measures import JudgedReply, value_of

pytestmark = pytest.mark.slow


def pieces(*known, size=8):
    """Texts of what such replies are made of, with anything between."""
    part = st.sampled_from(known) | st.text(max_size=3)
    return st.lists(part, max_size=size).map("".join)


TIMES = ("'0.0'", "'10.0'", "'9.9999'", "'12.5'", "'0'", "'3.07'", "5.5", "'-1'", "'start_time'")
NAMES = ("'Vibrato'", "'Point Note'", "'upward_portamento'", "'No Tech'", "'Bend'", "Tremolo")
event = st.builds("({}, {}, {})".format, *(st.sampled_from(TIMES),) * 2, st.sampled_from(NAMES))
listed = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "Here (as asked): ", "1) ", "The list [", '["', "`", "note [1] "]),
    st.lists(event, max_size=3).map(lambda each: f"[{', '.join(each)}]"),
    st.sampled_from(["", ".", '"]', "\n(end)", ")"]),
)
EVENT_TEXTS = listed | pieces("[", "]", "(", ")", ", ", *TIMES, *NAMES, size=14)
LABELS = "[('0.0', '10.0', 'Vibrato')]", "[('10.4321', '11.0820', 'Downward Portamento')]"


@given(st.lists(st.tuples(st.sampled_from(LABELS) | listed, EVENT_TEXTS), min_size=1, max_size=3))
@example([("[('0.0', '10.0', 'Vibrato')]", "[('0.0', '10.0', 'Vibrato')]")])
@example([(LABELS[0], "Techniques (7): [('0.0', '4.0', 'Vibrato')]")])
@example([(LABELS[0], "[1] my answer (I hope): [('0.0', '4.0', 'Vibrato')]")])
@example([(LABELS[0], "[('start_time', 'end_time', 'No Tech')]")])
@example([(LABELS[0], "[(0.0, 4.0, 'Vibrato')]")])
@example([(LABELS[0], "[\"[('0.0', '4.0', 'Vibrato')]\"]")])
def test_playing_techniques(pairs):
    items = [JudgedReply(label, reply, str(k)) for k, (label, reply) in enumerate(pairs)]
    found = tuple(value_of(measure, items) for measure in events.EVENT_MEASURES[:2])
    assert found == pytest.approx(oracle.events_f1(pairs))


def test_an_event_of_ten_seconds_fills_the_clip():
    label = "[('0.0', '10.0', 'Vibrato')]"
    assert events.frames(events.published_events(label)).sum() == 1000
    micro, macro = (
        value_of(m, [JudgedReply(label, label, "1")]) for m in events.EVENT_MEASURES[:2]
    )
    assert (micro, macro) == (1, pytest.approx(1 / 7))
    assert events.published_events(f"(as you asked) {label}") == []
    assert events.published_events("[" * 5000 + "(" * 5000 + ")") == []


@given(pieces("vocal", "_", " ", "fry", "lip trill", "trill", "#", "-", "'", "Trillo", "."))
def test_labels(reply):
    labels = ("lip_trill", "trill", "trillo", "vocal_fry", "c#", "b-flat")
    for label in labels:
        assert choices.published_right(label, reply, labels) == oracle.right(label, reply, labels)


@given(
    pieces(
        *"0123456789", ".", "-", " ", "/", "out of 9", "1-9 scale", "from 1 to 9", "5-point scale",
        "3/4 time signature", "4/4 beat", "Example 2", "120", size=10,
    )
)  # fmt: skip
@example("71-9 scale5")
@example("5-point 1-9 scale")
@example("07.5")
def test_numbers(reply):
    if all(c.isascii() for c in reply):
        assert events.published_number(reply) == oracle.number(reply)


@given(pieces(*"abcdefgm#♯♭ 1", "minor", "major", " Major", "\n", "Eb min", "sharp"))
def test_keys(reply):
    assert choices.published_key(reply) == oracle.key(reply)


@given(
    pieces("0.38s", ",", "1:02", ":", "s", ".", "12", " ", "²", "1e5", "nan", "_", "beats", "\n")
)
@example("0.5s,1.0s,1.5s.")
def test_times(reply):
    assert events.published_times(reply) == oracle.times(reply)


@given(
    pieces(
        "The lyrics ", " lyrics ", "are", ":", "\n", " content ", "is", "<s>", "</s>", " text ",
        " transcription ", "oh, ", "12", " ",
    )
)  # fmt: skip
def test_what_is_cut_from_lyrics(reply):
    assert tasks.without_lead(reply) == oracle.lyrics(reply)


LEAD = "The lyrics of this are: "


@given(pieces("HELLO ", "it's ", "12 ", "\n", "- ", LEAD, "world ", "&"))
def test_error_rates_are_those_of_the_cleaned_texts(reply):
    """By an edit distance of our own."""
    label = "HELLO IT'S 12 WORLDS"
    given_words, wanted = tasks.cleaned(oracle.lyrics(reply)), tasks.cleaned(label)
    assert wanted == "hello it's twelve worlds"
    scores, _ = tasks.score_lyrics(label, reply)
    assert scores["wer"] == pytest.approx(edits(wanted.split(), given_words.split()) / 4)
    assert scores["cer"] == pytest.approx(edits(wanted, given_words) / len(wanted))


def edits(wanted, named):
    row = list(range(len(named) + 1))
    for i, left in enumerate(wanted, 1):
        before, row = row, [i]
        for j, right in enumerate(named, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (left != right)))
    return row[-1]


TAGS = ("rock", "no vocal", "hard-rock", "pop", "90s")


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from(TAGS), max_size=3, unique=True).map(",".join),
            pieces("Rock", "no vocal", "pop", ",", " ", "90s", "HARD-ROCK", size=4),
        ),
        min_size=2, max_size=6,
    )
)  # fmt: skip
def test_areas_of_the_literal_rule(pairs):
    """Against scikit-learn, over the tags that occur: a label loses its blanks, a tag does not."""
    metrics = pytest.importorskip("sklearn.metrics")
    known = sorted({tag for label, _ in pairs for tag in label.split(",") if tag})
    wanted = np.array([[t in map(oracle.bare, a.split(",")) for t in known] for a, _ in pairs])
    named = np.array([[t in reply.lower().strip() for t in known] for _, reply in pairs])
    both = [k for k in range(len(known)) if 0 < wanted[:, k].sum() < len(pairs)]
    some = [k for k in range(len(known)) if wanted[:, k].any()]
    roc = [metrics.roc_auc_score(wanted[:, k], named[:, k]) for k in both]
    areas = [metrics.average_precision_score(wanted[:, k], named[:, k]) for k in some]
    items = [JudgedReply(label, reply, str(k)) for k, (label, reply) in enumerate(pairs)]
    found = [value_of(measure, items) for measure in tasks.tag_measures()[:3]]
    means = [np.mean(roc) if roc else None, np.mean(areas) if areas else None]
    assert found[:2] == [None if each is None else pytest.approx(each) for each in means]
    if known:
        assert found[2] == pytest.approx(sum(areas) / len(known))
