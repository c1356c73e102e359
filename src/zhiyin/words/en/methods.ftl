# The methods paragraph of a report, as one may paste it into a paper: report/methods.py.

methods-sentence = { SENTENCE($clauses) }
methods-each-run = In each run { CLAUSES($clauses) }.
methods-of-run = for { AND($who) }: { $clause }

methods-who = We examined { AND($models) }{ $address ->
    [none] {""}
   *[some] , { $address },
}{ $runs ->
    [0] {""}
    [one] {" "}in one run
   *[other] {" "}in { $runs } runs
} on { $items ->
    [none] {""}
    [one] one item of{" "}
   *[other] { $items } items of{" "}
}{ $benchmark }{ $versions ->
    [0] {""}
   *[other] {" "}(version { AND($versions) } of its trials and scoring)
}{ $shots ->
    [0] {""}
   *[other] , { AND($shots) },
} with { AND($tools) }{ $first ->
    [none] {""}
   *[some] {" "}{ $last ->
        [none] on { $first }
       *[some] from { $first } to { $last }
    }
}{ $figures ->
    [no] {""}
    [told] ; figures have 95 % intervals
   *[tested] ; figures have 95 % intervals, and differences are tested in pairs and corrected for their number
}.
methods-model = { $name } ({ CLAUSES($told) })
methods-sent = { $address ->
    [none] { $id }
   *[some] { $id ->
        [none] {""}
       *[some] model { $id }{" "}
    }{ $address }
}
methods-at = at { $address }
methods-own-server = on a server of our own
methods-when = on { AND($days) }
methods-canaries = { $state ->
    [passed] The canary, easy questions that only who hears or sees can answer, was passed before { CLAUSES($each) }.
   *[failed] The canary, easy questions that only who hears or sees can answer, was not passed, so that hearing or seeing is not shown: { CLAUSES($each) }.
}
methods-canary-of = by { $who } for { $medium ->
    [sound] sound
   *[image] pictures
} ({ $right } of { $asked } right)
methods-plan = { $n ->
    [one] One hypothesis and its test were
   *[other] { $n } hypotheses and their tests were
} registered on { $at } in a plan{ $who ->
    [0] {""}
   *[other] {" "}that { AND($who) } { $who ->
        [one] follows
       *[other] follow
    }
} (SHA-256, first { $digits } digits: { $sha }){ $departures ->
    [0] ; no departure from it was found
    [one] ; the runs depart from it in one respect, which the report names
   *[other] ; the runs depart from it in { $departures } respects, which the report names
}{ $confirmatory ->
    [true] . All other tests are exploratory.
   *[false] . Not every reply was asked for after that: these results are not confirmatory, and all tests are exploratory.
}
methods-options = each question had { $most ->
    [none] { $least }
   *[some] { $least } to { $most }
} { $least ->
    [one] option
   *[other] options
}{ $order ->
    [shuffled] , shuffled by the seed
    [published] , in the order of the data
   *[other] {""}
}{ $chance ->
    [none] {""}
   *[some] , so that guessing gets { SHARE($chance) } right
}
methods-agreement = people agreed in their choices with Krippendorff’s alpha of { NUMBER($alpha, decimals: 2) }{ $low ->
    [none] {""}
   *[some] {" "}(95 % interval { NUMBER($low, decimals: 2) } to { NUMBER($high, decimals: 2) }, over { $questions } { $questions ->
        [one] question
       *[other] questions
    })
}
methods-tool = Zhiyin { $version ->
    [none] (version unknown)
   *[some] { $version }
}{ $python ->
    [none] {""}
   *[some] {" "}on Python { $python }
}

methods-asked = { $judged ->
    [none] { $open }{ methods-of } trials were answered, { $right ->
        [none] which are neither right nor wrong
       *[some] { $right } of them right, which is no share of the benchmark: they were chosen by what they tell
    }
   *[some] { $judged }{ methods-of } trials were judged right or wrong{ $open ->
        [0] {""}
        [one] , { $open } is neither
       *[other] , { $open } are neither
    }
}{ $items ->
    [none] {""}
   *[some] {" "}({ $items } { $items ->
        [one] item
       *[other] items
    })
}{ $sequences ->
    [none] {""}
   *[some] ; { $ended } of { $sequences } sequences came to their end
}{ $judged ->
    [none] { $failed ->
        [0] {""}
       *[other] ; { $failed } failed
    }
   *[some] ; { $failed ->
        [0] none
       *[other] { $failed }
    } failed, { $unread ->
        [0] none
       *[other] { $unread }
    } without a readable answer
}{ $unfit ->
    [0] {""}
    [one] ; one more does not apply to it and was not asked
   *[other] ; { $unfit } more do not apply to it and were not asked
}
methods-of = { $planned ->
    [none] {""}
   *[some] {" "}of { $planned }
}
methods-data = SHA-256 over data and prompts (first { $digits } digits): { CLAUSES($prints) }.
methods-print = { $print } ({ AND($who) })

methods-own-protocol = Zhiyin's own protocol was followed
methods-protocol = the protocol { $name } was followed ({ $source }){ $departures ->
    [0] {""}
   *[other] , but for: { NAMES($departures) }
}{ $differs ->
    [0] {""}
   *[other] ; what is never done as there: { NAMES($differs) }
}

methods-one-person = one person answered
methods-people = { $people ->
    [none] several
   *[some] { $people }
} people answered{ $set_aside ->
    [none] {""}
   *[some] {" "}({ $set_aside } of the { $of } who took part were set aside{ $rules ->
        [0] {""}
       *[other] , by rules set before: { NAMES($rules) }
    })
}{ $by_hand ->
    [0] {""}
   *[other] ; { $by_hand } set aside by hand
}{ $under_way ->
    [0] {""}
   *[other] ; { $under_way } had not come to the end
}{ $attention ->
    [none] {""}
    [0] {""}
   *[other] ; answers to { $attention ->
        [one] 1 attention question
       *[other] { $attention } attention questions
    } are in no figure
}{ $practice ->
    [none] {""}
    [0] {""}
   *[other] ; { $practice ->
        [one] 1 question was
       *[other] { $practice } questions were
    } for practice, and in no figure
}{ $agreement ->
    [none] {""}
   *[some] ; { $agreement }
}{ $languages ->
    [0] {""}
   *[other] ; they read the study in these languages: { NAMES($languages) }
}; each of them counts as much, and intervals are for other people and other questions
methods-people-language = { $n } in { $language ->
    [de] German
    [en] English
    [zh] Chinese
   *[other] { $language }
}{ $questions ->
    [all] {" "}(questions translated)
    [some] {" "}(only part of the questions in that language)
    [nothing] {" "}(questions not translated)
   *[own] {""}
}
methods-rule-broken = { $rule ->
    [attention_wrong] attention questions answered wrong
    [gold_right] too few control questions right
    [median_seconds] too fast
    [same_place] too often the same place in the list
    [least_answers] too few answers
    [headphones] headphone check not passed
    [reference_below] hidden reference graded low
    [unfinished] not finished
    [under_way] not finished yet
   *[other] { $rule }
} ({ $n })
methods-rule = answers were given by the rule "{ $rule }"
methods-by-rule = replies were made by rule
methods-replay = replies were generated elsewhere and read from a file
methods-imported = replies were generated elsewhere
methods-no-sampling = replies came from a function that takes no settings of sampling
methods-sampled = replies were generated with { $settings ->
    [0] the models' own settings
   *[other] { NAMES($settings) }
}
methods-sampling = { $setting ->
    [temperature] temperature
    [max_tokens] at most
    [top_p] top-p
    [top_k] top-k
    [seed] sampling seed
   *[thinking] thinking
} { $value }{ $setting ->
    [max_tokens] {" "}tokens a reply
   *[other] {""}
}

methods-settings = the settings were { $settings ->
    [0] the defaults
   *[other] { NAMES($settings) }
}
methods-language = instructions in { $language ->
    [en] English
    [zh] Chinese
   *[other] { $language }
}
methods-seed = seed { $seed } for every random choice
methods-private-seed = a private seed for every random choice (commitment { $commitment })
methods-option = { $name }{ $value ->
    [none] {""}
   *[some] {" "}{ $value }
}
methods-only = { AND($what) } only
methods-limit = the first { $n ->
    [one] trial
   *[other] { $n } trials
}
methods-sample = { $n } { $n ->
    [one] item
   *[other] items
} drawn at random
methods-partial = what was at hand of the data (partial)
methods-share = share { $index } of { $of } only

methods-chosen = the options that people chose were taken as they are
methods-read = answers were read from replies by { $policy }{ $audit ->
    [none] {""}
   *[some] {" "}({ $audit })
}
methods-policy = { $ours ->
    [true] Zhiyin’s rule { $name }
   *[false] the rule { $name }
}{ $version ->
    [none] {""}
   *[some] , version { $version }
}{ $ours ->
    [true] {" "}(set out in docs/reading.md)
   *[false] { $source ->
        [none] {""}
       *[some] {" "}({ $source })
    }
}
methods-judged = Replies were judged { CLAUSES($by) }.
methods-judged-apart = Replies were judged, { CLAUSES($runs) }.
methods-judged-run = of { $who } { CLAUSES($by) }
methods-judge = by { $judge } for { AND($aspects) } ({ $draws ->
    [one] {""}
   *[other] { $draws } judgements of each, {""}
}{ $means ->
    [lists] word lists
   *[prompts] prompts
} in { $language }{ $temperature ->
    [none] {""}
   *[some] , temperature { $temperature }
})

methods-denominator = { $of ->
    [people] Questions that a person did not come to are in no denominator; one that was left without an answer counts as wrong.
    [both] Trials without a reply (of a model: errors of the transport or the server; of people: questions that they did not come to) are in no denominator; questions that a person left without an answer, and a model’s refusals, cut-off replies and replies without a readable answer, count as wrong.
   *[models] Trials without a reply (errors of the transport or the server) are in no denominator; refusals, cut-off replies and replies without a readable answer count as wrong.
}
methods-intervals = Intervals are 95 %: Wilson's for independent right or wrong answers{ $clustered ->
    [true] , with an effective sample size from the cluster-robust standard error where items share a recording or a stimulus, and never lowered by one more right answer
   *[false] {""}
}{ $repeated ->
    [true] , repeats, rotations and conditions of an item are averaged first
   *[false] {""}
}.
methods-compared = Runs were compared in pairs, each on the items that both were judged on, by { AND($tests) }; p-values are corrected by Holm over pairs of runs for the whole{ $group ->
    [none] {""}
   *[some] {" "}and for { $group }
}{ $scale ->
    [true] {" "}(pairs with baselines, which are there for scale, by themselves)
   *[false] {""}
}, and by Benjamini and Hochberg for other groups of questions, which are exploratory.
methods-test = { $test ->
    [mcnemar] McNemar's exact test{ $alone ->
        [true] {""}
       *[false] {" "}(of single right or wrong answers)
    }
    [swap] exchanging the replies of two runs on whole clusters
    [crossed] Student’s t, of people and questions both drawn (Gao and Owen 2017)
   *[other] the sign-flip test over whole clusters (all flips of up to 14, else 10,000)
}
methods-differences = Intervals of differences are Student’s t on the cluster-robust standard error of the paired differences, where few pairs differ with one added each way.
methods-tested = Whether a run is better than guessing, and whether it favours a letter, was tested for each run, corrected by Holm over the runs of the page.
methods-crossed = Each model was asked in { $each ->
    [one] one way
   *[other] each of these ways
}: { CLAUSES($each) }.
methods-setting = { $settings ->
    [0] by default
   *[other] { NAMES($settings) }
}
methods-remarks = Of the data: { CLAUSES($each) }.
methods-published = Published figures beside these are from: { $sources }.
methods-cite = Software: The Zhiyin maintainers: Zhiyin: finding out whether a language model understands music{ $versions ->
    [0] {""}
   *[other] , version { AND($versions) }
}.
methods-f1 = F1 is the harmonic mean of precision (right of the readable answers) and recall (right of all questions); its interval is that of a share with its effective sample size, and two runs are compared in it by exchanging their replies on whole clusters, with a jackknifed interval.
methods-paper = Benchmark: { $paper }
