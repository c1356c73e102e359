"""From an exercise to a trial, and to a row of a question file."""

from __future__ import annotations

import re

from zhiyin.benchmarks.exercises.exercise import Item, Settings
from zhiyin.contract.clips import LETTERS
from zhiyin.prompts import LAYOUT, Language, Prompts, lay_out
from zhiyin.trial import Option, Tag, Trial, say

_NUMBERS = {
    "1": ("unison", "一度"), "2": ("second", "二度"), "3": ("third", "三度"),
    "4": ("fourth", "四度"), "5": ("fifth", "五度"), "6": ("sixth", "六度"),
    "7": ("seventh", "七度"), "8": ("octave", "八度"),
}  # fmt: skip
_QUALITIES = {
    "P": ("perfect", "纯"), "M": ("major", "大"), "m": ("minor", "小"),
    "A": ("augmented", "增"), "d": ("diminished", "减"),
}  # fmt: skip
WORDS: dict[str, tuple[str, str]] = {
    "up": ("up", "上"), "down": ("down", "下"),
    "natural minor": ("natural minor (Aeolian)", "自然小调（爱奥利亚）"),
    "harmonic minor": ("harmonic minor", "和声小调"),
    "melodic minor": ("melodic minor (ascending)", "旋律小调（上行）"),
    "major": ("major", "大调"), "minor": ("minor", "小调"),
    "dorian": ("Dorian", "多利亚"), "phrygian": ("Phrygian", "弗里吉亚"),
    "lydian": ("Lydian", "利底亚"), "mixolydian": ("Mixolydian", "混合利底亚"),
    "locrian": ("Locrian", "洛克利亚"),
    "lydian dominant": ("Lydian dominant (#4, b7)", "利底亚属音阶（#4、b7）"),
    "root position": ("root position", "原位"), "first inversion": ("first inversion", "第一转位"),
    "second inversion": ("second inversion", "第二转位"),
    "third inversion": ("third inversion", "第三转位"),
    "authentic": ("authentic cadence", "正格终止"), "plagal": ("plagal cadence", "变格终止"),
    "deceptive": ("deceptive cadence", "阻碍终止"), "half": ("half cadence", "半终止"),
    "simple 2": ("simple duple", "单拍子，每小节两拍"),
    "simple 3": ("simple triple", "单拍子，每小节三拍"),
    "simple 4": ("simple quadruple", "单拍子，每小节四拍"),
    "compound 2": ("compound duple", "复拍子，每小节两拍"),
    "compound 3": ("compound triple", "复拍子，每小节三拍"),
    "compound 4": ("compound quadruple", "复拍子，每小节四拍"),
    "parallel fifths": ("parallel fifths", "平行五度"),
    "hidden fifths": ("hidden (direct) fifths", "隐伏五度"),
    "parallel octaves": ("parallel octaves", "平行八度"),
    "hidden octaves": ("hidden (direct) octaves", "隐伏八度"),
    "transposition": ("transposition", "移位"), "retrograde": ("retrograde", "逆行"),
    "inversion": ("inversion", "倒影"),
    "retrograde inversion": ("retrograde inversion", "倒影逆行"),
    "treble": ("treble clef", "高音谱号"), "bass": ("bass clef", "低音谱号"),
    "alto": ("alto clef", "中音谱号"), "tenor": ("tenor clef", "次中音谱号"),
    "soprano": ("soprano clef", "女高音谱号"),
    "gong": ("gong (宫)", "宫"), "shang": ("shang (商)", "商"), "jue": ("jue (角)", "角"),
    "zhi": ("zhi (徵)", "徵"), "yu": ("yu (羽)", "羽"), "qingjue": ("qingjue (清角)", "清角"),
    "bianzhi": ("bianzhi (变徵)", "变徵"), "biangong": ("biangong (变宫)", "变宫"),
    "run": ("run (闰)", "闰"),
    "five": ("five tones", "五声音阶"),
    "six qingjue": ("six tones, with qingjue (清角)", "六声音阶，加清角"),
    "six biangong": ("six tones, with biangong (变宫)", "六声音阶，加变宫"),
    "qingyue": ("seven tones, qingyue (清乐)", "七声清乐音阶"),
    "yayue": ("seven tones, yayue (雅乐)", "七声雅乐音阶"),
    "yanyue": ("seven tones, yanyue (燕乐)", "七声燕乐音阶"),
    "xiaogong": ("xiaogong diao (小工调)", "小工调"), "fanzi": ("fanzi diao (凡字调)", "凡字调"),
    "liuzi": ("liuzi diao (六字调)", "六字调"), "zhenggong": ("zhenggong diao (正宫调)", "正宫调"),
    "yizi": ("yizi diao (乙字调)", "乙字调"), "shangzi": ("shangzi diao (上字调)", "上字调"),
    "chezi": ("chezi diao (尺字调)", "尺字调"),
    "ban": ("ban (板)", "板"), "yan": ("yan (眼)", "眼"), "touyan": ("touyan (头眼)", "头眼"),
    "zhongyan": ("zhongyan (中眼)", "中眼"), "moyan": ("moyan (末眼)", "末眼"),
}  # fmt: skip
_CHORDS = {
    "major": ("major triad", "大三和弦"), "minor": ("minor triad", "小三和弦"),
    "augmented": ("augmented triad", "增三和弦"), "diminished": ("diminished triad", "减三和弦"),
    "dominant7": ("dominant seventh chord", "属七和弦（大小七和弦）"),
    "minor7": ("minor seventh chord", "小小七和弦"),
    "major7": ("major seventh chord", "大大七和弦"),
    "minor-major7": ("minor-major seventh chord", "小大七和弦"),
}  # fmt: skip
_BANYAN = {
    "ban": ("ban without yan (有板无眼)", "有板无眼"),
    "yiyan": ("one ban, one yan (一板一眼)", "一板一眼"),
    "sanyan": ("one ban, three yan (一板三眼)", "一板三眼"),
    "zengban": ("one ban, three yan, with an added ban (加赠板的一板三眼)", "加赠板的一板三眼"),
}  # fmt: skip
_LENGTHS = {
    "whole": ("whole note", "全音符"), "half": ("half note", "二分音符"),
    "quarter": ("quarter note", "四分音符"), "eighth": ("eighth note", "八分音符"),
    "sixteenth": ("sixteenth note", "十六分音符"),
    "thirty-second": ("thirty-second note", "三十二分音符"),
}  # fmt: skip
_ORDINALS = (("first", "一"), ("second", "二"), ("third", "三"), ("fourth", "四"), ("fifth", "五"))
_SPECIAL = {"chord": _CHORDS, "quality": _CHORDS, "banyan": _BANYAN}
_LISTS = re.compile(r"[A-G](?:#|b){0,2}-?\d?(?: [A-G](?:#|b){0,2}-?\d?)+")


def fact_in_words(place: str, code: str, language: Language) -> str:
    """A fact of a question in words.

    Parameters
    ----------
    place : str
        The name of its place, such as ``interval``.
    code : str
        As exercises have it: ``m3``.
    language : {"zh", "en"}
    """
    column = 0 if language == "en" else 1
    if place == "interval":
        return interval_name(code, language)
    if place == "place":
        return staff_place(int(code), language)
    if place == "signature" and code[0] in "+-":
        return _signature(int(code), language)
    if place == "figure":
        return "/".join(code)
    if place in ("values", "long", "tied", "unit"):
        return ("，" if column else ", ").join(_length(v, column) for v in code.split(", "))
    if place == "key":
        tonic, mode = code.split()
        return f"{tonic}{WORDS[mode][1]}" if column else code
    known = _SPECIAL.get(place, WORDS)
    return known[code][column] if code in known else listed(code)


WITH_OCTAVES = frozenset({"jianpu-read", "jianpu-write"})
"""Kinds of pitches with octaves beside jianpu, whose numbers are degrees."""
PITCHES = frozenset({"tonic", "notes"})
"""The places in these kinds that hold pitches."""
_BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def octaves_below(pitches: str) -> str:
    """Pitches with their octaves below the line, ``C₄``: they are no numbers of jianpu.

    Written alike, "5" the degree and "5" the octave made right answers more like their questions.
    """
    return pitches.translate(_BELOW)


def option(kind: str, code: str, language: Language) -> str:
    """An answer in words. `kind` is that of the exercise."""
    if kind == "interval":
        return interval_name(code, language)
    if kind == "roman":
        return _numeral(code, language)
    if kind == "pentatonic":
        return WORDS[code][0] if language == "en" else f"{WORDS[code][1]}调式"
    if kind == "jianpu-read":
        return octaves_below(listed(code))
    return fact_in_words(kind, code, language)


def interval_name(code: str, language: Language) -> str:
    """``m3`` as "minor third" or 小三度."""
    column = 0 if language == "en" else 1
    return (" " if not column else "").join(
        (_QUALITIES[code[0]][column], _NUMBERS[code[1:]][column])
    )


def listed(code: str) -> str:
    """Several notes with commas between them; anything else as it is."""
    return code.replace(" ", ", ") if _LISTS.fullmatch(code) else code


def staff_place(place: int, language: Language) -> str:
    """Where a note stands: 0 is the lowest line, 1 the space above it, 9 that above the staff."""
    english = language == "en"
    if 0 <= place <= 8:
        word = _ORDINALS[place // 2][0 if english else 1]
        if english:
            return f"the {word} {'space' if place % 2 else 'line'} from below"
        return f"第{word}{'间' if place % 2 else '线'}"
    above = place > 8
    ledger = (place - 8) // 2 if above else -place // 2
    word = _ORDINALS[ledger - 1][0 if english else 1] if ledger else ""
    if place % 2 == 0:
        if english:
            return f"the {word} ledger line {'above' if above else 'below'} the staff"
        return f"{'上' if above else '下'}加{word}线"
    if english:
        beside = f"the {word} ledger line {'above' if above else 'below'} the staff"
        return f"the space {'above' if above else 'below'} {beside if ledger else 'the staff'}"
    return f"{'上' if above else '下'}加{_ORDINALS[ledger][1]}间"


def _signature(count: int, language: Language) -> str:
    if language == "zh":
        return f"{abs(count)}个{'升' if count > 0 else '降'}号"
    return f"{abs(count)} {'sharp' if count > 0 else 'flat'}{'s' if abs(count) > 1 else ''}"


def _length(value: str, column: int) -> str:
    plain = value.removeprefix("dotted ")
    dot = ("dotted ", "附点")[column] if plain != value else ""
    return dot + _LENGTHS[plain][column]


def _numeral(code: str, language: Language) -> str:
    """``V65/V`` as ``V6/5 of V``; ``V7`` and ``ii6`` as they are."""
    chord, _, goal = code.partition("/")
    chord = re.sub(r"(\d)(\d)$", r"\1/\2", chord)
    if not goal:
        return chord
    return f"{chord} of {goal}" if language == "en" else f"{goal}级的{chord}"


PLACES = {
    "choice": ("question", "options"),
    "option": ("letter?", "text"),
    "options": LAYOUT,
    "ask-interval": ("low", "high"),
    "ask-enharmonic": ("note",),
    "ask-clef": ("clef", "place"),
    "ask-transposition": ("notes", "direction", "interval"),
    "ask-instrument": ("notes", "clarinet"),
    "ask-scale": ("tonic", "scale"),
    "ask-mode": ("tonic", "notes"),
    "ask-signature": ("signature", "mode"),
    "ask-spelling": ("root", "chord"),
    "ask-quality": ("notes",),
    "ask-inversion": ("notes",),
    "ask-roman": ("key", "notes"),
    "ask-figured": ("key", "bass", "figure"),
    "ask-cadence": ("key", "first", "last"),
    "ask-metre": ("signature",),
    "ask-bar": ("values",),
    "ask-value": ("long", "tied", "unit"),
    "ask-counterpoint": ("lower", "upper"),
    "ask-row": ("row", "form", "start"),
    "ask-gong": ("note", "given", "wanted"),
    "ask-pentatonic": ("tonic", "notes"),
    "ask-altered": ("note", "given", "wanted"),
    "ask-added": ("gong", "notes"),
    "ask-jianpu-read": ("tonic", "line"),
    "ask-jianpu-write": ("tonic", "notes"),
    "ask-jianpu-length": ("line",),
    "ask-gongche-read": ("line",),
    "ask-gongche-write": ("line",),
    "ask-gongche-key": ("diao", "degree"),
    "ask-banyan-metre": ("banyan", "bars"),
    "ask-banyan-beat": ("number",),
    "ask-banyan-count": ("banyan", "what", "bars"),
    "ask-continuation": ("opening",),
}
"""The prompts and what each must hold."""


class Asker:
    """Puts exercises in words.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        self.language = settings.language
        self.levels = len(settings.difficulty)
        self.prompts = Prompts(
            "zhiyin.benchmarks.exercises",
            PLACES,
            language=settings.language,
            folder=settings.prompts,
        )

    def stem(self, item: Item) -> str:
        """The question in words, without its options."""
        facts = item.exercise.facts
        if item.task == "continuation":
            return self.prompts.fill("ask-continuation", **facts)
        words = {place: fact_in_words(place, code, self.language) for place, code in facts.items()}
        if item.kind in WITH_OCTAVES:
            words |= {place: octaves_below(words[place]) for place in PITCHES & words.keys()}
        return self.prompts.fill(f"ask-{item.kind}", **words)

    def texts(self, item: Item) -> list[str]:
        """The options in words."""
        answers = item.exercise.answers
        if item.task == "continuation":
            return list(answers)
        return [option(item.kind, code, self.language) for code in answers]

    def groups(self, item: Item) -> tuple[str, ...]:
        """Task and kind; difficulties too, where there are several."""
        groups = [item.task, f"{item.task}/{item.kind}"]
        if self.levels > 1 and item.level:
            groups += [f"difficulty={item.level}", f"{item.task}/{item.kind}/{item.level}"]
        return tuple(groups)

    def trial(self, item: Item) -> Trial:
        """The trial of an exercise."""
        stem, texts = self.stem(item), self.texts(item)
        options = tuple(
            Option(letter, text, answer)
            for letter, text, answer in zip(LETTERS, texts, item.exercise.answers, strict=False)
        )
        lines = [self.prompts.fill("option", letter=o.letter, text=o.text) for o in options]
        option_lines = lay_out(self.prompts.templates["options"], lines).fill({})
        return Trial(
            id=item.id,
            messages=(
                say("user", self.prompts.fill("choice", question=stem, options=option_lines)),
            ),
            stem=stem,
            options=options,
            target=item.exercise.answer,
            groups=self.groups(item),
            cluster=item.cluster,
            tags=tags(item),
            item=item.id,
        )


def tags(item: Item) -> dict[str, Tag]:
    """What the log keeps of an exercise beside its question."""
    values: dict[str, Tag] = {"task": item.task, "kind": item.kind}
    if item.level:
        values["difficulty"] = item.level
    wrong = zip(item.exercise.answers, item.exercise.mistakes, strict=True)
    if item.task != "continuation":
        values["mistakes"] = "; ".join(f"{answer}: {name}" for answer, name in wrong if name)
    return values | item.tags
