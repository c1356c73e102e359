"""`zhiyin readers RUN|FILE`: the same replies by every published rule, and by ours."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.plugins.methods.readers import ByEveryRule, Nearest, RulePair


def readers(
    replies: Path,
    *,
    field: str = "",
    questions: Path | None = None,
    between: tuple[str, ...] = (),
    embed: str = "",
    json: bool = False,
) -> int:
    """The same replies by every published rule that fits, and by ours.

    Each rule is named with the repository, commit and file that it is taken from. Rules that guess
    are given in expectation and by 1,000 draws. Nobody is asked.

    Parameters
    ----------
    replies : RUN|FILE
        a run, or replies as any known program writes them, with question, choices and answer
    field : NAME
        which field of an entry holds the reply
    questions : FILE
        the questions, where FILE has ids and replies alone
    between : RULE,RULE
        why these two read some replies differently, with examples
    embed : python:FILE.py:FUNCTION
        for a rule that leaves replies to an embedding: a function from texts to vectors
    """
    from zhiyin.plugins.methods.reader_tables import readers_sections, span_words
    from zhiyin.plugins.methods.readers import by_every_rule, rules_of_run

    pair = [word for part in between for word in part.split(",") if word]
    if between and len(pair) != 2:
        raise InputError("--between takes two rules, as --between string-match,robust")
    nearest = _nearest(embed) if embed else None
    if replies.is_dir():
        if field or questions:
            raise InputError("--field and --questions are for files; a run has both")
        found = rules_of_run(replies, nearest=nearest)
    else:
        found = by_every_rule(_of_file(replies, field, questions), nearest=nearest)
    if found is None:
        raise InputError(
            f"{replies}: no reply here that more than one rule reads: rules are known for "
            "questions with options, lists of notes and labels of a closed set"
        )
    if json:
        line = span_words(found)
        print_json({"result": found, "told": None if line is None else str(line)})
        return 0
    chosen = _pair(found, pair) if pair else None
    console = open_console()
    with console.paged():
        if chosen is not None:
            _print_pair(chosen, console)
            return 0
        for section in readers_sections(found):
            console.print_table(section.table("readers"))
        if line := span_words(found):
            console.say(line, 0)
    return 0


def _of_file(path: Path, field: str, questions: Path | None) -> Any:
    from zhiyin.plugins.lab.imports.entries import REPLY, foreign_entries
    from zhiyin.plugins.methods.replies import records_of

    line = shlex.join(["zhiyin", "readers", str(path)])
    return records_of(foreign_entries(path, field, questions, line), REPLY)


def _pair(found: ByEveryRule, wanted: Sequence[str]) -> RulePair:
    from zhiyin.errors import did_you_mean

    names = [own.name for own in found.figures]
    for name in wanted:
        if name not in names:
            raise InputError(f"--between: no rule {name!r} here: {did_you_mean(name, names)}")
    one = next((p for p in found.pairs if {p.first, p.second} == set(wanted)), None)
    if one is None:
        raise InputError(f"--between {','.join(wanted)}: give two different rules")
    return one


def _print_pair(pair: RulePair, console: Any) -> None:
    from zhiyin.words import said

    console.say(
        said(
            "readers-pair",
            first=pair.first,
            second=pair.second,
            n=pair.n,
            first_gains=pair.first_gains,
            second_gains=pair.second_gains,
        ),
        0,
    )
    for cause in pair.causes:
        console.say(f"{cause.n:,} x {pair.first}: {cause.first}; {pair.second}: {cause.second}", 2)
        for one in cause.examples:
            console.say(f"{one.trial}: {one.first} / {one.second}: {one.reply}", 6)


def _nearest(spec: str) -> Nearest:
    """The place of the option nearest to a reply by an embedding of the user's."""
    import numpy as np

    from zhiyin.models.function import load_object

    kind, _, rest = spec.partition(":")
    if kind != "python" or not rest:
        raise InputError(f"--embed {spec}: write python:FILE.py:FUNCTION")
    function = load_object(rest)
    if not callable(function):
        raise InputError(f"--embed {spec}: no function; give one from a list of texts to vectors")

    def nearest(reply: str, texts: Sequence[str]) -> int:
        try:
            vectors = np.asarray(function([reply, *texts]), np.float64)
        except Exception as error:
            raise InputError(f"--embed {spec}: it failed: {error!r}; correct it") from None
        if vectors.ndim != 2 or len(vectors) != len(texts) + 1 or not np.isfinite(vectors).all():
            raise InputError(f"--embed {spec}: give one vector of finite numbers for each text")
        sizes = np.linalg.norm(vectors, axis=1)
        unit = vectors / np.where(sizes > 0, sizes, 1.0)[:, None]
        return int(np.argmax(unit[1:] @ unit[0]))

    return nearest
