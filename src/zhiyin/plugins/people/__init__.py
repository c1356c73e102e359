"""Studies in which people answer the same questions, and their answers beside those of models."""

from zhiyin.extensions import Command

COMMANDS = {
    "study": Command(
        "people take the same exam, and stand beside models",
        "zhiyin.plugins.people.cli.study",
        group="people",
        prints=True,
        usual=True,
    ),
}
