mmau-summary = MMAU test-mini: 1,000 questions on music, sound and speech; string match beside ours
mmar-summary = MMAR: 1,000 questions that take reasoning; music, speech, sound and their mix
mmar-rubrics-summary = MMAR-Rubrics: the questions of MMAR, with the reasoning behind right answers graded by a judge
mmar-rubrics-board = Reasoning by rubric: the two figures of the leaderboard
mmar-rubrics-head = { $name ->
    [model] model
    [track] track
    [rubrics] rubrics
   *[right] right, %
}
mmar-rubrics-mine = this run{ $judge ->
    [none] {""}
   *[other] , judged by { $judge } ({ $draws } { $draws ->
        [one] draw
       *[other] draws
    })
}
mmar-rubrics-track = { $agents ->
    [true] agents
   *[other] single model
}
mmar-rubrics-note = rubrics: the share of the five criteria that is met, 0 for a wrong answer; with three draws or more the lowest and the highest of each question are left out
mmar-rubrics-missing = { $n } right { $n ->
    [one] answer has
   *[other] answers have
} no judgement: the figure lies between the two
mmar-rubrics-unjudged = the reasoning is not judged yet: `zhiyin judge RUN -m JUDGE --aspects reasoning --draws 5 --language en`

reproduce-ids = { $replies }: ids and replies alone; give { $name } with --replies too
