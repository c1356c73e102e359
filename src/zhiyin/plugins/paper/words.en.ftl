# Figures for papers.
figure-told = { $title }. { $caption }
figure-overview = { $benchmark }: the runs
figure-headline = { $benchmark }: the runs{ $beside ->
    [true] {" "}beside what is published
   *[false] {""}
}
figure-intervals = Lines are 95 % intervals, clustered where trials share a recording or a stimulus.
figure-overview-caption = { EACH($notes) }{ $limits ->
    [0] {""}
   *[other] {" "}{ SENTENCE($limits) }
}
figure-headline-caption = { EACH($notes) }{ $source ->
    [none] {""}
   *[other] {" "}Coloured: the runs here; open grey: published ({ $source }).
}{ $less ->
    [0] {""}
   *[other] {" "}A panel has { $most } published rows at most: { $less } more { $less ->
        [one] is
       *[other] are
    } in none.
}{ $other ->
    [0] {""}
   *[other] {" "}{ $other ->
        [one] 1 more row is
       *[other] { $other } more rows are
    } published of another figure or group alone.
}{ $limits ->
    [0] {""}
   *[other] {" "}{ SENTENCE($limits) }
}
figure-limit = { AND($who) }: { $why }: not comparable with { $settings ->
    [true] runs by default settings
   *[false] published figures
}
figure-dimensions = { $benchmark }: what the questions ask about
figure-dimensions-caption = Number of questions in each dimension. A question may be in several.
figure-groups = { $benchmark }: accuracy by group of questions
figure-groups-caption = Accuracy in each group. { EACH($notes) } A question may be in several groups.
figure-differences = { $benchmark }: { $first } against { $second }
figure-differences-caption = { $first } minus { $second }, paired by item, on { $items ->
    [one] one item
   *[other] { $items } items
}. Lines are 95 % cluster-robust intervals; coloured where the difference is significant (all items: the test itself; groups: corrected for their number, { $alpha }). Grey bands: differences too small to be found with 80 % power.
figure-shots = { $benchmark }: what worked examples do
figure-shots-caption = Accuracy and the share of replies with a readable answer, by the number of worked examples. Lines are 95 % intervals, clustered where trials share a recording.
figure-distractors = { $benchmark }: which distractors are hard
figure-distractors-caption = Accuracy by what is offered beside the right answer: IR incorrect but related, CU correct but unrelated, IU incorrect and unrelated. { EACH($notes) }
figure-attention = { $benchmark }: does it use the audio?
figure-attention-caption = Accuracy with the track itself and with something else played. A model that listens does worse without the track. { EACH($notes) }
figure-dose = { $benchmark }: how much sound is needed
figure-dose-caption = Accuracy by the seconds of sound that were heard, on average; at 0 no sound was sent. The same items at every dose. A line that does not rise needs no sound; where it no longer rises, more sound adds nothing. { EACH($notes) }
figure-letters = { $benchmark }: letters chosen, and letters that are right
figure-letters-caption = Bars: share of a letter among a run's answers. Black lines: its share in the key. RStd: standard deviation of the recall, in points, over letters that are the key at least { $least } times, beside what it would be if all letters were equally well recalled.{ figure-left }
figure-left = { $left ->
    [0] {""}
   *[other] {" "}Not shown: { NAMES($left) }.
}
figure-calibration = { $benchmark }: is confidence deserved?
figure-calibration-caption = Share of right answers by the probability that a model gives its answer among the options; on the diagonal confidence is deserved. Lines are 95 % intervals, clustered, grey bars the distribution of confidence. Calibration error: expected, ten bins, in points.{ figure-left }
figure-cost = { $benchmark }: what accuracy costs
figure-cost-caption = Accuracy against mean { $unit } per trial (prompt and reply, all turns). Grey: no cheaper run here is better. Lines are 95 % intervals.
paper-lacks = --as { $name }: these runs lack the data for it: see docs/seeds.md for those that it is of
figure-name = benchmark { $benchmark }: figure { $own }: give it a name of letters, digits and '-' that no other figure has
