"""What a reply does with the options that it names: one act for each group of mentions."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Literal, NamedTuple

from zhiyin.reader import cues
from zhiyin.reader.choices import SHARED, Choices
from zhiyin.reader.mentions import Group
from zhiyin.reader.plain import Plain

Kind = Literal[
    "declaring", "rejecting", "hedging", "conditional", "reported", "listing", "discussing",
    "mention",
]  # fmt: skip
"""The kinds of clause. A "mention" is neither said to be the answer nor discussed."""

FINAL, DECLARED, AFFIRMED, PLACED, WEAK, NAMED = 5, 4, 3, 2, 1, 0
"""How firmly something is declared: finally, in so many words, by praise, by its place, weakly."""

REACH = 140
"""Characters on either side of an option that are looked at."""


class Act(NamedTuple):
    """What a clause does with the options that it names.

    Attributes
    ----------
    kind : str
    letters : tuple of str
    firmness : int
        Of a declaration; 0 otherwise.
    start, end : int
        Where it stands in the plain text.
    why : str
        The words that tell.
    corrects : bool
        Whether it corrects what was said before.
    also : bool
        Whether it stands beside what was said before.
    """

    kind: Kind
    letters: tuple[str, ...]
    firmness: int
    start: int
    end: int
    why: str = ""
    corrects: bool = False
    also: bool = False
    line: str = ""
    label: bool = False


_BREAK = re.compile(
    r"[!?]+[\"')\]]*(?=\s|$|[^\x00-\x7f])|\.+[\"')\]]*(?=\s|$|[^\x00-\x7f])|[;\n…]|\.(?=[a-z]{4})"
)
_CLAUSE = re.compile(
    r"[,:;](?!\d)|\s-\s|\b(?:but|while|whereas|although|though|however|because|since)\b"
    r"|(?:但是?|而且?|不过|因为|由于)"
)
_CLOSED = re.compile(
    r"[\"')\]}>$.]*\s?(?:吧|了|哦|啊|呀|哈|です|だ|입니다|then\b|的)?\s?(?:$|(?:because|since|as|due|given)\b|因为|由于|[.,;:!\n…]|\(|\[|<|-\s|→)"
)
_BRACKETED = re.compile(r"[(\[{]$")
_SYMBOL = re.compile(r"(?P<good>[√✓✔✅☑👍🟢⭕]|\[x\])|(?P<bad>[✗✘❌×✖🔴👎☐]|\[ ?\])")
_BEFORE_SYMBOL = re.compile(
    r"(?:(?P<good>[√✓✔✅☑👍🟢⭕👉➡◉●]|\[x\]|\([•x]\))|(?P<bad>[✗✘❌×✖🔴👎☐○]|\[ ?\]|\( ?\)))\s?[|\"'(\[]*$"
)
_CELL = re.compile(r"\|\s?([a-z✓✗✔✘✅❌√×是否对错]+)[^|\n]{0,3}\s?\|?\s*$")
_INSTEAD = re.compile(
    rf"[\s,;:.-]*(?:but(?: rather| instead)?|rather|instead|it's|it is|而是|而|是|应该?是|应为)\s?,?\s?{cues.FILL}$"
)
_CLAUSE_START = re.compile(r"(?:^|[,;.:!?\n])[\s>#*|\"'(\[-]*$")
_SUBJECT_START = re.compile(
    r"(?:^|[,;.:!?\n]|\b(?:and|while|but|whereas|as|because|that)\b|[而但因为])[\s>#*|\"'(\[-]*(?:the|an?)?\s?[\"']*$"
)
_HEAD = re.compile(r"[\s|:,)\]\"'-]*(?:-\s)?")
_THAT = re.compile(r"\s?(?:this|that|it|这|该|此|它)(?:'s|\s)?")
_LIKELY = re.compile(r"[\s:(|-]*(?:most |very |more |highly )?likely\b")


class Reader:
    """The clauses of one reply, and what each does with the options it names."""

    def __init__(self, plain: Plain, groups: list[Group], choices: Choices) -> None:
        self.text, self.lower, self.choices = plain.text, plain.lower, choices
        self.groups = groups
        inside = [(g.start, g.end) for g in groups]
        starts = [a for a, _ in inside]
        self.breaks: list[int] = []
        for match in _BREAK.finditer(self.lower):
            here = bisect_right(starts, match.start()) - 1
            if here >= 0 and match.start() < inside[here][1]:
                continue
            self.breaks.append(match.end())

    def sentence(self, at: int) -> tuple[int, int]:
        """Where the sentence that holds `at` begins and ends, no further than `REACH` away."""
        here = bisect_right(self.breaks, at)
        start = self.breaks[here - 1] if here else 0
        end = self.breaks[here] if here < len(self.breaks) else len(self.lower)
        return start, end

    def acts(self) -> list[Act]:
        """One act for each group, in the order of the reply."""
        return [self._act(index) for index in range(len(self.groups))]

    def _act(self, index: int) -> Act:
        group = self.groups[index]
        start, end = self.sentence(group.start)
        _, end = self.sentence(max(group.end - 1, group.start)) if group.end > end else (0, end)
        last = self.groups[index - 1].end if index else 0
        follows = self.groups[index + 1].start if index + 1 < len(self.groups) else len(self.lower)
        left = self.lower[max(start, last, group.start - REACH) : group.start]
        right = self.lower[group.end : min(end, follows, group.end + REACH)]
        if group.end + len(right) == len(self.lower):
            right += "\n"
        if group.end + len(right) == follows < len(self.lower):
            right = _own_words(right)
        whole = self.lower[max(start, group.start - REACH) : group.start]
        return _Clause(self, group, index, left, right, whole, start, end, follows).act()


class _Clause:
    """One group of options in its clause."""

    def __init__(
        self,
        reader: Reader,
        group: Group,
        index: int,
        left: str,
        right: str,
        whole: str,
        start: int,
        end: int,
        follows: int,
    ) -> None:
        self.reader, self.group, self.index = reader, group, index
        self.left, self.right, self.whole = left, right, whole
        self.start, self.end, self.follows = start, end, follows

    def act(self) -> Act:
        """What the clause does; the first of the rules that applies decides."""
        group = self.group
        if group.join == "lines":
            return self._made("listing", "a list of options")
        if self._asked():
            return self._answered()
        for rule in (self._refused, self._other_voice, self._declared, self._praised):
            found = rule()
            if found:
                return found
        return self._rest()

    def _made(self, kind: Kind, why: str, firmness: int = 0, **more: bool) -> Act:
        group = self.group
        letters = group.letters[:1] if more.get("first") else group.letters
        if group.first.clash and kind == "declaring":
            letters = (*letters, SHARED)
            why = "a letter and a text of different options"
        return Act(
            kind, letters, firmness, group.start, group.end, why.strip(" ,.:;|\n\"'"),
            corrects=more.get("corrects", False)
            or (kind in ("declaring", "rejecting") and self._corrects()),
            also=more.get("also", False) or (kind == "declaring" and self._also()),
            line=self._shape(),
            label=group.first.sure == 2 and bool(_CLAUSE_START.search(self.left)),
        )  # fmt: skip

    def _shape(self) -> str:
        """The words of the line before the option, to know lines that are alike."""
        return self.left.strip()

    # Questions

    def _asked(self) -> bool:
        if cues.ASKS.match(self.right):
            return True
        after = self.reader.lower[self.group.end : self.end]
        return after.rstrip(" \"')").endswith("?") and "?" in self.right + after[-3:]

    def _answered(self) -> Act:
        """A question about options, by what follows it: "Is it A? No."."""
        stop = min(self.end + 90, self.follows if self.follows > self.end else self.end + 90)
        after = self.reader.lower[self.end : stop].partition("\n")[0]
        if cues.ANSWERS_NO.match(after) or cues.ENDS_NO.search(after):
            return self._made("rejecting", "asked, and answered with no")
        if len(self.group.letters) == 1 and (
            cues.ANSWERS_YES.match(after) or cues.ENDS_YES.search(after)
        ):
            return self._made("declaring", "asked, and answered with yes", AFFIRMED)
        return self._made("mention", "a question")

    # No answer: rejected, taken for a moment, somebody else's

    def _refused(self) -> Act | None:
        left, right = self.left, self.right
        symbol = self._symbol_before()
        if symbol and symbol["bad"]:
            return self._made("rejecting", symbol[0])
        mark = _SYMBOL.match(right.lstrip(" .:|"))
        if mark and mark["bad"]:
            return self._made("rejecting", mark[0])
        spared = cues.ALL_BUT.search(left)
        if cues.ONLY.search(left) and cues.ONLY_THIS.match(right) and group_one(self.group):
            return self._made("declaring", "only this one fits", AFFIRMED)
        if spared and cues.OTHERS_WRONG.match(right):
            return self._made("declaring", f"all but it are wrong: {_brief(spared[0])!r}", AFFIRMED)
        if cues.NOTHING_BUT.search(left) and (left.rstrip()[-1:] != "非" or "莫属" in right[:4]):
            return self._made("declaring", "it can be no other", AFFIRMED)
        denied = cues.DENIES.search(left)
        if denied and not self._double(left, denied.start()):
            return self._made("rejecting", denied[0])
        after = cues.DENIED_AFTER.match(right)
        if after and not self._excused(after.end()):
            if self._declares(left):
                return self._made("mention", "said to be the answer and not to be")
            return self._made("rejecting", after[0])
        return None

    def _symbol_before(self) -> re.Match[str] | None:
        """A tick or cross before the option, where the line does not put them behind."""
        symbol = _BEFORE_SYMBOL.search(self.left)
        if symbol is None:
            return None
        line = self.reader.lower.rfind("\n", 0, self.group.start) + 1
        first = next(g for g in self.reader.groups if g.start >= line)
        ahead = self.reader.lower[line : first.start]
        return symbol if _BEFORE_SYMBOL.search(ahead) else None

    def _double(self, left: str, at: int) -> bool:
        """Whether the denial at `at` is itself denied: "there is no doubt that it is B"."""
        words = left[at:]
        return bool(
            re.match(
                r"(?:no|without|not) (?:a )?(?:doubt|question|only|other)|没有疑问|不得不", words
            )
            or re.match(r"(?:n't|not) (?:see|find|think of) (?:any|a) (?:reason|option)", words)
            or re.match(r"(?:n't|not|cannot) (?:dis|refute|reject|exclude|rule out|deny)", words)
        )

    def _excused(self, end: int) -> bool:
        """Whether the clause names the wrong statement as what is asked for."""
        return bool(re.match(r"[^.;\n]{0,12}(?:故|所以|因此)选", self.right[end:]))

    def _other_voice(self) -> Act | None:
        whole, left, right = self.whole, self.left, self.right
        clause = self._clause()
        if cues.TEMPLATE.search(whole) and self._declares(left):
            return self._made("mention", "an example of an answer")
        second = cues.SECOND.search(left)
        if second and not re.search(
            r"\b(?:no|without|any) other|before", left[: second.start() + 8]
        ):
            return self._made("discussing", second[0])
        reported = cues.REPORTS.search(clause)
        if reported and not cues.OWN_VOICE.search(clause, reported.end() - 12):
            return self._made("reported", "somebody else's opinion")
        once = cues.ONCE.search(clause)
        if once and not self._corrects():
            return self._made("reported", once[0])
        other = cues.CONTRASTS.search(self.whole)
        if other:
            return self._made("conditional", other[0])
        if re.search(
            r"(?:^|[,;.\n]\s?)(?:choose|select|pick|选)\s?(?:option |选项)?$", left
        ) and cues.MATCHED_UP.match(right):
            return self._made("conditional", "how to choose")
        if cues.IF_AFTER.match(right):
            return self._made("conditional", "on a condition")
        supposed = self._supposed()
        if supposed:
            return self._made("conditional", supposed)
        return None

    def _clause(self) -> str:
        """What stands before the option in its sentence, after the last "but" or "so"."""
        parts = cues.FREES.split(self.whole)
        clause = parts[-1] if parts else self.whole
        comma = max(clause.rfind(","), clause.rfind(":"))
        if comma >= 0 and self._declares(clause[comma + 1 :]):
            rest = clause[comma + 1 :]
            if not cues.SUPPOSES.search(clause[:comma]):
                return rest
        return clause

    def _supposed(self) -> str:
        clause = cues.FREES.split(self.whole)[-1]
        found = cues.SUPPOSES.search(clause)
        if found is None:
            return ""
        if found[0] in ("for", "to be") and not re.search(
            r"for [^,]{0,40} to be|^\s?(?:for|to be)\b", clause
        ):
            return ""
        if found[0] in ("for", "to be") and not re.search(r"would|need|must have", self.right):
            return ""
        tail, comma, last = clause[found.end() :].rpartition(",")
        if comma and cues.DISLIKES.search(tail) and self._declares(last):
            return ""  # "were A chosen it would be wrong, so choose D"
        return found[0]

    # Declarations

    def _declares(self, left: str) -> re.Match[str] | None:
        return cues.DECLARES.search(left)

    def _declared(self) -> Act | None:
        found = self._declares(self.left)
        if found is None:
            return None
        words = found[0]
        if self.group.first.letter not in self.reader.choices.letters + SHARED and not (
            self._closed() and len(self.group.letters[0]) == 1
        ):
            if self.group.first.form != "letters":
                return None
        if self._only_text() and re.search(r"[,;]\s", words.strip()):
            return None
        if MAYBE.match(self.right) and len(self.group.letters) == 1 and self.group.join == "":
            return self._made("hedging", "possible")
        sooner = re.match(r"\s*(?:很?可能|也许|或许)", words) or cues.UNSURE.search(words)
        firm = FINAL if cues.FINAL.search(words) else DECLARED
        why = f"declared: {_brief(words)!r}"
        return self._made("declaring", why, WEAK if sooner and False else firm)

    def _only_text(self) -> bool:
        return self.group.first.form == "text"

    def _closed(self) -> bool:
        after = self.reader.lower[self.group.end : self.group.end + 14]
        return bool(_CLOSED.match(after))

    def _corrects(self) -> bool:
        """Whether words of correction stand before the option, in its sentence or the last."""
        start = self.start
        here = bisect_left(self.reader.breaks, start)
        if here > 0 and self.reader.lower[max(0, start - 1) : start] != "\n":
            start = self.reader.breaks[here - 1]
        elif here > 0:
            start = max(self.reader.breaks[here - 1], start - 60)
        before = self.groups_before()
        start = max(start, before)
        return bool(
            cues.CORRECTS.search(
                self.reader.lower, max(start, self.group.start - REACH), self.group.start
            )
        )

    def groups_before(self) -> int:
        return self.reader.groups[self.index - 1].end if self.index else 0

    def _also(self) -> bool:
        return bool(
            cues.ALSO.search(re.split(r"[,;:.]", self.left)[-1])
            or cues.ALSO.search(_first_clause(self.right))
        )

    # Praise and blame after the option

    def _praised(self) -> Act | None:
        group, left, right = self.group, self.left, self.right
        symbol = self._symbol_before()
        if group.join == "rank" or (group.join == "list" and cues.RANKED.search(left)):
            return self._made("declaring", "the first of a ranking", AFFIRMED, first=True)
        if symbol and symbol["good"]:
            return self._made("declaring", f"marked {symbol['good']}", AFFIRMED)
        if self._repeats() and not CONCLUDED(left) and not cues.CORRECTS.search(left):
            return self._made("discussing", "the same option again")
        mark = _SYMBOL.match(right.lstrip(" .:|"))
        if group.first.lead and mark and mark["good"]:
            return self._made("declaring", f"marked {mark[0]}", AFFIRMED)
        if group.first.sure == 0:
            return None
        answer = cues.IS_ANSWER.match(right)
        if answer and not self._note_like():
            if cues.IF_AFTER.match(right[answer.end() :]) or ASKED.match(right[answer.end() :]):
                return self._made("conditional", "on a condition")
            return self._made("declaring", f"said of it: {_brief(answer[0])!r}", DECLARED)
        if MAYBE.match(right):
            return self._made("hedging", "possible")
        if group.first.sure == 2 or group.first.lead or self._begins_clause():
            return self._verdict()
        near = self._near_praise()
        if near:
            return self._made("declaring", f"said of it: {near!r}", AFFIRMED)
        return None

    def _note_like(self) -> bool:
        return False

    def _repeats(self) -> bool:
        """Whether the option was just named in this sentence, and its text only explains it."""
        if not self._only_text() or not self.index:
            return False
        before = self.reader.groups[self.index - 1]
        return before.start >= self.start and set(self.group.letters) <= set(before.letters)

    def _subject(self) -> bool:
        """Whether an option's text is what a clause speaks of, instead of what it says."""
        after = self.reader.lower[self.group.end : self.group.end + 24]
        return (
            self._only_text()
            and bool(_VERB.match(after))
            and bool(_SUBJECT_START.search(self.left))
        )

    def _near_praise(self) -> str:
        """Good words straight after a bare option: "B is right", "B正确"."""
        head = _HEAD.match(self.right)
        start = head.end() if head else 0
        if (
            self._only_text()
            and self.right[:start].strip(" \"')") == ""
            and not re.match(
                r"\s*(?:is|seems|looks|must|would|fits|matches|best|✓|✔|✅|是|正确|符合|最|更|对)",
                self.right,
            )
        ):
            return ""
        skip = re.match(
            r"(?:的?(?:说法|描述|表述|选项))?(?:才|就|应该|应|确实|完全|基本|最|更|都|是|为|比较|较为|较|也|同样){0,4}",
            self.right[start:],
        )
        begun = start + (skip.end() if skip else 0)
        good = cues.AFFIRMS.match(self.right, begun) or cues.AFFIRMS.match(self.right, start)
        return good[0].strip() if good else ""

    def _verdict(self) -> Act | None:
        """What is said of a labelled option up to the next one: the last good or bad word."""
        said = self.right
        stop = min(self.follows, self.group.end + 2 * REACH)
        line = self.reader.lower.find("\n", self.group.end, stop)
        more = self.reader.lower[self.end : line if line >= 0 else stop] if self.end < stop else ""
        cell = _CELL.search(said) if said.lstrip("\"') ").startswith("|") else None
        if cell:
            word = cell[1]
            if re.match(r"(?:yes|true|correct|right|✓|✔|✅|√|是|对|match|fits)", word):
                return self._made("declaring", f"marked {word!r}", AFFIRMED)
            if re.match(r"(?:no|false|wrong|incorrect|✗|✘|❌|×|否|错|不)", word):
                return self._made("rejecting", f"marked {word!r}")
        symbols = list(_SYMBOL.finditer(said + more))
        symbol = symbols[-1] if symbols and self.group.first.lead else None
        if symbol:
            if symbol["good"]:
                return self._made("declaring", f"marked {symbol[0]}", AFFIRMED)
            return self._made("rejecting", f"marked {symbol[0]}")
        found = _last_word(said)
        if not found and more and self.group.first.form == "letter":
            found = _last_word(_own_words(more) if stop == self.follows else more)
        if found is None:
            return None
        good, word = found
        if good:
            return self._made("declaring", f"said of it: {word!r}", AFFIRMED)
        return self._made("rejecting", f"said of it: {word!r}")

    def _begins_clause(self) -> bool:
        """Whether a bare Chinese clause begins with the option: "A写过歌剧，排除"."""
        return not self.left.rstrip(" \"'([").strip(" ,.;:排除法") and bool(
            re.match(r"[\u4e00-\u9fff]", self.right)
        )

    # What is left: conclusions, weak declarations, places

    def _rest(self) -> Act:
        group, left = self.group, self.left
        if _INSTEAD.match(left) and self.index and self._denied_before():
            return self._made("declaring", f"instead: {_brief(left)!r}", AFFIRMED, corrects=True)
        tiny = group.first.form == "text" and group.end - group.start == 1
        weakly = self._closed() and (WEAKLY(left) or CONCLUDED(left)) and not tiny
        if group.first.sure == 0 and not weakly:
            return self._placed() or self._made("mention", "")
        considers = cues.CONSIDERS.search(left)
        if considers and not CONCLUDED(left):
            return self._made("discussing", considers[0])
        percent = cues.PERCENT.match(self.right) or cues.PERCENT_BEFORE.search(left)
        if percent:
            share = next(filter(None, percent.groups()))
            return self._made("hedging", f"{share} %")
        if _LIKELY.match(self.right):
            return self._made("declaring", "said to be likely", AFFIRMED)
        corrects = cues.CORRECTS.search(left[-60:]) and not (self.index and self._denied_before())
        if corrects and cues.UNSURE.search(left):
            return self._made("hedging", _brief(left))
        if corrects and (self._closed() or group.first.sure == 2):
            return self._made("declaring", f"corrected: {_brief(left)!r}", DECLARED, corrects=True)
        said = (
            self._closed() or group.first.sure == 2 or (self._only_text() and not self._subject())
        )
        if CONCLUDED(left) and said:
            return self._made("declaring", f"concluded: {_brief(left)!r}", AFFIRMED)
        placed = self._placed()
        if placed:
            return placed
        if WEAKLY(left) and said:
            if cues.UNSURE.search(left[-24:]):
                return self._made("hedging", _brief(left))
            opens = (
                not self.index
                and self.start == 0
                and (not self._only_text() or bool(_PLAINLY.match(left)))
            )
            return self._made("declaring", f"said: {_brief(left)!r}", PLACED if opens else WEAK)
        if self._sums_up():
            return self._made(
                "declaring", "concluded: the option that the sentence comes to", AFFIRMED
            )
        if self._subject():
            return self._made("mention", "spoken of", NAMED)
        if group.first.sure >= 1 and (group.first.form != "letter" or group.first.sure == 2):
            return self._made("mention", "named", NAMED)
        return self._made("mention", "")

    def _sums_up(self) -> bool:
        """Whether the option is the only one, and not denied, in a sentence that sums up."""
        if not (self._only_text() or self.group.first.sure == 2) or self.group.join:
            return False
        if not cues.SUMS_UP.search(self.reader.lower[self.start : self.group.start]):
            return False
        others = [
            g
            for g in self.reader.groups
            if self.start <= g.start < self.end and set(g.letters) != set(self.group.letters)
        ]
        return not others

    def _denied_before(self) -> bool:
        before = self.reader.groups[self.index - 1]
        left = self.reader.lower[max(0, before.start - 40) : before.start]
        right = self.reader.lower[before.end : self.group.start]
        return bool(cues.DENIES.search(left) or cues.DENIED_AFTER.match(right))

    def _placed(self) -> Act | None:
        """An option that opens the reply, or stands alone on its line."""
        group, reader = self.group, self.reader
        if not group.first.lead:
            return self._after_greeting()
        line_end = reader.lower.find("\n", group.end)
        line_end = line_end if line_end >= 0 else len(reader.lower)
        alone = not re.search(r"[\w#♯♭+°/?%]", reader.lower[group.end : line_end])
        opens = not re.search(r"\w", reader.lower[: group.start])
        if alone and "…" in reader.lower[group.end : line_end] and not opens:
            return None
        if alone:
            last = not reader.lower[line_end:].strip()
            place = "alone" if opens and last else "on the last line" if last else "on its own line"
            return self._made("declaring", f"the option {place}", PLACED)
        if opens and group.first.form != "text":
            if group.first.sure == 2 or OPENING.match(reader.lower, group.end):
                return self._made("declaring", "the option opens the reply", PLACED)
        if opens and group.first.form == "text" and self._closed():
            whole = bool(re.match(r"[\"')\]]*\s?[.!\n]", reader.lower[group.end :]))
            return self._made("declaring", "the option opens the reply", PLACED if whole else WEAK)
        return None

    def _after_greeting(self) -> Act | None:
        """An option that is a sentence of its own, first of all: "Certainly! D." """
        if self.left.strip(" \"'(["):
            return None
        last = self.reader.groups[self.index - 1].end if self.index else 0
        second = self.index and cues.WAITS.search(self.reader.lower, last, self.group.start)
        ends = not re.search(r"\w", self.reader.lower[self.group.end :])
        if not second and not ends and (self.index or self.group.start > 80):
            return None
        if ends and not second and self._only_text():
            return None
        if not re.match(
            r"[\"')\]]*\s?(?:[.!\n]|$)", self.reader.lower[self.group.end : self.end + 1]
        ):
            return None
        if second:
            return self._made("declaring", "corrected to it", DECLARED, corrects=True)
        return self._made("declaring", "the option is a sentence of its own", PLACED)


_PLAINLY = re.compile(
    r"\s*(?:it's|it is|this is|that's|that is|this sounds like|it sounds like|sounds like|this must be"
    r"|based on [^,]{3,40}, (?:this|it) (?:is|sounds like)|应该?是|应当是|这是|是)\b"
)
_VERB = re.compile(
    r"[\"')\]]*\s(?:is|was|are|were|means?|meant|has|have|had|wrote|writes|composed|would|will|can"
    r"|could|does|did|keeps?|comes?|came|starts?|started|sounds?|plays?|uses?|used|needs?|lacks?|puts?"
    r"|refers?|denotes?|requires?|contains?|stresses?|climbs?|lived|worked|works|developed|emphasi\w+"
    r"|became|began|ends?|ended|belongs?|describes?|moves?|might|may|should|must|died|led|founded"
    r"|finished|published|premiered|flourished|originated|stands?|goes|makes?|gives?|took|takes?)\b"
    r"|[\"')\]]*[\u4e00-\u9fff]"
)
MAYBE = cues.MAYBE_AFTER
ASKED = re.compile(r"\s?(?:\?|吗|\s(?:about|in|that)\b)")
OPENING = re.compile(
    r"[\"')\]]*(?:\s*(?:[.,:;!、)\]\n(]|$|-\s|→|because\b|since\b|as\b|it is\b|i think\b|i believe\b"
    r"|obviously\b|definitely\b|clearly\b|for\b|due\b|given\b|[\u4e00-\u9fff]))"
)


def group_one(group: Group) -> bool:
    """Whether the group names one option."""
    return len(group.letters) == 1


def CONCLUDED(left: str) -> bool:  # noqa: N802
    return bool(cues.CONCLUDES.search(left))


def WEAKLY(left: str) -> bool:  # noqa: N802
    return bool(cues.WEAK.search(left))


def _own_words(right: str) -> str:
    """What stands between two options, without the words that speak of the second."""
    for pattern in (cues.DENIES, cues.DECLARES, cues.SECOND):
        found = pattern.search(right)
        if found:
            return right[: found.start()]
    return right


def _brief(words: str) -> str:
    return " ".join(words.split())[-48:].strip(" ,.:;=-{[(\"'|")


def _first_clause(words: str) -> str:
    found = _CLAUSE.search(words)
    return words[: found.start()] if found else words


def _last_word(said: str) -> tuple[bool, str] | None:
    """The last word of praise (True) or blame (False) in `said`."""
    bad = [(m.start(), m.end(), False, m[0].strip()) for m in cues.DISLIKES.finditer(said)]
    good = [(m.start(), m.end(), True, m[0].strip()) for m in cues.AFFIRMS.finditer(said)]
    free = [
        g
        for g in good
        if not any(b[0] <= g[1] and g[0] <= b[1] + 12 for b in bad if b[0] <= g[0] + 1)
    ]
    both = sorted([*bad, *free])
    return (both[-1][2], both[-1][3]) if both else None
