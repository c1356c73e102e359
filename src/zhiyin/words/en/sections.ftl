# Tables of a run that more than one benchmark has: analysis, contract, judges.
head = { $name ->
    [average] Average
    [average-score] Average score
    [average-precision] Average score (precision)
    [doctor] Ph.D.
    [master] master
    [female] Female
    [black] Black
    [region] Region
    [european] European
    [F1-share] F1 %
    [acc-share] acc., %
    [acc] acc.
    [answered] ans.
    [before-and-after] before and after, %
    [interval-short] 95 % int.
    [errors-short] err.
    [a-second] /s
    [interval-bare] int.
    [by-chance] (chance)
    [of-answers] % of answers
    [of-trials] % of trials
    [comprehension] Comprehension
    [generation] Generation
    [recall-accuracy] recall (acc.)
    [recall-share] recall, %
    [answers-share] replies, %
    [category-share] category, precision in %
    [readable-share] readable, %
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
n-of = { $n } of { $of }
examples-missing = a part of the data: { $n } of { $of } { $unit ->
    [examples] examples
   *[questions] questions
} left out, whose { $what ->
    [pictures] pictures
   *[recordings] recordings
} are missing

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
judged-sums = sums that the judge got wrong, and ours that count instead: { $n }
judged-quotations = quotations of the judge that are not in the review: { $n }
measured = What was measured
