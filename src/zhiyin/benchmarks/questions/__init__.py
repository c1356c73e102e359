"""Your own questions: a file of them is a benchmark. `docs/how-to/your-own-questions.md`."""

from zhiyin.extensions import Command

COMMANDS = {
    "template": Command(
        "write a small file of questions that runs as it is, to be filled with your own",
        "zhiyin.benchmarks.questions.template_command",
        under="data",
    )
}
