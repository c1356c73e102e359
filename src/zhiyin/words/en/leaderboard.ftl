# The page of a leaderboard.

board-leaderboard = Leaderboard
board-about = Each table holds runs of one protocol: the same data and prompts, the same rule of reading answers, the same settings. Choose a column’s name to sort by it.
board-runs = { $ranked ->
    [one] 1 finished run on { $items } { $unit }.
   *[other] { $ranked } finished runs on the { $items } { $unit } that every model answered. Runs on one upright line: no significant difference found (paired tests, Holm, 0.05).
} Figures are per cent; lines are 95 % intervals.
board-model = model
board-ties = ties
board-answered = answered
board-unit = { $unit }
board-an-item = { $unit } an item
board-interval = 95 % interval { $low } to { $high }
board-kind = { $kind ->
    [model] published
    [human] people, published
   *[chance] chance
}
board-report = report
board-trials = trials
board-signed = signed { $by }
board-cost = Cost beside quality
board-frontier = { $figure }, %, against { $unit } for an item, logarithmic. On the frontier: { NAMES($names) }.
board-apart = Published results are shown separately: { $why }.
board-set-apart = Published, shown separately
board-protocol = Protocol
board-differs = differs
board-unset = unset
board-published = Published:
board-column = { $figure ->
    [f1] F1
   *[other] { $figure }
}, { $group ->
   *[other] { $group }
}
