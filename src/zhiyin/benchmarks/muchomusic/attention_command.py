"""`zhiyin attention RUN`: does the model answer worse when it does not hear the music?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zhiyin.contract.conditions import Attention
    from zhiyin.contract.declared import Section


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("run", metavar="RUN", help="of a run with --audio true,noise")
    parser.add_argument(
        "--alpha", type=float, default=0.05, metavar="P", help="level of significance; default 0.05"
    )


def execute(args: argparse.Namespace) -> Attention:
    """The test of a run, whether its model passes or fails."""
    from zhiyin.contract.conditions import attention

    return attention(Path(args.run), args.alpha)


def show(attention: Attention) -> list[Section]:
    """The contrasts under the name of the run."""
    import msgspec

    from zhiyin.contract.conditions import attention_section

    section = attention_section(attention)
    return [msgspec.structs.replace(section, title=f"{attention.model}  {attention.run}")]
