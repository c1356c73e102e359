"""Sounds that differ by a known amount in one thing: what a hearing test plays.

`dimensions` says what can differ, `sounds` makes tones and noises, `playing` puts them in order.
"""
