"""Short pieces for several instruments, composed from a seed, of which everything is known.

A piece is in one of a dozen styles, each with its own metre, harmony, patterns and instruments;
what a listener can be asked about it (`Piece.facts`) was decided before the first note.
"""

from zhiyin.plugins.music.pieces.composing import compose, pieces, render_piece
from zhiyin.plugins.music.pieces.piece import Piece, PiecePart, PieceSection
from zhiyin.plugins.music.pieces.styles import STYLES

__all__ = ["STYLES", "Piece", "PiecePart", "PieceSection", "compose", "pieces", "render_piece"]
