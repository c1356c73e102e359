# Registered plans: what was expected, and what became of it.
plan-fate = { $fate ->
    [supported] supported
    [refuted] refuted by the smallest effect of interest
    [not-supported] not supported
   *[undecided] undecided
}
plan-title = Registered hypotheses
plan-exploratory = Everything below was not registered: it is exploratory. Its tests are two-sided, and corrected where there are several runs: they may find less than a registered one-sided test.
plan-no-departure = No departure from the plan was found.
plan-departures = Departures from the plan
plan-departure = departure from the plan
