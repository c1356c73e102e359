# The table of a paper: report/paper_table.

table-title = Scores of { $people ->
    [true] models and people
   *[false] { $models ->
        [one] one model
       *[other] { $models } models
    }
} on { $several ->
    [none] { NAMES($benchmarks) }
   *[some] { $several } benchmarks
}, in %
table-n = n: items; several trials of one item count as one.
table-head = { $title } (n = { $least }{ $most ->
    [none] {""}
   *[some] –{ $most }
})
table-model = { $people ->
    [true] model or people
   *[false] model
}
table-people = { $rows }: people’s answers to a question are averaged, and the interval is for other questions and these people; `zhiyin human` gives one for other people too, which is wider.
table-way = { $title } ({ $way })
table-column = { $title }{ $group ->
    [none] {""}
   *[other] : { $group }
}{ $figure ->
    [none] {""}
    [f1] , F1
   *[other] , { $figure }
}
table-judged = { $title }, judged by { $judge }
table-published = { $name }{ $kind ->
    [human] {" "}(people, published)
    [chance] {" "}(chance)
   *[other] {" "}(published)
}
table-spread = { $spread ->
    [se] After ±: the standard error, clustered where several questions are on one recording.
   *[interval] In brackets: 95 % intervals, clustered where several questions are on one recording.
}
table-rule = Bold{ $star ->
    [true] {" "}(*)
   *[false] {""}
}: the best model or people of a column and all that do not differ from it significantly (never a baseline), by paired tests on the same items (McNemar’s exact test, or flipped signs of whole clusters where items share a recording; Holm over { $many ->
    [true] the pairs with the best, as rows are many
   *[false] all pairs of the column
}, { $alpha }). Unfinished runs, and those of other data, another version or another reader than most, are not tested.
table-level = { NAMES($columns) }: no row differs significantly from the best, so that bold distinguishes none.
table-no-test = { $column }: not tested, since the runs were not asked the same questions.
table-tests-accuracy = { $column }: the tests are of accuracy.
table-common-items = { $column }: tested on what all of its runs judged: { $n ->
    [one] 1 item
   *[other] { $n } items
}.
table-short = { $column }: { AND($rows) } judged less than { SHARE($share, decimals: 0) } of the { $n ->
    [one] item
   *[other] { $n } items
} that others of the column judged, and { $tested ->
    [true] are neither tested nor ever bold
   *[false] only one row is left: nothing is tested
}.
table-silent = { $benchmark }: { $altered ->
    [true] { AND($who) } judged in altered conditions only
   *[false] no judged trial of { AND($who) }
}: left out.
table-unread = { SHARE($share) } of its replies hold no readable answer and count as wrong
table-one-letter = every answer is { $letter }: how often this is right says nothing of the model
table-reader = answers read by the rule { $policy }
table-setting = { $name } { $value ->
    [none] unset
   *[other] { $value }
}
table-differs = set otherwise than most of its column: { NAMES($settings) }
table-items = { $n ->
    [one] of 1 item, others of the column of more
   *[other] of { $n } items, others of the column of more
}
table-unpublished = No published figure stands beside { NAMES($columns) }: none is of the same figure on the same questions, asked in full and in the same way.
table-published-parts = { NAMES($columns) }: published figures are of its parts; to see them give `zhiyin table` these runs alone.
table-source = published: { $source }
table-source-elsewhere = published: { $source }: whole test set, asked and read in its authors’ own way
table-no-paired-test = { $column }: no paired test of this figure, so that none stands out.
table-remark = { $what }
