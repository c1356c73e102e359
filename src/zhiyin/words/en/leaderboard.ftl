# The page of a leaderboard.
board-column = { $figure ->
    [f1] F1
   *[other] { $figure }
}, { $group ->
   *[other] { $group }
}
