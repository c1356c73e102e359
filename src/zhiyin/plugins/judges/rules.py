"""Rules by which reviews are judged and scored: Zhiyin's own, or those of the released code.

The released prompts are in the user's clone: they stand under no licence, so none is here. The
clone's program text is read, never run: two of the three prompts are texts within it. Known facts
of the layout and of the reading rules: karroyan/ReactionEvalBenchmark, commits 8bd7791
(evaluators) and 281dd5f.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.protocols import Protocol
from zhiyin.errors import InputError, did_you_mean
from zhiyin.plugins.judges import rubric
from zhiyin.plugins.judges.reading import UnreadableJudgement, within
from zhiyin.plugins.judges.rubric import (
    Claim,
    Judgement,
    JudgementDetail,
    NovelStatement,
    PointRubric,
)
from zhiyin.prompts import Template
from zhiyin.words import Said, said

RELEASED = "reaction-released"
SOURCE = "github.com/karroyan/ReactionEvalBenchmark, commits 8bd7791 and 281dd5f"


class Rules(msgspec.Struct, frozen=True):
    """Rules that turn grades into figures.

    Attributes
    ----------
    name : str
        The protocol's.
    rubric : PointRubric
        Of completeness.
    novelty_most : float
        The score of novelty that counts as 1.
    pooled : bool
        Precision over the claims of all songs together; else the mean over songs.
    """

    name: str
    rubric: PointRubric
    novelty_most: float
    pooled: bool

    @property
    def most(self) -> dict[str, float]:
        """The highest score of each aspect."""
        return {"completeness": self.rubric.total, "precision": 1.0, "novelty": self.novelty_most}


OURS = Rules("ours", rubric.OURS, rubric.NOVELTY_MOST, pooled=True)
AS_RELEASED = Rules(RELEASED, rubric.RELEASED, rubric.NOVELTY_PARTS["novelty"], pooled=False)
_RULES = {rules.name: rules for rules in (OURS, AS_RELEASED)}


def rules_of(protocol: str | None) -> Rules:
    """The rules of a protocol, ours for None. Raises `InputError` for an unknown one."""
    name = protocol or OURS.name
    if name not in _RULES:
        raise InputError(said("rules-unknown", name=name, hint=did_you_mean(name, _RULES)))
    return _RULES[name]


class _Judging(Protocol, frozen=True):
    """A protocol of judges, whose temperature may be "own": each aspect's."""

    def departures(self, options: Mapping[str, Any], sampling: Mapping[str, Any]) -> list[Said]:
        """Implement `Protocol.departures`."""
        own = {"temperature": options.get("temperature", "own")}
        return super().departures(options, {**sampling, **own})


JUDGING = _Judging(
    RELEASED,
    "the released rubric, precision by song and by all claims, novelty from its 0 to 4 part",
    SOURCE,
    {
        "aspects": (None, "completeness,precision,novelty"),
        "language": "zh",
        "draws": 1,
        "temperature": "own",
        "top_p": 0.95,
        "max_tokens": 4096,
        "no_heard": True,
    },
    (
        "a judgement that failed or cannot be read is missing, with bounds, and not 0 points",
        "a total above 16, a share above 100 % or a part above its most is unreadable",
        "the text stands between marks, and one that speaks to its judge is flagged, where the "
        "prompts are ours",
    ),
    "a clone of karroyan/ReactionEvalBenchmark",
)
ASKING = Protocol(
    RELEASED,
    "answers read as released, reviews of those songs alone that have details",
    SOURCE,
    {"extract": "flexible", "language": "zh", "reviews": "details", "shots": (None, "0")},
    (
        "no file name is sent, which tells the song",
        "what is asked is in our own words, for there each model brings its own",
        "questions on missing recordings are named",
    ),
)


PROMPT = "prompt_llm_score.txt"
_PROGRAMS = {
    "completeness": ("llm_evaluator.py", "evaluate_appraisal", ""),
    "precision": ("precision_evaluator.py", "evaluate_precision", "_get_precision_prompt"),
    "novelty": ("novelty_evaluator.py", "evaluate_novelty", "_get_novelty_prompt"),
}
"""For each aspect its program, the method with the request, and the one with the instructions."""
_NAMES = {"appraisal_text": "text", "truth_info": "details"}
"""What the program calls what is put into a request, and what we call it."""
_LABELS = {
    "artist": "歌手",
    "title": "歌曲名",
    "release_year": "发布年份",
    "genre": "音乐风格",
    "album": "专辑",
    "description": "歌曲描述",
    "theme": "歌曲主题",
    "background": "创作背景",
}
"""What precision calls the details, in its order; others keep their names behind them."""
_FACTS = (
    *("artist", "title", "release_year", "album", "genre", "theme", "background", "music_style"),
    *("vocal_characteristics", "description", "chart_performance", "awards"),
)
"""The details in the prompt of novelty, in its order."""


class ReleasedForm(msgspec.Struct, frozen=True):
    """A released way to ask for one aspect: the system's words, and the request's."""

    system: str
    request: str


def read_clone(folder: Path) -> dict[str, ReleasedForm]:
    """The released prompts in a clone, by aspect: all three, or completeness alone.

    Parameters
    ----------
    folder : Path
        The clone, or a folder with `PROMPT` in it or in its folder ``prompt``.

    Raises
    ------
    InputError
        There is no such prompt, or a program there is of another form.
    """
    places = (folder / "prompt" / PROMPT, folder / PROMPT)
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise InputError(said("judge-no-clone", folder=folder, prompt=PROMPT))
    forms = {"completeness": ReleasedForm(_text(path), "{text}")}
    for aspect, (file, request, instructions) in _PROGRAMS.items():
        program = folder / file
        if not program.is_file():
            continue
        try:
            tree = ast.parse(_text(program))
        except (SyntaxError, ValueError, RecursionError) as error:
            raise InputError(f"{program}: is no Python program ({error})") from None
        methods = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        system = _returned(methods, instructions, program) if instructions else forms[aspect].system
        forms[aspect] = ReleasedForm(system, _request(methods, request, program))
    return forms


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error}): take it from the clone anew") from None


def _returned(methods: dict[str, ast.FunctionDef], name: str, program: Path) -> str:
    """The text that a method returns."""
    for node in ast.walk(methods[name]) if name in methods else ():
        value = node.value if isinstance(node, ast.Return) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return value.value
    raise InputError(f"{program}: {name} returns no text: give the released version")


def _request(methods: dict[str, ast.FunctionDef], name: str, program: Path) -> str:
    """The text that a method makes its request of, as a template."""
    for node in ast.walk(methods[name]) if name in methods else ():
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.JoinedStr)
            and any(isinstance(t, ast.Name) and t.id == "user_message" for t in node.targets)
        ):
            return "".join(_piece(piece, program) for piece in node.value.values)
    raise InputError(f"{program}: {name} makes no request: give the released version")


def _piece(piece: ast.expr, program: Path) -> str:
    if isinstance(piece, ast.Constant):
        return str(piece.value)
    named = piece.value if isinstance(piece, ast.FormattedValue) else None
    if isinstance(named, ast.Name) and named.id in _NAMES:
        return f"{{{_NAMES[named.id]}}}"
    raise InputError(f"{program}: its request holds something unknown: give the released version")


def fill_released(form: ReleasedForm, aspect: str, text: str, details: dict[str, object]) -> str:
    """The request about a review. What is put in is not read again for places."""
    if aspect == "precision":
        listed = [f"{label}：{details[name]}" for name, label in _LABELS.items() if name in details]
        listed += [f"{k}：{v}" for k, v in details.items() if k not in _LABELS]
    else:
        listed = [f"{name}: {details[name]}" for name in _FACTS if name in details]
    return Template(form.request).fill({"text": text, "details": "\n".join(listed)})


_NUMBER = r"(\d++(?:\.\d*+)?)"
_KINDS = {
    "个人情感反应": "personal_reactions",
    "深度技术分析": "technical_analysis",
    "创意解读": "creative_interpretations",
    "文化背景": "cultural_context",
    "对比分析": "comparative_analysis",
}
_NOTHING = ("", "无", "None", "暂无")


def read_released(aspect: str, reply: str) -> Judgement:
    """The judgement in a reply in the released form, by the released rules.

    Parameters
    ----------
    aspect : {"completeness", "precision", "novelty"}
    reply : str

    Raises
    ------
    UnreadableJudgement
        Where the released code counts 0 for what it does not find, or takes a number beyond the
        scale.
    """
    return {"completeness": _completeness, "precision": _precision, "novelty": _novelty}[aspect](
        reply
    )


def _completeness(reply: str) -> Judgement:
    """The first number behind the first heading of the total."""
    heading = "**总分**"
    _, present, behind = reply.partition(heading)
    number = re.search(_NUMBER, behind.partition(heading)[0])
    if not present or number is None:
        raise UnreadableJudgement(said("log-judge-heading", heading=heading))
    score = within(float(number[1]), (0, rubric.RELEASED.total), "总分")
    return Judgement({"score": score}, JudgementDetail(reply, assessment=_assessment(reply)))


def _assessment(reply: str) -> str:
    behind = reply.partition("**总体评价**")[2]
    colon = re.search("[：:]", behind)
    text = behind[colon.end() :].partition("**")[0].strip() if colon else ""
    lines = (line.strip() for line in behind.split("\n"))
    return text or next((line for line in lines if line and line[:2] != "**"), "")


def _precision(reply: str) -> Judgement:
    """The stated percentage; without one, right claims over all claims."""
    counts = {
        name: float(match[1])
        for name, label in (
            ("claims", "总计事实声明"),
            ("supported", "正确事实"),
            ("contradicted", "错误事实"),
        )
        if (match := re.search(rf"{label}[：:]\s*(\d+)", reply))
    }
    stated = re.search(rf"准确率[：:]\s*{_NUMBER}%", reply)
    if stated is None and "claims" not in counts:
        raise UnreadableJudgement(said("log-judge-unstated"))
    every, right = counts.get("claims", 0.0), counts.get("supported", 0.0)
    if stated:
        share = within(float(stated[1]), (0, 100.0), "准确率") / 100.0
    else:
        share = within(right / every, (0, 1.0), "正确事实") if every else 0.0
    scores = {"score": share, "supported": right, "checked": every}
    scores["contradicted"] = counts.get("contradicted", 0.0)
    return Judgement(scores, JudgementDetail(reply, claims=_claims(reply)))


def _claims(reply: str) -> list[Claim]:
    section = reply.partition("**事实核查分析**")[2].partition("**准确性统计**")[0]
    lines = [line.strip() for line in section.split("\n")]
    return [
        Claim(
            re.sub("[✓✗]", "", line).strip(),
            verdict="supported" if "✓" in line or "正确" in line else "contradicted",
        )
        for line in lines
        if line[:2] != "**" and any(mark in line for mark in ("✓", "✗", "正确", "错误"))
    ]


def _novelty(reply: str) -> Judgement:
    """The part of 0 to 4; the other parts and the kinds where they are stated."""
    parts = {
        name: within(float(match[1]), (0, rubric.NOVELTY_PARTS[name]), label)
        for name, label in (
            ("novelty", "新颖性得分"),
            ("music_relevance", "音乐相关性得分"),
            ("insight_depth", "洞察深度得分"),
        )
        if (match := re.search(rf"{label}[：:]\s*{_NUMBER}/{rubric.NOVELTY_PARTS[name]:g}", reply))
    }
    if "novelty" not in parts:
        raise UnreadableJudgement(said("log-judge-novelty"))
    kinds = _kinds(reply)
    counts = {
        name: float(match[1]) if (match := re.search(rf"{label}[：:]\s*(\d+)", reply)) else 0.0
        for name, label in (("statements", "总计新颖内容"), ("related", "音乐相关的新颖内容"))
    }
    scores = {
        "score": parts["novelty"],
        "music_relevance": 0.0,
        "insight_depth": 0.0,
        **parts,
        **counts,
        "personal_insight": insight(kinds),
        **{kind: float(len(quotes)) for kind, quotes in kinds.items()},
    }
    statements = [NovelStatement(q, kind) for kind, quotes in kinds.items() for q in quotes]
    return Judgement(scores, JudgementDetail(reply, statements=statements))


def _kinds(reply: str) -> dict[str, list[str]]:
    _, _, section = reply.partition("**新颖内容识别**")
    section = section.partition("**音乐相关性评估**")[0]
    section = section[: section.rfind("]") + 1]  # so that every list that begins also ends
    kinds: dict[str, list[str]] = {}
    for label, kind in _KINDS.items():
        begun = re.search(rf"{label}:\s*+\[", section)
        listed = section[begun.end() :].partition("]")[0] if begun else ""
        items = re.split(r"[,，\n]", listed)
        kinds[kind] = [item.strip() for item in items if item.strip() not in _NOTHING]
    return kinds


def insight(kinds: dict[str, list[str]]) -> float:
    """Personal insight as released: personal and creative statements over five, at most 1."""
    return insight_of(len(kinds["personal_reactions"]), len(kinds["creative_interpretations"]))


def insight_of(personal: float, creative: float) -> float:
    """``min(1, (personal + creative) / 5)``."""
    return min(1.0, (personal + creative) / 5)


def by_released_rules(aspect: str, judged: Judgement) -> Judgement:
    """A judgement in our own form, scored by the released rules.

    Precision is right claims over all claims, those that the evidence does not decide with them,
    and 0 without any claim; novelty is its part of 0 to 4 alone.
    """
    scores = dict(judged.scores)
    if aspect == "precision":
        every = sum(scores[name] for name in ("supported", "contradicted", "not_in_details"))
        scores |= {"checked": every, "score": scores["supported"] / every if every else 0.0}
    if aspect == "novelty":
        scores["score"] = scores["novelty"]
        scores["personal_insight"] = insight_of(
            scores["personal_reactions"], scores["creative_interpretations"]
        )
    return msgspec.structs.replace(judged, scores=scores)
