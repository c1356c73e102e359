scores-summary = Reading scores: music-bench's pictures, and fresh ones by seed, graded
scores-rules = Lists of notes, read by two rules
scores-rules-note = { $rule }: the whole reply must be a JSON object with notes such as F#4. robust: the list that the reply states, in JSON or in words. A reply without a list counts as 0 in both, and as as many edits as there are notes.
scores-intervals = low, high: 95 % interval, by family of examples
scores-same = both rules read the same list in { $n ->
    [one] the only reply
   *[other] all { $n } replies
}
scores-otherwise = read otherwise: { $n } of { $of } replies ({ $rule }: { $theirs }; robust: { $ours })
scores-kinds = Kinds of error, replies
scores-kinds-note = the first that holds, as published: the list is exactly another bar's; all letters and accidentals are right; all letters and octaves are right
scores-families = Contrast families
scores-families-note = a family: examples that differ in one note of the bar; 'same reply': no difference was read, or nothing was read in any
scores-mistakes = Mistakes behind wrong options
scores-mistakes-note = a wrong option is what a reader would answer who makes this one mistake, or these
scores-other-notes = answer_notes are not what bar { $bar } of measure_note_sequences has
scores-no-picture = no picture { $picture }
scores-blank = { $picture } shows one colour alone
scores-odd = { $note } is asked for, which is rare in written music
scores-other-source = bar { $bar } of its LilyPond source holds { $drawn ->
    [none] nothing
   *[other] { $drawn }
}, and the manifest says { $notes ->
    [none] nothing
   *[other] { $notes }
}
scores-other-clef = its LilyPond source has the { $drawn } clef, and the manifest says { $clef }
scores-no-source = { $source } cannot be read as music: the picture was not checked against it
scores-lone = alone in its family { $family }
scores-examples = { $split }: { $n } { $n ->
    [one] example
   *[other] examples
}
scores-published = { $n } of { $of } published examples
scores-without-reply = { $n } { $n ->
    [one] example has
   *[other] examples have
} no reply and { $n ->
    [one] is
   *[other] are
} in no figure
scores-differing = { $n } { $n ->
    [one] reply has
   *[other] replies have
} scores beside { $n ->
    [one] it
   *[other] them
} that are not those of the published rule
