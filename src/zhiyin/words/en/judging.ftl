# What `zhiyin judge` prints of a run: failures, reasoning and confidence.

judged-failures = FAILURES of { $run }, named by { $judge ->
    [none] rule alone
   *[other] { $judge }
}: { $n } choices
judged-failure-shown = { $case }, by { $by }: "{ $quote }"{ $reason ->
    [none] {""}
   *[other] { " " }({ $reason })
}
judged-failures-unnamed = without a name: { $n } (the first, { $first }: { $reason })
judged-note = note: { $what }
judged-reasoning = REASONING of { $run }, judged by { $judge }: { $right } of { $n } answered right; a wrong answer is 0
judged-reasoning-group = { $name }  { $score }, { $n ->
    [one] { $n } question
   *[other] { $n } questions
}{ $missing ->
    [0] {""}
   *[other] , without a judgement: { $missing }
}
judged-reasoning-trimmed = without the highest and the lowest of { $draws } draws: { $score }
judged-reasoning-stable = lowest and highest of the { $draws } draws left out question by question, as published: { $score }; right answers: { $right }
judged-reasoning-missing = where a judgement is missing, the figure lies between what it is if nothing is met there and if all is; the same command asks again
judged-reasoning-partly = { $draws ->
    [one] the judgement is
   *[other] some of the { $draws } judgements are
} missing of { $n ->
    [one] { $n } question
   *[other] { $n } questions
}, which have the mean of the others; the same command asks again
judged-confidence = { $title ->
    [claims] CONFIDENCE IN CLAIMS, judged by { $judge }
   *[answers] CONFIDENCE
} ({ NAMES($sources) }; { $unknown } { $title ->
    [claims] claims
   *[answers] answers
} without)
judged-confidence-figures = Expected calibration error: { $ece }, Brier score: { $brier }, confidence minus accuracy: { $bias }
judged-confidence-bin = { $low }-{ $high }  said { $said }  right { $right } |{ $bar }| n = { $n }
judged-confidences = CONFIDENCE BY PART, judged by { $judge }
judged-confidence-of = { $n } { $part ->
    [qa] { $n ->
        [one] answer
       *[other] answers
    }
    [precision] { $n ->
        [one] claim
       *[other] claims
    }
    [total] { $n ->
        [one] confidence
       *[other] confidences
    }
   *[other] { $n ->
        [one] review
       *[other] reviews
    }
}
judged-confidence-unknown = { $name }: unknown; { $unknown } without
judged-confidence-part = { $name }: said { $said }, reached { $reached }, bias { $bias }{ $gap ->
    [none] {""}
   *[other] , mean gap { $gap }
}; { $known ->
    [none] parts with a confidence, by the weights of the total
   *[other] { $known } ({ $unknown } without)
}
judged-confidence-points = Completeness and novelty are shares of points, not right or wrong: bias and mean gap, and no calibration error.
judged-close = agreement of the lexical judge with { $n } graded examples, { $aspect }: rank correlation { $rho }, off by { $off } { $share ->
    [true] points
   *[false] of { $most } marks
} (bias { $bias })
# What a judge's run remarks.

judge-instructed = { $case }: seems to instruct the judge ({ $words }): delimited, judged, look at it
judge-details = song details that seem to instruct the judge: { $n } ({ $words }); look at the data
judge-without = without { $needs ->
    [details] song details
   *[heard] song details or anything heard
}, and so without { $aspect }: { $n }
judge-ours = --released { $released } holds no prompt for { NAMES($aspects) }: asked in our own words
judge-wrong = wrong answers, 0 without a judge: { $n } of { $of }
judge-ruled = named by rule, without a judge: { $n } of { $of }
