exam-summary = an adaptive exam of another benchmark: a tenth of its questions, chosen by what they tell
exam-rests = asks of { $benchmark }; questions: { $items }, calibrated: { $known }, on the answers of so many models and people: { $takers }
exam-predicted = questions that are not in the bank: { $n }; their difficulty is predicted from their groups and tags ({ $share } % of the variance of difficulties explained)
exam-title = Exam
exam-ability = ability, in logits of the bank
exam-by-bank = score on all questions, by the bank
exam-by-draw = score on all questions, by the draw alone
exam-always = the same, however early it ends
exam-asked = asked { $n }, right { $right }: no share of the benchmark, since questions were chosen by what they tell; standard error of the ability { $se }
exam-asked-alone = asked { $n }, right { $right }: no share of the benchmark, since questions were chosen by what they tell
exam-few-takers = the bank rests on fewer than { $least } models or people, which is too few to predict scores: no score by the bank
exam-fit = { $fits ->
    [yes] nothing speaks against the bank ({ P($p) })
   *[no] the bank does not hold for this model ({ P($p) }): it knows hard questions and misses easy ones, or has seen a part of them; trust the scores by the draw alone
}
exam-means = by the bank: answers given, and those that the response model predicts for the rest. By the draw alone: each question was drawn with a known probability, which needs no model
exam-ruler = Lines are 95 % intervals. On the lower axis stand the takers of the bank, at their abilities; lines that reach beyond it are cut.
exam-score = score on all questions
exam-score-of = { SHARE($share) } ({ POINTS($low) }–{ POINTS($high) })
exam-claim = { AND($each) } right on all { $of ->
    [one] { $of } question
   *[other] { $of } questions
} of { $benchmark }, estimated from { $asked ->
    [none] some of them
   *[other] { $asked } of them
}.
exam-claim-of = { $who } gets { SHARE($share) }{ $strange ->
    [true] {" "}(the bank does not hold for it)
   *[false] {""}
}
exam-logits = { $value } ({ $low } to { $high })
exam-place = place among the takers of the bank
exam-place-of = { $edge ->
    [above] above all { $takers }
    [below] below all { $takers }
    [none] not distinguished from any of the { $takers }
   *[other] above { $below }, below { $above }, not distinguished from { $alike }
}
exam-edge = the bank knows few takers like this, or none: the interval of its ability reaches beyond theirs, or all answers are alike; so there is no score by the bank, and the one by the draw alone needs none
exam-holds = does the bank hold for it?
exam-holds-word = { $why ->
    [edge] not known: at the edge of its takers
    [strange] no
   *[other] nothing against it
}
exam-finding = { $why ->
    [strange] the bank does not hold for it; {""}
   *[other] {""}
}{ SHARE($share) } right on the whole, by { $asked } of { $of } questions (95 % interval { SHARE($low) } to { SHARE($high) }{ $why ->
    [bank] {""}
   *[other] , by the draw alone
}){ $why ->
    [strange] {""}
   *[other] ; { $place } of the bank’s takers
}
exam-no-bank = no score and no standing: { $why }

exam-bank = give --bank, a file of `zhiyin stats items RUN... --bank FILE`
exam-other = { $bank }: a bank of { $benchmark }, and not of { $of }: give its own
exam-sequences = { $name } asks in sequences, and an exam draws single questions: run it by `zhiyin run { SHELL($name) } -m MODEL`
exam-none = { $name } has no questions with the settings of the bank
exam-foreign = none of the { $every ->
    [one] { $every } question
   *[other] { $every } questions
} of { $name } is in the bank, whose groups and tags tell nothing of others: make one by `zhiyin stats items` from runs on these
