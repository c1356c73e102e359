study-answers = Answers (JSON lines)
people-lead = { $model } minus { $who ->
    [none] people
   *[some] { $who }
}: { SIGNED($lead) } points{ $low ->
    [none] {""}
   *[some] {" "}(95 % interval { SIGNED($low) } to { SIGNED($high) }, for other people and other questions; { $n } people)
}
people-answers = answers of { $people } people to { $n } { $n ->
    [one] question
   *[other] questions
}
people-averaged = answers of several people to one question are averaged; the interval speaks of other questions and these people: `zhiyin study show` gives the one for other people too
people-orders = { $n } { $n ->
    [one] answer
   *[other] answers
}: the order in which options were shown is not known
