"""What the models of `suites_help` count, however often that file is opened."""

under_way = most = opened = 0
order = []
