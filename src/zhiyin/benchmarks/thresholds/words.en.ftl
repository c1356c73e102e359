thresholds-summary = how small a difference is heard: pitch, time, loudness, noise, memory
thresholds-title = Thresholds
thresholds-dimension = { $name ->
   *[other] { $title }
}
thresholds-unit = { $unit }
thresholds-told = { $how ->
    [worse] worse than { $level }
    [better] better than { $level }
    [measured] { $level } ({ $low } to { $high })
   *[none] not measured
}
thresholds-always = always { $answer }
thresholds-bias = { $answer } { $size }
thresholds-meaning = threshold: where d' is 1, the mean of the posterior with a 95 % credible interval; the prior is even over the levels and half a power of ten beyond; bias: the preferred answer, and the criterion c with its standard deviation
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
thresholds-hearing = { $end } hearing
