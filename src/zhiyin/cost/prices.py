"""Usage of replies, under one set of names whichever server counted it, and its price.

Prices stand in a table that the user edits, and in one that is imported from LiteLLM's file.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Mapping
from datetime import date
from operator import add
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.engine.folder import Manifest
from zhiyin.errors import InputError, reworded, system_words
from zhiyin.files import NOT_JSON, read_regular, write_atomically
from zhiyin.parsing import read_toml_text
from zhiyin.record import Reply
from zhiyin.words import said

CACHED = "cached"
"""The entry of a reply's ``detail`` that says that it came from the cache."""
KEPT_BY, KEPT_AT = "kept_by", "kept_at"
"""Those that say of which run it is, by its id, and when it came; empty for the run itself."""
UNKNOWN = "unknown"
"""In the place of the id of a run that nobody wrote down."""

BATCH = "batch"
"""The entry of a reply's ``detail`` that says of which batch it is a part."""


class Usage(msgspec.Struct, frozen=True, omit_defaults=True):
    """Usage of one call, or several.

    Attributes
    ----------
    calls : int
    input, output : int
        All tokens that were sent and that came back, thinking included.
    cached_input, audio_input, reasoning, audio_output : int
        Those among them that the server had kept, that are sound, that are thinking.
    seconds : float
        Of sound that was sent.
    uncounted : int
        Calls of which the server did not count what was sent and what came back.
    """

    calls: int = 0
    input: int = 0
    output: int = 0
    cached_input: int = 0
    audio_input: int = 0
    reasoning: int = 0
    audio_output: int = 0
    seconds: float = 0.0
    uncounted: int = 0

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.input + self.output

    def __add__(self, other: Usage) -> Usage:
        mine, theirs = msgspec.structs.astuple(self), msgspec.structs.astuple(other)
        return Usage(*map(add, mine, theirs))


class CanaryUsage(msgspec.Struct, frozen=True, omit_defaults=True):
    """Usage of the calls before the first trial of a run: those of a canary.

    Attributes
    ----------
    paid : tuple of Usage
        Of each reply that did not come from the cache.
    begun : int
        Calls that were begun, those that failed included.
    """

    paid: tuple[Usage, ...] = ()
    begun: int = 0

    def __add__(self, other: CanaryUsage) -> CanaryUsage:
        return CanaryUsage(self.paid + other.paid, self.begun + other.begun)


def opening_of(canary: Mapping[str, Any]) -> CanaryUsage:
    """Return the usage of a run's canaries, from its manifest; none in earlier versions."""
    total = CanaryUsage()
    for outcome in canary.values():
        with contextlib.suppress(msgspec.ValidationError, AttributeError):
            total += msgspec.convert(outcome.get("used", {}), CanaryUsage)
    return total


def usage_of(reply: Reply) -> Usage:
    """Return the usage of a reply; nothing if it came from the cache."""
    return Usage() if reply.detail.get(CACHED) else counted(reply.usage, reply.detail)


_MOST = 10**8
"""Tokens of one call beyond which a count is none: ten times what the widest models take."""


def counted(usage: Mapping[str, int], detail: Mapping[str, Any]) -> Usage:
    """Return the usage of a call, from the counts as servers name them (see `Reply`).

    Known are the names of OpenAI (chat completions, responses), of servers that follow them, and
    of Anthropic, whose input tokens do not hold those read from or written to its cache. A count
    that cannot be (below 0, above 100 million, nothing sent) is as good as none; and a call is
    counted where both what was sent and what came back are.
    """
    seconds = float(detail.get("audio_seconds") or 0.0)
    *tokens, whole = _tokens(usage, lambda wanted, one, other: one if wanted else other)
    return Usage(*(1, *tokens, seconds, int(not whole)))


def counted_columns(usage: Mapping[str, Any], seconds: Any) -> Any:
    """Count as `counted` does, for many calls: with arrays in the `Usage` in place of numbers."""
    import numpy as np

    rows = len(seconds)
    ones = np.ones(rows, dtype=np.int64)
    *tokens, whole = (np.broadcast_to(column, rows) for column in _tokens(usage, np.where))
    return Usage(*[ones, *tokens, seconds, np.where(whole, 0, ones)])


def _tokens(usage: Mapping[str, Any], pick: Callable[[Any, Any, Any], Any]) -> tuple[Any, ...]:
    """The tokens of a `Usage` in order, and whether both sides of a call were counted.

    Of numbers or arrays; `pick` takes the one or the other.
    """

    def given(*names: str) -> tuple[Any, Any]:
        """The count of the first of some names that is there, and whether it can be."""
        count = next((usage[name] for name in names if name in usage), -1)
        can = (count >= 0) & (count <= _MOST)
        return pick(can, count, 0), can

    sent, has_sent = given("prompt_tokens", "input_tokens")
    received, has_received = given("completion_tokens", "output_tokens")
    cached = given("cache_read_input_tokens")[0]
    sent = sent + cached + given("cache_creation_input_tokens")[0]
    whole = has_sent & has_received & (sent > 0)

    def detail(names: tuple[str, str]) -> Any:
        """An entry of a breakdown, under either of its names."""
        one, other = given(names[0])[0], given(names[1])[0]
        return pick(one != 0, one, other)

    reasoning = detail(_REASONING)
    # Some servers count thinking beside the completion.
    beside = given("total_tokens")[0] == sent + received + reasoning
    received = pick(beside, received + reasoning, received)
    cached = pick(cached != 0, cached, detail(_KEPT))
    return sent, received, cached, detail(_HEARD), reasoning, detail(_SPOKEN), whole


def _entry(one: str, other: str, name: str) -> tuple[str, str]:
    """The names of an entry of a breakdown, as each of the two families of servers has it."""
    return f"{one}_tokens_details.{name}", f"{other}_tokens_details.{name}"


_REASONING = _entry("completion", "output", "reasoning_tokens")
_SPOKEN = _entry("completion", "output", "audio_tokens")
_KEPT = _entry("prompt", "input", "cached_tokens")
_HEARD = _entry("prompt", "input", "audio_tokens")


class OthersPaid(msgspec.Struct):
    """Cost of a conversation beside the model's replies: those of a judge in its midst.

    It is kept in the `notes` of an exchange, under "paid".
    """

    calls: float = 0
    tokens: float = 0
    usd: float = 0.0


OWN, IMPORTED = "prices.toml", "prices-imported.toml"
_MILLION = 1e6

_HEAD = """\
# Prices in US dollars, by model as it is written after -m.
# input, cached, audio, output, reasoning, audio_output: for a million tokens (what is left out
#   costs as much as the other tokens that are sent, or that come back).
# minute: for a minute of sound that is sent. request: for a call.
# audio_tokens: tokens that a second of sound makes, for estimates.
# batch: the share of the price that is paid for a batch, 0.5 for half of it.
# above, above_input, above_output: other prices for calls with more input tokens than that.
# date and source: when and where the price was read.
"""


class Price(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Price of a model, in US dollars; tokens by the million. See the head of the table.

    None where it costs as much as other tokens of its side, or where it is not known.
    """

    input: float | None = None
    output: float | None = None
    cached: float | None = None
    audio: float | None = None
    audio_output: float | None = None
    reasoning: float | None = None
    minute: float | None = None
    request: float | None = None
    audio_tokens: float | None = None
    batch: float | None = None
    above: int | None = None
    above_input: float | None = None
    above_output: float | None = None
    date: str = ""
    source: str = ""

    def of(self, used: Usage, *, batched: bool = False) -> float:
        """Return the cost of calls, in US dollars. With `above`, of one call.

        Tokens that the server had kept are taken to be words, as far as there are words.
        """
        return float(
            self._of(used, batched, min, lambda above, one, other: one if above else other)
        )

    def of_columns(self, used: Usage, *, batched: bool = False) -> Any:
        """Return the cost of many calls, a row each, as `of` does; see `counted_columns`."""
        import numpy as np

        return self._of(used, batched, np.minimum, np.where)

    def _of(
        self,
        used: Usage,
        batched: bool,
        least: Callable[[Any, Any], Any],
        pick: Callable[[Any, Any, Any], Any],
    ) -> Any:
        input_price, output_price = self.input or 0.0, self.output or 0.0
        if self.above is not None:
            above = used.input > self.above
            input_price = pick(above, self.above_input or input_price, input_price)
            output_price = pick(above, self.above_output or output_price, output_price)
        cached = least(used.cached_input, used.input)
        audio_in = least(used.audio_input, used.input - cached)
        audio_out = least(used.audio_output, used.output)
        reasoning = least(used.reasoning, used.output - audio_out)
        total = (
            (used.input - cached - audio_in) * input_price
            + cached * _or(self.cached, input_price)
            + audio_in * _or(self.audio, input_price)
            + (used.output - audio_out - reasoning) * output_price
            + reasoning * _or(self.reasoning, output_price)
            + audio_out * _or(self.audio_output, output_price)
        ) / _MILLION
        total = total + (
            used.seconds / 60 * (self.minute or 0.0) + used.calls * (self.request or 0.0)
        )
        return total * (_or(self.batch, 1.0) if batched else 1.0)

    @property
    def source_in_words(self) -> str:
        """Date and source of the price, in words."""
        return ", ".join(filter(None, (self.date, self.source))) or "no date, no source"


def _or(value: float | None, other: float) -> float:
    return other if value is None else value


def folder() -> Path:
    """Return the tables' folder: ``$ZHIYIN_PRICES``, or else where the user's settings are kept."""
    import platformdirs

    return Path(os.environ.get("ZHIYIN_PRICES") or platformdirs.user_config_dir("zhiyin"))


def read_prices() -> dict[str, Price]:
    """All known prices by model; the user's own go before imported ones.

    Raises
    ------
    InputError
        Where a table cannot be read, with its line or its entry.
    """
    return {**_read(folder() / IMPORTED), **_read(folder() / OWN)}


def _read(path: Path) -> dict[str, Price]:
    try:
        entries = read_toml_text(read_regular(path))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InputError(said("error-read", path=path, why=system_words(error))) from None
    except ValueError as error:
        raise InputError(said("prices-table", path=path, why=str(error))) from None
    from zhiyin.models.endpoint import written  # it takes long to be imported

    prices = {}
    for name, entry in entries.items():
        with reworded(f'{path}, ["{name}"]: ', ": mend it there", of=msgspec.ValidationError):
            price = msgspec.convert(_dated(entry), Price, strict=True)
        numbers = (v for v in msgspec.to_builtins(price).values() if isinstance(v, float | int))
        if any(not 0 <= number < 1e9 for number in numbers):
            raise InputError(said("prices-below", path=path, name=name))
        prices[written(name)] = price  # of an address its query is never shown
    return prices


def _dated(entry: Any) -> Any:
    """An entry whose date is a text: TOML has dates of its own."""
    if isinstance(entry, dict) and isinstance(entry.get("date"), date):
        return {**entry, "date": entry["date"].isoformat()}
    return entry


def write_imported(prices: dict[str, Price]) -> Path:
    """Write the imported table anew; the user's own stays as it is.

    Raises
    ------
    InputError
        Where it cannot be written.
    """
    path = folder() / IMPORTED
    lines = ["# Written by `zhiyin prices import`: put your own prices into prices.toml.\n", _HEAD]
    for name, price in sorted(prices.items()):
        lines.append(f"\n[{json.dumps(name)}]\n")
        for field, value in msgspec.to_builtins(price).items():
            written = json.dumps(value) if isinstance(value, str) else f"{value!r}"
            lines.append(f"{field} = {written}\n")
    _write(path, "".join(lines))
    return path


def begin_own() -> Path:
    """The user's own table, begun with what may stand in it if it is not there."""
    path = folder() / OWN
    if not path.exists():
        example = '\n# ["openai:MODEL"]\n# input = 0.0\n# output = 0.0\n# date = 2026-01-31\n'
        _write(path, _HEAD + example)
    return path


def _write(path: Path, text: str) -> None:
    with reworded(f"cannot write to {path.parent} (", "); set ZHIYIN_PRICES to a folder"):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text.encode())


def price_of(spec: str, prices: dict[str, Price]) -> Price | None:
    """The price of a model, by its spec or by another spec of the same model of the same maker."""
    return next((prices[name] for name in _names(spec) if name in prices), None)


def price_of_run(manifest: Manifest) -> tuple[Price | None, bool]:
    """The price of a run's model, and whether it is today's: the run itself holds none.

    Raises `InputError` where the run's own price cannot be read.
    """
    if manifest.price:
        with reworded(
            f"run.json of {manifest.benchmark}, {manifest.model}: its price cannot be read (",
            "): correct it, or take the version of Zhiyin that wrote it",
            of=msgspec.ValidationError,
        ):
            return msgspec.convert(manifest.price, Price), False
    try:
        return price_of(manifest.model, read_prices()), True
    except InputError:  # a damaged table is no reason to show no results
        return None, True


def _names(spec: str) -> list[str]:
    """List the names under which a model may stand in a table."""
    kind, colon, model = spec.partition(":")
    names = [spec]
    if kind in ("http", "https") or not colon:
        return names
    if kind == "openai-responses":
        names.append(f"openai:{model}")
    if kind in ("litellm", "inspect") and "/" in model:
        maker, _, rest = model.partition("/")
        names.append(f"{_KINDS.get(maker, maker)}:{rest}")
    return [*names, f"litellm:{kind}/{model}"]


_KINDS = {"google": "gemini", "mistralai": "mistral"}


def from_litellm(path: Path, day: str) -> tuple[dict[str, Price], list[str]]:
    """Prices from LiteLLM's ``model_prices_and_context_window.json``.

    Parameters
    ----------
    path : Path
    day : str
        When the file was fetched, as 2026-01-31.

    Returns
    -------
    prices : dict
        By model, as it is written after ``-m``.
    left_out : list of str
        Models whose prices are of a form that the table cannot hold.

    Raises
    ------
    InputError
        Where the file is no such table.
    """
    try:
        table = msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise InputError(said("error-read", path=path, why=system_words(error))) from None
    except NOT_JSON as error:
        raise InputError(said("prices-json", path=path, why=str(error))) from None
    prices, left_out = {}, []
    entries = table.items() if isinstance(table, dict) else ()
    for name, entry in entries:
        if name == "sample_spec" or not isinstance(entry, dict):
            continue
        if entry.get("mode") not in ("chat", "completion", "responses", None):
            continue
        if entry.get("tiered_pricing"):
            left_out.append(name)
            continue
        price = _from_litellm(entry, day)
        if price is not None:
            prices[_spec(name, str(entry.get("litellm_provider") or ""))] = price
    if not prices:
        raise InputError(said("prices-none", path=path))
    return prices, left_out


_MILLIONS = {
    "input": "input_cost_per_token",
    "output": "output_cost_per_token",
    "cached": "cache_read_input_token_cost",
    "audio": "input_cost_per_audio_token",
    "audio_output": "output_cost_per_audio_token",
    "reasoning": "output_cost_per_reasoning_token",
}
_OURS = frozenset({"openai", "gemini", "anthropic", "mistral", "dashscope"})


def _from_litellm(entry: Mapping[str, Any], day: str) -> Price | None:
    fields: dict[str, Any] = {}
    for name, theirs in _MILLIONS.items():
        if (value := _number(entry.get(theirs))) is not None:
            fields[name] = _rounded(value * _MILLION)
    seconds = entry.get("input_cost_per_audio_per_second")
    if (value := _number(seconds)) is not None:
        fields["minute"] = _rounded(value * 60)
    if (value := _number(entry.get("input_cost_per_request"))) is not None:
        fields["request"] = value
    if not fields:
        return None
    full, batch = entry.get("input_cost_per_token"), entry.get("input_cost_per_token_batches")
    if _number(full) and _number(batch) is not None:
        fields["batch"] = _rounded(float(batch or 0) / float(full or 1))
    for limit in (128, 200, 272):
        value = _number(entry.get(f"input_cost_per_token_above_{limit}k_tokens"))
        if value is not None:
            fields |= {"above": limit * 1000, "above_input": _rounded(value * _MILLION)}
            output_price = _number(entry.get(f"output_cost_per_token_above_{limit}k_tokens"))
            if output_price is not None:
                fields["above_output"] = _rounded(output_price * _MILLION)
    return Price(**fields, date=day, source=str(entry.get("source") or "LiteLLM"))


def _number(value: Any) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if known and 0 <= value < 1e9 else None


def _rounded(value: float) -> float:
    """Round off the dust of a multiplication: 2.5, not 2.5000000000000004."""
    return float(f"{value:.10g}")


def _spec(name: str, provider: str) -> str:
    """Return how a model of LiteLLM's is written after ``-m``."""
    model = name.removeprefix(f"{provider}/")
    if provider in _OURS:
        return f"{provider}:{model}"
    return f"litellm:{name if '/' in name else f'{provider}/{name}'}"
