"""Completeness: sixteen named points that a review of a song can earn, each with its evidence."""

from __future__ import annotations

from typing import Any

from zhiyin.judges import reading
from zhiyin.judges.judgement import Judgement
from zhiyin.judges.reading import Unreadable

PARTS: dict[str, dict[str, tuple[str, str]]] = {
    "song_analysis": {
        "melody": ("旋律、和声或调性", "melody, harmony or key"),
        "rhythm": ("节奏、速度或律动", "rhythm, tempo or groove"),
        "arrangement": ("编曲、乐器或制作", "arrangement, instruments or production"),
        "form": ("歌词内容或段落结构", "lyrics or form"),
    },
    "singer": {
        "performer": ("指出演唱者或演奏者是谁", "who sings or plays"),
        "voice": ("音色或嗓音特点", "colour of the voice or tone"),
        "technique": ("演唱技巧、演绎或情感表达", "technique, delivery or expression"),
    },
    "background": {
        "creation": (
            "创作或发行情况：年代、专辑、词曲作者",
            "making or release: year, album, writers",
        ),
        "context": ("流派、时代或文化背景", "genre, era or culture"),
        "theme": ("主题或所讲的故事", "theme or story"),
        "scene": ("聆听情境或唤起的画面", "a situation for listening, or a scene evoked"),
    },
    "language": {
        "clarity": ("行文通顺，条理清楚", "reads smoothly and in good order"),
        "vividness": ("用词生动，有修辞", "vivid wording, figures of speech"),
    },
    "persona": {
        "viewpoint": ("有评论者自己的观点和感受", "a reviewer's own view or feeling"),
        "register": ("语气前后一致，符合乐评人身份", "one tone throughout, fit for a reviewer"),
        "rapport": ("与读者或听众有交流", "speaks to its reader or listener"),
    },
}
"""The points by part, each in Chinese and English. One point each: 4 + 3, 4, 2, 3 of seed 3's
four dimensions (7, 4, 2 and 3), whose split of the first is 4 for the song and 3 for the singer."""

POINTS: dict[str, str] = {item: part for part, items in PARTS.items() for item in items}
DIMENSIONS: dict[str, tuple[str, ...]] = {
    "music_understanding": ("song_analysis", "singer"),
    "background": ("background",),
    "language": ("language",),
    "persona": ("persona",),
}
MOST = float(len(POINTS))


def schema() -> dict[str, Any]:
    """The JSON schema of a judgement, as structured outputs want it (all fields required)."""
    point = {
        "type": "object",
        "properties": {"score": {"type": "number"}, "evidence": {"type": "string"}},
        "required": ["score", "evidence"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "points": {
                "type": "object",
                "properties": dict.fromkeys(POINTS, point),
                "required": list(POINTS),
                "additionalProperties": False,
            },
            "total": {"type": "number"},
            "assessment": {"type": "string"},
        },
        "required": ["points", "total", "assessment"],
        "additionalProperties": False,
    }


def list_points(language: str) -> str:
    """The points as lines for a prompt, by part."""
    place = 0 if language == "zh" else 1
    return "\n".join(
        f"- {part}: " + "; ".join(f"{item} ({names[place]})" for item, names in items.items())
        for part, items in PARTS.items()
    )


def read(reply: str, text: str) -> Judgement:
    """The judgement in a reply; the total is the sum of the points, whatever the judge says.

    Parameters
    ----------
    reply : str
    text : str
        What was judged, to look for the quotations in.

    Raises
    ------
    Unreadable
        A point is missing or not from 0 to 1.
    """
    found = reading.read_object(reply, ("points", "items", "scores", *POINTS))
    given = _given(found)
    missing = [item for item in POINTS if item not in given]
    if missing:
        raise Unreadable(f"points were missing: {', '.join(missing)}")
    scores: dict[str, float] = {}
    evidence: dict[str, str] = {}
    unquoted = 0
    for item in POINTS:
        value = given[item]
        score = value.get("score") if isinstance(value, dict) else value
        scores[item] = reading.number(score, 1, f"{item}.score")
        evidence[item] = reading.words(value.get("evidence")) if isinstance(value, dict) else ""
        unquoted += bool(scores[item]) and not reading.quoted_in(evidence[item], text)
    total = sum(scores.values())
    stated = reading.optional_number(found.get("total"), MOST)
    return Judgement(
        {"score": total, **_parts(scores), **scores},
        {
            "evidence": evidence,
            "assessment": reading.words(found.get("assessment")),
            "unquoted": unquoted,
            "stated_total": stated,
        },
        stated is not None and abs(stated - total) > 1e-6,
    )


def _given(found: dict[str, Any]) -> dict[str, Any]:
    """The points of a reply by name, whether it wrote them as an object, by part or as a list."""
    points = next((found[n] for n in ("points", "items", "scores") if n in found), found)
    if isinstance(points, list):
        named = {}
        for point in points:
            if isinstance(point, dict):
                name = next((point[n] for n in ("name", "item", "id", "point") if n in point), "")
                named[str(name)] = point
        return named
    if not isinstance(points, dict):
        return {}
    inner = {
        k: v
        for part in PARTS
        if isinstance(points.get(part), dict)
        for k, v in points[part].items()
    }
    return {**points, **inner}


def _parts(scores: dict[str, float]) -> dict[str, float]:
    """Sums by part and by dimension."""
    parts = {part: sum(scores[item] for item in items) for part, items in PARTS.items()}
    sums = {name: sum(parts[part] for part in members) for name, members in DIMENSIONS.items()}
    return {**parts, **sums}
