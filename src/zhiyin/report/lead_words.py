"""The first screen in words, in English and in Chinese: nothing is calculated here."""

from __future__ import annotations

from collections.abc import Sequence

from zhiyin.numerals import p_words
from zhiyin.report.lead import Contest, Lead, Standing
from zhiyin.statistics.scores import figure_name

LANGUAGES = ("en", "zh")
_NEAR, _MOST = 0.03, 3
"""Differences below the first are given with a decimal; no more names than the second are given."""

_OUR_OWN = ("all trials of", "the replies of", "each of the", "no total is")
"""How sentences begin that begin with words of ours."""

_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "stop": ".",
        "then": "; ",
        "and": " and ",
        "comma": ", ",
        "names": ", ",
        "right": "{who} answers {value} right",
        "most": "{who} answers most right, {value}",
        "scores": "{who} reaches {value} in {figure}",
        "most scores": "{who} reaches most in {figure}, {value}",
        "total": "{who} reaches {value} of the total, judged by {by}",
        "most total": "{who} reaches most of the total, {value}, judged by {by}",
        "each right": "{who} answers {value} right",
        "each scores": "{who} reaches {value} in {figure}",
        "each total": "{who} reaches {value} of the total, judged by {by}",
        "level right": "{who} answer most right, {value} each",
        "level scores": "{who} reach most in {figure}, {value} each",
        "level total": "{who} reach most of the total, {value} each, judged by {by}",
        "each of": "each of the {count}",
        "of": " in {group}",
        "on": "On the {n:,} {unit} that {all} were judged on, {text}",
        "all": "all",
        "both": "both",
        "items": "items",
        "songs": "songs",
        "with": "With {alone} alone, {text}",
        "better": ", better than {other} by {mean} points ({low} to {high})",
        "each": ", more than each of the other {count}; the nearest, {other}, is "
        "{mean} points behind ({low} to {high})",
        "none above": "none is shown to be better than another",
        "level open": "{who} is not shown to be better than {others}",
        "open": "but is not shown to be better than {others}",
        "apart": "{who} ({value}) and {other} ({second}) are not told apart{of}: "
        "{mean} points between them ({low} to {high})",
        "apart by test": "{who} ({value}) and {other} ({second}) are not told apart{of} by a test "
        "on {clusters} {units} ({p}): {mean} points between them ({low} to {high})",
        "same": "{who} and {other} gave the same replies, word for word{of}: nothing here "
        "tells them apart ({value} right)",
        "clusters": "clusters",
        "apart on": ", on the {n:,} {unit} that both were judged on",
        "too few": "{list}: they cannot be compared{of}, since only {n} of the {unit} {was} judged "
        "in {all}",
        "alone better": ", better than guessing ({chance})",
        "alone worse": ", worse than guessing ({chance}): look at how its replies were read",
        "alone open": "; that is not told apart from guessing ({chance})",
        "alone untold": "; a test on {clusters} {units} does not tell that apart from guessing "
        "({chance})",
        "strangers": "{list}: they cannot be compared{of}, since none of the {unit} was judged "
        "in {all}",
        "uncompared": "{list}",
        "value of": "{who} {value}",
        "guess better": "{who} {is} better than guessing",
        "guess open": "{who} {is} not told apart from guessing",
        "guess worse": "{who} {is} worse than guessing",
        "none better": "none is shown to be better than guessing",
        "all better": "all are better than guessing",
        "both better": "both are better than guessing",
        "groups": "in {groups} none is told apart from guessing",
        "groups alone": "in {groups} it is not told apart from guessing",
        "guess mute": "no reply of {who} holds a readable answer",
        "alone mute": ": no reply holds a readable answer",
        "always": "{who} always {answer} {letter}",
        "favours": "{who} {favour} {letter}",
        "answer": "answers/answer",
        "favour": "favours/favour",
        "deaf sound": "{who} {is} not shown to hear at all: the canary failed ({counts})",
        "deaf image": "{who} {is} not shown to see at all: the canary failed ({counts})",
        "counts": "{right} of {asked} right",
        "kept": "{n:,} of {of:,} replies of {who} {is} of an earlier run",
        "late": "{who} {is} unfinished and not ranked",
        "dead": "all trials of {who} failed",
        "empty": "{who} has answered nothing yet",
        "altered": "{who} was judged with {alone} alone: there is no figure beside the main way",
        "ungraded": "the replies of {who} have no right answer, and nobody has judged them yet",
        "unscored": "no total like it is known of {who}, not judged or judged otherwise",
        "measured": "{who} {is} not marked right or wrong: what was measured is in the tables "
        "below",
        "outside": "{who} was asked nothing{of}",
        "is": "is",
        "are": "are",
        "more": "{n} others",
    },
    "zh": {
        "stop": "。",
        "then": "；",
        "and": " 和 ",
        "comma": "，",
        "names": "、",
        "right": "{who} 答对 {value}",
        "most": "{who} 答对最多（{value}）",
        "scores": "{who} 的 {figure} 为 {value}",
        "most scores": "{who} 的 {figure} 最高（{value}）",
        "total": "{who} 总分为 {value}（评分者：{by}）",
        "most total": "{who} 总分最高（{value}，评分者：{by}）",
        "each right": "{who}答对 {value}",
        "each scores": "{who}的 {figure} 均为 {value}",
        "each total": "{who}总分均为 {value}（评分者：{by}）",
        "level right": "{who} 答对最多（均为 {value}）",
        "level scores": "{who} 的 {figure} 最高（均为 {value}）",
        "level total": "{who} 总分最高（均为 {value}，评分者：{by}）",
        "each of": "{count} 个运行都",
        "of": "（{group}）",
        "on": "在{all}共同被判分的 {n:,} {unit}上，{text}",
        "all": "所有运行",
        "both": "两者",
        "items": "题",
        "songs": "首歌",
        "with": "仅在 {alone} 条件下，{text}",
        "better": "，比 {other} 高 {mean} 个百分点（{low} 至 {high}）",
        "each": "，高于其余 {count} 个；最接近的 {other} 低 {mean} 个百分点（{low} 至 {high}）",
        "none above": "未能证明其中任何一个更好",
        "level open": "未能证明 {who} 优于 {others}",
        "open": "但未能证明优于 {others}",
        "apart": "{who}（{value}）与 {other}（{second}）未能区分{of}：相差 {mean} 个百分点"
        "（{low} 至 {high}）",
        "apart by test": "{who}（{value}）与 {other}（{second}）在 {clusters} {units}的检验中"
        "未能区分{of}（{p}）：相差 {mean} 个百分点（{low} 至 {high}）",
        "same": "{who} 与 {other} 的回答逐字相同{of}：这里没有任何东西能区分两者（{value}）",
        "clusters": "组",
        "apart on": "，基于两者共同被判分的 {n:,} {unit}",
        "too few": "{list}：{all}共同被判分的只有 {n} {unit}，太少，不能比较{of}",
        "alone better": "，高于随机猜测（{chance}）",
        "alone worse": "，低于随机猜测（{chance}），请检查答案的读取",
        "alone open": "；未能与随机猜测（{chance}）区分",
        "alone untold": "；对 {clusters} {units}的检验未能将其与随机猜测（{chance}）区分",
        "strangers": "{list}：没有一{unit}在{all}中都被判分，不能比较{of}",
        "uncompared": "{list}",
        "value of": "{who} {value}",
        "guess better": "{who} 高于随机猜测",
        "guess open": "{who} 未能与随机猜测区分",
        "guess worse": "{who} 低于随机猜测",
        "none better": "都未能证明高于随机猜测",
        "all better": "全部高于随机猜测",
        "both better": "两者都高于随机猜测",
        "groups": "在{groups}中都未能与随机猜测区分",
        "groups alone": "在{groups}中未能与随机猜测区分",
        "guess mute": "{who} 的回答中读不出任何答案",
        "alone mute": "：回答中读不出任何答案",
        "always": "{who} 总是{answer} {letter}",
        "favours": "{who} {favour} {letter}",
        "answer": "回答/回答",
        "favour": "偏爱/偏爱",
        "deaf sound": "未能证明 {who} 听得见：探测未通过（{counts}）",
        "deaf image": "未能证明 {who} 看得见：探测未通过（{counts}）",
        "counts": "{asked} 题答对 {right} 题",
        "kept": "{who} 的 {of:,} 个回答中有 {n:,} 个来自更早的运行",
        "late": "{who} 尚未完成，不参与排名",
        "dead": "{who} 的所有题都失败了",
        "empty": "{who} 尚未回答任何题",
        "altered": "{who} 只在 {alone} 条件下有判分：没有可与主条件并列的结果",
        "ungraded": "{who} 的回答没有标准答案，也尚未评分",
        "unscored": "{who} 没有可比的总分：尚未评分，或评分方式不同",
        "measured": "{who} 不以对错计分：测量结果见下方表格",
        "outside": "{who} 没有被问到相关题目{of}",
        "is": "",
        "are": "",
        "more": "另外 {n} 个",
    },
}


def sentences(lead: Lead, labels: Sequence[str]) -> dict[str, str]:
    """The finding of one benchmark, by language.

    Parameters
    ----------
    lead : Lead
    labels : sequence of str
        Of all runs, by number.
    """
    return {language: _sentence(lead, labels, _WORDS[language]) for language in LANGUAGES}


def _sentence(lead: Lead, labels: Sequence[str], words: dict[str, str]) -> str:
    able = [own for own in lead.standings if own.state == "judged" and own.ranked]
    late = [own for own in lead.standings if own.state == "judged" and not own.ranked]
    others = [own for own in lead.standings if own.state != "judged"]
    parts = _deaf(lead.standings, labels, words)
    if able:
        first = _first(lead, able, labels, words)
        alone = {own.alone for own in able}
        if len(alone) == 1 and "" not in alone:
            first = words["with"].format(alone=able[0].alone, text=first)
        parts += [first]
        parts += [*_guessing(able, labels, words), *_groups(lead, able, words)]
        parts += _letters(able, labels, words)
    if late:
        names = _names([labels[own.run] for own in late], words)
        parts += [words["late"].format(who=names, **{"is": _is(late, words)})]
    parts += _silent(lead, others, labels, words)
    parts += [
        words["kept"].format(
            n=own.kept, of=own.replies, who=labels[own.run], **{"is": words[_be(own.kept)]}
        )
        for own in lead.standings
        if own.kept
    ]
    clauses = [part for part in parts if part]
    text = words["then"].join(clauses) + words["stop"]
    # A name keeps its letters; only our own words begin with a capital.
    return text[0].upper() + text[1:] if text.startswith(_OUR_OWN) else text


def _first(
    lead: Lead, able: Sequence[Standing], labels: Sequence[str], words: dict[str, str]
) -> str:
    """Who is best, and by how much."""
    best = next(own for own in able if own.run == lead.best)
    of = words["of"].format(group=lead.title) if lead.title else ""
    if len(able) == 1:
        text = _headline(lead, best, words, labels, "") + of + _alone(best, words)
        return text
    if not lead.shared or len(lead.contests) < len(able) - 1 or lead.scarce:
        return _uncompared(lead, able, labels, words, of)
    nearest = lead.contests[0]
    digits = _digits(lead.contests)
    if len(able) == 2 and not nearest.won:
        return _apart(lead, able, nearest, labels, words, of)
    open_ones = [one for one in lead.contests if not one.won]
    if nearest.level:
        text = _level(lead, open_ones, labels, words, of)
    elif open_ones:
        text = _headline(lead, best, words, labels, "most ") + of
        names = _names([labels[one.other] for one in open_ones], words)
        text += words["comma"] + words["open"].format(others=names)
    else:
        other = {
            "other": labels[nearest.other],
            "mean": _points(nearest.mean, digits),
            "low": _points(nearest.low, digits),
            "high": _points(nearest.high, digits),
        }
        kind = "better" if len(able) == 2 else "each"
        text = _headline(lead, best, words, labels, "") + of
        text += words[kind].format(count=len(able) - 1, **other)
    return text if lead.own else _on(lead, len(able), text, words)


def _uncompared(
    lead: Lead, able: Sequence[Standing], labels: Sequence[str], words: dict[str, str], of: str
) -> str:
    """The figures of runs that were not ranked, and why they were not."""
    each = [words["value of"].format(who=labels[o.run], value=_percent(o.value)) for o in able]
    kind = "too few" if lead.scarce else "strangers" if not lead.shared else "uncompared"
    return words[kind].format(
        list=words["names"].join(each),
        of=of,
        unit=words[lead.unit],
        all=words["both" if len(able) == 2 else "all"],
        n=lead.shared,
        was="was" if lead.shared == 1 else "were",
    )


def _level(
    lead: Lead,
    open_ones: Sequence[Contest],
    labels: Sequence[str],
    words: dict[str, str],
    of: str,
) -> str:
    """Three runs or more, of which several share the first place."""
    equal = [one.other for one in lead.contests if one.level]
    best = next(own for own in lead.standings if own.run == lead.best)
    if len(equal) == len(lead.contests):
        who = words["each of"].format(count=len(equal) + 1)
        lead_clause = _headline(lead, best, words, [who] * len(labels), "each ") + of
        return words["then"].join((lead_clause, words["none above"]))
    names = _names([labels[best.run], *(labels[run] for run in equal)], words)
    lead_clause = _headline(lead, best, words, [names] * len(labels), "level ") + of
    others = [labels[one.other] for one in open_ones if not one.level]
    if not others:
        return lead_clause
    open_ = words["level open"].format(who=labels[best.run], others=_names(others, words))
    return words["then"].join((lead_clause, open_))


def _on(lead: Lead, runs: int, text: str, words: dict[str, str]) -> str:
    all_ = words["both" if runs == 2 else "all"]
    return words["on"].format(n=lead.shared, unit=words[lead.unit], all=all_, text=text)


def _headline(
    lead: Lead, own: Standing, words: dict[str, str], labels: Sequence[str], most: str
) -> str:
    """The best run with its figure: its own, or that on the items that were compared."""
    value = own.value if lead.own or not lead.contests else lead.contests[0].best
    kind = {"accuracy": "right", "total": "total"}.get(lead.figure, "scores")
    name = "most" if kind == "right" and most == "most " else f"{most}{kind}"
    figure = figure_name(lead.figure)
    figure = "F1" if figure == "f1" else figure.replace("_", " ")
    return words[name].format(who=labels[own.run], value=_percent(value), figure=figure, by=own.by)


def _apart(
    lead: Lead,
    able: Sequence[Standing],
    nearest: Contest,
    labels: Sequence[str],
    words: dict[str, str],
    of: str,
) -> str:
    digits = _digits([nearest])
    best, second = able[0], able[1]
    values = (best.value, second.value)
    if not lead.own:
        values = (nearest.best, nearest.second)
        of += words["apart on"].format(n=nearest.items, unit=words[lead.unit])
    if nearest.low == nearest.high:
        who, other = labels[best.run], labels[second.run]
        return words["same"].format(who=who, other=other, of=of, value=_percent(values[0], 1))
    clustered = nearest.clusters < nearest.items
    return words["apart by test" if nearest.low > 0 else "apart"].format(
        who=labels[best.run],
        value=_percent(values[0], 1),
        other=labels[second.run],
        second=_percent(values[1], 1),
        of=of,
        mean=_points(nearest.mean, digits),
        low=_points(nearest.low, digits),
        high=_points(nearest.high, digits),
        p=p_words(nearest.p),
        clusters=nearest.clusters,
        units=words["clusters" if clustered else lead.unit],
    )


def _alone(own: Standing, words: dict[str, str]) -> str:
    if own.mute:
        return words["alone mute"]
    if own.guess == "free" or own.chance is None:
        return ""
    return words[f"alone {own.guess}"].format(
        chance=_percent(own.chance),
        clusters=own.clusters or own.n,
        units=words["clusters" if own.clusters else "items"],
    )


def _guessing(able: Sequence[Standing], labels: Sequence[str], words: dict[str, str]) -> list[str]:
    """Which of several runs are better than guessing; with one run its own sentence says so."""
    if len(able) < 2 or any(own.guess == "free" for own in able):
        return []
    by_kind = {
        kind: [own for own in able if _is_guess(own, kind)]
        for kind in ("better", "open", "worse", "mute")
    }
    if len(by_kind["better"]) == len(able):
        return [words["both better" if len(able) == 2 else "all better"]]
    if len(by_kind["open"]) == len(able):
        return [words["none better"]]
    clauses = []
    for kind in ("open", "worse", "mute"):
        if by_kind[kind]:
            names = _names([labels[own.run] for own in by_kind[kind]], words)
            is_ = _is(by_kind[kind], words)
            clauses.append(words[f"guess {kind}"].format(who=names, **{"is": is_}))
    return clauses


def _is_guess(own: Standing, kind: str) -> bool:
    if own.mute:
        return kind == "mute"
    return kind == ("open" if own.guess == "untold" else own.guess)


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _is(several: Sequence[Standing], words: dict[str, str]) -> str:
    return words["is" if len(several) == 1 else "are"]


def _groups(lead: Lead, able: Sequence[Standing], words: dict[str, str]) -> list[str]:
    if not 0 < len(lead.at_chance) <= _MOST:
        return []
    name = "groups" if len(able) > 1 else "groups alone"
    return [words[name].format(groups=_names(lead.at_chance, words))]


def _letters(able: Sequence[Standing], labels: Sequence[str], words: dict[str, str]) -> list[str]:
    by_letter: dict[tuple[str, str], list[str]] = {}
    for own in able:
        if own.letter and own.letter["verdict"] != "none":
            alike = by_letter.setdefault((own.letter["verdict"], own.letter["letter"]), [])
            alike.append(labels[own.run])
    return [
        words[verdict].format(
            who=_names(several, words),
            letter=letter,
            **{verb: words[verb].split("/")[len(several) > 1] for verb in ("answer", "favour")},
        )
        for (verdict, letter), several in by_letter.items()
    ]


def _deaf(standings: Sequence[Standing], labels: Sequence[str], words: dict[str, str]) -> list[str]:
    """Whose model failed a canary: said before every figure, which may owe nothing to the music."""
    clauses = []
    for medium in ("sound", "image"):
        deaf = [own for own in standings if medium in own.canary]
        if not deaf:
            continue
        counts = [words["counts"].format(**own.canary[medium]) for own in deaf[:_MOST]]
        clauses.append(
            words[f"deaf {medium}"].format(
                who=_names([labels[own.run] for own in deaf], words),
                counts=words["names"].join(counts),
                **{"is": _is(deaf, words)},
            )
        )
    return clauses


def _silent(
    lead: Lead, others: Sequence[Standing], labels: Sequence[str], words: dict[str, str]
) -> list[str]:
    of = words["of"].format(group=lead.title) if lead.title else ""
    by_state: dict[tuple[str, str], list[Standing]] = {}
    for own in others:
        by_state.setdefault((own.state, own.alone), []).append(own)
    return [
        words[state].format(
            who=_names([labels[own.run] for own in several], words),
            alone=alone,
            of=of,
            **{"is": _is(several, words)},
        )
        for (state, alone), several in by_state.items()
    ]


def _names(names: Sequence[str], words: dict[str, str]) -> str:
    shown = list(names)
    if len(shown) > _MOST + 1:
        shown = [*shown[:_MOST], words["more"].format(n=len(shown) - _MOST)]
    if len(shown) == 1:
        return shown[0]
    last = words["and"] + shown[-1]
    return words["names"].join(shown[:-1]) + last.replace("和 另外", "和另外")


def _digits(contests: Sequence[Contest]) -> int:
    """Decimals of differences: none where whole points say enough."""
    near = min((min(abs(one.mean), abs(one.low)) for one in contests), default=1.0)
    return 1 if near < _NEAR else 0


def _percent(value: float | None, digits: int = 0) -> str:
    """Per cent without decimals; with one where that would round to nothing or to all."""
    if value is None:
        return "–"
    if digits == 0 and round(100 * value) in (0, 100) and value not in (0, 1):
        digits = 1
    return f"{100 * value:.{digits}f}\u00a0%"


def _points(value: float, digits: int) -> str:
    return f"{100 * value:.{digits}f}".replace("-", "−")
