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
cli-faults = { $path }: { $n } { $n ->
    [one] row
   *[other] rows
} that a run refuses; mend them{ $some ->
    [true] , or leave them out by --partial
   *[false] {""}
}:
cli-refusal = a run refuses these data: { $why }
cli-no-faults = what does not stop a run:
cli-flaws-of = { $n } { $kind }, such as { $place }: { $detail }
cli-flaws = { $refused ->
    [0] { $n } { $n ->
        [one] item
       *[other] items
    }:
   *[other] { $of } { $of ->
        [one] row
       *[other] rows
    }: { $n } can be asked, { $refused } cannot; flaws:
} { $counts ->
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

errata-of = --errata: of { $of }, and these are runs of { $names }

forge-no-dimension = { $where }: no dimension in it: write one with its description

paraphrase-checker = --checker { $called } proposes them itself: name another model
paraphrase-none = { $benchmark }: no question with a key that could be put in other words
paraphrase-file = { $file }: name a file that ends in .jsonl

forge-part = { $name } is a part of `zhiyin forge`: run that

forge-no-recording = no recording was found for any of the { $tracks } tracks: name their folder with --audio DIR, or say --no-sound to make questions without them

forge-column-empty = { $path }: its column { $columnof } is empty: name another one
forge-which = { $folder }: which table holds the captions? there is { $candidates }: name the file
forge-no-text = { $path }: no text in it: put .txt or .md files there, or name a table
forge-no-passage = { $path }: holds no text: write paragraphs, blank lines between them
forge-no-column = { $path }: no column of passages, nor of questions and answers, among { $columns }: say --columns passage=NAME
forge-id-twice = { $path }: the id { $twice } stands { $count } times: give each row its own
forge-no-meaning = { $path }: no column of the { $meaning } among { $known }: say --columns { $meaning }=NAME
forge-no-options = { $path }: no column of options or distractors: say --columns options=NAME
forge-id-earlier = { $path }:{ $line }: the id { $id } stands earlier too
forge-no-option = { $where }: the answer { $answer } is not an option: mend the row
forge-lacking = { $where }: lacks a question, an answer or a wrong one: mend the row
forge-many = { $where }: { $wrong } wrong answers, and { $letters } can be shown

forge-annotation = { $where }: { $entry } is not one of the options of { $id } by { $form }: mend the cell, or say --answers letters, numbers or texts

forge-failed = { $model }: all { $failed ->
    [one] { $failed } call
   *[other] { $failed } calls
} failed: `zhiyin show` its run

forge-proposer = who proposes wrong answers? say -m MODEL, or give a column of proposals
forge-too-few = no question is left with four wrong answers: propose more (--propose)
forge-logprobs = { $model } gives no log-probabilities, and its choices do not weigh wrong answers against each other: take a server with logprobs, or hf:

renew-no-seed = { $run }: its items come from no seed: give a pool of new ones (--pool)
renew-same = { $run }: seed { $seed } gives the same { $old ->
    [one] { $old } item
   *[other] { $old } items
}: they do not come from the seed; give a pool of new ones (--pool)
renew-few = { $pool }: { $fresh ->
    [one] { $fresh } question
   *[other] { $fresh } questions
} that the run does not hold, and it has { $old }: make more
renew-options = { $pool }: too few questions with as many options as those of the run
renew-two = { $old } is of { $model }, { $new } of { $modelb }: give two runs of one model
renew-apart = { $old } and { $new }: { $kept } and { $keptb ->
    [one] { $keptb } item
   *[other] { $keptb } items
} of the same groups that are not in both: too few to compare
renew-cluster = { $old } and { $new }: one of them is a single cluster: give more recordings
renew-unjudged = { $run }: no trial has been judged yet; finish the run first

forge-name = --name { $name }: small letters, digits, - and _, 39 at most
forge-private = --private { $private }: give a share from 0 to below 1
forge-nothing = no question is left: the funnel says why; mend that and run again
forge-foreign = { $place }: { $other } is not a part of it: move it, or give another --name

forge-stage = stage { $asks } asks a language model: say -m MODEL, or --use { $asksb }=FILE
forge-blind-baseline = --blind { $model }: baselines are always tested, on the set as a whole: one question cannot tell luck from a clue; leave it out, or name a text model
forge-blind-texts = --blind { $model }: whoever knows the answers to questions from texts may give them, without a sound: leave it out
forge-index = --least-index { $leastindex }: give a number from 0 to 1
forge-annotations = { $annotations }: no such file: give the table of annotations
forge-source = { $source }: no such file or folder: give a table of captions or texts
forge-lost = { $what }: its questions are about tracks that { $whatb } does not hold, such as { $lost }: use --use select=FILE too

errata-other = { $file } holds errata of { $benchmark }, not of { $benchmarkb }
seed-run = runs are looked at with --check COMMITMENT
template-suffix = { $path }: a template is written as { NAMES($suffixes) }

errata-no-trials = { $name }: no plain trials with a key to look at; see `zhiyin errata { SHELL($nameb) } --help`
errata-unread = { $path }: cannot be read ({ $strerror }); correct --errata
errata-format = { $path }: format { $format }, and { $formatb } is known; make it again
errata-run-other = { $folder }: a run of { $benchmark }, and these errata are of { $benchmarkb }
errata-unjudged = { $folder }: no trial of { $group } has been judged: there is no figure
errata-none-left = { $folder }: without the flawed items none is left
errata-measure = no { $name }: no trial has it

seed-unread = { $place }: { $strerror }: { $make } makes one
seed-none = { $place }: no private seed: `zhiyin seed FILE` makes one
seed-both = --seed and --private-seed do not go together: leave out one of them
seed-digits = { $commitment } is no commitment: give its 64 hexadecimal digits
seed-other = the seed is not the one that was committed to: its commitment is { $commitment }
seed-not-run = { $folder }: not a run with this seed: it holds no such commitment
seed-run-other = { $folder }: was run with another seed than the one committed to
seed-items = { $folder }: the seed makes other items here than the run holds

forge-use = --use { $word }: write STAGE=FILE, such as write=my_questions.jsonl

# What `zhiyin forge` prints.
forge-next = next: { $command }
forge-examines = { $questions }: `zhiyin run { SHELL($questions) } -m MODEL` examines a model
forge-nothing-left = nothing is left to go on with
forge-hardened = { $file }: the set, with five options a question
forge-calls-failed = { $model }: { $n ->
    [one] { $n } call
   *[other] { $n } calls
} failed; the same command asks again
renewed-counts = { $old ->
    [one] { $old } old item
   *[other] { $old } old items
}, { $new } new ones; in both: { $shared }
renewed-seed = seed { $seed }, the most alike of those that were tried
renewed-equal = equal in features is not equal in difficulty: let a model that knows neither set answer both, and compare
forge-no = no { $what } ({ $why }); see docs/how-to/forge.md
errata-which = --rules { $rule }: { $hint }
errata-file = { $path }: no file of errata ({ $why }); make one with `zhiyin errata`
forge-use-which = --use { $stage }: { $hint }
forge-pair = --columns { $pair }: write MEANING=COLUMN
forge-meaning = --columns { $pair }: { $hint }
forge-column = --columns { $pair }: { $path }: { $hint }
forge-sheet = { $sheet } is for people: at least { $least } for each question. Then give the same command with --annotations FILE, or with --unvalidated to go on without.
