# The page of what a model hears.
hearing-what = What { $model } hears
hearing-table = The same as a table
hearing-run = { of-which-set }{ $folder ->
    [none] {""}
   *[some] {", "}{ $folder }
}: { $trials ->
    [one] 1 trial
   *[other] { $trials } trials
}{ $whole ->
    [true] {""}
   *[false] , not finished
}{ $cost ->
    [0] {""}
   *[other] ; { CLAUSES($cost) }
}
hearing-cost = in all: { MONEY($usd) } for { $runs ->
    [one] 1 run
   *[other] { $runs } runs
}{ $lack ->
    [0] {""}
   *[other] ; what { $lack } more cost is not known
}
hearing-sounds = Hear it yourself
hearing-files = For a paper:
hearing-nothing = none of these runs shows what a model hears: give runs that do
