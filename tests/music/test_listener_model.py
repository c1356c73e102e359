import asyncio
import json

import pytest
import soundfile

from listener_help import NOISE, SILENCE, chord, loop, melody
from zhiyin.cli import main
from zhiyin.errors import ModelError
from zhiyin.plugins.music.listener.model import Listener
from zhiyin.plugins.music.midi import DRUM_CHANNEL, Note, Score, midi_bytes
from zhiyin.plugins.music.miditext import midi_text
from zhiyin.plugins.music.solvers import Parsed, parse_schema
from zhiyin.record import Reply, Sampling
from zhiyin.sound import audio_part
from zhiyin.trial import Audio, Message, Option, Text, Trial, say

pytestmark = pytest.mark.slow

KICKS, SNARES = (1, 4, 9, 12, 17, 20, 25, 28), (3, 7, 11, 15, 19, 23, 27, 31)
TUNE, LENGTHS = (60, 64, 67, 65, 64, 62, 67, 72), (1, 0.5, 0.5, 1, 1, 0.5, 0.5, 2)
QUALITIES = [Option("A", "Diminished", "D"), Option("B", "Major", "A"), Option("C", "Minor", "B")]
LEVELS = [
    Option(letter, f"{count} (so much)", letter)
    for letter, count in zip("ABCDE", (8, 6, 4, 2, 0), strict=True)
]
SAME = [
    Option("A", "Yes, these are the same melody.", "Yes"),
    Option("B", "No, these are not the same melody.", "No"),
]


@pytest.fixture
def kept(tmp_path):
    """Saves a sound under a name that says nothing true, and gives its audio part."""

    def keep(sound, name="lies-major-level8-yes"):
        path = tmp_path / f"{name}-{len(list(tmp_path.iterdir()))}.wav"
        soundfile.write(path, sound.samples, sound.rate, subtype="PCM_24")
        return audio_part(path)

    return keep


def ask(*messages, options=(), id="t"):
    trial = Trial(id, messages, options=tuple(options))
    return asyncio.run(Listener().generate(messages, Sampling(), trial))


def last_line(reply):
    return reply.text.splitlines()[-1]


def shown(*parts):
    """A user message: each sound after its identifier."""
    labelled = [
        part
        for number, sound in enumerate(parts, 1)
        for part in (Text(f"Identifier: `clip{number}`"), sound)
    ]
    return Message("user", (*labelled, Text("Please.")))


def test_a_chord_is_answered_by_its_letter_as_shown(kept):
    reply = ask(shown(kept(chord((48, 51, 55)))), options=QUALITIES)
    assert last_line(reply) == "Final Answer: C"
    assert "C minor" in reply.text
    assert reply.detail["heard"] == [[48, 51, 55]]


def test_a_loop_is_answered_by_its_count(kept):
    reply = ask(shown(kept(loop(KICKS, SNARES))), options=LEVELS)
    assert last_line(reply) == "Final Answer: C"


@pytest.mark.parametrize("change", [0, 2])
def test_melodies_are_answered_by_the_sentence(kept, change):
    other = [pitch + 4 for pitch in TUNE]
    other[3] += change
    sounds = kept(melody(TUNE, LENGTHS)), kept(melody(other, LENGTHS))
    expected = SAME[1].text if change else SAME[0].text
    assert last_line(ask(shown(*sounds), options=SAME)) == f"Final Answer: {expected}"


def test_worked_examples_are_not_the_trial(kept):
    messages = (
        shown(kept(chord((50, 54, 57)))),
        say("assistant", "Final Answer: B"),
        shown(kept(chord((50, 53, 56)))),
    )
    assert last_line(ask(*messages, options=QUALITIES)) == "Final Answer: A"


def test_options_may_stand_in_the_words_alone(kept):
    words = "Which quality?\n\nA. Minor\nB. Dominant\nC. Major\n"
    message = Message("user", (Text(words), kept(chord((45, 49, 52)))))
    assert last_line(ask(message)) == "Final Answer: C"


@pytest.mark.parametrize(
    ("kind", "sounds", "rows", "options"),
    [
        ("chord", [chord((48, 52, 55, 60))], [[48, 52, 55, 60]], QUALITIES),
        ("rhythm", [loop(KICKS, SNARES)], [sorted(KICKS + SNARES)], LEVELS),
        (
            "melody",
            [melody(TUNE, LENGTHS), melody([p - 3 for p in TUNE], LENGTHS)],
            [list(TUNE), [p - 3 for p in TUNE]],
            SAME,
        ),
    ],
)
def test_schema_lines_are_written_where_they_are_asked_for(kept, kind, sounds, rows, options):
    system = say("system", f"Write {kind}(IDENTIFIER, [n1, n2, ..., nK]) and nothing else.")
    parts = [kept(sound) for sound in sounds]
    reply = ask(system, shown(*parts), options=options)
    ids = [f"clip{number}" for number in range(1, len(parts) + 1)]
    assert parse_schema(kind, reply.text, ids) == Parsed(tuple(map(tuple, rows)))


def test_the_closing_question_is_answered_from_the_stated_transcription(kept):
    system = say("system", "Write chord(IDENTIFIER, [p1, p2]) and nothing else.")
    closing = say("user", "Accepted:\nchord(clip1, [60, 63, 66])\n\nWhich quality?")
    heard = shown(kept(chord((48, 52, 55))))
    reply = ask(system, heard, say("assistant", "..."), closing, options=QUALITIES)
    assert last_line(reply) == "Final Answer: A"


@pytest.mark.parametrize("sound", [SILENCE, NOISE], ids=["silence", "noise"])
@pytest.mark.parametrize("options", [QUALITIES, LEVELS])
@pytest.mark.parametrize("schema", ["", "Write chord(ID, [p1]) or rhythm(ID, [n1])."])
def test_nothing_heard_is_said_and_not_answered(kept, sound, options, schema):
    reply = ask(say("system", schema), shown(kept(sound)), options=options)
    assert "I heard no" in reply.text
    assert "Final Answer" not in reply.text
    assert "[" not in reply.text


def test_a_chord_that_is_not_offered_is_not_answered(kept):
    reply = ask(shown(kept(chord((48, 52, 55, 58)))), options=QUALITIES)
    assert reply.text.startswith("I have no answer: I heard")


@pytest.mark.parametrize(
    ("options", "count", "says"),
    [
        ((), 1, "neither for a rhythm"),
        ([Option("A", "Jazz", "A"), Option("B", "Blues", "B")], 1, "neither for a rhythm"),
        (SAME, 1, "needs 2 sounds, it has 1"),
        (QUALITIES, 0, "no sound"),
    ],
)
def test_a_question_that_is_not_understood_is_not_answered(kept, options, count, says):
    parts = [kept(chord((48, 52, 55))) for _ in range(count)]
    reply = ask(shown(*parts), options=options)
    assert reply.text.startswith("I cannot answer this")
    assert says in reply.text


def written(tmp_path, *notes):
    path = tmp_path / "score.mid"
    path.write_bytes(midi_bytes(Score(notes)))
    return Text(midi_text(path))


def test_midi_text_is_read(tmp_path):
    struck = [(s, 36) for s in KICKS] + [(s, 38) for s in SNARES] + [(s, 42) for s in range(1, 33)]
    drums = [Note((slot - 1) / 4, 0.1, drum, 90, DRUM_CHANNEL) for slot, drum in struck]
    reply = ask(Message("user", (written(tmp_path, *drums),)), options=LEVELS)
    assert last_line(reply) == "Final Answer: C"
    notes = [Note(0, 1, pitch) for pitch in (50, 53, 57)]
    reply = ask(Message("user", (written(tmp_path, *notes),)), options=QUALITIES)
    assert last_line(reply) == "Final Answer: C"
    line = [Note(i / 2, 0.5, pitch) for i, pitch in enumerate(TUNE)]
    moved = [Note(n.start, n.duration, n.pitch + 5) for n in line]
    parts = (written(tmp_path, *line), written(tmp_path, *moved))
    assert last_line(ask(Message("user", parts), options=SAME)).startswith("Final Answer: Yes")


def test_only_the_part_that_is_sent_is_heard(kept):
    part = kept(chord((48, 52, 55)))
    cut = Audio(part.path, part.sha256, part.seconds, start=0.0, end=0.1)
    assert "I have no answer" in ask(shown(cut), options=QUALITIES).text
    outside = Audio(part.path, part.sha256, part.seconds, start=99.0)
    with pytest.raises(ModelError, match="lies outside"):
        ask(shown(outside), options=QUALITIES)


def test_a_file_that_is_gone_is_an_error_not_an_answer(kept, tmp_path):
    with pytest.raises(ModelError, match="cannot be read"):
        ask(shown(Audio(str(tmp_path / "gone.wav"), "0" * 64)), options=QUALITIES)


def test_neither_name_nor_id_matters(kept):
    sound = chord((52, 55, 59))
    replies = {
        ask(shown(kept(sound, name)), options=QUALITIES, id=name).text
        for name in ("diminished", "B", "3")
    }
    assert len(replies) == 1


def test_listen_command(kept, capsys):
    path = kept(chord((48, 52, 55))).path
    assert main(["listen", path, "--task", "chords"]) == 0
    assert capsys.readouterr().out == "heard C3 E3 G3: C major\n"
    assert main(["listen", path, "--task", "chords", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["quality"] == "major"
    drums = kept(loop(KICKS, SNARES)).path
    assert main(["listen", drums, "--task", "syncopation", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kicks"] == list(KICKS)
    pair = [kept(melody([p + s for p in TUNE], LENGTHS)).path for s in (0, 7)]
    assert main(["listen", *pair, "--task", "transposition", "--json"]) == 0
    heard = json.loads(capsys.readouterr().out)
    assert (heard["same"], heard["shift"], len(heard["melodies"])) == (True, 7, 2)


@pytest.mark.parametrize("extra", [["--task", "transposition"], ["--task", "chords", "b.wav"], []])
def test_listen_command_refuses_what_does_not_fit(kept, capsys, extra):
    assert main(["listen", kept(SILENCE).path, *extra]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_hearing_takes_one_core_for_each_recording(monkeypatch):
    """Small matrices on every core wait for each other: 36 s where one thread takes 2."""
    import scipy.linalg  # noqa: F401
    from threadpoolctl import threadpool_info, threadpool_limits

    def threads():
        return {p["num_threads"] for p in threadpool_info() if p["user_api"] == "blas"}

    def hear(*_):
        seen.append(threads())
        return Reply("heard")

    seen = []
    monkeypatch.setattr("zhiyin.plugins.music.listener.model.reply", hear)
    for name, none in (("_users", 0), ("_limit", None)):  # another test may have left one open
        monkeypatch.setattr(f"zhiyin.plugins.music.listener.spectrum.{name}", none)

    async def go():
        one, two = Listener(), Listener()
        for listener in (one, one, two):
            await listener.generate((), Sampling(), Trial("t", ()))
        await one.close()
        await two.generate((), Sampling(), Trial("t", ()))
        await two.close()

    with threadpool_limits(2, user_api="blas"):  # tests have one
        before = threads()
        if before in (set(), {1}):
            pytest.skip("linear algebra cannot have two threads here")
        asyncio.run(go())
        assert seen == [{1}] * 4
        assert threads() == before
