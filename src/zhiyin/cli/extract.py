"""`zhiyin extract`: answers read out of free text."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from zhiyin.cli.output import refuse_unread
from zhiyin.errors import InputError, reworded
from zhiyin.words import localized, said

if TYPE_CHECKING:
    from zhiyin.reader import Policy
    from zhiyin.trial import Option

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_EXAMPLE = '{"text": "The answer is B.", "options": ["Piano", "Violin"]}'


def extract(*, extract: str = "robust", list_: bool = False) -> int:
    """Read answers out of replies: JSON lines in, JSON lines out.

    Reads one JSON object a line from standard input, such as
    {"text": "The answer is B.", "options": ["Piano", "Violin"]}, and writes
    {"answer": "B" or null, "why": ...} for each. "options" is a list of texts or a number of
    options; without it the options are A to D.

    Parameters
    ----------
    extract : POLICY --policy
        how answers are read from replies
    list_
        list the policies and stop
    """
    from zhiyin import extensions as plugins
    from zhiyin.contract.policies import find_policy, open_policy, policies

    if list_:
        outside = map(find_policy, plugins.installed(plugins.POLICIES))
        for policy in (*policies().values(), *filter(None, outside)):
            told = said("policy-summary", name=policy.name, summary=policy.summary)
            sys.stdout.write(f"{policy.label:<18} {localized(told)}\n")
        return 0
    policy = open_policy(extract)
    for number, line in enumerate(sys.stdin.buffer, 1):
        if line.strip():
            sys.stdout.buffer.write(_answer(line, number, policy) + b"\n")
            sys.stdout.buffer.flush()
            refuse_unread()
    return 0


def _answer(line: bytes, number: int, policy: Policy) -> bytes:
    """The line of output for one line of input."""
    import msgspec

    from zhiyin.files import NOT_JSON

    where = f"standard input line {number}"
    with reworded(f"{where}: not JSON (", f"); write {_EXAMPLE}", of=NOT_JSON):
        asked = msgspec.json.decode(line)
    if not isinstance(asked, dict) or not isinstance(asked.get("text"), str):
        raise InputError(said("extract-text", where=where, example=_EXAMPLE))
    reading = policy.extract(asked["text"], _options(asked.get("options"), where))
    return msgspec.json.encode({"answer": reading.letter, "why": reading.why})


def _options(given: Any, where: str) -> list[Option]:
    """The options that `given` describes: a list of texts, a count, or nothing for A to D."""
    from zhiyin.trial import Option

    if isinstance(given, int) and not isinstance(given, bool):
        texts = [""] * given
        if not 1 <= given <= len(_LETTERS):
            raise InputError(said("extract-number", where=where, given=given))
    elif given is None or given == []:
        texts = [""] * 4
    elif isinstance(given, list) and all(isinstance(text, str) for text in given):
        texts = given
    else:
        raise InputError(said("extract-options", where=where))
    if len(texts) > len(_LETTERS):
        raise InputError(said("extract-many", where=where, texts=len(texts)))
    return [Option(letter, text, letter) for letter, text in zip(_LETTERS, texts, strict=False)]
