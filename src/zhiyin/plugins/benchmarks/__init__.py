"""Published sets of questions."""

from zhiyin.extensions import Command

COMMANDS = {
    "reproduce": Command(
        "make a published table again from published replies",
        "zhiyin.plugins.benchmarks.reproduce_command",
        group="trust",
        prints=True,
    )
}
