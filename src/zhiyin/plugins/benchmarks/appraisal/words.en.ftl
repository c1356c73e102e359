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
appraisal-twice = stands on line { $line } too
appraisal-two-details = other details of { $song } stand on line { $line }: neither is used, keep one
appraisal-no-json = no JSON ({ $why }): mend or delete the line
appraisal-no-object = no JSON object: write one {"{...}"} a line

# benchmark.toml
appraisal-results = Example output: each component and the overall score
