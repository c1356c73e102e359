# Runs against each other: analysis/comparison.py.

compare-title = { $benchmark }: { $measure }{ $low ->
    [true] { " " }(0 is best)
   *[false] {""}
} on { compare-counted } that every model answered
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
   *[names] { $first } vs { $second }
}
compare-group = group
compare-declared = { $group } †
compare-pair = pair, on everything
compare-unit = { $unit }
compare-difference = diff.
compare-interval = 95 % int.
compare-better = better
compare-ranking = ranking
compare-run = run
compare-score = score, %
compare-letters = groups
compare-same-letter = runs that share a letter do not differ significantly (Holm, { $alpha })
compare-key = Scores in %, differences and MDE in points, { $first } minus { $second }. p: exact McNemar test, or (*) sign-flip test over whole clusters; corrected by Holm over pairs for the whole and within a declared family (†), by Benjamini and Hochberg over all other groups, which are exploratory. ?: no significant difference found, which does not mean equal; MDE is the smallest true difference that would be found with 80 % power.
compare-key-short = In points, { $first } minus { $second }; p corrected; ?: no significant difference found, which does not mean equal.
