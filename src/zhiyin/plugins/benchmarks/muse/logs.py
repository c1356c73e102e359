"""The published run logs: which run it was, what was played, every reply in full; and as runs.

A record begins with a time at the start of a line and runs to the next such line, so a reply may
hold line breaks. Paths in logs are those of the authors' machines; only the names count.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from zhiyin.contract.registry import declared
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.muse.benchmark import Muse, place_of
from zhiyin.plugins.benchmarks.muse.stimuli import PublishedItem, listed
from zhiyin.plugins.benchmarks.muse.tasks import TASK_NAMES, TASKS, Group, Mode, task_named
from zhiyin.plugins.methods.imported import files_below, write_replies
from zhiyin.plugins.music.clips import read_text
from zhiyin.record import Reply
from zhiyin.trial import Trial, say
from zhiyin.words import said

_RECORD = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} - ", re.M)
_NAME = re.compile(
    rf"(?P<task>{'|'.join(TASK_NAMES)})_(?P<model>.+)_CHAT_(?P<mode>SYSINST|COT)"
    r"_Group(?P<group>[AB])_seed(?P<seed>\d+)\.log"
)
_CONFIG = re.compile(
    r"Config: model=(?P<model>[^,]+), .*?seed=(?P<seed>\d+), group=Group(?P<group>[AB])"
)
_REPLY = re.compile(r"\[(?P<mode>SYSINST|COT)/Group[AB]\] Q\d+ - LLM Full Response:[^\S\n]*\n?")
_FILES = re.compile(r"file\d?=([^\n]{1,260}?\.wav)(?=,|\s|$)")
_TOTAL = re.compile(r"Total Correct: (\d+) out of (\d+)")
MODELS = {
    "gemini-2.5-flash": "Gemini 2.5 Flash",
    "gemini-2.5-pro": "Gemini 2.5 Pro",
    "Qwen2.5-Omni-7B": "Qwen2.5-Omni",
    "audio-flamingo-3-chat": "Audio Flamingo 3",
}
"""By the last part of the name that logs give them; the rows of the published table."""
RULES = {"audio-flamingo-3-chat": "muse-af3"}
"""Models whose runners read replies in a way of their own."""
_CHAT = re.compile(r"persistent chat|^Confirmation response: ")
_LAYOUT = "TASK_MODEL_CHAT_SYSINST_GroupA_seed1.log"


class LoggedAnswer(msgspec.Struct, frozen=True):
    """One trial of a log.

    Attributes
    ----------
    item : PublishedItem
        The published trial, known by its recordings.
    reply : str
        In full.
    parsed : str or None
        The answer that the runner read, in its own words; None for none.
    correct : bool
        What the runner said. Where it read no answer it says nothing more: not correct.
    """

    item: PublishedItem
    reply: str
    parsed: str | None
    correct: bool


class RunLog(msgspec.Struct, frozen=True):
    """One run log.

    `model` is as the log's settings have it. `chat` says whether one conversation held all its
    trials. `unasked` counts the trials that were not asked, since their recording was missing
    there.
    """

    path: str
    model: str
    mode: Mode
    group: Group
    seed: int
    chat: bool
    answers: tuple[LoggedAnswer, ...]
    unasked: int = 0

    @property
    def task(self) -> str:
        """The task of all its trials."""
        return self.answers[0].item.task


def find_logs(places: Sequence[Path]) -> list[Path]:
    """The logs among some files and folders, sorted by name.

    Raises
    ------
    InputError
        There is no such place, or no log in a folder.
    """
    absent = "no .log in it; give the folder of the published logs"
    paths = files_below(places, lambda place: place.rglob("*.log"), absent)
    return sorted(set(paths), key=lambda path: (path.name, str(path)))


def read_log(path: Path) -> RunLog:
    """Read one log.

    Raises
    ------
    InputError
        It cannot be read, its name does not say which run it is, it says another one inside, it
        breaks off, or a trial of it is not one of the published ones.
    """
    named = _NAME.fullmatch(path.name)
    if named is None:
        raise InputError(f"{path}: the name of a log is {_LAYOUT}; correct its name")
    text = "\n".join(re.split(r"\r\n?|\n", read_text(path)))
    task = task_named(named["task"])
    mode: Mode = "cot" if named["mode"] == "COT" else "sysinst"
    group: Group = "A" if named["group"] == "A" else "B"
    records = list(_records(text))
    config = next((match for _, message in records if (match := _CONFIG.match(message))), None)
    if config is None:
        raise InputError(f"{path}: no line 'Config: model=..., seed=..., group=...'; is it a log?")
    if (config["seed"], config["group"]) != (named["seed"], named["group"]):
        raise InputError(
            f"{path}: its name says Group{named['group']}, seed {named['seed']}, its settings say "
            f"Group{config['group']}, seed {config['seed']}; correct its name"
        )
    by_names = {item.names: item for item in listed(task.name, group)}
    asked = [_answer(path, block, by_names, mode) for block in _blocks(records)]
    answers = tuple(answer for answer in asked if answer is not None)
    unasked = len(asked) - len(answers)
    _check_whole(path, records, answers, unasked)
    return RunLog(
        path=str(path), model=config["model"].strip(), mode=mode, group=group,
        seed=int(named["seed"]), chat=any(_CHAT.search(message) for _, message in records),
        answers=answers, unasked=unasked,
    )  # fmt: skip


def _records(text: str) -> Iterator[tuple[int, str]]:
    """Each record: its line, and what it says."""
    starts = [*_RECORD.finditer(text)]
    if not starts:
        return
    ends = [match.start() for match in starts[1:]] + [len(text)]
    line, place = 1, 0
    for match, end in zip(starts, ends, strict=True):
        line += text.count("\n", place, match.start())
        place = match.start()
        yield line, text[match.end() : end].strip("\n")


def _blocks(records: list[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """The records of each question, up to the next one or the total."""
    block: list[tuple[int, str]] | None = None
    for line, message in records:
        question = message.strip().startswith("--- Question")
        if question or _TOTAL.match(message):
            if block is not None:
                yield block
            block = [] if question else None
        elif block is not None:
            block.append((line, message))
    if block is not None:
        yield block


def _answer(
    path: Path,
    block: list[tuple[int, str]],
    known: dict[tuple[str, ...], PublishedItem],
    mode: Mode,
) -> LoggedAnswer | None:
    """The trial of a question; None where it was not asked, since there is no reply.

    A runner that finds no answer in a reply says so (``Parse Error: ...``) and goes on to the next
    question, without an evaluation.
    """
    item: PublishedItem | None = None
    reply: str | None = None
    parsed: str | None = None
    correct = False
    for line, message in block:
        if message.startswith(("Stimulus", "Stimuli")):
            item = _item(path, line, message, known)
        elif match := _REPLY.match(message):
            if (match["mode"] == "COT") != (mode == "cot"):
                raise InputError(said("muse-mode", path=path, line=str(line), mode=match["mode"]))
            reply = message[match.end() :]
        elif message.startswith("Parsed Final Answer: "):
            parsed = message.partition(": ")[2].strip()
        elif message.startswith(("Expected Final Answer: ", "Evaluation: ")):
            if item is None or reply is None:
                raise InputError(f"{path}, line {line}: a judgement without a trial and a reply")
            correct = correct or message.startswith("Evaluation: Correct")
            _check_key(path, line, item, _expected(message))
    return LoggedAnswer(item, reply, parsed, correct) if item and reply is not None else None


def _item(
    path: Path, line: int, message: str, known: dict[tuple[str, ...], PublishedItem]
) -> PublishedItem:
    """The published trial whose recordings a line names. Raises `InputError` for any other."""
    files = [re.split(r"[/\\]", place)[-1] for place in _FILES.findall(message)]
    # Two that were joined in one file are taken apart.
    names = tuple(part for name in files for part in name.removesuffix(".wav").split("__"))
    if names not in known:
        stimuli = " + ".join(names) or message[:60]
        raise InputError(said("muse-no-trial", path=path, line=str(line), stimuli=stimuli))
    return known[names]


def _expected(message: str) -> str | None:
    """The right answer that a line names, if it does."""
    if message.startswith("Expected Final Answer: "):
        return message.partition(": ")[2].strip()
    return message.partition("(expected=")[2].removesuffix(")") or None


def _check_key(path: Path, line: int, item: PublishedItem, expected: str | None) -> None:
    """Raise `InputError` where the log holds another answer for right than the published one."""
    key = TASKS[item.task].answer(item.answer or "")
    if expected is not None and not expected.startswith(key):
        raise InputError(
            said("muse-other", path=path, line=str(line), says=repr(expected), of=item.id, key=key)
        )


def _check_whole(
    path: Path, records: list[tuple[int, str]], answers: Sequence[LoggedAnswer], unasked: int
) -> None:
    """Raise `InputError` for a log that breaks off, or whose trials and total disagree."""
    total = next((match for _, message in records if (match := _TOTAL.match(message))), None)
    if total is None:
        raise InputError(f"{path}: breaks off after {len(answers)} trials; give a whole log")
    trials = len(answers) + unasked
    if int(total[2]) != trials or len({answer.item.id for answer in answers}) != len(answers):
        raise InputError(said("muse-total", path=path, n=trials, total=total[2]))
    if not answers:
        raise InputError(f"{path}: no reply in it; leave it out")
    right = sum(answer.correct for answer in answers)
    if right != int(total[1]):
        raise InputError(f"{path}: {right} trials are right, but its total says {total[1]}")


def import_logs(
    places: Sequence[Path], out: Path | None = None, extract: str = "robust", model: str = ""
) -> list[Path]:
    """Write a run folder for each model whose logs are among some files and folders.

    Parameters
    ----------
    places : sequence of Path
        Logs, or folders that hold some.
    out : Path, optional
        The run folder; where there are several models, the folder that theirs lie in.
    extract : str
        The reading policy to score with; ``zhiyin rescore`` takes any other.
    model : str
        What the model is to be called, where there is but one; by default as its logs say.

    Returns
    -------
    list of Path

    Raises
    ------
    InputError
        A place or log that cannot be read, one run twice, or a name for several models.
    """
    benchmark = Muse.from_options({"extract": extract})
    logs = [read_log(path) for path in find_logs(places)]
    refuse_twice(logs)
    models = list(dict.fromkeys(log.model for log in logs))
    if model and len(models) > 1:
        raise InputError(f"-m {model}: the logs are of {', '.join(models)}; import one at a time")
    folders = []
    for name in models:
        of_model = [log for log in logs if log.model == name]
        total = hashlib.sha256()
        for log in of_model:
            total.update(hashlib.sha256(Path(log.path).read_bytes()).digest())
        digest = total.hexdigest()
        unasked = sum(log.unasked for log in of_model)
        remarks = [said("muse-logs", n=len(of_model))]
        remarks += [said("muse-unasked", n=unasked)] if unasked else []
        short = model or name.rpartition("/")[2]
        given = out if len(models) == 1 else out / short if out else None
        folder = given or Path("runs") / f"{Muse.name}-{short}-{digest[:8]}"
        folders.append(
            write_replies(
                Muse,
                [(_trial(log, a), Reply(a.reply)) for log in of_model for a in log.answers],
                benchmark.score,
                folder,
                digest,
                model=model or name,
                options={"extract": extract, "imported": True, "rule": rule_of(name)},
                remarks=remarks,
                lacking=unasked,
                label=MODELS.get((model or name).rpartition("/")[2], ""),
                declared=declared(Muse),
            )
        )
    return folders


def refuse_twice(logs: Sequence[RunLog]) -> None:
    """Raise `InputError` where two logs are of one run."""
    paths: dict[tuple[str, ...], str] = {}
    for log in logs:
        run = (log.model, log.task, log.mode, log.group, str(log.seed))
        if run in paths:
            raise InputError(f"{log.path}: the same run as {paths[run]}; leave one of them out")
        paths[run] = log.path


def rule_of(model: str) -> str:
    """The published rule by which the replies of a model were read."""
    return RULES.get(model.rpartition("/")[2], Muse.name)


def _trial(log: RunLog, answer: LoggedAnswer) -> Trial:
    item, task = answer.item, TASKS[answer.item.task]
    n, way = len(item.recordings), "step by step" if log.mode == "cot" else "short answers"
    words = f"{item.id}: {task.title}, {way}, {n} recording{'s' * (n > 1)}"
    return Trial(
        id=f"{place_of(task.name, log.mode, log.group, log.seed)}/{item.id}",
        messages=(say("user", f"({words}; the published words are not in the log)"),),
        stem=words,
        options=task.options,
        target=item.answer,
        groups=(task.name, f"{task.name}/{log.mode}"),
        cluster=item.id,
        tags={
            "task": task.name,
            "mode": log.mode,
            "order": log.seed,
            "repeat": log.seed,
            "chat": "stateful" if log.chat else "fresh",
            "source": "published",
            "item": item.id,
            "recording": " + ".join(item.names),
            "parsed": answer.parsed,
            "counted": answer.correct,
        },
        item=item.id,
        condition=log.mode,
    )
