"""Statistical methods beyond a comparison: items, exams, plans, audits of reading."""
