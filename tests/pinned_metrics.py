"""Small inputs to the metrics and to what counts grades, for `test_figures_pinned.py`."""

from __future__ import annotations

import itertools
import random
import tempfile
from pathlib import Path

import msgspec
import pytest

from judge_help import choice
from tally_help import Tally
from zhiyin.benchmarks.cmi import beats, choices, events, measures, numbers, tags, words
from zhiyin.benchmarks.perception import scoring as fidelity
from zhiyin.benchmarks.questions import scoring as scorers
from zhiyin.engine import scoring
from zhiyin.errors import InputError
from zhiyin.judges import combine, confidence, reliability
from zhiyin.judges.cases import JudgedCase
from zhiyin.judges.grades import Grade, Grades
from zhiyin.judges.rubric import Judgement, JudgementDetail
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.runs.figures import figures as figures_in
from zhiyin.runs.rows import rows_from
from zhiyin.runs.table import RunTable
from zhiyin.runs.ways import UNDECLARED
from zhiyin.strategies.logiclm import token_limited
from zhiyin.trial import Trial

for package in ("mir_eval", "jiwer", "nltk", "rouge_score", "rapidfuzz"):
    pytest.importorskip(package)

STATES = ("correct", "wrong", "no_answer", "refused", "truncated", "error", "ungraded")

ASPECTS = ("completeness", "precision", "novelty")
TASKS = ("syncopation", "transposition", "chords")


def opened(spec):
    scorer, bound = scorers.open_scorer(spec)
    return scorer.name, bound, scorer.bound, scorer.package, scorer.whole


def of_scorers():
    replies = (
        "A minor", "a  minor.", "The answer is A minor.", "not sure", "F♯", "F#", "C#", "12",
        "12.5",
        "The answer is 12.4", "about 120 bpm", "yes", "No.", "Yes, it is", "C E G", "C4, E4, G4",
        "C, F#, Bb", "Gb", "piano, violin and drums", "violin; piano", "钢琴、小提琴", "la la land",
        "la la lands", "", "The key is a minor third", "[flute]", "1 2 3", "Cb B# C", "Cx Dbb",
    )  # fmt: skip
    keys = {
        "exact": (["A minor"], ["F♯"], [""]),
        "normalised": (["a minor"], ["F♯", "x"], ["!"]),
        "contains": (["minor"], ["C"], ["F#"], ["la"], ["提琴"]),
        "number": (["12"], ["12.5", "120"], ["0"], ["-1"], ["x"], ["inf"]),
        "regex": (["^A"], ["min(or|eur)"], ["("]),
        "set-f1": (["piano", "violin", "drums"], ["violin"], ["钢琴", "小提琴"]),
        "edit": (["la la land"], ["A minor"]),
        "wer": (["la la land"], ["A minor", "C E G"]),
        "cer": (["la la land"], ["A minor"]),
        "notes": (["C E G"], ["C4 E4 G4"], ["F# B"], ["Gb"], ["D"], ["B C C"], ["hm"]),
        "yes-no": (["yes"], ["no"], ["perhaps"]),
        "judge": (["well"],),
    }
    bounds = ("", "0.5", "5%", "1", "enharmonic", "0.8", "1.2", "0", ".25", "-1", "x")
    for name, bound in itertools.product((*keys, "f1", "Regexp", "yes_no", "none"), bounds):
        spec = f"{name}:{bound}" if bound else name
        yield opened, (spec,), {}
        try:
            scorer, held = scorers.open_scorer(spec)
        except InputError:
            continue
        for accepted in keys[scorer.name]:
            if not bound:
                yield scorer.check, (accepted, ""), {}
            if scorer.check(accepted, held):
                continue
            for reply in replies:
                value = scorer.read(reply).value
                if value is not None:
                    yield scorer.grade, (value, accepted, held), {}
    yield opened, ("exact:",), {}
    for text in (
        "“Ab”",
        "a,b;c，d、e；f\ng|h and i & j和k",
        "R&B",
        "  A  B  ",
        "",
        "ＡＢ",
        "’tis",
        "B♭ or F♯",
    ):
        yield scorers.normalised, (text,), {}
        yield scorers.members, (text,), {}


def of_times():
    labels = ("0.5s,1.0s,5.5s,6.0s,6.5s,7.0s,7.5s,8.0s", "1,2", "", "x", "5.2, 6, 7.1,8")
    replies = (
        *labels, "0.5,1.0,5.5,6.0", "0.55s, 1.04s, 5.56s, 6.0s, 6.5s, 7.0s", "1:02.5, 1:03", "5.5",
        "The beats are 0.5s, 1.0s, 5.5 seconds and 6.0 at 120 bpm.",
        "0:05.5,0:06.0,0:06.5,0:07,1:", "1:,2",
        "5.5 6 6.5 7", "`5.5, 6.0`", "40000, 5, 6, 7", "5.5,6.0,6.5,7.0.", "3 4\n5.5;6;6.5;7;7.5;8",
        ",".join(str(5 + k) for k in range(9)), ",".join(str(5 + k / 4) for k in range(18)),
    )  # fmt: skip
    for reply in replies:
        yield beats.published_times, (reply,), {}
        yield beats.read_times, (reply,), {}
        for label in labels:
            yield beats.score, (label, reply), {}
        yield beats.read_times, (f"`{reply.replace(',', '`,`')}`",), {}
    named = (*beats.MEASURES, *beats.MELODY)
    held = [
        measures.JudgedReply("", "", str(k), {**beats.score(labels[0], reply)[0], "overall": k / 9})
        for k, reply in enumerate(replies)
    ]
    yield figures, (named, held), {}
    tunes = (
        "[(0.0, 'A4'), (0.5, 'B4'), (1.0, 'C5')]", "(0.0, 69), (0.5, 71.2), (1.0, )",
        "(1:02, 'F#3')",
        "(0,'Bb-1'),(0.5,'c♯4'),(0.5,'D♭4'),(1,'E10')", "none",
        "(0.0, 'A4'), (0.5, 'C4'), (1.0, 'C5')",
        "(0, 'A5'), (0.5, 'G4'), (1, 'H4')", "(0, ''), (0.5, 'B4'), (1.0, '')",
    )  # fmt: skip
    for one in tunes:
        yield beats.read_melody, (one,), {}
        for other in tunes:
            yield beats.score_melody, (one, other), {}


def of_labels():
    sets = (["vocal_fry", "trill", "lip_trill", "belt"], ["C#", "C"], ["hip hop", "hop"])
    replies = (
        "vocal fry", "a Vocal-Fry!", "lip trill", "trill", "lip trill or trill",
        "belt and trill", "", "c#",
        "C♯", "c", "hiphop", "hip-hop", "hop", "the vo'cal fry", "lip. trill", "belting",
        "one two trill",
    )  # fmt: skip
    for reply in replies:
        yield choices.published_form, (reply,), {}
        for labels in sets:
            yield choices.read_label, (reply, labels), {}
            for label in labels:
                yield choices.published_right, (label, reply, labels), {}
    for reply in (
        "60",
        "MIDI 127.",
        "128",
        "0",
        "1.5",
        "60 or 61",
        "60, 60",
        "0060",
        "007",
        "x60",
        "60x",
    ):
        yield choices.read_pitch, (reply,), {}
    letters = [
        f"{a}{b}{c}"
        for a in "ABCDEFG"
        for b in ("", "#", "b")
        for c in ("", "m", " major", " minor")
    ]
    more = ("c", "Am.", "eb min", "F sharp minor", "g♭maj", "A-flat major", "C major or A minor",
    "H", "bm",
            "C# Major", "key of d minor 4", "E", "c#4", "ab", "D♯minor", "I think C major",
            "AB major",
            "C majority", "  F#m  ", "g-flat-major", "b sharp min")  # fmt: skip
    for reply in (*letters, *more):
        yield choices.read_key, (reply,), {}
        if len(reply.replace(" ", "")) > 1 or reply.isalpha():
            yield choices.published_key, (reply,), {}
        for label in ("C major", "Ab minor"):
            key, _ = choices.read_key(reply)
            yield choices.weighted, (label, key), {}
    ratings = ("5", "5.5", "I rate it 7 on a scale of 1 to 9.", "on a scale from 1 to 9: 3.5",
    "0", "9", "9.5",
               "10", "between 4 and 6", "4, 4", "valence 6/9", "1", "06", "3.", "12 or 7", "two",
               "5 out of 9",
               "4.25 arousal", "7.5.2", "score: 8", "(1-9) 2", "100", "1 to 9")  # fmt: skip
    for reply in ratings:
        yield numbers.published_number, (reply,), {}
        yield numbers.read_number, (reply,), {}


def measured_labels():
    scores = ("published", "right", "published_exact", "weighted")
    held = [
        measures.JudgedReply("", "", str(k), {s: (3 * k + n) % 7 / 7 for n, s in enumerate(scores)})
        for k in range(9)
    ]
    yield figures, ((*choices.ACCURACY, *choices.KEY), held), {}


def items_of(score, label, n=12, clips=5, seed=1, **more):
    draw = random.Random(seed)
    return [
        measures.JudgedReply(label(k, draw), "", f"c{k % clips}", score(k, draw), **more)
        for k in range(n)
    ]


def figures(every, items, seed=0):
    return [(f.value, f.low, f.high) for f in measures.figures_of(every, items, seed)]


def of_measures():
    def rated(k, draw):
        found = {"published": round(draw.uniform(1, 9), 1), "number": float(k % 9 + 1)}
        return found if k % 4 else {"number": 5.0}

    for n, clips in ((1, 1), (2, 1), (12, 5), (12, 12)):
        some = items_of(rated, lambda k, draw: str(k % 5 - 1.5), n, clips)
        yield figures, (numbers.MEASURES, some), {}
        yield (lambda s=some: measures.figure(numbers.MEASURES[1], s)), (), {}
        yield (lambda s=some: measures.figures_of(numbers.MEASURES, s)), (), {}
    alike = items_of(lambda k, draw: {"published": 2.0, "number": 2.0}, lambda k, draw: str(k))
    yield figures, (numbers.MEASURES, alike), {}
    shares = items_of(
        lambda k, draw: {"right": float(k % 3 > 0), "top": k, "base": k + 1.0}, lambda k, d: ""
    )
    both = [measures.mean_of("m", "right", published=True),
            measures.mean_of("n", "none", published=True),
            measures.ratio_of("r", "top", "base", published=False),
            measures.mean_of("top", "top", published=False, percent=False)]  # fmt: skip
    for some in (shares, shares[:1], shares[:5]):
        yield figures, (both, some), {}
        yield figures, (both, some, 3), {}
        yield (lambda s=some: [measures.value_of(m, s) for m in both]), (), {}
        yield (lambda s=some: measures.figure(both[0], s)), (), {}
    named = [("rock, hip hop", "Rock and hiphop"), ("jazz", "acid-jazz"), ("", "rock"),
    ("rock,jazz", "jazz!"),
             ("hip hop", "hip hop"), ("jazz , rock", "")]  # fmt: skip
    tagged = [measures.JudgedReply(a, b, f"c{k // 2}") for k, (a, b) in enumerate(named)]
    for some in (tagged, tagged[:1], tagged[1:3], [measures.JudgedReply("", "x", "c")]):
        yield figures, (tags.MEASURES, some), {}
        yield tags.vocabulary, (some,), {}
    for text in ("", "a,b , C,", "x"):
        yield tags.tags_of, (text,), {}
    for reply in ("acoustic guitar", "a b c d e", "hip-hop", "HIPHOP", "guitar, electric", ""):
        yield tags.read_tags, (reply, ["acousticguitar", "hip hop", "a b c", "bcde", "guitar"]), {}
    played = (
        "[('0.0', '1.0', 'Vibrato'), ('2.0', '3.0', 'Tremolo')]", "(0, 2.5, Point Note)", "",
        "[(1,2,'No Tech')]",
        "[('11.0', '12.345', \"vibrato\")]", "(3, 1, plucks) (0.005, 0.015, Glissando)",
        "[(0.0, 9.999, 'Upward Portamento')]",
        "('1', '2', 'Downward_Portamento'), ('2','3','vibrato')", "(0,1,Vibrato",
        "[(0,10,tremolo)]",
    )  # fmt: skip
    for text in played:
        yield events.read_events, (text,), {}
        yield events.published_events, (text,), {}
        yield (lambda t=text: events.frames(events.published_events(t)).sum(axis=0)), (), {}
    grid = [
        measures.JudgedReply(a, b, a[:9])
        for a in played
        for b in played[:4]
        if events.read_events(a)[:1]
    ]
    yield figures, (events.MEASURES, grid), {}
    yield figures, (events.MEASURES, grid[:2]), {}
    yield figures, (events.MEASURES, [measures.JudgedReply("", "", "a")]), {}
    lyrics = ("SOME DAYS I'M RICH", "some days i am rich", "Lyrics: la la",
    "The lyrics are: 'some days'", "",
              "sure! here are the lyrics:\nsome days\nI'm rich", "\"LA LA LA\"",
              "Transcription - la", "la-la",
              "here is the text: la la", "I hear: some days I'm rich.")  # fmt: skip
    for reply in lyrics:
        yield words.cleaned, (reply,), {}
        yield words.without_lead, (reply,), {}
        for label in lyrics[:3] + lyrics[4:5]:
            yield words.score_lyrics, (label, reply), {}
    told = ("A calm song with a piano and a soft voice.", "A song with a soft piano.", "",
    "Drums.", " ",
            "A calm song with a piano and a soft voice. It is slow.")  # fmt: skip
    for label, reply in itertools.product((told[0], told[3]), told):
        yield words.score_description, (label, reply), {}
    said = [
        measures.JudgedReply(told[0], r, r[:7], words.score_description(told[0], r)[0])
        for r in told
    ]
    every = [
        getattr(words, name) for name in dir(words) if name.isupper() and not name.startswith("_")
    ]
    for group in every:
        if isinstance(group, tuple) and group and isinstance(group[0], measures.CmiMeasure):
            yield figures, (group, said), {}
            yield figures, (group, said[:1]), {}


def graded(rows, draws=2, name="judge", aspects=("completeness", "precision", "novelty")):
    cases = [JudgedCase(c, f"song {c}", "x" * (7 * k % 5 + k)) for k, c in enumerate(rows)]
    grades = [
        Grade(aspect, k, case,
              None if s is None else Judgement(s, JudgementDetail(unquoted=k), bool(k)),
              "" if s else "lost")
        for case, by in rows.items() for aspect, scores in by.items() for k, s in enumerate(scores)
    ]  # fmt: skip
    return Grades(Path("any"), name, draws, aspects, cases, grades, [])


def reviewed(seed, n=5, lost=0.2):
    draw = random.Random(seed)

    def one(aspect):
        if draw.random() < lost:
            return None
        if aspect == "precision":
            looked = draw.randrange(5)
            return {"supported": float(draw.randint(0, looked)), "checked": float(looked),
                    "score": draw.random()}  # fmt: skip
        return {"score": float(draw.randrange(17 if aspect == "completeness" else 11))}

    return {f"r{k}": {a: [one(a), one(a)] for a in ASPECTS} for k in range(n)}


HUMAN = (
    "",
    "song\nsong r0",
    "song,novelty\nsong r0,3\nr1,4\nsong r0,\n\nsong r0,10",
    "song,novelty\nr0,11",
    "song,novelty,novelty\nr0,1,2",
    "novelty\n3",
    "song,song,novelty\nr0,r0,1",
    "song,novelty\nr0,x",
    "song,novelty\nr9,1",
    "song,novelty\nr0",
    "song, precision ,completeness\nr2,0.5,16\nr2,1,0",
    "song,x\nr0,1",
    "song,novelty\nr0,-1",
    "song,novelty\nr0,0,1",
    "\ufeffsong,novelty\nr0,1\nr0,2",
)


def people(text, cases):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "human.csv")
        path.write_text(text, "utf-8")
        return reliability.read_human(path, cases)


def of_grades():
    for text in (
        None,
        "1/2/3/4",
        "0/0/0/0",
        "1/0/0/0",
        "a/b/c/d",
        "1/2/3",
        "-1/1/1/1",
        "inf/0/0/0",
        "",
    ):
        yield combine.read_weights, (text,), {}
    for given in itertools.product((None, 0.0, 0.5), repeat=2):
        for weights in ({"a": 1.0, "b": 3.0}, {"a": 0.0, "b": 1.0}, {"a": 0.0, "b": 0.0}):
            yield combine.weighted, (dict(zip("ab", given, strict=True)), weights), {}
    for given in (
        (),
        (3, 1),
        (0, 0, 1),
        (2, 1, 1, 1, 1, 2, 3),
        (0, 0, 0, 0, 0, 2),
        (0, 0, 0, 0, 0, 0, 4),
    ):
        yield combine.questions, (scoring.Count(*given),), {}
    yield combine.questions, (None,), {}
    asked = rows_from(choice(f"r{k}", "Confidence: 80%", STATES[k % 7]) for k in range(9))
    sets = [graded(reviewed(k, lost=lost)) for k, lost in ((1, 0.0), (2, 0.3), (3, 1.0), (4, 0.7))]
    sets += [graded({}), graded(reviewed(5, 1, 0.0)), graded(reviewed(6, 12, 0.1), name="other")]
    weights = dict(zip(combine.COMPONENTS, combine.WEIGHTS, strict=True))
    for grades in sets:
        for aspect in ASPECTS:
            yield combine.mean_score, (grades.of(aspect), 16.0), {}
            for function in (reliability.spread, reliability.length, reliability.means):
                yield function, (grades, aspect), {}
            for other in sets[:2]:
                yield reliability.agreement, ([grades, other], aspect), {}
            yield reliability.agreement, ([grades, *sets[:2]], aspect), {}
            for human in (
                {},
                {"r0": 0.5},
                {"r0": 1.0, "r1": 3.0},
                {f"r{k}": float(k) for k in range(9)},
            ):
                given = reliability.PeoplesGrades({aspect: human})
                yield reliability.against, (grades, aspect, given), {}
        yield combine.pooled_precision, (grades.of("precision"),), {}
        for entries in ([], asked):
            parts = combine.parts_of(grades, entries, (1.0, 2.0, 3.0, 4.0))
            yield (lambda p=parts: p), (), {}
        for weighed in (weights, weights | {"precision": 0.0}):
            for case in grades.cases[:4]:
                yield combine._song, (case, grades, weighed), {}
            parts = {"qa": combine.questions(scoring.Count(3, 1)),
                     **{a: combine.mean_score(grades.of(a),
                     16.0) for a in ASPECTS}}  # fmt: skip
            yield combine._notes, (parts, weighed, grades), {}
            yield combine._notes, (parts | {"qa": combine.questions(None)}, weighed, grades), {}
    yield combine.parts_of, (None, asked), {}
    novel = reliability.PeoplesGrades({"novelty": {"r0": 1.0, "r1": 2.0}})
    yield reliability.assess, (sets[:2], "judge", novel), {}
    yield reliability.agreement, ([], "novelty"), {}
    for text in HUMAN:
        yield people, (text, sets[0].cases), {}


def of_confidence():
    told = ("80%", "8", "0.8", "1", "10", "100", "8/10", "8 out of 10", "4/5", "140%", "95/100",
    "85 percent",
            "3 / 100", "7.5", "12", "0", "9/1000", "about 70%", "101")  # fmt: skip
    leads = ("Confidence: ", "confidence level is ", "置信度：", "把握约", "Certainty (1-10) = ",
             "Confidence (0 to 100%): ", "Confidence (0-1) ", "My confidence score is about ",
             "自信度为 ")  # fmt: skip
    texts = [lead + value for lead in leads for value in told] + [
        "sure",
        "Confidence: 10%, confidence: 90%",
    ]
    for text in texts:
        for top in (None, 1.0, 10.0, 100.0):
            yield confidence.confidence_of, (Reply(text), "A", top), {}
    for detail in ({"confidence": 0.3}, {"confidence": 1}, {"confidence": True},
    {"confidence": 1.5},
                   {"confidence": -0.1}, {"confidence": "x"}):  # fmt: skip
        yield confidence.confidence_of, (Reply("Confidence: 20%", detail=detail), "A"), {}
    for logprobs in ({"A": -0.1, "B": -2.0}, {"B": -1.0}, {"A": -800.0, "B": -1.0}):
        yield confidence.confidence_of, (Reply("Confidence: 20%", logprobs=logprobs), "A"), {}
    for some in (
        ("8", "7"),
        ("0.8", "1"),
        ("80", "7"),
        ("80%",),
        (),
        ("180", "5"),
        ("1", "10"),
        ("100", "2"),
    ):
        yield confidence.scale_of, ([Reply(f"Confidence: {value}") for value in some],), {}
    for seed in range(4):
        draw = random.Random(seed)
        records = [
            choice(f"q{k // 2}", f"Confidence: {draw.choice(told)}", draw.choice(STATES))
            for k in range(20)
        ]
        yield confidence.calibrate, (records,), {}
        yield confidence.calibrate, (records, 4), {}
    yield confidence.calibrate, ([],), {}


def transcribed(k, task, draw):
    label = {"chords": "quality", "syncopation": "level", "transposition": "kind"}[task]
    facts = {
        "task": task,
        "modality": "am"[k % 2],
        "shots": str(k % 3),
        "strategy": "logiclm" if k % 7 else "none",
    }
    facts |= {label: draw.choice(["major", 3, 8, "minor"])}
    counts = {
        m: fidelity.FidelityCounts(*(draw.randrange(4) for _ in range(3)))
        for m in ("on_beat", "off_beat", "pitch", "pitch_class")
    }
    state = draw.choice(STATES)
    notes = {"executable": k % 4 > 0, "repairs": k % 3, "faults": [{"kind": "parse"}] * (k % 3)}
    notes |= {"transcription": [[1]]} if k % 5 else {}
    reply = Reply(draw.choice(["", " ", "Final Answer: A"]), draw.choice(["stop", "length"]))
    scores = fidelity.as_scores(counts) if k % 6 else {}
    verdict = Verdict(
        state, None, scores=scores, tags={"agrees": draw.choice([True, False])} if k % 2 else {}
    )
    exchange = Exchange((Turn(reply),) if k % 8 else (), notes)
    return Record(
        f"t{k}", verdict, Trial(f"t{k}", (), target=draw.choice("AB"), tags=facts), exchange
    )


def of_transcripts():
    rows = ([], [1, 2, 3, 4], [1, 1, 32], [60, 64, 67], [72, 76], [0, 12, 61])
    for task, (heard, truth) in itertools.product(TASKS, itertools.product(rows, repeat=2)):
        yield fidelity.count, (task, [heard], [truth]), {}
    yield fidelity.count, ("chords", None, [[1], [2, 3]]), {}
    yield fidelity.count, ("transposition", [[60], [61, 62]], [[72], [60, 61]]), {}
    for counts in itertools.product((0, 1, 3), repeat=3):
        c = fidelity.FidelityCounts(*counts)
        yield (
            (lambda c=c: (c.precision, c.recall, c.f1, c + fidelity.FidelityCounts(1, 2, 3))),
            (),
            {},
        )
    for seed, task in itertools.product(range(3), TASKS):
        draw = random.Random(f"{seed} {task}")
        records = [transcribed(k, task, draw) for k in range(40)]
        yield fidelity.fidelity_table, (records,), {}
        yield fidelity.execution_table, (records,), {}
        for record in records[:15]:
            yield token_limited, (record,), {}
        for made in fidelity.fidelity_table(records)[:6]:
            yield (lambda m=made: (m.accuracy, m.strict_accuracy)), (), {}
        for made in fidelity.execution_table(records):
            yield (lambda m=made: (m.executable_rate, m.accuracy, m.strict_accuracy,
                                   m.accuracy_executed, m.agreement)), (), {}  # fmt: skip
    yield fidelity.from_scores, ("chords", {"pitch_tp": 1.0, "pitch_fp": 2.0, "pitch_fn": 3.0}), {}
    yield fidelity.from_scores, ("chords", {}), {}


def figures_of(group):
    """The figures of a group that were pinned before it had a type."""
    names = ("n", "errors", "answered", "items", "accuracy", "precision", "recall", "f1", "ifr")
    return {name: getattr(group, name) for name in (*names, "ci95", "clusters")}


def figures_of_all(counted):
    return {name: figures_of(group) for name, group in counted.groups().items()}


def of_tallies():
    names = ((), ("a",), ("a", "a/b"), ("c", "a/b"), ("audio=true/a",), ("b",))
    for seed, plain in itertools.product(range(4), (0, 1, 2)):
        draw, found = random.Random(seed), Tally()
        rows = [(draw.choice(STATES[: 7 - seed]), draw.choice(names), draw.choice([None, "k", "l"]),
                 draw.randrange(1, 5), draw.choice(["", "x"]), plain == 1 or bool(plain and k % 3))
                for k in range(5 + 6 * seed)]  # fmt: skip
        for state, groups, cluster, item, condition, main in rows:
            found.add(state, groups, cluster, item=item, condition=condition, plain=main)
        yield (lambda t=found: figures_of_all(t)), (), {}
        yield (
            (lambda t=found: ({n: c.states() for n, c in t.counts.items()}, t.everything.settled)),
            (),
            {},
        )
        for name in ("accuracy", "precision", "f1", "ifr"):
            yield found.figure, (name,), {}
        yield (lambda t=found: figures_of_all(t)), (), {}
    yield (lambda: figures_of(Tally().metrics())), (), {}
    yield Tally().figure, ("accuracy",), {}
    table = RunTable(None)
    for k in range(14):
        record = choice(f"q{k}", "x", STATES[k % 7])
        record.trial = msgspec.structs.replace(record.trial, item=f"q{k % 5}")
        table.add(record)
    counted = figures_in(table)
    yield (
        (
            lambda: (
                figures_of_all(counted),
                dict(counted.causes),
                len(counted.unread),
                counted.repeated,
            )
        ),
        (),
        {},
    )
    for group in (
        "audio=true/theory",
        "distractors=1/audio=no/x",
        "theory",
        "audio=x",
        "a/audio=x",
    ):
        yield UNDECLARED.bare, (group,), {}
    for some in ({}, {"audio": "true"}, {"audio": "no"}, {"distractors": "all"},
    {"distractors": "1"},
                 {"x": "y"}, {"audio": "true", "distractors": "2"}):  # fmt: skip
        yield UNDECLARED.is_main, (some,), {}
    for some in ([], ["a/b", "a", "c", "b", "c/d/e", "a/b/c"], ["x/y", "z", "x"]):
        yield scoring.nested, (some,), {}
        yield scoring.counted_under, (some,), {}
    for given in ((1, 2, 3, 4, 5, 6, 7), ()):
        count = scoring.Count(*given)
        yield (lambda c=count: (c.answered, c.judged, c.settled, c.states())), (), {}


CALLS = {"scorers": of_scorers, "times": of_times, "labels": of_labels,
    "labelled": measured_labels, "measures": of_measures,
         "grades": of_grades, "confidence": of_confidence, "transcripts": of_transcripts,
         "tallies": of_tallies}  # fmt: skip
