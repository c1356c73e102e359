"""`zhiyin import`: a run of answers that a model gave elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.analysis.summary import summarise
from zhiyin.cli.show import print_summary
from zhiyin.errors import InputError
from zhiyin.text import quoted

if TYPE_CHECKING:
    pass


def import_(
    benchmark: str,
    files: tuple[Path, ...] = (),
    *,
    from_: str = "published",
    data: str | None = None,
    partial: bool = False,
    out: Path | None = None,
    model: str = "",
    extract: str = "robust",
    field: str = "",
    questions: Path | None = None,
    json: bool = False,
) -> int:
    """Make a run of answers that a model gave elsewhere, so that any policy can score them.

    Parameters
    ----------
    benchmark
        whose questions were answered: a benchmark, or your file of questions; with --from eee the
        first file
    files : FILE
        files of answers, or a folder of logs
    from_ : FORMAT
        published: the benchmark's own format (default); auto: whatever other program wrote it, or
        its name: eee (Every Eval Ever), lm-eval, lmms-eval, evalscope, inspect, openai-batch,
        audio-flamingo, kimi-audio-evalkit, mimo-audio-eval, audiobench, cot-faithfulness,
        midashenglm, nemo-skills, rows
    data : DIR
        with --from: the folder of the benchmark's questions; default: the fetched one
    partial
        with --from: leave out rows that answer no question, or differ from it
    out : RUN_DIR
        the run folder; by default runs/NAME-FILE-HASH
    model : -m NAME
        whose answers; default: the file's name
    extract : POLICY
        how answers are read; see `zhiyin list`
    field : NAME
        which field of an entry holds the reply, such as model_output; with --from also one within
        others, resps.0.0
    questions : FILE
        the published questions, where the replies have their ids alone
    """
    from zhiyin.contract.registry import find
    from zhiyin.plugins.lab.imports.formats import PUBLISHED

    made: Path | Sequence[Path]
    if from_ == "eee":  # its files name their benchmark and keep their verdicts
        from zhiyin.plugins.lab.every_eval_ever import import_eee

        if field or questions or data:
            raise InputError(
                "--from eee takes no --field, --questions or --data: all is in the files"
            )
        made = import_eee([Path(benchmark), *files], out, model)
    elif from_ != PUBLISHED:
        from zhiyin.plugins.lab.imports.importing import ForeignOrder, import_foreign

        if questions:
            raise InputError(
                "--questions is for published files: with --from name the data, --data"
            )
        order = ForeignOrder(benchmark, files, from_, data or "", field, partial, extract, model)
        made = import_foreign(order, out)
    else:
        if not files:
            raise InputError(f"no file of answers: `zhiyin import {quoted(benchmark)} FILE`")
        if data or partial:
            raise InputError("--data and --partial are for files of other programs: --from auto")
        kind = find(benchmark)
        more = {"field": field, "questions": questions}
        given = {name: value for name, value in more.items() if value}
        if given and "field" not in signature(kind.import_answers).parameters:
            raise InputError(
                f"{benchmark} takes no --{next(iter(given))}: its files are as published; --from "
                "auto reads those of other programs"
            )
        made = kind.import_answers(files, out, extract, model, **given)
    folders = [made] if isinstance(made, Path) else list(made)
    print_summary([summarise(folder) for folder in folders], as_json=json)
    return 0
