questions-summary = your own questions: `zhiyin run my_questions.csv -m MODEL`
questions-kinds = By kind of question
questions-note = chance: of one option drawn for each question; score: the mean over the answers that could be read, from 0 to 1 (wer and cer: errors by length, 0 is best)

questions-read = { $path }: { $n } { $n ->
    [one] question
   *[other] questions
} ({ NAMES($kinds) })
questions-left-out = left out, for they cannot be asked (--partial): { $n } { $n ->
    [one] row
   *[other] rows
} ({ $unit } { $lines }{ $more ->
    [true] , ...
   *[false] {""}
})
questions-columns = columns: { NAMES($columns) }
questions-facts = columns that are facts alone: { NAMES($columns) }
questions-encoding = it is not in UTF-8, and was read as { $encoding }
questions-personal = these columns look like facts of people, and are written into each line of the log: take them out of the file: { NAMES($columns) }
questions-examples = worked examples, never scored: { $n }{ $shots ->
    [0] , and none is shown without --shots
   *[other] {""}
}{ $why ->
    [0] {""}
   *[other] ; shown before no question: { CLAUSES($why) }
}
questions-unshown-for = { $lines ->
    [one] line
   *[other] lines
} { NAMES($lines) } ({ $why ->
    [answer] without an answer
    [kind] of a kind that no question is of
   *[further] behind the first ones of the kind, which are enough
})
questions-itself = also worked examples, and each asked without itself: { $n }
questions-several = asked as with several right options, perhaps: { $several }, and as with one: { $one } (--several asks all alike)
questions-clusters = questions on { $pictures ->
    [true] one recording or picture
   *[false] one recording
} are one cluster: there is no column for it
questions-not-shuffled = not shuffled, for their options point at each other: { $n }
questions-language = the questions are Chinese, the words around them English: --language zh asks wholly in Chinese
questions-conditions = 'all' is over the true sound and all options; every other condition has figures of its own
questions-judged = judged by { $judge }; -m replay:RUN judges the same replies again

questions-names-answer = { $file } holds { $answer }
questions-empty = { $file } { $kind ->
    [silent-sound] holds nothing to be heard
    [cancelling-sound] has opposite channels: heard in stereo, gone when they are mixed to mono, as many models do
   *[blank-picture] shows one colour alone
}
questions-again = { $file } is { $twin } again
questions-same-options = options { $options } are the same{ $keyed ->
    [true] , and one of them is keyed
   *[false] {""}
}
questions-dates = { $dates } look like dates that a spreadsheet made of metres or fractions: write them anew, in cells of text
questions-points = an option points at others
questions-is-example = is the worked example { $id } (at { $line }) too
questions-conflict = { $id } (at { $line }) asks it with another answer
questions-repeats = { $near ->
    [true] nearly repeats
   *[false] repeats
} { $id } (at { $line })
questions-of-kind = { $n } of kind { $kind }
questions-test = { $rule ->
    [longest-is-right] the longest option is right
    [answerable-blind] the option most like the question is right
   *[other] { $rule } is right
} in { $hits } of { $n }, by chance in { $chance } ({ $p })
questions-adjusted = { $test } (adjusted p { $p })
questions-few = below { $n } choices: nothing can be said of their keys as a whole
questions-no-near = near-repeats were not looked for: { $add }
questions-column = { $meaning } from { $names }
questions-both = { $first } and { $second }
questions-unclear = { $at }: the answer { $answer } can be read as { $first } or as { $second }, and names another option each time: say --answers { $first } or --answers { $second }
questions-some = { $n } { $kind }
questions-options-twice = { $where }: both a column of options and columns { $single }, { $singleb }, ...: say which by --columns options=NAME
questions-one-column = --columns { $pair }: there is one column of { $meaning }; name one
questions-rubric = --rubric { $given }: { $why }: give a text file, or the words
questions-keep-one = { $paths } and { $name }: keep one of the two
questions-figure = { $path }: { $name }: { $figure } is not in { NAMES($figures) }
questions-share = { $path }: { $name }: { $figure } { $value }: write a share, 0 to 1
questions-kind = { $path }: { $name }: kind { $kind } is not one of { NAMES($kinds) }
questions-other-data = { $path }: its rows are about another { $data } (SHA-256 differs)
questions-no-figures = { $path }: no column 'name', or none of { NAMES($figures) }
questions-no-number = { $path }:{ $line }: { $figure } { $value } is no number: write a share, 0 to 1
questions-scorer = unknown scorer { $spec }: { $hint }
questions-scorer-is = scorer { $spec }: { $summary }
questions-scorer-away = the scorer { $spec } is not here: install the package that brings it
questions-no-swap = { $path }: there is no other recording to swap it for: leave swap out of --audio
questions-no-recording = --audio { $audio }: line { $line } has no recording: leave it out
questions-no-distractor = --distractors { $distractors }: line { $line } has no wrong answer of the kind { $kind }: a column distractor_kinds says of each option which it is (docs/how-to/your-own-questions.md)
questions-no-utf8 = not UTF-8
