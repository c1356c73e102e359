"""Small questions of our own, asked before a model is examined: what can it take, does it hear?"""
