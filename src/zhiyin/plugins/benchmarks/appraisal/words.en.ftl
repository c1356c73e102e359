appraisal-summary = option questions about songs, and reviews of them, judged afterwards (`zhiyin judge`)
appraisal-title = Appraisal
appraisal-questions = option questions: accuracy
appraisal-written = reviews: share written
appraisal-earlier = logged by an earlier version, which counts reviews as correct answers: `zhiyin rescore RUN --extract POLICY --out NEW_RUN` fixes that
appraisal-left-out = left out: { $file }, { $id }: { $detail }
appraisal-missing = left out: { $n } of { $of } songs, without a recording here
appraisal-recordings = { $n } { $n ->
    [one] song has
   *[other] songs have
} a recording here
appraisal-no-recordings = { $n ->
    [one] the only song has no recording here
   *[other] none of the { $n } songs has a recording here
}{ $first ->
    [none] {""}
   *[other] {" "}(the first: { $first })
}: put them where the data says, or give --audio-root DIR
appraisal-not-judged = its reviews are not judged: `zhiyin judge RUN -m JUDGE`
appraisal-absent = not there (looked for in { NAMES($folders) })
appraisal-outside = { $fault }, or name its folder with --audio-root
appraisal-one = { $id }: { $detail }
appraisal-no-data = no data: --data DIR with { $questions } or { $details } in it, or --source generated
appraisal-no-options = options are no list of texts
appraisal-many-options = { $n } options: give 2 to { $most }
appraisal-no-answer = no answer: give the letter of the right option as answer
appraisal-two-answers = answer and correct_answer differ: keep the right one
appraisal-other-answer = answer '{ $answer }' is not one of the options' letters A to { $last }
appraisal-no-text = { $field } is { $missing ->
    [true] missing
   *[false] no text
}
appraisal-other-pieces = { $folder }: holds other pieces: give another --stimuli, or remove it
appraisal-line = line { $number }
appraisal-twice = stands on line { $line } too
appraisal-two-details = other details of { $song } stand on line { $line }: neither is used, keep one
appraisal-no-json = no JSON ({ $why }): mend or delete the line
appraisal-no-object = no JSON object: write one {"{...}"} a line
appraisal-odd = { $path }: not as save_results writes it ({ $why }): summary, and detailed_results with qa_results

# benchmark.toml
appraisal-results = Example output: each component and the overall score
