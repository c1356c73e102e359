abc-eval-summary = ABC-Eval: ten tasks on scores in ABC notation, from counting bars to naming the composer
abc-eval-task = { $name ->
    [bar_count_estimation] counting bars
    [error_detection] counting errors
    [metadata_qa] reading the header
    [metadata_prediction] header from the music
    [next_bar_prediction] the next bar
    [bar_sequencing] order of bars
    [music_captioning] title of the tune
    [emotion_recognition] emotion
    [genre_recognition] genre
    [composer_recognition] composer
   *[other] { $name }
}
abc-eval-incomplete = without the files of { NAMES($tasks) }: this is not the whole of ABC-Eval
abc-eval-keys = By every right answer and by the published key
abc-eval-keys-note = any right: options that are written the same, and orders that give the same bars, are all right; published key: that answer alone; only by any: right answers that the published key counts wrong
abc-eval-tau = Order of bars: Kendall's tau
abc-eval-tau-note = tau between where each bar stands in the reply and in the published order, 1 for the same and -1 for the reverse, over replies that hold every bar once; nearest: with the nearest of all right orders; a reply that is no permutation has no tau and is wrong
abc-eval-f1 = Macro-F1
abc-eval-f1-note = the mean F1 of the classes that are right or were answered; a reply without an answer is no class, and a miss of its own
abc-eval-head = { $name ->
    [any] any right, %
    [key] published key, %
    [only-any] only by any
    [unread] unread
    [permutations] permutations
    [no-permutation] no permutation
    [tau] mean tau
    [nearest] mean tau, nearest
    [classes] classes
    [accuracy] accuracy, %
   *[macro-f1] macro-F1, %
}
abc-eval-choices = { $n } { $n ->
    [one] choice
   *[other] choices
} could be read, not { $of }
abc-eval-bad-index = target_index { $key } is no place from 0 to 3
abc-eval-bad-order = target { $key } is no order of the bars that could be read ({ $n })
abc-eval-absent = a published file is not there
abc-eval-rows = rows that can be asked: { $n }; published: { $of }
abc-eval-bars = { $n ->
    [one] 1 bar holds
   *[other] { $n } bars hold
} a note or a rest, and the key is { $key }
abc-eval-orders = as right as { $key }: { NAMES($others) }
abc-eval-by-ear = { $n ->
    [one] 1 further order differs
   *[other] { $n } further orders differ
} from the key in what is not played alone: chord names, signs, parts
abc-eval-no-bar = element { $place } holds no note: { $bar }
abc-eval-given-order = the list is already in order: { $key }
abc-eval-same = as right as choice { $key }: { NAMES($others) }, written the same
abc-eval-same-notes = choice { NAMES($others) } differs from the right one, { $key }, in what is not played alone: chord names, signs, parts
abc-eval-says = the score says it: { $what }
abc-eval-two-keys = target { $target }, and target_index is at { $choice }
abc-eval-header = the header has { $field }:{ $says }, and the key is { $key }
abc-eval-later = the tune says { $field }:{ NAMES($others) } too, and the key is { $key }
abc-eval-relative = { NAMES($others) } has the signature of { $key }: which of them sounds is a matter of hearing
abc-eval-lengths = most bars fit { NAMES($others) }, and the key is { $key }
abc-eval-fits = most bars fit { NAMES($others) } as well as { $key }
abc-eval-label = the title says { $label }, and the key is { $key }
abc-eval-errors = { $n ->
    [one] 1 error is
   *[other] { $n } errors are
} listed, and the key is { $key }
abc-eval-places = the errors are in the bars { NAMES($places) }, and the target is { $target }
abc-eval-not-there = { $what } is listed as put in, and does not stand in the score
abc-eval-count = { $task }: { $n } { $n ->
    [one] row
   *[other] rows
}
abc-eval-shared = { $n } of { $of } tunes stand in several files: they are one draw each in intervals
abc-eval-skewed = { $group }: { $answer } is right in { $n } of { $of }
abc-eval-of = { $title }: { $detail }
