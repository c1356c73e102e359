"""What the words behind options may be: numbers within limits, for argparse's `type`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeVar

_MOST = 10**12
Kind = TypeVar("Kind", bound=Callable[[str], object])


def _called(name: str) -> Callable[[Kind], Kind]:
    """How argparse names a kind where a word is not of it: "invalid whole number value"."""

    def name_it(kind: Kind) -> Kind:
        kind.__name__ = name
        return kind

    return name_it


@_called("whole number")
def whole(text: str) -> int:
    """0 or more."""
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is below 0")
    return _bounded(value)


@_called("positive whole number")
def positive(text: str) -> int:
    """1 or more."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is below 1")
    return _bounded(value)


def _bounded(value: int) -> int:
    if value > _MOST:
        raise argparse.ArgumentTypeError(f"a number above {_MOST:,} is none that is meant")
    return value


@_called("number of seconds")
def seconds(text: str) -> float:
    """Above 0."""
    value = float(text)
    if not 0 < value <= _MOST:
        raise argparse.ArgumentTypeError(f"{text} is not above 0, or not a number of seconds")
    return value


@_called("share")
def share(text: str) -> float:
    """Above 0 and up to 1."""
    value = float(text)
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0 and up to 1")
    return value


@_called("temperature")
def temperature(text: str) -> float | None:
    """0 to 2, or "default", which is None: what the model itself has."""
    if text == "default":
        return None
    value = float(text)
    if not 0 <= value <= 2:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 2")
    return value
