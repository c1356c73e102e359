"""Recordings of published sets: what is found, played, lacking, and wrong with them."""

import itertools
from contextlib import chdir
from pathlib import Path

import numpy as np
import soundfile

from golden_help import every, kept, line_of
from zhiyin.plugins.benchmarks import recordings as sounds


def test_recordings(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    with chdir(tmp_path):
        rate, time = 8000, np.arange(8000) / 8000
        tone = 0.5 * np.sin(2 * np.pi * 440 * time)
        for name, samples in {
            "a.wav": tone, "b/c.flac": tone, "b/d.wav": tone * 0, "audio/e.wav": tone[:800],
            "f.wav": np.stack([tone, -tone], 1), "g.wav": np.stack([tone, tone * 0.9], 1),
            "h.wav": np.zeros(0), ".i.wav": tone, "two/x.wav": tone, "three/x.wav": tone * 0.8,
            "k.wav": tone * 0.0002, "l.wav": tone * 0.00019,
        }.items():  # fmt: skip
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            soundfile.write(name, samples, rate)
        Path("j.wav").write_text("no sound")
        Path("broken.wav").write_bytes(Path("a.wav").read_bytes()[:9000])
        wanted = ["a.wav", "b/c.mp3", "b/d.wav", "e.mp3", "f.wav", "g.wav", "h.wav", "i.wav",
                  "j.wav", "two/x.mp3", "four/x.mp3", "a.wav", "broken.wav", "k.wav", "l.wav",
                  "m.txt"]  # fmt: skip
        made = sounds.RecordingSet(Path(), wanted)
        text = f"{ {name: found.name for name, found in made.found.items()} } {made.missing}\n"
        text += line_of(made.absent)
        for partial, instead in itertools.product((True, False), ("", "ask without")):
            text += line_of(made.require, partial=partial, instead=instead)
            none = sounds.RecordingSet(Path(), [f"{n}.x" for n in range(5)])
            text += line_of(none.require, partial=partial, instead=instead)
            text += line_of(sounds.RecordingSet(Path(), ["a.wav"]).require, partial=partial)
        for what, span in itertools.product(
            sounds.PLAYED, ((None, None), (0.25, None), (None, 0.5), (0.25, 0.5), (1.0, None),
                            (0.99, 1.0), (None, 1.5)),
        ):  # fmt: skip
            text += line_of(made.play, "a.wav", what, 1, *span)
        text += f"{made.play('a.wav', 'noise', 1) is made.play('a.wav', 'noise', 1)}\n"
        text += f"{made.play('a.wav', 'noise', 1) == made.play('a.wav', 'noise', 2)}\n"
        longer = {f"{name} of {s}": sounds.recording_at(Path(name), s) for name, s in (
            ("a.wav", 1.5), ("a.wav", 1.51), ("b/c.flac", 0.2), ("broken.wav", 2.0),
            ("broken.wav", 1.0))}  # fmt: skip
        text += line_of(sounds.recording_flaws, {**made.found, **longer}).partition(" -> ")[2]
        text += line_of(sounds.recording_flaws, longer).partition(" -> ")[2]
        Path("a.flac").touch()
        text += every(sounds.files_by_stem, [(Path("b"),), (Path(),), (Path("no"),)])
        text += line_of(sounds.files_by_stem, Path("audio"), without="e")
        text += line_of(sounds.files_by_stem, Path("b"), endings=None)
        text += line_of(sounds.RecordingSet, Path(), ["a.wav"]).partition(" -> ")[2][:20]
        text += line_of(sounds.RecordingSet, Path(), ["a.mp3"])
    peaks = (0.0, 9.9e-5, 1e-4, 0.5, 0.5 * 10**-1.5, 0.016)
    text += every(sounds.cancels, itertools.product(peaks, peaks))
    kept("benchmarks/recordings.txt", text.replace(f"{tmp_path}", "DESK"))
