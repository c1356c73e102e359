"""Every regular expression of the package takes linear time on whatever is put before it."""

import functools
import re
from hashlib import blake2b
from pathlib import Path

import msgspec
import pytest

import hostile
from conftest import REPOSITORY
from zhiyin.benchmarks.questions import trials as question_trials
from zhiyin.models import PROVIDERS, endpoint, refusals
from zhiyin.plugins.benchmarks.audio_reasoning import rules as audio_rules
from zhiyin.plugins.benchmarks.cmi import events
from zhiyin.plugins.benchmarks.muse import tasks as muse
from zhiyin.plugins.judges import reliability, rules
from zhiyin.plugins.judges.lexical import facts
from zhiyin.plugins.making.errata import NOTE, theory
from zhiyin.plugins.making.forge import sameness, selecting
from zhiyin.plugins.making.forge.sameness import forge_language
from zhiyin.plugins.music.listener import answering
from zhiyin.plugins.music.listener import model as listener_skills
from zhiyin.plugins.studies import telling

pytestmark = pytest.mark.slow

EXEMPT = ("zhiyin.reader",)  # test_reader_time.py tries these
"""Packages that are not looked at."""

LANGUAGES = ("zh", "en")


def _lexicon():
    def lists(found):
        for value in found.values() if isinstance(found, dict) else ():
            yield from lists(value) if isinstance(value, dict) else [tuple(value)]

    tables = [{**msgspec.to_builtins(facts.lists(each)), "patterns": {}} for each in LANGUAGES]
    return [
        facts._pattern(words)
        for table in tables
        for words in lists(table)
        if words and all(isinstance(word, str) for word in words)
    ]


CALLED = ("name", "no_name", "nobody")
"""Patterns that a name is held against as a whole, and none is looked for in a text."""

PACKED = [
    re.compile(pattern, re.IGNORECASE)
    for each in LANGUAGES
    for name, patterns in facts.lists(each).patterns.items()
    for pattern in patterns
    if name not in (*CALLED, "around_name")  # what it is taken from is a name of a few words
]
"""The patterns of the language packs that are part of the package."""


MUSE = [pattern for task in muse.TASKS.values() for _, pattern in muse._patterns(task)] + [
    rf"^[ \t]*[\"'“”‘’]?{muse._spaced(answer)}[\"'“”‘’]?[ \t]*$"
    for answer in muse.TASKS["rhythm_matching"].answers
]


MADE = {
    ("zhiyin.plugins.judges.lexical.facts", "re.escape(name.strip())"): [
        re.compile(re.escape("a b(" * 9), re.I)
    ],
    ("zhiyin.benchmarks.questions.scoring", "each"): [],  # the user's own
    ("zhiyin.errors", 'f"""extra\\\\s*==\\\\s*[\'"]{extra}[\'"]"""'): [
        r"""extra\s*==\s*['"]study['"]"""
    ],
    (
        "zhiyin.benchmarks.questions.trials",
        "'|'.join((f'(?:{pattern})' for pattern in patterns))",
    ): [question_trials._pointing(6)],
    (
        "zhiyin.benchmarks.questions.scoring",
        "start + '\\\\s+'.join(map(re.escape, words.split())) + end",
    ): [r"(?<![a-z0-9])a\s+a\s+a\s+b(?![a-z0-9#])"],
    ("zhiyin.plugins.judges.reliability", "words"): reliability._FAMILIES.values(),
    (
        "zhiyin.plugins.judges.lexical.facts",
        "'|'.join([f'{_START}(?:{latin})'] * bool(latin) + others)",
    ): _lexicon(),
    ("zhiyin.plugins.judges.lexical.facts", "p"): PACKED,
    ("zhiyin.plugins.judges.lexical.facts", "expression.replace('{title}', title)"): [
        pattern.pattern.replace("{title}", "Hello")
        for pattern in PACKED
        if "{title}" in pattern.pattern
    ],
    ("zhiyin.plugins.methods.harnesses", "f\":\\\\s*({'|'.join(letters)})\""): [r":\s*(A|B|C|D)"],
    ("zhiyin.plugins.methods.harnesses", "'|'.join(map(re.escape, wanted))"): ["A|B|"],
    ("zhiyin.plugins.studies.examples", "words"): [],  # held against sentences of prompts
    ("zhiyin.plugins.studies.settings", "f'{re.escape(path)}\\\\.(\\\\d{{1,3}})\\\\.'"): [
        r"a\.b\.(\d{1,3})\."
    ],
    ("zhiyin.plugins.studies.telling", "f'\\\\b({words})\\\\b'"): [
        telling._GERMAN,
        telling._ENGLISH,
    ],
    ("zhiyin.shown.glossary", "written"): [],  # held against headings of tables alone
    ("zhiyin.words.reasons", "forms[name]"): [],  # held against what the program itself wrote
    ("zhiyin.shown.terminal", "f'{blank}*{word}*{joint}+|{blank}*{word}+|{blank}+'"): [
        r"[^\S\u00a0]*(?:(?![^\S\u00a0]|(?:[/_:-]|=(?!\u00a0))).)*(?:[/_:-]|=(?!\u00a0))+"
        r"|[^\S\u00a0]*(?:(?![^\S\u00a0]|(?:[/_:-]|=(?!\u00a0))).)+|[^\S\u00a0]+"
    ],
    ("zhiyin.plugins.judges.language", "expression"): [],  # only compiled there
    ("zhiyin.plugins.judges.rules", "_NUMBER"): [rules._NUMBER],
    ("zhiyin.plugins.judges.rules", r"f'{label}:\\s*+\\['"): [r"a:\s*+\["],
    ("zhiyin.plugins.judges.rules", r"f'{label}[：:]\\s*(\\d+)'"): [r"a[：:]\s*(\d+)"],
    (
        "zhiyin.plugins.judges.rules",
        r"f'{label}[：:]\\s*{_NUMBER}/{rubric.NOVELTY_PARTS[name]:g}'",
    ): [rf"a[：:]\s*{rules._NUMBER}/4"],
    ("zhiyin.plugins.judges.rules", r"f'准确率[：:]\\s*{_NUMBER}%'"): [
        rf"准[：:]\s*{rules._NUMBER}%"
    ],
    ("zhiyin.plugins.music.listener.answering", "words"): [
        *answering._WORDS.subjects.values(),
        *(words for table in answering._WORDS.claims.values() for words in table.values()),
        *(words for words, _ in answering._WORDS.paces),
    ],
    ("zhiyin.plugins.benchmarks.cmi.events", "phrase"): events._LEFT_OUT,
    **{
        ("zhiyin.plugins.benchmarks.muse.tasks", source): MUSE
        for source in (
            "re.escape(option.text.rstrip('.'))",
            "f'\\\\b{word}\\\\b'",
            "f'^[^\\\\S\\\\n]*+\\\\\"?{_loosely(answer)}\\\\\"?\\\\s*$'",
            "other",
            "f'^[^\\\\S\\\\n]*{head}{body}\\\\s*$'",
            "f'\\\\b(?:{head})?{body}'",
            "f'\\\\b{head}{body}'",
        )
    },
    ("zhiyin.plugins.benchmarks.muchomusic.reading", "f'(?<!\\\\w){re.escape(text)}(?!\\\\w)'"): [
        r"(?<!\w)a\ b(?!\w)"
    ],
    ("zhiyin.plugins.benchmarks.audio_reasoning.rules", "pattern"): [
        one.pattern for one in audio_rules._WRAPPED
    ],
    ("zhiyin.plugins.benchmarks.mmau_pro.answers", "pattern"): [r"\bword\b"],
    ("zhiyin.plugins.making.errata.rules", "f'\\\\b{re.escape(words)}\\\\b'"): [r"\ba\ b\b"],
    ("zhiyin.plugins.making.errata.rules", "re.escape(words)"): [re.escape("a b")],
    ("zhiyin.plugins.making.errata.rules", "NOTE + ' ?' + re.escape(item.keyed.strip())"): [
        NOTE + " ?major"
    ],
    ("zhiyin.plugins.making.errata.theory", "each"): [
        pattern.pattern for pattern, _ in theory._PATTERNS
    ],
    ("zhiyin.plugins.making.errata.theory", "f'({NOTE}) ?(自然|和声|)(大调|小调|major|minor)'"): [
        rf"({NOTE}) ?(自然|和声|)(大调|小调|major|minor)"
    ],
    ("zhiyin.plugins.making.errata.theory", "f'({NOTE})(?: major)?'"): [rf"({NOTE})(?: major)?"],
    ("zhiyin.plugins.making.errata.theory", "f'{NOTE}(自然|和声|)([大小]调)'"): [
        rf"{NOTE}(自然|和声|)([大小]调)"
    ],
    ("zhiyin.plugins.making.errata", "NOTE"): [NOTE],
    (
        "zhiyin.plugins.lab.imports.joining",
        "f'(?:^|(?<=\\\\s))(?:\\\\({letter}\\\\)|{letter}[.):])\\\\s*'",
    ): [r"(?:^|(?<=\s))(?:\(A\)|A[.):])\s*"],
    ("zhiyin.shown.terminal", "written"): [],  # held against short headings of tables alone
    ("zhiyin.plugins.music.listener.model", "word"): [
        word for skill in listener_skills.SKILLS for word in skill.words
    ],
    ("zhiyin.text", "pattern"): [],  # the user's own
    ("zhiyin.runs.ways", "f'^(?:(?:{names})=[^/]*/?)+'"): [r"^(?:(?:audio|a)=[^/]*/?)+"],
    ("zhiyin.plugins.making.forge.selecting", "f'(?<![\\\\w-])(?:{words})(?![\\\\w-])'"): [
        rf"(?<![\w-])(?:{words})(?![\w-])" for words in selecting.GENRES.values()
    ],
    ("zhiyin.plugins.making.forge.sameness", "pattern"): [
        sameness._pattern(words, begin=begin).pattern
        for name in LANGUAGES
        for language in [forge_language(name)]
        for words, begin in (
            (language.terms, True),
            (language.negations, False),
            (language.degrees, False),
            (language.relations, False),
        )
    ],
    ("zhiyin.models.endpoint", "re.escape(key)"): [re.escape("a-b" * 9)],
    ("zhiyin.models", "pattern"): [
        rf"\A(?:{pattern})"  # is only held against a name's beginning
        for each in PROVIDERS.values()
        for pattern, _ in each.families
    ],
    ("zhiyin.models.endpoint", "''.join(spelled)"): [endpoint._any_spelling("a/b+c=%20d" * 3)],
    **{
        ("zhiyin.models.refusals", source): refusals._REFUSED_MEDIA
        for source in (
            'f"""(?:not|n\'t) (?:support|accept|allow|handle|take|have) (?:any )?[\'\\\\"`]?{_MEDIA}[\'\\\\"`]?{_NOUN}{_END}"""',  # noqa: E501
            'f"\\\\b{_MEDIA}{_NOUN} (?:is|are)(?: not|n\'t) (?:supported|enabled|available|accepted|allowed){_END}"',  # noqa: E501
            "f'(?:invalid value|unknown variant|invalid content type|input tag|unsupported content type)\\\\W+{_MEDIA}\\\\b'",  # noqa: E501
            "f'(?:no endpoints found that support(?: input)?|missing data required for) {_MEDIA}\\\\b'",  # noqa: E501
            "f'\\\\b{_MEDIA}(?: is| are) only supported by'",
            "f'at most 0 {_MEDIA}\\\\b'",
        )
    },
    ("zhiyin.models.refusals", r"f'^{status}\\b[\\s:,-]*'"): [r"^429\b[\s:,-]*"],
    ("zhiyin.plugins.music.theory", r"f'(?<![\\s-])[\\s-]*+{word}\\s*+'"): [
        rf"(?<![\s-])[\s-]*+{word}\s*+" for word in ("doublesharp", "sharp")
    ],
    ("zhiyin.plugins.music.notated.reading", "pattern"): [],  # tells forms apart
    (
        "zhiyin.plugins.music.notated.solving",
        "re.sub('\\\\\\\\\\\\{(\\\\w+)\\\\\\\\\\\\}', lambda m: f'(?P<{m[1]}>[\\\\w#. ]{{1,20}}?)', "  # noqa: E501
        "re.escape(words))",
    ): [r"the\ (?P<a>[\w#. ]{1,20}?)\ of\ (?P<b>[\w#. ]{1,20}?)\?"],
    ("zhiyin.text", "f'([{marks}]{{{_MOST_MARKS}}})[{marks}]++'"): [
        r"([\u0300-\u036f]{30})[\u0300-\u036f]++"
    ],
}
"""The patterns that are made while the program runs, by module and source."""


PARTS = 8
"""`make trust` tries the patterns in so many tests."""

uses = functools.cache(lambda: hostile.uses(EXEMPT))


def test_all_patterns_are_known():
    """A new pattern that is made while the program runs belongs in `MADE`."""
    found, unlisted = uses()
    assert len(found) > 60
    assert not set(map(tuple, unlisted)) - MADE.keys()


def cases() -> list[hostile.Use]:
    """All patterns, those that are made while the program runs too."""
    # The cruel texts are made of letters.
    found = [use for use in uses()[0] if not isinstance(use.pattern.pattern, bytes)]
    return found + [
        hostile.Use(f"{module}:{number}", re.compile(pattern), ("finditer",))
        for (module, _), patterns in MADE.items()
        for number, pattern in enumerate(patterns)
    ]


def mark(pattern: re.Pattern[str], ways: tuple[str, ...]) -> str:
    """What stands for a pattern and its uses among those that were tried on long texts."""
    told = f"{pattern.pattern}\0{pattern.flags}\0{' '.join(ways)}"
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


KEPT = Path(REPOSITORY, "tests", "data", "patterns-tried.txt")
TRIED = frozenset(KEPT.read_text("utf-8").split())
"""Patterns that were found linear on texts of 1 MB, and are as they were. `make trust` tries all
again; `python tests/whole/test_patterns.py` tries the new ones, and writes the file anew."""


def slow_ways(pattern: re.Pattern[str], ways: tuple[str, ...], longest: int) -> list[str]:
    """How a pattern takes more than linear time on texts up to `longest` bytes."""
    shapes = hostile.shapes(pattern)
    longest = longest if hostile.repeats(pattern) else 10_000
    found = []
    for way in ways:
        if way == "search" and "finditer" in ways:
            continue  # its first step
        slow = hostile.slow(
            lambda text, way=way: hostile.run(pattern, way, text), shapes, longest=longest
        )
        found += [f"{way}: {each}" for each in slow]
    return found


def test_new_patterns_take_linear_time():
    found = {
        where: slow_ways(pattern, ways, 1_000_000)
        for where, pattern, ways in cases()
        if mark(pattern, ways) not in TRIED
    }
    assert not {where: slow for where, slow in found.items() if slow}


@pytest.mark.trust
@pytest.mark.parametrize("part", range(PARTS))
def test_patterns_take_linear_time(part):
    found = {
        where: slow_ways(pattern, ways, 1_000_000) for where, pattern, ways in cases()[part::PARTS]
    }
    assert not {where: slow for where, slow in found.items() if slow}


@pytest.mark.trust
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_name_is_held_against_takes_linear_time(language):
    every = facts.lists(language).patterns
    for pattern in [re.compile(one) for name in CALLED for one in every.get(name, ())]:
        assert not slow_ways(pattern, ("fullmatch",), 1_000_000), pattern.pattern[:80]


def test_what_was_tried_is_what_there_is():
    """A pattern that is gone leaves the list, so that it does not grow for ever."""
    gone = TRIED - {mark(use.pattern, use.ways) for use in cases()}
    assert len(gone) < len(TRIED) / 10, f"python tests/{Path(__file__).name} writes {KEPT} anew"


@pytest.mark.sample(2)
@pytest.mark.parametrize("bad", [r"\s*x", r"<t>.*?</t>"])
def test_what_is_slow_is_found(bad):
    """The texts that patterns are tried on are cruel enough."""
    pattern = re.compile(bad, re.DOTALL)
    shapes = hostile.shapes(pattern)
    assert hostile.slow(lambda text: hostile.run(pattern, "finditer", text), shapes, longest=10_000)


def test_what_takes_long_in_proportion_is_not_slow():
    """A machine of a tenth of the speed has the same opinion of a pattern."""
    spaces = [("", " ", "")]

    def even(text):
        for _ in range(10 * len(text)):
            pass

    def steep(text):
        for _ in range(len(text) ** 2 // 100):
            pass

    assert not hostile.slow(even, spaces, most=0.1, least=0.001)
    assert hostile.slow(steep, spaces, most=0.1, least=0.001)


if __name__ == "__main__":
    tried = [(use.pattern, use.ways) for use in cases()]
    good = {
        mark(*each) for each in tried if mark(*each) in TRIED or not slow_ways(*each, 1_000_000)
    }
    KEPT.write_text("".join(f"{each}\n" for each in sorted(good)))
