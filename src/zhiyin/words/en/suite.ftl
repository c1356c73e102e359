# The page of a suite.

suite-done = { $n } of { $of } runs are done.
suite-best-at = { $condition ->
    [none] {""}
   *[some] With { $condition },{" "}
}{ $model } is best at { NAMES($skills) }.
suite-level = { $condition ->
    [none] No model
   *[some] With { $condition }, no model
} is significantly best at { NAMES($skills) }.
suite-too-few = too few items to say (fewer than { $few })
suite-link = { $name }
suite-which-model = Which model for which skill{ $condition ->
    [none] {""}
   *[some] , { $condition }
}
suite-skill = skill
suite-items = items
suite-right-best-first = right, %, best first
suite-significant = significant?
suite-tests = On the items that every model was asked; paired tests (signs of whole clusters flipped, Holm over { $n } tests, 5 %). Bold: significantly better than every other.
suite-letters = No significant difference was found between models that share a letter.
suite-about = { $items ->
    [none] {""}
   *[some] { $items }.{" "}
}{ EACH($each) }
suite-verdict = { $condition ->
    [none] { SENTENCE($text) }
   *[some] { $condition }: { SENTENCE($text) }
}
suite-as-table = As a table, for a paper
suite-card = Report card: { $model }{ $condition ->
    [none] {""}
   *[some] , { $condition }
}
suite-skill-and-parts = skill, and its parts
suite-right = right, %
suite-interval = 95 %
suite-floor = floor
suite-people = people
suite-missing = missing
suite-part = { $name }{ $scored ->
    [none] {""}
   *[some] : { $scored }
}{ $by_degrees ->
    [true] {" "}(graded, not right or wrong)
   *[false] {""}
}
suite-people-are = { NAMES($people) }
suite-person = { $who }: { SHARE($share) }{ $precision ->
    [true] {" "}(precision)
   *[false] {""}
}{ $same ->
    [true] {""}
   *[false] {" "}on the whole of the data
}
suite-unasked = No questions were asked about { NAMES($skills) }.
suite-lacking = missing: { $benchmark }: { $what }
suite-in-no-card = In no report card, as they name no skill or were asked in an altered way alone: { NAMES($names) }.
suite-runs = Runs
suite-run = run
suite-state-of = state
suite-state = { $state ->
    [planned] not started
    [going] under way
    [quiet] quiet
    [done] done
    [failed] failed
    [stopped] stopped
    [missing] left out
    [unfit] does not apply
   *[other] { $state }
}
suite-why = why
suite-command = as a command
suite-method = Method: the suite’s file, SHA-256 { $hash }…
suite-file = the file
suite-since = , since { $at }
suite-other-files = Started with other files or flags:
suite-skill-name = { $skill ->
    [pitch] { $sense ->
        [read] pitch, in writing
        [both] pitch, heard and in writing
       *[heard] hearing pitch
    }
    [rhythm] { $sense ->
        [read] rhythm, in writing
        [both] rhythm, heard and in writing
       *[heard] hearing rhythm
    }
    [harmony] { $sense ->
        [read] harmony, in writing
        [both] harmony, heard and in writing
       *[heard] hearing harmony
    }
    [timbre] { $sense ->
        [read] timbre, in writing
        [both] timbre, heard and in writing
       *[heard] hearing timbre
    }
    [form] { $sense ->
        [read] form, in writing
        [both] form, heard and in writing
       *[heard] hearing form
    }
    [mood] { $sense ->
        [read] mood, in writing
        [both] mood, heard and in writing
       *[heard] hearing mood
    }
   *[other] { $skill }
}
suite-ranked = { CLAUSES($models) }
suite-model = { $name } { $few ->
    [true] ({ EXACT($value) })
   *[false] { EXACT($value) }
} { $letters }
suite-copy-as = This table as { $name }
suite-table-files = As files:
suite-by = { $what ->
    [skills] Right by skill
   *[other] { $unit ->
        [none] By benchmark
       *[other] By benchmark, { $unit }
    }
}{ $unit ->
    [none] , %
   *[other] {""}
}{ $low ->
    [true] , lower is better
   *[false] {""}
}
suite-head = { $what ->
    [skills] Skill
   *[other] Benchmark
}
suite-thin = { $whole ->
    [true] { $n ->
        [one] 1 item
       *[other] { $n } items
    }
   *[false] not whole
}
suite-ahead = Bold: the best model of a benchmark and all that do not differ from it significantly, where another does.
suite-few = A figure alone in brackets: fewer than { $few ->
    [one] 1 item
   *[other] { $few } items
}, or a run that is not whole.
suite-left-out = Not asked: { NAMES($names) }.
suite-unfit = Does not apply to these models, which take no sound, no pictures or no free questions: { NAMES($names) }.
suite-own-items = { $many ->
    [none] { $few ->
        [one] 1 item
       *[other] { $few } items
    }
   *[other] items: { $few }–{ $many }
}
suite-under = { $name }, { $condition }
suite-not-marked = measured
suite-totals = Of { NAMES($names) }: the total of what judges gave.
