"""`zhiyin study`: people take the same exam, in their browsers."""

from __future__ import annotations

import argparse
import itertools
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError, did_you_mean
from zhiyin.numerals import counted

if TYPE_CHECKING:
    from zhiyin.cli import Parser
    from zhiyin.flags import Field

HELP = "Make a study, serve it to people's browsers, and export their answers."
ACTIONS = {
    "make": "a study of a benchmark, of a run, or of a file",
    "serve": "let people take part; the researcher's page is on a port of its own",
    "export": "answers, trials and codebook",
    "show": "how the study stands",
    "backup": "the whole study in one file, while it goes on",
    "restore": "a backup into a new folder",
    "ethics": "one text for an ethics board",
    "words": "the words of the pages, to be translated",
}
_ITS_OWN = "study-"
"""What stands before a flag of the study whose name is one of the benchmark's own."""
_STORED = ("serve", "export", "show", "ethics")


def rewrite(arguments: Sequence[str]) -> list[str]:
    """`make --from BENCHMARK ...` has the flags of `zhiyin run BENCHMARK`."""
    from zhiyin.contract.arguments import file_as_data, in_two_words

    words = in_two_words(arguments, "--from")
    if words[:1] != ["make"]:
        return words
    sources = []
    while "--from" in words:
        place = words.index("--from")
        if place + 1 >= len(words):
            raise InputError("--from: name a benchmark, a run folder, or a file")
        sources.append(words[place + 1])
        del words[place : place + 2]
    if not sources:
        return words
    if _is_benchmark(sources[0], words):
        return ["make", *file_as_data([sources[0], *words[1:]])]
    return ["make", *words[1:], *(f"--source={source}" for source in sources)]


def _is_benchmark(source: str, words: list[str]) -> bool:
    """Whether a source is asked as `zhiyin run` would: no run, and no page of sounds."""
    return not (Path(source, "run.json").is_file() or _rated_file(source, words))


def _rated_file(source: str, words: list[str]) -> bool:
    kinds = [b for a, b in itertools.pairwise(words) if a == "--kind"]
    return Path(source).is_file() and (kinds[:1] == ["rate"] or "--kind=rate" in words)


def prepare(parser: Parser, arguments: Sequence[str]) -> None:
    """Add the flags of the action."""
    parser.epilog = "; ".join(f"{name}: {summary}" for name, summary in ACTIONS.items())
    parser.add_argument("action", metavar="ACTION", choices=ACTIONS, help=", ".join(ACTIONS))
    action = arguments[0] if arguments else ""
    if action in ACTIONS:
        parser.help_at = f"{parser.prog} {action}"
    if action == "make":
        _prepare_make(parser, arguments[1:])
    elif action in ACTIONS:
        _prepare_other(parser, action)
    elif action and not action.startswith("-"):
        hint = did_you_mean(action, ACTIONS)
        raise InputError(f"ACTION {action!r}: {hint}; see `{parser.prog} --help`")


def _prepare_make(parser: Parser, words: Sequence[str]) -> None:
    from zhiyin.cli.flags import prepare_as_run
    from zhiyin.flags import add_flag, add_part
    from zhiyin.study.design import StudyWish

    if any(word.startswith("--source=") for word in words) or not _named(words):
        add_part(parser, StudyWish)
        add = parser.add_argument
        add("--from", "--source", dest="source", action="append", help="BENCHMARK, RUN or FILE")
        add("--out", metavar="DIR", help="the study's folder")
        add("--json", action="store_true", help="print one JSON object and nothing else")
        parser.set_defaults(benchmark=None)
        return
    taken = _taken(words[0])
    for field in taken:
        flag = msgspec.structs.replace(field.flag, name=f"{_ITS_OWN}{field.word}")
        add_flag(parser, msgspec.structs.replace(field, flag=flag))
    left_out = {"sample": "", "seed": ""} | {field.name: "" for field in taken}  # a run's own
    add_part(parser, StudyWish, **left_out)
    kept = {"benchmark", "data", "sample", "seed", "partial", "out", "shots"}
    own = {action.dest for action in parser._actions}
    prepare_as_run(parser, words, kept | own, "nobody is asked here")


def _taken(benchmark: str) -> list[Field]:
    """The study's settings whose flags bear the name of one of the benchmark's own."""
    from zhiyin.contract.registry import find
    from zhiyin.flags import fields_of, flagged
    from zhiyin.study.design import StudyWish

    theirs = {field.name for field in fields_of(find(benchmark).Settings)} - {"seed"}
    return [field for field in flagged(StudyWish) if field.name in theirs]


def _named(words: Sequence[str]) -> bool:
    return bool(words) and not words[0].startswith("-")


def _prepare_other(parser: Parser, action: str) -> None:
    add = parser.add_argument
    if action == "words":
        from zhiyin.study.design import built_in_words

        add("language", choices=tuple(built_in_words()), help="from which to translate")
        return
    add("study", metavar="DIR", help="the study's folder" if action != "restore" else "a backup")
    if action in ("export", "backup", "restore", "ethics"):
        add("--out", required=True, metavar="PATH", help="where to write")
    if action in _STORED:
        add("--database", default=os.environ.get("ZHIYIN_STUDY_DATABASE", ""), metavar="URL",
            help="PostgreSQL, in place of SQLite; or $ZHIYIN_STUDY_DATABASE")  # fmt: skip
    if action == "show":
        add("--model", action="append", default=[], metavar="RUN",
            help="a model's run on the exam, to stand beside people")  # fmt: skip
        add("--out", metavar="FILE.html", help="write people beside models as a figure")
    if action in ("export", "show"):
        add("--json", action="store_true", help="print one JSON object and nothing else")
    if action == "serve":
        from zhiyin.flags import add_part
        from zhiyin.study.design import ServingWish

        add_part(parser, ServingWish)


def execute(args: argparse.Namespace) -> int:
    """Carry out the action, and return the exit status."""
    action: str = args.action
    if action == "make":
        return _make(args)
    if action == "words":
        from zhiyin.study.design import LANGUAGES

        sys.stdout.write((LANGUAGES / f"{args.language}.json").read_text("utf-8"))
        return 0
    if action in ("backup", "restore"):
        from zhiyin.study.backup import back_up, restore

        work = back_up if action == "backup" else restore
        print(f"{work(Path(args.study), Path(args.out))} files: {args.out}")
        return 0
    from zhiyin.study.store import StudyStore

    store = StudyStore(Path(args.study), args.database)
    try:
        return {"serve": _serve, "export": _export, "show": _show, "ethics": _ethics}[action](
            store, args
        )
    finally:
        store.close()


def _make(args: argparse.Namespace) -> int:
    from zhiyin.flags import read_part
    from zhiyin.study.design import StudyWish
    from zhiyin.study.making import make, trials_of

    if not args.out:
        raise InputError("--out is missing: name the study's folder")
    given = vars(args)
    own = {name.removeprefix("study_"): name for name in given if name.startswith("study_")}
    wish = read_part(StudyWish(), given | {name: given[flag] for name, flag in own.items()})
    source: Any
    if args.benchmark:
        options = {name: getattr(args, name) for name in ("data", "seed", "partial", "shots")}
        options |= {"extract": None}
        options |= {name: getattr(args, name) for name in args.benchmark_flags}
        source = trials_of(args.benchmark, options)
    elif not args.source:
        raise InputError("--from is missing: name a benchmark, a run folder, or a file")
    else:
        paths = [Path(path) for path in args.source]
        source = paths if (paths[0] / "run.json").is_file() else paths[0]
    made = make(source, Path(args.out), wish)
    if args.json:
        print_json({"folder": str(made.folder), "items": made.counts, "remarks": made.remarks})
        return 0
    counts = ", ".join(f"{n} {role}" for role, n in made.counts.items())
    print(f"wrote a study with {counts} items to {made.folder}")
    for remark in made.remarks[:10]:
        print(f"  note: {remark}")
    print("  read study.toml, write what people are to be told, then:")
    print(f"  zhiyin study serve {made.folder}")
    return 0


def _serve(store: Any, args: argparse.Namespace) -> int:
    from zhiyin.flags import read_part
    from zhiyin.study.design import ServingWish
    from zhiyin.study.serving import LOOPBACK, serve

    wish = read_part(ServingWish(), vars(args))
    for run in wish.model:
        if not Path(run, "run.json").is_file():
            raise InputError(f"--model {run}: no run there: name the folder of a model's run")
    if wish.host not in LOOPBACK and not wish.https:
        sys.stderr.write("warning: without https, others on the way can read the answers\n")
    if wish.research_host not in LOOPBACK:
        sys.stderr.write("warning: the researcher's page can be reached from other machines\n")

    def ready(people: str, research: str, token: str) -> None:
        sys.stderr.write(f"participants: {people}\nresearcher:   {research}  token: {token}\n")
        sys.stderr.flush()

    token = os.environ.get("ZHIYIN_STUDY_TOKEN", "")
    serve(store, wish, token, ready, limits=not os.environ.get("ZHIYIN_STUDY_NO_LIMITS"))
    return 0


def _export(store: Any, args: argparse.Namespace) -> int:
    from zhiyin.study.results import export

    done = export(store, Path(args.out))
    if args.json:
        print_json({"file": str(done.file), "trials": str(done.trials),
                    "codebook": str(done.codebook), "answers": done.answers,
                    "people": done.people})  # fmt: skip
        return 0
    people = counted(done.people, "person", "people")
    print(f"{counted(done.answers, 'answer')} of {people}: {done.file}")
    print(f"  trials: {done.trials}\n  codebook: {done.codebook}")
    return 0


def _show(store: Any, args: argparse.Namespace) -> int:
    import msgspec

    from zhiyin.cli.human import alpha_words
    from zhiyin.study.results import figures

    results = figures(store)
    compared = _compared(store, args)
    if args.json:
        print_json(msgspec.to_builtins(results))
        return 0
    people = results.people
    begun = counted(people["begun"], "person", "people")
    print(f"{store.study.name}: {begun}, {people['complete']} complete, "
          f"{len(results.excluded)} excluded")  # fmt: skip
    for name, alpha in results.alphas.items():
        print(f"  {name}: {alpha_words(alpha)}")
    counts = {d: sum(i.kept is not None and i.kept.decision == d for i in results.items)
              for d in ("keep", "drop", "open")}  # fmt: skip
    if any(counts.values()):
        print(f"  questions: {counts['keep']} kept, {counts['drop']} dropped, "
              f"{counts['open']} open")  # fmt: skip
    if compared is not None:
        console = open_console()
        console.print_table(compared.chart.table)
        for note in compared.notes:
            console.say(note)
        if args.out:
            console.say(f"figure: {args.out}", indent=0)
    return 0


def _compared(store: Any, args: argparse.Namespace) -> Any:
    """People beside the models that are named, written where that is wanted; None without any."""
    from zhiyin.study.beside import beside, write_figure

    if args.out and not args.model:
        raise InputError(f"--out {args.out}: name a run to stand beside people, by --model RUN")
    if not args.model:
        return None
    if store.study.kind != "exam":
        raise InputError(f"--model: people do not answer as models here, they {store.study.kind}")
    compared = beside(store, [Path(run) for run in args.model])
    if args.out:
        write_figure(compared, store.study.name, Path(args.out))
    return compared


def _ethics(store: Any, args: argparse.Namespace) -> int:
    from zhiyin.study.backup import ethics

    ethics(store, Path(args.out))
    print(f"wrote {args.out}")
    return 0
