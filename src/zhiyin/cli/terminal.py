"""What is written on a terminal: whatever servers, models and data say, it cannot steer it."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from zhiyin.text import printable


class Terminal(Console):
    """A rich console that shows control characters in what it is given, and obeys none."""

    def render_str(self, text: str, **options: Any) -> Text:
        """As rich does, for every string that is printed, cells of tables included."""
        return super().render_str(printable(text), **options)
