"""The published scoring rules of CMI-Bench in words of their own: an oracle for our scorers.

Each function follows one rule of the README of the data and of the released script, and shares no
code with the package: sets and plain loops where the package has arrays and patterns.
"""

import ast
import re

TECHNIQUES = {
    "vibrato": 0, "pointnote": 1, "upwardportamento": 2, "downwardportamento": 3, "plucks": 4,
    "glissando": 5, "tremolo": 6,
}  # fmt: skip
FLATS = {"c": "db", "d": "eb", "f": "gb", "g": "ab", "a": "bb"}
TONICS = ["c", "db", "d", "eb", "e", "f", "gb", "g", "ab", "a", "bb", "b"]


def bare(text):
    return "".join("♯" if c == "#" else c for c in text if c not in "_-' .").lower()


def right(label, reply, labels):
    said, wanted = bare(reply), bare(label)
    return wanted in said and all(bare(o) not in said for o in labels if bare(o) != wanted)


def number(reply):
    """A scale that is named goes first; of the numbers from 1 to 9 the first, or "a.b"."""
    text = reply.replace("out of 9", "")
    text = text.replace("1-9 scale", "scale").replace("from 1 to 9", "scale")
    text = re.sub("[0-9]-point scale", "scale", text)
    for what in ("time signature", "beat"):
        text = re.sub(f"[0-9]/[0-9] {what}", "time signature", text)
    text = re.sub("Example [0-9]", "", text)
    small = [run for run in re.split("[^0-9]+", text) if run and 1 <= int(run) <= 9]
    if len(small) == 2 and ".".join(small) in text:
        return float(".".join(small))
    return int(small[0]) if small else None


def key(reply):
    text = "".join(c for c in reply.lower() if c != " " and not c.isdigit())
    if len(text) < 4 and text[-1:] == "m":
        text += "inor"
    elif len(text) < 3:
        text += "major"
    if text[1] in "#♯":
        if text[0] not in FLATS:
            return None
        text = FLATS[text[0]] + text[2:]
    for mode in ("major", "minor"):
        for tonic in TONICS:
            if tonic + mode in text:
                return f"{tonic.capitalize()} {mode}"
    return None


def times(text):
    """The times, or None for an item that is given up."""
    found = []
    for part in text.split(","):
        part = "".join(c for c in part.strip() if c != "s")
        if not part[:1].isdigit():
            continue
        minutes, colon, rest = part.partition(":")
        rest = rest.partition(":")[0]
        try:
            if not colon:
                found.append(float(part))
            elif rest:
                found.append(60 * int(minutes) + float(rest))
        except ValueError:
            return None
    return sorted(found)


def frames(text):
    """(frame, technique) of all that sounds by the first event of a text; "No Tech" is none."""
    opened, closed = text.find("["), text.find(")")
    if opened < 0 or closed < opened:
        return set()
    read = text[opened:closed] + ")]"
    if read[:3] == '["[':
        read = read[2:]
    try:
        events = ast.literal_eval(read)
        if any(not isinstance(event, tuple) or len(event) != 3 for event in events):
            return set()
        kept = [event for event in events if event[0][0].isdigit()]  # so a bare number ends it
        spans = [(float(a), float(b), bare(name)) for a, b, name in kept]
    except Exception:
        return set()
    sounding = set()
    for begin, end, name in spans:
        first, last = int(begin % 10 * 100), int(((end - 0.0001) % 10 + 0.0001) * 100)
        if name in TECHNIQUES:
            sounding |= {(frame, TECHNIQUES[name]) for frame in range(first, min(last, 1000))}
    return sounding


def _f1(wanted, named):
    both = len(wanted & named)
    if not both:
        return 0.0
    precision, recall = both / len(named), both / len(wanted)
    return 2 * precision * recall / (precision + recall)


def events_f1(pairs):
    """Micro and macro F1 over labels and replies."""
    sides = [
        {(k, *frame) for k, pair in enumerate(pairs) for frame in frames(pair[side])}
        for side in (0, 1)
    ]
    by_class = [
        _f1(*({each for each in side if each[2] == technique} for side in sides))
        for technique in range(7)
    ]
    return _f1(*sides), sum(by_class) / 7


def lyrics(text):
    """What is left of a reply to be compared, in small letters."""
    for noun, verb in (
        ("lyrics", "are"),
        ("content", "is"),
        ("transcription", "is"),
        ("text", "is"),
    ):
        text = re.sub(f".*? {noun} .*?{verb}.*?:", "", text).strip()
    return text.replace("<s>", "").strip().replace("</s>", "").strip()
