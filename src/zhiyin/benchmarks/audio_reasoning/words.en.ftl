mmau-summary = MMAU test-mini: 1,000 questions on music, sound and speech; string match beside ours
mmar-summary = MMAR: 1,000 questions that take reasoning; music, speech, sound and their mix
