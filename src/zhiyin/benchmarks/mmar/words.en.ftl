mmar-summary = MMAR: 1,000 questions that take reasoning; music, speech, sound and their mix
