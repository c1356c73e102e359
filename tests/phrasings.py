"""Replies whose answer is known from how they are made: templates filled with questions.

A template of ``data/reading/phrasings.txt`` is ``kind|language|truth|text``. The truth is "K"
(the option K is given), "-" (no option is) or "R" (none is, and the reply refuses). ⟨a¦b⟩ is one
of several wordings, \\n a new line; K, A, B, C are letters, kt to ct their texts, kf what speaks
for an option, ax what speaks against one. Each template is in one of two parts, by its sum: faults
are looked for in the part for work alone.
"""

from __future__ import annotations

import random
import re
import zlib
from pathlib import Path
from typing import Any, NamedTuple

TEMPLATES = Path(__file__).parent / "data" / "reading" / "phrasings.txt"
DRAWS = 4
"""Fillings of a template, each with other questions and another key."""

_ITEMS = {
    "en": [
        {
            "Bassoon": ("a low double reed leads", "no low double reed is heard"),
            "Viola": ("a bowed string plays alone", "nothing is bowed"),
            "French horn": ("a mellow brass call opens it", "there is no brass at all"),
            "Harpsichord": ("every note is plucked and dies away", "the notes do not decay"),
        },
        {
            "Waltz": ("the beats come in threes", "the metre is not triple"),
            "Samba": ("a surdo marks the second beat", "there are no drums"),
            "Reggae": ("the guitar plays off the beat", "no off-beat chords occur"),
            "March": ("it moves in a firm two", "nobody could walk to it"),
        },
        {
            "Minor third": ("the notes are three semitones apart", "the distance is too wide"),
            "Perfect fourth": ("five semitones lie between them", "it is not that large"),
            "Tritone": ("it splits the octave in half", "it sounds too stable"),
            "Major sixth": ("nine semitones are spanned", "the leap is far too small"),
        },
        {
            "A minor": ("the tune rests on a minor tonic", "the final chord is another one"),
            "C major": ("the cadence is bright", "the leading note is missing"),
            "G major": ("one sharp is used throughout", "no sharp occurs"),
            "D minor": ("one flat colours the melody", "no flat occurs"),
        },
        {
            "Slow and mournful": ("the pace hardly moves", "it is rather lively"),
            "Fast and cheerful": ("the tempo is quick", "there is nothing quick about it"),
            "Solemn and stately": ("it walks with dignity", "it lacks any dignity"),
            "Tense and restless": ("it never settles", "it is perfectly calm"),
        },
        {
            "Johann Sebastian Bach": ("the fugue is his", "the style is far too late"),
            "Clara Schumann": ("she dedicated it to Brahms", "she never used this form"),
            "Igor Stravinsky": ("the accents are irregular", "the accents are regular"),
            "Nina Simone": ("her voice is unmistakable", "there is no singing"),
        },
        {
            "A piano plays broken chords": ("the left hand ripples", "no keyboard is heard"),
            "A choir sings in unison": ("many voices share one line", "nobody sings"),
            "An organ holds a pedal point": ("the bass never moves", "the bass moves all the time"),
            "Two guitars trade solos": ("they take turns", "there is only one player"),
        },
        {
            "4": ("four phrases are heard", "the number of phrases differs"),
            "6": ("there are six of them", "that is not what one counts"),
            "8": ("it is repeated eight times", "it stops earlier"),
            "12": ("it is a blues of twelve bars", "it is shorter"),
        },
    ],
    "zh": [
        {
            "琵琶": ("音头清脆，轮指密集", "没有轮指"),
            "二胡": ("弓弦摩擦的音色明显", "听不到弓弦声"),
            "唢呐": ("音色高亢嘹亮", "音色并不高亢"),
            "古筝": ("有大幅度的刮奏", "没有刮奏"),
        },
        {
            "宫调式": ("旋律结束在宫音上", "结束音不是宫音"),
            "商调式": ("旋律落在商音上", "结束音不是商音"),
            "徵调式": ("旋律以徵音收束", "结束音不是徵音"),
            "羽调式": ("旋律以羽音收束", "结束音不是羽音"),
        },
        {
            "贝多芬": ("动机贯穿全曲", "风格并不相符"),
            "肖邦": ("以钢琴的歌唱性见长", "他没有写过这类作品"),
            "冼星海": ("歌词写的是黄河", "年代对不上"),
            "德彪西": ("大量使用全音阶", "没有用到全音阶"),
        },
        {
            "节奏由慢渐快": ("速度逐步加快", "速度没有变化"),
            "节奏始终平稳": ("速度一直不变", "速度变化很大"),
            "节奏忽快忽慢": ("速度反复变化", "速度很稳定"),
            "节奏由快渐慢": ("速度逐步放缓", "速度越来越快"),
        },
        {
            "大三度": ("两音相距四个半音", "距离不是四个半音"),
            "小三度": ("两音相距三个半音", "距离不是三个半音"),
            "纯五度": ("两音相距七个半音", "听起来不够空"),
            "小七度": ("两音相距十个半音", "没有那么宽"),
        },
        {
            "京剧": ("有西皮和二黄", "没有西皮二黄"),
            "昆曲": ("以曲笛伴奏", "没有曲笛"),
            "越剧": ("唱腔柔婉，多为女声", "唱腔过于粗犷"),
            "豫剧": ("用河南方言演唱", "不是河南方言"),
        },
    ],
}  # fmt: skip


class Phrased(NamedTuple):
    """One reply, the options that were shown, and the letter that it gives, if any."""

    kind: str
    lang: str
    text: str
    options: list[str]
    expect: str | None
    refuses: bool
    template: str


def phrased(part: str) -> list[Phrased]:
    """The replies of one part, "work" or "aside", the same at every call."""
    made: dict[str, Phrased] = {}
    for line in TEMPLATES.read_text(encoding="utf-8").splitlines():
        kind, lang, truth, text = line.split("|", 3)
        total = zlib.crc32(text.encode())
        if ("work", "aside")[total % 2] != part:
            continue
        draw = random.Random(total)
        for _ in range(DRAWS):
            reply = _filled(draw, _ITEMS[lang], text)
            expect = reply["letter"] if truth == "K" else None
            one = Phrased(
                kind, lang, reply["text"], reply["options"], expect, truth == "R", line
            )  # fmt: skip
            made.setdefault(one.text, one)
    return list(made.values())


def _filled(draw: random.Random, items: list[dict[str, Any]], template: str) -> dict[str, Any]:
    facts = draw.choice(items)
    options = draw.sample(list(facts), len(facts))
    key = draw.randrange(len(options))
    whole = fill(draw, options, key, [facts[option] for option in options], template, {})
    return {"text": whole, "options": options, "letter": "ABCD"[key]}


def fill(
    draw: random.Random,
    options: list[str],
    key: int,
    said: list[tuple[str, str]],
    template: str,
    slots: dict[str, str],
) -> str:
    """A template with options, with what speaks for and against each, and with further slots."""
    order = [key, *(n for n in range(len(options)) if n != key)]
    for name, number in zip("kabc", order, strict=False):
        pro, contra = said[number]
        slots |= {
            name.upper(): "ABCD"[number], f"{name}t": options[number],
            f"{name}f": pro, f"{name}x": contra,
        }  # fmt: skip
    worded = re.sub(r"⟨([^⟩]*)⟩", lambda m: draw.choice(m[1].split("¦")), template)
    return _capitals(worded.replace("\\n", "\n").replace("\\\\", "\\").format(**slots))


def _capitals(text: str) -> str:
    """A capital where a sentence begins."""
    return re.sub(r"(?:^|(?<=[.:?!]\s))[a-z](?=[a-z]+ )", lambda m: m[0].upper(), text)
