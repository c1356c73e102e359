"""A reply is cut into clauses, and the last declaration that stands wins.

Before that come JSON, a row of marks ("A: F, B: T, C: F"), and yes or no in words, where one option
says yes and one says no.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from zhiyin.reader import mentions, structured
from zhiyin.reader.choices import Choices, option_meant, prepare
from zhiyin.reader.clause import DECLARED, FINAL, Act, Clause, Sentences
from zhiyin.reader.cues import before
from zhiyin.reader.declarations import declared, left_over
from zhiyin.reader.groups import Group, group
from zhiyin.reader.plain import Plain, last_match, plain, why_empty
from zhiyin.reader.policy import Reading
from zhiyin.reader.praise import praised, weighed
from zhiyin.reader.refusal import declines
from zhiyin.reader.rejections import asked, other_voice, refused
from zhiyin.reader.resolve import TOGETHER, Resolution, resolve
from zhiyin.reader.structured import ReplyField
from zhiyin.reader.values import each_number, mentions_of, numbers
from zhiyin.trial import Option

_RULES: tuple[Callable[[Clause], Act | None], ...] = (
    asked, refused, other_voice, weighed, declared, praised,
)  # fmt: skip
"""What a clause may be, tried in this order."""

_COUNTED = re.compile(
    r"(?:\s[a-z-]+|[\u4e00-\u9fff]{1,3})?\s?[.!]?$"
    r"|\s(?:[a-z]+\s)?(?:per|(?:in|to|for) (?:each|every|the|all|total)|of them)\b"
)
"""After the only number of a reply: it is what was counted."""

_UNIT_ENDS = re.compile(r"(?<=[a-z])\s?[,;]\s")
"""After a number with its unit: what follows explains it."""

_UNABLE = re.compile(
    rf"{before.UNSURE.pattern}|无法|不能|不知"
    r"|\b(?:cannot|can't|unable|couldn't|don't know|no idea|lost)\b"
)
"""Where a number is named by the way: nothing was counted."""

_LONGEST_COUNT = 160
"""Characters up to which a number in a reply may be the one that an option gives."""

RUN_ON = re.compile(
    r"\n\s?(?:#+\s?)?(?:question\s?\d*|exercise\s?\d*|problem\s?\d*|问题\s?\d*|q\s?\d*|human|user"
    r"|instruction|题目|例题|next question"
    r"|第\s?\d+\s?题|用户|下一?[题道]\w{0,2}|下一个问题)\s?[:.\n]"
    r"|\n\s?\[?(?:问|例\s?\d+|question\])\s?[:.\]\s]"
    r"|\n\s?(?:now )?(?:on to |for )?(?:the |let's do |here is )?(?:next|another) "
    r"(?:question|one|item|problem)\b"
    r"|\n\s?\d{1,2}[.)]\s[^\n]{3,300}\?\s*\n\s?\(?A[.):]",
    re.IGNORECASE,
)
"""Where a base model goes on to invent the next question."""


def read(text: str, options: Sequence[Option]) -> Reading:
    """The answer in a reply that is more than a few words; see `robust.read`."""
    words = plain(text)
    if not words.text:
        return Reading(None, why_empty(text))
    outcome = _before_run_on(words, prepare(options))
    if not outcome.letter:
        return Reading(None, outcome.why)
    place = words.span(outcome.start, outcome.end) if outcome.end else None
    return Reading(outcome.letter, outcome.why, place, outcome.confidence)


def acts_of(words: Plain, groups: list[Group], choices: Choices) -> list[Act]:
    """Return the acts of a reply's clauses on the options that they name, in its order."""
    sentences = Sentences(words, groups, choices)
    return [_act(Clause(sentences, index)) for index in range(len(groups))]


def _act(clause: Clause) -> Act:
    if clause.group.join == "lines":
        return clause.act("listing", "a list of options")
    for rule in _RULES:
        act = rule(clause)
        if act:
            return act
    return left_over(clause)


def _before_run_on(words: Plain, choices: Choices) -> Resolution:
    """The reading of what stands before an invented next question, or else of the whole."""
    run_on = RUN_ON.search(words.text)
    if run_on and run_on.start() > 0:
        outcome = _read(words.upto(run_on.start()), choices)
        if outcome.letter:
            return outcome._replace(why=f"{outcome.why}, before a further question")
    return _read(words, choices)


def _read(words: Plain, choices: Choices) -> Resolution:
    fields = structured.fields(words, choices)
    if fields and fields[0].alone:
        return _alone(fields[0], choices)
    mark = marked(words.lower, choices)
    if mark:
        why = "the one marked as right"
        return Resolution(mark["letter"].upper(), why, "declared", mark.start("letter"), mark.end())
    groups = group(mentions.find(words, choices), words, choices)
    groups = [g for g in groups if not any(f.start <= g.start < f.end for f in fields)]
    acts = acts_of(words, groups, choices)
    yes_no = yes_or_no(words.lower, choices, acts)
    if yes_no:
        return yes_no
    field_acts = [_act_of_field(field) for field in fields if field.letters]
    acts = sorted([*acts, *field_acts], key=lambda act: act.start)
    outcome = resolve(acts, words.lower, choices)
    if outcome.confidence == "by text alone" and declines(words.lower):
        return Resolution("", "an option is named where the reply declines")
    return outcome if outcome.letter else _in_other_words(words, choices, groups, acts) or outcome


def _in_other_words(
    words: Plain, choices: Choices, groups: list[Group], acts: list[Act]
) -> Resolution | None:
    """The option whose number, or whose words, a reply gives that declares none."""
    unsaid = all(act.kind in ("mention", "discussing") for act in acts)
    if unsaid and all(_no_letter(one, choices) for one in groups):
        counted = _by_number(words, choices)
        if counted:
            return counted
    meant = "" if acts else option_meant(words.lower, choices)
    if not meant:
        return None
    why = "the words of one option and of no other"
    return Resolution(meant, why, "by text alone", 0, len(words.text))


def _no_letter(one: Group, choices: Choices) -> bool:
    """Tell whether it is named by its text, or is a letter beyond the options: a note."""
    if one.first.letter not in choices.letters:
        return one.first.sure < 2
    return one.first.form == "text" and not one.first.clash


def _by_number(words: Plain, choices: Choices) -> Resolution | None:
    """The option of which the reply gives the number in other words: "three in each bar"."""
    counts = each_number(tuple(choices.own.items()))
    if not counts or len(words.lower) > _LONGEST_COUNT:
        return None
    named, values, letters = mentions_of(words, numbers)
    outcome = resolve(acts_of(words, group(named, words, values), values), words.lower, values)
    unit = len(named) == 1 and named[0].sure and _UNIT_ENDS.match(words.lower, named[0].end)
    if (
        not outcome.letter
        and len(named) == 1
        and (unit or _COUNTED.match(words.lower, named[0].end))
    ):
        only = named[0]
        outcome = Resolution(only.letter, "the only number named", "", only.start, only.end)
    letter = counts.get(letters.get(outcome.letter))
    if not letter or _UNABLE.search(words.lower) or declines(words.lower):
        return None
    return outcome._replace(letter=letter, confidence="by text alone")


def _act_of_field(field: ReplyField) -> Act:
    return Act(
        "declaring", field.letters, field.start, field.end, field.why, FINAL, before=field.why
    )


def _alone(field: ReplyField, choices: Choices) -> Resolution:
    """The answer of a reply that is nothing but an object."""
    letters = field.letters
    if field.words:
        inner = _read(plain(field.words), choices)
        letters = (inner.letter,) if inner.letter else ()
    if len(letters) == 1 and letters[0] in choices.letters:
        return Resolution(letters[0], f"declared: {field.why}", "declared", field.start, field.end)
    return Resolution("", TOGETHER if len(letters) > 1 else f"no option in {field.why}")


_GOOD = "y|yes|t|true|right|correct|good|ok|in|pass(?:es)?|exactly|是|真|对|正确|✓|√|\\+"
_BAD = (
    "n|no|f|false|wrong|incorrect|bad|poor|out|fails?|not quite|not really|否|假|错|不对|错误"
    "|✗|×|x|-|–|—"
)
_GAP = r"[\s:=(\[|.、-]*"
_MARK = rf"(?:(?P<good>{_GOOD})|(?:{_BAD}))(?![a-z])[)\].,;|\s]*"
_LABEL = re.compile(r"[\W_]*(?:option\s|选项)?\(?(?P<letter>[a-z])(?![a-z])\)?" + _GAP + _MARK)


def marked(lower: str, choices: Choices) -> re.Match[str] | None:
    """The one option marked as right, with its mark, where the reply is a row of marks.

    Every option must have its mark, in order, and nothing else may be said. The group ``letter``
    is the option's letter in lower case.

    Parameters
    ----------
    lower : str
        A reply in plain words, in lower case.
    choices : Choices
    """
    at = 0
    good: list[re.Match[str]] = []
    for letter in choices.letters:
        mark = _LABEL.match(lower, at)
        if mark is None or mark["letter"].upper() != letter:
            return None
        if mark["good"]:
            good.append(mark)
        at = mark.end()
    over = len(choices.letters) < 3 or any(character.isalnum() for character in lower[at:])
    return good[0] if len(good) == 1 and not over else None


_END = r"(?=[\s,.!;:\"')]|$)"
_YES = re.compile(
    r"[\"'(]*(?:(?:indeed|well|so|ok|okay|hmm|ah|oh),?\s)?"
    rf"(?P<word>yes|yeah|yep|true|correct|是的|是|对的|对|正确){_END}(?!\s?(?:and|or|/)\s?no)"
)
_NO = re.compile(
    rf"[\"'(]*(?P<word>no|nope|false|incorrect|否|不是|不对|错误|不){_END}"
    r"(?!(?<=no) (?![\W_]|(?:they|the|there|these|those|it|its|it's|this|that|we|i|you|he|she|not|a"
    r"|an|because|since|as|while|although|both|each|two|in|on|at|after|however|but|here|all)\b))"
)
"""No; "no audio" and "no violin" are none."""

_DUE = re.compile(
    r"(?:answer(?: is)?|答案|回答|conclusion)[\"']?\s?(?:是|为|is)?\s?[:=]?\s?[\"'(]*"
    rf"(?:(?P<yes>yes|true|是|对)|(?P<no>no|false|否|错)){_END}"
)
_STATEMENT = re.compile(
    r"\b(?:the|this|that) (?:statement|claim|assertion"
    r"|proposition) (?:is|holds|seems)\s?(?:\w+ly )?"
    r"(?:(?P<good>right|true|correct|accurate|valid)|false|wrong|incorrect|untrue|inaccurate)"
    rf"{_END}"
    r"|(?:说法|表述|陈述|论断|命题|这句话|这话)(?:显然|确实|其实|应该?|也)?"
    r"(?:(?P<zhgood>是?(?:正确|对)的?|成立|没错|没有错|无误|准确)"
    rf"|是?(?:错误?|不对|不正确)的?|有误|不成立|不准确){_END}"
)
"""What is said of the statement that is to be judged."""
_SUPPOSED = re.compile(
    r"(?:\b(?:if|whether|that|when|unless|say|claim)\s|(?:如果|若|假如|倘若|是否|不能说)[^,.;]{0,8})$"
)
"""Before a statement: it is supposed, or asked, or denied."""
_SO = re.compile(
    r"(?:所以|因此|故|因而|综上)[,，]?\s?(?=(?:是|否|对|错|不是|不对|正确|错误)[.!。！]?\s*$)"
)
"""What the last sentence concludes in one word."""
_STOP = re.compile(r"[.!?]\s")
_ONE_WORD = re.compile(r"[\"'(]*\w+(?:\s?[,;:]|[.!\"')]*$)")


def yes_or_no(lower: str, choices: Choices, acts: list[Act]) -> Resolution | None:
    """The option that says yes, or no, where the reply says so and declares no letter.

    Parameters
    ----------
    lower : str
        The reply in plain words, in lower case.
    choices : Choices
    acts : list of Act
        What the reply does with the options.
    """
    if not choices.yes or any(act.declares and act.firmness >= DECLARED for act in acts):
        return None
    due = last_match(_DUE, lower)
    if due:
        letter = choices.yes if due["yes"] else choices.no
        if not choices.own[letter].startswith(due["yes"] or due["no"]):
            return None
        return Resolution(letter, f"declared: {due[0]!r}", "declared", *due.span())
    stated = last_match(_STATEMENT, lower)
    if stated and not _SUPPOSED.search(lower, 0, stated.start()):
        letter = choices.yes if stated["good"] or stated["zhgood"] else choices.no
        why = f"said of the statement: {stated[0]!r}"
        return Resolution(letter, why, "declared", *stated.span())
    concluded = last_match(_SO, lower)
    last = lower[concluded.end() :] if concluded else ""
    for line in (lower, lower.rpartition("\n")[2], _last_sentence(lower), last):
        for pattern, letter in ((_YES, choices.yes), (_NO, choices.no)):
            match = pattern.match(line)
            if match and choices.own[letter].startswith(match["word"].rstrip("的")):
                at = len(lower) - len(line)
                start, end = at + match.start("word"), at + match.end("word")
                return Resolution(letter, "yes or no at the beginning", "declared", start, end)
    return None


def _last_sentence(lower: str) -> str:
    """The last sentence where it begins with one word apart, and the one before asks nothing."""
    last = last_match(_STOP, lower.rstrip(" .!\"')"))
    if last is None or last[0][0] == "?" or not _ONE_WORD.match(lower, last.end()):
        return ""
    return lower[last.end() :]
