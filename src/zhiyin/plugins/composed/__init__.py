"""Benchmarks whose questions the program composes itself."""
