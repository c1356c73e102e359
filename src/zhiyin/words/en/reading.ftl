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
   *[some] ; without that IFR is { POINTS($without, 2) } %
}
cost-spent = cost: { $usd ->
    [none] {""}
   *[some] { MONEY($usd) } for {""}
}{ cost-calls }{ $canary ->
    [0] {""}
   *[other] {" "}({ $canary } of them the canary's)
}{ cost-failed }{ $cached ->
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
cost-failed = { $failed ->
    [0] {""}
   *[other] {" "}({ $failed } of them without a reply)
}
cost-not-counted = cost: { cost-calls }{ cost-failed }, whose tokens the server did not count
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
    [either-case] first A to D set apart, in either case
    [first-capital] first upper-case A to D
    [glued] letter glued to a word for option
    [last-capital] the last capital of the reply
    [last-foreign] the last capital is no option's
    [capital-none] no capital
    [no-form] neither a letter nor a text in the forms looked for
    [none-behind] no letter behind "answer is"
    [behind] the letter behind "answer is"
    [marker-several] behind the last ANSWER: stands more than one letter
    [marker-none] no ANSWER: with a letter
    [marker] the last ANSWER: with a label
    [label-several] the last ANSWER: with a label has several
    [marker-zh] the last 答案： with a label
    [label-several-zh] the last 答案： with a label has several
    [no-ends] neither the first character nor the last but one is A to D
    [first-sign] the first character
    [last-but-one] the last character but one
    [bracketed] a capital in parentheses
    [bracketed-first] the first letter in parentheses
    [an-option] an option's text
    [no-option-text] a text that no option has
    [colon] a letter behind a colon
    [short-form] a letter in the short form
    [last-apart] the last a to d set apart
    [no-such] no such option, so answered and wrong
    [no-options] no options
    [before-bracket] the first letter before a parenthesis
    [behind-bracket] the first letter behind a parenthesis
    [behind-word] the first letter behind a word for it
    [bracketed-last] the last letter in parentheses
    [before-stop] a letter before a blank or a full stop
    [stands-last] the option whose text stands last
    [after-marker] the first letter after ANSWER:
    [in-conclusion] the letter within <Conclusion>
    [at-end] the letter at the end
    [no-conclusion] no letter within <Conclusion> or at the end
    [whole-reply] the whole reply
    [no-letter-form] no letter in the forms looked for
    [first-contained] first option whose text is contained
    [only-contained] the only option whose text is contained
    [not-one-contained] no option's text is contained, or several
    [several-capitals] several capitals among A to D
    [no-capital-text] no capital, no text
    [only-capital] the only capital among A to D
    [several-given] several options given
    [none-given] no option given
    [only-given] the only option given
    [neither] no letter and no option's text
    [no-option] no option
    [takes-a] A, which it takes for any reply that it cannot read
    [stands-as] the first letter that stands as an option anywhere
    [after-choosing] the last letter after words of choosing
    [double-brackets] the last letter in double brackets
    [equal] equal to an option
    [embedding] left to an embedding
    [ends-last] the published answer that ends last
    [no-stop] the published answer without its full stop
    [option-letter] the letter of an option
    [option-words] the words of an option
    [no-number] a number that no option has
    [opens] the option opens the reply
    [own-line] the option on its own line
    [last-alone] the option on the last line
    [option-alone] the option alone
    [own-sentence] the option is a sentence of its own
    [changed-to] changed to it
    [was-not] not what it was said to be
    [said-likely] said to be likely
    [said-of-other] one option said of another
    [sentence-end] the last word of its sentence
    [spoken-of] spoken of
    [spoken-first] spoken of first
    [corrected-to] corrected to it
    [as-good] as good as the one before
    [better-of-two] the better of two
    [only-seems] it only seems so
    [ranked-first] the first of a ranking
    [same-again] the same option again
    [only-fits] only this one fits
    [all-excluded] all but it are excluded
    [no-other] it can be no other
    [not-just] not just this
    [asked-no] asked, and answered with no
    [asked-yes] asked, and answered with yes
    [what-else] what else could it be
    [those-right] those who chose it are right
    [opposite-denied] its opposite is denied
    [others-excluded] all other options are excluded
    [alike] ambiguous: several answers declared alike
    [shared-text] ambiguous: a text that two options share
    [taken-back] ambiguous: an answer taken back
    [letter-and-other] ambiguous: a letter and a text of different options
    [weighed] ambiguous: options are weighed, none is chosen
    [asks-back] an option is named where the reply asks back
    [values-rejected] values rejected, none declared
    [no-words-due] no words where an answer is due
    [none-declared-at-all] no options declared
    [answer-back] an answer taken back
    [stated-first] said first
    [endless] its number is endless
    [own-marks] the options' own marks
    [only-number] the only number named
    [yes-no-first] yes or no at the beginning
    [value-unnamed] no value named
    [only-value] the only value named
    [several-values] ambiguous: several values named
    [values-undeclared] ambiguous: several values named, none declared
    [values-together] ambiguous: several values named together
    [none-in] no option in { $what }
    [declared] declared: { $what }
    [possible] held possible: { $what }
    [likeliest] the likeliest: { $what }
    [concluded] concluded: { $what }
    [corrected] corrected: { $what }
    [instead] instead: { $what }
    [said-of-it] said of it: { $what }
    [asked-again] asked once more: { $what }
    [last-line] last line: { $what }
    [final-answer] Final Answer: { $what }
    [of-statement] said of the statement: { $what }
    [speaks-for] speaks for it: { $what }
    [marked-as] marked { $what }
    [said-as] said: { $what }
    [beyond] declared a letter beyond the options: { $what }
    [taken-back-by] ambiguous: an answer taken back: { $what }
   *[before-another] { $what }, before a further question
}
