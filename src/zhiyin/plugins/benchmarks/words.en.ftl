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
replies-not-held = { $files }: holds no replies; name the key that holds them
questions-no-file = { $path }: no such file; get it from { $home }, or correct --data
questions-none-asked = { $path }: holds no question that is asked for; correct the flags
recordings-two = { $path }: { $name } is for { $stem } too; keep one of the two
recordings-ends = { $path }: ends after { $seconds } s, but the question is about what follows { $start } s; put the published recording there
questions-none-home = { $path }: holds no question that can be asked; get it from { $home }
mmau-no-replies = { $path }: no column { $replies }: name the column of the replies so
mmau-no-text = { $path }: { $entry }: { $column } is no text; write what the model said
rul-no-object = { $path }: no object of questions by number; is it the published { $file }?
rul-none = { $path }: has none of these questions; is it the published file?
rul-distractors = { $path }: no such file; --distractors own needs the questions that these were made from in it
reasoning-entry = { $path }: entry { $number }: { $fault }: add the file of the questions
reasoning-replies = { $files } holds replies without their questions: name { $file } with --questions, or get it with `zhiyin data fetch { SHELL($name) }`
reasoning-fault = { $path }: { $place }: { $fault }
reasoning-alone = { $files }: questions alone; give the file of the replies too
reasoning-no-field = { $files }: no field of replies: one of { NAMES($fields) }
reasoning-no-list = { $path }: no list of objects; is it a file of questions or replies?
clone-of = give the folder of a clone of { $repository }
recordings-missing = { $root }: no recording for { $missing } of { $of } ({ NAMES($shown) }{ $more ->
    [true] , ...
   *[false] {""}
}); put them there or into audio/{ $partial ->
    [true] , or run what is there with --partial
   *[false] {""}
}{ $instead ->
    [none] {""}
   *[other] ; { $instead }
}
recordings-instead = --audio none asks without sound
