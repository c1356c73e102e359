# A benchmark's validity card: analysis/validity.py, in our own words after MWM, BB and ABC.

card-title = Validity card of { $benchmark }
card-told = Validity card of { $benchmark }: { $met } of { $of } questions met, { $lacking } not met, { $unknown } not known ({ $runs ->
    [0] no run given
    [one] from { $runs } run
   *[other] from { $runs } runs
})
card-question-head = question
card-state-head = answer
card-evidence = evidence, or what is missing
card-part-of = { $part ->
    [construct] construct
    [task] task
    [sampling] sampling
    [scoring] scoring
   *[claims] claims
}
card-state = { $state ->
    [met] met
    [not-met] not met
    [no] does not apply
   *[unknown] not known
}
card-detail = { $detail }{ $command ->
    [none] {""}
   *[some] : `{ $command }`
}
card-question = { $which ->
    [skill] Is the skill named that it measures?
    [sound] Does it take the sound to answer?
    [baselines] Do blind baselines get no more than chance?
    [chance] Is it known what guessing gets?
    [forms] Is an item asked in more than one form?
    [kept] Are prompts, settings and replies kept?
    [origin] Is it stated where the items are from?
    [licence] Is a licence stated?
    [size] Is the interval of a score within ±5 points?
    [flaws] Are the data free of known flaws?
    [seen] Are the items new to the models?
    [items] Do the items rank models alike (reliability 0.7)?
    [audited] Is the reader audited, and wrong in 5 % at most?
    [readable] Are 90 % of replies readable?
    [people] Is there a figure of people?
    [reproduced] Are published tables made again?
    [intervals] Do figures have intervals, and differences tests?
    [registered] Were hypotheses registered before the runs?
    [whole] Are the figures of the whole benchmark?
   *[version] Are changes told by a version?
} ({ $sources })
card-sources = MWM: Measuring what Matters (arXiv 2511.04703); BB: BetterBench (arXiv 2411.12990); ABC: checklist for agentic benchmarks (arXiv 2507.02825). The questions are in our own words.

card-skills = { NAMES($names) }
card-no-skills = no skill is declared
card-no-sound = nothing is heard in it
card-not-deaf = no model was asked without sound
card-blind = the best gets { SHARE($value) } right ({ EXACT($low) } to { EXACT($high) }){ $chance ->
    [none] {""}
   *[some] ; chance is { SHARE($chance) }
}{ $better ->
    [True] , which is significantly better
    [False] {""}
    [open] : with so few items, better than chance is neither shown nor excluded
   *[unknown] ; the chance level is not known
}
card-no-baseline = no blind baseline was run
card-chance = chance is { SHARE($value) }
card-free = answers are free: there is no chance level
card-no-run = no run of a model was given
card-forms = { $again ->
    [true] repeated, or with its options in other orders
   *[false] in other conditions
}{ $ways ->
    [0] {""}
   *[other] : { FEW($ways) }
}
card-one-form = each item was asked in one form
card-kept = each run keeps them, with sums of its files (docs/verify.md)
card-stated = { $what }
card-none = nothing is stated
card-size = { $items ->
    [one] { $items } item
   *[other] { $items } items
} in { $clusters ->
    [one] { $clusters } cluster
   *[other] { $clusters } clusters
}: ± { POINTS($half) } points
card-not-checked = nobody has looked
card-no-flaws = none found in { $items ->
    [one] { $items } item
   *[other] { $items } items
}
card-flaws = { NAMES($names) } in { $items ->
    [one] { $items } item
   *[other] { $items } items
}
card-fresh = made by a seed for these runs
card-maybe-seen = whether models have seen the items was not tested
card-few-models = models given: { $n }; wanted: { $wanted }
card-not-analysed = cannot be analysed: { $why }
card-items = of { $models } models the reliability is { $reliability ->
    [none] not defined
   *[some] { NUMBER($reliability, decimals: 2) }
}; items that weaker models answer better: { $low } of { $items }
card-not-audited = no audit was finished
card-audited = { SHARE($rate) } of replies misread, at most { SHARE($high) } ({ $n } marked)
card-readable = { SHARE($share) } in the run with fewest
card-people = people who answered: { $n } (wanted: { $wanted })
card-people-published = published: { FEW($names) } ({ $source })
card-ungraded = { $exam ->
    [yes] its questions are chosen by what they tell: no share of right answers is counted
   *[no] its answers are neither right nor wrong
}
card-no-study = no people have answered, and no study can be made of questions that depend on the answers before
card-no-people = no people have answered
card-no-tables = no published table can be made again here
card-not-reproduced = not tried here
card-intervals = over clusters, paired, corrected for several (docs/statistics)
card-registered = runs that follow a plan registered before all their replies: { $n } of { $of }
card-whole = runs that asked a part of it: { $n } of { $of }
card-version = version { $version }; data have a fingerprint
