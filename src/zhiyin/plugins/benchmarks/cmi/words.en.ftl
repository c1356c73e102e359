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
cmi-lacks-files = { $data }: no { $wanted }{ $more ->
    [true] , ...
   *[false] {""}
}; get them from { $home }
cmi-no-task = { $path }: names no task; call it MODEL_TASK.jsonl, as qwen2_GTZAN.jsonl
cmi-no-object = { $where }: no object; give the file that the published script scores
cmi-no-text = { $where }: { $name } is no text; give the published file
cmi-no-answer = { $where }: correct_answer is no text; give the published file
cmi-odd-answer = { $where }: correct_answer { $problem }; mend the item
cmi-no-replies = { $path }: holds no replies; give the published file
cmi-absent = { $data }: no CMI_{ $absent }.jsonl; get it from { $home }, or leave the task out of --tasks
cmi-split = { $data }: no question of the split { $split }; correct --split
cmi-two-files = { $path }: { $other } is of { $task } too; give one file a task
cmi-twin = { $path }: { $twin } holds other replies of { $model }; give one of them
cmi-which = --tasks { $name }: { $hint }
