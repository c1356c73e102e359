perception-summary = syncopation, transposition and chord quality, heard or read, in three strategies
perception-accuracy = { $task }: accuracy, %
perception-cell = { $modality }, { $shots }-shot, { $strategy }
perception-asked = { $task }, { $modality }, { $shots }-shot
perception-cut = { $n ->
    [one] { $n } trial whose output was cut off or empty is
   *[other] { $n } trials whose output was cut off or empty are
} left out here, as in the paper; the groups above count them as wrong
perception-none = none
perception-execution = LogicLM: what became of the transcriptions, %
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
