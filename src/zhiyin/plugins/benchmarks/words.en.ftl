flaw-not-there = a published recording is not there
flaw-altered = not the published recording
data-published = { $n } of { $of } published recordings are there
flaw-no-task = task { $task } is not one of { NAMES($tasks) }

flaw-coverage = { $whole ->
    [true] all { $of } published questions
   *[false] { $n } of { $of } published questions
}{ $others ->
    [0] {""}
   *[other] , and { $others } others
}
data-questions = { $n } { $n ->
    [one] question
   *[other] questions
}
data-recordings = { $n } of { $of } recordings

all-is-main = 'all' is over the benchmark's main way of asking; every other condition has figures of its own
reproduce-lacking = replies that are not here: --replies PATH, or { NAMES($commands) }
reproduce-forms = of runs, in the paper's own form (`zhiyin table RUN... --as NAME`): { NAMES($names) }

reproduce-both = --csv - and --json both print: leave one of them out
reproduce-which = which table? `zhiyin reproduce` alone lists them
reproduce-no-table = { $name } has no table { $wanted }: { $hint }
reproduce-no-file = { $path }: no such file or folder; correct --replies

reproduce-declares-none = { $name } declares no table that can be made again: no replies to it are published, or their form is not known here; `zhiyin reproduce` lists those that can{ $own ->
    [none] {""}
   *[other] ; { $own } is made of runs: `zhiyin table RUN... --as { SHELL($own) }`
}
