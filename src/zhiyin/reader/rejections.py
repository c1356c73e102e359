"""Clauses that give no answer: questions, rejections, other people's opinions, conditions.

Each function takes a clause and returns its act, or None where it is of another kind.

A list of options, each with talk about it, gives no answers by its places (`without_lists`).
"""

from __future__ import annotations

import re

from zhiyin.reader.choices import Choices
from zhiyin.reader.clause import AFFIRMED, PLACED, REACH, Act, Clause, brief
from zhiyin.reader.cues import after, before

_SYMBOL = re.compile(r"(?P<good>[√✓✔✅☑👍🟢⭕]|\[x\]|\(\+\))|(?P<bad>[✗✘❌×✖🔴👎☐]|\[ ?\]|\(-\))")
_SYMBOL_BEFORE = re.compile(
    r"(?:(?P<good>[√✓✔✅☑👍🟢⭕👉➡◉●]|\[x\]|\([•x]\))|(?P<bad>[✗✘❌×✖🔴👎☐○]|\[ ?\]|\( ?\)))"
    r"\s?[|\"'(\[]*$"
)
_NO_DENIAL = re.compile(
    r"(?:no|without|not) (?:a )?(?:doubt|question|only|other)|没有疑问|不得不"
    r"|\w*(?:n't|not) (?:see|find|think of) (?:any|a) (?:reason|option)"
    r"|\w*(?:n't|not|cannot) (?:dis|refute|reject|exclude|rule out|deny)"
)
"""A denial that is itself denied: "there is no doubt that it is B"."""

_NO_THING = re.compile(
    r"\b(?:no|without|lacks?) (?!answer|option|choice|such\b)[a-z -]{2,30}:\s?$"
    r"|(?<!rather )(?<!other )\b(?:than|over) [a-z][a-z -]{1,30}(?::|->|→)\s?[\"'(\[]*$"
)
"""Something is missing, or compared, and so it is the option that follows: "no vocals: intro"."""

_WRONG_IS_ASKED = re.compile(r"[^.;\n]{0,12}(?:故|所以|因此)选")
_FIRST_OF_ALL = re.compile(r"\b(?:no|without|any) other|before")
_ONLY_THEN = re.compile(r"才(?:会|能|该|应|是)|就会")
_IF_NOT = re.compile(
    r"\s?(?:(?:it|that|this|they|there) (?:is|are|was|were|does|do|did|has|have)\s?)?"
    r"(?:not|n't)(?: [a-z]+){0,2}\s?"
)
"""A condition that is the other half of one before it: "if it is not, the answer is A"."""

_NO_MORE_THAN = re.compile(r"\bnot (?:just|merely|simply) (?:an? |the )?$")
_BRACKET = re.compile(r"[(\[][^()\[\]\n]{6,}$")
"""A bracket that is still open at the option."""

_OTHERWISE = re.compile(
    r"(?:\b(?:otherwise|or else)|反之|(?:没有|不是|不然)的话),?"
    r"(?:\s(?:it is|it's|this is|that's|i'd (?:say|choose|pick|go with)))?\s?(?:就?[是选])?\s?$"
)
"""Before an option: it is the answer of the other case."""

_THEN = re.compile(r"\W*(?:then|in that case|那么|那就?)\b")
"""Opens a sentence that follows from what was supposed in the one before."""

_INSTEAD = re.compile(r"[\"')\]]*,?\s(?:instead|then)\b")

_CHOOSE = re.compile(r"(?:^|[,;.\n]\s?)(?:choose|select|pick|选)\s?(?:option |选项)?$")


def asked(clause: Clause) -> Act | None:
    """A question about options, by what follows it: "Is it A? No."."""
    if not _is_question(clause):
        return None
    stop = clause.end + 90
    if clause.follows > clause.end:
        stop = min(stop, clause.follows)
    following = clause.lower[clause.end : stop].partition("\n")[0]
    if after.SAYS_NO.match(following) or after.ENDS_NO.search(following):
        return clause.act("rejecting", "asked, and answered with no")
    if clause.single and before.UNSURE.search(clause.left):
        return clause.act("hedging", brief(clause.left))
    only = _only_this(clause)
    if only:
        return clause.act("declaring", only, firmness=AFFIRMED)
    if before.NOT_ELSE.search(clause.left) and after.WHAT_ELSE.match(clause.right):
        return clause.act("declaring", "what else could it be", firmness=AFFIRMED)
    if clause.single and (after.SAYS_YES.match(following) or after.ENDS_YES.search(following)):
        return clause.act("declaring", "asked, and answered with yes", firmness=AFFIRMED)
    return clause.act("mention", "a question")


def _is_question(clause: Clause) -> bool:
    if after.ASKS.match(clause.right):
        return True
    rest = clause.lower[max(clause.group.end, clause.end - 8) : clause.end]
    return rest.rstrip(" \"')").endswith("?") and "?" in clause.right + rest[-3:]


def refused(clause: Clause) -> Act | None:
    """An option that is said, or marked, not to be the answer; or to be the only one."""
    left, right = clause.left, clause.right
    for mark in (symbol_before(clause), symbol_after(clause)):
        if mark and mark["bad"]:
            return clause.act("rejecting", mark[0])
    only = _only_this(clause)
    if only:
        return clause.act("declaring", only, firmness=AFFIRMED)
    if before.CHANGES_FROM.search(left) and before.CHANGES_TO.search(
        clause.lower[clause.group.start - len(clause.whole) : clause.next]
    ):
        return clause.act("discussing", "left for another option")
    if clause.group.join == "or" and "就是" in clause.named:
        return clause.act("hedging", "one of several")
    denied = before.DENIES.search(left) or before.NOR_IS.search(left)
    if before.NOR_IS.search(left) and clause.index and _is_supported_before(clause):
        return clause.act("hedging", "as the one before", supported=True, also=True)
    if denied and before.DENIES_TWICE.search(left):
        return clause.act("declaring", f"not denied: {brief(left)!r}", firmness=AFFIRMED)
    if before.OUTDONE.search(left):
        return clause.act("declaring", "above another", firmness=AFFIRMED, better=True)
    if denied and not _NO_DENIAL.match(left[denied.start() :]) and not _NO_THING.search(left):
        return clause.act("rejecting", denied[0])
    against = after.DENIED.match(right)
    if after.SUPPORTED.match(right):
        return None  # "cannot be excluded"
    if against and not clause.answers_first and not _WRONG_IS_ASKED.match(right[against.end() :]):
        if clause.declaration:
            return clause.act("mention", "said to be the answer and not to be")
        return clause.act("rejecting", against[0])
    return None


def _is_supported_before(clause: Clause) -> bool:
    """Tell whether the option before is supported: "A cannot be excluded, and neither can B"."""
    other = clause.sentences.groups[clause.index - 1]
    return bool(after.SUPPORTED.match(clause.lower[other.end : clause.group.start]))


def _only_this(clause: Clause) -> str:
    """Say why the option is the only one that can be right; "" if it is not said to be."""
    left, right = clause.left, clause.right
    if before.ONLY.search(left) and after.ONLY_THIS.match(right) and clause.single:
        return "only this one fits"
    if before.EXCLUDES_ALL_BUT.search(left):
        return "all but it are excluded"
    spared = before.ALL_BUT.search(left)
    if spared and after.OTHERS_WRONG.match(right):
        return f"all but it are wrong: {brief(spared[0])!r}"
    if before.NOTHING_BUT.search(left) and (left.rstrip()[-1:] != "非" or "莫属" in right[:4]):
        return "it can be no other"
    return ""


def symbol_before(clause: Clause) -> re.Match[str] | None:
    """A tick or cross before the option, where the line does not put them behind."""
    symbol = _SYMBOL_BEFORE.search(clause.left)
    if symbol is None:
        return None
    line = clause.lower.rfind("\n", 0, clause.group.start) + 1
    first = next(group for group in clause.sentences.groups if group.start >= line)
    return symbol if _SYMBOL_BEFORE.search(clause.lower[line : first.start]) else None


def symbol_after(clause: Clause) -> re.Match[str] | None:
    """A tick or cross straight after the option."""
    return _SYMBOL.match(clause.right.lstrip(" .:|"))


def last_symbol(words: str) -> re.Match[str] | None:
    """The last tick or cross in what is said of an option."""
    symbols = list(_SYMBOL.finditer(words))
    return symbols[-1] if symbols else None


def other_voice(clause: Clause) -> Act | None:
    """An option that is an example, a second choice, someone else's, or one on a condition."""
    return _aside(clause) or _somebody_else(clause) or _other_case(clause)


def _aside(clause: Clause) -> Act | None:
    """Said as well, as an example, or as a second choice."""
    if before.ALSO_SAID.search(clause.left):
        return clause.act("hedging", "said as well", also=True)
    if before.TEMPLATE.search(clause.whole) and clause.declaration:
        return clause.act("mention", "an example of an answer")
    second = before.SECOND.search(clause.left)
    if second and not _FIRST_OF_ALL.search(clause.left[: second.start() + 8]):
        return clause.act("discussing", second[0])
    return None


def _somebody_else(clause: Clause) -> Act | None:
    """Read an option that others choose or hold, or that the speaker once held."""
    right, words = clause.right, _voice(clause)
    if after.OTHERS_CHOICE.match(right):
        return clause.act("reported", "somebody else's choice")
    chosen = after.CHOSEN_BY.match(right)
    if chosen or before.WHO_CHOSE.search(words):
        if after.ARE_RIGHT.match(right[chosen.end() if chosen else 0 :]):
            return clause.act("declaring", "those who chose it are right", firmness=AFFIRMED)
        return clause.act("reported", "somebody else's choice")
    reported = before.REPORTS.search(words)
    if reported and not before.OWN_VOICE.search(words, reported.end() - 12):
        return clause.act("reported", "somebody else's opinion")
    once = before.ONCE.search(words)
    return clause.act("reported", once[0]) if once and not clause.corrects else None


def _other_case(clause: Clause) -> Act | None:
    """An answer on a condition, or not the only one."""
    left, right = clause.left, clause.right
    other = before.CONTRASTS.search(clause.whole)
    if other and (" would" in other[0] or not (clause.index and _is_half(clause))):
        return clause.act("conditional", other[0])
    if _CHOOSE.search(left) and after.MATCHED_UP.match(right):
        return clause.act("conditional", "how to choose")
    labelled = clause.named.endswith((".", ":")) or right[:1] in ".:"
    if not labelled and after.IF.match(right):
        return clause.act("conditional", "on a condition")
    if _NO_MORE_THAN.search(left) and "also" not in clause.lower[clause.group.end :][:REACH]:
        return clause.act("discussing", "not just this")
    if clause.index and _OTHERWISE.search(left):
        return clause.act("conditional", "otherwise")
    if before.WOULD.search(left) and _INSTEAD.match(right):
        return clause.act("conditional", "in another case")
    supposed = _supposed(clause) or _in_brackets(clause)
    return clause.act("conditional", supposed) if supposed else None


def _is_half(clause: Clause) -> bool:
    """Tell whether the option before is half right or wrong: the contrast then favours this one."""
    other = clause.sentences.groups[clause.index - 1]
    between = clause.lower[other.end : clause.group.start]
    return bool(after.PARTLY.match(between)) or clause.denied_before


def _voice(clause: Clause) -> str:
    """The words that show who speaks: those after the last "but" or "so" of the sentence."""
    words = clause.freed
    comma = max(words.rfind(","), words.rfind(":"))
    if comma < 0 or not before.DECLARES.search(words[comma + 1 :]):
        return words
    return words if before.SUPPOSES.search(words[:comma]) else words[comma + 1 :]


def _in_brackets(clause: Clause) -> str:
    """The word that makes a bracket a supposition, where the option stands in one."""
    words = clause.lower[max(0, clause.group.start - REACH) : clause.group.start]
    bracket = _BRACKET.search(words)
    condition = before.SUPPOSES.search(bracket[0]) if bracket else None
    return condition[0] if condition else ""


def _supposed(clause: Clause) -> str:
    """The word that makes the clause hang on a condition; "" where it does not."""
    words = clause.freed
    condition = before.SUPPOSES.search(words)
    if condition is None:
        return "then" if _THEN.match(clause.whole) and clause.supposed_before else ""
    if condition["asks"]:
        if not re.search(r"for [^,]{0,40} to be|^\s?(?:for|to be)\b", words):
            return ""
        if not re.search(r"would|need|must have", clause.right):
            return ""
    tail, comma, last = words[condition.end() :].rpartition(",")
    if _IF_NOT.fullmatch(tail):
        return condition[0]
    only_then = _ONLY_THEN.search(last)
    of_another = comma and clause.index and clause.last > clause.start and not only_then
    if of_another and after.DISLIKES.search(tail) and before.DECLARES.search(last):
        return ""  # "were A chosen it would be wrong, so choose D"
    return condition[0]


_WRITTEN = re.compile(
    r"([(\[]?|option |choice |选项)[a-z]([)\]]?[.:、,]|选项|项|的|[)\]])?(?![a-z])"
)


def without_lists(acts: list[Act], lower: str, choices: Choices) -> list[Act]:
    """`acts` with labels in a row, each followed by talk, as discussion instead of answers.

    "B. Minor" at the head of a reply is an answer; "A. ...", "B. ...", "C. ..." on lines one
    after the other are talk about each.
    """
    labels = [
        number
        for number, act in enumerate(acts)
        if len(act.letters) == 1 and (act.label or _leads(lower, act.start))
    ]
    labelled = [acts[number] for number in labels]
    changed = list(acts)
    for row, number in enumerate(labels):
        act = acts[number]
        if not act.declares or act.firmness != PLACED:
            continue
        if number and _broken_off(acts[:number], act, lower, choices):
            changed[number] = act._replace(kind="discussing", firmness=0, why="cut off")
        elif _in_list(labelled, row, number == 0, lower, choices):
            changed[number] = act._replace(kind="discussing", firmness=0, why="one of a list")
    return changed


def _in_list(labels: list[Act], row: int, opens: bool, lower: str, choices: Choices) -> bool:
    """Tell whether the label of a row stands in a list, and does not answer at its head."""
    act, later = labels[row], labels[row + 1 :]
    if row and _follow(labels[row - 1], act, lower, choices):
        return True
    if not later or not _follow(act, later[0], lower, choices):
        return False
    return not (opens and _answers(act, later[0], later, lower, choices))


def _follow(one: Act, other: Act, lower: str, choices: Choices) -> bool:
    """Tell whether `other` is the next letter after `one`, written alike."""
    if not {one.letters[0], other.letters[0]} <= set(choices.letters):
        return False
    step = choices.letters.find(other.letters[0]) - choices.letters.find(one.letters[0])
    return step == 1 and _written(lower, one) == _written(lower, other)


def _broken_off(earlier: list[Act], act: Act, lower: str, choices: Choices) -> bool:
    """Tell whether a walk through the options is cut off: "First, option A ... Option B"."""
    if act.place != "sentence" or act.end < len(lower):
        return False
    noun = _written(lower, act).partition("_")[0]
    step = choices.letters.find(act.letters[0])
    return step > 0 and any(
        one.letters == (choices.letters[step - 1],)
        and _written(lower, one).partition("_")[0] == noun
        for one in earlier
        if not one.declares
    )


def _written(lower: str, act: Act) -> str:
    """Return how a label is written: lists write theirs alike."""
    match = _WRITTEN.match(lower, act.start)
    return f"{match[1]}_{match[2]}" if match else ""


def _answers(opening: Act, later: Act, rest: list[Act], lower: str, choices: Choices) -> bool:
    """Tell whether the label that opens the reply is the answer, and talk about others follows."""
    if any(act.letters == opening.letters for act in rest):
        return True
    own = lower[opening.end : lower.find("\n", opening.end)].strip(" .:")
    end = lower.find("\n", later.end)
    other = lower[later.end : end if end >= 0 else len(lower)].strip(" .:")
    return choices.letters.find(opening.letters[0]) > 0 or (not own and bool(other))


def _leads(lower: str, start: int) -> bool:
    line = lower.rfind("\n", 0, start) + 1
    return not lower[line:start].strip(" \t>#-•·|✅❌✓✗[]x\"'(")
