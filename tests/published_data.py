"""The one place that looks for published data, for tests and for bench/."""

import os
from pathlib import Path

BESIDE = Path(__file__).resolve().parents[2] / "shared"


def published_data(*parts: str) -> Path | None:
    """A folder below `data` in $ZHIYIN_SHARED, or in `shared` beside the repository, or None."""
    folder = Path(os.environ.get("ZHIYIN_SHARED") or BESIDE, "data", *parts)
    return folder if folder.is_dir() else None
