"""Questions about recordings as files hold them, against ``tests/golden/music``."""

from pathlib import Path

from golden_help import every, kept
from zhiyin.plugins.music import clips

GOOD = {"question": "Which?", "choices": ["one", "two", " "], "answer": "two "}
ENTRIES = (
    GOOD, {}, [], None, {**GOOD, "question": " "}, {**GOOD, "question": 3}, {**GOOD, "answer": ""},
    {**GOOD, "choices": "one"}, {**GOOD, "choices": ["one", 2]}, {**GOOD, "choices": ["two", ""]},
    {**GOOD, "choices": [f"{n}" for n in range(26)], "answer": "25"},
    {**GOOD, "choices": [f"{n}" for n in range(27)], "answer": "25"},
    {**GOOD, "answer": "three"}, {**GOOD, "song": "x"}, {**GOOD, "choices": ["", "two", "one"]},
)  # fmt: skip
CHOICES = (
    ("a b", "b a", "c"), ("a", "A ", "c"), ("a", "b", "B"), ("a", "b", "c"), (" a", "b", "c"),
    ("a b", "A  b", "b, a"), ("x", "x x", "y"),
)  # fmt: skip


def test_questions_on_clips(tmp_path):
    entries = [(entry, named) for entry in ENTRIES for named in ((), ("song",))]
    made = [
        (Path("x/q.json"), clips.ClipQuestion("q", "a.wav", "?", choices, right, tags=tags))
        for choices in CHOICES
        for right in range(3)
        for tags in ({}, {"empty_choices": 1})
    ]
    full = [(entry,) for entry in ENTRIES if clips.fault_in(entry, ()) is None]
    texts = ('{"a": 1}\n\n{"b": 2}\n', '{"a": 1}\n{"b"\n', "", "[1]", "{'a'}", "\n\n1")
    told = []
    left = [(Path("f"), "1", "row", fault, told.append) for fault in (None, ("bad", "no word"))]
    text = every(clips.fault_in, entries)
    text += every(clips.right_place, full) + every(clips.choices_of, full)
    text += every(clips.slug, [("Two Words",), ("a-b_c  D!",), ("é/2",), ("",)])
    text += every(clips.twins, made) + every(clips.common_flaws, made)
    text += every(clips.decode_json_lines, [(Path("f"), each) for each in texts])
    text += every(clips.decode_json, [(Path("f"), t, n) for t in texts for n in (0, 7)])
    text += "".join(f"{clips.is_left_out(*each)}\n" for each in left) + f"{told}\n"
    text += every(clips.refuse, [(told[0],)]) + f"{made[0][1].clips}\n"
    kept("music/clips.txt", text)
