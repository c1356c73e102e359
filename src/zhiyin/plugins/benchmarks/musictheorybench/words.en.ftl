mtb-summary = MusicTheoryBench: 367 choices on knowledge of music and on reasoning about scores in ABC notation
mtb-example = a worked example, { $id } of dev, asks the same
mtb-twin = question and options of { $id }{ $same ->
    [true] {""}
   *[false] , which is keyed otherwise
}
mtb-count = { $group ->
    [all] questions of the test split
   *[other] { $group }
}: { $n } of { $of } published
