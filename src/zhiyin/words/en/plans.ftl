# Registered plans: what was expected, and what became of it: analysis/hypotheses.py, report, cli.

plan-expects = { $model } { $direction ->
    [greater] is better than { plan-than }
    [less] is worse than { plan-than }
   *[different] differs from { plan-than }
}{ $group ->
    [none] {""}
   *[some] {" "}in { $group }
}{ $score ->
    [none] {""}
   *[some] , in { $score } (from { $low } to { $high })
}
plan-than = { $than ->
    [chance] chance
    [share] { $share } %
    [score] { $share }
   *[model] { $other }
}
plan-fate = { $fate ->
    [supported] supported
    [refuted] refuted by the smallest effect of interest
    [not-supported] not supported
   *[undecided] undecided
}

plan-outcome = { $confirmatory ->
    [true] the registered
   *[false] not confirmatory, as not every reply was asked for after the plan was registered: the
} hypothesis { $name } ({ $expects }) is { plan-fate }{ $effect ->
    [none] {""}
   *[some] {" "}({ SIGNED($effect) } points; { P($p) }, { plan-sides })
}
plan-sides = { $sides ->
    [two] two-sided
   *[one] one-sided
}
plan-beside = { $confirmatory ->
    [true] Registered before the runs, and first to be reported
   *[false] Registered, though not before every reply
}: { CLAUSES($each) }. The tests of this table are two-sided and were not registered: they are exploratory.
plan-title = Registered hypotheses
plan-confirmatory = { $confirmatory ->
    [true] Confirmatory
   *[false] Not confirmatory{ $names ->
        [0] {""}
       *[other] {" "}as to { AND($names) }
    }
}: the plan { $title ->
    [none] {""}
   *[some] "{ $title }"{" "}
}was registered on { $at }{ $confirmatory ->
    [true] , before the run (SHA-256 { $sha }…).
   *[false] {" "}(SHA-256 { $sha }…), and not every reply is known to be asked for after that: { CLAUSES($each) }.
}
plan-corrected = { $correction ->
    [holm] p-values are corrected after Holm for all hypotheses of the plan.
    [bonferroni] p-values are corrected after Bonferroni for all hypotheses of the plan.
   *[none] p-values are not corrected.
} Intervals are of { SHARE($level, decimals: 0) }, each for itself{ $sided ->
    [true] , and two-sided: where a test is one-sided, it may be significant though the interval holds 0
   *[false] {""}
}.
plan-scaled = Differences in a named score are in per cent of its scale.
plan-known = A number that a model is held against is taken as known: if it is a share of people, how many people and which questions it rests on is not in the test.
plan-watched = The tests hold however often one looks: a run stops as soon as they decide.
plan-how-fate = Refuted: an effect as large as the smallest of interest is excluded. Not supported: all was asked, and neither is shown. Undecided: something is yet to be asked.
plan-exploratory = Everything below was not registered: it is exploratory. Its tests are two-sided, and corrected where there are several runs: they may find less than a registered one-sided test.
plan-no-departure = No departure from the plan was found.
plan-departures = Departures from the plan
plan-expected = expected
plan-became = what became of it
plan-difference = difference, points
plan-smallest = smallest of interest
plan-hypothesis = hypothesis
plan-items = items

plan-setting = { $name }: planned { $plan }, run with { $run }
plan-begun-before = the run was begun before the plan was registered
plan-replayed = replies that were there are given again
plan-kept-before = { $n ->
    [one] { $n } kept reply was asked for before the plan was registered
   *[other] { $n } kept replies were asked for before the plan was registered
}
plan-kept-undated = { $n ->
    [one] when { $n } kept reply was asked for is not known
   *[other] when { $n } kept replies were asked for is not known
}
plan-put-in = { $n ->
    [one] { $n } record was put in that no session of the run asked for
   *[other] { $n } records were put in that no session of the run asked for
}
plan-batches-before = { $n ->
    [one] { $n } batch was handed in before the plan was registered
   *[other] { $n } batches were handed in before the plan was registered
}
plan-clock = the dates of the run contradict each other, as where a clock is set back
plan-rescored = the run was scored again after it was asked, by Zhiyin { $version }
plan-failed = { $n ->
    [one] { $n } trial failed and is left out
   *[other] { $n } trials failed and are left out
}
plan-not-asked = { $n } of { $of } trials were not asked
plan-not-sent = settings that the model's server did not take: { NAMES($names) }
plan-without-score = { $n ->
    [one] { $n } trial
   *[other] { $n } trials
} without { $score }: left out of { $name }
plan-outside = { $score } lies outside { $low } to { $high } in { $n ->
    [one] { $n } trial
   *[other] { $n } trials
}: { $name } cannot be tested
plan-code = the file of the model is not the one that was registered
plan-version = planned with Zhiyin { $planned }, run with { $run }
plan-unreadable = the registered plan cannot be read: { $why }
plan-registered = { $file }: registered at { $at }; at most { $items } { $items ->
    [one] item
   *[other] items
}. Sign it, publish its hash, then run:
plan-prospect = { $name }: an effect of { POINTS($smallest) } points is found in about { SHARE($found, decimals: 0) } of runs{ $by ->
    [none] {""}
   *[other] , in half of them by { $by } of { $of } items
}; { $least ->
    [none] no effect is found in 80 % of them, however large: add items, or plan with stop = "n"
   *[other] in 80 % one of { POINTS($least) } points is found
}{ $most ->
    [none] {""}
   *[other] ; no cluster counts as more than { $most } { $most ->
        [one] item
       *[other] items
    }
}
plan-hash = its SHA-256: { $sha }
plan-departure = departure from the plan
