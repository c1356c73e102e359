# What short heads of tables mean: shown/glossary.py.

glossary-title = What the headings mean
glossary-key = { CLAUSES($terms) }
term = { $name ->
    [answered] answered, ans.
    [accuracy] accuracy, acc.
    [interval] 95 % interval
    [precision] precision, prec.
    [MDE] MDE, detectable
    [p] p
    [kappa] κ
    [alpha] α
   *[other] { $name }
}
term-brief = { $name ->
    [answered] ans.: readable answers
    [accuracy] acc.: % right
    [precision] prec.: % right of ans.
    [IFR] IFR: % readable
   *[MDE] MDE: smallest difference found with 80 % power
}
term-meaning = { $name ->
    [n] trials that were judged; failed calls are not among them
    [answered] replies in which an answer could be read, as a number or in % of those judged
    [accuracy] right answers, in % of all that were judged; a reply without a readable answer counts as wrong
    [interval] 95 % confidence interval; all trials of one item, and all items of one recording or piece, are taken together
    [precision] right answers, in % of the replies with a readable answer
    [F1] harmonic mean of precision and recall; where one answer is asked for, recall is the accuracy
    [IFR] instruction-following rate: share of replies in which an answer could be read
    [chance] what guessing among the options gets right on average
    [recall] of what is there, the share that was found; of a letter: how often it was chosen where it was right
    [MDE] smallest true difference that a comparison of this size would find in 80 % of cases (minimum detectable effect, 80 % power)
    [p] how often chance alone would give a difference at least this large; "adjusted": corrected for the number of comparisons
    [SD] standard deviation: how far single values lie from their mean
    [SE] standard error: how far an estimate would vary from sample to sample
    [kappa] Cohen's κ: agreement beyond chance; 0 is chance, 1 is full agreement
   *[alpha] Krippendorff's α: agreement beyond chance; 0 is chance, 1 is full agreement
}
