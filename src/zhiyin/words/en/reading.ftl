# How replies were read, what they cost, which protocol was followed: analysis.

reading-answers = answers read by { NAMES($policies) }: { NAMES($counts) }
reading-count = { $n } { $how ->
    [by-text-alone] by text alone
   *[other] { $how }
}
reading-confirmed = asked once more for the letter alone: { $asked } { $asked ->
    [one] reply
   *[other] replies
}, { $settled } settled so{ $failed ->
    [0] {""}
    [one] , { $failed } call failed
   *[other] , { $failed } calls failed
}{ $without ->
    [none] {""}
   *[some] ; without that IFR is { POINTS($without, 2) } %
}

cost-spent = cost: { $usd ->
    [none] {""}
   *[some] { MONEY($usd) } for {""}
}{ cost-calls }{ $canary ->
    [0] {""}
   *[other] {" "}({ $canary } of them the canary's)
}{ $cached ->
    [0] {""}
    [one] , { $cached } reply from the cache
   *[other] , { $cached } replies from the cache
}; { $input } { $input ->
    [one] token
   *[other] tokens
} sent, { $output } came back
cost-calls = { $calls } { $calls ->
    [one] call
   *[other] calls
}
cost-not-counted = cost: { cost-calls }, whose tokens the server did not count
cost-per-right = { $usd ->
    [none] tokens per correct answer: { WHOLE($tokens) }
   *[some] per correct answer: { MONEY($usd) } and { WHOLE($tokens) } tokens
}{ $cached ->
    [0] {""}
   *[other] , cached replies at their full price
}
cost-uncounted = the server did not count the tokens of { cost-calls }
cost-prices = prices: { $source ->
    [none] no date, no source
   *[some] { $source }
}{ $today ->
    [true] , as the table has it today
   *[false] {""}
}
cost-judge = { $judge ->
    [none] judge
   *[some] judge { $judge }
}: { $usd ->
    [none] {""}
   *[some] { MONEY($usd) } for {""}
}{ cost-calls }; { $tokens } tokens sent and received
cost-judge-unknown = { $judge ->
    [none] judge
   *[some] judge { $judge }
}: what it cost is not known: { $fault }

protocol-followed = protocol { $name } ({ $source }), { $departures ->
    [0] without a departure
   *[other] departing from it in: { CLAUSES($departures) }
}
protocol-differs = not done as in { $name }: { CLAUSES($differs) }
