# What short heads of tables mean: shown/terminal.py.

glossary-title = What headings and terms mean
glossary-key = { CLAUSES($terms) }
term = { $name ->
    [answered] answered, ans.
    [accuracy] accuracy, acc.
    [right] right, %
    [interval] 95 % interval
    [precision] precision, prec.
    [MDE] MDE, detectable
    [p] p
    [kappa] κ
    [alpha] α
    [policy] robust@6
    [flips] flips of whole clusters
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
    [right] right answers, in % of all that were judged; a reply without a readable answer counts as wrong
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
    [floor] what guessing among the options gets right on average: chance
    [body] the form in which a piece is shown: MIDI as text, ABC, MusicXML, kern, a picture or sound
    [RStd] standard deviation of the recalls of the letters: 0 where every letter is found equally well, larger where some are preferred
    [Holm] a correction of p for several tests: that any one of them is significant by chance alone stays below 5 %
    [flips] a test of a difference: how often it is as large when the sign of the difference of each recording or item (a cluster) is drawn by chance
    [canary] a few questions with obvious answers, asked first, which a model that hears (or sees) gets right: whoever fails them is not shown to use the sound
    [policy] the rule by which answers are read from replies, and behind @ its version
    [kappa] Cohen's κ: agreement beyond chance; 0 is chance, 1 is full agreement
   *[alpha] Krippendorff's α: agreement beyond chance; 0 is chance, 1 is full agreement
}
