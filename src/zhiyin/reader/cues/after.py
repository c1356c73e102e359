"""Patterns for what stands after an option, matched from its end, and for what answers a question.

All are matched against lower-case text in plain words, never more than a few hundred characters.
"""

from __future__ import annotations

import re

from zhiyin.reader.cues import lexicon, phrases, words

en, talk = lexicon("english"), lexicon("english_talk")
zh, others = lexicon("chinese"), lexicon("others")

_SHUT = r"[\"')\]}]*"
_GAP = r"[\s\"')\]}|:,>*-]*(?:option|choice|选项|项)?"

# --- Praise -------------------------------------------------------------------------------------

IS_ANSWER = re.compile(
    rf"{_GAP}(?:\s?\([^()\n]{{1,60}}\))?[\s,:-]*"
    r"(?:(?:,? which )?(?:is|must be|would be|should be|has to be|seems(?: to be)?|remains"
    r"|appears to be|looks like|sounds like|therefore is|will be)\s(?:to be\s)?"
    rf"(?:{words(en['praise_fillers'])}\s){{0,5}}(?:{words(en['praised_as'])}\s)?{words(en['answers'])}"
    r"|\((?:this is )?(?:my|the) (?:\w+ )?(?:answer|choice|pick|selection|one)\)"
    rf"|{words(en['wins'])}|{phrases(others['wins'])}|{phrases(zh['before_praise'])}?{phrases(zh['wins'])})"
)
"""It is the answer."""

AFFIRMS = re.compile(
    r"(?:\b(?:is|are|was|were|seems?|looks?|sounds?|must be|would be|remains|appears|being|be)?\s?"
    rf"(?:{words(en['praised_fillers'])}\s)*{words(en['affirms'])}|{phrases(zh['affirms'])}"
    r"|[√✓✔✅☑👍🟢⭕])"
)
"""Somewhere in what is said of the option: good words."""

SAID_OF = re.compile(rf"{phrases(zh['said_of'])}?{phrases(zh['praised_fillers'])}{{0,4}}")
"""Between a bare option and a word of praise in Chinese."""

YES_OR_NO = re.compile(r"[\s\"')\]|:.-]*(yes|no)\s?(?:[,;:](?!\s?but\b)|$)")
"""At the head of what is said of a labelled option: right or wrong, whatever follows."""

LIKELY = re.compile(r"[\s:(|-]*(?:most |very |more |highly )?likely\b")
ONLY_THIS = re.compile(
    r"[\"')\]]*\s(?:does|do|is|fits|has|can|makes|survives|works|remains|matches)\b"
)
"""After "only B"."""

# --- Blame --------------------------------------------------------------------------------------

DISLIKES = re.compile(
    r"(?:\b(?:is|are|was|were|seems?|can|could|would|will|does|do|did|should|must|has|have)?\s?"
    rf"(?:{words(en['disliked_fillers'])}\s)*{words(en['dislikes'])}"
    rf"|{phrases(zh['dislikes'])}|[✗✘❌×✖🔴👎])"
)
"""Somewhere in what is said of the option: bad words."""

DENIED = re.compile(
    r"[\s\"')\]}|:,>*(-]*(?:option|choice|选项|项)?(?:的?(?:说法|描述|表述|内容))?[\s,]*"
    r"(?:(?:is|are|was|were|would be|seems?|can be|could be|can|could|does|do|did|must be"
    r"|should be)\s)?"
    rf"(?:(?:{words(en['denied_fillers'])}|certainly|plainly|just)\s)*"
    rf"(?:{words(en['denied'])}|{phrases(zh['denied_fillers'])}*{phrases(zh['denied'])}"
    rf"|{phrases(others['denied'])})"
)
"""Straight after the option: it is not right."""

WHAT_ELSE = re.compile(r"[\"')\]]*(?:选项|项)?(?:还能|还会|又能|又会)(?:是|选)")
"""After 不是: it must be this one."""

OTHERS_WRONG = re.compile(
    rf"[\"')\]]*(?:选项|项)?(?:之外|以外|外)?,?\s?"
    rf"(?:(?:{words(en['others_are'])}|,|{phrases(zh['others_are'])})\s?)*"
    rf"(?:{words(en['others_wrong'])}|{phrases(zh['others_wrong'])})"
)
"""After "all but B": every other is wrong."""

# --- Doubts and conditions ----------------------------------------------------------------------

IF = re.compile(
    rf"{_SHUT},?\s(?:only\s)?{words(talk['if_after'])}|{_SHUT},?\s*{phrases(zh['if_after'])}"
    r"|[^.!?\n,;(\[]{0,30}\bif\s(?!i |you |we |forced|pressed)"
    r"|\s(?:would|might|could) have been\b"
)
"""Only on a condition."""

MAYBE = re.compile(
    r"[\"')\]}:,]*\s?(?:(?:is|are) (?:just )?as (?:likely|plausible|good) as"
    r"|(?:option|choice|选项|项)?\s?(?:is |are |seems |sounds |looks )?"
    rf"(?:also |both |all |certainly |still |equally )*{words(talk['possible'])}"
    rf"|(?:选项|项)?{phrases(zh['before_possible'])}*(?:是)?{phrases(zh['possible'])})"
)
"""It is possible, no more."""

SUPPORTED = re.compile(
    rf"[\"')\]}}}}]*\s?(?:option|choice|选项|项)?\s?(?:{words(talk['supported'])}|{phrases(zh['supported'])})"
)
"""Something speaks for it, as it may for others."""

TOLD = re.compile(rf"{_SHUT}(?: {words(talk['its_nouns'])})?\s{words(talk['told'])}")
"""After a text that is a sentence's subject: a general fact is told about it."""

PARTLY = re.compile(
    rf"[\"')\]}}:,-]*\s?(?:option|choice|选项|项)?[\s,:]*(?:{words(talk['partly_be'])}\s)*"
    rf"(?:{words(talk['partly'])}|{phrases(zh['partly'])})"
)
"""It is right in part, no more."""

BETTER = re.compile(
    rf"[\"')\]}}:|-]*\s?(?:option|choice|选项|项)?[\s,:]*(?:{words(talk['better_fillers'])},?\s)*"
    rf"(?:{words(talk['better'])}|{phrases(zh['better'])})"
)
"""It is above those praised before."""

COMPARED = re.compile(r"[\s\"')\]]*(?:选项|项)?比(?!较)")
IS_MORE = re.compile(r"[\"')\]]*(?:选项|项)?[^,.;\n]{0,4}(?:更|要|还)")
"""After both options of a comparison in Chinese: A比B更好."""

SEEMS = re.compile(
    rf"[\s\"')\]}}:,-]*(?:option|choice|选项|项)?[\s,]*(?:{words(talk['seems'])}|{phrases(zh['seems'])})"
)
ALLURES = re.compile(
    rf"[\s\"')\]}}:,-]*(?:option|choice|选项|项)?[\s,]*(?:{words(talk['allures'])}|{phrases(zh['allures'])})"
)
"""It is the answer as it seems; it is the answer that comes to mind."""

CONTRAST = re.compile(
    r"(?:\b(?:but|yet|however|still|though|nevertheless|nonetheless|unfortunately)\b"
    r"|i(?:'m| am) afraid|(?:also|too) (?:wrong|easy|simple)|但|可是|然而|不过|其实|却|只是|可惜)"
)
"""After an option: what is said next speaks against it."""

DOUBTS = re.compile(rf"{words(talk['doubts'])}|{phrases(zh['doubts'])}")
UNCERTAIN = re.compile(rf"{words(talk['uncertain'])}|{phrases(zh['uncertain'])}")
"""In such a contrast: it is doubted, or the speaker is only not quite sure."""

CHOSEN_BY = re.compile(rf"{_SHUT}{phrases(zh['chosen_by'])}")
"""After 选A: those who chose it are spoken of."""

OTHERS_CHOICE = re.compile(
    r"[\"')\]]*\s(?:is|was|would be|might be|may be)\s(?:\w+ly\s)?"
    r"(?:what|the (?:answer|one|choice)(?: that)?)\s(?:most|many|some|people|students|everybody"
    r"|everyone|others|beginners|listeners)\b"
)
"""After an option: it is what others choose."""

ARE_RIGHT = re.compile(rf"{words(talk['are_right'])}|{phrases(zh['are_right'])}")
"""After those who chose an option: they did so rightly."""

OFFERED = re.compile(rf"[\"')\]]*\s?(?:{words(talk['offered'])}|{phrases(zh['offered'])})")
"""After all options: they are what one may choose from."""

MATCHED_UP = re.compile(rf"\s?{words(talk['matched_up'])}|\s?{phrases(zh['matched_up'])}")
"""After an option that is to be chosen: how to choose, not a choice."""

AS_GOOD = re.compile(
    rf"[\"')\]}}:,]*\s?(?:option|choice|选项|项)?\s?(?:{words(talk['as_good'])}|{phrases(zh['as_good'])})"
)
"""It stands beside the option before it."""

_SHARES = {"very_low": 10, "very_high": 90, "low": 30, "medium": 50, "high": 70}
"""Degrees as shares of a hundred, which only order them; the first that is found holds."""

DEGREE = re.compile(
    rf"[\s\"')\]}}:,|(=-]*(?:(?:is|has)\s(?:an? )?)?"
    rf"(?:{words(*(talk[name] for name in _SHARES))}|{phrases(*(zh[name] for name in _SHARES))})"
    r"(?=\s?(?:[,.;:)|\n(-]|$|(?:chance|likelihood|probability|confidence)\b))"
)
"""How sure, in words."""

DEGREES = [
    *((re.compile(words(talk[name])), share) for name, share in _SHARES.items()),
    *((re.compile(phrases(zh[name])), share) for name, share in _SHARES.items()),
]
"""The same one by one, with the share that each stands for."""

SHARE = re.compile(
    r"[\s\"')\]}:,|(=~-]*(?:(?:is|at|gets|scores|has|with|about|around|roughly)\s|约|的?(?:概率|可能性?|把握"
    r"|几率|置信度)(?:大?约|为|是|有|占)*:?\s?)*"
    r"(?:(?P<share>\d{1,3}(?:\.\d+)?|\.\d+)(?P<unit>\s?%|\s?percent\b|\s?/\s?100?\b|\s?分)?"
    r"|(?P<tenths>[一二三四五六七八九])成)(?![\d/:]|\.\d)"
)
"""How sure."""

# --- Questions ----------------------------------------------------------------------------------

ASKS = re.compile(r"[\"')\]}.]*\s?(?:\?|吗\s?[?.]?|呢\s?\?|么\?)")
"""It was a question."""

SAYS_NO = re.compile(r"[\s\"']*(?:no\b|nope|not\b|wrong|不|否|没有|错)")
SAYS_YES = re.compile(
    r"[\s\"']*(?:yes\b|yep|yeah|i (?:guess|think|suppose)\b|right\b|correct|indeed"
    r"|exactly|对|是的|没错|正确)"
)
"""At the head of what follows a question."""

ENDS_NO = re.compile(r"(?:\b(?:so|,)\s?no|\bno)\s?\.?$|(?:不是|不符|不对|否)\s?\.?$")
ENDS_YES = re.compile(r"\byes\s?[.!]?$|(?:,|^)\s?(?:是的?|符合|对)\s?\.?$")
"""At the end of what follows a question."""
