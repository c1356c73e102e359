msu-bench-summary = MSU-Bench: 1,800 free questions on 150 scores, four levels; read by rule or judged
msu-bench-form = { $name ->
    [yes-no] yes or no
    [short] two words at most
   *[long] longer, and lists
}
msu-bench-head = { $name ->
    [constant] always the commonest answer, %
    [both] read and judged
    [judge] right by the judge, %
    [agree] agreement, %
    [kappa] kappa
    [levels] levels
    [scores] scores
   *[all-right] all right, %
}
msu-bench-forms = By the form of the answer
msu-bench-levels = Scores with every answer right
msu-bench-note = answers of two words at most are read by rule, all others by the judge; agreement: both say right, or both say not, and Cohen's kappa
msu-bench-unjudged = { $n } longer { $n ->
    [one] answer is
   *[other] answers are
} not graded without a judge: name one with --judge
msu-bench-scores = { $n } { $n ->
    [one] score
   *[other] scores
}
msu-bench-no-score = neither notation nor pages were found
msu-bench-no-level = level { $level } is none from 1 to 4
msu-bench-twice = the question stands twice with this score

msu-bench-none = no { $how } for { $n } of { $of } scores ({ NAMES($names) }): name their folder with --scores, files by the number in the link{ $some ->
    [true] , or run what is there with --partial
   *[false] {""}
}; --show none asks without
