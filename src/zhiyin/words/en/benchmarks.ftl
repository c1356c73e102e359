# Where the benchmark of a run is not here, or has changed since.

without-benchmark = benchmark '{ $name }' { $why ->
    [package] ({ $place }) is not installed here
    [object] ({ $place }) was given from Python, and is not here
    [file] was in a file ({ $place }), which reading a run does not open
   *[unknown] ({ $place }) is not here
}: its own tables and figures are left out, and titles are those that the run kept; { $why ->
    [package] { $install }
    [object] give the object to Python's zhiyin again, or put its class into a file
    [file] name the file: `zhiyin show --benchmark { SHELL($place) } RUN`
   *[unknown] install it
}
benchmark-changed = { $place } has changed since this run: its tables, figures and titles are made by it as it is now{ $scores ->
    [true] ; the verdicts are those of then, and `zhiyin rescore RUN --extract POLICY --benchmark { SHELL($place) }` scores the replies again
   *[false] {""}
}
benchmark-version = made with { $then }; its tables are made by { $now }
of-which-set = { $benchmark }{ $own ->
    [true] {" "}(Zhiyin's own set)
   *[false] {""}
}
equal-options = two options are the same in { $n ->
    [one] one question
   *[other] { $n } questions
} ({ NAMES($items) }{ $more ->
    [0] {""}
   *[other] , and { $more } more
}): a right choice may count as wrong, and chance is not what it seems
