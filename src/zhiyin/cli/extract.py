"""`zhiyin extract`: reads answers out of replies, JSON lines in and JSON lines out."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.reader import Policy
    from zhiyin.trial import Option

HELP = "read answers out of replies: JSON lines in, JSON lines out"

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_EXAMPLE = '{"text": "The answer is B.", "options": ["Piano", "Violin"]}'


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags of this command."""
    parser.description = (
        f"Reads one JSON object a line from standard input, such as {_EXAMPLE}, and writes "
        '{"answer": "B" or null, "why": ...} for each. "options" is a list of texts or a '
        "number of options; without it the options are A to D."
    )
    parser.add_argument(
        "--extract",
        "--policy",
        dest="extract",
        default="robust",
        metavar="POLICY",
        help="how answers are read from replies; default robust",
    )
    parser.add_argument("--list", action="store_true", help="list the policies and stop")


def execute(args: argparse.Namespace) -> int:
    """Run the command.

    Returns
    -------
    int
        0 when every line was read.

    Raises
    ------
    InputError
        For an unknown policy or a line that is not as described, naming the line.
    """
    from zhiyin import plugins
    from zhiyin.contract.policies import find_policy, open_policy, policies

    if args.list:
        outside = map(find_policy, plugins.installed(plugins.POLICIES))
        for policy in (*policies().values(), *filter(None, outside)):
            sys.stdout.write(f"{policy.label:<18} {policy.summary}\n")
        return 0
    policy = open_policy(args.extract)
    for number, line in enumerate(sys.stdin.buffer, 1):
        if line.strip():
            sys.stdout.buffer.write(_answer(line, number, policy) + b"\n")
            sys.stdout.buffer.flush()
    return 0


def _answer(line: bytes, number: int, policy: Policy) -> bytes:
    """The line of output for one line of input."""
    import msgspec

    from zhiyin.files import NOT_JSON

    where = f"standard input line {number}"
    try:
        asked = msgspec.json.decode(line)
    except NOT_JSON as error:
        raise InputError(f"{where}: not JSON ({error}); write {_EXAMPLE}") from None
    if not isinstance(asked, dict) or not isinstance(asked.get("text"), str):
        raise InputError(f'{where}: no "text" that is a string; write {_EXAMPLE}')
    reading = policy.extract(asked["text"], _options(asked.get("options"), where))
    return msgspec.json.encode({"answer": reading.letter, "why": reading.why})


def _options(given: Any, where: str) -> list[Option]:
    """The options that `given` describes: a list of texts, a count, or nothing for A to D."""
    from zhiyin.trial import Option

    if isinstance(given, int) and not isinstance(given, bool):
        texts = [""] * given
        if not 1 <= given <= len(_LETTERS):
            raise InputError(f'{where}: "options" is {given}; give a number from 1 to 26')
    elif given is None or given == []:
        texts = [""] * 4
    elif isinstance(given, list) and all(isinstance(text, str) for text in given):
        texts = given
    else:
        raise InputError(f'{where}: "options" is neither a list of texts nor a number of options')
    if len(texts) > len(_LETTERS):
        raise InputError(f'{where}: {len(texts)} "options"; give 26 at most')
    return [Option(letter, text, letter) for letter, text in zip(_LETTERS, texts, strict=False)]
