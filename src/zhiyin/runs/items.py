"""Which trials ask about the same: the item and the condition of a logged trial; what is right.

Trials name both (`Trial.item`, `Trial.condition`). Logs that were written before they did are
still read: only here, and only for those, is the item looked for in the trial's id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zhiyin.trial import Option, Tag

_REPLICATED = ("repeat", "rotation")


def item_of(trial_id: str, item: str, condition: str, tags: Mapping[str, Tag]) -> tuple[str, str]:
    """The item of a logged trial, and the condition under which it was asked.

    Parameters
    ----------
    trial_id : str
    item, condition : str
        As logged.
    tags : mapping

    Returns
    -------
    tuple of str
        As logged, where `item` is. Without it a trial is an item of its own, unless its tags
        show an old log: the tag ``item`` then names it, and the condition is what is left of the
        id without the item and without the parts that say repeat (``r2``) and rotation
        (``rotation=3``). An old log without that tag has its item in the id as a whole, but for
        those parts.
    """
    if item:
        return item, condition
    if not tags:
        return trial_id, condition
    named = str(tags.get("item") or "")
    if not named and not any(tag in tags for tag in _REPLICATED):
        return trial_id, condition
    rest = trial_id
    if named and trial_id.startswith(named):
        rest = trial_id[len(named) :]
    elif named and trial_id.endswith(named):
        rest = trial_id[: -len(named)]
    repeats = {f"r{tags['repeat']}"} if "repeat" in tags else set()
    repeats |= {f"rotation={tags['rotation']}"} if "rotation" in tags else set()
    left = "/".join(part for part in rest.split("/") if part and part not in repeats)
    return (named, left) if named else (left or trial_id, "")


def gold_of(options: Sequence[Option], target: str | None) -> str | None:
    """The letter of the option whose key is the target; None for a free answer."""
    for option in options:
        if option.key == target:
            return option.letter
    return None
