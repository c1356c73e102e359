"""Small data of benchmarks on notation and theory, in their published layouts."""

import csv
import json

HEAD = "M:3/4\nL:1/8\nK:G\n"
TUNE = HEAD + 'G2|"G"GABcd2|"D"d2 c2 B2|(3ABc d2 e2|{f}g6||\nK:D\n|:d3e f2|D6:|'
SHORT = ("title", "score", "choices", "target", "target_index", "task_description")
LONG = ("title", "input", *SHORT[2:])
WITH_ERRORS = (*LONG, "error")
KEY = "Identify the key signature of the provided ABC notation score."
METRE = "Identify the time signature of the provided ABC notation score."
UNIT = "Identify the unit note length of the provided ABC notation score."
ORDER = "Output the indices in the correct sequence."
NEXT = "Choose the candidate that is most probable to be the next bar."
COUNT = "Identify the num of bars of the provided ABC notation score."
ERRORS = "Identify inserted errors in the provided ABC score"
LISTED = "invalid_note_name_in_key_3:c→Ab(key=G), invalid_note_in_measure_2:B→P,6"


def cell(*choices):
    """A list of Python as the files have it: the quotes inside are not escaped."""
    return "['" + "', '".join(choices) + "']"


FILES = {
    "Bar_Count_Estimation": (SHORT, [
        ("Irishman_1", "L:1/8\nM:2/4\nK:G\n|: d>e G | A2 B2 |1 c4 :|2 d4 ||", "null", "4", "null",
         COUNT),
        ("Irishman_2", "L:1/4\nM:3/4\nK:D\n | D2 D | G3 ||", "null", "3", "null", COUNT),
    ]),
    "Error_Detection": (WITH_ERRORS, [
        ("Irishman_1", "L: 1/8\nM: 2/4\nK: G\nG2 B2 | A2 B2 | AbB c2", "[4, 2, 3, 5]", "23", "1",
         ERRORS, LISTED),
        ("Irishman_1", "L: 1/8\nM: 2/4\nK: G\nG2 B2 | A2 P,6 | AbB c2", "[1, 2, 3, 5]", "57", "0",
         ERRORS, LISTED),
    ]),
    "Metadata_QA": (SHORT, [
        ("Old Reel", TUNE, cell("Dm", "D", "G", "E"), "G", "2", KEY),
        ("Old Reel", TUNE, cell("4/4", "3/4", "6/8", "2/4"), "3/4", "1", METRE),
        ("New Jig", "M:6/8\nK:G\nP:A\nG3 A3|\nL:1/4\nB3|", cell("1/4", "1/8", "1/2", "1/16"), "1/4",
         "0", UNIT),
    ]),
    "Metadata_Prediction": (SHORT, [
        ("New Jig", "M:6/8\nL:1/8\nG3 A3|B2c d3|G6|", cell("Em", "G", "D", "C"), "G", "1", KEY),
        ("Old Reel", "L:1/8\nK:G\nG2|GABcd2|d2 c2 B2|g6|", cell("3/4", "2/4", "6/8", "4/4"), "3/4",
         "0", METRE),
        ("New Jig", "M:6/8\nK:G\nG3 A3|B2c d3|G6|", cell("1/4", "1/8", "1/2", "1/16"), "1/4", "0",
         UNIT),
    ]),
    "Next_Bar_Prediction": (LONG, [
        ("Old Reel", HEAD + "G2|GABcd2", cell("d2c'2B2", "\\\nd2 c'2B2", "g6", "a6"), "", "0",
         NEXT),
        ("New Jig", HEAD + "G6", cell('"G"G6', "a6", "b6", '"C"G6'), "", "3", NEXT),
    ]),
    "Bar_Sequencing": (LONG, [
        ("Old Reel", HEAD + "G2|GABcd2", cell("g'2a2", "d6", "\\\nd6", "P:B", "e'6"), "01243", "",
         ORDER),
        ("New Jig", HEAD + "G6", cell("a6", "b6", "c6", "e6"), "3102", "", ORDER),
        ("Third", HEAD + "G6", cell("a6", "b6", "c6", "e6"), "0123", "", ORDER),
    ]),
    "Music_Captioning": (SHORT, [
        (r"Kitty O\'Niel", "N:of Kitty O'Niel\n" + TUNE, cell("A", r"Kitty O\'Niel", "B", "C"),
         r"Kitty O\'Niel", "1", "Choose the most probable title of the provided score."),
    ]),
    "Emotion_Recognition": (SHORT, [
        (f"Q{q}_song-{n}_{n}.abc", "X:1\nM:3/4\nL:1/16\nK:Bm\nA3G,2DG2< d2[e2A,2] |EAf aB,0 |",
         cell("Q2", "Q4", "Q3", "Q1"), f"Q{q}", str("2431".index(str(q))), "Choose the emotion.")
        for n, q in enumerate((1, 1, 2, 3))
    ]),
    "Genre_Recognition": (SHORT, [
        ("Ambient_X_Y.abc", "X:1\nM:3/4\nL:1/16\nK:C\n[G,2G2]E2 | C12 |",
         cell("Jazz", "Rap", "Ambient", "Rock"), "Jazz", "0", "Choose the genre."),
    ]),
    "Composer_Recognition": (SHORT, [
        ("Bethel_Z.abc", "X:1\nM:3/4\nL:1/16\nK:C\n[G,2G2]E2 | C12 |",
         cell("Yiruma", "Hancock", "Bethel", "Ryuichi"), "Hancock", "2", "Choose the composer."),
    ]),
}  # fmt: skip
"""Small files of the ten published layouts, with one flaw of each kind that rows of a file have."""


def make_abc_eval(folder, without=(), crlf=False):
    folder.mkdir(parents=True, exist_ok=True)
    for stem, (columns, rows) in FILES.items():
        if stem not in without:
            with (folder / f"{stem}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\r\n" if crlf else "\n")
                writer.writerows([columns, *rows])
    return folder


SCORE = "X:1\nK:C\n[CEG]"
POINTER = "Use the example below to answer the question that follows."


def row(number, **changes):
    return {
        "id": number, "instruction": "Read.", "stem": f"Which triad is number {number}?",
        "options": {"A": "major", "B": "minor", "C": "diminished", "D": "augmented"},
        "subject": "knowledge", "answer": "ABCD"[number % 4], "split": "test", "abc_score": "",
        "analysis": "It is plain to see.", **changes,
    }  # fmt: skip


TEST = [
    *(row(n) for n in range(1, 4)),
    row(4, subject="reasoning", stem=f"{POINTER} Which triad?", abc_score=SCORE, answer="A"),
    row(5, subject="reasoning", stem="Which key?", abc_score=SCORE),
    row(6, subject="reasoning", abc_score=None),
]
DEV = [row(100 + n) for n in range(5)]


def make_theory(folder, test=TEST, dev=DEV):
    folder.mkdir(parents=True, exist_ok=True)
    for split, rows in (("test", test), ("dev", dev)):
        text = "".join(json.dumps(each) + "\n" for each in rows)
        (folder / f"{split}.jsonl").write_text(text, "utf-8")
    return folder


def make_desk(folder):
    """The data that the pages of these benchmarks speak of."""
    make_abc_eval(folder / "data" / "abc-eval")
    make_theory(folder / "data" / "musictheorybench")
