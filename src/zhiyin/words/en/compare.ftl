# Runs against each other: analysis/comparison.py.

compare-title = { $benchmark }{ $alike ->
    [0] {""}
   *[other] {" "}(all models: { NAMES($alike) })
}: { $measure }{ $scale ->
    [share] {""}
   *[other] { " " }({ $scale })
}{ lead-in }{ $low ->
    [true] , lower is better,
   *[false] {""}
}{ $declared ->
    [true] {""}
   *[false] , of which no benchmark says which is better,
} on { $who ->
    [none] what each pair shares: no item was answered by all { $runs }{ compare-done }
    [both] { compare-counted } that all models{ compare-done }, and at least one person of each group, answered
    [people] { compare-counted } that at least one person of each group{ compare-done } answered
   *[models] { compare-counted } that every model{ compare-done } answered
}
compare-judged = { $name }, judged by { $by },
compare-done = { $finished ->
    [true] {" "}that is ranked
   *[false] {""}
}
compare-no-rank = not ranked
compare-without = { SHARE($value) } in the comparison with { $other }, both without { AND($parts) }, which { $other } has not; { SHARE($own) } by itself
compare-people = where several people answered, intervals and p are for other people and other items, and each person counts as much
compare-counted = { $unit ->
    [songs] { $items ->
        [one] 1 song
       *[other] { $items } songs
    }
   *[items] { $items ->
        [one] 1 item
       *[other] { $items } items
    }
}
compare-sides = { $a ->
    [A] A: { $first }, B: { $second }
   *[names] { $first } minus { $second }
}
compare-group = group
compare-declared = { $group } †
compare-pair = pair, { compare-part }
compare-part = { $part ->
    [none] on everything
   *[some] in { $part }
}
compare-unit = { $unit }
compare-difference = diff.
compare-interval = 95 % int.
compare-better = better
compare-unheard = -: the sound was replaced, and what is right there makes no model better
compare-ranking = ranking
compare-run = run
compare-score = { $measure }{ $scale ->
    [none] {""}
    [share] , %
   *[other] , { $scale }
}
compare-letters = groups
compare-same-letter = runs that share a letter do not differ significantly (Holm, { $alpha }{ $many ->
    [true] ; of so many runs the best alone is tested, against each other one
   *[false] {""}
})
compare-key = { $scale ->
    [share] Scores in %, differences and MDE in points
   *[other] Scores, differences and MDE in { $scale }
}, { $first } minus { $second }. p: exact McNemar test, or (*) sign-flip test over whole clusters, or (‡) t, of people and items both drawn; corrected by Holm over pairs for the whole and within a family (†: the benchmark’s headline, or declared beforehand), by Benjamini and Hochberg over all other groups, which are exploratory. { $corrected ->
    [none] {""}
   *[some] { $corrected } {""}
}?: no significant difference found, which does not mean equal; MDE is the smallest true difference that would be found with 80 % power (-: too few items, or too uneven ones, for even the largest; none, and no p, where runs do not differ at all).
compare-key-short = In { $scale ->
    [share] points
   *[other] { $scale }
}, { $first } minus { $second }; ?: no significant difference found, which does not mean equal{ $small ->
    [true] ; MDE -: too few items, or too uneven ones, for even the largest difference to be found at that power
   *[false] {""}
}{ $flips ->
    [all] . p: * flips of whole clusters or items
    [some] . p: McNemar’s exact test, * flips of whole clusters
    [exact] . p: McNemar’s exact test
    [people] . p: ‡ t, of people and items both drawn; else McNemar’s exact test, or * flips of whole clusters
   *[none] ; no p, interval or MDE where runs do not differ at all
}{ $declared ->
    [head] ; †: of the benchmark’s headline
    [both] ; †: of the benchmark’s headline, or declared beforehand
    [true] ; †: declared beforehand
   *[false] {""}
}. { $corrected ->
    [none] {""}
   *[some] { $corrected }
}
compare-sentence = On { $n ->
    [one] the 1 item
   *[other] the { $n } items
} of { $title }{ $part ->
    [none] {""}
   *[some] {" "}in { $part }
} that both answered, { $who } has { SHARE($value) } right and { $other } { SHARE($second) }, { $resolved ->
    [true] a significant difference
   *[false] which is no significant difference
}: { POINTS($mean) } points (95 % interval { POINTS($low) } to { POINTS($high) }; { P($p) }, { $flips ->
    [true] flipped signs of whole clusters
   *[false] McNemar’s exact test
}{ $pairs ->
    [one] {""}
   *[other] , Holm over { $pairs } pairs
}).
compare-more = { $n ->
    [one] 1 more pair was
   *[other] { $n } more pairs were
} asked alike: the table has them.
compare-corrected = Each interval is for itself, p is corrected over { AND($tests) }: an interval may lie clear of 0 beside a large p.
compare-tests = { $of ->
    [pairs] { $n } pairs of runs { compare-part } (Holm{ compare-apart })
    [groups] { compare-in-groups } (exploratory: false discovery rate{ compare-apart })
   *[declared] { compare-in-groups } with † (Holm{ compare-apart })
}
compare-in-groups = { $n ->
    [one] 1 comparison in a group
   *[other] { $n } comparisons in groups
}
compare-apart = { $scale ->
    [0] {""}
    [one] ; the one that is for scale by itself
   *[other] ; the { $scale } that are for scale by themselves
}
