exercises-summary = Fresh exercises by seed: theory, Chinese traditional music, continuing a tune
exercises-again = { $n ->
    [one] 1 exercise of the kind { $kind } stands in the set before: there are no more (intervals count both as one)
   *[other] { $n } exercises of the kind { $kind } stand in the set before: there are no more (intervals count them as one)
}
