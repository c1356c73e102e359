"""Costs of a run: replies that are kept, prices, budgets, and the pace of calls."""
