cmi-summary = CMI-Bench: genre, keys, tags, beats, lyrics, descriptions, ... asked in words
cmi-by = { $published ->
    [true] By the published script
   *[false] By the standards of the field
}
cmi-interval = low, high: 95 % interval, percentiles of 1,000 resamples of whole clips; no interval where one may have no value, or all are alike
cmi-unread = replies without a readable answer, which count as empty ones (in R² and r they are left out): { CLAUSES($tasks) }
cmi-unread-in = { $n } of { $of } in { $task }
cmi-same-labels = EMO_valence has the labels of EMO_arousal: they are two runs of one task
cmi-tasks = tasks: { NAMES($tasks) }
cmi-no-files = no question files for { NAMES($tasks) }
cmi-same-bytes = the same bytes as { $twin }
cmi-same = the same as { $twin }
cmi-within = { $label } holds another label: never right by the published rule ({ $n } { $n ->
    [one] clip
   *[other] clips
})
cmi-questions = { $n } { $n ->
    [one] question
   *[other] questions
} of the test split in { $tasks } { $tasks ->
    [one] task
   *[other] tasks
}
