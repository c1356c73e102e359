"""From records to findings: pure functions over scores, and the mixed model."""
