"""Judging what models write: grades for reviews, names for failures, and how far to trust both.

Each call of a judge is a trial of a run of its own, made from the records of the run judged.
`docs/judges.md` is its page; the command is ``zhiyin judge``.
"""

from zhiyin.extensions import Command, ModelKind

COMMANDS = {
    "judge": Command(
        "have the texts of a run judged, or its failures named",
        "zhiyin.plugins.judges.commands",
        group="read results",
        prints=True,
    ),
    "audit": Command(
        "how often the replies of a run are misread, and what follows",
        "zhiyin.plugins.judges.commands",
        group="trust",
        prints=True,
    ),
}
LEXICAL = ModelKind(
    "zhiyin.plugins.judges.lexical:open_lexical",
    {
        "lexical": "the embedded judge, by word lists",
        "lexical:EMBEDDER": "the embedded judge, by word lists and by meaning",
    },
    place="instant",
)
