"""`zhiyin data template FILE`: a small file of questions that runs as it is."""

from __future__ import annotations

import argparse
from pathlib import Path


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("file", metavar="FILE", help="what to write; its suffix says in which form")
    parser.add_argument("--kind", default="choice", help="choice, free, audio or image")


def execute(args: argparse.Namespace) -> dict[str, str]:
    """Write the file."""
    from zhiyin.benchmarks.questions.templates import write_template

    return {"file": args.file, "remark": write_template(Path(args.file), args.kind)}


def show(results: dict[str, str]) -> str:
    """What was written, and what to do with it."""
    return results["remark"]
