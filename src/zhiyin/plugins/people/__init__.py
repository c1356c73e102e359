"""Studies in which people answer the same questions, and their answers beside those of models."""
