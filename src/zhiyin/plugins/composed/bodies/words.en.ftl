bodies-summary = one piece in six formats: the same question of sound, MIDI, ABC, MusicXML, kern, image
bodies-losses = What is lost from reading to hearing to seeing
bodies-losses-note = Points lost, with 95 % intervals; p by sign flips. Each item is paired with itself, each piece counts once, and only items asked both ways count.
bodies-reading = Reading: the mean over MIDI text, ABC, MusicXML and kern.
bodies-from = from { bodies-first } to { bodies-second }
bodies-first = { $first ->
   *[other] { $first }
}
bodies-second = { $second ->
   *[other] { $second }
}
bodies-skills = Skill by format
bodies-skill = { $skill ->
    [repeated-bar] repeated bar
    [repeat-marks] repeat marks
    [changed-note] changed note
   *[other] { $skill }
}
bodies-in-all = the { $n } asked in all
bodies-share = Per cent right (of how many items). Empty: the format cannot carry the question.
bodies-last-row = Formats are compared only in the last row: the same items stand in each column.
bodies-body = { $body ->
    [midi] MIDI text
    [abc] ABC
    [musicxml] MusicXML
    [kern] **kern
    [image] score image
   *[other] { $body }
}
bodies-pairs = Format against format
bodies-two = { $first } - { $second }
bodies-two-note = First minus second; p by sign flips, by Holm's rule for { $n ->
    [one] { $n } comparison
   *[other] { $n } comparisons
}.
bodies-more = How much more the first loses
bodies-compared = First: { $first }. Second: { $second }.
bodies-none = No item was asked of both in two ways.

bodies-losses-figure = bodies: reading, hearing, seeing
bodies-losses-caption = Share of right answers with 95 % intervals, each piece counted once, of the items that a run was asked in every way shown. Reading is the mean over MIDI text, ABC, MusicXML and kern. Dashed: chance.
bodies-matrix-figure = bodies: skill by format
bodies-matrix-caption = Per cent of right answers. Empty: the format cannot carry the question, or it was not asked.

bodies-left-out = left out: { $fault }
bodies-no-question = no piece gives a question of { NAMES($skills) }
bodies-way = { $way }

losses-other = { $run } is a run of { $benchmark }: give runs of bodies
losses-none = { $run }: holds no answer yet: the command that began it goes on
losses-one = { $run }: no item was asked in two ways: run bodies with --body sound,abc,image or all of them
bodies-out = --out: name the folder to write
bodies-there = { $out }: is not empty: name a new folder
bodies-data = give --data, a file of MusicXML, ABC or kern, or a folder of them
bodies-no-file = { $place }: no file can be used; the first: { $faults }
bodies-none-of = { $data }: gives no question of { NAMES($skills) }
bodies-leave-out = { $why } (or leave it out: --partial)
