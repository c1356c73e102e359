# The first sentences of a report on one benchmark: report/headlines.py puts them together.

lead = { SENTENCE($clauses) }
lead-scale = For scale: { FEW($each) }{ $rules ->
    [0] {""}
   *[other] ; { CLAUSES($rules) }
}.
lead-scaled = { lead-value }{ $n ->
    [none] {""}
   *[some] {" "}(on its { $n } { lead-units })
}
lead-units = { $unit ->
    [songs] { $n ->
        [one] song
       *[other] songs
    }
   *[items] { $n ->
        [one] item
       *[other] items
    }
}
lead-in = { $title ->
    [none] {""}
   *[some] {" "}in { $title }
}
lead-all = { $runs ->
    [2] both
   *[other] all
}
lead-ends = { $scale ->
    [share] { POINTS($low) } to { POINTS($high) }
   *[other] { AMOUNT($low, "", $high) } to { AMOUNT($high, "", $low) }
}
lead-clusters = { $clusters } { $over ->
    [clusters] { $clusters ->
        [one] cluster
       *[other] clusters
    }
    [songs] { $clusters ->
        [one] song
       *[other] songs
    }
   *[items] { $clusters ->
        [one] item
       *[other] items
    }
}

# Who is best

lead-right = { $manner ->
    [most] { $who } has the highest accuracy, { SHARE($value) }
    [level] { FEW($who) } have the highest accuracy, { SHARE($value) } each
    [each] each of the { $runs } answers { SHARE($value) } right
   *[alone] { $who } answers { SHARE($value) } right
}{ lead-in }
lead-figure = { $figure ->
    [none] figure
   *[some] { $figure }
}
lead-score = { $manner ->
    [most] { $who } has the { $least ->
        [true] lowest
       *[other] highest
    } { lead-figure }, { AMOUNT($value, $scale) }
    [level] { FEW($who) } have the { $least ->
        [true] lowest
       *[other] highest
    } { lead-figure }, { AMOUNT($value, $scale) } each
    [each] each of the { $runs } reaches { AMOUNT($value, $scale) }{ $figure ->
        [none] {""}
       *[some] {" "}in { $figure }
    }
   *[alone] { $who } reaches { AMOUNT($value, $scale) }{ $figure ->
        [none] {""}
       *[some] {" "}in { $figure }
    }
}{ lead-in }
lead-total = { $manner ->
    [most] { $who } has the highest total, { SHARE($value) }
    [level] { FEW($who) } have the highest total, { SHARE($value) } each
    [each] each of the { $runs } reaches { SHARE($value) } of the total
   *[alone] { $who } reaches { SHARE($value) } of the total
}, judged by { $by }
lead-with = asked { $alone } only, { $text }
lead-on = on the { $n } { lead-units } that { lead-all } share, { $text }
lead-alone = { $best }{ $guess ->
    [better] , better than chance ({ SHARE($chance) })
    [worse] , worse than chance ({ SHARE($chance) }): look at how its replies were read
    [open] , not significantly better than chance ({ SHARE($chance) })
    [untold] , not significantly better than chance ({ SHARE($chance) }) by a test on { lead-clusters }
    [alone] , { $alone }
    [mute] : no reply holds a readable answer
   *[free] {""}
}
lead-better = { $best }, better than { $other } by { APART($mean, $scale, $high) } ({ lead-ends })
lead-best-of-all = { $best }, { $least ->
    [true] less
   *[other] more
} than each of the other { $others }; the nearest, { $other }, is { APART($mean, $scale, $high) } behind ({ lead-ends })
lead-but-open = { $best }, but is not significantly better than { FEW($others) }
lead-open = { $who } is not significantly better than { FEW($others) }
lead-none-better = no significant difference between { $runs ->
    [2] the two
   *[other] any of the { $runs }
}
lead-apart = no significant difference between { $who } ({ AMOUNT($value, $scale) }) and { $other } ({ AMOUNT($second, $scale) }){ lead-in }{ $n ->
    [none] {""}
   *[some] , on the { $n } { lead-units } that both share
}{ $p ->
    [none] {""}
   *[some] {" "}by a test on { lead-clusters } ({ P($p) })
}: { APART($mean, $scale, $high) } between them ({ lead-ends })
lead-same = { $who } and { $other } gave the same replies, word for word{ lead-in }{ $n ->
    [none] {""}
   *[some] , on the { $n } { lead-units } that both share
}: nothing here distinguishes them ({ $scale ->
    [share] { SHARE($value) } right
   *[other] { AMOUNT($value, $scale) }
})
lead-not-compared = { NAMES($each) }{ $n ->
    [none] {""}
    [0] : they cannot be compared{ lead-in }, as no { $unit ->
        [songs] song
       *[items] item
    } is shared by { lead-all }
   *[other] : they cannot be compared{ lead-in }, as { lead-all } share only { $n } { lead-units }
}
lead-otherwise = different models that were not asked alike are not compared with one another
lead-value = { $who } { AMOUNT($value, $scale) }

# Registered before, and tested by the page itself

lead-registered-many = { $confirmatory ->
    [true] of { $n } registered
   *[false] not confirmatory, as not every reply was asked for after the plan was registered: of { $n }
} hypotheses { AND($each) }
lead-registered-some = { $n } { $n ->
    [one] is
   *[other] are
} { plan-fate } ({ NAMES($names) })
lead-departures = the runs depart from the plan in { $n ->
    [one] one respect
   *[other] { $n } respects
}
lead-exploratory = Exploratory, by this page’s own two-sided tests, which were not registered: { $text }

# Chance, and letters

lead-chance = { $guess ->
    [open] { FEW($who) } { $who ->
        [one] is
       *[other] are
    } not significantly better than chance
    [worse] { FEW($who) } { $who ->
        [one] is
       *[other] are
    } worse than chance
    [better] { FEW($who) } { $who ->
        [one] is
       *[other] are
    } better than chance
   *[mute] no reply of { FEW($who) } holds a readable answer
}
lead-rule = against { $who }, the best blind baseline, { CLAUSES($sides) }
lead-rule-side = { FEW($who) } { $who ->
    [one] is
   *[other] are
} { $side ->
    [above] better
    [below] worse
   *[open] not shown to be better
}{ $mean ->
    [none] {""}
   *[some] {" "}({ APART($mean, $scale, $high) } { $ahead ->
        [true] ahead
       *[false] behind
    }; { lead-ends })
}
runs-of-page = { $runs ->
    [one] 1 run
   *[other] { $runs } runs
}
by-itself = { $side ->
    [worse] worse than chance
   *[better] better than chance
} by itself ({ P($p) }), not after correction for the { runs-of-page } of this page
lead-by-itself = { FEW($who) } { $who ->
    [one] is { $side } than chance by itself ({ P($p) })
   *[other] are { $side } than chance by themselves (each { P($p) } or less)
}, not after correction for the { runs-of-page } of this page
lead-groups = in { FEW($groups) } { $runs ->
    [one] it is not
   *[other] none is
} significantly better than chance
lead-letter = { FEW($who) } { $verdict ->
    [always] always { $who ->
        [one] answers
       *[other] answer
    }
   *[favours] { $who ->
        [one] favours
       *[other] favour
    }
} { $letter }

# Doubts, and runs without a figure

lead-canary = no evidence that { FEW($who) } can { $medium ->
    [sound] hear
   *[image] see
} at all: the canary failed ({ NAMES($counts) })
lead-canary-count = { $right } of { $asked } right
lead-kept = { $n } of { $of } replies of { $who } { $n ->
    [one] is
   *[other] are
} of an earlier run
lead-late = { FEW($who) } { $who ->
    [one] is
   *[other] are
} unfinished and not ranked
lead-lacking = { $who } is not ranked: { AND($why) }
lead-dead = all trials of { FEW($who) } failed
lead-empty = { FEW($who) } { $who ->
    [one] has
   *[other] have
} answered nothing yet
lead-altered = { FEW($who) } { $who ->
    [one] was
   *[other] were
} judged with { $alone } only: there is no result in the main condition
lead-ungraded = the replies of { FEW($who) } have no right answer, and nobody has judged them yet
lead-unscored = { FEW($who) } { $who ->
    [one] has
   *[other] have
} no comparable total: not judged, or judged otherwise
lead-found = { $who }: { $text }
lead-measured = { FEW($who) } { $who ->
    [one] is
   *[other] are
} not marked right or wrong: what was measured is in the tables below
lead-outside = { FEW($who) } { $who ->
    [one] was
   *[other] were
} asked nothing{ lead-in }
