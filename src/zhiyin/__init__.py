"""Zhiyin (知音): finds out whether a language model understands music."""

__version__ = "0.1.0"
