# Which model for which skill: analysis/skills.py.

skill-order = { $others ->
    [0] { $best }
   *[other] { $alike ->
        [0] { $best } is significantly better than every other
        [one] { $others ->
            [one] no significant difference between the models
           *[other] { $best }, not significantly better than { AND($alike) }
        }
       *[other] { $best }, not significantly better than { AND($alike) }
    }
}
skill-for-scale = { $text ->
    [none] for scale
   *[some] { $text }. For scale
}: { CLAUSES($clauses) }
skill-scale = { $side ->
    [above] { FEW($who) } significantly better
    [level] { FEW($who) } not significantly different
   *[below] { FEW($who) } significantly worse
}
skill-baselines = baselines alone
