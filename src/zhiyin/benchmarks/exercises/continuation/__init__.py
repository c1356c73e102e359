"""Exercises in continuing a tune: tunes read from ABC, cut, and wrong continuations found."""
