"""Your own questions: a file of them is a benchmark. `docs/how-to/your-own-questions.md`."""
