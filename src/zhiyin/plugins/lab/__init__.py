"""Work with many runs: suites, gate, leaderboard, lab book, imports and exports."""

from zhiyin.extensions import Command

_SIGNING = "sign RUN/SHA256SUMS with minisign or sigstore (docs/verify.md)"
COMMANDS = {
    "status": Command(
        "how far runs have come, here or elsewhere",
        "zhiyin.plugins.lab.folders_command",
        group="examine",
        prints=True,
        reads=True,
    ),
    "suite": Command(
        "benchmarks by models from one file, with one report",
        "zhiyin.plugins.lab.suite_command",
        group="examine",
        prints=True,
        usual=True,
        elsewhere="what `run` takes stands in the file, such as defaults = { cache = 7 }",
    ),
    "doctor": Command(
        "what a model takes, whether it hears, what it costs",
        "zhiyin.plugins.lab.doctor_command",
        group="examine",
        prints=True,
        usual=True,
    ),
    "trials": Command(
        "write out what would be asked, for a model that runs elsewhere",
        "zhiyin.plugins.lab.exchange_command",
        group="examine",
        prints=True,
    ),
    "import": Command(
        "make a run of answers that a model gave elsewhere",
        "zhiyin.plugins.lab.exchange_command",
        group="examine",
        prints=True,
    ),
    "view": Command(
        "runs in the browser, while they go on too",
        "zhiyin.plugins.lab.folders_command",
        prints=True,
        usual=True,
    ),
    "leaderboard": Command(
        "a folder of runs as one sortable page",
        "zhiyin.plugins.lab.exchange_command",
        group="read results",
        prints=True,
        reads=True,
        gone={"--key": _SIGNING},
    ),
    "export": Command(
        "a run for others: Parquet, CSV, Inspect, Every Eval Ever, the hub",
        "zhiyin.plugins.lab.exchange_command",
        group="read results",
        prints=True,
        reads=True,
    ),
    "data": Command(
        "fetch, make or check a benchmark's data or your questions",
        "zhiyin.plugins.lab.data_command",
        group="data",
        prints=True,
        usual=True,
    ),
    "verify": Command(
        "is a run what was written?",
        "zhiyin.plugins.lab.folders_command",
        group="trust",
        prints=True,
        usual=True,
        gone={
            "--key": _SIGNING,
            "--prove": f"for all records at once, {_SIGNING}",
            "--root": f"for all records at once, {_SIGNING}",
            "--seal": "giving the run's command again writes its SHA256SUMS",
        },
    ),
    "parity": Command(
        "do two servers of one checkpoint answer alike?",
        "zhiyin.plugins.lab.readers_command",
        group="trust",
        prints=True,
    ),
    "readers": Command(
        "the same replies by every published rule, and by ours",
        "zhiyin.plugins.lab.readers_command",
        group="read results",
        prints=True,
    ),
}
