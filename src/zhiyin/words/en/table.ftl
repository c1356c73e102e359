# The table of a paper: report/paper_table.

table-title = Scores of { $people ->
    [true] models and people
   *[false] { $models ->
        [one] one model
       *[other] { $models } models
    }{ $baselines ->
        [0] {""}
        [one] {" "}and a baseline
       *[other] {" "}and { $baselines } baselines
    }{ $settings ->
        [0] {""}
       *[other] {" "}in { $settings } settings
    }
} on { $several ->
    [none] { NAMES($benchmarks) }
   *[some] { $several } benchmarks
}{ $shares ->
    [true] , in %
   *[false] {""}
}
table-n = n: items{ $usual ->
    [none] {""}
   *[other] , { $usual } where none stand
}; several trials of one item count as one.
table-head = { $title } (n = { $n })
table-model = { $people ->
    [true] model or people
   *[false] model
}
table-people = { NAMES($rows) }: each person counts as much, and intervals are for other people and other questions; a difference from a model is over each person’s own questions, so that it may be another than that of two figures.
table-way = { $title } { $way }
ways = { AND($each) }
way = { $tag ->
    [audio] { $value ->
        [nothing] without sound
        [silence] with silence for sound
        [noise] with noise for sound
       *[other] with { $tag }={ $value }
    }
   *[other] with { $tag }={ $value }
}
table-column = { $title ->
    [none] { $group }
   *[other] { $title }{ $group ->
        [none] {""}
       *[other] : { $group }
    }
}{ $figure ->
    [none] {""}
   *[other] , { $figure }
}
table-part = { $name }
table-judged = { $title }{ $judge ->
    [none] , not judged
   *[some] , judged by { $judge }
}
table-chance = chance
table-published = { $name }{ $kind ->
    [human] {" "}(people, published)
    [chance] {" "}(chance)
   *[other] {" "}(published)
}
table-spread = { $spread ->
    [se] After ±: the standard error, clustered where several questions are on one recording.
   *[interval] In brackets: 95 % intervals, clustered where several questions are on one recording.
}
table-silent = { $benchmark }: { $altered ->
    [true] { AND($who) } judged in altered conditions only
   *[false] no judged trial of { AND($who) }
}: left out.
table-unread = { SHARE($share) } of its replies hold no readable answer and count as wrong
table-one-letter = the same answer to everything, or to 99 in 100: how often it is right says nothing of the model
table-items = { $n ->
    [one] of 1 item, others of the column of more
   *[other] of { $n } items, others of the column of more
}
table-unpublished = No published figure stands beside { NAMES($columns) }{ $late ->
    [0] : none that was asked for is of the same figure on the same questions, asked in full and in the same way
    [one] , because { NAMES($who) } is unfinished
   *[other] , because { NAMES($who) } are unfinished
}.
table-published-apart = { $title }: { $what }{ $screen ->
    [true] ; the paper's own table: --as { NAMES($forms) }
   *[false] {""}
}.
table-published-other = { $title }: { $n ->
    [one] one published row is
   *[other] { $n } published rows are
} of { NAMES($figures) } alone, which no column here is of{ $screen ->
    [true] : `zhiyin report` has { $n ->
        [one] it
       *[other] them
    }
   *[false] {""}
}.
table-published-parts = { NAMES($columns) }: published figures are of its parts or ways of asking{ $screen ->
    [true] ; they stand in `zhiyin report`
   *[false] {""}
}.
table-source = published: { $source }{ $date ->
    [none] {""}
   *[other] , { $date }
}{ $settings ->
    [none] {""}
   *[other] ; asked and read there: { $settings }
}
table-source-elsewhere = published: { $source }: whole test set, asked and read in its authors’ own way
table-continued = { $title } (continued)
table-groups = { $n } more columns, one for each main group: --columns groups
table-more = { EACH($what) }
table-left-empty = left out, as there is no run in it: { AND($folders) }
table-english = the table is in English: --lang zh has it in Chinese
table-common = { $title }, all models here: { NAMES($settings) }.
table-rule = Bold{ $screen ->
    [true] {" "}(*)
   *[false] {""}
}: the best model or people of a column{ $ways ->
    [one] {""}
   *[other] , among rows that were asked alike,
} and all that do not differ from it significantly (never a baseline), where another does: by paired tests of this figure on the same items ({ $alpha }, corrected). Runs that are unfinished, or lack many values, are never bold.
table-no-test = Not tested: { NAMES($columns) }.
printed-run = { AND($names) }: n = { $least }{ $most ->
    [none] {""}
   *[some] –{ $most }
} a cell{ $what ->
    [none] .
   *[some] ; otherwise than in the paper: { CLAUSES($what) }.
}
protocol-confirm = asked once more where a reply could not be read
protocol-own-words = prompts in our own words, in the released layout (not those of { $of })
printed-set = { $given }, not { OR($wanted) }
printed-idle = Left out, with no figure for this table in the main way of asking: { AND($who) }.
printed-gaps = Without a figure: no run here was asked it.
printed-title = As in { $of }, { $title }, %
printed-here = { $name } (here)
printed-source = published{ $names ->
    [none] {""}
   *[some] {" "}({ AND($names) })
}: { CLAUSES($sources) }
printed-unknown = --as { $name }: no table of a paper is called so: { $hint }
printed-left = { $n ->
    [one] 1 run
   *[other] { $n } runs
} of { AND($others) } left out: { $name } is of { $benchmark }
printed-other = { $run }: a run of { $other }, and { $name } is of { $benchmark }: leave it out
printed-figure = --as { $name }: a figure is drawn by the plug-in `paper`: install it
printed-no-cell = --as { $name }: no cell of it is in these runs, asked in the main way
printed-alone = --as has the paper's own columns and rows: leave out --columns, --published, --add and --brief
