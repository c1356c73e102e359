"""What a run costs: replies that are kept, prices, budgets, and how fast may be asked."""
