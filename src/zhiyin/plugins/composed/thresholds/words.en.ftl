thresholds-summary = how small a difference is heard: pitch, time, loudness, noise, memory
thresholds-title = Thresholds
thresholds-dimension = { $name ->
   *[other] { $title }
}
thresholds-unit = { $unit }
thresholds-told = { $how ->
    [worse] worse than { $level }
    [better] better than { $level }
    [signed] { $level } ({ $low } to { $high })
    [measured] { $level } ({ $low }–{ $high })
   *[none] not measured
}
thresholds-always = always { $answer }
thresholds-bias = { $answer } { $size }
thresholds-meaning = threshold: where d' is 1, the mean of the posterior with a 95 % credible interval; the prior is even over the levels and half a power of ten beyond; bias: the preferred answer, and the criterion c with its standard deviation
thresholds-fitted = slope: by how many powers of ten d' grows where the difference grows by one; lapses: answers given by a coin, in %; each the mean and standard deviation of the posterior, which after so few answers rest mostly on the prior (slopes 0.35 to 3, lapses 0 to 10 %); right at the threshold: without bias, of two intervals 76 % and of yes or no 69 % where nothing lapses
thresholds-methods = Thresholds were measured with { $method ->
    [two-interval] two intervals, one of which held the difference (forced choice)
   *[yes-no] single intervals, with a difference in half of them (yes or no)
}; levels were chosen by { $procedure ->
    [quest] QUEST+ (Watson 2017): a posterior over threshold, slope (0.35 to 3), lapses (0 to 10 %) and criterion, each time the level with the least expected entropy, until the ends of the 95 % credible interval differed by a factor of { NUMBER($precision, decimals: 1) }, at the latest after { $most } of them
    [staircase] a weighted staircase (Kaernbach 1991), until its direction had turned { $turns } times or after { $most } of them
   *[constant] constant stimuli, at most { $most } of them
}. The threshold is the difference at which d' is 1 (right in { $method ->
    [two-interval] 76
   *[yes-no] 69
} % of trials without bias and lapses): the mean of the posterior with its 95 % credible interval.
thresholds-harder = melody memory: more notes are harder, so a higher threshold is better
thresholds-beyond = better, worse than: the interval reaches beyond the levels that can be asked; of listeners as the prior has them the bound held for 96 to 98 % when simulated; of those whose answers get better slowly, with lapses, worse than for 81 %
thresholds-none = not measured, { NAMES($of) }: { $why }
thresholds-unread = no answer could be read
thresholds-one-answer = the same answer to every question, which shows only a bias
thresholds-turned = { $n } of { $of } answers are right, clearly fewer than by guessing: the answers may be reversed, or misread
thresholds-left-out = replies without an answer say nothing about hearing and are left out
thresholds-people = people, { $of }: { $who } ({ $source })

thresholds-audiogram-figure = How small a difference is heard
thresholds-audiogram-caption = Threshold (d' = 1) in each dimension with its 95 % credible interval; each row has a logarithmic scale of its own from the hardest level asked to the easiest. An arrow: the interval reaches beyond the levels. Blue bands and lines: thresholds of people from the literature, measured with other sounds and methods; no band where no figure is sure.{ $left ->
    [0] {""}
   *[other] {" "}{ EACH($left) }
}
thresholds-left = Not measured, { $who }, { NAMES($names) }: { $why }.
thresholds-functions-figure = Psychometric functions
thresholds-functions-caption = Share of right answers by level, easier to the right. Marks: what was answered, larger where there are more trials; curves: the fitted listener without bias; vertical lines: the threshold, where d' is 1. Dashed: chance.
thresholds-axis = { $name }, { $unit }
thresholds-hearing = ← fine hearing · threshold · coarse hearing →

thresholds-sample = { $kind ->
    [heard] heard by the model: { $level } { $unit }
    [unheard] not heard by it: { $level } { $unit }
   *[people] heard by people: { $level } { $unit }
}
thresholds-finding = { $measured ->
    [0] { $who }: no threshold could be measured.
   *[other] { $who } { CLAUSES($parts) }.
}
thresholds-against = { $how ->
    [finer] hears finer differences than people in { AND($of) }
    [coarser] hears only coarser differences than people in { AND($of) }
    [beyond] reaches no threshold that can be asked in { AND($of) }
    [alone] cannot be held against people, whose threshold is not known, in { AND($of) }
   *[alike] is not clearly different from people in { AND($of) }
}
thresholds-page-note = Threshold: where d' is 1, with its 95 % credible interval, on a logarithmic scale of its own from the hardest level asked (left) to the easiest (right); a mark at the edge means beyond it. Shaded: thresholds of people from the literature, measured with other sounds and methods.
thresholds-played = Each recording plays the plain sound, then the one with the difference (of melodies: the tune, a changed one, the same tune), at the ends of the interval.
thresholds-tracks = --tracks is for adaptive procedures: raise --most in its place
