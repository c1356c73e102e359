"""Music appraisal: option questions about songs, and reviews of them that are judged afterwards.

`docs/benchmarks/appraisal.md` is its page.
"""
