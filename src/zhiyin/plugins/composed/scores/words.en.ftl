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
scores-for-published = --{ $name } is for --source published; leave it out
scores-music-bench = --extract music-bench reads lists of notes as the published script does, and generated questions have other answers too; leave it out
scores-asking = --asking published is for --source published; leave it out
scores-generated = --{ $name } is for --source generated; add that, or leave it out
scores-english = --asking published: the published questions are in English alone
scores-twin = { $data }: the id { $example } stands in { $split } and in { $other }; give --split
scores-none = { $data }: holds no example that can be asked
scores-data = give --data, the folder of the published pictures (from { $home }), or --source generated
scores-no-folder = { $root }: no such folder; correct --data
scores-one-split = { $root }: is one split; give --data { $parent } --split { $split }
scores-no-manifest = { $root }: no SPLIT/{ $manifest } in it; get the pictures from { $home }
scores-split = --split { $name }: { $root } has { NAMES($splits) }
scores-no-task = no question of the task { $task } can be made with these flags: leave the task out of --task, or allow more (clefs, keys, accidentals, ledger lines, rests, chords, dynamics)
scores-out = give --out, the folder to make
scores-set-there = { $folder }: holds a set already; give another --out
scores-models = -m { $model }: the files are of { NAMES($models) }; import one at a time
scores-same-split = { $path }: replies of { $model } to { $split }, as { $other }; leave one out
scores-no-replies = { $path }: holds no replies; get the file from { $home }
scores-second = { $path }:{ $number }: a second reply to { $id }; leave one out
scores-several = { $path }: replies of { NAMES($models) }; give one model a file
scores-silent = { $path }: none of its { $silent } lines has a reply; get the file again
scores-layout = { $path }: no { $manifest } beside it or one folder up, which holds the answers; keep the layout SPLIT/{ $manifest }, SPLIT/{ $results }/NAME.jsonl, or run `zhiyin data fetch scores`
scores-no-object = { $place }: no object with id, model and raw_response; get the file again
scores-lacks = { $place }: no { $name }; get the file again
scores-no-example = { $place }: { $entry } is no example of the manifest; is it of another split?
scores-no-text = { $place }: raw_response is no text; get the file again
scores-away = { $path }: no picture of { $example } ({ $missing } of { $of } are missing): copy it there{ $partial ->
    [true] ; --partial leaves such examples out
   *[false] {""}
}
