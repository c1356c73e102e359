# What `zhiyin judge` prints of a run.
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
    [heard] anything heard
   *[evidence] song details or anything heard
}, and so without { $aspect }: { $n }
judge-ours = --released { $released } holds no prompt for { NAMES($aspects) }: asked in our own words
judge-wrong = wrong answers, 0 without a judge: { $n } of { $of }
judge-ruled = named by rule, without a judge: { $n } of { $of }

judged-songs = Scores by song
judged-head = { $name }{ $most ->
    [none] {""}
   *[other] { " " }/{ $most }
}
judged-title = Judged by { $who }{ $by ->
    [none] {""}
   *[other] { " " }by { $by }
}
judged-bounds = were all that is missing the worst or the best: total { SHARE($low) } to { SHARE($high) }
judged-same = judge and candidate are the same model ({ $judge }): models favour their own words
judged-kin = judge { $judge } and candidate { $candidate } are of one family ({ $family }): models favour their own; have another family judge as well
judged-lacking = { $name } ({ $why ->
    [failed] every judgement failed
    [not-run] not run
    [questions-failed] every question failed
    [nothing] nothing to judge
    [unknown] there are no facts about any song
    [undecided] no review makes a claim that the evidence decides
    [undecided-there] no review makes a claim that the judgements there are decide
   *[other] { $why }
})
judged-no-total = no total: { $whole ->
    [true] all of it failed for
   *[false] judgements are missing, and there are none on
} { NAMES($parts) }
log-judge-error = judge_error: { $why }
log-judge-no-json = there was no JSON object in the reply
log-judge-cut = the JSON was cut off before its end
judged-without = the total is without { NAMES($parts) }: over { AND($names) } alone, weights { $weights }
judged-unwritten = reviews that were not written, which hold no point and no claim, whoever judges: { $n }
judged-missing = { $n } of { $of } judgements are missing and not counted (the first: { $first }); run the same command again to ask for them
judged-silent = reviews without a claim, which count 0 in precision as released: { $n }
judged-lexical = the lexical judge goes by word lists: its grades are not comparable with a language model's
judged-heard = heard in { $n } of { $of } recordings; claims that this decided: { $decided } ({ $right } correct)
judged-open = claims that the evidence does not decide, which are in no figure: { $n }
judged-warning = warning: { $what }
judged-spread = { $judge }, { $aspect }: { $draws } draws of { $n } texts differ by SD { $sd } (widest range { $widest })
judged-agreement = { AND($judges) }, { $aspect }, { $n } texts:
judged-measure = { $kind ->
    [alpha] Krippendorff's alpha
    [icc] ICC(A,1)
   *[kappa] weighted kappa
} { $figure }{ $texts ->
    [none] {""}
   *[other] , { $texts } texts
}
judged-length = { $judge }, { $aspect } with length: rank correlation { $rank }, { $n } texts
judged-scales = people graded from { $low } to { $high }, and judges on scales of their own: neither alpha nor bias can be given
judged-people = { $judge } against { $people ->
    [none] people
    [one] { $people } person
   *[other] { $people } people
}, { $aspect }: { $alpha ->
    [none] {""}
   *[other] alpha { $alpha },{" "}
}rank correlation { $rank }{ $bias ->
    [none] {""}
   *[other] , bias { $bias }
}, { $n } texts
judged-powered = corrected mean (prediction-powered): { $figure }; { $judge ->
    [none] {""}
   *[other] judge alone { $judge },{" "}
}people alone { $people }

judges-unknown = unknown: one judge judged each text once; judge again with --draws, or with another judge

report-judges = How far the judges can be relied on:
audit-drawn = { $n } of { $of } replies are drawn, and none is marked yet
