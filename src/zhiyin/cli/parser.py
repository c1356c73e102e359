"""The parser of commands: errors are one line, in the language of the terminal."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn, cast

from zhiyin.errors import InputError, did_you_mean, nearest
from zhiyin.extensions import commands
from zhiyin.words import Said, said

GONE = {
    "repeat": "give the run's command --cache off and another --out, then `zhiyin compare` the two",
    "serve": "start `vllm serve` or `transformers serve`, then -m http://HOST:PORT/v1#MODEL",
    "sign": "sign RUN/SHA256SUMS with minisign or sigstore (docs/verify.md)",
}
"""Commands of earlier versions, and what does that now. A command declares its own flags."""
_COUNTS = ("--n", "--num", "--count", "--max-samples", "--num-samples")
"""How other programs call the number of questions."""
_LONGEST = 300


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, and that knows which flag was meant.

    A flag is taken once.

    Attributes
    ----------
    help_at : str
        The command whose help a message names; by default the command itself.
    """

    help_at = ""
    _words: Sequence[str] = ()
    _taken: Sequence[argparse.Action] = ()

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        for name in (None, "store"):
            self.register("action", name, _Once)

    def refuse(self, what: Said | str) -> NoReturn:
        """Raise `InputError` with a message, and where help is."""
        at = f"{self.help_at or self.prog} --help"
        raise InputError(said("error-see", what=what, help=at))

    def error(self, message: str) -> NoReturn:
        """Refuse what argparse does when all is read: what was required and is not there."""
        self._refuse_unknown(word for word in self._words if word.startswith("--"))
        lacking = [a for a in self._actions if a.required and a not in self._taken]
        groups = (g._group_actions for g in self._mutually_exclusive_groups if g.required)
        if lacking:
            self.refuse(said("error-required", names=", ".join(map(_name_of, lacking))))
        for group in groups:
            if not any(action in self._taken for action in group):
                self.refuse(said("error-one-of", names=" ".join(map(_name_of, group))))
        self.refuse(_short(message))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does, and note which arguments were there."""
        self._taken = []
        return super().parse_known_args(args, namespace)

    def _parse_known_args(self, *args: Any) -> Any:
        try:
            return super()._parse_known_args(*args)  # type: ignore[misc]
        except argparse.ArgumentError as error:
            name = error.argument_name
            action = next((a for a in self._actions if _name_of(a) == name), None)
            if action is None:  # of Python 3.12 on: one that is required is not there
                self.error(error.message)
            given = (w.partition("=")[2] for w in self._words if "=" in w)
            if action.nargs == 0:
                self.refuse(said("error-takes-none", flag=name, value=repr(next(given, ""))))
            self.refuse(_short(str(error)))

    def _match_argument(self, action: argparse.Action, arg_strings_pattern: str) -> int:
        try:
            return int(super()._match_argument(action, arg_strings_pattern))  # type: ignore[misc]
        except argparse.ArgumentError:
            few = {None: "single", "?": "most", "+": "least"}.get(cast("Any", action.nargs))
            self.refuse(said("error-wants", flag=_name_of(action), few=few or str(action.nargs)))

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        for group in self._mutually_exclusive_groups:
            if action in group._group_actions:
                for other in {*group._group_actions} & {*self._taken} - {action}:
                    names = {"flag": _name_of(action), "other": _name_of(other)}
                    self.refuse(said("error-not-with", **names))
        self._taken = [*self._taken, action]
        return super()._get_values(action, arg_strings)  # type: ignore[misc]

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does, but name the nearest known flag for an unknown one."""
        self._words = args or []
        parsed, unknown = self.parse_known_args(args, namespace)
        parser = self._innermost()
        parser._refuse_unknown(word for word in unknown if word.startswith("-"))
        if unknown and not parser._take_later(parsed, unknown):
            parser._refuse_unknown(word for word in self._words if word.startswith("--"))
            parser.refuse(said("error-argument", words=_short(" ".join(unknown))))
        return parsed

    def _take_later(self, parsed: argparse.Namespace, words: Sequence[str]) -> bool:
        """Add what stands behind a flag to the list before it, which argparse has closed."""
        for action in self._get_positional_actions():
            if action.nargs in ("+", "*"):
                more = [self._get_value(action, word) for word in words]
                setattr(parsed, action.dest, [*getattr(parsed, action.dest), *more])
                return True
        return False

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Check as argparse does, but name the nearest choice."""
        if action.choices is not None and value not in action.choices:
            hint = did_you_mean(str(value), map(str, action.choices))
            shown = _short(repr(value))
            self.refuse(said("error-choice", name=_name_of(action), value=shown, hint=hint))

    def _refuse_unknown(self, words: Iterable[str]) -> None:
        """Raise `InputError` for a flag that does not exist."""
        for word in words:
            flag = word.partition("=")[0]
            if flag in self._option_string_actions or flag == "--":
                continue
            command = commands().get(self.prog.removeprefix("zhiyin "))
            if command and (gone := command.gone.get(flag)):
                raise InputError(said("error-gone", what=flag, now=gone))
            known = [name for name in self._option_string_actions if name.startswith("--")]
            if flag == "--lang":
                raise InputError(said("error-no-lang"))
            meant = [name for name in ("--limit", "--sample") if flag in _COUNTS and name in known]
            close = meant or nearest(flag, known) or None
            where = (command.elsewhere if command else "") or None
            self.refuse(said("error-flag", flag=flag[:_LONGEST], close=close, elsewhere=where))

    def _innermost(self) -> Parser:
        """The parser of the subcommand that is named, if there is one."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                chosen = next((word for word in self._words if word in action.choices), None)
                if chosen is not None:
                    return cast("Parser", action.choices[chosen])
        return self


class _Once(argparse._StoreAction):
    """Stores a value; a second one is refused, where argparse would forget the first."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        given = vars(namespace).setdefault(_GIVEN, set())
        if option_string and self.dest in given:
            cast("Parser", parser).refuse(
                said("error-twice", flag=_name_of(self), model=self.dest == "model")
            )
        given.add(self.dest)
        super().__call__(parser, namespace, values, option_string)


_GIVEN = "_given"


def _name_of(action: argparse.Action) -> str:
    return str(argparse._get_action_name(action))


def _short(text: str) -> str:
    """A text that repeats what was given, cut where that is long."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
