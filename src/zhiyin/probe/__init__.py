"""Small questions of our own, asked before a run: what does a model accept, and does it hear?"""
