"""Published sets of questions."""

from zhiyin.extensions import Command

COMMANDS = {
    "reproduce": Command(
        "make a published table again from published replies",
        "zhiyin.plugins.benchmarks.cli.reproduce",
        group="trust",
        prints=True,
    ),
}
