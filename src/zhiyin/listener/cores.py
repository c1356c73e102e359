"""How many processor cores hearing takes."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

_lock = threading.Lock()
_users = 0
_limit: Any = None


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """While it lasts, linear algebra of this process uses one thread for each call.

    The matrices of a recording are small and many: threads on every core wait for each other
    most of the time, and several recordings are heard side by side already.
    """
    global _users, _limit
    import scipy.linalg  # noqa: F401 - it brings a library of its own, which is to be limited too
    from threadpoolctl import threadpool_limits

    with _lock:
        if not _users:
            _limit = threadpool_limits(1, user_api="blas")
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if not _users:
                _limit.restore_original_limits()
