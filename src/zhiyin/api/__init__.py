"""Zhiyin from Python: what ``import zhiyin as zy`` offers, one file for each thing to be done."""
