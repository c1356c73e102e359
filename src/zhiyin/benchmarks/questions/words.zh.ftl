questions-summary = 您自己的题目：zhiyin run my_questions.csv -m MODEL
questions-kinds = 按题型
questions-note = 随机：每题随机选一项；得分：可读答案的平均，从 0 到 1（wer 与 cer：按长度的错误率，0 最好）
