"""One piece in six bodies: the same question of sound, MIDI, ABC, MusicXML, kern and a picture.

`docs/benchmarks/bodies.md` is its page.
"""

from zhiyin.extensions import Command

COMMANDS = {
    "losses": Command(
        "what is lost from reading to hearing to seeing", "zhiyin.plugins.composed.bodies.results"
    )
}
