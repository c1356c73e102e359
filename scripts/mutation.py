"""Small changes of a program, for `bench/mutants.py`: each is a fault that a test should find.

A change is one node of the syntax tree: another operator, another constant, a condition turned
round, a statement left out. Words for people (messages, reasons, docstrings), annotations,
decorators and the heads of classes stay as they are: no figure hangs on them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
REPLACED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


class Change(NamedTuple):
    """A place where a tree can be changed.

    Attributes
    ----------
    lines : range
        The lines of the statement, or of its head, in which it lies.
    scope : str
        The function or class around it, "" for the module.
    before, after : str
        The changed expression, as code.
    """

    lines: range
    scope: str
    before: str
    after: str


def _other(node: ast.AST) -> Iterator[ast.AST | None]:
    """What may stand in the place of a node; None for nothing at all."""
    if isinstance(node, ast.Compare):
        for position, sign in enumerate(node.ops):
            for other in COMPARED[type(sign)]:
                ops = [*node.ops[:position], other(), *node.ops[position + 1 :]]
                yield ast.Compare(node.left, ops, node.comparators)
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in REPLACED:
        operator = REPLACED[type(node.op)]()
        if isinstance(node, ast.BinOp):
            yield ast.BinOp(node.left, operator, node.right)
        else:
            yield ast.AugAssign(node.target, operator, node.value)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif isinstance(node, ast.Constant):
        yield from _other_constant(node.value)
    elif isinstance(node, ast.Continue):
        yield ast.Break()
    elif isinstance(node, ast.Break):
        yield ast.Continue()
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield ast.Pass()


def _other_constant(value: object) -> Iterator[ast.AST]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int | float):
        yield ast.Constant(value + 1)
    elif isinstance(value, str) and value and not _FOR_PEOPLE.fullmatch(value):
        yield ast.Constant(f"XX{value}XX")


_FOR_PEOPLE = re.compile(r"[\w,;:'%.()-]+( [\w,;:'%.()-]+)+ ?")


def _left_alone(node: ast.AST) -> bool:
    """Whether no change within a node would change what the program works out."""
    return (
        isinstance(node, ast.Raise | ast.JoinedStr | ast.Assert | ast.Import | ast.ImportFrom)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Literal")
        or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__")
    )


def _head(statement: ast.stmt) -> range:
    body = getattr(statement, "body", None)
    last = statement.end_lineno or statement.lineno
    if body:
        last = max(statement.lineno, body[0].lineno - 1)
    return range(statement.lineno, last + 1)


_UNCHANGED = ("annotation", "returns", "decorator_list", "bases")


def _walk(node: ast.AST, lines: range, scope: str) -> Iterator[tuple[Change, Callable[[], None]]]:
    """Every change within a node, with what makes it; the condition of an `if` turned round too."""
    for name, value in ast.iter_fields(node):
        if name in _UNCHANGED or (isinstance(node, ast.ClassDef) and name == "keywords"):
            continue
        for position, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST) or _left_alone(child):
                continue
            within, inner = lines, scope
            if isinstance(child, ast.stmt):
                within = _head(child)
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{scope}.{child.name}".lstrip(".")
            others = list(_other(child))
            if name == "test" and not others and not isinstance(node, ast.While):
                others.append(ast.UnaryOp(ast.Not(), child))
            for other in others:
                change = Change(within, scope, ast.unparse(child), ast.unparse(other))
                yield change, _setter(node, name, position, child, other)
            yield from _walk(child, within, inner)


def _setter(
    node: ast.AST, name: str, position: int, child: ast.AST, other: ast.AST
) -> Callable[[], None]:
    def change() -> None:
        ast.copy_location(other, child)
        held = getattr(node, name)
        if isinstance(held, list):
            held[position] = other
        else:
            setattr(node, name, other)

    return change


def changes(source: str) -> list[Change]:
    """Every change that can be made of a program's text, in its order."""
    return [change for change, _ in _walk(ast.parse(source), range(0), "")]


def changed(source: str, number: int) -> ast.Module:
    """The program with its change of that number, counted from 0."""
    tree = ast.parse(source)
    for position, (_, make) in enumerate(_walk(tree, range(0), "")):
        if position == number:
            make()
            return ast.fix_missing_locations(tree)
    raise IndexError(number)
