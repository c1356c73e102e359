# `zhiyin forge`.
cli-stated-index = the set states an index of { $questions ->
    [one] { $questions } question
   *[other] { $questions } questions
}: { NUMBER($mean, decimals: 3) } on average
cli-aimed = aimed at { SHARE($aim) } right, { SHARE($accuracy) } reached (95 % interval { EXACT($low) } to { EXACT($high) })
cli-aim-missed = warning: the interval excludes the aim: { $model } is right too { $often ->
    [true] often
   *[false] seldom
}, as nearly all that is proposed is { $often ->
    [true] less likely
   *[false] likelier
} than the right answer: have more proposed (--propose), or by another model
cli-old-and-new = { $model }: { SHARE($old) } of { $n_old } old items, { SHARE($new) } of { $n_new } new ones
cli-old-minus-new = old - new: { SIGNED($difference) } points (95 % interval { SIGNED($low) } to { SIGNED($high) }, { P($p) })
cli-contamination = { $found ->
    [better] better on the old items by { POINTS($by) } points: as a model would be that has read them, if the sets are equally hard
    [worse] worse on the old items by { POINTS($by) } points: they have not helped it
   *[none] no significant difference found: one of { POINTS($detectable) } points or more would be found in { SHARE($power, decimals: 0) } of such comparisons, a smaller one less often
}
cli-contamination-power = power: { POINTS($detectable) } points are found with { SHARE($power, decimals: 0) } at 5 %
cli-contamination-left-out = left out: { $shared } { $shared ->
    [one] item that is
   *[other] items that are
} in both, { $alone } of groups that only one set has

cli-wordings = { $wordings ->
    [0] no other wording
    [one] one wording
   *[other] { $wordings } wordings
}: { $items } of { $of } items
cli-wordings-file = { $file }: `{ $command }` asks in these words
cli-wordings-people = people can confirm them: `zhiyin study make --from { SHELL($questions) } --kind validate --out DIR`, then --annotations with its export

rule-keyed-twice = the keyed option stands again among the options
rule-no-right-option = what is keyed is none of the options
rule-same-by-sound = a question about sound offers the keyed option under another name of the same notes
rule-contradicted = two items ask the same, both offer both keys, and each keys another
rule-refuted = a solver of music theory finds the keyed option wrong
rule-several-right = a solver of music theory finds a second option right
rule-several-orders = parts to be put in order are the same, so that other orders are right
rule-heard-otherwise = the reference listener hears something else, and agrees with at least 95 % of the other keys of the kind
rule-missing-figure = the question speaks of a picture, a score or an excerpt that is not there
rule-lost-content = signs or pictures got lost: options are bare letters, or a key has no note
rule-repeated-option = two wrong options are the same, so that guessing is easier than counted
rule-stem-names-key = questions of one frame name the keyed option, always: no music is needed
rule-header-shows-key = the notation is sent with the header that is asked for: no music is needed
rule-nested = a wrong option says what the keyed one does and more, or less: only an ear can judge
rule-solved-unheard = a question about something heard that theory alone answers
rule-contested = another item asks the same among other options, and takes a key for wrong

# Errata.
errata-again = the keyed option stands again: { $option }
errata-twice = { $same ->
    [true] { $one } stands among the options twice
   *[other] { $one } and { $other } are the same option
}
errata-none-right = { $key } is none of the options
errata-not-shown = it speaks of { $what }, and nothing is shown
errata-letters = the options are bare letters: what they stood for is not there
errata-lost = { $what } has lost its note
errata-contradicted = keyed { $key }; { $other } asks the same and keys { $theirs }
errata-refuted = keyed { $key }, and right is { $answer }
errata-several = beside { $key }, { $other } is right, too: { $answer }
errata-orders = keyed { $key }, and as right { $n ->
    [one] is
   *[other] are
} { FEW($others) }: parts are the same
errata-by-sound = { $key } and { $other } are the same sound
errata-named = the question names { $words }; so { $n ->
    [one] does the one question
   *[other] do all { $n } questions
} of the frame { $frame }
errata-header = the notation begins with { $shown }
errata-heard = { $recording }: { $found } is heard: { $why } (the listener agrees with { $n } other keys of the kind)
errata-unheard = no recordings were used: nothing was heard
errata-title = Errata of { $benchmark }
errata-lead = { $flawed ->
    [0] No rule found an item of { $of } flawed.
   *[other] { $flawed } of { $of } items are flawed, by rules that prove it.
}
errata-about = Found by Zhiyin { $zhiyin } in version { $version } of the benchmark, data { $sha256 }. Each item has its witness: look for yourself.
errata-rule = rule
errata-items = errata
errata-proves = what it proves
errata-rules = errata by rule
errata-run = run
errata-n = items
errata-n-without = left
errata-all = all items
errata-without = without the flawed
errata-change = change
errata-place = place
errata-table = { $figure } with and without the flawed items, { $group }, %
errata-change-of = { $who ->
    [none] {""}
   *[other] { $who },{" "}
}without the { $n ->
    [one] one item that is
   *[other] { $n } items that are
} proved flawed: { POINTS($without, 1) } % instead of { POINTS($all, 1) } %
errata-left-out = left out: { $rules ->
    [0] nothing, no item of these runs is flawed
   *[other] { NAMES($rules) }
}
errata-other-version = { $n } { $n ->
    [one] erratum is
   *[other] errata are
} of another version of the question or its key: these items stay
errata-written = wrote { $file }
errata-nested = { $key } and { $other }: one includes the other
errata-solved = theory alone gives { $key }: { $answer }
errata-together = another question stands within the option { $option }
errata-doubted = { $n } { $n ->
    [one] other is
   *[other] others are
} doubted: a person has to say, and no figure leaves { $n ->
    [one] it
   *[other] them
} out.

report-errata = { $name }: with and without the flawed items
cli-flaws-of = { $n } { $kind }, such as { $place }: { $detail }
cli-flaws = { $n } { $n ->
    [one] item
   *[other] items
}: { $counts ->
    [0] no flaws
   *[other] { NAMES($counts) }
}{ $more ->
    [true] {" "}(--all lists them)
   *[false] {""}
}
making-there = { $path }: is there already: give another name
log-template = wrote { $path }: fill in your own, then `zhiyin data check { SHELL($same) }`
log-template-and = wrote { $path } and { $n } { $what } in { $folder }: fill in your own, then `zhiyin data check { SHELL($same) }`
cli-flaw = { $place }  { $kind }: { $detail }
seed-kept = { $file } holds the seed: keep it to yourself until the result is out
seed-commitment = commitment, to be published now: { $commitment }
seed-proved = the seed { $seed } is the one that was committed to
seed-of-run = { $run } was made with it: it makes the same items
