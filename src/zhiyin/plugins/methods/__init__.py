"""Statistical methods beyond a comparison: items, exams, plans, audits of reading."""

from zhiyin.extensions import Command

COMMANDS = {
    "exam": Command(
        "a tenth of the questions, chosen by what they tell of a model",
        "zhiyin.plugins.methods.plan_command",
        group="examine",
        prints=True,
    ),
    "stats": Command(
        "statistics on runs",
        "zhiyin.plugins.methods.stats_command",
        group="read results",
        prints=True,
    ),
    "plan": Command(
        "how many items a difference needs; register a plan",
        "zhiyin.plugins.methods.plan_command",
        group="read results",
        prints=True,
    ),
    "reading": Command(
        "how well a policy reads marked replies",
        "zhiyin.plugins.methods.reading_command",
        group="read results",
        prints=True,
    ),
}
