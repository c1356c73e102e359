"""The default policy: a reply is cut into clauses, and the last declaration that stands wins."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zhiyin.reader import mentions, structured
from zhiyin.reader.acts import DECLARED, FINAL, Act, Reader
from zhiyin.reader.choices import SHARED, Choices, prepare
from zhiyin.reader.paraphrase import option_meant
from zhiyin.reader.plain import Plain, plain
from zhiyin.reader.reading import Reading
from zhiyin.reader.resolve import Outcome, resolve
from zhiyin.trial import Option

_SHORT = re.compile(
    r"\s*[*_`\"'(\[{<$（【「“#=.>-]{0,4}(?:(?:(?:so|thus|therefore),? )?(?:i (?:think|believe|would say) )?(?:the|my) )?"
    r"(?:(?:final |correct |right |best )?(?:answer|option|choice)(?: is)?\s?[:：]?\s?"
    r"|(?:正确|最终|本题)?答案(?:应该)?[是为选]?\s?[:：]?\s?|[我故应]?选择?\s?[:：]?\s?|选项\s?)?"
    r"[*_`\"'(\[{$（【「“]{0,4}(\S[^\n]{0,118}?)[*_`\"')\]}$）】」”]{0,4}[.。!！;,/]?[*_`\"')\]}]{0,3}\s*",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"([A-Za-z])(?:[*_`\"')\]}）】」”.:：、,，-]{0,4}[ \t]{0,2}(?<![A-Za-z])(\S.*))?"
)
_RUN_ON = re.compile(
    r"\n\s?(?:#+\s?)?(?:question\s?\d*|exercise\s?\d*|problem\s?\d*|问题\s?\d*|q\s?\d*|human|user|instruction|题目|例题|next question"
    r"|第\s?\d+\s?题|用户|下一?[题道]\w{0,2}|下一个问题)\s?[:.\n]"
    r"|\n\s?\d{1,2}[.)]\s[^\n]{3,300}\?\s*\n\s?\(?A[.):]",
    re.IGNORECASE,
)
_ROLES = re.compile(r"\n\s?(?:assistant|model|a|ai|answer|助手|答)\s?:\s?", re.IGNORECASE)


def read(text: str, options: Sequence[Option]) -> Reading:
    """The answer that a careful reader would find in `text`.

    Parameters
    ----------
    text : str
        A reply, of any length and in any script.
    options : sequence of Option
        In the order shown, lettered "A" to "Z".

    Returns
    -------
    Reading
        `letter` is None where the reply declares nothing, or several things at once.
    """
    if len(text) < 160:
        found = _at_once(text, options)
        if found:
            return found
    words = plain(text)
    if not words.text:
        why = "nothing said outside the reasoning" if text.strip() else "empty reply"
        return Reading(None, why)
    choices = prepare(options)
    outcome, shift = _read_parts(words, choices)
    if not outcome.letter:
        return Reading(None, outcome.why)
    return Reading(
        outcome.letter,
        outcome.why,
        words.span(outcome.start + shift, outcome.end + shift) if outcome.end else None,
        outcome.confidence,  # type: ignore[arg-type]
    )


def _at_once(text: str, options: Sequence[Option]) -> Reading | None:
    """The reading of a reply that is nothing but a letter, a text, or both: most replies are."""
    short = _SHORT.fullmatch(text)
    if short is None:
        return None
    said, start, end = short[1], short.start(1), short.end(1)
    bare = _LABEL.fullmatch(said)
    if bare and not bare[2]:
        letter = bare[1].upper()
        for option in options:
            if option.letter == letter and (bare[1] == letter or len(options[0].text) != 1):
                return Reading(letter, "the letter alone", (start + bare.start(1), end), "declared")
        return None
    words = said.lower()
    same = [option.letter for option in options if option.text and option.text.lower() == words]
    if len(same) == 1 and len(words) > 1:
        return Reading(same[0], "full text of one option", (start, end), "declared")
    if bare and not same:
        rest = bare[2].lower()
        for option in options:
            if option.letter == bare[1] and option.text and option.text.lower() == rest:
                return Reading(bare[1], "letter and text", (start, end), "declared")
    return None


def _read_parts(words: Plain, choices: Choices) -> tuple[Outcome, int]:
    """The reading of what stands before an invented next question, or else of the whole."""
    run_on = _RUN_ON.search(words.text)
    if run_on and run_on.start() > 0:
        first = Plain(
            words.text[: run_on.start()], words.lower[: run_on.start()], words.places,
            words.source[: _source_end(words, run_on.start())], words.offset,
        )  # fmt: skip
        found = _read(first, choices)
        if found.letter:
            return found._replace(why=f"{found.why}, before a further question"), 0
    return _read(words, choices), 0


def _source_end(words: Plain, at: int) -> int:
    return max(words.span(at, at)[0] - words.offset, 0)


def _read(words: Plain, choices: Choices) -> Outcome:
    data = _data_acts(words, choices)
    if data and data[0].why == "whole":
        inner = data[0]
        return _from_data(inner, words, choices)
    found = mentions.group(mentions.find(words, choices), words, choices)
    if data:
        found = [g for g in found if not any(d.start <= g.start < d.end for d in data)]
    acts = Reader(words, found, choices).acts()
    said = yes_no(words.lower, choices, acts)
    if said:
        return said
    if data:
        acts = sorted([*acts, *(d for d in data if d.letters)], key=lambda act: act.start)
    outcome = resolve(acts, words.lower, choices)
    if not outcome.letter and not acts:
        meant = option_meant(words.lower, choices)
        if meant:
            why = "the words of one option and of no other"
            return Outcome(meant, why, "by text alone", 0, len(words.text))
    return outcome


def _from_data(act: Act, words: Plain, choices: Choices) -> Outcome:
    letters = act.letters
    if len(letters) == 1 and letters[0] in choices.letters:
        return Outcome(letters[0], f"declared: {act.line}", "declared", act.start, act.end)
    if len(letters) > 1:
        return Outcome("", "ambiguous: several options named together")
    return Outcome("", f"no option in {act.line}")


def _data_acts(words: Plain, choices: Choices) -> list[Act]:
    """What the JSON objects of a reply declare, placed where they stand in the plain text."""
    if "{" not in words.source:
        return []
    acts: list[Act] = []
    for start, end, value in structured.objects(words.source):
        told = structured.answer(value, choices)
        before, after = words.source[:start].strip("` \n"), words.source[end:].strip("` \n.")
        alone = (len(before) < 8 or before == "json") and not after
        a, b = _placed(words, words.offset + start, words.offset + end)
        if told is None:
            if alone:
                said = "\n".join(structured.strings(value))
                inner = _read(plain(said), choices) if said.strip() else Outcome("", "")
                letters: tuple[str, ...] = (inner.letter,) if inner.letter else ()
                acts.append(
                    Act("declaring", letters, FINAL, a, b, "whole", line="the words of JSON")
                )
            continue
        letters, why = told
        acts.append(
            Act(
                "declaring",
                letters,
                FINAL if letters else DECLARED,
                a,
                b,
                "whole" if alone else why,
                line=why,
            )
        )
    return acts


def _placed(words: Plain, start: int, end: int) -> tuple[int, int]:
    """Where a stretch of the reply stands in the plain text, as nearly as pieces tell."""
    first = last = 0
    for at, stood in words.places:
        if stood <= start:
            first = at + start - stood
        if stood <= end:
            last = at + end - stood
    return min(first, len(words.text)), min(max(last, first), len(words.text))


_YES = re.compile(
    r"[\"'(]*(?:(?:indeed|well|so|ok|okay|hmm|ah|oh),?\s)?(?:yes|yeah|yep|true|correct|是的|是|对的|对|正确)(?=[\s,.!;:\"')]|$)(?!\s?(?:and|or|/)\s?no)"
)
_NO = re.compile(
    r"[\"'(]*(?:no|nope|false|incorrect|否|不是|不对|错误|不)(?=[\s,.!;:\"')]|$)(?!\s(?:way|idea|option|answer|one|clear))"
)
_DUE = re.compile(
    r"(?:answer(?: is)?|答案|回答|conclusion)[\"']?\s?(?:是|为|is)?\s?[:=]?\s?[\"'(]*(yes|no|true|false|是|否|对|错)(?=[\s,.!;:\"')]|$)"
)


def yes_no(lower: str, choices: Choices, acts: list[Act]) -> Outcome | None:
    """Yes or no, where one option says yes and one no, and no letter is declared."""
    if not choices.yes or any(act.kind == "declaring" and act.firmness >= DECLARED for act in acts):
        return None
    due = list(_DUE.finditer(lower))
    if due:
        word = due[-1][1]
        letter = choices.yes if word in ("yes", "true", "是", "对") else choices.no
        if not choices.own[letter].startswith(word):
            return None
        return Outcome(
            letter, f"declared: {due[-1][0]!r}", "declared", due[-1].start(), due[-1].end()
        )
    for line in (lower, lower.rpartition("\n")[2]):
        for pattern, letter in ((_YES, choices.yes), (_NO, choices.no)):
            said = pattern.match(line)
            if said and choices.own[letter].startswith(said[0].strip("\"'(").rstrip("的")):
                at = len(lower) - len(line)
                return Outcome(
                    letter,
                    "yes or no at the beginning",
                    "declared",
                    at + said.start(),
                    at + said.end(),
                )
    return None


__all__ = ["SHARED", "read"]
