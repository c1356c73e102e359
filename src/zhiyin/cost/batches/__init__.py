"""Requests handed in as batches: half the price at most providers, and hours to wait."""

from zhiyin.cost.batches.model import BatchModel, batched

__all__ = ["BatchModel", "batched"]
