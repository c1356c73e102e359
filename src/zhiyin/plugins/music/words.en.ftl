# The page of what a model hears.
hearing-what = What { $model } hears
hearing-table = The same as a table
hearing-run = { of-which-set }{ $folder ->
    [none] {""}
   *[some] {", "}{ $folder }
}: { $trials ->
    [one] 1 trial
   *[other] { $trials } trials
}{ $whole ->
    [true] {""}
   *[false] , not finished
}{ $cost ->
    [0] {""}
   *[other] ; { CLAUSES($cost) }
}
hearing-cost = in all: { MONEY($usd) } for { $runs ->
    [one] 1 run
   *[other] { $runs } runs
}{ $lack ->
    [0] {""}
   *[other] ; what { $lack } more cost is not known
}
hearing-sounds = Hear it yourself
hearing-files = For a paper:
hearing-nothing = none of these runs shows what a model hears: give runs that do

stimuli-few = chords: only { $index ->
    [one] { $index } item
   *[other] { $index } items
} exist with these settings: ask for fewer, or allow more qualities or inversions
stimuli-many = { $n ->
    [one] { $n } item
   *[other] { $n } items
} cannot be made: ask for 1 to { $mostitems }
stimuli-task = unknown task { $task }: { $hint }
stimuli-seed = seed { $seed } is negative: give 0 or more
stimuli-there = { $out } holds stimuli already: give another folder, or remove this one
stimuli-again = { $folder }: { $id }: { $problem }: make the stimuli again

stimuli-field = { $field }: belongs to { $tasks }, and { $task } has none: leave it out
stimuli-twice = { $field }: { $names } names one twice: name each once
stimuli-qualities = qualities: none given: name at least one chord quality
stimuli-tempo = tempo: { $tempo } must rise within 40-240 quarter notes a minute
stimuli-noise = noise: { $noisedb } dB lies outside -20 to 80 dB
stimuli-reverb = reverb: { $reverbs } s lies outside 0-10 s
stimuli-empty = { $path } is empty: make the stimuli again
stimuli-item-twice = { $path } names an item twice: make the stimuli again
stimuli-missing = { $path }: { $id } needs { $name }, which is missing: make it again

listen-task = unknown task { $task }: { $hint }
stimuli-interrupted = : making it was interrupted, or it is no stimuli folder
stimuli-anew = { $why }: make the stimuli again
