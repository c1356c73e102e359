"""Fetching published data: from their source, a mirror, or a folder; checked, and resumable."""

from zhiyin.session.fetching.fetch import Fetched, fetch
from zhiyin.session.fetching.here import Here, look

__all__ = ["Fetched", "Here", "fetch", "look"]
