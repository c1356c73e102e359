"""Any model on the workers of a Ray cluster; the run, its log and its conversations stay here."""
