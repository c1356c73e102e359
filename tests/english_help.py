"""Tables of benchmarks in English."""

from zhiyin.contract.declared import Section


def in_english(sections: list[Section]) -> list[Section]:
    """The same tables, their words as text."""
    return [section.in_english() for section in sections]
