"""Facts that a text claims, held against what is known, by the word lists of a language pack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from zhiyin.plugins.judges import heard as ear
from zhiyin.plugins.judges.aspects import SongDetails
from zhiyin.plugins.judges.heard import NOTHING, HeardFacts
from zhiyin.plugins.judges.language import Lexicon, open_language
from zhiyin.plugins.judges.reading import bare
from zhiyin.plugins.judges.rubric import Claim

RULES = 2
"""Raised whenever the lexical judge would grade any text differently; runs before that have 0."""
_START = "(?<![A-Za-zÀ-ɏ])"
"""Where a Latin word begins; Chinese characters stand beside it without a space."""
_SENTENCE = re.compile(r"[^。！？!?；;\n.]++(?:\.(?=\d)[^。！？!?；;\n.]++)*+[。！？!?；;.]?")
_CLAUSE = re.compile(r"(?:[^，,。！？!?；;\n.]++|\.(?=\d))++")
_BREAK = re.compile(r"[，,。！？!?；;\n]|\.(?!\d)")
_REACH = 200
"""Characters on either side of a word that `around` looks at."""


def lists(language: str = "zh") -> Lexicon:
    """All word lists of a language by name."""
    return open_language(language).lists


@cache
def patterns(language: str, name: str, *, cased: bool = False) -> tuple[re.Pattern[str], ...]:
    """The patterns of a name in a language's lists."""
    flags = re.NOFLAG if cased else re.IGNORECASE
    return tuple(re.compile(p, flags) for p in lists(language).patterns.get(name, ()))


@lru_cache(maxsize=4096)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    words = tuple(sorted(words, key=len, reverse=True))
    latin = "|".join(re.escape(word.strip()) for word in words if _latin(word.strip()))
    others = [re.escape(word) for word in words if not _latin(word.strip())]
    return re.compile("|".join([f"{_START}(?:{latin})"] * bool(latin) + others), re.IGNORECASE)


def _latin(word: str) -> bool:
    return bool(word) and (word.isascii() or word[0] <= "ɏ")


def hits(words: list[str], text: str) -> list[re.Match[str]]:
    """Find words of a list in a text; Latin ones at the beginning of a word."""
    present = _present(words, text.lower())
    return list(_pattern(present).finditer(text)) if present else []


def hit(words: list[str], text: str) -> re.Match[str] | None:
    """The first of `hits`."""
    present = _present(words, text.lower())
    return _pattern(present).search(text) if present else None


def named(table: dict[str, list[str]], text: str) -> set[str]:
    """The entries of a table (genres, instruments) that a text names."""
    return {entry for entry, words in table.items() if hit(words, text)}


def within(table: dict[str, list[str]], text: str) -> dict[str, list[str]]:
    """The part of a table that a text may name: a word of every entry stands in it.

    To look in many parts of a long text only for what is somewhere in it.
    """
    lower = text.lower()
    kept = {entry: list(_present(words, lower)) for entry, words in table.items()}
    return {entry: words for entry, words in kept.items() if words}


def _present(words: list[str], lower: str) -> tuple[str, ...]:
    """The words that stand anywhere in a text in lower case: to look only for what can be found."""
    return tuple(word for word in words if word.strip().lower() in lower)


def _has_words(text: str) -> bool:
    """Tell whether there is a letter or a digit in a text."""
    return any(map(str.isalnum, text)) or bool(bare(text))


def sentences(text: str) -> list[str]:
    """The sentences of a text, without white space around them."""
    return [s.strip() for s in _SENTENCE.findall(text) if _has_words(s)]


def clauses(text: str) -> list[str]:
    """Split a text at commas and full stops."""
    return [c.strip() for c in _CLAUSE.findall(text) if _has_words(c)]


def around(text: str, match: re.Match[str]) -> str:
    """The clause in which a word stands, or of a very long one what is near the word."""
    since = max(0, match.start() - _REACH)
    breaks = _BREAK.finditer(text, since, match.start() + 1)  # the digit after a point is seen
    before = [sign.end() for sign in breaks if sign.start() < match.start()]
    begin = before[-1] if before else since
    ended = _BREAK.search(text, match.start(), match.end() + _REACH)
    return text[begin : ended.start() if ended else match.end() + _REACH].strip() or match[0]


_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
_WORK = re.compile(r"《([^《》]{1,40}+)》|[“\"«]([^“”\"«»]{1,40}+)[”\"»]")
_METRE = re.compile(r"(?<!\d)([2-9]|12)\s*/\s*(2|4|8)(?!\d)")
_CLASS = dict(zip("CDEFGAB", (0, 2, 4, 5, 7, 9, 11), strict=True))
_TEMPO_TOLERANCE = 0.04
_YEARS = ("release_year", "year", "released")
_STYLES = ("genre", "music_style", "style")
_THEMES = ("theme", "description", "background")
_ROLES = {
    "artist": ("artist", "singer", "performer"),
    "composer": ("composer", "songwriter", "writer"),
    "lyricist": ("lyricist", "songwriter", "writer"),
    "writer": (),
}
"""By role, the details that say who it is."""
_WHERE = (
    ("writer", "writer", True),
    ("singer", "artist", True),
    ("perhaps_singer", "artist", False),
)
"""The patterns of people, the narrower ones first; in which role, and whether what they find must
be a name. What ``NAME_of`` finds holds the title itself."""
_BEFORE = 20
"""Characters before the name of a work that may say whose it is, or that it is this song's."""
_BEHIND = 60
"""Characters behind it that may say that a sentence is about it."""


class Evidence:
    """Known facts about one song, and the language of the claims.

    Parameters
    ----------
    details : dict
        The song's details.
    heard : HeardFacts
        What was measured in its recording.
    language : str
        Of the word lists.
    """

    def __init__(
        self, details: SongDetails, heard: HeardFacts = NOTHING, language: str = "zh"
    ) -> None:
        self.details, self.heard, self.language = details, heard, language
        self.lists = lists(language)

    def value(self, *names: str) -> str:
        """The first detail of these names that is there, as text."""
        return next((str(self.details[name]) for name in names if self.details.get(name)), "")

    def find(self, name: str, text: str) -> re.Match[str] | None:
        """The first place where one of the language's patterns of a name holds."""
        searches = (pattern.search(text) for pattern in patterns(self.language, name))
        return next((match for match in searches if match), None)

    def is_called(self, name: str, text: str) -> bool:
        """Tell whether one of the language's patterns of a name matches the whole text."""
        return any(p.fullmatch(text) for p in patterns(self.language, name, cased=True))

    def every(self, name: str, text: str, *, cased: bool = False) -> Iterator[re.Match[str]]:
        """All places where the language's patterns of a name hold."""
        for pattern in patterns(self.language, name, cased=cased):
            yield from pattern.finditer(text)


def check_facts(
    text: str, details: SongDetails, heard: HeardFacts = NOTHING, language: str = "zh"
) -> list[Claim]:
    """Every claim in `text` whose subject a rule recognises.

    To call the song and its singer by their names says which song is meant, and is no claim: the
    worked example of the Comprehensive Music Appraisal Benchmark counts year, album, genre and
    theme alone. Another song's name, or another singer's, is a wrong claim.
    """
    known = Evidence(details, heard, language)
    checks = (_titles, _people, _years, _genres, _instruments, _keys, _tempi, _metres, _themes)
    once: dict[tuple[str, str, str], Claim] = {}
    for check in checks:
        for claim in check(text, known):
            key = claim.field, claim.what, claim.verdict
            if key not in once:  # to look for the words around it takes longest
                quote = claim.where if isinstance(claim.where, str) else around(text, claim.where)
                once[key] = Claim(claim.what, quote, claim.field, claim.verdict, claim.evidence)
    return list(once.values())


class _Checked(NamedTuple):
    """A claim: its content, its place or words, the detail it is about, verdict and evidence."""

    what: str
    where: re.Match[str] | str
    field: str
    verdict: str
    evidence: str


def _claim(
    what: str, where: re.Match[str] | str, field: str, holds: bool | None, *, sound: bool = False
) -> _Checked:
    verdict = {True: "supported", False: "contradicted", None: "not_in_details"}[holds]
    evidence = "" if holds is None else "heard" if sound else "details"
    return _Checked(what, where, field, verdict, evidence)


@lru_cache(maxsize=1024)
def same(one: str, other: str) -> bool:
    """Tell whether two names are the same, marks and case aside, or one holds the other."""
    a, b = bare(one), bare(other)
    return bool(a and b) and (a == b or (min(len(a), len(b)) > 1 and (a in b or b in a)))


def _titles(text: str, known: Evidence) -> Iterator[_Checked]:
    title, album = known.value("title"), known.value("album")
    unnamed = bool(title) and bare(title) not in bare(text)
    for match in _WORK.finditer(text):
        name = match[1] or match[2]
        before = text[max(0, match.start() - _BEFORE) : match.start() + 1]
        if album and known.find("album", before[-9:-1]):
            yield _claim(f"album {name}", match, "album", same(name, album))
        elif title and same(name, title):
            continue
        elif album and same(name, album):
            yield _claim(f"album {name}", match, "album", True)
        elif title and (known.find("titled", before) or (unnamed and _leads(match, known))):
            yield _claim(f"title {name}", match, "title", False)
        elif match[1]:
            yield _claim(f"work {name}", match, "", None)
        unnamed = False  # of those that come after it nobody says that they are this song


def _leads(work: re.Match[str], known: Evidence) -> bool:
    """Tell whether a sentence begins with a work and is about it."""
    text = work.string
    ahead = text[max(0, work.start() - 1) : work.start()].strip()
    behind = text[work.end() : work.end() + _BEHIND]
    return ahead in ("", *"。！？!?；;.") and known.find("subject", behind) is not None


def _people(text: str, known: Evidence) -> Iterator[_Checked]:
    """Yield the singers and writers who are named and whom no detail names.

    Writers are held against writers alone. Those of another work or another version are left out,
    and likenesses are no claims.
    """
    every = bare(" ".join(map(str, known.details.values())))
    artist = known.value(*_ROLES["artist"])
    for place, role, sure in _named_people(text, known):
        name = next(group for group in place.groups() if group)
        for pattern in patterns(known.language, "around_name", cased=True):
            name = pattern.sub("", name).strip()
        likely = known.is_called("name", name) and not known.is_called("no_name", name)
        if not (likely or (sure and len(name) > 1 and not known.is_called("nobody", name))):
            continue
        if same(name, artist) or bare(name) in every or known.find("likened", around(text, place)):
            continue
        if role == "writer":
            wrote = (one for one in ("composer", "lyricist") if known.find(one, place[0]))
            role = next(wrote, role)
        if known.value(*_ROLES[role]) and _decides(place, known):
            yield _claim(f"{role} {name}", place, role, False)
        else:
            yield _claim(f"person {name}", place, "", None)


def _named_people(text: str, known: Evidence) -> Iterator[tuple[re.Match[str], str, bool]]:
    """Each place that names a person, once: in which role, and whether a name must stand there."""
    taken: set[int] = set()
    title = re.escape(known.value("title"))
    for name, role, sure in _WHERE:
        places = [*known.every(name, text, cased=True)]
        for expression in known.lists.patterns.get(f"{name}_of", ()) if title else ():
            places += re.finditer(expression.replace("{title}", title), text)
        for place in places:
            end = place.end(place.lastindex or 0)
            if end not in taken:
                taken.add(end)
                yield place, role, sure


def _decides(place: re.Match[str], known: Evidence) -> bool:
    """Tell whether a place speaks of this recording: not of another work, a cover or a part."""
    text, since = place.string, max(0, place.start() - _REACH)
    begin = max(text.rfind(sign, since, place.start()) for sign in "。！？!?\n") + 1
    near = None
    for work in _WORK.finditer(text, max(begin, since), place.start()):
        if not known.find("no_song", text[max(0, work.start() - 8) : work.start() + 1]):
            near = work
    behind = _WORK.search(text, place.end(), place.end() + _BEHIND)
    if behind and known.is_called("next", text[place.end() : behind.start()]):
        near = behind
    if near and not any(same(near[1] or near[2], known.value(own)) for own in ("title", "album")):
        return False
    return not known.find("covered", _WORK.sub("", around(text, place)))


def _years(text: str, known: Evidence) -> Iterator[_Checked]:
    year = _YEAR.search(known.value(*_YEARS))
    for match in _YEAR.finditer(text):
        near = text[max(0, match.start() - 12) : match.end() + 8]
        if year and match[1] == year[1]:
            holds: bool | None = True
        else:
            holds = False if year and known.find("release", near) else None
        yield _claim(f"year {match[1]}", match, "release_year", holds)


def _genres(text: str, known: Evidence) -> Iterator[_Checked]:
    table = known.lists.genres
    stated = named(table, " ".join(known.value(name) for name in _STYLES))
    table = within(table, text)
    for clause in dict.fromkeys(clauses(text)) if table else ():
        if not known.find("style", clause):
            continue
        for genre in sorted(named(table, clause)):
            yield _claim(f"genre {genre}", clause, "genre", genre in stated if stated else None)


def _instruments(text: str, known: Evidence) -> Iterator[_Checked]:
    table = known.lists.instruments
    listed = known.details.get("instruments")
    words = " ".join(map(str, listed)) if isinstance(listed, list) else str(listed or "")
    stated = named(table, words)
    for instrument, names in sorted(within(table, text).items()):
        place = hit(names, text)
        if place is None:
            continue
        what = f"instrument {instrument}"
        if stated:
            yield _claim(what, place, "instruments", instrument in stated)
        elif ear.leads(instrument, known.heard):
            yield _claim(what, place, "lead_family", True, sound=True)


def _keys(text: str, known: Evidence) -> Iterator[_Checked]:
    stated = next(known.every("key", known.value("key"), cased=True), None)
    for match in known.every("key", text, cased=True):
        claimed = _key_of(match, known)
        if stated:
            yield _claim(f"key {match[0]}", match, "key", claimed == _key_of(stated, known))
        else:
            holds = ear.same_key(claimed, known.heard)
            yield _claim(f"key {match[0]}", match, "key", holds, sound=True)


def _key_of(match: re.Match[str], known: Evidence) -> ear.Key:
    parts = match.groupdict()
    note = parts["note"]
    letter = known.lists.notes.get(note.lower(), note.upper())
    sign = (parts.get("sign") or parts.get("before") or "").strip().lower()
    signs = known.lists.signs
    shift = (sign in signs["sharp"]) - (sign in signs["flat"])
    mode = "major" if parts["mode"].lower() in known.lists.modes["major"] else "minor"
    return (_CLASS[letter] + shift) % 12, mode


def _tempi(text: str, known: Evidence) -> Iterator[_Checked]:
    stated = re.search(r"\d+(?:\.\d+)?", known.value("tempo_bpm", "tempo", "bpm"))
    stated = stated if stated and float(stated[0]) else None
    for match in known.every("tempo", text):
        claimed = float(next(group for group in match.groups() if group).replace(",", "."))
        if stated:
            close = abs(claimed / float(stated[0]) - 1) <= _TEMPO_TOLERANCE
            yield _claim(f"tempo {claimed:g}", match, "tempo", close)
        else:
            holds = ear.same_tempo(claimed, known.heard)
            yield _claim(f"tempo {claimed:g}", match, "tempo_bpm", holds, sound=True)


def _metres(text: str, known: Evidence) -> Iterator[_Checked]:
    stated = _METRE.search(known.value("time_signature", "metre", "meter"))
    for match in _METRE.finditer(text):
        if stated:
            agrees = match.groups() == stated.groups()
            yield _claim(f"metre {match[0]}", match, "time_signature", agrees)
        else:
            holds = ear.same_metre(f"{match[1]}/{match[2]}", known.heard)
            yield _claim(f"metre {match[0]}", match, "metre", holds, sound=True)


def _themes(text: str, known: Evidence) -> Iterator[_Checked]:
    """A clause about what the song expresses is right where it shares words with the theme."""
    common = set(known.lists.common)
    expressed = _pairs(" ".join(known.value(name) for name in _THEMES), common)
    for clause in dict.fromkeys(clauses(text)):
        if known.find("theme", clause) and not known.find("untold", clause):
            shared = expressed & _pairs(clause, common)
            yield _claim(f"theme: {clause}", clause, "theme", True if shared else None)


def _pairs(text: str, common: set[str]) -> set[str]:
    """Pairs of neighbouring Chinese characters, and Latin words of five letters or more."""
    pairs = {a + b for a, b in pairwise(text) if min(a, b) >= "一"}
    words = {w.lower() for w in re.findall(r"[A-Za-zÀ-ɏ]{5,}", text)}
    return (pairs | words) - common
