"""Suites: many runs in one order, planned, carried out side by side, and told in one page."""
