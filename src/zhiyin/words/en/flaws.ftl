# What is wrong with data, said by `zhiyin data check`: clips.py, recordings.py, listening.py.
flaw-at = { $unit } { $line }: { $detail }
flaw-missing = no recording was found
flaw-sounds-like = sounds exactly like { $twin }
flaw-cancels = its channels are opposite: heard in stereo, gone when they are mixed to mono, as many models do
flaw-silent = no sample of its { $seconds } s is louder than -80 dB
flaw-short = { $seconds } s can be decoded, { $says ->
    [data] the data set
   *[header] its header
} says { $declared } s
flaw-broken-off = { $fault }; { $seconds } s can be decoded
flaw-same-words = { $choice } has the words of the answer and is right by string match
flaw-target-repeated = { $choice } stands { $n } times among the choices
flaw-repeated-option = two wrong choices are the same
flaw-empty-choice = a choice is empty, and is not shown
flaw-blanks = a choice begins or ends with a blank
flaw-mend = { $detail }: mend the { $unit }
flaw-no-object = no object with { AND($fields) }
flaw-none = no { $field }
flaw-twice = the id { $id } stands twice
flaw-choices = { $n } { $n ->
    [one] choice
   *[other] choices
}, which must be 2 to { $most }
flaw-no-choice = answer { $answer } is none of its choices
flaw-is-no = { $field }{ $value ->
    [none] {""}
   *[other] {" "}{ $value }
} is no { $what ->
    [texts] list of texts
    [one-text] list with one text
    [notes] list of notes
    [note] note such as F#4
    [bar] bar from 1
    [share] number from 0 to 1
    [key] key such as 'Eb minor'
    [times] list of times such as '0.38s,0.82s'
   *[number] number
}
flaw-kind = { $kind }
data-flaws = { data-flaws-of }; `zhiyin data check { SHELL($name) } --all` lists them
data-flaws-of = flawed questions, asked as published: { NAMES($kinds) }
data-flaw = { $n } { $kind ->
    [repeated-option] with an option twice
    [target-repeated] with the right option twice
    [same-words] with a wrong option of the right one's words
    [empty-choice] with an empty option, which is not shown
    [repeated-question] asked before
   *[other] of the kind { flaw-kind }
}
