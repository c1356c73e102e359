"""Odd replies for `test_reader_pinned.py`: every bound, mark, key and kind of options once.

They are written out or made of words that are written here, never taken from the reader, so that
a change of the reader changes no text.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator

from reading_help import KEYS

OPTIONS = [
    *KEYS,
    ["same", "different"],
    ["Yes", "No"],
    ["是", "否", "不确定"],
    ["相同", "不同"],
    ["true", "false"],
    ["yes, the same melody", "no, a different melody"],
    ["一样", "不一样"],
    ["一致", "不一致"],
    ["正确", "错误"],
    ["相同", "不相同"],
    ["the same", "different", "neither"],
    ["120 BPM", "90 BPM", "60 BPM"],
    ["3/4", "4/4", "6/8"],
    ["1", "2", "3", "12"],
    ["3", "4"],
    ["the tonic", "a dominant", "an octave", "The (sub)dominant"],
    ["Bb", "B", "F#", "G♯"],
    ["A flat major", "C-sharp minor", "B flat", "G sharp"],
    ["1. First", "2) Second", "3、三", "(4)"],
    ["Sonata (form)", "Rondo (a round)", "Fugue", "sonata"],
    ["A) Alpha", "(B) Beta.", "c: Gamma", "D"],
    ["a", "b", "c"],
    ["宫", "商", "角", "徵"],
    ["Key of C", "Key of D"],
    ["bar 3", "bar 5", "bar 12"],
    ["minor third", "major third", "perfect fifth"],
    ["", "", ""],
    ["Violin", "violin", "Viola"],
    ["'quoted'", '"double"', "[x]", "  spaced  out "],
    ["A minor", "minor"],
    ["F1", "F2"],
    ["not heard", "heard", "no", "wrong"],
    ["E", "D", "C", "B", "A", "F"],
    ["8-bar", "16-bar"],
]
"""Options of more kinds, for the names by which a reply may call them."""

FILLERS = ("la ", "x", "，对", "so on, ")
BOUNDS = (3, 4, 8, 12, 14, 15, 16, 18, 20, 22, 24, 26, 40, 48, 60, 80, 90, 120, 140, 160, 200, 400)
BETWEEN = (
    "The answer is {f} B.",
    "B{f} is right.",
    "A{f}B",
    "A. {f}. Wait, no, C.",
    "B, {f} and C",
    "{f}\nB",
    "It is {o}. {f} That is wrong.",
    "{f}. So it is {o}",
    "C is wrong {f}. B",
    "Answer: {f}",
    "答案{f}是B",
    "B. {f}",
    "{o} {f} {u}",
    "If {f} then A, but B",
    "A? {f}? B.",
    "Option A {f}\nOption B",
    "**B**{f}",
    "not {f} A",
    "{f} A is better than B",
    "I choose {f}",
    "B ({f})",
    "the answer is {o}, {f}.",
)
MARKS = (
    "【】［］「」『』《》“”„«»‘’｛｝–—―−‑ \u202f\u3000\u2028\u2029\0İ。｡*_`~#>|<[]()$"
    "\\：，．（）！？；、ＡＢａｂⒶⓑ①②🅐🄱𝐀𝐵\u00ad\u200b\u200d\u2066\ufeff\ufe0f\u20e3\t\r\f\v"
)
TRADITIONAL = (
    "選項應該擇B",
    "應當選對的B",
    "確認為B",
    "這題還是B這個",
    "他們說A是誤的，後來覺得B",
    "從無A",
    "沒準是B",
    "準則斷傾據實際並當聽應難過條間問請樂調號節級終論結維語樣現種B",
    "錯的是A，對的是B",
)
WRITTEN = (
    "<think>A</think>B",
    "<thinking>A B</thinking>\n\nC",
    "[THINK]A[/THINK]B",
    "◁think▷A◁/think▷B",
    "A</think>B",
    "<think>A",
    "B<think>A",
    "<think>A</think>B<think>C</think>",
    "<reasoning>A</reasoning>B",
    "x</think>A</think>B",
    "<think>a</think>B</think>C",
    "<analysis>A</analysis>B",
    "<thought>A</thought>B",
    "<|begin_of_thought|>A<|end_of_thought|>B",
    "<scratchpad>A</scratchpad>B",
    "<reflection>A</reflection>B",
    "<|channel|>analysis<|message|>A<|end|><|channel|>final<|message|>B<|return|>",
    "<|channel|>analysis<|message|>A",
    "<|channel|>commentary to=x<|message|>A",
    "B<|im_end|>A",
    "<|im_end|>B",
    "B</s>C",
    "</s>B",
    "B<eos>",
    "<s>B",
    "B<end_of_turn>A",
    "B<｜end▁of▁sentence｜>A",
    "B<|im_start|> user A",
    "B<|im_start|>assistant A",
    "<bos>B",
    "<start_of_turn>model\nB",
    "B<start_of_turn> user\nA",
    "<think>A<|im_end|></think>B",
    "<think>A</s>C</think>B",
    "<|im_start|>assistant\nB<|im_end|>",
    "assistant B",
    "<|start_header_id|>assistant<|end_header_id|>\nB",
    "B<|eot_id|>A",
    "B<|end|>A",
    "B<|endoftext|>A",
    "B<|end_of_text|>A",
    "B<|eom_id|>A",
    "B<|eos|>A",
    "B<|assistant_end|>A",
    "B<|return|>A",
    "[INST]A[/INST]B",
    "~~A~~ B",
    "<del>A</del> B",
    "<s>A</s> B",
    "<strike>A</strike>B",
    "<b>B</b>",
    "<span>B</span>",
    "A\\nB",
    '\\"B\\"',
    "\\boxed{B}",
    "\\text{B}",
    "$B$",
    "\\mathrm{B}",
    "\\(B\\)",
    "```\nB\n```",
    '```json\n{"answer": "B"}\n```',
    "__B__",
    "***B***",
    "B\n\n\n\nA",
    "A  B",
    "  B  ",
    "\n\nB",
    "<think></think>",
    "<p>A</p><br/>B",
    "<|foo|>B",
    "<pad>B",
    "\\quad B",
    "\\,B",
)
FIELDS = (
    "final",
    "final_answer",
    "finalChoice",
    "final decision",
    "最终答案",
    "最终选择",
    "answer",
    "correct_answer",
    "correct",
    "correctOption",
    "my answer",
    "ans",
    "答案",
    "正确答案",
    "answer_letter",
    "answer_option",
    "回答",
    "right answer",
    "correctchoice",
    "respuesta",
    "réponse",
    "antwort",
    "答え",
    "正解",
    "정답",
    "ответ",
    "resposta",
    "final_output",
    "choice",
    "option",
    "selected",
    "selected option",
    "selection",
    "chosen",
    "chosen_option",
    "letter",
    "option letter",
    "choiceLetter",
    "pick",
    "prediction",
    "predicted",
    "predicted_answer",
    "best_option",
    "best answer",
    "best",
    "label",
    "decision",
    "verdict",
    "选择",
    "选项",
    "选定",
    "正确选项",
    "selected_answer",
    "chosen_answer",
    "best_guess",
    "guess",
    "option_number",
    "your_choice",
    "response",
    "result",
    "output",
    "conclusion",
    "结论",
    "结果",
    "value",
    "text",
    "answer_text",
    "option_text",
    "content",
    "内容",
    "选项内容",
    "答案内容",
    "alternative",
    "second_choice",
    "runner_up",
    "other",
    "wrong",
    "incorrect",
    "rejected",
    "eliminated",
    "distractor",
    "least",
    "worst",
    "previous",
    "initial",
    "first",
    "draft",
    "备选",
    "其次",
    "错误",
    "排除",
    "干扰",
    "options",
    "confidence",
    "explanation",
    "id",
    "x" * 58,
    "x" * 59,
    "x" * 60,
    "answer" + "_" * 53,
    "answer" + "_" * 54,
    "",
)
VALUES = (
    "B",
    "b",
    "B.",
    "(B)",
    "[B]",
    "B)",
    "Option B",
    "option b",
    "选项B",
    "B选项",
    "B项",
    "B: {u}",
    "B. {o}",
    "{o}",
    "{u}",
    "A or B",
    "B and C",
    "B, C",
    "none",
    "",
    "E",
    "yes",
    "no",
    "true",
    "是",
    "否",
    "boxed{B}",
    "\\boxed{C}",
    "**B**",
    "B - {o}",
    "B ({o})",
    "The answer is B",
    1,
    2,
    0,
    9,
    -1,
    1.0,
    2.5,
    True,
    False,
    None,
    ["B"],
    ["B", "A"],
    [],
    [1, 2],
    ["B"] * 26,
    ["B"] * 27,
    [None],
    {"letter": "B"},
    {"text": "{o}"},
    {"A": True},
    [["B"]],
    [{"answer": "C"}],
)
VERDICTS = (
    "yes",
    "true",
    "correct",
    "right",
    "✓",
    "✔",
    "✅",
    "match",
    "是",
    "对",
    "正确",
    "符合",
    "no",
    "not so",
    "false",
    "incorrect",
    "wrong",
    "✗",
    "❌",
    "×",
    "否",
    "不",
    "错",
    True,
    False,
    1,
    "",
    "hm",
    {"mark": "yes"},
    ["yes"],
    {"a": {"b": {"c": {"d": "yes"}}}},
    {"a": {"b": {"c": {"d": {"e": "yes"}}}}},
    {"a": "yes", "b": "no"},
    "yes" + " " * 76 + ".",
    "yes" + " " * 75 + ".",
)
NAMES = ("option", "letter", "label", "choice", "选项", "id", "answer", "name")


def of_bounds() -> Iterator[str]:
    """A stretch of each length at which some pattern or reach ends, in each kind of sentence."""
    for number, bound in enumerate(BOUNDS):
        for turn, sentence in enumerate(BETWEEN):
            filler = FILLERS[(number + turn) % len(FILLERS)]
            for extra in (-1, 0, 1):
                if (turn + number + extra) % 3:
                    continue
                size = bound + extra - (turn + number) % 4
                yield sentence.replace("{f}", (filler * size)[: max(size, 0)].strip())


def of_marks() -> Iterator[str]:
    for mark in MARKS:
        yield f"The answer is{mark}B{mark}"
        yield f"{mark}A{mark} is wrong{mark} it is{mark}C"
        yield f"B{mark}{{o}}"
    yield from TRADITIONAL
    yield from WRITTEN


def of_data() -> Iterator[str]:
    """Objects with each field, each value and each mark."""
    for number, name in enumerate(FIELDS):
        other = FIELDS[(7 * number + 3) % len(FIELDS)]
        value = VALUES[number % len(VALUES)]
        yield json.dumps({name: "B"}, ensure_ascii=False)
        yield (
            "So: "
            + json.dumps({"note": "A", name: "C", other: "D"}, ensure_ascii=False)
            + " That is it."
        )
        yield json.dumps({name: value, "reason": "not A"}, ensure_ascii=False)
        yield json.dumps({"answer": "B", name: "{u}"}, ensure_ascii=False)
        yield json.dumps([{name: {other: "B"}}], ensure_ascii=False)
    for number, value in enumerate(VALUES):
        for name in ("answer", "option", "choice", "selected_option", "option_number", "x"):
            yield json.dumps({name: value}, ensure_ascii=False)
        told = json.dumps({"answer": value}, ensure_ascii=False)
        yield f"I think.\n{told}\nNo, {'ABCD'[number % 4]}."
    for number, mark in enumerate(VERDICTS):
        yield json.dumps({"A": mark, "B": "no", "C": "no", "D": "no"}, ensure_ascii=False)
        yield json.dumps({"A": "no", "B": mark}, ensure_ascii=False)
        for name in (NAMES[number % len(NAMES)], NAMES[(number + 3) % len(NAMES)]):
            rows = [{name: "A", "right": "wrong"}, {name: "C", "verdict": mark}]
            yield json.dumps(rows, ensure_ascii=False)
    for depth in (1, 2, 3, 62, 63, 64, 65, 66):
        yield '{"x": ' * depth + '{"answer": "B"}' + "}" * depth
        yield '[{"x": ' * (depth % 9) + '"B"' + "}]" * (depth % 9)
    for count in (6, 7, 8, 9, 10):
        yield '{"x" ' * count + '{"answer": "B"}'
        yield '{"note": "x"} ' * count + '{"answer": "B"}'
    for size in (48, 49, 50, 51):
        yield json.dumps([{"answer": "B"}] * (size - 1) + ["x"])
        yield json.dumps([{"option": "A", "ok": False}] * size + [{"option": "C", "ok": True}])
        yield json.dumps({"notes": ["x"] * size + ["The answer is B"]})
    for lead in ("", "json\n", "1234567", "12345678", "`", "Sure: "):
        yield lead + '{"answer": "B"}' + ("." if lead else " end")
        yield lead + '{"note": "The answer is C", "other": "A"}'


PIECES = (
    "A",
    "B",
    "C",
    "D",
    "(C)",
    "option B",
    "B.",
    "{o}",
    "{u}",
    "the {o}",
    "B) {o}",
    "A. {u}",
    "选项C",
    "A项",
    "E",
    "b",
    "AB",
    "ABD",
    "the first",
    "the second option",
    "option 2",
    "number 3",
    "第一个",
    "最后一项",
    "the last two",
    "前两项",
    "both",
    "1",
    "2.",
    "[A]",
    "**B**",
    "C/D",
    "none",
    "答案",
    "the third one",
)
JOINTS = (
    " ",
    ", ",
    " and ",
    " or ",
    "\n",
    ". ",
    ": ",
    "; ",
    " is ",
    " is right, ",
    " is wrong, ",
    "? ",
    ", not ",
    " > ",
    " because ",
    "但是",
    "，因为",
    "、",
    "和",
    "或",
    "是对的，",
    "不对，",
    " vs ",
    " but ",
    ", so ",
    " - ",
    "! No, ",
    " than ",
    "\n\n",
    " (",
    ") ",
    " = ",
    ". Wait, ",
    "，选",
    " 60% ",
    "✓ ",
    "❌ ",
    " | ",
    " fits. ",
    " rather than ",
    ". Hence ",
    " as well as ",
    " nor ",
    ", or maybe ",
    " would be ",
    ", which is ",
    "。而",
    " could be ",
    " to ",
    "\n- ",
    "\n2. ",
)
OPENINGS = (
    "",
    "",
    "The answer is ",
    "I think ",
    "It is ",
    "答案是",
    "我选",
    "Not ",
    "排除",
    "Either ",
    "If it were ",
    "So ",
    "Final answer: ",
    "Some say ",
    "Correct: ",
    "1. ",
    "- ",
    "Between ",
    "应该是",
    "Only ",
    "All but ",
    "Is it ",
    "My first thought was ",
    "They chose ",
    "最有可能",
    "不是",
    "probably ",
    "Let us compare ",
    "It cannot be ",
)
ENDS = (
    "",
    ".",
    "。",
    "!",
    "?",
    " is correct.",
    " is wrong.",
    "对",
    "不对",
    "\n",
    " is best",
    " (sure)",
    "...",
    " fits best.",
)


def of_talk(number: int) -> Iterator[str]:
    """Options named one after the other, in all kinds of company."""
    draw = random.Random(48)
    for _ in range(number):
        words = draw.choice(OPENINGS)
        for place in range(draw.choice((1, 2, 2, 3, 3, 4))):
            words += (draw.choice(JOINTS) if place else "") + draw.choice(PIECES)
        yield words + draw.choice(ENDS)


def odd_replies() -> list[tuple[str, list[str]]]:
    """All of them with options, each kind of which has its turn."""
    texts = list(dict.fromkeys((*of_bounds(), *of_marks(), *of_data(), *of_talk(400))))
    found = []
    for number, text in enumerate(texts):
        options = OPTIONS[number % len(OPTIONS)] if number % 3 else KEYS[5]
        filled = text.replace("{o}", options[1]).replace("{u}", options[0])
        found.append((filled, options))
    every = itertools.product(OPTIONS, ("{o}", "I say {u}, not {o}.", "B. {o}", "No, {u}", "B {u}"))
    found += [(t.replace("{o}", o[1]).replace("{u}", o[0]), o) for o, t in every]
    found += [("x " * 7990 + "B " + "y" * n, KEYS[5]) for n in (17, 18, 19, 20)]
    found += [
        ("B. " + "x " * 9000 + "</think> C" * (n % 2) + " end" * n, KEYS[5]) for n in (0, 1, 2)
    ]
    return found
