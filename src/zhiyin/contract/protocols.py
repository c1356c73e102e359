"""Named protocols: everything that a published figure was measured with, set by one word.

A benchmark declares its protocols in its own folder, as `protocols` of its class: a tuple of
`Protocol`. ``zhiyin run NAME --protocol WORD`` then gives every switch the protocol's value. A
switch that is given beside it and says otherwise is obeyed and named as a departure, in the
results and in the methods paragraph. "ours" is the protocol where none is named: the defaults.

Departures are worked out from what a run's manifest holds and stored nowhere, so that they are
true after `zhiyin rescore` too.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from zhiyin.contract.options import Options
from zhiyin.errors import InputError
from zhiyin.flags import flagged
from zhiyin.record import Sampling
from zhiyin.words import Said, Text, said

SAMPLING = {field.parameter: field.name for field in flagged(Sampling)}
"""The switches that say how a model is to generate, and what `record.Sampling` calls them."""
RELEASED = "released"
"""The switch that says where released prompts lie."""


class Protocol(msgspec.Struct, frozen=True):
    """A way of asking, generating, reading and scoring, under one name.

    Attributes
    ----------
    name : str
        The word on the command line, such as ``exam-released``.
    summary : str
        One line for listings.
    source : str
        Where its facts are from: paper and section, or repository, file and commit.
    sets : dict of str to Any
        Every switch that it fixes, by its name in Python (``max_tokens``), with the value as
        the command line would give it. Several values that are all within the protocol stand
        in a tuple, the usual one first. None is the switch not given.
    differs : tuple of str
        What of the original is not done likewise whatever is given, and what that costs: a
        clause each.
    released : str
        What ``--released DIR`` must name, for a protocol whose prompts may not be shipped
        ("a clone of OWNER/NAME"); "" where there is nothing to be read. Without the switch our
        own words stand in the released layout, which is a departure.
    """

    name: str
    summary: str
    source: str = ""
    sets: Options = {}
    differs: tuple[str, ...] = ()
    released: str = ""

    def usual(self) -> Options:
        """Each switch with its one value, or the usual one of several."""
        return {
            switch: value[0] if isinstance(value, tuple) else value
            for switch, value in self.sets.items()
        }

    def departures(self, options: Mapping[str, Any], sampling: Mapping[str, Any]) -> list[Said]:
        """List the differences of a run from the protocol, a clause each.

        Parameters
        ----------
        options : mapping
            All options of the run, as its manifest has them.
        sampling : mapping
            The fields of its `record.Sampling`.
        """
        departures = [*self._altered(options, sampling)]
        if self.sets and options.get("confirm") and "confirm" not in self.sets:
            departures.append(said("protocol-confirm"))
        if self.released and not options.get("released"):
            departures.append(said("protocol-own-words", of=self.released))
        return departures

    def _altered(self, options: Mapping[str, Any], sampling: Mapping[str, Any]) -> Iterator[Said]:
        """Yield each switch that is set otherwise: as it is, and as the protocol may have it."""
        for switch, value in self.sets.items():
            given = sampling.get(SAMPLING[switch]) if switch in SAMPLING else options.get(switch)
            within = value if isinstance(value, tuple) else (value,)
            if not any(_same(given, one) for one in within):
                wanted = [_in_words(switch, one) for one in within]
                yield said("printed-set", given=_in_words(switch, given), wanted=wanted)


OURS = Protocol("ours", "Zhiyin's own way of asking: the defaults, and what is given beside them")


def protocols_of(benchmark: Any) -> dict[str, Protocol]:
    """A benchmark's protocols by name, "ours" first."""
    return {each.name: each for each in (OURS, *benchmark.protocols)}


def open_protocol(benchmark: Any, name: str | None) -> Protocol:
    """The protocol called `name`, "ours" for None. Raises `InputError` for an unknown one."""
    known = protocols_of(benchmark)
    if (name or OURS.name) not in known:
        raise InputError(said("error-protocol", name=repr(name), known=[*known]))
    return known[name or OURS.name]


def add_flags(parser: argparse._ActionsContainer, benchmark: Any) -> None:
    """Add ``--protocol``, and ``--released`` where a protocol can read it."""
    known = protocols_of(benchmark)
    if len(known) == 1:
        return
    parser.add_argument(
        "--protocol",
        default=OURS.name,
        metavar="NAME",
        help=f"{', '.join(known)}: sets prompts, layout, examples, decoding and reading at once; "
        f"default {OURS.name}",
    )
    if sources := [each.released for each in known.values() if each.released]:
        parser.add_argument(
            f"--{RELEASED}",
            metavar="DIR",
            help=f"where released prompts are read from: {'; '.join(sources)}",
        )


def preset(parser: argparse.ArgumentParser, benchmark: Any, arguments: Sequence[str]) -> None:
    """Make the values of the protocol named in `arguments` the parser's defaults.

    Raises
    ------
    InputError
        There is no such protocol, or ``--released`` is given to one that reads nothing.
    """
    peek = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    peek.add_argument("--protocol", nargs="?")
    peek.add_argument(f"--{RELEASED}", nargs="?")
    named = peek.parse_known_args(arguments)[0]
    protocol = open_protocol(benchmark, named.protocol)
    if named.released and not protocol.released:
        able = [name for name, each in protocols_of(benchmark).items() if each.released]
        raise InputError(said(
            "error-released", released=named.released, protocol=protocol.name, able=able or None
        ))  # fmt: skip
    parser.set_defaults(**protocol.usual())


def _same(given: Any, wanted: Any) -> bool:
    """Tell whether two values of a switch are one: 1 and "1" are, and all forms of nothing."""
    if _is_nothing(given) or _is_nothing(wanted):
        return _is_nothing(given) and _is_nothing(wanted)
    if isinstance(given, int | float) and isinstance(wanted, int | float):
        return bool(given == wanted)
    return _words(given) == _words(wanted)


def _is_nothing(value: Any) -> bool:
    """Tell whether a switch was not given; 0 is a value."""
    return value is None or value is False or value in ("", [], ())


def _words(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _in_words(switch: str, value: Any) -> Text:
    """A switch as a paper names it."""
    if switch == "extract" and not _is_nothing(value):
        return said("boards-extract", policy=value)
    name = switch.replace("_", "-")
    if switch == "temperature" and value is None:
        return said("boards-setting", name=name, value="default")
    if _is_nothing(value):
        return said("boards-off", name=name)
    return said("boards-setting", name=name, value=None if value is True else _words(value))
