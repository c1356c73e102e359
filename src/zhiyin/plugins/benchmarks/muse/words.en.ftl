muse-summary = MUSE: ten tasks of perception and reasoning, in a multi-turn chat
muse-task = { $name ->
   *[other] { $title }
}
muse-task-mode = { $task }, { $mode ->
    [cot] step by step
   *[sysinst] short answers
}
muse-right = Per cent right, by the published rule and by ours
muse-rule = '{ $rule }' is the rule of the published runner with the published count: a reply in which it reads no answer is in no denominator. By ours ('robust') no answer counts as wrong.
muse-each-trial = Each trial counts once here; in the shares by group an item's trials are averaged first.
muse-published = 'published' is the figure that MUSE prints for this model.
muse-otherwise = Replies that the two rules read otherwise
muse-chats = What the conversation held
muse-chats-note = Step 1 asks whether the task is understood. Sounds and replies are those of the request, the trial's own sounds and the examples included.

muse-few-trials = { $task }: { $n } of { $of } published trials; the recordings of the others are not there
muse-few-examples = { $task }, group { $group }, { $mode }: { $n } of { $of } worked examples; the recordings of the others are not there
muse-no-triple = its name has no mark of a triple meter, and a trial of meter is keyed 3
muse-sync3 = shown as an example of level 3, which has 6 off-beats; 8 are heard
muse-logs = replies of { $n } published { $n ->
    [one] log
   *[other] logs
}; the words of the questions and the sounds are not in { $n ->
    [one] it
   *[other] them
}
muse-unasked = { $n } { $n ->
    [one] trial was
   *[other] trials were
} not asked: { $n ->
    [one] its
   *[other] their
} recording was missing there

muse-no-trial = { $path }, line { $line }: { $stimuli } is no published trial of this task and group; give the log as it was published
muse-other = { $path }, line { $line }: expects { $says } of { $of }, whose published answer is '{ $key }'; give the log as it was published
muse-total = { $path }: { $n ->
    [one] 1 trial
   *[other] { $n } trials
}, but its total speaks of { $total }, each once; give the log as it was published
muse-mode = { $path }, line { $line }: a reply in { $mode }, unlike its name
muse-data = give --data, the folder of the MUSE recordings, or --source generated for fresh ones
muse-lacks = { $data } lacks { $n } of { $of } published recordings: { NAMES($names) }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
}; add them, or ask what is there with --partial

# benchmark.toml
muse-accuracies = per cent right by task and prompt, over two groups in three orders

muse-flag = { $flag } is for { $of }; leave it out
muse-knob = --knob { $word }: { $name } is from { $low } to { $high }
muse-knob-value = --knob { $word }: write { $name }=VALUE, a value that it takes

muse-recordings = give --data, the folder of the MUSE recordings
muse-no-stimuli = { $data }: no stimuli/ with recordings in it; give the folder of MUSE
muse-unheard = { $data }: no trial has its recordings; correct --data
muse-no-task = { $data }: no trial of { $task } has its recordings; leave it out
