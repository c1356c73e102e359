flaw-not-there = a published recording is not there
flaw-altered = not the published recording
data-published = { $n } of { $of } published recordings are there
flaw-no-task = task { $task } is not one of { NAMES($tasks) }

flaw-coverage = { $n } of { $of } published questions
data-questions = { $n } { $n ->
    [one] question
   *[other] questions
}
data-recordings = { $n } of { $of } recordings

all-is-main = 'all' is over the benchmark's main way of asking; every other condition has figures of its own
reproduce-lacking = replies that are not here: --replies PATH, or { NAMES($commands) }
reproduce-forms = of runs, in the paper's own form (`zhiyin table RUN... --as NAME`): { NAMES($names) }
