perception-summary = syncopation, transposition and chord quality, heard or read, in three strategies
perception-task = { $task }
perception-accuracy = { perception-task }: accuracy, %
perception-cell = { $modality }, { $shots }-shot, { $strategy }
perception-asked = { $task }, { $modality }, { $shots }-shot
perception-cut = { $n ->
    [one] { $n } trial whose output was cut off or empty is
   *[other] { $n } trials whose output was cut off or empty are
} left out here, as in the paper; the groups above count them as wrong
perception-none = none
perception-execution = LogicLM: outcomes of the transcriptions, %
perception-execution-note = exec.: the solver could decide; acc.: over all n; on exec.: over those; strict: with cut or empty outputs as wrong; repairs: trials by rounds used; agree: the model's own last answer repeats the solver's
perception-faults = { $n } of { $of } transcriptions { $fault ->
    [none] stood in code fences (```): ask for plain lines in TASK-transcribe.txt (--prompts)
   *[other] had a { $fault } fault at first
}
perception-fidelity = LogicLM: transcription fidelity beside accuracy, %
perception-fidelity-of = { $task }, { $modality }, { $mask }, { $label ->
    [none] all
   *[other] { $label }
}
perception-fidelity-note = micro-averaged over label and modality (section 2.5, figure 3)

perception-modality-figure = perception: reading against hearing
perception-modality-caption = Estimated marginal mean accuracy with 95 % intervals, from a logistic mixed model per task (random intercept for each stimulus). Brackets: audio against MIDI within a model, Wald test, or likelihood ratio where answers are separated. Dashed: chance; dots: observed accuracy.{ $left ->
    [0] {""}
   *[other] {" "}No model could be fitted to { NAMES($left) }.
}
perception-fidelity-figure = perception: what was heard against what was decided
perception-fidelity-caption = Each point is a category (a level of syncopation, a chord quality, an answer), pooled over the runs and shots: F1 of LogicLM's transcription, micro-averaged, against the accuracy of its decision. Filled: audio; open: MIDI. Outputs that were cut off are left out.

perception-sync3 = the published level is 6, but the recording seems to hold 8 off-beat hits
perception-disagrees = the name says { $name }, the MIDI file { $midi }
perception-partial = { $task }: { $n } of { $of } published items; the others are not there{ $examples ->
    [0] {""}
   *[other] , but for { $examples } with a recording of a worked example
}
perception-by-ear = no MIDI file beside the recordings: the reference listener wrote down the worked examples of LogicLM ({ NAMES($names) })
perception-doubt = { $file }, a worked example as in MUSE: { $doubt }
perception-estimated = estimated accuracy, %
perception-decided = accuracy of the decision, %
perception-transcribed = F1 of the transcription, %
perception-key = { $name ->
    [midi] MIDI
   *[other] { $name }
}
stimuli-made = { $items ->
    [one] 1 item
   *[other] { $items } items
} in { $folder }, { NUMBER($seconds, decimals: 1) } s, by { $renderer }
stimuli-exemplars = { $exemplars ->
    [one] 1 example
   *[other] { $exemplars } examples
} in { $exemplars_in }
stimuli-checked = { $folder }: { $items ->
    [one] 1 item agrees with its files
   *[other] { $items } items agree with their files
} (answers: { NAMES($answers) })

perception-level = unknown syncopation level in the file name { $name }.wav: NoSync, Sync1, Sync2, Sync3 or Sync4, then _ and a letter, is known
perception-lacks = { $folder } lacks { $n } of { $of } published recordings: { NAMES($names) }; add them, or run the part that is there with --partial
perception-no-midi = MIDI files are missing beside the recordings: { NAMES($names) }; add them (or the .txt of them that mido prints), or run with --modality audio
perception-unsure = few-shot LogicLM shows how worked examples are written down: MUSE has no MIDI files, and by ear these are not sure: { NAMES($names) }; add them beside the recordings (or the .txt that mido prints), leave logiclm out of --strategy, or say --shots zero
perception-none-kept = { $folder }: no recordings of { $task } to score; leave { $task } out with --task
perception-no-example = { $folder } has no worked example of { $task }: add { NAMES($names) }, or run --shots zero
perception-data = --data is for --source muse; items of your own are given by --stimuli
perception-no-truth = { $root }: no { $truth } in it or in a folder named after a task; make stimuli with `zhiyin stimuli make`
perception-answer = { $folder }: { $item } has the answer { $key }, which { $task } does not offer; make stimuli without further qualities
perception-inverted = { $folder }: { $item } is inverted, and the question is about chords in root position; make stimuli without inversions
perception-unknown = the transcription of the worked example { $recording } is not known: put its MIDI file beside it
perception-few = { $at }: { $n ->
    [one] 1 item
   *[other] { $n } items
} of { $task }, not { $of }; lower --n, or make more
perception-same = { $sound }: the same { $task } item is a worked example; make stimuli with `zhiyin stimuli make`, or choose another --seed

# benchmark.toml
perception-table-1 = Table 1: accuracy on three music perception tasks
perception-figure-2 = Figure 2: performance by modality, estimated from a mixed model of each task
perception-figure-3 = Figure 3: quality of LogicLM inputs and decision accuracy

perception-recordings = give --data, the folder of the MUSE recordings
perception-muse-data = --source muse needs --data, the folder of the MUSE recordings
perception-made = --n and --stimuli are for --source generated; leave them out
