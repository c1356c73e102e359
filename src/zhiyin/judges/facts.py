"""Facts by rule: what a review claims of names, years, genres and sound, held to the details."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from zhiyin.judges.lexicon import around, clauses, hit, lists, named, within
from zhiyin.judges.reading import bare

Claim = dict[str, str]

_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
_RELEASE = re.compile(
    r"发行|发布|推出|问世|首发|年的|创作于|released|came out|from|in (?=1[89]|20)", re.I
)
_WORK = re.compile(r"《([^《》]{1,40}+)》|[“\"]([^“”\"]{1,40}+)[”\"]")
_ALBUM = re.compile(r"专辑|收录|\balbum\b", re.IGNORECASE)
_SINGER = re.compile(
    r"由([\w·\-]{1,12}?)(?:演唱|带来|创作|演绎)|(?i:sung|performed|recorded) by "
    r"([A-Z][\w.' -]{1,40}?)(?=[,.;]|\s(?:in|from|on|is|and)\b|$)"
)
_STYLE = re.compile(
    r"风格|曲风|流派|属于|style|genre|song|track|ballad|piece|music|歌曲|作品", re.I
)
_KEY = re.compile(
    r"(?<![A-Za-z])([A-G])\s*+(#|b|♯|♭|-?sharp|-?flat)?\s*+[- ]?(major|minor)\b"
    r"|(升|降)?([A-G])(#|b|♯|♭)?\s*+(大调|小调)"
)
_TEMPO = re.compile(
    r"(\d{2,3}(?:\.\d+)?)\s*(?:bpm|beats (?:a|per) minute|拍每分钟)|每分钟\s*(\d{2,3})\s*拍", re.I
)
_METRE = re.compile(r"(?<!\d)([2-9]|12)\s*/\s*(4|8)(?!\d)")
_SHARP = dict.fromkeys(("#", "♯", "sharp", "-sharp", "升"), 1)
_SHARP |= dict.fromkeys(("b", "♭", "flat", "-flat", "降"), -1)
_CLASS = dict(zip("CDEFGAB", (0, 2, 4, 5, 7, 9, 11), strict=True))
_THEME = re.compile(
    r"表达|讲述|讲的是|写的是|诉说|主题|关于|\babout\b(?! \d)|\btheme\b|tells", re.IGNORECASE
)
_UNTOLD = re.compile(r"无法|不知|cannot|can't|do not know|unclear", re.IGNORECASE)
_TEMPO_TOLERANCE = 0.04
_YEARS = ("release_year", "year", "released")
_STYLES = ("genre", "music_style", "style")
_THEMES = ("theme", "description", "background")


def check_facts(text: str, details: dict[str, Any]) -> list[Claim]:
    """Every claim in `text` of which a rule can tell what it is about."""
    found = [
        *_titles(text, details),
        *_artists(text, details),
        *_years(text, details),
        *_genres(text, details),
        *_instruments(text, details),
        *_sound(text, details),
        *_themes(text, details),
    ]
    once: dict[tuple[str, str, str], Claim] = {}
    for claim in found:
        once.setdefault((claim["field"], claim["claim"], claim["verdict"]), claim)
    return list(once.values())


def _claim(what: str, quote: str, field: str, holds: bool | None) -> Claim:
    verdict = {True: "supported", False: "contradicted", None: "not_in_details"}[holds]
    return {"claim": what, "quote": quote, "field": field, "verdict": verdict}


def _value(details: dict[str, Any], *names: str) -> str:
    """The first detail of these names that is there, as text."""
    return next((str(details[name]) for name in names if details.get(name)), "")


def same(one: str, other: str) -> bool:
    """Whether two names are one, marks and case aside, or one holds the other."""
    a, b = bare(one), bare(other)
    return bool(a and b) and (a == b or (min(len(a), len(b)) > 1 and (a in b or b in a)))


def _titles(text: str, details: dict[str, Any]) -> Iterator[Claim]:
    title, album = _value(details, "title"), _value(details, "album")
    for match in _WORK.finditer(text):
        name = match[1] or match[2]
        quote = around(text, match)
        on_album = bool(_ALBUM.search(text[max(0, match.start() - 8) : match.start()]))
        if album and on_album:
            yield _claim(f"album {name}", quote, "album", same(name, album))
        elif title and same(name, title):
            yield _claim(f"title {name}", quote, "title", True)
        elif album and same(name, album):
            yield _claim(f"album {name}", quote, "album", True)
        elif match[1]:
            yield _claim(f"work {name}", quote, "", None)


def _artists(text: str, details: dict[str, Any]) -> Iterator[Claim]:
    artist = _value(details, "artist", "singer", "performer")
    names = [n for n in re.split(r"[、,/&，]|\sand\s|\sfeat\.?\s", artist) if bare(n)]
    for name in names:
        place = re.search(re.escape(name.strip()), text, re.IGNORECASE)
        if place:
            yield _claim(f"artist {name.strip()}", around(text, place), "artist", True)
    for match in _SINGER.finditer(text):
        name = (match[1] or match[2]).strip()
        if artist and not any(same(name, known) for known in names):
            yield _claim(f"artist {name}", around(text, match), "artist", False)


def _years(text: str, details: dict[str, Any]) -> Iterator[Claim]:
    year = _YEAR.search(_value(details, *_YEARS))
    for match in _YEAR.finditer(text):
        near = text[max(0, match.start() - 12) : match.end() + 8]
        if year and match[1] == year[1]:
            holds: bool | None = True
        else:
            holds = False if year and _RELEASE.search(near) else None
        yield _claim(f"year {match[1]}", around(text, match), "release_year", holds)


def _genres(text: str, details: dict[str, Any]) -> Iterator[Claim]:
    known = named(lists()["genres"], " ".join(_value(details, name) for name in _STYLES))
    table = within(lists()["genres"], text)
    for clause in dict.fromkeys(clauses(text)) if table else ():
        if not _STYLE.search(clause):
            continue
        for genre in sorted(named(table, clause)):
            yield _claim(f"genre {genre}", clause, "genre", genre in known if known else None)


def _instruments(text: str, details: dict[str, Any]) -> Iterator[Claim]:
    table = lists()["instruments"]
    told = details.get("instruments")
    known = named(table, " ".join(map(str, told)) if isinstance(told, list) else str(told or ""))
    if not known:
        return  # Few details list the instruments; then nothing can be said of any.
    for instrument, words in sorted(within(table, text).items()):
        place = hit(words, text)
        if place is None:
            continue
        quote = around(text, place)
        yield _claim(f"instrument {instrument}", quote, "instruments", instrument in known)


def _key_of(match: re.Match[str]) -> tuple[int, str]:
    letter, sign = match[1] or match[5], match[2] or match[4] or match[6]
    mode = "major" if (match[3] or match[7]) in ("major", "大调") else "minor"
    return (_CLASS[letter] + _SHARP.get((sign or "").lower(), 0)) % 12, mode


def _sound(text: str, details: dict[str, Any]) -> Iterator[Claim]:
    """Key, tempo and metre."""
    key = _KEY.search(_value(details, "key"))
    for match in _KEY.finditer(text):
        holds = _key_of(match) == _key_of(key) if key else None
        yield _claim(f"key {match[0]}", around(text, match), "key", holds)
    tempo = re.search(r"\d+(?:\.\d+)?", _value(details, "tempo_bpm", "tempo", "bpm"))
    for match in _TEMPO.finditer(text):
        heard = float(match[1] or match[2])
        close = abs(heard / float(tempo[0]) - 1) <= _TEMPO_TOLERANCE if tempo else None
        yield _claim(f"tempo {heard:g}", around(text, match), "tempo", close)
    metre = _METRE.search(_value(details, "time_signature", "metre", "meter"))
    for match in _METRE.finditer(text):
        agrees = match.groups() == metre.groups() if metre else None
        yield _claim(f"metre {match[0]}", around(text, match), "time_signature", agrees)


def _themes(text: str, details: dict[str, Any]) -> Iterator[Claim]:
    """A clause that says what the song expresses is right where it shares the theme's words."""
    told = _pairs(" ".join(_value(details, name) for name in _THEMES))
    for clause in dict.fromkeys(clauses(text)):
        if _THEME.search(clause) and not _UNTOLD.search(clause):
            shared = told & _pairs(clause)
            yield _claim(f"theme: {clause}", clause, "theme", True if shared else None)


def _pairs(text: str) -> set[str]:
    """Pairs of neighbouring Chinese characters, and English words of five letters or more."""
    pairs = {a + b for a, b in pairwise(text) if min(a, b) >= "一"}
    common = {"表达", "讲述", "一个", "歌曲", "关于", "主题", "了对", "诉说", "故事"}
    return (pairs - common) | {w.lower() for w in re.findall(r"[A-Za-z]{5,}", text)} - {
        "about",
        "theme",
        "tells",
    }
