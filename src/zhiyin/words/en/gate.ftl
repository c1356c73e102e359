# A run held against an earlier one: analysis/gate.py.

gate-title = { $n ->
    [0] The gate is open: none of { $of } is shown to be worse than allowed
   *[other] The gate is closed: { $n } of { $of } failed
}
gate-asked = asked
gate-verdict = verdict
gate-old = before, %
gate-new = now, %
gate-difference = difference
gate-interval = interval
gate-items = items
gate-state = { $state ->
    [worse] worse
    [lacking] not complete
    [open] not shown
   *[kept] kept
}
gate-note = Difference: now minus before, in points, paired by item; below 0 is worse. Interval: of level { NUMBER($level, 4) }, cluster-robust{ $n ->
    [one] .
   *[other] ; so wide that all { $n } hold together with 95 %.
}
gate-of = { $name }: { $why }
gate-gone = there is a run before and none now
gate-lacking = not complete, so that nothing is compared: { $what ->
    [none] trials have no verdict
   *[other] { $what }
}
gate-worse = worse by { POINTS($points) } points, and shown to be worse by more than { POINTS($allowed) }
gate-kept = shown not to be worse by more than { POINTS($allowed) } points
gate-open = not shown to be worse by more than { POINTS($allowed) } points, and not shown to be no worse: up to { POINTS($low) } points worse fits these items{ $detectable ->
    [none] {""}
   *[other] ; a difference of { POINTS($detectable) } points would be found with 80 % power
}
gate-canary = { $why }. { AND($told) }
