# What a leaderboard says of its tables: report/leaderboard.
boards-title = { $benchmark }{ $clauses ->
    [0] {""}
   *[other] : { NAMES($clauses) }
}
boards-row = { $name }, { NAMES($settings) }
boards-set-apart = { $name } ({ NAMES($by) })
boards-default = default settings
boards-marked = { $name }{ $mark }
boards-items = { $n ->
    [one] 1 item
   *[other] { $n } items
}
boards-limit = { $limit ->
    [none] all { extent-units }
    [one] first { extent-units }
   *[some] first { $limit } { extent-units }
}
boards-shots-each = { AND($shots) } shots
boards-shots = { $shots ->
    [0] zero-shot
    [1] one-shot
    [few] few-shot
   *[other] { $shots } shots
}
boards-off = no { setting-name }
boards-extract = read by { $policy }
boards-language = { $language ->
    [zh] Chinese
    [en] English
   *[other] { $language }
}
boards-letter = { $name } = { $value }
boards-setting = { setting-name }{ $value ->
    [none] {""}
   *[some] {" "}{ setting-value }
}
setting-name = { $name }
setting-value = { $value }
boards-only = only { $value }
boards-value = { NAMES($values) }
