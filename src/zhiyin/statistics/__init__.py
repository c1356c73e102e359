"""Findings from records: pure functions over scores, and the mixed model."""
