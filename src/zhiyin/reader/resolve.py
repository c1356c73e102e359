"""Resolution of the acts of a reply into one answer, or none and why."""

from __future__ import annotations

import re
from typing import NamedTuple

from zhiyin.reader.choices import SHARED, Choices
from zhiyin.reader.clause import AFFIRMED, DECLARED, FACT, FINAL, PLACED, WEAK, Act, letters_named
from zhiyin.reader.cues import before
from zhiyin.reader.policy import Confidence
from zhiyin.reader.rejections import without_lists

_BROKEN = re.compile(
    r"(?:'s|\.\.\.|…|[,;:]\s?(?:option |选项)[a-z]|[,、]"
    r"|\b(?:the|an|of|in|to|and|or|with|by|from|as|is|are|was|because|but|which|whose|that|for))$"
)
"""Ends in the middle of a sentence."""

_LABELLED = re.compile(r"(?:option|choice|选项|\(?[a-z]\)|[a-z](?:选项|项)|\[)")

_LONG = 160
"""Characters from which a reply is a talk, in which an option may be named by the way."""

_END = 120
"""Characters at its end by which a reply that was cut off is recognised."""

SIDE_BY_SIDE = "ambiguous: two answers stand side by side"
TOGETHER = "ambiguous: several options named together"


class Resolution(NamedTuple):
    """An answer, or none.

    Attributes
    ----------
    letter : str
        "" where there is no answer.
    why : str
    confidence : Confidence
    start, end : int
        Where the words stand in the plain text that the answer rests on.
    """

    letter: str
    why: str
    confidence: Confidence = ""
    start: int = 0
    end: int = 0


def resolve(acts: list[Act], lower: str, choices: Choices) -> Resolution:
    """The answer that stands at the end of the reply.

    A later declaration replaces an earlier one; praise of another option, or talk about it,
    replaces nothing unless it corrects; two that stand are none.

    Parameters
    ----------
    acts : list of Act
        In the order of the reply.
    lower : str
        The reply in plain words, in lower case.
    choices : Choices
    """
    return _Case(without_lists(acts, lower, choices), lower, choices).outcome()


def _given_way(acts: list[Act]) -> list[Act]:
    """`acts` without drafts and half praise where something is said of another option in full.

    Of drafts alone the last one is left.
    """
    if not any(act.yields for act in acts):
        return acts
    full = [act for act in acts if act.declares or (act.kind == "hedging" and not act.yields)]
    drafts = [act for act in acts if act.yields == "draft"]
    return [
        act
        for act in acts
        if not act.yields
        or (
            not (full and letters_named(full) != set(act.letters))
            and not (act.yields == "draft" and act is not drafts[-1])
        )
    ]


class _Case:
    """One reply to be decided."""

    def __init__(self, acts: list[Act], lower: str, choices: Choices) -> None:
        self.acts, self.lower, self.choices = _given_way(acts), lower, choices
        acts = self.acts
        self.declaring = [act for act in acts if act.declares]
        self.rejected = letters_named(act for act in acts if act.kind == "rejecting")

    def outcome(self) -> Resolution:
        """Resolve by the firmest kind of act; weaker ones count only without it."""
        if self._side_by_side():
            return Resolution("", "ambiguous: one option in one case, another in the other")
        for rule in (self._declared, self._placed, self._praised, self._weak):
            outcome = rule()
            if outcome:
                return outcome if rule == self._declared else self._unless_weighed(outcome)
            if rule == self._declared and before.DEPENDS.search(self.lower):
                return Resolution("", "ambiguous: it depends")
            if rule == self._declared and self._evenly_likely():
                return Resolution("", "ambiguous: several options equally likely")
        return self._excluded() or self._unless_weighed(self._possible() or self._named())

    def _unless_weighed(self, outcome: Resolution) -> Resolution:
        """`outcome`, unless something speaks for another option as well and nothing decides."""
        chosen = next((act for act in self.acts if act.start == outcome.start), None)
        if not outcome.letter or chosen is None or _decides(chosen):
            return outcome
        if outcome.confidence == "inferred" and chosen.kind != "hedging":
            return outcome  # the one that is wrong, as was asked
        if before.ASKS_BACK.search(self.lower):
            return Resolution("", "an option is named where the reply asks back")
        for earlier, act in zip([chosen, *self.acts], self.acts, strict=False):
            speaks = act.kind == "hedging" or (act.declares and act.firmness == AFFIRMED)
            speaks |= chosen.supported and act.kind in ("mention", "declaring", "conditional")
            speaks |= earlier is chosen and act.why == "as the one before"
            if not speaks or set(act.letters) & (self.rejected | set(chosen.letters)):
                continue
            contrast = act.start < chosen.start and before.OUTWEIGHS.search(chosen.before)
            if not contrast:
                return Resolution("", "ambiguous: options are weighed, none is chosen")
        return outcome

    def _side_by_side(self) -> bool:
        """Tell whether the last two answers are of two cases: "to a drummer A, to a pianist B".

        Or of two voices: "my ears say A, my head says B".
        """
        if len(self.declaring) < 2:
            return False
        one, other = self.declaring[-2:]
        if one.letters == other.letters or other.corrects or other.concluded:
            return False
        cases = [before.IN_A_CASE.match(act.before) for act in (one, other)]
        if cases[0] and cases[1]:
            return cases[0]["case"] == cases[1]["case"]
        voices = [before.VOICE.fullmatch(act.before) for act in (one, other)]
        return bool(voices[0] and voices[1] and voices[0]["who"] != voices[1]["who"])

    def _evenly_likely(self) -> bool:
        """Tell whether several options are each called likely, and none is said to be more."""
        if any(act.better or act.corrects or act.concluded for act in self.declaring):
            return False
        mild = [act for act in self.declaring if before.LIKELY.search(f"{act.before} {act.why}")]
        letters = letters_named(mild) - self.rejected
        return len(letters) > 1 and letters >= letters_named(self.declaring) - self.rejected

    # Declared in so many words

    def _declared(self) -> Resolution | None:
        """The last declaration, unless others stand beside it or it is taken back."""
        firm = [act for act in self.declaring if act.firmness >= DECLARED]
        if not firm:
            return None
        last = firm[-1]
        final = [act for act in firm if act.firmness == FINAL]
        if final and not last.corrects and last.firmness < FINAL:
            last = final[-1]
        doubt = self._beside(last, firm)
        if doubt:
            return Resolution("", doubt)
        corrected = [
            act
            for act in self.declaring
            if act.start > last.start and (act.corrects or self._corrects(last, act))
        ]
        last = corrected[-1] if corrected else last
        if len(last.letters) == 1 or SHARED in last.letters:
            return self._unless_withdrawn(last)
        return self._one_of(last)

    def _beside(self, last: Act, firm: list[Act]) -> str:
        """Say why `last` is not the only answer; "" if it is."""
        if last.corrects:
            return ""
        alike = {act.letters for act in firm if act.before == last.before and act.before}
        if len(alike) > 2 or (len(alike) > 1 and before.FIELD.fullmatch(last.before)):
            return "ambiguous: several answers declared alike"
        if last.also:
            earlier = {act.letters for act in self.declaring if act.start < last.start}
            others = {act.letters for act in firm[:-1]} - {last.letters}
            if others or (earlier - {last.letters} and last.firmness < FINAL):
                return SIDE_BY_SIDE
        return SIDE_BY_SIDE if self._another_stands(last, AFFIRMED) else ""

    def _another_stands(self, chosen: Act, firmness: int) -> bool:
        """Tell whether another option is said, later and at least as firmly, to be right too."""
        return any(
            act.also
            and act.start > chosen.start
            and act.letters != chosen.letters
            and (
                act.kind == "hedging"
                or (act.declares and act.firmness >= firmness and len(act.letters) == 1)
            )
            for act in self.acts
        )

    def _one_of(self, last: Act) -> Resolution:
        """Resolve several options declared together to the one that what follows leaves."""
        left = set(last.letters) - letters_named(
            act for act in self.acts if act.kind == "rejecting" and act.start > last.start
        )
        if len(left) == 1:
            why = "the only one left of those declared"
            return Resolution(left.pop(), why, "inferred", last.start, last.end)
        later = [act for act in self.declaring if act.start > last.start and len(act.letters) == 1]
        return self._outcome_of(later[-1] if later else last)

    def _corrects(self, last: Act, act: Act) -> bool:
        """Tell whether a plain "it is C" comes after a "wait", however much stands between."""
        if act.firmness not in (WEAK, PLACED) or act.label or act.also:
            return False
        if act.end - act.start > 12 and not act.plainly:
            return False
        end = min(act.start, last.end + 400)
        return bool(before.CORRECTS.search(self.lower, last.end, end))

    # Declared by place

    def _placed(self) -> Resolution | None:
        """An answer by its place: it opens the reply, or stands alone on a line."""
        ranked = before.RANKED_LINES.search(self.lower)
        listed = [act for act in self.acts if ranked and act.start >= ranked.end() - 1]
        if listed:
            letters = listed[0].letters[:1]
            first = listed[0]._replace(letters=letters, why="first of a ranking")
            return self._unless_withdrawn(first)
        placed = [act for act in self.declaring if act.firmness == PLACED]
        if not placed:
            return None
        first, last = placed[0], placed[-1]
        if self._another_stands(first, WEAK):
            return Resolution("", SIDE_BY_SIDE)
        later = [act for act in self.declaring if act.concluded][-1:]
        later += [act for act in self.declaring if act.corrects and len(act.letters) == 1][-1:]
        for act in later:
            if act.start > last.start:
                last = act
        if last is not placed[-1] or len({act.letters for act in placed}) == 1:
            return self._unless_withdrawn(last)
        if last.place in ("last line", "alone"):
            if first.place != last.place and placed[-2].place == "own line":
                return Resolution("", "ambiguous: several options on lines of their own")
            return self._unless_withdrawn(last)
        return self._unless_withdrawn(first) if first.place == "opens" else None

    # Said to be right

    def _praised(self) -> Resolution | None:
        """The one option that is praised or concluded, or the last where it corrects."""
        good = [act for act in self.declaring if act.firmness == AFFIRMED]
        odd = self._odd_one_out(good)
        if odd or not good:
            return odd
        # A comparative outweighs what was praised before it, and mild praise after it.
        if better := [number for number, act in enumerate(good) if act.better]:
            best, *others = good[better[-1] :]
            good = [best, *(act for act in others if not before.MILD.search(act.why))]
        last = good[-1]
        after = [
            act
            for act in self.declaring
            if act.start > last.start and len(act.letters) == 1 and self._corrects(last, act)
        ]
        if after or last.concluded or last.corrects:
            return self._unless_withdrawn(after[-1] if after else last)
        letters = letters_named(good)
        standing = letters - self.rejected or letters
        if len(standing) > 1:
            return Resolution("", "ambiguous: several options said to be right")
        letter = standing.pop()
        act = next(act for act in reversed(good) if letter in act.letters)
        if not act.better and self._another_stands(act, AFFIRMED):
            return Resolution("", SIDE_BY_SIDE)
        return self._unless_withdrawn(act._replace(letters=(letter,)))

    def _odd_one_out(self, good: list[Act]) -> Resolution | None:
        """The false statement that is asked for, where all others are said to be true."""
        for act in good:
            left = set(self.choices.letters) - set(act.letters)
            if len(left) != 1 or len(act.letters) < 2 or not before.TRUE.search(act.why):
                continue
            for other in self.acts:
                named_false = other.kind == "rejecting" or before.FALSE.search(other.why)
                if named_false and set(other.letters) == left and not other.declares:
                    why = "the one that is wrong, and all others are right"
                    return Resolution(left.pop(), why, "inferred", other.start, other.end)
        return None

    # Said weakly, or not said

    def _weak(self) -> Resolution | None:
        """The one option of a plain "it is B", or the likeliest by percentages."""
        weak = [act for act in self.declaring if act.firmness == WEAK]
        hedged = [act for act in self.acts if act.kind == "hedging"]
        likely = _likeliest(hedged)
        if likely or not weak:
            return likely
        last, letters = weak[-1], letters_named(weak)
        if last.corrects:
            return self._unless_withdrawn(last)
        possible = letters_named((*weak, *hedged)) - self.rejected
        if len(possible) != 1 and (len(letters) != 1 or len(last.letters) != 1):
            return Resolution("", "ambiguous: several options held possible") if possible else None
        others = letters_named(act for act in self.acts if act.named == "named")
        ends = last is self.acts[-1] and not self.lower[last.end + 24 :]
        if self._another_stands(last, WEAK):
            return Resolution("", SIDE_BY_SIDE)
        if others - self.rejected - letters and not ends and last.end - last.start > 3:
            return Resolution("", "ambiguous: several options named")
        return self._unless_withdrawn(last)

    def _excluded(self) -> Resolution | None:
        """The only option that is not excluded."""
        if any(act.kind == "hedging" or act.firmness == WEAK for act in self.acts):
            return None
        left = set(self.choices.letters) - self.rejected
        if len(left) != 1 or not self.choices.closed:
            return None
        if self.choices.opposites:
            return Resolution(left.pop(), "its opposite is denied", "inferred")
        if len(self.choices.letters) > 2:
            return Resolution(left.pop(), "all other options are excluded", "inferred")
        return None

    def _possible(self) -> Resolution | None:
        """The only option held possible."""
        hedged = [act for act in self.acts if act.kind == "hedging"]
        possible = letters_named(hedged) - self.rejected
        if len(possible) > 1:
            return Resolution("", "ambiguous: several options held possible")
        if not possible or SHARED in hedged[-1].letters:
            return None
        if _cut_off(self.lower) and before.DUE_AT_END.search(self.lower[-_END:]):
            return Resolution("", "cut off before an answer")
        act = hedged[-1]
        goes_on = any(other.start > act.start for other in self.acts)
        unfinished = goes_on or before.UNFINISHED.search(self.lower, act.end)
        if act.yields == "draft" and unfinished:
            return Resolution("", "a draft, and no answer")
        return Resolution(
            possible.pop(), f"held possible: {act.why!r}", "inferred", act.start, act.end
        )

    def _named(self) -> Resolution:
        """The only option that the reply names, where it says nothing else of any."""
        lower, acts = self.lower, self.acts
        if not self.declaring and before.NONE_FITS.search(lower):
            return Resolution("", "no option is said to fit")
        if acts and acts[-1].kind == "discussing" and acts[-1].end == len(lower):
            return Resolution("", "cut off before an answer")
        named = [act for act in acts if act.named]
        letters = letters_named(named)
        if not letters <= set(self.choices.letters):
            return Resolution("", "a letter or text that is no single option")
        if len(letters) > 1:
            return Resolution("", "ambiguous: several options named, none declared")
        if letters and not letters & self.rejected:
            return self._only_named(named[-1])
        if self.rejected:
            return Resolution("", "options rejected, none declared")
        if any(act.kind == "listing" for act in acts):
            return Resolution("", "ambiguous: several options listed, none declared")
        if acts:
            return Resolution("", f"options named, none declared ({acts[-1].kind})")
        return Resolution("", "no option named")

    def _only_named(self, act: Act) -> Resolution:
        """The only option named, unless it is named by the way."""
        if self.rejected and act.named == "spoken of" and len(self.lower) > _LONG:
            return Resolution("", "options rejected, none declared")
        if act.why == FACT or _cut_off(self.lower) or _in_longer_talk(act, self.lower):
            return Resolution("", "an option is discussed, none declared")
        why = "the only option named"
        return Resolution(act.letters[0], why, "by text alone", act.start, act.end)

    # What every answer must pass

    def _outcome_of(self, act: Act) -> Resolution:
        """The answer of `act`, where it is one option and one that was shown."""
        if len(act.letters) > 1:
            if SHARED in act.letters:
                return Resolution("", "ambiguous: a letter and a text of different options")
            return Resolution("", TOGETHER)
        letter = act.letters[0]
        if letter == SHARED:
            return Resolution("", "ambiguous: a text that two options share")
        if letter not in self.choices.letters:
            return Resolution("", f"declared a letter beyond the options: {letter}")
        return Resolution(letter, act.why, "declared", act.start, act.end)

    def _unless_withdrawn(self, act: Act) -> Resolution:
        """The answer of `act`, unless it is taken back and nothing takes its place."""
        outcome = self._outcome_of(act)
        if not outcome.letter:
            return outcome
        refused = [
            other
            for other in self.acts
            if other.kind == "rejecting"
            and other.start >= outcome.end
            and outcome.letter in other.letters
            and before.WAITS.search(self.lower, outcome.end, other.start)
        ]
        if refused and not any(act.start > refused[-1].start for act in self.declaring):
            return Resolution("", "ambiguous: an answer taken back")
        for match in before.WITHDRAWS.finditer(self.lower, outcome.end):
            if not any(act.start >= match.start() for act in self.declaring):
                return Resolution("", f"ambiguous: an answer taken back: {match[0].strip()!r}")
        return outcome


def _decides(act: Act) -> bool:
    """Tell whether an act chooses among options for which something speaks."""
    if act.concluded or act.corrects or act.better or act.share is not None:
        return True
    if act.declares and (act.place not in ("", "opens") or act.before[-1:] == ":"):
        return True
    return act.firmness == AFFIRMED and bool(before.OUTRIGHT.search(act.why))


def _likeliest(hedged: list[Act]) -> Resolution | None:
    """The option with the highest percentage, where options are given percentages."""
    shares = sorted(
        ((act.share, act) for act in hedged if act.share is not None), key=lambda pair: pair[0]
    )
    if not shares or any(len(act.letters) > 1 for _, act in shares):
        return None
    share, act = shares[-1]
    if len(shares) > 1 and share == shares[-2][0]:
        return Resolution("", "ambiguous: several options equally likely")
    return Resolution(act.letters[0], f"the likeliest: {act.why}", "inferred", act.start, act.end)


def _cut_off(lower: str) -> bool:
    """Tell whether a longer reply ends in the middle of a sentence."""
    if before.DUE_AT_END.search(lower[-_END:]):
        return True
    ended = lower[-1] in ".!?…)]}\"'|" or (not lower[-1].isascii() and len(lower) < 200)
    return (len(lower) > 40 and not ended) or bool(_BROKEN.search(lower[-_END:]))


def _in_longer_talk(act: Act, lower: str) -> bool:
    """Tell whether an option named by its label stands in a longer talk."""
    labelled = _LABELLED.match(lower, act.start)
    return bool(labelled) and (len(lower) - act.end > _LONG // 2 or act.start > _LONG)
