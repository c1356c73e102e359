# The picture of a benchmark: tasks or models in rows.

dots-task = Task
dots-right = Right, %
dots-sizes = n = { $sizes }
dots-items = { $n } { lead-units }
dots-apart = { $unit ->
    [none] Points apart
   *[other] Apart, { $unit }
}
dots-behind = { $unit ->
    [none] Points behind
   *[other] Behind
} { $best ->
    [none] the best of its setting
   *[other] { $best }
}{ $unit ->
    [none] {""}
   *[other] , { $unit }
}
dots-lines = Lines are 95 % intervals.
dots-dashed = Dashed: guessing{ $bold ->
    [true] ; figures in bold are shown to lie above it{ $tasks ->
        [true] , corrected for all tasks and models
       *[false] { dots-runs }
    }
   *[false] ; { $n ->
        [one] the figure is not shown to lie above it
       *[other] none of the { $n } figures with an interval is shown to lie above it{ $tasks ->
            [true] , corrected for all tasks and models
           *[false] { dots-runs }
        }
    }
}.
dots-runs = { $n ->
    [one] {""}
   *[other] , corrected for all runs of the page
}
dots-gaps = Differences are { $first ->
    [none] {""}
   *[other] { $first } minus { $second },{" "}
}paired, of the items that both share{ $bold ->
    [true] ; those in bold are shown, corrected for all that are compared
   *[false] ; { $n ->
        [one] it is not shown
       *[other] none of the { $n } is shown after correction for all that are compared
    }
}.
dots-people = people
dots-guessing = Dashed: guessing.
dots-settings = Paler, with a broken line: the same model in another setting.
dots-hollow = Hollow: the same answer to everything, or to 99 in 100; what is right is then a matter of the key, and no interval is drawn.
dots-published = Hollow and grey: { $name }, as published.
dots-small = Not drawn: { NAMES($names) }, asked on fewer than { WORD($least) } items.
dots-published-more = { $n ->
    [one] 1 more row is
   *[other] { $n } more rows are
} published of a part or of another figure alone, such as { $name }: { $figure } of { $group }, { SHARE($value) }.

# One sentence on how many tasks are above guessing

claim-tasks = { EACH($each) }
claim-dose = { $who } reaches half of what sound adds after { NUMBER($value, decimals: 1) } s.
claim-with = Only { $alone }: { $text }
claim-better = { $who } { $also ->
    [true] does in { $n ->
        [0] none
        [all] all
       *[other] { WORD($n) }
    }
   *[false] { $n ->
        [0] beats guessing in none of the { WORD($of) } tasks
        [all] beats guessing in all { WORD($of) } tasks
       *[other] beats guessing in { WORD($n) } of { WORD($of) } tasks
    }{ $small ->
        [0] {""}
        [one] {" "}(one more has too few items to tell)
       *[other] {" "}({ WORD($small) } more have too few items to tell)
    }
}{ $always ->
    [0] {""}
    [all] , and in all gives the same answer every time, or nearly
   *[other] , and in { WORD($always) } gives the same answer every time, or nearly
}.

# The checks below it

ask-read = Readable?
check-read = { $so ->
    [yes] yes
    [no] no
   *[part] in part
}
check-read-of = { WHOLE($n) } of { WHOLE($of) } replies hold an answer
check-in-tasks = in { WORD($n) } of { WORD($of) } tasks
check-task = { $task } ({ $text })
check-within = { $so ->
    [true] in
   *[false] not in
} { FEW($each) }
check-of = { FEW($who) }: { $text }
check-each = { CLAUSES($each) }
