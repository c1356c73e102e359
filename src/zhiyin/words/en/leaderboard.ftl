# The page of a leaderboard.

board-leaderboard = Leaderboard
board-about = A table for each benchmark. Ranks are among runs that were asked alike: the same items, with the same examples and settings, answers read by the same rule. What a run was set to otherwise than by default stands beside its name. Intervals are 95 %. Choose a column’s name to sort by it.
board-runs = { $title ->
    [none] {""}
   *[some] { $title }{": "}
}{ $ranked ->
    [one] 1 finished run on { $items } { $unit }
   *[other] { $ranked } finished runs{ $ways ->
        [one] { $own ->
            [false] , ranked
           *[true] {""}
        } on the { $items } { $unit } that { $who ->
            [both] all models and people answered
            [people] all people answered
           *[models] every model answered
        }{ $own ->
            [false] , each figure over all items of its run
           *[true] {""}
        }
       *[other] , asked in { $ways } ways and ranked within each
    }
}
board-ranks-are = Rank: from one more than the models that are significantly better, to the number of models less those that are significantly worse (paired tests, Holm, 0.05; of more than 20 runs the best alone is tested, against each other one). Models with the same ranks are tied. Baselines, the listener beside models, people, published rows and a model alone have no rank.
board-unranked = { $title ->
    [none] Not ranked
   *[some] { $title }: not ranked
}
board-figures = All figures
board-model = model
board-rank = rank
board-named = { $name } ({ $kind ->
    [model] published
    [human] people, published
    [people] people
    [baseline] baseline
   *[chance] chance
})
board-heading = { $name }{ $unit ->
    [none] {""}
    [share] , %
   *[other] , { $unit }
}{ $low ->
    [true] , lower is better
   *[false] {""}
}
board-part = { $name }
board-answered = answered, %
board-unit = { $unit }
board-an-item = { $unit } an item
board-report = report
board-trials = trials
board-frontier = A cost in bold: no other model is better at the same cost or less.
board-drawn = interval
board-apart = Published results are shown separately: { $why }.
board-set-apart = Published, shown separately
board-protocol = Protocol
board-setting = setting
board-value = value
board-differs = differs ({ CLAUSES($values) })
board-setting-of = { $run }: { $value ->
    [none] unset
   *[some] { $value }
}
board-published = Published:
board-column = { $figure ->
    [f1] F1
   *[other] { $figure }
}, { $group ->
   *[other] { $group }
}
board-against = { AND($who) } { $n ->
    [one] is
   *[other] are
} { $how ->
    [worse] worse than
    [same] not shown to be better than
   *[better] better than
} the { $of ->
    [one] baseline
   *[other] baselines
} { AND($baselines) }.
board-claim = { $alone ->
    [true] { AND($who) } is better than { $behind ->
        [one] { $other }
       *[other] each of the { $behind } other models
    }
   *[false] { $behind ->
        [0] { $n ->
            [2] The difference between { AND($who) } is not significant
           *[other] No two of { AND($who) } differ significantly
        }
       *[other] Nobody is shown to be better than { AND($who) }; { $behind ->
            [one] { $other } is
           *[other] each of the { $behind } other models is
        } shown to be worse than another
    }
}.
