"""Suites: many runs in one order, planned, carried out side by side, and shown on one page."""
