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

stimuli-field = { $field }: belongs to { AND($tasks) }, and { $task } has none: leave it out
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

midi-format = { $label } is a MIDI file of format 2 (loose patterns): save it as format 1
midi-metre = metre { $metre }: the lower number must be 1, 2, 4 ... 64
midi-no-note = { $path }: no line such as note_on channel=0 note=60 velocity=80 time=0: is it MIDI that mido printed?
midi-no-ticks = { $path }: says nowhere how long a tick is: add a first line such as ticks_per_beat=480
midi-lacking = { $path }, line { $number }: { $name } without { NAMES($lacking) }: write messages as mido prints them
midi-wait = { $path }: { $kind } at time={ $time }: a MIDI file holds at most { $most } ticks between two messages

notated-other = { $what } of another kind than zhiyin.plugins.music.notated writes ({ $why })
notated-accidental = { $path }: an accidental stands before the same letter in another octave of its bar, which programs read differently: write an accidental there too
notated-keys = its key changes ({ $first }, then { $second }): cut the piece before that
notated-shift = { $field } moves notes to other pitches than are written, which music21 leaves out: write them as they sound

render-no-font = no sound font: set ${ $variable } to an .sf2 file or use 'builtin'
render-no-file = ${ $variable } names { $path }, which is no file: correct or unset it
render-not-installed = tinysoundfont is not installed: pip install --no-deps tinysoundfont
render-no-preset = the sound font has no preset { $program } in bank { $bank }: choose another instrument or sound font
render-no-program = the built-in synthesiser has no program { $program }: choose another instrument
