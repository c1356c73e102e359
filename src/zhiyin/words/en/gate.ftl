# A run held against an earlier one: analysis/gate.py.

gate-title = { $end ->
    [closed] The gate is closed: { $closing } of { $of } failed{ $failed ->
        [0] {""}
       *[other] ; { $failed } not complete
    }{ $other ->
        [0] {""}
       *[other] ; { $other } cannot be compared
    }
    [other] No verdict: { $other } of { $of } cannot be compared{ $failed ->
        [0] {""}
       *[other] , { $failed } not complete
    }
    [failed] No verdict: { $failed } of { $of } not complete
   *[open] The gate is open: none of { $of } is shown to be worse than allowed
}
gate-no-verdict = Nothing was compared
gate-asked = asked
gate-verdict = verdict
gate-old = before{ $share ->
    [true] , %
   *[false] {""}
}
gate-new = now{ $share ->
    [true] , %
   *[false] {""}
}
gate-difference = difference
gate-interval = interval
gate-items = items
gate-state = { $state ->
    [worse] worse
    [missing] questions missing
    [failed] not complete
    [other] cannot be compared
    [open] not shown
   *[kept] kept
}
gate-note = { $of ->
    [run] Difference: now minus before{ $share ->
        [true] , in points
       *[false] , of a measure of which lower is better before minus now
    }, paired by item; below 0 is worse. Interval
    [skill] Interval of skills
   *[group] Interval of groups
}: of level { NUMBER($level, 4) }, cluster-robust{ $n ->
    [one] .
   *[other] ; so wide that all { $n } hold together with 95 %.
}
gate-changes = Of { $of }, { $worse } got worse and { $better } better; a change of the other { $rest } is not shown
gate-change = { $state ->
    [worse] worse
    [better] better
    [missing] questions missing
    [failed] not complete
    [other] cannot be compared
   *[open] not shown
}
gate-models = Before: { $old }. Now: { $new }.
gate-of = { $name }: { $why }
gate-gone = { $failed ->
    [true] asked, and no answer came; the earlier run has { $n } { $n ->
        [one] trial
       *[other] trials
    }
   *[false] there is an earlier run with { $n } { $n ->
        [one] trial
       *[other] trials
    }, and none in this suite
}{ $why ->
    [none] {""}
   *[other] : { $why }
}
gate-failed = not complete: { $what ->
    [none] trials have no verdict
   *[other] { $what }
}{ $cause ->
    [none] {""}
   *[other] {" "}({ $cause })
}. Any figures are of what both answered; the same command asks for the rest
gate-missing = { $n } of { $of } trials with a verdict in the earlier run were not asked now; the figures are of the others. If that is meant, make the baseline with the same settings (such as --sample)
gate-other = cannot be compared: { AND($settings) }: make the baseline anew or, where only the reading of replies differs, rescore one of them (zhiyin rescore)
gate-other-error = cannot be compared: { $why }
gate-setting = { $name } was { $old }, and is { $new } now
gate-same = nothing was asked anew: the replies are those of the earlier run, kept and given again
gate-worse = worse by { APART($points, $unit) }, and shown to be worse by more than { APART($allowed, $unit) }
gate-worse-too = worse by { APART($points, $unit) } on what both answered, and shown to be worse by more than { APART($allowed, $unit) }; { $why }
gate-kept = shown not to be worse by more than { APART($allowed, $unit) }
gate-open = not shown to be worse by more than { APART($allowed, $unit) }, and not shown to be no worse: up to { APART($low, $unit) } worse fits these items{ $detectable ->
    [none] {""}
   *[other] ; a difference of { APART($detectable, $unit) } would be found with 80 % power
}
gate-canary = { $why }. { AND($told) }
