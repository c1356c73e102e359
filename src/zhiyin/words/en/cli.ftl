# What commands of the command line print beside their tables: cli/.
cli-items = { $items ->
    [one] { $items } item
   *[other] { $items } items
}
cli-trials-of = { $trials ->
    [one] { $trials } trial
   *[other] { $trials } trials
}

# What a run asks and how, before it begins: session/setup.py.
cli-opening = { $calls ->
    [true] { $trials ->
        [one] { $trials } call
       *[other] { $trials } calls
    }
   *[false] { cli-trials-of }
}{ $questions ->
    [none] {""}
    [one] {" "}for { $questions } question
   *[other] {" "}for { $questions } questions
}{ $repeats ->
    [none] {""}
   *[other] {" "}(--repeats { $repeats })
}; { $shots ->
    [none] {""}
   *[some] { $shots }{", "}
}temperature { $temperature ->
    [none] as the model has it
   *[other] { $temperature }
}, seed { $seed }

# How a run is headed: cli/show.py.
cli-averaged = the trials of an item are averaged first, so that figures are means over items and no shares of n: { FEW($who) }
cli-trials = { cli-trials-of }{ $begun ->
    [0] {""}
    [one] , { $begun } sequence
   *[other] , { $begun } sequences
}{ $items ->
    [none] {""}
   *[other] {" "}on { cli-items }{ $clusters ->
    [none] {""}
    [one] {" "}in { $clusters } cluster
   *[other] {" "}in { $clusters } clusters
} (an item's trials are averaged first)
}: { NAMES($states) }{ $rate ->
    [none] {""}
   *[other] , { NUMBER($seconds, decimals: 1) } s, { $slow ->
    [true] { NUMBER($rate, decimals: 1) }
   *[false] { WHOLE($rate) }
} a second{ $timed ->
    [none] {""}
    [one] {" "}(of { $timed } trial: sessions that were killed are not timed)
   *[other] {" "}(of { $timed } trials: sessions that were killed are not timed)
}
}{ $earlier ->
    [0] {""}
    [one] ; { $earlier } of { $replies } replies is of an earlier run
   *[other] ; { $earlier } of { $replies } replies are of an earlier run
}
cli-state = { $n } { $state ->
    [no_answer] no answer
   *[other] { $state }
}
cli-nothing-asked = nothing has been asked yet
cli-empty-shard = nothing to ask: shard { $shard } holds no trial of this run (merge it too)
cli-not-comparable = not comparable with published results: { CLAUSES($parts) }
cli-published = published, { $figure } on { $group ->
    [all] everything
   *[other] { $group }
}, %: { $best } { EXACT($highest) }{ $rows ->
    [one] {""}
   *[other] {" "}is the highest of { $rows } rows, { $last } { EXACT($lowest) } the lowest
}{ $own ->
    [none] {""}
   *[other] ; this run { EXACT($own) }
}{ $trust ->
    [none] {""}
   *[other] ; { $trust }
}
cli-accuracy = { $accuracy ->
    [none] {""}
   *[other] , { SHARE($accuracy) } right
}

# zhiyin stats health, zhiyin data check
cli-count-of = { $n } { $kind }

# Other wordings: cli/forge.py.
cli-warning = warning
cli-note = note
cli-more = … { $n } more
cli-also = also: { CLAUSES($tables) }
cli-each-whole = groups, further tables and notes of each
cli-published-in = published
cli-differs = differs: { $setting } ({ $each })
cli-every-group = Every group and what the columns mean
cli-unfinished = the run is not finished
cli-group = group, %
cli-run = run, %
cli-course = { $what ->
    [tunes] engraving: { $done } of { $of } tunes
   *[runs] comparing: { $done } of { $of } runs read
}
