"""Where a reply names options: by letter, by number, by text; and what only looks like it.

A letter may be a note, a chord, a section or an article; the guards are here. Mentions that are
joined ("A, B and D", "A、B或C") make one group.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from zhiyin.reader.choices import SHARED, Choices, ends_word, latin, starts_word, telling
from zhiyin.reader.plain import Plain

Form = Literal["letter", "text", "number", "letters"]
Sure = Literal[0, 1, 2]

MOST = 60
"""Mentions looked at from the beginning of a reply, and as many again, twice, from its end."""


class Mention(NamedTuple):
    """One naming of an option.

    Attributes
    ----------
    start, end : int
        Where it stands, its label and its own text included.
    letter : str
        The letter named; one beyond the options for "the answer is E".
    form : Form
    sure : int
        2 for a label ("option B", "(B)", "B. Minor"), 1 for a bare capital or a text, 0 for
        what is an option only where an answer is due ("b", a text of one character).
    lead : bool
        Whether it begins its line.
    clash : bool
        Whether its label is followed by the text of another option.
    """

    start: int
    end: int
    letter: str
    form: Form
    sure: int
    lead: bool = False
    clash: bool = False


class Group(NamedTuple):
    """Mentions that are named together.

    `join` is "" for a single one, else "and", "or" or "list".
    """

    start: int
    end: int
    letters: tuple[str, ...]
    join: str
    first: Mention

    @property
    def letter(self) -> str:
        return self.letters[0]


_LETTER = re.compile(r"(?<![A-Za-z0-9_#♯♭\\-])(?<![A-Za-z]')([A-Za-z])(?![A-Za-z0-9_]|'[A-Za-z])")
_RUN = re.compile(r"(?<![A-Za-z0-9_])([A-Z]{2,8})(?![A-Za-z0-9_])")
_OPEN = "\"'([{<$"
_NOUN = re.compile(
    r"(?:(?:options?|choices?|letter|answer choice|opción|opcion|option|opção|wahl)\s?#?\s?"
    r"|(?:选项|选择项|選択肢)\s?)[\"'(\[{<$]*$"
)
_AFTER = re.compile(
    r"(?P<wrap>[\"')\]}>$]*)(?P<noun> ?(?:选项(?! ?[A-Za-z])|项(?!目)|答案(?=是|不|正|错))|\s(?:option|choice)\b)?"
)
_LABEL = re.compile(r"[\"')\]}>$]*(?:[.:、]|(?<=[)\]]))(?![A-Za-z0-9.]|\.)|[\"'\]}>$]*\)")
_BETWEEN = re.compile(r"[\"')\]}>$]*\s?(?:[.:、,|)=-]|\s-\s)?\s?[\"'(\[]?")
_MUSIC = re.compile(
    r" ?-? ?(?:(?:flat|sharp|natural|major|minor|maj|min|dim|diminished|aug|augmented|sus"
    r"|dominant|dorian|phrygian|lydian|mixolydian|aeolian|locrian|ionian|pentatonic|harmonic"
    r"|melodic|blues|chords?|triads?|notes?|strings?|scale|mode|tuning|section|theme|octave"
    r"|seventh|root|clef|pedal|half-diminished|power\schord|cappella|capella|tempo|part|drone)\b"
    r"|[、,] ?[升降][A-G]|到[A-G](?![A-Za-z选项])|大调|小调|和弦|调|弦|音|段|大三|小三|大七|小七|属七|减[三七]|增[三四五]"
    r"|[宫商角徵羽]调?)"
    r"|[#♯♭♮°+]| ?(?:-|→|->) ?[A-G](?![A-Za-z])"
)
_ARTICLE_VERB = re.compile(
    r"(?:because|since|as|for|due|which|based|given|from|and|or|but|so|here|is|isn|was|in|with"
    r"|fits?|match(?:es)?|best|rather|over|not|if|when|where|considering|according|this|the|it"
    r"|there|explanation|reason|reasoning|i|we|that|while|although|though|by|on|would|has|have"
    r"|instead|final|answer|seems?|looks?|sounds?|appears?|describes?|makes?|does|doesn|can"
    r"|cannot|must|should|could|might|may|will|to|than|lacks?|refers?|says?|are|were|too|also"
    r"|correctly|incorrectly|obviously|clearly|definitely|wins?|gets?|remains?|stays?|all|only"
    r"|contradicts?|ignores?|mentions?|suggests?|states?|claims?|wrongly|rightly|at|then|yes|no"
    r"|(?!blues|strings|drums|series|vocals|keys|always|perhaps|less|yes)[a-z]+[^siu\W]s"
    r"|nor|comes?|belongs?|confuses?|names?|gives?|contains?|requires?|implies?|a|an|works?|goes)\b"
)
_THING = re.compile(
    r"\b(?:plan|figure|point|step|type|grade|vitamin|hepatitis|group|class|side|appendix|section"
    r"|part|track|clip|excerpt|theme|string|chord|note|table|example|movement|strain|variation)s?"
    r"\s[\"'(\[]*$"
    r"|\b(?:root|tonic|bass|key|notes?|tones?|pitch(?:es)?|chords?|strings?|sections?"
    r"|themes?|form|phrase|verse|scale|mode|octave|tuning|dominant|subdominant|mediant|third|fifth"
    r"|seventh|cadence|arpeggio|drone|pedal|clef|melody|bar|measure|inversion|accidental|triad"
    r"|harmony|tuned|fundamental|finalis|final note)"
    r"(?:\s(?:note|tone|name|center|centre|signature|root|here|there))?s?"
    r"\s?(?:is|are|was|:|=|of|on|in|to|,|goes to|moves to|being|would be|must be|here is"
    r"|: ?it(?:'s| is)|remains|becomes|sounds like)?\s?"
    r"(?:a |an |the )?[\"'(\[]*$"
    r"|[音弦调段根](?:名|符|高|级)?(?:分别)?(?:是|为|:|=|,|在|叫|定为|从)?\s?[\"'(\[]*$"
    r"|[升降]$|[升降][a-g][、,]\s?$|(?:转到|转入|主题|乐段|终止于|结束在|停在|落在|回到|始于)\s?[\"'(\[]*$"
)
_PLACE = re.compile(r"(?:^|[\s,])(?:in|on|from|of|above|below|at|into|onto|through|via|over)\s$")
_LEANS = re.compile(
    r"(?:lean\w*|settle\w*|decid\w*|land\w*|bet\w*|focus\w*|vot\w*|opt\w*|insist\w*|confiden\w+|sure|certain|trust|faith|going|go)"
    r"\s(?:on|in|for|with)\s$|\b(?:choice|any|none|one|either|neither|both|all|each|some|out|favou?r) of\s$"
)
_JOIN = re.compile(
    r"[\"')\]]*(?:\s?(?:,\s?(?![和与跟同]))?(?:(?P<rank>>{1,2}|≻|→|优于)|(?P<or>and/or\b|or\b(?! rather| better)|nor\b|versus\b|vs\.?|(?:is |are )?(?:just )?as (?:likely|plausible|good|possible) as\b|还是|或者|或|抑或)"
    r"|(?P<and>and\b|plus\b|as well as(?: of)?\b|和|与|以及|及|跟|同|y\b|et\b|und\b|e\b))|(?P<list>\s?[,、/&+|;]))?"
    r"\s?(?:(?:either|both|also|even|then|next|再|然后|maybe|perhaps|possibly|the|a|an|可能是|也许是|选项)\s?)*[\"'(\[]*"
)
_RANGE = re.compile(r"\s?(?:to|-|~|到|至|and)\s?")
_NEWLINE = re.compile(r"[\s>*#•·-]*\n[\s>*#•·-]*(?:(?:option|choice)\s?[:#]?\s?|选项)?")
_SINGULAR = re.compile(r"\s(?:is|was|fits|matches|seems|works|remains|isn't|doesn't|has)\b")
_WORD = re.compile(r"[^\W_]|[√✓✔✅☑✗✘❌×]")
_DIGIT = re.compile(
    r"(?:^|(?:answer|choice)(?: is)?\s?[:=]?\s?|答案[是为]?\s?:?\s?|我?选)[\"'(\[]*([1-6])[\"')\]]*\.?$"
)
_A_COLON = re.compile(r"(?m)^[ >#-]*(A):")
_LEADING = re.compile(r"[^\w?]+|_+|\d{1,2}[.)]|(?<=\[)x(?=\])")
_PITCH_AFTER = re.compile(
    r"[\"')\]]*\s(?:is|being|as|serves as|acts as|functions as|was|becomes)\s(?:the |a |its |an )?"
    r"(?:root|tonic|bass|key|third|fifth|seventh|note|dominant|subdominant|leading|lowest|highest"
    r"|final note|first note|fundamental|chord|pedal|mediant|home)\b"
    r"|\s?(?:是|为|作)(?:主音|根音|属音|低音|三音|五音|七音|调|最低音|最高音|起音|结束音)"
)
_NUMBER = re.compile(
    r"(?:\b(?:option|choice)\s?(?:number\s|no\.?\s?|#\s?)?(?P<digit>\d|one|two|three|four|five|six)\b"
    r"(?![.,/]\d)|选项\s?(?P<cdigit>[一二三四五六1-6])(?![\d.])"
    r"|\b(?P<nth>first|second|third|fourth|fifth|sixth|last|1st|2nd|3rd|4th|5th)\s(?:listed\s"
    r"|given\s)?(?:option|one|statement|alternative|description|item|name|continuation|entry|label|candidate)\b"
    r"|第\s?(?P<cnth>[一二三四五六1-6])\s?(?:个(?:选项|答案|描述|说法)?|选项|项(?!目))"
    r"|\bthe (?P<bare>first|second|third|fourth|fifth|last)(?=\s?[.!,\n]|\s?$)"
    r"|(?P<clast>最后)一?(?:个|项)(?:选项)?)"
)
_ORDINAL = {
    **{word: n for n, word in enumerate(["one", "two", "three", "four", "five", "six"])},
    **{word: n for n, word in enumerate(["first", "second", "third", "fourth", "fifth", "sixth"])},
    **{word: n for n, word in enumerate(["1st", "2nd", "3rd", "4th", "5th"])},
    **{word: n for n, word in enumerate("一二三四五六")},
    **{str(n + 1): n for n in range(9)},
    "last": -1,
    "最后": -1,
}
_INTERVAL = re.compile(
    r"\s(?:\d|2nd|3rd|5th|6th|7th|second|third|fourth|fifth|sixth|intervals?|scale|key|mode|or"
    r"\s?lower)\b|[二三六七]度"
)


def find(plain: Plain, choices: Choices) -> list[Mention]:
    """Every mention of an option, in the order of the reply; of overlapping ones the longest."""
    found = [
        *_letters(plain, choices),  # first: a letter is a letter before it is a note
        *_texts(plain, choices),
        *_numbers(plain.lower, choices),
        *_runs(plain.text, choices),
    ]
    found.sort(key=lambda mention: (mention.start, -mention.end))
    kept: list[Mention] = []
    for mention in found:
        if kept and mention.start < kept[-1].end:
            if _outweighs(mention, kept[-1]):
                kept[-1] = mention
            continue
        kept.append(mention)
    return kept


def _outweighs(new: Mention, old: Mention) -> bool:
    return new.end > old.end and new.sure > old.sure


def _texts(plain: Plain, choices: Choices) -> list[Mention]:
    found: list[Mention] = []
    lower = plain.lower
    lower = lower.replace("\n", " ")
    free = lower.replace("-", " ") if "-" in lower else lower
    for whole, letter in choices.texts.items():
        text = whole.replace("-", " ") if whole[-1:].isalpha() else whole
        at = free.find(text)
        if at < 0:
            continue
        tells, tries, hit = telling(text), 0, False
        while at >= 0 and tries < 2 * MOST:
            end = at + len(text)
            tries += 1
            if starts_word(lower, at) and ends_word(lower, end) and not _part(lower, at, end, text):
                lead = _leads(plain.text, at)
                clash = _maybe_letter(plain.text, at, letter, choices)
                found.append(Mention(at, end, letter, "text", 1 if tells else 0, lead, clash))
                hit = True
            at = free.find(text, end)
        if hit and len(text) > 1:
            free = free.replace(text, "\0" * len(text))
    return found


def _part(lower: str, at: int, end: int, text: str) -> bool:
    """Whether the text found is part of another thing: "minor third", "3 of 4", "-minor"."""
    if text in ("major", "minor", "diminished", "augmented", "perfect") and _INTERVAL.match(
        lower, end
    ):
        return True
    if text[-1:].isdigit() and lower[end : end + 1] == "%":
        return True
    return lower[end : end + 1] == "-" and lower[end + 1 : end + 2].isalpha() and text.isascii()


def _maybe_letter(text: str, at: int, letter: str, choices: Choices) -> bool:
    """Whether a capital "A" before an option's text may be a letter as well as the article."""
    if letter == "A" or at < 4 or text[at - 2 : at] != "A " or "A" not in choices.letters:
        return False
    before = text[max(0, at - 8) : at - 2].rstrip(" ")
    return bool(before) and before[-1] not in ".!?:\n"


def _caption(plain: Plain, choices: Choices) -> int:
    """Where the "A:" of question and answer stands, which is no label; -1 where there is none."""
    captions = list(_A_COLON.finditer(plain.text))
    if not captions or re.search(r"(?m)^[\W_]*[B-H]\s?[.:)]", plain.text):
        return -1
    at = captions[-1].start(1)
    line = plain.lower[at:].partition("\n")[0]
    rest = line[2:]
    own = choices.own.get("A", "")
    if own and rest.strip(" \"'(").startswith(own):
        return -1
    if any(text in rest for text, letter in choices.texts.items() if letter != "A"):
        return at
    if any(
        re.search(rf"(?<![a-z0-9]){letter.lower()}(?![a-z0-9])", rest)
        for letter in choices.letters[1:]
    ):
        return at
    return at if re.search(r"(?m)^\s*q\d?\s?:", plain.lower[:at]) else -1


def _letters(plain: Plain, choices: Choices) -> list[Mention]:
    text, lower = plain.text, plain.lower
    found: list[Mention] = []
    caption = _caption(plain, choices)
    for match in _bounded(list(_LETTER.finditer(text))):
        if match.start(1) == caption:
            continue
        mention = _letter(text, lower, match.start(1), choices)
        if mention:
            found.append(mention)
    return found


def _bounded(found: list[re.Match[str]]) -> list[re.Match[str]]:
    return found if len(found) <= 3 * MOST else found[:MOST] + found[-2 * MOST :]


def _letter(text: str, lower: str, at: int, choices: Choices) -> Mention | None:
    """The mention whose letter stands at `at`, or None where it is none."""
    letter = text[at].upper()
    if letter not in choices.letters and letter.lower() in choices.texts:
        return None
    small = text[at].islower()
    start = at
    while start > 0 and at - start < 4 and text[start - 1] in _OPEN:
        start -= 1
    noun = _NOUN.search(lower, max(0, start - 16), at)
    lead = _leads(text, noun.start() if noun else start)
    after = _AFTER.match(text, at + 1)
    named = after["noun"] if after else None
    wrapped = start < at and text[start] in "([{" and text[at + 1 : at + 2] in (")", "]", "}")
    label = _LABEL.match(text, at + 1)
    end, own, clash = _own_text(text, lower, at + 1, letter, choices)
    sure = bool(noun or named or wrapped or own) or bool(label and lead)
    if small and letter not in choices.letters:
        return None
    if small and not (noun or wrapped or (label and lead and lower[at + 1] in ").:")):
        closed = re.compile(r"[\"')\]}>$]*\s?(?:[.,;!\n]|$|选项|项)").match(text, at + 1)
        if not closed and not own:
            return None
        if own and letter in "AI" and not label:
            return None
        return Mention(start, end if own else at + 1, letter, "letter", 0, lead)
    if not sure and _no_option(text, lower, at, start, choices):
        return None
    if letter not in choices.letters and re.match(r"\. ?[A-Z]", text[at + 1 : at + 4]):
        return None  # an initial
    if noun or named or wrapped or own or label:
        end = max(end, after.end() if named and after else 0, label.end() if label and lead else 0)
        if noun:
            start = noun.start()
    if not own:
        end = max(end, at + 1 + (len(after["wrap"]) if after and (wrapped or noun) else 0))
    return Mention(start, max(end, at + 1), letter, "letter", 2 if sure else 1, lead, clash)


def _leads(text: str, start: int) -> bool:
    """Whether only list marks stand before `start` on its line."""
    line = text.rfind("\n", max(0, start - 12), start) + 1
    if line == 0 and start > 12:
        return False
    before = text[line:start]
    return not before or not _LEADING.sub("", before)


def _own_text(
    text: str, lower: str, at: int, letter: str, choices: Choices
) -> tuple[int, bool, bool]:
    """Where the option's own text after its label ends; whether it is there; whether another is."""
    own = choices.own.get(letter, "")
    if not own:
        return at, False, False
    between = _BETWEEN.match(lower, at)
    begun = between.end() if between else at
    noun = re.match(r"(?:选项|项|中)?(?:的|是|为|即|[:,(])?\s?[\"'(\[]?", lower[begun : begun + 8])
    begun += noun.end() if noun else 0
    for lead in ("", "the ", "a ", "an "):
        if lower.startswith(lead + own, begun) and ends_word(lower, begun + len(lead + own)):
            end = begun + len(lead + own)
            while end < len(text) and end - begun < len(own) + 9 and text[end] in "\"')]":
                end += 1
            return end, True, False
    if begun > at:
        other, whose = choices.begins(lower, begun)
        stop = begun + len(other)
        closed = lower[stop : stop + 1] in ("", ".", ",", ";", "!", "\n", ")", "]", '"', "<", "(")
        if other and whose not in (letter, SHARED) and closed and (len(other) > 1):
            return stop, False, True
    return at, False, False


def _no_option(text: str, lower: str, at: int, start: int, choices: Choices) -> bool:
    """Whether the capital at `at` is a note, a chord, a section, an article or a pronoun."""
    if _MUSIC.match(text, at + 1):
        return True
    letter = text[at]
    after = text[at + 1 : at + 2]
    if letter in "AI" and after == " " and text[at + 2 : at + 3].isalpha():
        word = lower[at + 2 : at + 22]
        if word[0].isascii() and (letter == "I" or not _ARTICLE_VERB.match(word)):
            return True
    before = lower[max(0, start - 40) : start]
    if _THING.search(before) or _PITCH_AFTER.match(lower, at + 1):
        return True
    return bool(_PLACE.search(before) and not _LEANS.search(before))


def _numbers(lower: str, choices: Choices) -> list[Mention]:
    found = _lone_number(lower, choices)
    if found or ("option" not in lower and "choice" not in lower and "第" not in lower):
        if not re.search(r"\b(?:first|second|third|fourth|last|1st|2nd|3rd)\b|选项|最后", lower):
            return found
    for match in _bounded(list(_NUMBER.finditer(lower))):
        word = next(filter(None, match.groups()))
        place = _ORDINAL[word]
        if place >= len(choices.letters):
            continue
        if match["digit"] and any(own.startswith(word) for own in choices.own.values()):
            continue
        lead = _leads(lower, match.start())
        sure: Sure = 0 if match["bare"] else 2
        letter = choices.letters[place]
        found.append(Mention(match.start(), match.end(), letter, "number", sure, lead))
    return found


def _lone_number(lower: str, choices: Choices) -> list[Mention]:
    """A digit where an answer is due, which counts the options where none holds a number."""
    if any(any(map(str.isdigit, own)) for own in choices.own.values()):
        return []
    match = _DIGIT.search(lower)
    if match is None or not 0 < int(match[1]) <= len(choices.letters):
        return []
    letter = choices.letters[int(match[1]) - 1]
    return [
        Mention(match.start(1), match.end(1), letter, "number", 0, _leads(lower, match.start(1)))
    ]


def _runs(text: str, choices: Choices) -> list[Mention]:
    """Capitals written together, such as "ABD", where they are all options in order."""
    found = []
    for match in _bounded(list(_RUN.finditer(text))):
        run = match[1]
        if all(letter in choices.letters for letter in run) and list(run) == sorted(set(run)):
            found.append(Mention(match.start(), match.end(), run, "letters", 1))
    return found


def group(mentions: list[Mention], plain: Plain, choices: Choices) -> list[Group]:
    """Mentions that are joined, as one; those that name what is no option are left out."""
    groups: list[Group] = []
    index = 0
    while index < len(mentions):
        joined, join, how_last = [mentions[index]], "", ""
        while index + len(joined) < len(mentions):
            following = mentions[index + len(joined)]
            how = _joined(plain, joined, following, choices, how_last)
            if not how:
                break
            how_last = how
            join = how if join in ("", "list") or how == "or" else join
            joined.append(following)
        index += len(joined)
        made = _group(joined, join, choices)
        if made:
            groups.append(made)
    return groups


def _group(joined: list[Mention], join: str, choices: Choices) -> Group | None:
    letters = tuple(dict.fromkeys("".join(mention.letter for mention in joined)))
    beyond = [letter for letter in letters if letter not in choices.letters and letter != SHARED]
    if len(joined) > 1 and beyond:
        return None  # "C, E and G" are notes
    if joined[0].form == "letters":
        join = join or "and"
    if len(letters) == 1:
        join = ""
    first = joined[0]
    if len(letters) == 1 and len({mention.form for mention in joined}) > 1:
        first = first._replace(sure=2, form="letter")  # "Koto (C)": both letter and text
    if join == "rank":
        letters = letters[:1]
    return Group(joined[0].start, joined[-1].end, letters, join, first)


def _joined(
    plain: Plain, joined: list[Mention], new: Mention, choices: Choices, how_last: str
) -> str:
    """How `new` is joined to the mentions before it; "" where it is not."""
    last, lower = joined[-1], plain.lower
    if new.start - last.end > 24:
        return ""
    gap = lower[last.end : new.start]
    if new.lead and "\n" in gap:
        follows = choices.letters.find(new.letter) == choices.letters.find(last.letter[-1]) + 1
        line = lower.find("\n", new.end)
        rest = lower[new.end : line if line >= 0 else len(lower)]
        listed = (_NEWLINE.fullmatch(gap) or not gap.strip("\n .,;)")) and not _WORD.search(rest)
        return "lines" if last.lead and follows and listed and "\n\n\n" not in gap else ""
    if last.form == new.form == "text" and choices.numeric and _RANGE.fullmatch(gap):
        return "or"
    follows = choices.letters.find(new.letter) == choices.letters.find(last.letter[-1]) + 1
    if last.letter == new.letter and {last.form, new.form} == {"text", "letter"}:
        return "same" if re.fullmatch(r"[\"')\]]*[ ,:(\[-]{0,3}", gap) else ""
    if not gap.strip():
        if "\n" in gap:
            return ""
        if last.form != new.form or last.letter == new.letter:
            return "same"
        return "list" if follows or last.sure < 2 else ""
    if gap.strip() in (".", ".)") and follows and lower[new.end : new.end + 1] in (".", ")"):
        return "list"
    match = _JOIN.fullmatch(gap)
    if match is None:
        return ""
    named = ("option", "choice", "选项")
    if lower.startswith(named, new.start) and not lower.startswith(named, joined[0].start):
        return ""  # "the answer is C, options A and B are wrong"
    if _SINGULAR.match(lower, new.end) and (match["and"] or match["list"]) and new.sure < 2:
        return ""  # "better than C, and A is better"
    if match["list"] and not match["or"] and not match["and"] and how_last in ("and", "or"):
        return ""  # "compared with A and B, C fits"
    if match["rank"]:
        return "rank"
    if match["or"]:
        return "or"
    if match["and"]:
        return "and"
    return "list" if match["list"] else ""


__all__ = ["MOST", "Form", "Group", "Mention", "Sure", "find", "group", "latin"]
