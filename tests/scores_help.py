"""What the tests of pictures of scores share: a model that reads the MusicXML by music21."""

import asyncio
import json
from fractions import Fraction

from zhiyin.contract.registry import declared
from zhiyin.engine.folder import Manifest, read_records
from zhiyin.engine.log import RunFolder
from zhiyin.engine.runner import Limits, Runner
from zhiyin.record import Reply, Sampling


def parsed(xml):
    """A score as music21 has it."""
    import music21

    return music21.converter.parseData(xml, format="musicxml")


def name_of(pitch):
    """Such as F#4, of a pitch of music21's."""
    sign = pitch.accidental.modifier if pitch.accidental else ""
    return f"{pitch.step}{sign.replace('-', 'b')}{pitch.octave}"


def voice_of(measure, voice):
    """Notes, chords and rests of a voice in order; of all where there is but one."""
    voices = list(measure.voices)
    if voices:
        return list(voices[max(voice, 1) - 1].notesAndRests)
    return list(measure.notesAndRests)


def pitches_of(element):
    return sorted(element.pitches, key=lambda p: (p.octave, "CDEFGAB".index(p.step)))


def answer_by_music21(task, asked, xml):
    """The answer to a question, from the MusicXML alone: none of our code takes part."""
    import music21

    part = parsed(xml).parts[0]
    measures = list(part.getElementsByClass(music21.stream.Measure))
    bar = measures[asked.bar - 1] if asked.bar else None
    if task in ("note", "triad", "value", "interval"):
        sounding = [e for e in voice_of(bar, asked.voice) if not e.isRest]
        one = sounding[asked.number - 1]
        if task == "value":
            kind = {"whole": 1, "half": 2, "quarter": 4, "eighth": 8, "16th": 16}
            return f"{kind[one.duration.type]}{'.' * one.duration.dots}"
        if task == "interval":
            two = sounding[asked.number]
            found = music21.interval.Interval(one.pitches[0], two.pitches[0])
            simple = found.diatonic.name
            return simple[-1] + simple[:-1]
        return " ".join(name_of(p) for p in pitches_of(one))
    everything = [e for m in measures for e in m.recurse().notesAndRests]
    if task == "highest":
        return name_of(max((p for e in everything for p in e.pitches), key=lambda p: p.ps))
    if task == "signature":
        sharps = part.recurse().getElementsByClass(music21.key.KeySignature)[0].sharps
        return f"{sharps:+d}"
    if task == "meter":
        length = sum((Fraction(e.quarterLength) for e in voice_of(measures[0], 1)), Fraction(0))
        return next(o for o in asked.options if Fraction(o) * 4 == length)
    if task == "marking":
        marks = bar.recurse().getElementsByClass(music21.dynamics.Dynamic)
        return marks[0].value
    if task == "silences":
        return str(sum(e.isRest for e in everything))
    if task == "notes":
        return str(sum(len(e.pitches) for e in bar.recurse().notesAndRests))
    assert task == "transcribe"
    listed = [p for e in voice_of(bar, asked.voice) if not e.isRest for p in pitches_of(e)]
    return " ".join(name_of(p) for p in listed)


def read_by_eye(xml):
    """Every pitch as a reader has it who sees lines, key signature and accidentals alone.

    Gives pairs of the pitch so read and the one that sounds. An accidental holds for its place to
    the end of the bar.
    """
    from xml.etree import ElementTree

    signs = {"sharp": 1, "flat": -1, "natural": 0}
    root = ElementTree.fromstring(xml)
    fifths = int(root.findtext(".//fifths"))
    order = "FCGDAEB" if fifths > 0 else "BEADGCF"
    key = dict.fromkeys(order[: abs(fifths)], 1 if fifths > 0 else -1)
    for measure in root.iter("measure"):
        timed, at, last = [], 0, 0
        for child in measure:
            length = int(child.findtext("duration") or 0)
            if child.tag == "backup":
                at -= length
            elif child.tag == "note":
                start = last if child.find("chord") is not None else at
                timed.append((start, len(timed), child))
                if child.find("chord") is None:
                    last, at = at, at + length
        held = {}
        for _, _, note in sorted(timed, key=lambda row: row[:2]):
            if note.find("pitch") is None:
                continue
            step, octave = note.findtext("pitch/step"), note.findtext("pitch/octave")
            if (drawn := note.findtext("accidental")) is not None:
                held[step, octave] = signs[drawn]
            read = held.get((step, octave), key.get(step, 0))
            yield read, int(note.findtext("pitch/alter") or 0)


def oracle(trials):
    """A model that knows every answer: by the trial's id, as a key of answers would have it."""

    def answer(blind):
        trial = trials[blind.id]
        if trial.options:
            return next(o.letter for o in trial.options if o.key == trial.target)
        if trial.tags["answer"] == "number":
            return f"Answer: {trial.target}"
        return json.dumps({"notes": trial.target.split()})

    return answer


class ScoreReader:
    """Answers by a function of the blinded trial."""

    name, concurrency = "reader", 4

    def __init__(self, answer):
        self.answer = answer

    async def generate(self, messages, sampling, trial):
        return Reply(self.answer(trial))

    async def close(self):
        pass


def examine(benchmark, model, folder):
    """A run of a benchmark by a model; its records."""
    manifest = Manifest(
        benchmark.name, model.name, {"options": {}, "seed": 0}, {}, len(benchmark),
        declared=declared(type(benchmark)),
    )  # fmt: skip

    async def ask():
        with RunFolder(folder, manifest) as log:
            runner = Runner(
                model, benchmark.strategy, benchmark.score, log, Sampling(), Limits(concurrency=4)
            )
            await runner.run(benchmark.trials(), 0)

    asyncio.run(ask())
    return list(read_records(folder))


def result_line(example, said, **more):
    """A line of a results file as published, without the scores that may stand beside."""
    return {
        "id": example["id"], "provider": "made", "model": "made-1", "raw_response": said,
        "response_status": "completed", "incomplete_details": None, "error": None, "usage": None,
        **more,
    }  # fmt: skip


def write_lines(path, entries):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), "utf-8")
    return path


def read_entries(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def make_desk(folder):
    """Two examples in the published layout with replies to them, for the pages of the docs."""
    import PIL.Image

    split = folder / "data" / "music-bench" / "public_test"
    (split / "images").mkdir(parents=True)
    examples = []
    for number in range(2):
        name = f"made-{number}"
        picture = PIL.Image.new("L", (60, 20), 255)
        picture.putpixel((number, 0), 0)
        picture.save(split / "images" / f"{name}.png")
        examples.append(
            {
                "id": name, "image_path": f"images/{name}.png", "target_measure": 1,
                "question": "Which notes has bar 1?", "answer_notes": ["C4"],
                "metadata": {"family_id": "made", "family_role": "base"},
            }
        )  # fmt: skip
    write_lines(split / "manifest.jsonl", examples)
    lines = [result_line(example, '{"notes": ["C4"]}') for example in examples]
    write_lines(split / "results" / "made-1.jsonl", lines)
