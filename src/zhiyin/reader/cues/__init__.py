"""The lexicon: how the reader recognises that an option is declared, rejected, doubted or supposed.

`english`, `chinese` and `others` hold words and phrases; `before` and `after` make patterns of
them, for what stands before and after a named option.
"""

from zhiyin.reader.cues import after, before

__all__ = ["after", "before"]
