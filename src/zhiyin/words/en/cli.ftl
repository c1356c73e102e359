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
   *[false] { $grades ->
        [true] { $trials ->
            [one] { $trials } grading
           *[other] { $trials } gradings
        }
       *[false] { cli-trials-of }
    }
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
}{ $grades ->
    [true] {""}
   *[false] temperature { $temperature ->
        [none] as the model has it
       *[other] { $temperature }
    },{" "}
}seed { $seed }

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
    [one] {" "}(of the { $timed } trial in sessions that ended in good order)
   *[other] {" "}(of the { $timed } trials in sessions that ended in good order)
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
   *[other] {" "}is the highest of { $rows } comparable rows, { $last } { EXACT($lowest) } the lowest
}{ $own ->
    [none] {""}
   *[other] ; this run { EXACT($own) }
}{ $higher ->
    [none] {""}
   *[other] . { $higher }
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

# Other wordings.
cli-warning = warning
cli-note = note
cli-more = … { $n } more
cli-also = also: { CLAUSES($tables) }
published-range = in brackets behind the figures of { FEW($who) }: the lowest and the highest of the single scores that they are the mean of; no interval
published-of-part = { $who ->
    [none] published rows
   *[some] { NAMES($who) }
}: on { $items } of the questions alone and so not to be compared with the whole
cli-each-whole = groups, further tables and notes of each
cli-published-in = published
cli-differs = differs: { $setting } ({ CLAUSES($each) })
cli-unset = { $name ->
    [sample] all items
    [limit] all trials
   *[other] unset
}
cli-every-group = Every group and what the columns mean
cli-unfinished = the run is not finished
cli-group = group, %
cli-run = run, %
cli-course = { $what ->
    [tunes] engraving: { $done } of { $of } tunes
    [plan] planning: { $done } of { $of } runs looked at
   *[runs] comparing: { $done } of { $of } runs read
}

# The lines of a run while it goes on: session/progress.py.
progress-rate = { $rate }/{ $seconds ->
    [true] s
   *[false] min
}
progress-usd = { $usd } usd{ $limit ->
    [none] {""}
   *[some] {" "}of { $limit }
}
progress-tokens = { $tokens } tokens
progress-fraction = { $done }{ $total ->
    [none] {""}
   *[other] {" "}of { $total }
}
progress-resuming = resuming: { $done } { $total ->
    [one] trial is
   *[other] trials are
} there
progress-trials = { $done } { $n ->
    [one] trial
   *[other] trials
}
progress-held = the server asks to wait { $wait }
progress-left = { $time } left
progress-right = { $share ->
    [none] none judged yet
   *[other] { $share } correct
}
progress-errors = { $n } { $n ->
    [one] error
   *[other] errors
}
progress-session = in this session: { $text }
progress-stopping = stopping: waiting up to { $seconds } s for replies; Ctrl-C again drops them
cli-again = `{ $show }` { $compares ->
    [true] sets this beside published results
   *[false] prints this again
}
cli-judging = judging { $ended }: { $why }
cli-replies-of = nothing was asked: the replies are of { $when }; another --out asks anew
cli-labelled = { $label }: { $text }

# A dry run: cli/run.py.
dry-nothing = { $model }: nothing was asked
dry-in-folder = in the run folder
dry-in-cache = in the cache
dry-to-ask = to ask
dry-before = before them
dry-sent = sent
dry-back = coming back
dry-cost = cost
dry-trials = trials
dry-free = trials, which cost nothing
dry-canary = short questions, the canary
dry-tokens = tokens, { $how }
dry-sound = s of sound, { $tokens } of these tokens
dry-usd = usd{ $most ->
    [none] {""}
   *[other] , at most { $most }
} ({ $price })
log-counted = counted by the server
log-by-script = an estimate by the script of the words
log-from-counted = an estimate from { $n } requests counted by the server
log-from-run = an estimate from { $n } requests of this run
log-as-in = { $each } a reply, as in { $n } of this run
log-assumed = assumed: { $each } a reply; ask some first (--limit { $limit }) to know
log-here = it answers on this machine
log-nothing-asked = nothing is to be asked
log-no-price = its price is not known: see `zhiyin prices`

# What there is, and what was written: cli/list.py, cli/pages.py.
cli-kind = { $kind }
cli-listed = { cli-kind }: { $names }
cli-fact = { $key }: { $value }
cli-unusable = not usable
cli-list-more = papers, licences, all names: `zhiyin list --all`; one: `zhiyin list NAME`
cli-wrote = wrote { $path }
cli-wrote-page = wrote { $page }: trials { $trials }, recordings { $sounds }, tunes engraved { $tunes } ({ $size })

holds-trials = { $n } of { $of } trials

holds-sequences = { $n } of { $of } sequences{ $trials ->
    [none] {""}
   *[other] , { $beside } of { $trials } trials beside them
}

holds-more = this folder holds more than was asked for now ({ $now }); all that it holds is counted

cli-nothing-kept = nothing is kept yet: { $path }

# The overview, English in the code, so that it is quick: cli/__init__.py.
overview = { $english }{ $key ->
   *[other] {""}
}

# zhiyin rescore, prices, cache
rule-default = the default
cli-differ-now = { $n } of { $of } verdicts differ
prices-unit = US dollars for a million tokens, or a minute of sound. Yours to edit: { $own }
cache-freed = { $size } freed: { $path }
cache-pruned = { $n } { $n ->
    [one] reply
   *[other] replies
} deleted; the file has { $size }
cache-total = { $total } of { $room }: { $path }
cache-size = --to { $text }: write a size such as 100MB
cache-prune-alone = --to and --unused-for belong to `zhiyin cache prune`
cache-prune-how = give `zhiyin cache prune --to SIZE`, or --unused-for DAYS
cli-this-run = { $name } (this run)
cli-reference = { $title }: { $figure }, %
cli-merged = merged { $shards ->
    [one] 1 shard
   *[other] { $shards } shards
}: { $trials ->
    [one] 1 trial
   *[other] { $trials } trials
} in { $folder }
cli-merged-judge = the same `run` without --shard, with --out { SHELL($folder) }, asks its judge

policy-summary = { $name ->
   *[other] { $summary }
}
