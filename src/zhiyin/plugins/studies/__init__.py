"""Studies in which people answer the same questions, with a page of their own."""

from zhiyin.extensions import Command

COMMANDS = {
    "study": Command(
        "people take the same exam, and stand beside models",
        "zhiyin.plugins.studies.cli.study",
        group="people",
        prints=True,
        usual=True,
    )
}
