"""Work with many runs: suites, gate, leaderboard, lab book, imports and exports."""
