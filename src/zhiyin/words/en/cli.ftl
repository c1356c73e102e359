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
cli-run-result = { cli-trials-of }{ cli-accuracy }

# `zhiyin stats`: cli/stats.py, cli/stats_health.py, cli/stats_items.py.
cli-model = { $formula }
    { $n } answers, { $groups } groups; log-likelihood { NUMBER($likelihood, decimals: 3) }, AIC { NUMBER($aic, decimals: 2) }
    random intercept: { $sd ->
    [none] none, see the warning
   *[other] standard deviation { NUMBER($sd, decimals: 4) }, likelihood ratio { NUMBER($ratio, decimals: 2) }, { P($p) }
}
cli-rotations = rotations: { cli-items } asked { $asked } times; mean accuracy { SHARE($accuracy) }, right under every rotation { SHARE($all_right) }, same content chosen in { SHARE($agreement) } of pairs
cli-constant = { EXACT($accuracy) } { $letter }
cli-letters = { $test ->
    [key] letters chosen against the key
    [wrong] the same among wrong answers (Stuart and Maxwell)
   *[recall] recall differs by letter
}: chi-square({ $df }) = { NUMBER($statistic, decimals: 1) }, { P($p) }{ $enough ->
    [true] {""}
   *[false] {" "}(some expected count is below 5: do not rely on it)
}
cli-bare = { $n ->
    [one] { $n } reply is
   *[other] { $n } replies are
} a letter and nothing else; { $letter } in { SHARE($share, decimals: 0) } of them
cli-unanswered = { $n } without an answer: { $evasions } evasions, { $refusals } refusals, { $truncated } cut off, { $other } others
cli-against-blind = against { $model } (blind): { SHARE($blind) }, gain { SIGNED($gain) } points ({ SIGNED($low) } to { SIGNED($high) })
cli-unsolved = { $solved } of { cli-items } are solved by at least { $by ->
    [one] { $by } blind run
   *[other] { $by } blind runs
}: { $left ->
    [none] nothing is left
   *[other] { SHARE($share) } ({ EXACT($low) }–{ EXACT($high) }) on the other { $left }
}
cli-examined = { cli-items }, { $participants } participants{ $families ->
    [none] {""}
   *[other] {" "}({ $families } without copies)
}{ $people ->
    [0] {""}
   *[other] , { $people } of them people
}{ $alpha ->
    [none] {""}
   *[other] ; Cronbach's alpha { NUMBER($alpha, decimals: 2) }
}
cli-separates = {"  "}{ $item }: people { SHARE($people) }, models { SHARE($models) }, { P($p) }
cli-shorter = a shorter set: { $short } of { cli-items } rank these participants with tau { NUMBER($tau, decimals: 2) }; scores differ by up to { POINTS($error) } points; tau for participants that had no part in the choice: { $new ->
    [none] unknown, for ten participants are needed
   *[other] { NUMBER($new, decimals: 2) }
}
cli-difficulty = { $answers } answers to { cli-items }; items with the same features differ by { NUMBER($sd, decimals: 2) } log-odds
cli-unseen = unseen items: predicted against observed r = { NUMBER($r, decimals: 2) } (95 % { NUMBER($low, decimals: 2) } to { NUMBER($high, decimals: 2) }), { $groups } groups of items, { $answers } answers; right { SHARE($predicted) } predicted, { SHARE($observed) } observed

# `zhiyin plan`, `zhiyin parity`, `zhiyin reading`, `zhiyin study show`, `zhiyin study show`, `zhiyin suite`.
cli-plan = { cli-items } { $items ->
    [one] finds
   *[other] find
} { $detectable ->
    [none] no difference, however large,
   *[other] a true difference of { FINE($detectable) } points
} between two models on the same items, with { $power } % power at p < { $alpha } (two-sided).
cli-plan-margin = One model's score has a margin of ± { FINE($margin) } points (95 %).
cli-plan-basis = Based on: variance of a difference { NUMBER($variance, decimals: 4) }, design effect { NUMBER($effect, decimals: 2) }; { NAMES($facts) }.
cli-same-option = the same option in { SHARE($share) } of { cli-trials-of } (95 % interval { EXACT($low) } to { SHARE($high) })
cli-kappa = Cohen's kappa of the letters { NUMBER($kappa, decimals: 2) }{ $low ->
    [none] {""}
   *[other] {" "}({ NUMBER($low, decimals: 2) } to { NUMBER($high, decimals: 2) })
}, n = { $n }
cli-same-words = the same words in { SHARE($share) } of { $n } ({ EXACT($low) } to { SHARE($high) })
cli-unread = neither reply holds an answer in { cli-trials-of }; they are left out
cli-left-out = { cli-trials-of } failed or were asked otherwise; they are left out
cli-read = { CLAUSES($parts) }
cli-read-right = { $policy }: { $right } of { $n } read right
cli-read-not = { $n } of { $of } { $how ->
    [misses] with an answer missed
    [wrong] with an answer read wrong
   *[false_guesses] without one guessed falsely
} ({ EXACT($low) }–{ SHARE($high) })
cli-read-differ = only { $first } is right on { $only_first ->
    [one] { $only_first } reply
   *[other] { $only_first } replies
}, only { $second } on { $only_second }{ $p ->
    [none] {""}
   *[other] {" "}(McNemar's exact test, { P($p) })
}
cli-percentile = { $model } has the percentile rank { SHARE($share) } (equal scores count half){ $low ->
    [none] {""}
   *[other] , 95 % interval { EXACT($low) }–{ EXACT($high) }
}, among { $who }
cli-alpha = Krippendorff's alpha { $alpha ->
    [none] is not defined: all marks are the same
   *[other] { NUMBER($alpha, decimals: 3) }{ $low ->
    [none] {""}
   *[other] , 95 % interval { NUMBER($low, decimals: 3) } to { NUMBER($high, decimals: 3) }
}
} ({ $people ->
    [one] { $people } person
   *[other] { $people } people
}, { $questions ->
    [one] { $questions } question
   *[other] { $questions } questions
}, { $answers } answers)
cli-alpha-unknown = Krippendorff's alpha: not known, nothing was judged by two people
cli-alpha-of = { $measure }: { $alpha }

# `zhiyin forge`: cli/forge.py.
cli-stated-index = the set states an index of { $questions ->
    [one] { $questions } question
   *[other] { $questions } questions
}: { NUMBER($mean, decimals: 3) } on average
cli-aimed = aimed at { SHARE($aim) } right, { SHARE($accuracy) } reached (95 % interval { EXACT($low) } to { EXACT($high) })
cli-aim-missed = warning: the interval excludes the aim: { $model } is right too { $often ->
    [true] often
   *[false] seldom
}, as nearly all that is proposed is { $often ->
    [true] less likely
   *[false] likelier
} than the right answer: have more proposed (--propose), or by another model
cli-old-and-new = { $model }: { SHARE($old) } of { $n_old } old items, { SHARE($new) } of { $n_new } new ones
cli-old-minus-new = old - new: { SIGNED($difference) } points (95 % interval { SIGNED($low) } to { SIGNED($high) }, { P($p) })
cli-contamination = { $found ->
    [better] better on the old items by { POINTS($by) } points: as a model would be that has read them, if the sets are equally hard
    [worse] worse on the old items by { POINTS($by) } points: they have not helped it
   *[none] no significant difference found: one of { POINTS($detectable) } points or more would be found in { SHARE($power, decimals: 0) } of such comparisons, a smaller one less often
}
cli-contamination-power = power: { POINTS($detectable) } points are found with { SHARE($power, decimals: 0) } at 5 %
cli-contamination-left-out = left out: { $shared } { $shared ->
    [one] item that is
   *[other] items that are
} in both, { $alone } of groups that only one set has
# zhiyin stats health, zhiyin data check

health-legend = no answer counts as wrong in acc.; corrected: 0 is guessing, 1 is all right; constant: the best accuracy of one letter for all; RStd: standard deviation of the recalls of the letters, in points, with what chance alone would give; bare: a letter and nothing else; tests: by item, the answers that one got in repeats or rotations weigh 1 together
health-left = { $n } { $what ->
    [failed] failed
    [free] without options
   *[altered] under other conditions
}
health-trials = { $n } multiple-choice trials of { $of }{ $left ->
    [0] {""}
   *[other] {" "}({ NAMES($left) })
}
health-judged = { $run }: { $n } of { $of }
health-of = { $run }: { $finding }
health-more = { $what ->
    [words] every group, every finding, what the words mean
   *[letters] letters, groups, all findings
}: { $flag }
cli-flaws-of = { $n } { $kind }, such as { $place }: { $detail }
cli-count-of = { $n } { $kind }
cli-flaws = { $n } { $n ->
    [one] item
   *[other] items
}: { $counts ->
    [0] no flaws
   *[other] { NAMES($counts) }
}{ $more ->
    [true] {" "}(--all lists them)
   *[false] {""}
}

# Other wordings: cli/forge.py.
cli-wordings = { $wordings ->
    [0] no other wording
    [one] one wording
   *[other] { $wordings } wordings
}: { $items } of { $of } items
cli-wordings-file = { $file }: `{ $command }` asks in these words
cli-wordings-people = people can confirm them: `zhiyin study make --from { $questions } --kind validate --out DIR`, then --annotations with its export

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
