exercises-theory = { $of ->
    [chinese] Chinese theory
   *[theory] Western theory
}
exercises-summary = Fresh exercises by seed: theory, Chinese traditional music, continuing a tune
exercises-again = { $n ->
    [one] 1 exercise of the kind { $kind } stands in the set before: there are no more (intervals count both as one)
   *[other] { $n } exercises of the kind { $kind } stand in the set before: there are no more (intervals count them as one)
}
exercises-kind = --kind { $kind }: none of --task { $task }: { $hint }
exercises-continuation = --{ $given } is for --task continuation; add that
exercises-tunes = --task continuation: give either --tunes PATH, a file or folder of tunes, or --corpus NAME, such as essenFolksong/han1, which music21 brings
exercises-out = --out: name the folder to write
exercises-there = { $place }: is not empty: name a new folder
exercises-few = { $path }: only { $number } exercises of the kind { $kind } can be made of these tunes: give more tunes, or a smaller --n
exercises-no-kind = no exercise of this kind can be made: { $kind }; leave it out of --kind
exercises-no-tune = { $path }: no tune in it can be used ({ $reasons })
exercises-corpus = --corpus { $corpus }: music21 has no ABC of it: { NAMES($known) }
exercises-no-place = { $place }: no such file or folder: give --tunes a place with tunes
exercises-no-files = { $place }: no files of tunes in it: give one with { NAMES($formats) }
