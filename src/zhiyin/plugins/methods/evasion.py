"""Replies without an answer that evade the question: by their words."""

from __future__ import annotations

import re

_TELL = r"(?:determin|identif|tell|told|say|said|know|judg|decid|choos|answer|conclude)\w*+"
_REST = r"[^.\n]{0,120}+"
_EVASION = re.compile(
    rf"\b(?:unable|impossible|not possible|difficult|hard) to (?:be )?{_TELL}{_REST}"
    rf"|\b(?:cannot|can't|can not|could not|couldn't) (?:be )?{_TELL}{_REST}"
    rf"|\b(?:i|we) (?:do not|don't) know\b{_REST}|\bnot sure\b{_REST}"
    r"|\b(?:need|require|lack|without|insufficient|not enough)[^.\n]{0,30}?"
    rf"\b(?:information|context|details)\b{_REST}"
    rf"|\bnone of the (?:above|options|given|choices){_REST}"
    r"|(?:无法|不能|难以|没法)(?:确定|判断|得知|回答|知道|分辨|确认|给出|选择)[^。\n]{0,60}+"
    r"|(?:需要|缺少|缺乏|没有足够|请提供)[^。\n]{0,12}?(?:信息|资料|上下文|背景)|信息不足[^。\n]{0,60}+"
    r"|不(?:知道|清楚|确定)|(?:以上|选项)(?:都|均)(?:不|没有)[^。\n]{0,60}+"
    r"|没有正确(?:答案|选项)[^。\n]{0,60}+",
    re.IGNORECASE,
)


def evasion_in(text: str) -> str | None:
    """The words of an evasion, in English or Chinese; None where there is none.

    To be asked only of replies in which no answer was found.
    """
    match = _EVASION.search(text)
    return match[0].strip() if match else None
