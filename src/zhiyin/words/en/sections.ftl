# Tables of a run that more than one benchmark has: analysis, contract, judges.

measured = What was measured

head = { $name ->
    [F1-share] F1 %
    [acc-share] acc., %
    [acc] acc.
    [accuracy-share] accuracy, %
    [after] after, %
    [all-right] all right
    [among-people] among people, by the prior
    [analysing] analysing, %
    [as-reply] as reply, %
    [before] before, %
    [by-guessing] by guessing, %
    [chance-share] chance, %
    [chosen-by] chosen by
    [cut-off] cut off
    [depends-on] depends on
    [distractors-share] distractors, %
    [draws-share] draws, bounds, %
    [evading] evading, %
    [exact-published] exact, published
    [exact-share] exact %
    [exec] exec.
    [f1-published] F1, published
    [f1-share] F1, %
    [first-points] first, points
    [from-others] from the other levels, pp
    [group-share] group, %
    [heard] heard
    [high-95] 95 % high
    [in-words] across wordings
    [index] perceptual index
    [interval-95] 95 % interval
    [letter-most] letter chosen most
    [letter-share] its share of the answers, %
    [lost] what is lost
    [low-95] 95 % low
    [main-now] main - now
    [majority] majority, %
    [need-more] need more, %
    [no-list] no list
    [no-vote] no vote
    [lapses-share] lapses, %
    [of-them] of them
    [on-exec] on exec.
    [other-bar] other bar
    [other-kind] other
    [otherwise] read otherwise
    [ours-because] ours, because
    [points-lost] points lost
    [prec] prec.
    [read-otherwise] differ
    [replies-before] replies before
    [replies-by] replies read by
    [right-at-threshold] right there, %
    [right-share] right, %
    [rule-because] the rule, because
    [same-reply] same reply
    [second-points] second, points
    [se-design] SE as asked, pp
    [se-once] SE asked once, pp
    [seconds] most seconds
    [seconds-heard] seconds
    [share-of-items] share, %
    [share-of-it] of the sum, %
    [some-right] some right
    [sounds] sounds heard
    [strict-acc] strict acc.
    [strict-f1] strict F1
    [this-run] this run
    [true-audio] true
    [unread-is] then
    [unread-share] unread, %
    [what-changed] what is changed
   *[other] { $name }
}

from-to = { $low } to { $high }
all-is-main = 'all' is over the benchmark's main way of asking; every other condition has figures of its own
n-of = { $n } of { $of }
examples-missing = a part of the data: { $n } of { $of } { $unit ->
    [examples] examples
   *[questions] questions
} left out, whose { $what ->
    [pictures] pictures
   *[recordings] recordings
} are missing

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

# The options' log-probabilities.

likelihood-title = By log-probability of the options
likelihood-way = { $way ->
    [reply] reply, as read
    [letter] letter
    [letter-prior] letter, less what it says anyway
    [text] words
    [text-length] words, by byte
   *[text-prior] words, less what it says anyway
}
likelihood-note = chosen: the option that the model finds most probable as the first thing to say; right: of those where one is; as reply: the same option as the reply, where both choose
likelihood-missing = { $n } of { $of } have no log-probabilities ({ $times } x { $cause })

# One log, read by several rules.

one-log-title = One log, read by several rules
one-log-columns = columns: { NAMES($rules) }
one-log-ifr = { $rule } IFR, %
one-log-same = { $ours } and { $other } find the same right answers in { $n ->
    [one] the only reply
   *[other] all { $n } replies
}
one-log-differ = right by { $ours } and not by { $other }: { $n } of { $of } replies{ $causes ->
    [none] {""}
   *[other] { " " }({ CLAUSES($causes) })
}; the other way round: { $won }

# The audio attention test, and distractors.

attention-title = Audio attention
attention-few = audio attention test: not decided; a test on { $n ->
    [one] { $n } track
   *[other] { $n } tracks
} can show no drop
attention-not-run = audio attention test: not decided, for neither noise nor swap was run
attention-verdict = audio attention test: { $passed ->
    [true] passed; accuracy drops significantly
   *[false] failed; no significant drop
} with { AND($audio) }{ $missing ->
    [none] {""}
   *[other] { " " }({ $missing } was not run)
}
attention-passed = { $passed ->
    [true] pass
    [false] fail
   *[none] -
}
attention-note = true, now: accuracy in %, with true audio and with what was played instead; no answer counts as a guess; drop: in points, with its 95 % interval by track; flips: sign-flip p over tracks, which decides; McNemar: exact p over questions
attention-left-out = { $n ->
    [one] { $n } question
   *[other] { $n } questions
} judged under one condition only { $n ->
    [one] is
   *[other] are
} left out
distractors-title = Distractors (Figure 6a)
distractors-with = { $name } (audio { $audio })
distractors-note = { NAMES($kinds) }: incorrect but related, correct but unrelated, incorrect and unrelated

# What judges made of a run.

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
judged-without = the total is without { NAMES($parts) }: over { $names } alone, weights { $weights }
judged-unwritten = reviews that were not written, which hold no point and no claim, whoever judges: { $n }
judged-missing = { $n } of { $of } judgements are missing and not counted (the first: { $first }); run the same command again to ask for them
judged-sums = sums that the judge got wrong, and ours that count instead: { $n }
judged-quotations = quotations of the judge that are not in the review: { $n }
judged-silent = reviews without a claim, which count 0 in precision as released: { $n }
judged-lexical = the lexical judge goes by word lists: its grades are not comparable with a language model's
judged-heard = heard in { $n } of { $of } recordings; claims that this decided: { $decided } ({ $right } correct)
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
