# Which part of a benchmark a run was asked: analysis/coverage.py. And what is still to be done.

extent-part = { CLAUSES($reasons) }
extent-alone = judged with { AND($ways) } only
extent-partial = asked with --partial, which leaves out what cannot be asked
extent-stopped = stopped by its plan after { $n } of { $of } trials, once they decided (which biases the accuracy)
extent-shard = shard { $shard } only
extent-chosen = --{ $name } { $value } instead of { $usual ->
    [all] all{ $of ->
        [none] {""}
       *[some] {" "}{ $of }
    }
    [none] the default
   *[other] { $usual }
}
extent-drawn = { $limit ->
    [none] random sample of { $sample } { extent-items }
   *[some] the first { $limit } { extent-units }{ $sample ->
        [none] {" "}only
       *[some] {" "}of a random sample of { $sample } { extent-items }
    }
}
extent-unfit = { $n } of { $of } trials do not apply to the model
extent-items = { $items ->
    [sequences] { $sample ->
        [one] sequence
       *[other] sequences
    }
   *[items] { $sample ->
        [one] item
       *[other] items
    }
}
extent-units = { $units ->
    [sequences] { $limit ->
        [one] sequence
       *[other] sequences
    }
    [both] { $limit ->
        [one] sequence or trial
       *[other] sequences and trials
    }
   *[trials] { $limit ->
        [one] trial
       *[other] trials
    }
}
extent-unit = { $unit }
extent-flag = { $flag ->
    [category] only { $names }
    [clean] without flawed questions
    [examples] examples { $names }
    [group] group { $names }
    [keep] { $names } trials remembered
    [modality] only { $names }
    [mode] mode { $names }
    [order] order { $names }
    [split] split { $names }
    [task] only { $names }
   *[none] { $words }
}
extent-none = none of the published { extent-unit }
extent-others = not the published { extent-unit }, but { $n } { $n ->
    [one] other
   *[other] others
}
extent-counted = { $n } of { $of } published { extent-unit }{ $short ->
    [0] {""}
   *[other] {" "}({ NAMES($short) })
}
extent-short = { $name } { $n } of { $of }
extent-recordings = { $n } of { $of } recordings
extent-repeating = published questions stand in each other's place in { NAMES($groups) }
extent-other-than = { $n } other than the published ones{ $groups ->
    [0] {""}
   *[other] {" "}(in { NAMES($groups) })
}
extent-unfinished = unfinished: { $what }

lacking = { AND($parts) }
lacking-sequences = { $n } of { $of } { $of ->
    [one] sequence
   *[other] sequences
} not at { $of ->
    [one] its
   *[other] their
} end
lacking-failed = { $n } of { $of } { $of ->
    [one] trial
   *[other] trials
} failed
lacking-not-asked = { $n } of { $of } { $of ->
    [one] trial
   *[other] trials
} not asked yet
stopped-sequences = { $n } of { $of } { $of ->
    [one] sequence
   *[other] sequences
} stopped at a failed trial ({ NAMES($places) }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
}): what would have come after it was not asked; the same command continues there
stopped-place = { $name } at trial { $step }
causes = { CLAUSES($each) }
cause = { $n } x { $what }
cause-refusals = { $n } x refusals
extent-group = { $title ->
   *[other] { $plain }
}
on-trust = not proved, taken on trust: { CLAUSES($what) }
by-name = { $n } of { $of } recordings by their names alone
unproved = { $what ->
    [scores] the scores, and the questions by their number alone
    [unheard] recordings; and the wrong answers are not looked at
    [contents] recordings, wrong answers and labels
    [numbers] the questions, of which the numbers alone are published
    [counted] questions and recordings, by their number alone
   *[recordings] recordings
}
