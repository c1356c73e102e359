# What an audit of how replies were read has found.
audit-line = read by rule ({ NAMES($policies) }), { $found }
audit-by = { $by ->
    [none] {""}
   *[some] {" "}by { $by }
}
audit-under-way = audit{ audit-by } under way: { $marked } of { $drawn } drawn are marked, { $misread } of them misread
audit-unsure = audited{ audit-by }: none of { $marked } marks is sure
audit-found = audited{ audit-by }: { $misread } of { $sure } misread{ $rate ->
    [none] {""}
   *[some] , { audit-rate } of all
} ({ $low ->
    [none] all were marked
   *[some] { audit-ends }
}){ $unsure ->
    [0] {""}
   *[other] ; { $unsure } unsure, not counted
}
audit-rate = { EXACT($rate) } %
audit-ends = { EXACT($low) } to { EXACT($high) } %
audit-accuracy = accuracy over these { $n } { $n ->
    [one] reply
   *[other] replies
}: { EXACT($as_read) } % as read, { EXACT($corrected) } % corrected by the audit (95 % interval { audit-ends })
audit-in-sight = marked with the reader's verdict visible: { $n }
audit-stale = the replies have changed since they were drawn for the audit: `zhiyin audit` draws again and keeps the marks

# A benchmark's validity card.
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
card-blind = the best gets { SHARE($value) } right ({ EXACT($low) } to { EXACT($high) }){ $better ->
    [not-met] , significantly better than chance ({ SHARE($chance) })
    [met] ; chance is { SHARE($chance) }, which it exceeds by { POINTS($most, 0) } points at most
    [unknown] ; chance is { SHARE($chance) }: that it is above this is neither shown nor excluded
   *[none] ; the chance level is not known
}
card-no-baseline = no blind baseline was run
card-chance = chance is { SHARE($value) }
card-free = not every question has exactly one right option: there is no chance level of the whole
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
card-licence = { $name ->
    [collections] research only; tunes by the terms of Nottingham (GPL-3.0), IrishMAN (MIT), EMOPIA (CC BY-NC-SA 4.0), ADL Piano MIDI (CC BY 4.0) and Pianist8
    [published-none] published questions and details: none stated; generated pieces: none needed
    [data-sets] questions CC BY 4.0; recordings by the terms of their data sets
    [card-of-data] CC BY-NC 4.0 by the card of the data
    [scores-own] no licence in the repository; each score by the terms of musescore.com
    [recordings-by-sa] questions CC BY-SA 4.0; recordings by the terms of Song Describer and MusicCaps
    [research-recordings] recordings: © 2025 Brandon Carone, non-commercial research and education only; generated items: none needed
    [cc-unnamed] cc, no further named (its card)
    [generated-research] generated items: none needed; MUSE recordings: © 2025 Brandon Carone, non-commercial research and education only
    [synthesised-mit] items MIT; sounds are synthesised
    [recordings-mit] questions MIT; recordings by the terms of Song Describer and MusicCaps
    [own-pieces] pieces of our own: none needed; of yours: as they are
    [own-sounds] sounds of our own: none needed
    [published-apache] published pictures and questions: Apache-2.0; generated ones: none needed
    [synthesised] sounds are synthesised: none needed
    [exercises-own] exercises are made when they are asked; tunes keep the terms of their collection
    [videos-of-others] questions CC BY-NC 4.0 by the authors' data page; recordings from videos of others
    [recordings-apache] questions Apache-2.0; recordings by the terms of their collections
    [prompts-ours] prompts: as Zhiyin
    [prompts-and-questions] prompts: as Zhiyin; questions: their own
    [rubrics-ours] rubrics and prompts: as Zhiyin
    [users] the user's
   *[other] { $name }
}
card-stated = { $what }
card-none = { $what ->
    [none] nothing is stated
   *[some] { $what }
}
card-size = { $items ->
    [one] { $items } item
   *[other] { $items } items
} in { $clusters ->
    [one] { $clusters } cluster
   *[other] { $clusters } clusters
}: ± { POINTS($half) } points
card-not-checked = nobody has looked
card-noted = noted in the runs: { NAMES($kinds) }
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
card-many-rows = { $n ->
    [one] { $n } reply
   *[other] { $n } replies
}, more than the { $most } that a card analyses
card-not-analysed = cannot be analysed: { $why }
card-items = of { $models } models the reliability is { $reliability ->
    [none] not defined
   *[some] { NUMBER($reliability, decimals: 2) }
}{ $items ->
    [0] {""}
   *[other] ; items that weaker models answer better: { $low } of { $items }
}
card-not-audited = no audit was finished
card-audited = { SHARE($rate) } of replies misread, at most { SHARE($high) } ({ $n } marked)
card-readable = { SHARE($share) } in the run with fewest
card-people = people who answered: { $n } (wanted: { $wanted })
card-people-published = published: { FEW($names) } ({ $source })
card-people-cited = published for { AND($names) } ({ $source })
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
card-whole = runs that asked a part of it: { $n } of { $of }{ $unknown ->
    [0] {""}
   *[other]{" "}(not known of { $unknown })
}
card-version = version { $version }; data have a fingerprint

# `zhiyin stats`.
cli-model = { $formula }
    { $n } answers, { $groups } groups; log-likelihood { NUMBER($likelihood, decimals: 3) }, AIC { NUMBER($aic, decimals: 2) }
    random intercept: { $sd ->
    [none] none, see the warning
   *[other] standard deviation { NUMBER($sd, decimals: 4) }, likelihood ratio { NUMBER($ratio, decimals: 2) }, { P($p) }
}
cli-rotations = rotations: { cli-items } asked { $asked } times; mean accuracy { SHARE($accuracy) }, right under every rotation { SHARE($all_right) }, same content chosen in { SHARE($agreement) } of pairs
cli-constant = { EXACT($accuracy) } { $letter }
cli-letters = { $test ->
    [key] letters chosen against the key (one who guesses evenly differs from an uneven key, too)
    [wrong] the same among wrong answers (Stuart and Maxwell)
   *[recall] recall differs by letter
}: chi-square({ $df }) = { NUMBER($statistic, decimals: 1) }, { P($p) }{ $enough ->
    [true] {""}
   *[false] {" "}(some expected count is below 5: do not rely on it)
}
cli-bare = { $n ->
    [one] { $n } reply is
   *[other] { $n } replies are
} a letter and nothing else; { $letter } in { SHARE($share, decimals: 0) } of them
cli-unanswered = { $n } without an answer: { $evasions } evasions, { $refusals } refusals, { $truncated } cut off, { $other } others
cli-against-blind = against { $model } (blind): { SHARE($blind) }, gain { SIGNED($gain) } points ({ SIGNED($low) } to { SIGNED($high) })
cli-unsolved = { $solved } of { cli-items } are solved by at least { $by ->
    [one] { $by } blind run
   *[other] { $by } blind runs
}: { $left ->
    [none] nothing is left
   *[other] { SHARE($share) } ({ EXACT($low) }–{ EXACT($high) }) on the other { $left }
}
cli-examined = { cli-items }, { $participants } participants{ $families ->
    [none] {""}
   *[other] {" "}({ $families } without copies)
}{ $people ->
    [0] {""}
   *[other] , { $people } of them people
}{ $alpha ->
    [none] {""}
   *[other] ; Cronbach's alpha { NUMBER($alpha, decimals: 2) }
}
cli-separates = {"  "}{ $item }: people { SHARE($people) }, models { SHARE($models) }, { P($p) }
cli-shorter = a shorter set: { $short } of { cli-items } rank these participants with tau { NUMBER($tau, decimals: 2) }; scores differ by up to { POINTS($error) } points; tau for participants that had no part in the choice: { $new ->
    [none] unknown, for ten participants are needed
   *[other] { NUMBER($new, decimals: 2) }
}
cli-difficulty = { $answers } answers to { cli-items }; items with the same features differ by { NUMBER($sd, decimals: 2) } log-odds
cli-unseen = unseen items: predicted against observed r = { NUMBER($r, decimals: 2) } (95 % { NUMBER($low, decimals: 2) } to { NUMBER($high, decimals: 2) }), { $groups } groups of items, { $answers } answers; right { SHARE($predicted) } predicted, { SHARE($observed) } observed

cli-plan = { cli-items } { $items ->
    [one] finds
   *[other] find
} { $detectable ->
    [none] no difference, however large,
   *[other] a true difference of { FINE($detectable) } points
} between two models on the same items, with { $power } % power at p < { $alpha } (two-sided).
cli-plan-margin = One model's score has a margin of ± { FINE($margin) } points (95 %).
cli-plan-basis = Based on: variance of a difference { NUMBER($variance, decimals: 4) }, design effect { NUMBER($effect, decimals: 2) }; { NAMES($facts) }.
cli-read = { CLAUSES($parts) }
cli-read-right = { $policy }: { $right } of { $n } read right
cli-read-not = { $n } of { $of } { $how ->
    [misses] with an answer missed
    [wrong] with an answer read wrong
   *[false_guesses] without one guessed falsely
} ({ EXACT($low) }–{ SHARE($high) })
cli-read-differ = only { $first } is right on { $only_first ->
    [one] { $only_first } reply
   *[other] { $only_first } replies
}, only { $second } on { $only_second }{ $p ->
    [none] {""}
   *[other] {" "}(McNemar's exact test, { P($p) })
}

health-legend = no answer counts as wrong in acc.; corrected: 0 is guessing, 1 is all right; constant: the best accuracy of one letter for all; RStd: standard deviation of the recalls of letters that are the key at least { $least } times, in points, with what chance alone would give; bare: a letter and nothing else; tests: by item, the answers that one got in repeats or rotations weigh 1 together
health-left = { $n } { $what ->
    [failed] failed
    [free] without options
   *[altered] under other conditions
}
health-trials = { $n } multiple-choice trials of { $of }{ $left ->
    [0] {""}
   *[other] {" "}({ NAMES($left) })
}
health-judged = { $run }: { $n } of { $of }
health-of = { $run }: { $finding }
health-more = { $what ->
    [words] every group, every finding, what the words mean
   *[letters] letters, groups, all findings
}: { $flag }

# The page on which the replies of an audit are marked.
marking-audit = audit
marking-loading = Loading…
marking-scripts = This page is drawn by its own script: allow scripts for it.
marking-marked = { $n } of { $many } marked
marking-by = by { $who }
marking-reply-of = Reply { $n } of { $many }: what does it answer?
marking-none = no answer
marking-unsure = unsure
marking-hidden = What the reader made of it is shown when you have marked it.
marking-you = You:
marking-reader = Reader:
marking-differs = not as you marked it
marking-not-kept = Not kept: { $why }
marking-no-server = the server does not answer; is it still running?
marking-all-kept = All are marked and kept beside the run; this page can be closed.
marking-reply = Reply
marking-mark = Mark
marking-again = Asked once more, for the letter alone
marking-nothing = (nothing)
marking-cut = The reply was cut off by its length limit.
marking-question = The question
marking-back = previous
marking-on = next
marking-peek = show the reader’s verdict before
marking-keys = Keys: a letter; 0 no answer; ? unsure; Enter or → next; ← previous. Mark what the reply says, whether or not it is right.
marking-all = All replies
marking-one = reply { $n }
marking-confidence = { $level ->
    [none] {""}
    [by-text-alone] by text alone
   *[other] { $level }
}

plan-expects = { $model } { $direction ->
    [greater] is better than { plan-than }
    [less] is worse than { plan-than }
   *[different] differs from { plan-than }
}{ $group ->
    [none] {""}
   *[some] {" "}in { $group }
}{ $score ->
    [none] {""}
   *[some] , in { $score } (from { $low } to { $high })
}
plan-than = { $than ->
    [chance] chance
    [share] { $share } %
    [score] { $share }
   *[model] { $other }
}
plan-outcome = { $confirmatory ->
    [true] the registered
   *[false] not confirmatory, as not every reply was asked for after the plan was registered: the
} hypothesis { $name } ({ $expects }) is { plan-fate }{ $effect ->
    [none] {""}
   *[some] {" "}({ SIGNED($effect) } points; { P($p) }, { plan-sides })
}
plan-sides = { $sides ->
    [two] two-sided
   *[one] one-sided
}
plan-beside = { $confirmatory ->
    [true] Registered before the runs, and first to be reported
   *[false] Registered, though not before every reply
}: { CLAUSES($each) }. The tests of this table are two-sided and were not registered: they are exploratory.
plan-confirmatory = { $confirmatory ->
    [true] Confirmatory
   *[false] Not confirmatory{ $names ->
        [0] {""}
       *[other] {" "}as to { AND($names) }
    }
}: the plan { $title ->
    [none] {""}
   *[some] "{ $title }"{" "}
}was registered on { $at }{ $confirmatory ->
    [true] , before the run (SHA-256 { $sha }…).
   *[false] {" "}(SHA-256 { $sha }…), and not every reply is known to be asked for after that: { CLAUSES($each) }.
}
plan-corrected = { $correction ->
    [holm] p-values are corrected after Holm for all hypotheses of the plan.
    [bonferroni] p-values are corrected after Bonferroni for all hypotheses of the plan.
   *[none] p-values are not corrected.
} Intervals are of { SHARE($level, decimals: 0) }, each for itself{ $sided ->
    [true] , and two-sided: where a test is one-sided, it may be significant though the interval holds 0
   *[false] {""}
}.
plan-scaled = Differences in a named score are in per cent of its scale.
plan-known = A number that a model is held against is taken as known: if it is a share of people, how many people and which questions it rests on is not in the test.
plan-watched = The tests hold however often one looks: a run stops as soon as they decide.
plan-how-fate = Refuted: an effect as large as the smallest of interest is excluded. Not supported: all was asked, and neither is shown. Undecided: something is yet to be asked.
plan-expected = expected
plan-became = what became of it
plan-difference = difference, points
plan-smallest = smallest of interest
plan-hypothesis = hypothesis
plan-items = items
plan-setting = { $name }: planned { $plan }, run with { $run }
plan-begun-before = the run was begun before the plan was registered
plan-replayed = replies that were there are given again
plan-kept-before = { $n ->
    [one] { $n } kept reply was asked for before the plan was registered
   *[other] { $n } kept replies were asked for before the plan was registered
}
plan-kept-undated = { $n ->
    [one] when { $n } kept reply was asked for is not known
   *[other] when { $n } kept replies were asked for is not known
}
plan-put-in = { $n ->
    [one] { $n } record was put in that no session of the run asked for
   *[other] { $n } records were put in that no session of the run asked for
}
plan-batches-before = { $n ->
    [one] { $n } batch was handed in before the plan was registered
   *[other] { $n } batches were handed in before the plan was registered
}
plan-clock = the dates of the run contradict each other, as where a clock is set back
plan-rescored = the run was scored again after it was asked, by Zhiyin { $version }
plan-failed = { $n ->
    [one] { $n } trial failed and is left out
   *[other] { $n } trials failed and are left out
}
plan-not-asked = { $n } of { $of } trials were not asked
plan-not-sent = settings that the model's server did not take: { NAMES($names) }
plan-without-score = { $n ->
    [one] { $n } trial
   *[other] { $n } trials
} without { $score }: left out of { $name }
plan-outside = { $score } lies outside { $low } to { $high } in { $n ->
    [one] { $n } trial
   *[other] { $n } trials
}: { $name } cannot be tested
plan-code = the file of the model is not the one that was registered
plan-version = planned with Zhiyin { $planned }, run with { $run }
plan-unreadable = the registered plan cannot be read: { $why }
plan-registered = { $file }: registered at { $at }; at most { $items } { $items ->
    [one] item
   *[other] items
}. Sign it, publish its hash, then run:
plan-prospect = { $name }: an effect of { POINTS($smallest) } points is found in about { SHARE($found, decimals: 0) } of runs{ $by ->
    [none] {""}
   *[other] , in half of them by { $by } of { $of } items
}; { $least ->
    [none] no effect is found in 80 % of them, however large: add items, or plan with stop = "n"
   *[other] in 80 % one of { POINTS($least) } points is found
}{ $most ->
    [none] {""}
   *[other] ; no cluster counts as more than { $most } { $most ->
        [one] item
       *[other] items
    }
}
plan-hash = its SHA-256: { $sha }

# Doses of sound.
dose-title = How much sound is needed
dose-name = { $dose ->
    [nothing] no sound
    [whole] the whole
   *[other] { $dose }
}
dose-half = Half of what sound adds is reached after { NUMBER($value, decimals: 1) } s (95 % interval { NUMBER($low, decimals: 1) } to { NUMBER($high, decimals: 1) } s; the doses asked around it: { $first } and { $last }).
dose-nothing = { $harms ->
    [true] With sound, significantly fewer items are answered right than without it.
   *[false] Sound adds nothing significant: there is no dose at which half of it is reached.
}
dose-kept = Without sound it keeps { SHARE($value) } of its accuracy (95 % interval { SHARE($low) } to { SHARE($high) }){ $guess ->
    [none] {""}
   *[some] ; guessing alone keeps { SHARE($guess) }
}.
dose-lost = No trial was judged with { dose-name } heard: nothing is said of it.
dose-ends = Ask 0 and 100% as well (--hear 0,...,100%) to learn what sound adds.
dose-note = { $n ->
    [one] One item
   *[other] { $n } items
}, { $clusters ->
    [one] one cluster
   *[other] { $clusters } clusters
}, each at every dose. Seconds: heard on average. Need more: the share of all items that are answered with { dose-name } and not with this, less those answered with this alone, corrected for guessing. Brackets: 95 % intervals over clusters. Between two doses the curve is taken to be straight.
dose-left-out = Items not judged at every dose, which are left out: { $n }

# In other words, and what a figure depends on.
words-title = The same questions in other words
words-own = right in the question's own words
words-every = right over all wordings
words-right = right in every wording
words-same = the same answer in every wording
words-pairs = the same answer in two wordings
words-again = the same answer when asked again in the same words
words-note = { $n ->
    [one] One item
   *[other] { $n } items
}, in { NUMBER($wordings, decimals: 1) } wordings on average, in the same order of options. A reply without a readable answer counts as like no other. Brackets: 95 % intervals over clusters. The run's figures are those of the questions' own words.
depends-title = What this figure depends on
depends-part = { $name ->
    [items] items ({ WHOLE($levels) })
    [words] words{ depends-levels }
    [order] order{ depends-levels }
    [language] language{ depends-levels }
    [server] server{ depends-levels }
    [combined] combined
   *[sampling] sampling{ depends-levels }
}{ $sampling ->
    [true] {" "}and sampling
   *[false] {""}
}
depends-levels = { $varied ->
    [true] {" "}({ NUMBER($levels, decimals: 1) })
   *[false] {""}
}
depends-not-varied = not varied
depends-figure = Accuracy over everything that was asked: { SHARE($value) } (95 % interval { SHARE($low) } to { SHARE($high) }; { $n ->
    [one] one item
   *[other] { $n } items
}, { $clusters ->
    [one] one cluster
   *[other] { $clusters } clusters
}).
depends-note = In brackets behind a name: how many of them each item had on average, of sampling how many answers; combined: combinations of these, such as a wording in one order alone. Server: another server, or another session of the same. Variance: of single answers (right 1, wrong 0), with its 95 % interval over clusters. SE: the standard error that this alone gives the accuracy, in percentage points: if every item is asked in one way once, and averaged over all ways asked here. Words and orders count as drawn anew for each item. No component is below 0.
depends-se-without-variance = A component of 0 can have an SE: the variance of items is estimated by moments, from products of different clusters, and an estimate below 0 is shown as 0; their SE is what the spread between clusters leaves beside the other parts, and holds what items of one cluster share.
depends-sampling = Nothing was asked again as it was: { $name ->
    [words] "words"
    [order] "order"
    [language] "language"
    [server] "server"
   *[other] "combined"
} holds what sampling adds, too. Questions asked again in the same words and order would separate the two.
depends-order = Order holds a liking for a position, too: the table of levels shows it.
depends-shared = What a language or a server does to all items alike does not average out over items, and is in its SE.
depends-left-out = Items not asked in every way that others were, which are left out: { $n }
levels-title = Accuracy by wording and by where the right option stands
levels-note = From the other levels: difference from the mean of the same items at their other levels, all else alike, with its 95 % interval over clusters; of several such intervals some exclude 0 by chance. The numbers of wordings name no kind of wording.
depends-level = { $factor ->
    [words] { $level ->
        [own] own words
       *[other] wording { $level }
    }
    [position] right option at { $level }
    [language] language { $level }
   *[server] { $level }
}

# Which model for which skill.
skill-order = { $others ->
    [0] { $best }
   *[other] { $alike ->
        [0] { $best } is significantly better than every other
        [one] { $others ->
            [one] no significant difference between the models
           *[other] { $best }, not significantly better than { AND($alike) }
        }
       *[other] { $best }, not significantly better than { AND($alike) }
    }
}
skill-for-scale = { $text ->
    [none] for scale
   *[some] { $text }. For scale
}: { CLAUSES($clauses) }
skill-scale = { $side ->
    [above] { FEW($who) } significantly better
    [level] { FEW($who) } not significantly different
   *[below] { FEW($who) } significantly worse
}
skill-baselines = baselines alone

finding-wordings = { $who } gives the same answer to { SHARE($value) } of { finding-items } in all of their { NUMBER($wordings, decimals: 1) } wordings (95 % interval { SHARE($low) } to { SHARE($high) }).
finding-dose = { $who } reaches half of what sound adds after { NUMBER($value, decimals: 1) } s (95 % interval { NUMBER($low, decimals: 1) } to { NUMBER($high, decimals: 1) } s, on { finding-items }; the doses asked around it: { $first } and { $last }).

# The same replies by every published rule.
readers-title = { $replies } { $replies ->
    [one] reply
   *[other] replies
} to { $items } { $items ->
    [one] question
   *[other] questions
}, by every rule that fits
readers-ours = ours
readers-unread = { $how ->
    [wrong] wrong
    [guess] guessed
    [default] A
    [left-out] left out
   *[open] by an embedding
}
readers-key = unread: no answer was found; then: what its source makes of such a reply. A rule that guesses is given in expectation; draws: where 95 % of 1,000 draws lie
readers-bounds = { $rule }: every reply that equals no option needs its embedding (--embed): the bounds are the figure if all of those were wrong, and if all were right
readers-whatever = { $rule }: reads the same answer in most replies, whatever they are: its figure says nothing of them
readers-differ = Why rules read replies otherwise than ours
readers-differ-key = the most frequent causes; example: letter by ours / by the rule ("-" no answer, "?" a guess), and the reply
readers-span = Read by the rules of other published programs, the same replies give: { CLAUSES($each) }. That is how much the figure depends on the reading, not on the model.{ $left ->
    [0] {""}
   *[other] {" "}Left out are rules { OR($left) }.
}
readers-span-left = { $why ->
    [own] whose sources report no figure of this benchmark
    [same] that read the same answer whatever the reply ({ NAMES($rules) })
   *[silent] that find no answer in most replies
}
readers-span-of = { $who ->
    [none] {""}
   *[other] { $who }{" "}
}{ $of ->
    [none] {""}
   *[other] ({ $n } of { $of } questions){" "}
}{ POINTS($low, 1) } to { POINTS($high, 1) } % right by { $rules } rules (lowest by { $lowest }, highest by { $highest }), where ours gives { POINTS($ours, 1) } %

report-by-rules = { $name }: the same replies by the rules of others
report-heard = Heard
report-seconds = { NUMBER($seconds, decimals: 1) } s on average

cli-plan-guess = { $name ->
   *[other] { $plain }
} { $value }
items-few = under four participants: discrimination and a shorter set are not computed
items-against = { $n } of { $of } items are got rather by those who do worse on the others

audit-n = --n { $n }: draw at least 1 reply
audit-no-choice = { $folder }: no reply in it was read by rule as a choice among options: there is nothing to audit
audit-there = { $path } is there already: marks in it would be lost
audit-no-mark = { $path }: no mark in it is of a reply that is drawn here ({ $others } are of others); `zhiyin audit RUN --sheet FILE` writes those that are
audit-empty = { $path }: is empty: it is to hold marks
audit-object = { $where }: no object with "id" and "mark"
audit-none-drawn = { $path }: none of its { $marks } marks is of a reply that is drawn here

marks-none = no marked replies in the files given; a line is such as { $example }
marks-text = { $where }: no "text" that is a string; a line is such as { $example }
marks-options = { $where }: "options" is no list of texts; a line is such as { $example }
marks-expect = { $where }: no "expect": give the letter of the answer, or null for none
marks-one = { $where }: "expect" is { $expect }: give one letter, or null for none
marks-other = { $where }: "expect" is { $expect }, and the options are { $letters }

glmm-source = give either run folders or --csv FILE; see `zhiyin stats glmm --help`
glmm-failed = not fitted: { $fit }
difficulty-legend = log-odds by one standard deviation of a feature; middle and upper: how much steeper it is from its thirds on

plan-runs = { $given } given: give two to plan from, or none
plan-register-runs = --register takes no runs: a plan is there before them
plan-same = { $runs } and { $runsb } differ on no item: they tell nothing of the variance; give other runs, or none
exam-no-model = no model: `zhiyin exam BENCHMARK --bank FILE -m MODEL`, with --n 100 or --se 0.3 (the bank is a file of `zhiyin stats items RUN... --bank FILE`)

items-no-runs = no runs: name the folders of two runs or more
items-people = { $folder }: holds answers of several people, who are a participant each: give the runs that `zhiyin study show --each-person` writes
items-unjudged = { $folder }: no judged trial in it
items-other = { $folder }: a run of { $benchmark }, and { $folders } is one of { $benchmarks }: analyse one benchmark at a time
items-asked = { $folder }: { $item } asks something else than in { $where }: runs on the same questions are needed (the same settings and seed)

table-fields = { $path }, line { $line }: { $row } values under { $header } column names; mend the line
table-empty = { $path }: no rows; give a CSV file with a header line and data
table-unscored = { $source }: no scored trial in it; finish the run first
table-no-feature = { $source }: no feature { $name }: { $hint }
table-constant = { $source }: feature { $name } is always the same; leave it out
table-no-model = { $source }: nothing was fitted for { $model }: { $hint }
table-few-groups = { $source }: { $kept } groups of { $least } answers to items with the same features; at least 4 are needed: ask more items
table-alike = { $source }: all its items are as hard as each other, as predicted or as observed: nothing can be compared; ask easier and harder ones
table-fitted = { $source }: { $both } of its items were fitted as well, such as { $str }: ask with another --seed

bank-few = a bank needs the answers of { $leastparticipants } models or people, and there are { $different }{ $alike }: give runs of more
bank-unread = { $path }: { $strerror }: give --bank, a file of `zhiyin stats items RUN... --bank`
bank-format = { $path }: a bank of another format: make it again with `stats items`
bank-empty = { $path }: a bank without items: make it again with `stats items`

plan-unread = { $place }: { $strerror }: name the file of a plan
plan-no-registered = { $place }: { $why }: `zhiyin plan --register PLAN.toml` writes it
plan-unregistered = { $place }: no registered plan: `zhiyin plan --register PLAN.toml` makes one of a plan
plan-changed = { $place }: was changed since it was registered: register the plan again

replies-form = { $path }: neither an array nor lines of objects; is it a file of replies?
replies-empty = { $files }: holds no entries; is it the right file?
replies-object = { $path }, { $where }: no object with a reply; correct it
replies-unknown = { $path }, { $where }: { $name } is none of { $questions }: { $hint }
replies-field = { $path }: no entry has --field { $field }: { $hint }
replies-two = { $path }: { $one } and { $other } hold different replies, and the figure depends on which is read: choose with --field { $one } or --field { $other }
replies-no-text = { $path }: { $where }: { $given } is no text; write what the model said
replies-fault = { $path }, { $where }: { $fault }; if the questions stand in another file, name it with --questions
replies-none = { $path }: no reply found; name its field with --field, one of { $named }

# Statistics on the terminal.
glmm-fixed = fixed effects, in log-odds against the first levels
glmm-type3 = type III tests, sum-to-zero contrasts
glmm-means = marginal means: probability of a right answer
glmm-contrasts = pairwise contrasts, in log-odds
items-legend = difficulty: share of right answers, high is easy; discrimination: correlation with the mean of the other items
items-model = response model: { $calibration }
items-uncalibrated = not calibrated: { $n } participants, and a response model needs { $rasch } (difficulties) or { $slopes } (slopes)
items-unsettled = not calibrated: { $model } did not settle in { $rounds } rounds
items-fitted = { $model } model, { $n } participants
items-got = { $n ->
    [one] { $n } item
   *[other] { $n } items
} got by { $by }: { $names }
items-dead = { $n ->
    [one] { $n } item
   *[other] { $n } items
} with options that nobody takes: { $names }
items-no-separating = no item separates people from models (Fisher, Holm)
items-separating = { $n ->
    [one] { $n } item separates
   *[other] { $n } items separate
} people from models (Fisher, Holm):
items-some = { NAMES($names) }{ $more ->
    [0] {""}
   *[other] { " " }and { $more } more (--json has all)
}
items-least = items that discriminate least
wordings-file = : `zhiyin forge paraphrase` writes such a file; --paraphrases FILE names another
wordings-none = no wording ({ $why }); see docs/how-to/paraphrase.md
audit-mark = { $where }: "mark" is { $mark }: { $hint }
audit-options = { $where }: { $texts } "options": give 1 to { $most }
bank-none = { $path }: not a bank of items ({ $why })
components-few = fewer than { $fewest } { $fewest ->
    [one] cluster
   *[other] clusters
} of items were asked in every way that others were: ask each item in all of them
bias-none-judged = { $folders }: no trial has been judged yet; finish the run first
hear-none = --hear: name at least one dose, such as 0,1s,25%,100%
hear-word = --hear { $word }: write seconds (1s), a share (25%), or 0 for no sound at all
hear-most = --hear { $word }: give at most 100%
hear-sequences = --hear: what { $name } asks next depends on the replies, so that no two doses have the same items; leave it out
hear-no-sound = --hear: no trial of { $name } has sound with these settings; leave it out
glmm-no-column = { $source }: no column { $name }: { $hint }
glmm-no-row = { $source }: no row has values in all of { NAMES($names) }; fill them in
glmm-one-group = { $source }: column { $group } has one group only, { $levels }; a random effect needs two or more
glmm-constant = { $source }: column { $columns } is always { $levels }; take { $label } out of the formula
glmm-odd-value = { $source }, line { $line }: column { $name } holds { $value }; use 0 and 1, true and false, or correct and wrong
glmm-all-alike = { $source }: column { $name } is { $value } in all { $n } rows; there is nothing to model until some differ
health-none = { $folder }: no judged multiple-choice trial in it
health-no-group = { $folder }: no group { $unknown }; { $show } lists them
health-no-item = { $folder }: no item in common with { $runs }: not the same questions
plan-not-named = { $folder } is not the plan that the run names: put it back
plan-none = { $place }: no plan ({ $why }): see docs/how-to/plan.md
plan-key = { $written }: a plan is shown to others: leave the key out of it
plan-fingerprint = the data have the fingerprint { $first }, and the plan has { $fingerprint }: get the data that were planned, or correct `fingerprint`
plan-no-item = hypothesis { $own }: no item is in the group { $group }
plan-no-chance = hypothesis { $own }: there is no chance level where answers are free or several options may be right: give `than` in per cent
plan-beyond = hypothesis { $own }: { $smallest } beyond { $than } is outside the scale from { $low } to { $high }: correct `smallest` or `than`
plan-no-model = { $place }: { $spec } is not in the plan: { $models }
plan-shown = { $place }: planned is { $shown }: take that, or run without --plan
plan-there = { $place } is there already: a plan is registered once; name another --out
plan-least = difference { $difference }: give the smallest one worth finding, above 0
plan-so-many = { $n } { $n ->
    [one] item
   *[other] items
}: give at least 1 and at most { $most }
serving-open = open { $address } (Ctrl-C ends)
serving-ended = ended
serving-port = --port { $port } is no port: give 0 (any free one) to 65535
wordings-line = { $where }: { $why }: mend the line or leave it out
wordings-changed = { $file }: item { $name } has other words now than when it was paraphrased (or another language): make the file again with `zhiyin forge paraphrase`
wordings-sequences = --paraphrase: what { $name } asks next depends on the replies, so that no two wordings have the same items; leave it out
wordings-none-asked = --paraphrase: { $file } has no wording of any item that { $name } asks with these settings: name its own file, or make one with `zhiyin forge paraphrase`
wordings-alike = wording { $number } of item { $item } makes two options the same: mend it or leave it out
formula-expected = expected { $what ->
    [ops] +, *, : or the end
    [response] the response's column name
    [group] the grouping column's name
    [term] a column name, 1 or (
    [column] a column name
   *[other] { $what }
}
formula-odd = { $text } is not understood
formula-second = a second random effect; give exactly one (1 | group)
formula-no-random = no random effect; add `+ (1 | group)`
formula-response = the response { $response } is also on the right
formula-alone = a random effect stands alone, joined by +
formula-fault = formula { $text }: { $what }, at { $place ->
    [none] the end
   *[other] position { $place }
}; write it like correct ~ model * modality + (1 | stimulus)
calibration-percent = confidence { $n } is { $value }: give probabilities in [0, 1], not percent
calibration-outcome = an outcome is neither 0 nor 1: confidence is about right and wrong
calibration-bins = { $n } bins: give at least 1
glmm-dropped = { $n } rows with a missing value were left out
glmm-aliased = the data cannot tell { $n } of the coefficients from the others (an empty cell, or a column that repeats others); left out: { $names }
glmm-separated = right and wrong answers are separated, so some estimates have no finite value: their size, standard errors and Wald tests mean nothing; the type III tests, and the contrasts and intervals concerned, use the likelihood ratio instead
glmm-one-answer = each { $group } has one answer, so differences between them cannot be told from chance: the random intercept is left out, and the figures are those of a plain logistic regression; give several answers for each { $group }
glmm-singular = singular fit: the variance between groups of { $group } is estimated as zero; the figures are those of a plain logistic regression
glmm-unconverged = the fit did not converge; do not rely on these figures
plan-inflated = a difference of { $by } with a design effect of { $effect } needs more than { $most } { $most ->
    [one] item
   *[other] items
}: nobody can ask so many; look for a larger one
plan-too-small = a difference of { $difference } needs more than { $most } { $most ->
    [one] item
   *[other] items
}: nobody can ask so many; look for a larger one
plan-beyond-range = with { $difference } points between them and { $mean } % on average one model would get { $one } %, the other { $other } %: expect another --accuracy, or look for a smaller difference
plan-no-variance = no item is expected to be answered differently, so nothing can be planned: expect an accuracy above 0 and below 1, and a correlation below 1
reading-alone = Intervals are Wilson's, 95 %, as if no two replies were of one make; a field "cluster" tells which are.
reading-clustered = Intervals are Wilson's, 95 %, with the effective number of replies by cluster.
table-of-people = { $folder } holds answers of several people, taken here as independent: what makes one person's answers alike is not in the model, so that its intervals and p are too narrow; `zhiyin study show` gives an interval over people and questions

planning-correlation = { $low ->
    [0] intra-cluster correlation
   *[other] correlation
} { $value } lies outside [{ $low }, 1]
planning-items = items: { $n }, accuracy: { $p }: give at least 1 item and 0 <= p <= 1
planning-variance = a variance is below 0: give squares of standard deviations
planning-repeats = repeats: { $n }: every item is asked at least once
planning-effect = design effect { $value }: above 0; 1 is for independent items
