mmau-summary = MMAU test-mini: 1,000 questions on music, sound and speech; string match beside ours
