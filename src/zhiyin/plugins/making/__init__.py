"""The making of benchmarks: questions, paraphrases, errata."""
