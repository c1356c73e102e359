"""Fresh exercises: checked with music21; nothing but the music tells the key."""

import io
import re
from itertools import pairwise

import msgspec
import pytest
import soundfile
from threadpoolctl import threadpool_limits

from exercises_help import BLIND, guessed, learnt, tail
from zhiyin.errors import InputError
from zhiyin.plugins.composed.exercises.benchmark import MAKERS, Exercises
from zhiyin.plugins.composed.exercises.exercise import LEVELS
from zhiyin.plugins.composed.exercises.matching import same_notes
from zhiyin.plugins.music.stimuli import Dice
from zhiyin.words import said, say

pytestmark = pytest.mark.slow

music21 = pytest.importorskip("music21")
TUNE = """X:{n}
T:Tune {n}
M:2/4
L:1/8
K:G
{lines}
"""


def opened(**options):
    return Exercises.from_options(options)


def each(task, n):
    """Exercises of every kind and difficulty."""
    return [
        (item.kind, item.level, item.exercise)
        for item in opened(task=(task,), difficulty=LEVELS, n=n).items
    ]


def flat(name):
    return name.replace("b", "-")


def pitches(text):
    return [music21.pitch.Pitch(flat(name)) for name in text.split()]


def intervals_above(text):
    """The names of the intervals from the first note up to the others."""
    names, found = text.split(), []
    low = music21.pitch.Pitch(flat(names[0]) + "4")
    for name in names[1:]:
        high = music21.pitch.Pitch(flat(name) + "4")
        if high.diatonicNoteNum <= low.diatonicNoteNum:
            high.octave = 5
        found.append(music21.interval.Interval(low, high).name)
    return found


def key_of(name):
    tonic, mode = name.split()
    return music21.key.Key(flat(tonic), mode)


def roman(exercise):
    chord = music21.roman.RomanNumeral(exercise.answer, key_of(exercise.facts["key"]))
    ours = pitches(exercise.facts["notes"])
    assert [p.name for p in chord.pitches] == [p.name for p in ours]


def cadence(exercise):
    key = key_of(exercise.facts["key"])
    numerals = []
    for place in ("first", "last"):
        chord = music21.chord.Chord(pitches(placed(exercise.facts[place])))
        # The numeral's degree alone: the names of figures are wrong in minor.
        numerals.append(key.getScaleDegreeFromPitch(chord.root(), comparisonAttribute="name"))
        assert chord.bass().name == chord.root().name
    known = {(5, 1): "authentic", (4, 1): "plagal", (5, 6): "deceptive"}
    assert exercise.answer == ("half" if numerals[1] == 5 else known[tuple(numerals)])


def figured(exercise):
    key = key_of(exercise.facts["key"])
    scale = music21.figuredBass.realizerScale.FiguredBassScale(key.tonic.name, key.mode)
    figures = ",".join(exercise.facts["figure"])
    names = scale.getPitchNames(flat(exercise.facts["bass"]), figures)
    assert {flat(name) for name in exercise.answer.split()} == set(names)


def counterpoint(exercise):
    voices = [pitches(exercise.facts[name]) for name in ("upper", "lower")]
    found = []
    for (u1, l1), (u2, l2) in pairwise(zip(*voices, strict=True)):
        quartet = music21.voiceLeading.VoiceLeadingQuartet(u1, u2, l1, l2)
        # music21 calls contrary fifths parallel too: only similar motion is asked for here.
        if (u2.ps - u1.ps) * (l2.ps - l1.ps) > 0:
            for size, name in ((7, "fifths"), (0, "octaves")):
                ends = [(u.ps - low.ps) % 12 == size for u, low in ((u1, l1), (u2, l2))]
                if ends[1]:
                    found.append(f"{'parallel' if ends[0] else 'hidden'} {name}")
                    said = quartet.parallelFifth() or quartet.parallelUnisonOrOctave()
                    assert said == ends[0]
    assert found == [exercise.answer]


def row(exercise):
    tones = [int(n) for n in exercise.facts["row"].split()]
    forms = {
        "transposition": "P", "retrograde": "R", "inversion": "I", "retrograde inversion": "RI",
    }  # fmt: skip
    if len(tones) == 12:
        series = music21.serial.TwelveToneRow(tones)
        made = series.originalCenteredTransformation(forms[exercise.facts["form"]], 0)
    else:
        series = music21.serial.ToneRow(tones)
        made = series.originalCenteredTransformation(forms[exercise.facts["form"]], 0)
    classes = made.pitchClasses()
    shift = int(exercise.facts["start"]) - classes[0]
    assert [int(n) for n in exercise.answer.split()] == [(n + shift) % 12 for n in classes]


def transposed(exercise, interval):
    moved = [p.transpose(interval) for p in pitches(exercise.facts["notes"])]
    assert [p.nameWithOctave for p in moved] == [p.nameWithOctave for p in pitches(exercise.answer)]


SCALES = {
    "major": "MajorScale", "natural minor": "MinorScale", "harmonic minor": "HarmonicMinorScale",
    "melodic minor": "MelodicMinorScale", "dorian": "DorianScale", "phrygian": "PhrygianScale",
    "lydian": "LydianScale", "mixolydian": "MixolydianScale", "locrian": "LocrianScale",
}  # fmt: skip
CHORDS = {
    "major": ["M3", "P5"], "minor": ["m3", "P5"], "augmented": ["M3", "A5"],
    "diminished": ["m3", "d5"], "dominant7": ["M3", "P5", "m7"], "minor7": ["m3", "P5", "m7"],
    "major7": ["M3", "P5", "M7"], "minor-major7": ["m3", "P5", "M7"],
}  # fmt: skip
CLEFS = {"treble": "Treble", "bass": "Bass", "alto": "Alto", "tenor": "Tenor", "soprano": "Soprano"}
SOUNDS = {"Bb": "-M2", "A": "-m3", "D": "M2", "Eb": "m3"}


def scale_names(kind, tonic):
    if kind == "lydian dominant":  # music21 has none
        names = scale_names("lydian", tonic)
        names[6] = music21.pitch.Pitch(names[6]).transpose("-A1").name
        return names
    made = getattr(music21.scale, SCALES[kind])(flat(tonic))
    return [p.name for p in made.getPitches(flat(tonic) + "4", flat(tonic) + "5")][:7]


CHECKS = {
    "interval": lambda e: (
        music21.interval.Interval(*pitches(f"{e.facts['low']} {e.facts['high']}")).name == e.answer
    ),
    "enharmonic": lambda e: (
        len({p.pitchClass for p in pitches(f"{e.facts['note']} {e.answer}")}) == 1
    ),
    "clef": lambda e: (
        getattr(music21.clef, CLEFS[e.facts["clef"]] + "Clef")().lowestLine + int(e.facts["place"])
        == pitches(e.answer)[0].diatonicNoteNum
    ),
    "transposition": lambda e: transposed(
        e, ("-" if e.facts["direction"] == "down" else "") + e.facts["interval"]
    ),
    "instrument": lambda e: transposed(e, SOUNDS[e.facts["clarinet"]]),
    "scale": lambda e: (
        scale_names(e.facts["scale"], e.facts["tonic"]) == [flat(n) for n in e.answer.split()]
    ),
    "mode": lambda e: (
        sorted(scale_names(e.answer, e.facts["tonic"]))
        == sorted(flat(n) for n in e.facts["notes"].split())
    ),
    "signature": lambda e: (
        music21.key.Key(flat(e.answer), e.facts["mode"]).sharps == int(e.facts["signature"])
    ),
    "spelling": lambda e: (
        intervals_above(e.answer) == CHORDS[e.facts["chord"]]
        and e.answer.split()[0] == e.facts["root"]
    ),
    "quality": lambda e: any(
        sorted(
            intervals_above(" ".join([root, *(n for n in e.facts["notes"].split() if n != root)]))
        )
        == sorted(CHORDS[e.answer])
        for root in e.facts["notes"].split()
    ),
    "inversion": lambda e: (
        music21.chord.Chord(pitches(placed(e.facts["notes"]))).inversion()
        == ["root position", "first inversion", "second inversion", "third inversion"].index(
            e.answer
        )
    ),
    "roman": roman,
    "figured": figured,
    "cadence": cadence,
    "metre": lambda e: (
        music21.meter.TimeSignature(e.facts["signature"]).classification
        in OTHERWISE.get(e.facts["signature"], (named_metre(e.answer),))
    ),
    "bar": lambda e: (
        sum(lasting(v) for v in e.facts["values"].split(", "))
        == music21.meter.TimeSignature(e.answer).barDuration.quarterLength
    ),
    "value": lambda e: (
        lasting(e.facts["long"]) + lasting(e.facts["tied"])
        == int(e.answer) * lasting(e.facts["unit"])
    ),
    "counterpoint": counterpoint,
    "row": row,
}


OTHERWISE = {"3/8": ("Other Single", "Compound Single")}
"""Where music21 names a metre otherwise: see the page."""


def placed(notes):
    """Notes from the bass up, each in the next octave that is higher."""
    names = notes.split()
    return " ".join([names[0] + "3", *(name + "5" for name in names[1:])])


def named_metre(answer):
    division, beats = answer.split()
    return f"{division.title()} {[None, None, 'Duple', 'Triple', 'Quadruple'][int(beats)]}"


def lasting(value):
    plain = (
        value.removeprefix("dotted ").replace("sixteenth", "16th").replace("thirty-second", "32nd")
    )
    duration = music21.duration.Duration(plain)
    duration.dots = int(plain != value and value.startswith("dotted"))
    return duration.quarterLength


@pytest.mark.parametrize("n", [2, pytest.param(150, marks=pytest.mark.trust)])
def test_theory_agrees_with_music21(n):
    seen = set()
    for kind, _, exercise in each("theory", n):
        assert CHECKS[kind](exercise) in (True, None), exercise
        seen.add(kind)
    assert seen == set(MAKERS["theory"]) == set(CHECKS)


def test_wrong_answers_are_wrong():
    """The same checks refuse what is not the key."""
    refused = 0
    for kind, _, exercise in each("theory", 2):
        for place in range(4):
            if place == exercise.right:
                continue
            other = msgspec.structs.replace(exercise, right=place)
            try:
                said = exercise.facts.get("signature") in OTHERWISE
                good = not said and CHECKS[kind](other) is not False
            except (AssertionError, KeyError):
                good = False
            assert not good, (kind, other)
            refused += 1
    assert refused > 300


def gong_interval(tone):
    known = dict(zip(("gong", "shang", "jue", "zhi", "yu"), (0, 2, 4, 7, 9), strict=True))
    return {**known, "qingjue": 5, "bianzhi": 6, "run": 10, "biangong": 11}[tone]


ADDED = {
    "five": set(), "six qingjue": {5}, "six biangong": {11}, "qingyue": {5, 11},
    "yayue": {6, 11}, "yanyue": {5, 10},
}  # fmt: skip
BEATS = {"ban": 1, "yiyan": 2, "sanyan": 4, "zengban": 8}
FLUTE = {
    "xiaogong": "D", "fanzi": "Eb", "liuzi": "F", "zhenggong": "G", "yizi": "A",
    "shangzi": "Bb", "chezi": "C",
}  # fmt: skip
CHARACTERS = dict(zip("合四一上尺工凡六五乙仩伬仜", range(-3, 10), strict=True))


def steps(line):
    """Jianpu numbers as steps from 1."""
    return [int(n[0]) - 1 + 7 * (n.count("'") - n.count(",")) for n in line.split()]


@pytest.mark.parametrize("n", [2, pytest.param(150, marks=pytest.mark.trust)])
def test_chinese_agrees_with_music21_and_plain_counting(n):
    for kind, _, e in each("chinese", n):
        facts = e.facts
        if kind in ("gong", "altered"):
            given, wanted = pitches(f"{facts['note']} {e.answer}")
            apart = gong_interval(facts["wanted"]) - gong_interval(facts["given"])
            assert (wanted.pitchClass - given.pitchClass - apart) % 12 == 0
        elif kind in ("jianpu-read", "jianpu-write"):
            line, notes = (
                (facts["line"], e.answer) if kind.endswith("read") else (e.answer, facts["notes"])
            )
            major = music21.scale.MajorScale(flat(facts["tonic"][:-1]))
            tonic = music21.pitch.Pitch(flat(facts["tonic"]))
            for step, pitch in zip(steps(line), pitches(notes), strict=True):
                assert pitch.diatonicNoteNum == tonic.diatonicNoteNum + step
                assert major.getScaleDegreeFromPitch(pitch.name) == step % 7 + 1
        elif kind.startswith("gongche-r") or kind.startswith("gongche-w"):
            chars, line = (
                (facts["line"], e.answer) if kind.endswith("read") else (e.answer, facts["line"])
            )
            assert [CHARACTERS[c] for c in chars.split()] == steps(line)
        elif kind == "pentatonic":
            gong = (pitches(facts["tonic"])[0].pitchClass - gong_interval(e.answer)) % 12
            assert {p.pitchClass for p in pitches(facts["notes"])} == {
                (gong + n) % 12 for n in (0, 2, 4, 7, 9)
            }
        elif kind == "added":
            gong = pitches(facts["gong"])[0].pitchClass
            more = {(p.pitchClass - gong) % 12 for p in pitches(facts["notes"])} - {0, 2, 4, 7, 9}
            assert more == ADDED[e.answer]
        elif kind == "jianpu-length":
            assert float(e.answer) == sum(
                1 if sign == "-" else 0.5 ** sign.count("_") for sign in facts["line"].split()
            )
        elif kind == "gongche-key":
            tonic = music21.pitch.Pitch(flat(FLUTE[facts["diao"]]))
            scale = music21.scale.MajorScale(tonic)
            assert scale.pitchFromDegree(int(facts["degree"])).name == flat(e.answer)
        elif kind == "banyan-metre":
            assert int(e.answer) == int(facts["bars"]) * BEATS[facts["banyan"]]
        elif kind == "banyan-count":
            ban = {"zengban": 2}.get(facts["banyan"], 1)
            each_bar = {"ban": ban, "yan": BEATS[facts["banyan"]] - ban}[facts["what"]]
            assert int(e.answer) == int(facts["bars"]) * each_bar
        else:
            assert kind == "banyan-beat"
            assert ("ban", "touyan", "zhongyan", "moyan")[
                (int(facts["number"]) - 1) % 4
            ] == e.answer


@pytest.mark.parametrize("kind", [kind for kinds in MAKERS.values() for kind in kinds])
def test_each_kind_has_a_chinese_name(kind):
    assert not say(said("group-word", name=kind, plain=kind), "zh").isascii()


def test_the_same_seed_gives_the_same_and_a_longer_set_holds_the_shorter():
    short = [t.id + t.stem for t in opened(n=3, seed=5).trials()]
    longer = {t.id + t.stem for t in opened(n=6, seed=5).trials()}
    assert set(short) <= longer
    assert short != [t.id + t.stem for t in opened(n=3, seed=6).trials()]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_options_are_different_in_words(language):
    for trial in opened(n=8, difficulty=LEVELS, language=language).trials():
        assert len({option.text for option in trial.options}) == 4, trial
        assert "{" not in trial.stem
        if language == "zh":
            assert re.search(r"[\u4e00-\u9fff]", trial.stem)


def test_blind_baselines_are_at_chance():
    """Bounds of a two-sided test at 0.0005, over eight tests."""
    trials = list(opened(n=60).trials())
    for rule in BLIND:
        counts = guessed(trials, rule).values()
        assert tail(sum(c[0] for c in counts), sum(c[1] for c in counts)) > 0.0005, rule


@pytest.mark.trust
@pytest.mark.parametrize("task", ["theory", "chinese"])
def test_nothing_can_be_learnt(task):
    model = opened(task=(task,), n=400, difficulty=("default",))
    trials = [t for t, item in zip(model.trials(), model.items, strict=True) if not item.again]
    for rule in BLIND:
        for kind, (right, n) in guessed(trials, rule).items():
            assert tail(right, n) > 1e-4, (rule, kind, right, n)
    right, n = learnt(trials, list(opened(task=(task,), n=400, seed=1).trials()))
    assert tail(right, n) > 0.005, (right, n)


@pytest.fixture(scope="module")
def tunes(tmp_path_factory):
    """Two hundred tunes of our own, four phrases each."""
    folder = tmp_path_factory.mktemp("tunes")
    text = []
    for n in range(1, 201):
        dice = Dice(n, "tune")
        step, bars = 4, []
        for _ in range(16):
            bar = ""
            for _ in range(dice.choice((2, 3, 4, 4))):
                step = min(max(step + dice.choice((-2, -1, 1, 2)), 0), 9)
                bar += "GABcdefgab"[step]
            long = {2: (0, 1), 3: (2,), 4: ()}[len(bar)]
            bars.append("".join(b + "2" * (at in long) for at, b in enumerate(bar)))
        bars[-1] = "G4"
        lines = "\n".join(" | ".join(bars[at : at + 4]) + " |" for at in (0, 4, 8, 12))
        text.append(TUNE.format(n=n, lines=lines))
    (folder / "ours.abc").write_text("\n".join(text), "utf-8")
    return folder


def of_tunes(tunes, n, **options):
    return opened(task=("continuation",), tunes=str(tunes), n=n, **options)


KINDS = ("others", "transposed", "rhythm", "cadence")


def moved_to_g(text):
    """The steps of a text's notes, from its first: the same in any key."""
    letters = "CDEFGABcdefgab"
    steps = [
        letters.index(letter) + 7 * (marks.count("'") - marks.count(","))
        for letter, marks in re.findall(r"([A-Ga-g])([',]*)", text)
    ]
    return [step - steps[0] for step in steps]


@pytest.mark.parametrize("n", [1, pytest.param(60, marks=pytest.mark.trust)])
def test_continuations_parse_and_fill_their_bars(tunes, n):
    for item in of_tunes(tunes, n, kind=KINDS).items:
        opening = item.exercise.facts["opening"]
        for answer in item.exercise.answers:
            score = music21.converter.parse(f"{opening} {answer}", format="abc", forceSource=True)
            bars = [m.duration.quarterLength for m in score.parts[0].getElementsByClass("Measure")]
            assert {b for b in bars if b} == {2.0}, (item, bars)
        assert item.cluster.startswith("ours.abc#")


def test_the_right_continuation_is_the_tunes_own(tunes):
    whole = (tunes / "ours.abc").read_text("utf-8").split("X:")
    for item in of_tunes(tunes, 3, kind=("others", "cadence")).items:
        source = whole[int(item.cluster.partition("#")[2])].partition("K:G")[2]
        opening = item.exercise.facts["opening"].split("\n", 4)[4]
        ours = moved_to_g(opening + item.exercise.answer)
        theirs = moved_to_g(source)
        places = range(len(theirs) - len(ours) + 1)
        assert any([s - theirs[p] for s in theirs[p : p + len(ours)]] == ours for p in places)


def test_continuations_engrave_and_play(tunes):
    verovio = pytest.importorskip("verovio")
    from zhiyin.plugins.composed.bodies.benchmark import BodyMaker
    from zhiyin.plugins.music.notated.files import from_music21
    from zhiyin.plugins.music.notated.writing import play

    renderer = BodyMaker().renderer
    for item in of_tunes(tunes, 1, kind=KINDS).items:
        text = f"{item.exercise.facts['opening']} {item.exercise.answer}\n"
        toolkit = verovio.toolkit()
        assert toolkit.loadData(text)
        assert toolkit.renderToSVG(1).count('class="note"') > 5
        score = music21.converter.parse(text, format="abc", forceSource=True)
        sound, _ = soundfile.read(io.BytesIO(play(from_music21(score), renderer)))
        assert abs(sound).max() > 0.01


def test_what_is_as_like_is_equal_whatever_the_machine():
    """Likeness is compared for equality: its last bits must not go by threads or by place."""
    draw = Dice("likeness")
    openings, continuations = (
        [
            "".join(draw.choice("CDEFGABc") for _ in range(draw.choice(range(6, 20))))
            for _ in "x" * n
        ]
        for n in (700, 900)
    )
    tables = []
    for threads in (1, 2, 3):
        with threadpool_limits(threads, user_api="blas"):
            tables.append(same_notes(openings, continuations))
    assert all(table.tobytes() == tables[0].tobytes() for table in tables)
    backwards = same_notes(openings, [text[::-1] for text in continuations])
    assert (backwards == tables[0]).all()  # the same notes in another order
    assert (same_notes(openings[5:6], continuations[7:8]) == tables[0][5, 7]).all()


def test_likeness_to_the_opening_does_not_tell(tunes):
    """Bounds of a two-sided test at 0.0005, over four rules."""
    trials = list(of_tunes(tunes, 120).trials())
    for rule in BLIND:
        for right, n in guessed(trials, rule).values():
            assert tail(right, n) > 0.0005, (rule, right, n)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_folder_of_exercises_has_no_flaw_and_runs(tmp_path, language):
    pytest.importorskip("rapidfuzz")
    from zhiyin.cli import main
    from zhiyin.contract.registry import find

    out, often = tmp_path / "set", ["--n", "8", "--difficulty", ",".join(LEVELS)]
    flags = [*often, "--language", language, "--out", str(out)]
    assert main(["data", "make", "exercises", *flags]) == 0
    assert find("questions").check({"data": str(out / "exercises.jsonl")}).flaws == []
    run = ["run", str(out), "-m", "random", "--limit", "5", "--quiet"]
    assert main([*run, "--out", str(tmp_path / "run")]) == 0
    with pytest.raises(InputError, match="not empty"):
        Exercises.make({"out": str(out), "n": 1})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"task": ("continuation",)}, "--tunes PATH"),
        ({"tunes": "x"}, "--task continuation"),
        ({"kind": ("intervall",)}, "interval"),
        ({"task": ("continuation",), "tunes": "nowhere"}, "no such file"),
        ({"task": ("continuation",), "corpus": "../.."}, "music21 has no ABC"),
    ],
)
def test_what_cannot_be_asked_is_said(options, said):
    with pytest.raises(InputError, match=re.escape(said)):
        len(opened(**options))


def as_scores(tunes, folder):
    """Some of the tunes as MusicXML, kern and ABC, written by music21 or by our own writers."""
    from zhiyin.plugins.composed.exercises.cuts import Cut, piece
    from zhiyin.plugins.composed.exercises.tunes import read_tunes
    from zhiyin.plugins.music.notated.writing import write_kern, write_musicxml

    read = read_tunes(str(tunes), None).tunes[:3]
    for number, tune in enumerate(read):
        whole = piece(Cut(tune, 0, 0, tune.end, 0), tune.notes, 0, tune.end, tune.fifths)
        (folder / f"{number}.musicxml").write_text(write_musicxml(whole), "utf-8")
        (folder / f"{number}.krn").write_text(write_kern(whole), "utf-8")
    return read


def test_tunes_are_the_same_from_musicxml_and_kern(tunes, tmp_path):
    from zhiyin.plugins.composed.exercises.tunes import read_tunes

    ours = as_scores(tunes, tmp_path)
    found = {tune.id: tune for tune in read_tunes(str(tmp_path), None).tunes}
    for number, tune in enumerate(ours):
        for ending in ("musicxml", "krn"):
            other = found[f"{number}.{ending}"]
            for field in ("metre", "fifths", "upbeat", "end", "notes"):
                assert getattr(other, field) == getattr(tune, field), (number, ending, field)


def test_scores_that_are_no_tunes_are_refused_in_one_line(tmp_path):
    music21.stream.Score(
        [music21.converter.parse("tinynotation: 4/4 " + "c4 d e f " * 4) for _ in range(2)]
    ).write("musicxml", tmp_path / "two.musicxml")
    (tmp_path / "broken.krn").write_text("**kern\n4c\n*-\nx\n", "utf-8")
    (tmp_path / "empty.xml").write_text("", "utf-8")
    with pytest.raises(InputError) as told:
        len(of_tunes(tmp_path, 1))
    said = str(told.value)
    assert "2 parts" in said
    assert "empty" in said
    assert "\n" not in said
