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

judge-setting = { $flag }{ $value ->
    [none] {""}
   *[some] {" "}{ $value }
}
judged-songs = Scores by song
judged-part = { $name ->
    [qa] questions
   *[other] { head }
}
judged-for = for { AND($names) }{ $only ->
    [true] {" "}only
   *[false] {""}
}
judged-why = { $why ->
    [every-judgement-failed] every judgement failed
    [not-run] not run
    [every-question-failed] every question failed
    [nothing-to-judge] nothing to judge
    [nothing-is-known-of-any-song] there are no facts about any song
    [no-review-makes-a-claim-that-the-evidence-decides] no review makes a claim that the evidence decides
    [no-review-makes-a-claim-that-the-judgements-there-are-decide] no review makes a claim that the judgements there are decide
   *[other] { $why }
}
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
judged-lacking = { judged-part } ({ judged-why })
judged-no-total = no total: { $whole ->
    [true] all of it failed for
   *[false] judgements are missing, and there are none on
} { NAMES($parts) }
log-judge-error = judge_error: { $why }
log-judge-also = { $first }; also: { $second }
log-judge-no-json = there was no JSON object in the reply
log-judge-cut = the JSON was cut off before its end
log-judge-tangled = the JSON was broken in more places than can be mended
log-judge-full = the reply reached its length limit: { $why }
log-judge-no-field = the JSON object had none of the fields { NAMES($fields) }
log-judge-no-number = "{ $field }" was { $shown } and not a number from 0 to { $most }
log-judge-out-of = "{ $field }" was { $shown } and not out of { $most }
log-judge-range = "{ $field }" was { $score } and not from { $low } to { $high }
log-judge-yes-no = "{ $field }" was { $shown } and neither true nor false
log-judge-no-word = "{ $field }" was { $shown } and none of { NAMES($words) }
log-judge-no-list = the list "{ $field }" was missing
log-judge-not-list = "{ $field }" was not a list of objects
log-judge-value = "{ $value }"
log-judge-missing = missing
log-judge-list = a list of { $n }
log-judge-object = an object of { $n }
log-judge-points = points were missing: { NAMES($points) }
log-judge-unheard = "{ $field }" rests on what was "heard", and nothing was measured
log-judge-heading = there was no number behind { $heading }
log-judge-unstated = neither 总计事实声明 nor 准确率 was stated
log-judge-novelty = 新颖性得分 was not stated out of 4
log-judge-quote = the quotation "{ $quote }" does not stand in the reply judged
log-judge-no-quote = the quotation was missing, which is to stand in the reply judged
log-judge-criterion = "criterion" was { $number } and no number from 1 to { $count }
log-judge-twice = criterion { $number } was judged twice
log-judge-lost = criterion { $number } of { $count } was not judged
log-judge-mark = "answer" is { $answer }, and no option, "none" or "unsure"
log-judge-no-rule = no rule names it: ask a judge
log-judge-no-reply = no reply
log-judge-not-asked = no judge was asked
judged-without = the total is without { NAMES($parts) }: over { AND($names) } alone, weights { $weights }
judged-unwritten = reviews that were not written, which hold no point and no claim, whoever judges: { $n }
judged-missing = { $n } of { $of } judgements are missing and not counted, of { FEW($cases) } (the first: { $first }); run the same command again to ask for them
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

aspect-unread = { $path }: { $strerror }: is it there, and a file?
aspect-titled = { $name }
aspect-name = { $path }: name { $name }: write small letters, digits, - and _
aspect-taken = { $path }: the name { $name } is taken: choose another one
aspect-scale = { $path }: scale [{ $low }, { $high }]: write the lowest score, 0 or more, and then the highest
aspect-of = { $path }: of: aspects of your own are of reviews: leave it out
aspect-no-prompt = { $path }: no prompt: write prompt = "..." with {"{"}text{"}"} in it: { $see }
aspects-mixed = --aspects { $value }: failures and reasoning are of choices and the others of reviews: name failures alone, or reasoning, or some of { $graded } and files of yours
aspects-twice = --aspects { $name }: the name { $nameb } is taken by another one

judge-none-written = { $folder }: none of its { $empty } reviews was written: nothing to judge
judge-default = -m names no judge, so it is { $judge }, at OPENAI_BASE_URL if that is set: { $why }; -m MODEL names another judge{ $lexical ->
    [true] , and -m lexical judges by word lists, without a model or key
   *[false] {""}
}
judge-no-review = { $folder }: holds no review to judge: name the run of a benchmark that asks for reviews, or name failures with --aspects failures
judge-none-wrong = { $folder }: no choice in it went wrong: there is no failure to name
judge-no-criteria = { $folder }: none of its questions brings criteria for the reasoning: name a run of a benchmark whose data have them, such as one with a rubric for each question

judge-weights = --weights { $text }: write four numbers for { $components }, such as 30/40/20/10

judge-human-failures = --human: nobody grades the names of failures; leave it out
judge-human-reviews = --human: grades of people are of reviews; leave it out
audit-no-terminal = no terminal to show the address of the page of marks: write `zhiyin audit { SHELL($run) } --sheet FILE`, or give --port
audit-by-judge = --by is for people: a judge marks under its own name; leave it out
audit-by-name = --by { $by }: names that begin with { $judge } are those of models
audit-others = { $others } further trials were not read by rule as a choice and are not audited

lexical-released = the lexical judge goes by word lists and is asked in no prompt: leave --released out
lexical-failures = the lexical judge names no failures beyond the first pass by rule: give a model
lexical-reasoning = the lexical judge follows no reasoning: give a model
lexical-aspect = the lexical judge goes by word lists and has none for { $name }: give a model, or leave that out of --aspects
audit-not-drawn = { $run }: nothing is drawn: run { $first } first
audit-no-run = no run to audit: write `zhiyin audit RUN --judge MODEL`

human-header = { $path }:1: write a header with song and some of { $graded }
human-fields = { $path }:{ $number }: { $row } fields under { $header } columns: mend the row
human-song = { $path }:{ $number }: no song { $cells } in this run: write it as the run does
human-songs = { $path }:{ $number }: { $songs ->
    [one] { $songs } review is
   *[other] { $songs } reviews are
} of { $cells }: write the trial's id in its place
human-grade = { $where } { $cell } is no number from { $low } to { $high }
human-folder = --human { $path }: is a folder: give a table, or what `zhiyin study export` writes
human-no-texts = { $path }: nobody graded texts in it: give the export of a study of the kind rate, without --pairs
human-excluded = { $path }: no grade in it counts: all of these people are excluded
human-codebook = { $path }: its codebook does not hold the texts that were graded: export the study again
human-other-run = { $path }: no text graded in it is of this run: name a run that the study was made from

pack-list = { $path }: no { $missing }: add the list, empty if need be
pack-group = { $path }: patterns, { $name }: no (?P<{ $missing }>...): add it
pack-claim = { $path }: patterns, { $name }: put what is claimed into (...)
pack-rubric = { $folder }: rubric { $rubric } says nothing of { $missing }: add it
pack-unknown = unknown --language { $named }: { $hint }; or give the folder of a language pack, with { $words } in it
pack-twice = { $folder }: the language { $language } is there already: give the pack a name of its own
pack-unread = { $path }: { $strerror }: a language pack needs this file

heard-other = { $path }: is no longer the recording that was played

lexical-only = { $name } only judges: use `zhiyin judge RUN -m { SHELL($nameb) }`

# What `zhiyin judge` and `zhiyin audit` print beside.
judged-mode = { $mode }: { $n } ({ SHARE($share) })
judged-none = none
judged-between = , between { $low } (all missing the worst) and { $high } (the best)
judged-reliability = RELIABILITY OF THE JUDGES
judged-kind = { $kind ->
    [personal_reactions] Personal Reactions
    [technical_analysis] Technical Analysis
    [creative_interpretations] Creative Interpretations
    [cultural_context] Cultural Context
   *[comparative_analysis] Comparative Analysis
}
judged-whole = songs, statements, agreement, every note: --groups all
judged-brief = questions and reviews, judged by { $judge }{ $by ->
    [none] {""}
   *[other] , by { $by }
}
judged-brief-total = total: { $figure }
judged-brief-part = { judged-part }: { $figure ->
    [none] none, { judged-why }
   *[other] { $figure }, n = { $n } { $name ->
        [qa] { $n ->
            [one] question
           *[other] questions
        }
       *[other] { $n ->
            [one] song
           *[other] songs
        }
    }{ $missing ->
        [0] {""}
       *[other] ; { $missing } missing
    }
}{ $weight ->
    [none] {""}
   *[other] , weight { $weight }
}
audit-took = took { $n ->
    [one] { $n } mark
   *[other] { $n } marks
}{ $draw ->
    [true] { " " }and their draw
   *[false] {""}
} from { $path }{ $others ->
    [0] {""}
   *[other] ; { $others } are of replies that are not drawn here
}
audit-wrote = wrote { $n ->
    [one] { $n } reply
   *[other] { $n } replies
} to { $sheet }: put a letter, "none" or "unsure" in each "mark", then `{ $command }`
audit-unmarked = { $judge } left { $n ->
    [one] { $n } reply
   *[other] { $n } replies
} unmarked: { $why }
audit-unreadable = its replies hold no mark that can be read
audit-open = open { $address } and mark { $n ->
    [one] { $n } reply
   *[other] { $n } replies
} (Ctrl-C ends; every mark is kept at once)


aspects-unknown = unknown --aspects '{ $name }': { $hint }
rules-unknown = unknown --protocol '{ $name }': { $hint }
judge-holds-none = { $folder }: holds no review to judge: give the run of a benchmark that asks for reviews; zhiyin.failures(run) names what went wrong in wrong choices
judge-no-clone = --released { $folder }: neither prompt/{ $prompt } nor { $prompt } in it: give a clone of karroyan/ReactionEvalBenchmark
