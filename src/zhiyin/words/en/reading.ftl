# How replies were read, what they cost, which protocol was followed: analysis.

reading-answers = answers read by { NAMES($policies) }: { NAMES($counts) }
reading-count = { $n } { $how ->
    [by-text-alone] by text alone
   *[other] { $how }
}
reading-confirmed = asked once more for the letter alone: { $asked } { $asked ->
    [one] reply
   *[other] replies
}, { $settled } settled so{ $failed ->
    [0] {""}
    [one] , { $failed } call failed
   *[other] , { $failed } calls failed
}{ $without ->
    [none] {""}
   *[some] ; without that IFR is { POINTS($without, 2) } %
}

cost-spent = cost: { $usd ->
    [none] {""}
   *[some] { MONEY($usd) } for {""}
}{ cost-calls }{ $canary ->
    [0] {""}
   *[other] {" "}({ $canary } of them the canary's)
}{ $cached ->
    [0] {""}
    [one] , { $cached } reply from the cache
   *[other] , { $cached } replies from the cache
}; { $input } { $input ->
    [one] token
   *[other] tokens
} sent, { $output } came back
cost-calls = { $calls } { $calls ->
    [one] call
   *[other] calls
}
cost-not-counted = cost: { cost-calls }, whose tokens the server did not count
cost-per-right = { $usd ->
    [none] tokens per correct answer: { WHOLE($tokens) }
   *[some] per correct answer: { MONEY($usd) } and { WHOLE($tokens) } tokens
}{ $cached ->
    [0] {""}
   *[other] , cached replies at their full price
}
cost-uncounted = the server did not count the tokens of { cost-calls }
cost-prices = prices: { $source ->
    [none] no date, no source
   *[some] { $source }
}{ $today ->
    [true] , as the table has it today
   *[false] {""}
}
cost-judge = { $judge ->
    [none] judge
   *[some] judge { $judge }
}: { $usd ->
    [none] {""}
   *[some] { MONEY($usd) } for {""}
}{ cost-calls }; { $tokens } tokens sent and received
cost-judge-unknown = { $judge ->
    [none] judge
   *[some] judge { $judge }
}: what it cost is not known: { $fault }

protocol-followed = protocol { $name } ({ $source }), { $departures ->
    [0] without a departure
   *[other] departing from it in: { CLAUSES($departures) }
}
protocol-differs = not done as in { $name }: { CLAUSES($differs) }
reading-why = { $why ->
    [letter] the letter alone
    [empty] empty reply
    [reasoning] nothing said outside the reasoning
    [unnamed] no option named
    [fits-none] no option is said to fit
    [declines] an option is named where the reply declines
    [cases] ambiguous: one option in one case, another in the other
    [depends] ambiguous: it depends
    [equally] ambiguous: several options equally likely
    [lines] ambiguous: several options on lines of their own
    [several-right] ambiguous: several options said to be right
    [several-possible] ambiguous: several options held possible
    [several-named] ambiguous: several options named
    [none-declared] ambiguous: several options named, none declared
    [listed] ambiguous: several options listed, none declared
    [cut-off] cut off before an answer
    [draft] a draft, and no answer
    [no-single] a letter or text that is no single option
    [rejected] options rejected, none declared
    [discussed] an option is discussed, none declared
    [words] the words of one option and of no other
    [only] the only option named
    [left] the only one left of those declared
    [sentence] concluded: the option that the sentence comes to
    [wrong] the one that is wrong, and all others are right
    [marked] the one marked as right
    [ranking] first of a ranking
    [full-text] full text of one option
    [letter-text] letter and text
    [different] a letter and a text of different options
    [side-by-side] ambiguous: two answers stand side by side
    [together] ambiguous: several options named together
    [lone] a lone letter
    [whole] whole reply is one option's letter
    [no-capital] no upper-case A to D
    [none-apart] no A to D set apart
    [no-words] no words
    [all-words] all words of one option alone
    [other-words] words of another option stand there too
    [not-all-words] not all words of any option stand there
    [none-in] no option in { $what }
    [declared] declared: { $what }
    [possible] held possible: { $what }
    [likeliest] the likeliest: { $what }
    [concluded] concluded: { $what }
    [corrected] corrected: { $what }
    [instead] instead: { $what }
    [said-of-it] said of it: { $what }
    [asked-again] asked once more: { $what }
   *[before-another] { $what }, before a further question
}

# The same replies by every published rule: analysis/readers.py.

readers-title = { $replies } { $replies ->
    [one] reply
   *[other] replies
} to { $items } { $items ->
    [one] question
   *[other] questions
}, by every rule that fits
readers-ours = ours
readers-unread = { $how ->
    [wrong] wrong
    [guess] guessed
    [default] A
    [left-out] left out
   *[open] by an embedding
}
readers-key = unread: no answer was found; then: what its source makes of such a reply. A rule that guesses is given in expectation; draws: where 95 % of 1,000 draws lie
readers-bounds = { $rule }: every reply that equals no option needs its embedding (--embed): the bounds are the figure if all of those were wrong, and if all were right
readers-differ = Why rules read replies otherwise than ours
readers-differ-key = the most frequent causes; example: letter by ours / by the rule ("-" no answer, "?" a guess), and the reply
readers-span = { $who ->
    [none] {""}
   *[other] { $who },{" "}
}by the rules of others: { POINTS($low, 1) } to { POINTS($high, 1) } % right on the same replies ({ $lowest }, { $highest }; { $rules } rules)
readers-pair = { $first } and { $second } read { $n } { $n ->
    [one] reply
   *[other] replies
} differently; right by { $first } alone: { NUMBER($first_gains, decimals: 1) }, by { $second } alone: { NUMBER($second_gains, decimals: 1) }
