"""Writing of shares, p-values, sizes and numbers of things, everywhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime

_UP_TO_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen twenty"
)
NUMBER_WORDS = tuple(_UP_TO_TWENTY.split(" "))
"""Words of numbers from 0 on."""


def signed(text: str) -> str:
    """A number in letters with a real minus."""
    return f"−{text[1:]}" if text.startswith("-") else text


def percent(share: float | None, decimals: int = 1) -> str:
    """A share, or a difference of shares, as a percentage without its sign; "-" for none.

    Parameters
    ----------
    share : float or None
        1 is 100 %. None and NaN: there is no figure.
    decimals : int
    """
    return "-" if share is None or share != share else signed(f"{100 * share:.{decimals}f}")


def points(difference: float, decimals: int = 1) -> str:
    """A difference of shares in points, with its sign: "+3.1", "−3.1"."""
    written = f"{100 * difference:+.{decimals}f}"
    return signed(written) if float(written) else written.lstrip("+-")  # 0.0 has no sign


def number(value: float, decimals: int | None = None) -> str:
    """A number with so many decimals, or with four digits; a very large one with three.

    What is above 0 and would have no digit in so few is "< 0.0001".
    """
    if decimals is None:
        return "<\u00a00.0001" if 0 < value < 1e-4 else signed(f"{value:.4g}")
    return signed(f"{value:.{decimals}f}" if abs(value) < 1e9 else f"{value:.3g}")


def fitting(*values: float) -> int:
    """The decimals that suit numbers that stand together: one, or three below 1."""
    return 1 if max(map(abs, values), default=0.0) > 1 else 3


def gap(difference: float, decimals: int | None = None) -> str:
    """A difference of numbers with its sign: "+305.2"."""
    written = number(abs(difference), decimals)
    sign = "−" if difference < 0 else "+"
    return sign + written if written.strip("0.") else written


def usd(value: float) -> str:
    """A price in US dollars: "1,234.50"; of less than one its three first digits, "0.00213"."""
    return f"{value:,.2f}" if value >= 1 else f"{value:.3g}"


TIME_UNITS = {"en": ("s", "min", "h", "d"), "zh": ("秒", "分钟", "小时", "天")}
"""Of seconds to days, by language."""


def duration(seconds: float, units: Sequence[str] = TIME_UNITS["en"]) -> str:
    """A time in the units that matter: "12 s", "3 min", "2 h 10 min", "4 d 3 h"."""
    second, minute, hour, day = units
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{max(0, round(seconds))} {second}"
    if minutes < 60:
        return f"{minutes} {minute}"
    if minutes < 48 * 60:
        return f"{minutes // 60} {hour} {minutes % 60} {minute}"
    return f"{minutes // 1440} {day} {minutes % 1440 // 60} {hour}"


def now() -> str:
    """The time to the second, for people and programs: ISO 8601, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def p_value(p: float | None) -> str:
    """A p-value: "< 0.001", "0.012", "0.34", and never "0.000"; "-" for none, no line breaks."""
    if p is None or p != p:
        return "-"
    if p < 0.001 or 0.0495 <= p < 0.05:  # which would be rounded to the level that it is below
        return "<\u00a00.001" if p < 0.001 else "<\u00a00.05"
    return f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def p_words(p: float) -> str:
    """A p-value in a sentence: "p < 0.001", "p = 0.012"; no line breaks within."""
    value = p_value(p)
    return f"p\u00a0{value}" if value.startswith("<") else f"p\u00a0=\u00a0{value}"


def money(value: float) -> str:
    """A price: "1.20 usd", "0.0123 usd"."""
    return f"{usd(value)} usd"


def size(count: float) -> str:
    """A number of bytes: "1.2 GB", "3.4 MB", "5.6 kB", "78 bytes"."""
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= scale:
            return f"{count / scale:.1f} {unit}"
    return f"{count:.0f} bytes"


def counted(number: int, one: str, several: str = "") -> str:
    """Write a number of things: "1 reply", "1,000 replies"; `several` unless it is `one` and s."""
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"


def round_values(low: float, high: float, most: int = 6) -> list[float]:
    """Round values between two, as an axis has them: about so many."""
    power = 10.0 ** math.floor(math.log10(high - low))
    step = next(s for s in (power / 5, power / 2, power, 2 * power) if (high - low) / s <= most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [n * step for n in range(first, last + 1)]
