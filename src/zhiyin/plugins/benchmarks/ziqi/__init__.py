"""ZIQI-Eval: does a text model know music, and can it tell how a tune goes on?

Four-option questions in Chinese on ten fields of music in 56 subcategories, and tunes in ABC
notation to be continued. `docs/benchmarks/ziqi.md` is its page.
"""

from zhiyin.extensions import Command

COMMANDS = {
    "bias": Command(
        "women, Black Africa and Europe in music knowledge",
        "zhiyin.plugins.benchmarks.ziqi.bias_command",
        under="stats",
    )
}
