"""Checks of each question without asking anybody, and of all of them together.

Reasons
-------
no-single-key
    The right answer stands among the wrong ones, or within one, or one within it.
repeated-option
    Two wrong answers are the same.
points-elsewhere
    An option points at others ("all of the above"), or the question at the text.
unlike-length
    The longest option has more than `RATIO` times the letters of the shortest, and `APART` more.
unlike-form
    Some options are whole sentences or begin with a capital, others not.
without-evidence
    The words that the answer rests on stand in no caption of the track.
speaks-to-the-model
    Question or option hold words that instruct a model.
names-the-track
    Question or option hold title or artist.
gives-itself-away
    The question holds the right answer.
near-duplicate
    The question is nearly one that was asked about the same track, or, of texts, one that was
    asked at all.

Does a caption speak to a model about its job? Then nothing is asked about it.

A rule such as "the longest option" is right now and then whatever the questions are, and to drop
all of those would teach the opposite rule. So the set is tested as a whole; where a rule is right
too often, questions fall, the plainest first, until it is right no more often than chance allows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from zhiyin.models.baselines import RULES, SeededDraw
from zhiyin.plugins.judges.language import as_seen, attempts
from zhiyin.plugins.judges.reading import quoted_in
from zhiyin.plugins.making.forge import Checked, Fallen, ForgeItem, ForgeTrack
from zhiyin.plugins.making.forge.blind import LETTERS
from zhiyin.statistics.distributions import upper_tail
from zhiyin.text import one_width
from zhiyin.trial import Option, Trial

_LONGEST = 120
# Gaps are possessive or short, so that looking takes linear time whatever the text.
_SPEAKS = re.compile(
    r"(?<![a-z])(?:system|assistant|developer|user)\s*+(?:prompt|message|note)?\s*+[:>\]]"
    r"|<\|?/?(?:im_start|im_end|system|assistant|user|endoftext|inst)\b"
    r"|\[/?inst\]"
    r"|(?<![a-z])(?:write|make|generate|create|produce|output|print|say|reply|respond|set|mark|"
    r"keep|use|put|change|choose|pick|name)\b[^.\n]{0,40}?\b(?:questions?|answers?|options?|"
    r"distractors?|json|prompts?|instructions?)\b"
    r"|(?<![a-z])(?:correct|right|wrong|only|every|each|all(?:\s++the)?)\s++(?:answers?|options?|"
    r"questions?|distractors?)\s++(?:is|are|must|should|has|have|will|shall|be)\b"
    r"|(?<![a-z])(?:you\s++(?:are|must|should|shall|will|have\s++to)\s++(?:now|a|an|the|not|never|"
    r"always|only|instead|answer|write|ask|say|output))\b"
    r"|(?<![a-z])(?:language\s++model|chatbot|as\s++an\s++ai|instead\s++of\s++(?:three|the)\s++"
    r"questions?|instructions?\s++(?:above|below|before))\b"
    r"|(?:正确答案|每个问题|所有问题|所有答案)[^。\n]{0,8}?(?:是|为|必须|都|应)"
    r"|(?:请|必须|务必|应当)[^。\n]{0,12}?(?:写出|输出|生成|回答|出题|改为)",
    re.IGNORECASE,
)


def speaks(text: str) -> str:
    """The passage of `text` that instructs a model; "" for none.

    Found by its wording, in the text as a reader sees it. A clever one may go unseen: the captions
    are fenced off in the prompt, and the questions are checked as all others.
    """
    if passages := attempts(text):
        return passages[0][:_LONGEST]
    match = _SPEAKS.search(as_seen(text))
    return " ".join(match[0].split())[:_LONGEST] if match else ""


RATIO, APART = 2.5, 15
"""Two options of "piano" and "double bass" are alike enough; one of 60 letters is not."""
LIKE = 0.85
"""Likeness of two questions, from 0 to 1, from which on one of them falls."""
_ELSEWHERE = re.compile(
    r"\b(?:all|none|both|neither|either|any)\b[^\n]{0,12}\b(?:above|options?|choices|these)\b"
    r"|^\(?[A-Z]\)? (?:and|or|&) \(?[A-Z]\)?$|以上|上述|都(?:是|对)|均(?:是|对)",
    re.IGNORECASE,
)
_OF_TEXT = re.compile(
    r"\b(?:captions?|descriptions?|the text|the labels?|tags?|according to)\b|描述|文字|标签"
    r"|\bthe (?:passage|author|excerpt)(?:'s)? (?:says?|states?|mentions?|calls?)\b|作者认为",
    re.IGNORECASE,
)
_COMMON = frozenset(
    {"a", "an", "and", "as", "by", "for", "from", "in", "is", "it", "its", "of", "on", "or", "the"}
    | {"this", "to", "with"}
)
AFTER_A_NOTE = frozenset(
    {"major", "minor", "maj", "min", "flat", "sharp", "natural", "harmonic", "melodic", "dorian"}
    | {"phrygian", "lydian", "mixolydian", "aeolian", "locrian", "diminished", "augmented"}
)
"""Before these, and at the end, "a" may be the note: "A minor" is not "C minor" with another
article, nor is "note A" another word for "note"."""


def checks_of(tracks: Mapping[str, ForgeTrack], *, texts: bool = False) -> list[Checked[ForgeItem]]:
    """The checks of questions, in order. The last ones remember what has passed them.

    Parameters
    ----------
    tracks : mapping
        By id. A question whose track is not among them falls as ``without-track``.
    texts : bool
        Whether these are texts: a question may name what its book is called after, and none is
        asked twice in the whole set. (Of each recording one may ask which instruments play.)
    """
    earlier: dict[str, list[ForgeItem]] = {}
    asked: dict[str, str] = {}
    checks: list[Checked[ForgeItem]] = [
        lambda item: (
            None if item.track in tracks else Fallen(item.id, "without-track", repr(item.track))
        ),
        one_key,
        _elsewhere,
        _length,
        _form,
        lambda item: _speaks(item),
        lambda item: None if texts else _names(item, tracks[item.track]),
        _gives_away,
        lambda item: _evidence(item, tracks[item.track]),
        lambda item: _near(item, earlier.setdefault(item.track, [])),
    ]
    return [*checks, lambda item: _again(item, asked)] if texts else checks


def folded(text: str) -> str:
    """The words of a text between single spaces, one before and one behind: to look for others."""
    plain = "".join(c if c.isalnum() or c == "#" else " " for c in one_width(text).casefold())
    return f" {' '.join(plain.split())} "


def bare(text: str) -> str:
    """Fold a text as `folded` does, without articles and small words: "the lute" is "a lute"."""
    words = folded(text).split()
    return " ".join(
        word
        for word, after in zip(words, [*words[1:], ""], strict=False)
        if word not in _COMMON or (word == "a" and (not after or after in AFTER_A_NOTE))
    )


def one_key(item: ForgeItem) -> Fallen | None:
    """Check that one option is right, and that all differ by more than small words."""
    right, *wrong = (bare(text) for text in item.options)
    letters = any(len(text) < 2 and text.isascii() for text in item.options)  # 笛 is a word
    if not all((right, *wrong)) or letters:
        return Fallen(item.id, "no-single-key", "an option holds no word")
    for text, plain in zip(item.options[1:], wrong, strict=True):
        padded = (f" {right} ", f" {plain} ")
        if padded[0] in padded[1] or padded[1] in padded[0]:
            return Fallen(item.id, "no-single-key", f"{item.answer!r} beside {text!r}")
    twice = [plain for plain, count in Counter(wrong).items() if count > 1]
    return Fallen(item.id, "repeated-option", repr(twice[0])) if twice else None


def _elsewhere(item: ForgeItem) -> Fallen | None:
    phrase = next((text for text in item.options if _ELSEWHERE.search(text)), None)
    if phrase is None and (match := _OF_TEXT.search(item.question)):
        phrase = match[0]
    return Fallen(item.id, "points-elsewhere", repr(phrase)) if phrase else None


def _length(item: ForgeItem) -> Fallen | None:
    sizes = sorted(item.options, key=len)
    short, long = len(sizes[0]), len(sizes[-1])
    if long <= RATIO * short or long - short <= APART:
        return None
    return Fallen(item.id, "unlike-length", f"{sizes[0]!r} beside {sizes[-1]!r}")


def _form(item: ForgeItem) -> Fallen | None:
    """Check that every option ends like a sentence or none does, and likewise for capitals."""
    ends = {text.endswith((".", "。", "!", "！")) for text in item.options}
    if len(ends) > 1:
        return Fallen(item.id, "unlike-form", "only some of its options end like a sentence")
    capitals = {text[0].isupper() for text in item.options if text[0].isalpha()}
    if len(capitals) > 1:
        return Fallen(item.id, "unlike-form", "only some of its options begin with a capital")
    return None


def _speaks(item: ForgeItem) -> Fallen | None:
    for text in (item.question, *item.options):
        if passage := speaks(text):
            return Fallen(item.id, "speaks-to-the-model", repr(passage))
    return None


def _names(item: ForgeItem, track: ForgeTrack) -> Fallen | None:
    for what, name in (("title", track.title), ("artist", track.artist)):
        known = folded(name)
        if len(known) > 4 and any(known in folded(text) for text in (item.question, *item.options)):
            return Fallen(item.id, "names-the-track", f"the {what} {name!r}")
    return None


def _gives_away(item: ForgeItem) -> Fallen | None:
    right = bare(item.answer)
    if f" {right} " in f" {bare(item.question)} ":
        return Fallen(item.id, "gives-itself-away", f"{item.answer!r} in {item.question!r}")
    return None


def _evidence(item: ForgeItem, track: ForgeTrack) -> Fallen | None:
    if any(quoted_in(item.evidence, text) for text in (*track.captions, *track.labels)):
        return None
    return Fallen(item.id, "without-evidence", repr(item.evidence[:80]))


def _near(item: ForgeItem, earlier: list[ForgeItem]) -> Fallen | None:
    for other in earlier:
        if like(item, other) >= LIKE:
            return Fallen(item.id, "near-duplicate", f"nearly {other.id}: {item.question!r}")
    earlier.append(item)
    return None


def _again(item: ForgeItem, asked: dict[str, str]) -> Fallen | None:
    other = asked.setdefault(bare(item.question), item.id)
    if other == item.id:
        return None
    return Fallen(item.id, "near-duplicate", f"as {other}: {item.question!r}")


def like(one: ForgeItem, other: ForgeItem) -> float:
    """Similarity of two questions, from 0 to 1, by the letters of their words."""
    first, second = bare(one.question), bare(other.question)
    return SequenceMatcher(None, first, second, autojunk=False).ratio()


TESTED = {"longest": "told-by-length", "overlap": "told-by-wording"}
"""The rules, and the reason for which questions fall by each."""
ALPHA = 0.05
FEWEST = 10
"""Questions below which nothing is tested."""


def thin(items: Sequence[ForgeItem]) -> tuple[list[ForgeItem], list[Fallen], list[str]]:
    """The questions that stay, those that fall, and a line on each rule.

    A rule is right in X of n questions in which it has a single choice; the probability of X or
    more, where each is met by chance with 1 in k, is at least `ALPHA` in what stays.
    """
    left, fallen = list(items), []
    if len(left) < FEWEST:
        return left, [], [f"below {FEWEST} questions: no rule is tested on them as a whole"]
    size = 0
    while size != len(left):  # what falls by one rule may change another's figure
        size = len(left)
        for rule, why in TESTED.items():
            left, more = _thin_by(rule, why, left)
            fallen += more
    notes = []
    for rule in TESTED:
        hits = [hit for item in left if (hit := _hit(rule, item)) is not None]
        shares = [1 / len(item.options) for item in left if _hit(rule, item) is not None]
        notes.append(
            f"{rule}: right in {sum(hits)} of {len(hits)}, by chance in {sum(shares):.1f} "
            f"(p {upper_tail(shares, sum(hits)):.3g})"
        )
    return left, fallen, notes


def _thin_by(rule: str, why: str, items: list[ForgeItem]) -> tuple[list[ForgeItem], list[Fallen]]:
    decided = [(item, hit) for item in items if (hit := _hit(rule, item)) is not None]
    shares = [1 / len(item.options) for item, _ in decided]
    met = sorted((item for item, hit in decided if hit), key=lambda i: (-_lead(i), i.id))
    fallen: list[Fallen] = []
    while met and upper_tail(shares, len(met)) < ALPHA:
        item = met.pop(0)
        shares.remove(1 / len(item.options))
        fallen.append(Fallen(item.id, why, f"{item.answer!r}, where the rule {rule!r} is right"))
    gone = {one.id for one in fallen}
    return [item for item in items if item.id not in gone], fallen


def _hit(rule: str, item: ForgeItem) -> bool | None:
    """Tell whether a rule picks the right option; None if draws of a tie differ."""
    options = tuple(
        Option(letter, text, str(place))
        for place, (letter, text) in enumerate(zip(LETTERS, item.options, strict=False))
    )
    trial = Trial(item.id, (), item.question, options)
    picks = {RULES[rule](SeededDraw(seed), trial).key for seed in range(12)}
    return picks == {"0"} if len(picks) == 1 else None


def _lead(item: ForgeItem) -> float:
    """Ratio of the right option's length to that of the longest wrong one."""
    right, *wrong = map(len, item.options)
    return right / max(wrong)
