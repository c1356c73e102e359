"""How often what a judge is told of a recording decides a claim rightly: on pieces of our own.

    python bench/heard.py [N]

Each piece makes true claims (its key, tempo and metre) and false ones (another key, a tempo 20 to
30 % off, twos for threes). Printed: how many were found right, wrong and left open.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from itertools import islice

from zhiyin.plugins.judges import heard
from zhiyin.plugins.music.pieces.composing import pieces, render_piece
from zhiyin.plugins.music.render import open_renderer, wav_bytes
from zhiyin.plugins.music.theory import pitch_class

N = 120
OTHER = (0.7, 0.75, 0.8, 1.2, 1.25, 1.3)


def main(count: int) -> None:
    """Measure `count` pieces and print the counts."""
    dice, player = random.Random(1), open_renderer("auto")
    found: Counter[tuple[str, str]] = Counter()
    for piece in islice(pieces(7), count):
        told = heard.measure(wav_bytes(render_piece(piece, player)))
        key = piece.plan.key
        tonic = pitch_class(key.tonic)
        far = ((tonic + dice.choice((1, 2, 5, 6, 7, 10, 11))) % 12, key.mode)
        metre = "/".join(map(str, piece.metre))
        false_metre = "3/4" if metre in heard.METRES["duple"] else "4/4"
        for claim, said in (
            ("key, true", heard.same_key((tonic, key.mode), told)),
            ("key, false", heard.same_key(far, told)),
            ("tempo, true", heard.same_tempo(piece.plan.tempo, told)),
            ("tempo, false", heard.same_tempo(piece.plan.tempo * dice.choice(OTHER), told)),
            ("metre, true", heard.same_metre(metre, told)),
            ("metre, false", heard.same_metre(false_metre, told)),
        ):
            found[claim, {True: "supported", False: "contradicted", None: "open"}[said]] += 1
    for claim in dict.fromkeys(claim for claim, _ in found):
        cells = (f"{found[claim, word]} {word}" for word in ("supported", "contradicted", "open"))
        print(f"{claim:14}{', '.join(cells)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else N)
