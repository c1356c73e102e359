# Which model for which skill: analysis/skills.py.

skill-order = { $alike ->
    [0] { $best } is significantly better than every other
    [one] { $others ->
        [one] no significant difference between the models
       *[other] { $best }, not significantly better than { AND($alike) }
    }
   *[other] { $best }, not significantly better than { AND($alike) }
}
skill-below = { $best }, and significantly worse than { AND($above) }
skill-baselines = baselines alone
