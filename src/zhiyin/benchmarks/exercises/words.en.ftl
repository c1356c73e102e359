exercises-summary = Fresh exercises by seed: theory, Chinese traditional music, continuing a tune
