"""A model that is in no library, made known to Zhiyin by a JSON object a line.

The model: twelve pitch classes of the sound's spectrum, compared with 24 triads. It needs numpy and
soundfile, and nothing of Zhiyin's: put your own model in the place of `answer`, in an environment
that suits it. Run it by `zhiyin run ... -m "subprocess:python adapter.py"`.
"""

from __future__ import annotations

import contextlib
import json
import re
import sys

TRIADS = {"major": (0, 4, 7), "minor": (0, 3, 7)}
OPTION = re.compile(r"^\s*\(?([A-Z])[.):]\s*(.+)$", re.MULTILINE)


def load():
    """What takes long is done once: here, import the libraries and read the weights."""
    import numpy
    import soundfile

    return numpy, soundfile


def answer(model, question):
    """The answer to one question, as the protocol wants it without its id."""
    numpy, soundfile = model
    parts = [part for turn in question["messages"] for part in turn["content"]]
    sounds = [part["path"] for part in parts if part["type"] == "audio"]
    if len(sounds) != 1:
        return {"error": f"one sound is needed, and there are {len(sounds)}"}
    words = "\n".join(part["text"] for part in parts if part["type"] == "text")
    samples, rate = soundfile.read(sounds[0], always_2d=True)
    mono = samples.mean(axis=1)[: 30 * rate]
    strength = abs(numpy.fft.rfft(mono * numpy.hanning(len(mono)))) ** 2
    hertz = numpy.fft.rfftfreq(len(mono), 1 / rate)
    heard = (hertz > 60) & (hertz < 2000)
    pitch = numpy.rint(12 * numpy.log2(hertz[heard] / 440)).astype(int) % 12
    chroma = numpy.bincount(pitch, weights=strength[heard], minlength=12)
    fits = {
        (kind, root): chroma[[(root + step) % 12 for step in steps]].sum()
        for kind, steps in TRIADS.items()
        for root in range(12)
    }
    kind = max(fits, key=fits.get)[0]
    named = [letter for letter, text in OPTION.findall(words) if text.strip().lower() == kind]
    return {
        "text": named[0] if len(named) == 1 else f"It is {kind}.",
        "seconds_heard": [len(mono) / rate],
    }


def main():
    """Greet, then answer line by line until standard input is closed."""
    out = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):  # what libraries print is for people
        model = load()

        def say(line):
            out.write(json.dumps(line) + "\n")
            out.flush()

        say({"zhiyin": 1, "name": "triads by pitch class", "sound": True, "clips": 1})
        for line in sys.stdin:
            question = json.loads(line)
            try:
                found = answer(model, question)
            except Exception as error:
                found = {"error": f"{type(error).__name__}: {error}"}
            say({"id": question["id"], **found})


if __name__ == "__main__":
    main()
