"""The making of benchmarks: questions, paraphrases, errata."""

from zhiyin.extensions import Command

COMMANDS = {
    "template": Command(
        "write a small file of questions that runs as it is, to be filled with your own",
        "zhiyin.plugins.making.documents_command",
        under="data",
    ),
    "forge": Command(
        "benchmarks: questions from captions, harder wrong answers",
        "zhiyin.plugins.making.forge_command",
        group="make",
        prints=True,
        usual=True,
    ),
    "errata": Command(
        "flaws of a benchmark's items that a machine can prove",
        "zhiyin.plugins.making.errata_command",
        group="data",
        prints=True,
    ),
    "seed": Command(
        "a private seed: commit to it before the run, show it after",
        "zhiyin.plugins.making.documents_command",
        group="trust",
        prints=True,
    ),
    "card": Command(
        "what may be concluded from a benchmark, and what that rests on",
        "zhiyin.plugins.making.documents_command",
        group="trust",
        prints=True,
        reads=True,
    ),
}
