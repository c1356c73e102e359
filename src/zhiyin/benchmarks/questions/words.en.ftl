questions-summary = your own questions: zhiyin run my_questions.csv -m MODEL
questions-kinds = By kind of question
questions-note = chance: of one option drawn for each question; score: the mean over the answers that could be read, from 0 to 1 (wer and cer: errors by length, 0 is best)
