"""Patterns for what stands before an option. Those that end with ``$`` end at the option.

All are matched against lower-case text in plain words, never more than a few hundred characters.
"""

from __future__ import annotations

import re

from zhiyin.reader.cues import either, lexicon, phrases, words

en, talk = lexicon("english"), lexicon("english_talk")
zh, others = lexicon("chinese"), lexicon("others")

_BE = words(en["be"])
_MARKS = r"[\s\"'(\[\]{<$:=|>#*_-]"
_SIGN = r"[:=]|->|→"
FILL = (
    rf"(?:{_MARKS}|{words(en['fillers'], others['fillers'])}"
    rf"|{phrases(zh['fillers'], zh['more_fillers'])})*"
)
"""What may stand between such words and the option."""

# --- Declarations -------------------------------------------------------------------------------

_ADVERBS = rf"(?:,?\s*{words(en['adverbs'])})*,?\s*"
_ANSWER = (
    r"answers?(?<![a-z]answer)(?<![a-z]answers)(?:_?(?:letter|option|choice))?"
    r"(?:\s(?:to|for|among|from|of|given|based on|here|in|that i|i would|i'd|i)\b"
    r"[^!?\n;]{0,80}?)??(?:\s?\((?:letter|option|choice)\))?[\"'\]_)]*"
    rf"{_ADVERBS}(?:(?:'s(?![a-z])|{_BE})|{_SIGN}|=>|-(?=\s?[\"'(\[]?$|\s)"
    r"|\s?(?=[(\[\"]+$)|\s?\n\s?|(?<=answer)\s)"
)
_NAMED = (
    rf"{words(en['right'])}\s(?:\w+\s)?{words(en['nouns'])}\s?{phrases(en['among'])}?[\"'\])]*"
    rf"{_ADVERBS}(?:{_BE}|{_SIGN}|-\s)"
)
_WHICH = (
    r"(?<![a-z])(?:option|choice|answer|one|instrument|description|statement)\s(?:that|which)"
    r"\s[^.!?\n;:,]{2,60}\s?(?:\bis\b|would be|must be|:)"
    r"|what (?:(?:fits|matches)(?: best)?[^.,]{0,20}|remains|is left) is"
    r"|\bwinner(?: is|:)|"
    r"\b(?:1st|first|top) (?:choice|pick|place|preference)(?: is| would (?:have to )?be|:| -)"
)
_FIELD = (
    r"(?:^|[\n{,\"'<>|.!]|json)\s?(?:my |final |the |selected_|final_|correct_|predicted_)?"
    rf"{phrases(en['fields'], zh['fields'])}(?:_?(?:letter|option))?[\"']*\s?(?:{_SIGN}|-\s)"
    rf"|(?:^|\n)\s?\[(?:my |the |final )?{phrases(en['fields'], zh['fields'])}\]"
)
_TAG = phrases(zh["tags"], en["tags"])
_CHOOSING = (
    r"\b(?:(?:i|we)(?:'d|'ll|'m|'ve| would| will| am| have| must| shall| should| do| can only)?"
    r"|i(?:d|m|ve|ll))"
    rf"(?:,? {phrases(en['choosing_adverbs'])})*,? {phrases(en['choosing'])}"
    r"(?: that)?(?: it's| it is| it must be| the answer is)?(?![a-z])"
)
_CHOSEN = (
    rf"{words(en['chosen'])}|\bcorrespond(?:s|ing)? to (?=.*option|[\"'(\[]*$)"
    r"|\bmatch(?:es|ing)? (?=.*option|[\"'(\[]+$)"
)
_ORDER = rf"(?:^|[\n.!?,;:] ?){words(en['orders'])}"
_ZH_ANSWER = (
    rf"{phrases(zh['nouns'])}(?:\s?-+\s?|{phrases(zh['adverbs'])}*"
    r"(?:[是为选:=\]]|[\"']?\s?[:=]|\s|\n|(?=[(\[\"]*$)))"
)
_ZH_NAMED = (
    rf"(?:(?<!不){phrases(zh['right'])}{phrases(zh['asked'])}?的?{phrases(zh['called'])}?"
    r"(?:应该|应当|应|就|只有|显然|无疑|只能)?[是为:选]"
    rf"|{phrases(zh['wrong_as_asked'])}{phrases(zh['asked'])}?的{phrases(zh['called'])}?"
    r"(?:应该|应当|应|就)?[是为:选])"
)
_NOT_CHOSEN = "".join(f"(?<!{word})" for word in zh["not_chosen"].split(" | "))
_ZH_CHOOSING = (
    rf"{_NOT_CHOSEN}(?<!干扰){phrases(zh['before_choosing'])}(?:我|本题|应该|应当|应|就|会|可以)?"
    r"[选填](?:择|项|定|取)?(?:的?(?:答案|选项)?是|了|为|中)?(?:答案)?:?"
    r"|[^不误错勿别备次]选(?=[\"'(\[]*$)"
)
_DUE_NOW = either(
    _ANSWER, _NAMED, _WHICH, _FIELD, _TAG, _ZH_ANSWER, _ZH_NAMED, phrases(zh["declares"]),
    phrases(en["forced"]), words(en["must_be"]), phrases(en["right_values"]),
    phrases(others["declares"]),
)  # fmt: skip
_CHANGES = rf"(?:{words(en['changes'])} to\b|{phrases(zh['changes'])})"
DECLARES = re.compile(
    rf"(?:{_DUE_NOW}|{_CHOOSING}|{_CHOSEN}|{_CHANGES}|{_ORDER}|{phrases(zh['leans'])}"
    rf"|{_ZH_CHOOSING}){FILL}$"
)
"""This is the answer."""

CHANGES_FROM = re.compile(rf"(?:{words(en['changes'])} from\b|从){FILL}$")
"""In a change from one option to another: the one left behind."""

CHANGES_TO = re.compile(
    rf"{words(en['changes'])} from\b[^.!?\n]{{1,60}}?\bto{FILL}$"
    rf"|从[^.!?\n,]{{1,40}}?{phrases(zh['changes'])}{FILL}$"
)
"""In a change from one option to another, in the whole sentence: the one that it comes to."""

DUE = re.compile(rf"(?:{_DUE_NOW}|{phrases(en['therefore'])})\s?")
"""An answer of whatever form is due: what follows is the answer."""

DUE_AT_END = re.compile(rf"(?:{_DUE_NOW})\s*$|\b(?:or|或|还是)\s*$")
"""At the end of a reply: an answer is due and does not come."""

FINALLY = re.compile(phrases(en["finally"], zh["finally"]))
"""In a declaration: nothing comes after it but corrections."""

FIELD = re.compile(r"(?:option|choice|选项)\s?[:：]?")
"""Before options one after the other: a list, not answers."""

# --- Conclusions, corrections, withdrawals ------------------------------------------------------

CONCLUDES = re.compile(
    rf"(?:{words(en['concludes'])}|=>|⇒|→|∴|->|{phrases(zh['concludes'])}|{phrases(others['concludes'])})[\s,:]*"
    r"(?:(?:it|this|that|the \w+(?: \w+)?|这|该\w{0,4}|此\w{0,4}|它)\s?"
    rf"(?:{_BE}|是|为|属于)?|应该?是|就是|是|为|应为)?{FILL}$"
)
"""So it is this one."""

CORRECTS = re.compile(
    rf"{words(en['corrects_where_said'])}(?: once more| once again| again| too| \d)?"
    r"(?=\s?[,.!:;…-]|\s?$|\s(?:i|it|the|that|this|is)\b)"
    rf"|{words(en['corrects'])}|{_CHANGES}|{phrases(zh['corrects'])}"
)
"""Somewhere in the sentence or the one before: what was said is corrected."""

WAITS = re.compile(rf"{words(en['waits'])}|{phrases(zh['waits'])}")
"""A second thought: what follows may take back what was said."""

WITHDRAWS = re.compile(
    rf"{words(en['withdrawing'])}[^\n?;:]{{0,40}}?{words(en['wrong'])}|{words(en['withdraws'])}"
    rf"|(?:^|[.!?\n]\s?){phrases(zh['withdrawing'])}[^\n;]{{0,14}}{phrases(zh['wrong'])}"
    rf"|{phrases(zh['withdraws'])}"
)
"""After an answer: it is taken back."""

UNFINISHED = re.compile(
    r"final\w*[^.\n]{0,12}:\s*$|\b(?:(?:still|yet) (?:have|need|to)|later|afterwards|not yet)\b"
    r"|作答|进一步|稍后|待(?:定|确认|核实)|还(?:要|需|得)"
)
"""After a draft: the answer is still to come."""

INSTEAD = re.compile(
    r"[\s,;:.-]*(?:but(?: rather| instead)?|rather|instead|it's|it is|而是|而|是|应该?是|应为"
    rf"|{phrases(others['instead'])})"
    rf"\s?,?\s?{FILL}$"
)
"""After a rejected option: the next one is meant instead."""

IDENTIFIES = re.compile(
    r"(?:^|[.,;:!?\n]|\b(?:and|as|since|because))\s?(?:it|this|that|the (?:piece|composer"
    r"|instrument"
    r"|chord|triad|key|mode|form|genre|style|interval|metre|meter|work|music|clip|recording))"
    r"(?:'s| is)(?: clearly| indeed)?(?: an?| the)?\s+$"
    r"|(?:这|该|此|本)[^,.;\n]{0,6}(?:是|为)\s?$"
)
"""What is asked about is the option named next."""

FOLLOWS = re.compile(
    r"[\"')\]]*[^,.;\n]{0,12}[,.;]\s?(?:and )?(?:so|therefore|thus|hence|所以|因此|故|因而)"
    r"(?![a-z])[^,.;\n]*$"
)
"""Between two options: the second follows from the first."""

# --- Weak words, doubts -------------------------------------------------------------------------

WEAK = re.compile(rf"(?:{words(en['weak'])},?|:|{phrases(zh['weak'])})\s?{FILL}$")
"""A plain "it is", sure or unsure."""

PLAINLY = re.compile(rf"\s*(?:{words(en['plainly'])}|{phrases(zh['plainly'])})")
"""At the head of a reply, before an option's text: the answer."""

UNSURE = re.compile(rf"{words(en['unsure'])}|{phrases(zh['unsure'])}")
"""In a weak declaration: possible, no more."""

SHARE = re.compile(
    r"(?<![\d.])(?:(?P<share>\d{1,3}(?:\.\d+)?|\.\d+)(?P<unit>\s?%|\s?percent\b)?"
    r"|(?P<tenths>[一二三四五六七八九])成(?:把握)?(?:可能)?)"
    rf"(?:\s?[\"'(\[]*$|\s(?:on|in|for|to|it's|it is)\s(?:the |an? |option )?[\"'(\[]*$"
    r"|\s?(?:就?是|选)\s?$"
    rf"|的?\s?{phrases(talk['sure'], zh['sure'])}[^.,;%]{{0,20}}$)"
)
"""How sure."""

SUPPORTS = re.compile(rf"(?:{words(talk['supports'])}|{phrases(zh['supports'])}){FILL}$")
"""Something speaks for the option, as it may for others."""

ASKS_BACK = re.compile(rf"{words(talk['asks_back'])}|{phrases(zh['asks_back'])}")
"""In a reply: it wants to know more."""

RELATED = re.compile(rf"{words(talk['related'])}(?: the| an?)?(?: {phrases(talk['ordinals'])})? $")
"""Before a text: something else stands in relation to it."""

OUTWEIGHS = re.compile(r"\b(?:but|however|yet|though|although|still|only)\b|但|不过|然而|而|却|更")
"""Before an option: what follows outweighs what was said of others."""

# --- Rejections ---------------------------------------------------------------------------------

DENIES = re.compile(
    rf"(?:{words(en['denies'])}(?:\s(?!{phrases(en['denials_end'])}\b)[a-z']+){{0,3}}\s?"
    rf"|{phrases(zh['denies'])}|(?<![a-z]){phrases(others['denies'])})\s?{FILL}(?:\\boxed{FILL})?$"
)
"""This is not the answer."""

OUTDONE = re.compile(rf"{words(talk['outdone'])}\s?{FILL}$|{phrases(zh['outdone'])}{FILL}$")
"""Another option is said to be less than this one."""

DENIES_TWICE = re.compile(
    rf"{words(en['denies_twice'])}[^.!?,;\n]{{0,24}}{words(en['denies_again'])}\s?{FILL}$"
    rf"|{phrases(zh['denies_twice'])}{FILL}$"
)
"""A denial that is itself denied: "there is no reason not to choose B"."""

NOT_ELSE = re.compile(r"不是\s?$")

ALL_BUT = re.compile(rf"(?:{words(en['all_but'])}|{phrases(zh['all_but'])})\s?{FILL}$")
"""Every option but this one, where `after.OTHERS_WRONG` follows."""

EXCLUDES_ALL_BUT = re.compile(rf"{words(en['excluding'])} {words(en['all_but'])}\s?{FILL}$")
"""Every option but this one is excluded."""

NOTHING_BUT = re.compile(
    rf"(?:{words(en['nothing_but'])}|{phrases(zh['nothing_but'])})\s?{FILL}$|非\s?$(?#莫属)"
)
"""It can be no other."""

NONE_FITS = re.compile(rf"{words(en['none_fits'])}|{phrases(zh['none_fits'])}")
"""Where an answer is due: none is given."""

SO_IS = re.compile(rf"{words(en['so_is'])}\s{FILL}$")
NOR_IS = re.compile(rf"{words(en['nor_is'])}\s{FILL}$")
"""The same as was said of the option before."""

ALSO_SAID = re.compile(rf"(?:{words(talk['also_said'])}|{phrases(zh['also_said'])}){FILL}$")
"""A second answer beside the first."""

DRAFT = re.compile(
    rf"{words(talk['draft'])}(?:\s?[\d一二三]\b)?(?:\s{phrases(talk['draft_nouns'])})?\s?(?:[:=\]]|-|\bis|\bwas)\s?"
    rf"{FILL}$|(?:^|[^a-z0-9]){phrases(zh['draft'])}[^a-z,.;:\n]{{0,6}}[是为选:\]]?\s?{FILL}$"
)
"""A version of the answer, to be followed by another."""

PARTLY = re.compile(rf"(?:{words(talk['partly_before'])})\s{FILL}$")
"""Something speaks for the option, no more."""

ALLURES = re.compile(rf"(?:{words(talk['allures_before'])}|{phrases(zh['allures_before'])}){FILL}$")
SEEMS = re.compile(rf"(?:{words(talk['seems_before'])}|{phrases(zh['seems_before'])}){FILL}$")
"""The answer that comes to mind; the answer as it seems."""

ONLY = re.compile(r"\bonly (?:the )?$|(?:只有|唯有)\s?$")

# --- Other voices, other cases ------------------------------------------------------------------

SECOND = re.compile(
    rf"{words(talk['second'])}(?:\s{phrases(talk['second_nouns'])})*\"?(?:\s?\(?s?\)?)?\s?"
    rf"(?:{words(talk['second_be'])}|[:=-]|->)+{FILL}$"
    rf"|{phrases(zh['second'])}{phrases(zh['second_ends'])}{FILL}$"
)
"""A second choice, or a wrong one, is named beside the answer."""

REPORTS = re.compile(
    rf"{words(talk['others'])}[^.;!?\n]{{0,40}}{words(talk['opine'])}|{words(talk['reports'])}"
    rf"|{phrases(zh['reports'])}"
)
"""Somewhere in the clause: somebody else's opinion."""

WHO_CHOSE = re.compile(words(talk["who_chose"]))
"""In the clause: others chose the option, rightly or not."""

OWN_VOICE = re.compile(rf"{words(talk['own_voice'])}|{phrases(zh['own_voice'])}")
"""In a clause of somebody else's opinion: the speaker's own after all."""

ONCE = re.compile(rf"{words(talk['once'])}|{phrases(zh['once'])}")
"""In the clause: what was thought once."""

SUPPOSES = re.compile(
    rf"{words(talk['supposes'])}"
    rf"|(?:{words(talk['supposes_of_others'])}|(?P<asks>{words(talk['supposes_with_would'])}))"
    rf"(?!\s{phrases(talk['no_condition'])}\b)"
    rf"|{phrases(zh['supposes'])}"
)
"""In the sentence: a condition. The group ``asks`` is one only if "would" follows the option."""

FREES = re.compile(rf"{words(talk['frees'])}|{phrases(zh['frees'])}")
"""After a condition: what follows no longer hangs on it."""

WOULD = re.compile(
    rf"\b(?:would|i'd)(?: have)? (?:be|been|say|said|choose|chosen|pick|picked|go|gone)\b{FILL}$"
)
"""Before an option: what one would say, where "instead" follows of another case."""

DEPENDS = re.compile(
    r"\bit (?:all )?depends\b|\bdepend(?:s|ing) on (?:whether|which|what|how|the (?:version|edition"
    r"|recording|case|definition))\b|取决于|要看[^,.;:\n]{1,8}:|视[^,.;\n]{1,8}而定"
)
"""In a reply: there is one answer in one case and another in the next."""

ASSUMES = re.compile(
    r"\W*(?:(?:let us|let's|let me|now|if we|i)\s)*(?:suppose|assume|imagine)\b"
    r"|\W*(?:假设|假定|设想)"
)
"""Opens a sentence: what follows in the next hangs on it."""

CONCEDES = re.compile(rf"^\W*(?:{words(talk['concedes'])}|{phrases(zh['concedes'])})[^,;]*,\s?")
"""At the head of a sentence: what is conceded, up to its comma."""

CONTRASTS = re.compile(
    rf"{words(talk['contrasts'])}[^,;]*$|{phrases(zh['contrasts'])}[^,;]*$"
    r"|\b(?:with|given|in|for) an? [^,;.]{2,50}(?:the answer|it|this|that)"
    r" would(?: have)? (?:be|been)\s?$"
)
"""Another case than the one asked about."""

IN_A_CASE = re.compile(
    r"[\s,;:.]*(?:and |but |while |whereas |[而但])?"
    r"(?P<case>(?:to|for|from|by|on|under|according to|strictly|in) (?!fact\b|conclusion|summary"
    r"|short\b|(?:\w+ )?(?:reflection|thought|inspection|consideration|review|balance))"
    r"|[从对按](?=[^,.;]{1,12}(?:看|来说|而言|来讲|说)))"
)
"""At the head of a clause: it speaks of one case. Two that begin alike are two cases."""

VOICE = re.compile(r"[\s,;:.]*(?:and |but |while |whereas )?(?P<who>[\w' ]{2,30}) says?")
"""What says an option: "my ears say". Two that say different ones decide nothing."""

# --- Talk about options -------------------------------------------------------------------------

CONSIDERS = re.compile(
    rf"{words(talk['considers'])}[\s:,'\"(\[]*(?:the |option |choice |answer:? ?)*$"
    rf"|{phrases(zh['considers'])}(?:一下)?:?\s?(?:选项|答案)?[\"'(\[]*$"
)
"""It is looked at, no more."""

TEMPLATE = re.compile(
    rf"{words(talk['template'])}[^\n]{{0,40}}$|{phrases(zh['template'])}[^\n]{{0,16}}$"
)
"""Before a declaration: it only shows what one looks like."""

RANKED = re.compile(rf"(?:{phrases(talk['ranked'], zh['ranked'])})[^.\n]{{0,40}}:\s?$")
"""Before options in a row: the first of them ranks highest."""

RANKED_LINES = re.compile(
    r"(?:rank\w*|order\w*|most to least|likelihood|排序|排列|排名|从高到低)[^.\n]{0,60}:\s?\n\s*"
    r"(?:1[.)]|🥇|第一)\s?"
)
"""Before lines of options: a ranking, the best first."""

SUMS_UP = re.compile(rf"{words(talk['sums_up'])}|{phrases(zh['sums_up'])}")
"""In the sentence: it sums up, and the one option that it names is what it comes to."""

TRUE = re.compile(r"\b(?:true|correct|accurate|right)\b|对|正确|属实|准确")
FALSE = re.compile(r"\b(?:false|wrong|incorrect|untrue)\b|错|有误|不正确")
"""Said of statements: of all but one the first, and of that one the second."""

OUTRIGHT = re.compile(rf"{TRUE.pattern}|\b(?:most|best|closest|likeliest)\b|最")
"""Of praise: it is no mere support."""

LIKELY = re.compile(
    r"(?<!most )(?<!more )(?<!very )\b(?:likely|plausible|probable|possible|chance)\b(?! than)|可能"
)
"""In a declaration: it is held likely, no more."""

MILD = re.compile(r"\b(?:likely|plausible|possible|probable|good|close|fitting)\b|可能|接近")
"""Of praise: it is outweighed by what is better."""

ALSO = re.compile(rf"{words(talk['also'])}|{phrases(zh['also'])}")
"""Beside a second declaration: it stands beside the first and replaces nothing."""
