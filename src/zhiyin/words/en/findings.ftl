# What the figures of a report say, each leading to its trials: report/findings*.py.
finding-trials = { $n } { $n ->
    [one] trial
   *[other] trials
}
finding-items = { $items } { $items ->
    [one] item
   *[other] items
}
finding-interval = 95 % interval { SHARE($low) } to { SHARE($high) }
finding-signed-interval = 95 % interval { SIGNED($low) } to { SIGNED($high) }

# Right and wrong
finding-accuracy = { $who } answers { SHARE($value) } { $items ->
    [none] of { finding-trials }{ finding-in } right
   *[some] right on average over { finding-items }{ finding-in }, in { finding-trials }
} ({ finding-interval }){ $guess ->
    [better] : better than chance ({ SHARE($chance) })
    [worse] : worse than chance ({ SHARE($chance) }); look at how its replies were read
    [open] : not significantly better than chance ({ SHARE($chance) })
    [untold] : not significantly better than chance ({ SHARE($chance) }) by a test on { lead-clusters }
    [alone] : { $alone } (chance: { SHARE($chance) })
   *[free] {""}
}.
finding-in = { $group ->
    [none] {""}
   *[some] {" "}in { $group }
}
finding-figure = { $who } reaches { AMOUNT($value, $scale) }{ $figure ->
    [none] {""}
   *[some] {" "}in { $figure }
} on { finding-items }{ $low ->
    [none] {""}
   *[some] {" "}(95 % interval { AMOUNT($low, $scale, $high) } to { AMOUNT($high, $scale, $low) })
}.
finding-unread = { $n } { $n ->
    [one] reply
   *[other] replies
} of { $who } ({ SHARE($share) }) { $n ->
    [one] holds no readable answer and counts as wrong
   *[other] hold no readable answer and count as wrong
}.
finding-altered = { $who } was judged with { AND($ways) } only: it has no result in the main condition.
finding-outside = { $who } was asked none of the main questions of its benchmark.
finding-found = { $who }: { $text }.
finding-measured = { $who } is not marked right or wrong: what was measured is in the tables below.
finding-ungraded = The replies of { $who } have no right answer, and nobody has judged them yet.
finding-dead = Every trial of { $who } failed: it has no result.
finding-empty = { $who } has answered nothing yet.
finding-of-right = In right answers: { $text }
finding-mixed = Trials with { OR($ways) } are not part of the overall results: they have groups of their own.
finding-way = { $changes ->
    [sound] altered sound
    [dose] part of the sound
    [words] other words
    [options] other options
   *[other] another way of asking
} ({ $way }: { NAMES($values) })
finding-groups = { $who } is { CLAUSES($sides) }.
finding-groups-side = clearly { $side ->
    [above] above
   *[below] below
} its own average in { NAMES($groups) }{ finding-more }
finding-more = { $more ->
    [0] {""}
   *[other] {" "}and { $more } more
}
finding-group = { $group } ({ SHARE($value) })

# One run and another
finding-ranking = On { finding-items }{ lead-in } that these share, highest accuracy first: { NAMES($runs) }. { $best } is { $open ->
    [0] better than each of the others
   *[other] not significantly better than { NAMES($open) }
}.
finding-people-apart = { $who } is not compared with { FEW($others) } here, being asked otherwise, or other items: `zhiyin compare` tests two runs on the items that both share.
finding-better = { $better } is better than { $worse } by { POINTS($mean) } points on the { finding-items }{ lead-in } that both share (95 % interval { POINTS($low) } to { POINTS($high) }; { P($p) }).
finding-same = { $first } and { $second } gave the same replies, word for word, to the { $items } shared { $items ->
    [one] item
   *[other] items
}{ lead-in }: nothing here distinguishes them.
finding-apart = No significant difference between { $first } and { $second } on { $items } shared { $items ->
    [one] item
   *[other] items
}{ lead-in } ({ SIGNED($mean) } points, { finding-signed-interval }; { $detectable ->
    [none] { $p ->
        [none] too few { $over } to show a difference
       *[some] { P($p) }
    }
   *[some] a difference of { POINTS($detectable) } points would have been found with 80 % power
}).
finding-better-in = { $better } is better than { $worse } in { NAMES($groups) }{ finding-more }.
finding-better-by = { $group } (by { POINTS($mean) } points)
finding-open-groups = In { FEW($groups) }, of { $of } main groups, there is no significant difference between { $first } and { $second } (false discovery rate 5 %); that does not mean that they are equal.

# Letters
finding-letter = { $verdict ->
    [always] { $who } always answers { $letter }: its choices say nothing of the music.
    [alone] { $who } favours option { $letter } by itself ({ P($p) }), not after correction for the { runs-of-page } of this page: it chooses { finding-chosen }.{ finding-recall }
   *[favours] { $who } favours option { $letter }: it chooses { finding-chosen } ({ P($p) }).{ finding-recall }
}
finding-no-letter = { AND($who) } { $who ->
    [one] does
   *[other] do
} not clearly favour a letter: furthest above the key is { $letter } in { SHARE($chosen) } of the answers of { $most }, where the key is { SHARE($keyed) }.
finding-chosen = { $letter } in { SHARE($chosen) } of its answers, where the key is { SHARE($keyed) }
finding-recall = { $rstd ->
    [none] {""}
   *[some] {" "}Recall differs between letters by { POINTS($rstd) } points (RStd; { $most ->
    [true] at most {""}
   *[false] {""}
}{ POINTS($by_chance) } by chance{ $rare ->
        [0] {""}
       *[other] ; without { AND($rare) }, the key fewer than { $least } times
    }).
}

# Sound
finding-listening = { $verdict ->
    [better] { $who } listens: with the true sound it does better than with { finding-instead }
    [worse] No evidence that { $who } listens: with the true sound it does worse than with { finding-instead }
   *[open] No evidence that { $who } listens: no significant difference between the true sound and { finding-instead }
}, { finding-against }{ $guessed ->
    [true] , where no answer counts as a guess
   *[false] {""}
}.
finding-instead = { $instead ->
    [noise] noise in its place
    [swap] another piece in its place
    [half] noise in the place of one recording of two
    [silence] silence
    [no-sound] no sound at all
   *[other] { $instead }
}
finding-reading = { $verdict ->
    [better] { $who } reads better than it hears
    [worse] { $who } hears better than it reads
   *[open] No significant difference between reading and hearing for { $who }
}: from MIDI text and by ear, { finding-against }.
finding-setting-none = none
finding-condition = { $way ->
    [none] {""}
   *[other] { $way }:{" "}
}{ $verdict ->
    [better] { $who } does better with { $first } than with { $second }
    [worse] { $who } does better with { $second } than with { $first }
   *[open] no significant difference between { $first } and { $second } for { $who }
}, { finding-against }.
finding-against = { SHARE($a) } against { SHARE($b) } on the same { $n } { $n ->
    [one] question
   *[other] questions
} (difference { SIGNED($mean) } points, { finding-signed-interval }; { P($p) })

# What has been published
finding-published = { $items ->
    [none] { $kind ->
        [human] The best people
       *[model] The best published model
    } that can be compared ({ $name })
   *[some] The best published people ({ $name }), on { $items } of the questions alone and so not to be compared with the whole
}: { finding-published-figure } { SHARE($value) }. The { $who ->
    [one] run
   *[other] runs
} here with the highest accuracy, { AND($who) }: { finding-published-figure } { SHARE($ours) }{ $answered ->
    [none] {""}
   *[some] {" "}of the { SHARE($answered) } of the questions to which it gave a readable answer, { SHARE($accuracy) } of all
}{ $higher ->
    [none] {""}
   *[other] . { $higher }
}. { $source }.
finding-published-figure = { $figure ->
    [f1] F1
   *[other] { $figure }
}

# What judges made of it
finding-judged = { $who }, judged by { $by }, has { $total ->
    [none] no total
   *[some] a total of { $total }
}: { CLAUSES($parts) }.{ $songs ->
    [none] {""}
   *[some] {" "}Intervals are 95 %, over { $songs } { $songs ->
        [one] song
       *[other] songs
    }.
}
finding-judged-part = { $name } { $figure }
finding-judged-figure = { SHARE($value) } ({ POINTS($low) } to { POINTS($high) })
finding-judged-nothing = nothing yet
finding-judged-note = { $who }: { $note }.
finding-judged-better = Judged by { $by }, { $better } is better than { $worse } by { POINTS($mean) } points of the total on { finding-songs }{ finding-judged-without } ({ finding-signed-interval }, first minus second; { P($p) }).
finding-judged-apart = Judged by { $by }, there is no significant difference between { $first } and { $second } in the total on { finding-songs }{ finding-judged-without } ({ SIGNED($mean) } points, { finding-signed-interval }; { P($p) }).
finding-judged-without = { $without ->
    [none] {""}
   *[some] , both without { AND($without) }, which one of them lacks
}
finding-songs = { $n } { $n ->
    [one] song
   *[other] songs
}

# How far judges can be relied on
no-published-items = no published items
finding-registered = { $confirmatory ->
    [true] Confirmatory: { CLAUSES($each) }.
   *[false] { SENTENCE($each) }
}
finding-exploratory = { $text } (This page’s own two-sided test, which is exploratory: { $name } of the registered plan comes first.)
