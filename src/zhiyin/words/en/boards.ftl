# What a leaderboard says of its tables: report/leaderboard.

boards-title = { $benchmark }{ $clauses ->
    [0] {""}
   *[other] : { NAMES($clauses) }
}
boards-row = { $name }, { NAMES($settings) }
boards-items = { $n ->
    [one] 1 item
   *[other] { $n } items
}
boards-again = { $title } ({ $number })
boards-limit = { $limit ->
    [none] all { extent-units }
    [one] first { extent-units }
   *[some] first { $limit } { extent-units }
}
boards-shots = { $shots ->
    [0] zero-shot
    [1] one-shot
    [few] few-shot
   *[other] { $shots } shots
}
boards-off = no { $name }
boards-extract = read by { $policy }
boards-language = { $language ->
    [zh] Chinese
    [en] English
   *[other] { $language }
}
boards-letter = { $name } = { $value }
boards-setting = { $name }{ $value ->
    [none] {""}
   *[some] {" "}{ $value }
}
boards-only = only { $value }
boards-value = { $value }

boards-other-protocol = these runs follow Zhiyin's own protocol, not the published one; --protocol { $name } asks as published
boards-no-protocol = it is not known whether they were asked and read as these runs were
boards-departs = these runs depart from the protocol { $name }: { CLAUSES($departures) }
boards-not-published = no { $figure } is published for them

boards-left = { $title }: { AND($who) } { $altered ->
    [true] { $n ->
        [one] was
       *[other] were
    } judged with altered sound, a part of it, or fewer distractors only, and so not ranked: `zhiyin show` has the figures
   *[false] { $n ->
        [one] has
       *[other] have
    } no judged trial, and so no row
}.
boards-not-ranked = Runs are not ranked: { $paths ->
    [true] their sequences chose the questions by the answers, so the runs were not all asked the same questions
   *[false] there is no paired test of { $figure }{ $tested ->
        [none] {""}
       *[some] ; `zhiyin compare --score { $tested }` tests { $tested }
    }
}.
boards-ranked-on = Runs are ranked on the { $n } { $n ->
    [one] item
   *[other] items
} that all of them share; each figure covers all items of its run, so figures may be in another order than ranks.
boards-measured = not marked right or wrong: `zhiyin show` tells what was measured
boards-unread = left out, as it cannot be read: { $why }
boards-total = The total is the weighted mean of the parts, and runs are ranked by it, paired by song. A review has no right answer: it counts only by its grades.
