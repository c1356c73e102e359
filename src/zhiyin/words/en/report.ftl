# The report's page: its headings, what its charts are, and the short answers of its first screen.
nav-sections = Sections
nav-findings = Findings
nav-trials = Trials
nav-methods = How it was done
skip-to-findings = Skip to the findings
trials-need-scripts = The list of trials is operated by a script of this page: allow scripts to see it.
report-browser = { FEW($who) } · Zhiyin
report-runs = { $n ->
    [one] One run
   *[other] { $n } runs
}
report-going = A run is still going on; this page follows it.
report-ended = All runs have ended.
report-todo = What to do first
report-notes = Notes on these runs ({ $n })
report-hollow = Hollow marks are published: { $source }.
ask-listening = Does it listen?
ask-letter = One answer to all?
ask-whole = The whole benchmark?
short-yes = yes
short-by-itself = { $side ->
    [worse] worse, by itself
   *[better] yes, by itself
}
short-corrected = { P($p) }, not after correction for the { runs-of-page } of this page; { $text }
short-not-shown = not shown
short-not-tested = not tested
short-not-known = not known
short-elsewhere = answered elsewhere
short-no-sound = no sound in it
short-canary-failed = the canary failed
short-canary-right = { $right } of { $asked } right
short-points-over = { SIGNED($gap) } points over { $other ->
    [swap] another piece
    [half] half noise
    [none] no sound
    [0] no sound
   *[other] { $other }
}
short-reading-hearing-open = no significant difference between reading and hearing
short-reads-better = reads better, by { POINTS($gap) }
short-hears-better = hears better, by { POINTS($gap) }
short-too-few = too few to tell
short-always = always { $letter }{ $others ->
    [0] {""}
   *[other] {" "}but { $others }
}
short-often = often { $letter }
noted-letter = chooses { $letter } far more often than it is right
noted-sound = what the sound adds here is other than elsewhere: { $text }
short-none-found = none found
short-letter = { $letter }: { SHARE($chosen) } of answers, { SHARE($keyed) } of the key
short-other-items = not the published items
short-other-settings = other settings
short-in-part = in part
short-whole-of = the whole of { $group }
short-unfinished = unfinished
short-asked = { $n } { $unit } asked
short-where-it-applies = where it applies
short-unfit = { $unfit } of { $of } trials do not apply; { $n } { $n ->
    [one] item
   *[other] items
} answered
short-all = all { $n } { $unit }
without-figure = { $why ->
    [dead] all { $n } trials failed
    [ungraded] { $n } replies, not judged yet
    [unscored] not judged, or otherwise: no total
    [measured] { $n } replies, measured in the tables below
    [altered] judged in altered conditions only
    [unread] no reply holds a readable answer
    [outside] not asked about this
   *[empty] nothing answered yet
}
published-of-kind = { $kind ->
    [human] { $n ->
        [one] People, published
       *[other] Best of { $n } published groups of people
    }
    [chance] Chance, published
   *[model] { $n ->
        [one] Published model, comparable
       *[other] Published, best of { $n } comparable
    }
}
link-apart = Where they differ
link-wrong = What went wrong{ $who ->
    [none] {""}
   *[some] : { $who }
}
topic-score = How much is right?
topic-comparison = Who is better, and in what?
topic-listening = Is it listening?
topic-conditions = Does it matter how it is asked?
topic-letters = Does it favour a letter?
topic-published = Compared with people and published models
topic-reading = Would other ways of reading the replies alter the figure?
show-trials = Show the trials
show-table = Show the table
report-findings = { $n ->
    [one] 1 finding
   *[other] { $n } findings
}
report-not-comparable-many = Not comparable with published results, which are for the whole benchmark ({ $n } reasons)
report-not-comparable = Not comparable with published results, which are for the whole benchmark:
report-run = Run
report-who = Who
report-this-run = this run
report-model = model
report-human = human
report-chance = chance
report-group = Group
report-everything = Everything
report-trials = Trials
report-planned = Planned
report-total = Total
report-interval = 95 % interval
score-name = { $name ->
    [f1] F1
    [ifr] instruction following
   *[other] { $plain }
}
report-of-figure = { $figure }, %
report-figure-of = { $figure }: { $group }
report-accuracy = Accuracy
report-recall = Recall (= accuracy)
report-precision = Precision
report-ifr = Instruction following
report-published = Compared with what has been published
published-part = { $name ->
    [people-counts] Table 3 prints people's scores as if in %, but they read like right answers of 114
    [outside-europe] outside Europe: the mean of the subthemes' F1 (a run's: of all questions together)
    [mean-of-replies] mean of the scores beside the replies
    [one-over] 1 over the number of answers
    [preliminary] preliminary, by their own words
    [unread-wrong] replies without an answer count as wrong
    [unread] presumably replies that could not be read
    [not-cut-off] accuracy over trials that were not cut off
    [three-orders] two groups in three orders, 60 trials a cell
    [own-way] asked and read in that team's own way
    [official-rule] by the official rule
    [released-prompt] released prompt
    [tokens-100] 100 tokens
    [true-audio] true audio
    [all-distractors] all distractors
    [three-runs] mean of three runs
   *[other] { $name }
}
published-newer = Published figures up to { $date } are from the table that `zhiyin data fetch published` brought.
published-more = { $groups ->
    [0] {""}
    [one] 1 other group, and{" "}
   *[other] { $groups } other groups, and{" "}
}{ $n ->
    [one] 1 published row
   *[other] { $n } published rows
} not drawn
published-head = { $name ->
    [row] Published
    [what] Figure
    [value] %
    [date] Date
    [settings] Settings
   *[why] Not comparable
}
published-called = { $name }{ $more ->
    [0] {""}
   *[other] , { NAMES($more) }
}
published-way = { $value } { $flag }
published-person = { $name ->
    [people-of-ziqi] GPT-4 on the people's 114 questions
   *[other] { $name }
}
published-dated = { $name }, { $date }
published-why = { $flag ->
    [set] of { $value }, which has other questions
    [items] { $value ->
        [other] on other questions
       *[all] on { $value } questions alone
    }
    [extract] read by { $value }
   *[other] { $value } { $flag }
}
published-why-n = { $n }: { published-why }
published-apart = published, not comparable: { $n ->
    [one] 1 row
   *[other] { $n } rows
} ({ CLAUSES($whys) })
published-higher = { $n ->
    [one] 1 published row is higher than the { SHARE($value) } of { $best }, but not comparable ({ CLAUSES($whys) }): { $other }, { SHARE($most) }
   *[other] { $n } published rows are higher than the { SHARE($value) } of { $best }, but not comparable ({ CLAUSES($whys) }): the highest is { $other }, { SHARE($most) }
}
report-precision-note = Precision leaves out replies that could not be read.
report-below-chance = Published rows below chance ({ $n }): how they were asked and read: { $way }.
report-left-out = Not shown beside the published figures of the whole: { NAMES($who) } ({ $why })
report-by-group = Group by group
groups-more = { $shown ->
    [0] all { $n }
   *[other] All others ({ $n })
}
report-differences = Differences on the same trials
report-differences-note = The same trials, answered by both; trials of one cluster are taken together. Exact McNemar test, or sign flips of whole clusters; of several people t, of people and items both drawn; p adjusted by Holm for everything, by Benjamini and Hochberg for the groups, which are exploratory. Detectable: the smallest difference that so many trials would show with 80 % power; -: so few trials show none. No significant difference found does not mean that the two are equal.
report-how = How these are tested
report-minus = { $a } minus { $b }
report-minus-note = Percentage points: right of zero, the run that is named first is better.
report-shared = Shared
report-difference = Difference
report-p-adjusted = p, adjusted
report-detectable = Detectable
report-verdict = Verdict
report-better = { $who } better
report-no-difference = no significant difference found
report-same-questions = The same questions
report-ways = { $tag }: { $a ->
    [real] the recording itself
   *[other] { $a }
} against { $b }
report-condition = { $tag ->
    [audio] { $value ->
        [real] The recording itself
        [silence] Silence in its place
        [noise] Noise in its place
        [half] Noise in the place of its second part
        [swap] Another track in its place
        [nothing] Without sound
       *[other] Sound: { $value }
    }
    [hear] How much is heard: { $value }
    [wording] In other words ({ $value })
   *[other] { $tag }: { $value }
}
report-former = Former, %
report-latter = Latter, %
report-letters = Letters chosen, against the key
letters-none = No letter is shown to be favoured: { AND($names) }
report-letters-note = Bars: how often each letter was chosen. Upright lines: how often it is the key. Recall: of the trials whose key it is, how many were answered right.
report-letter = Letter
report-chosen = Chosen, %
report-key = Key, %
report-recall-of = Recall, %
report-other = { $name } { EXACT($value) }
report-beside = { $kind }{ $date ->
    [none] {""}
   *[other] , { $date }
}{ $by ->
    [none] {""}
   *[other] , by { $by }
}{ $n ->
    [none] {""}
   *[other] , n = { $n }
}{ $more ->
    [0] {""}
   *[other] , { NAMES($more) }
}
report-outcomes = Outcomes
report-state = { $mark } { $state }
report-tables = Further tables of { $name } ({ $n })
report-figures = Figures
state-correct = correct
state-wrong = wrong
state-no-answer = no answer
state-refused = refused
state-truncated = truncated
state-error = failed call
state-ungraded = not marked
copy-text = Copy this text
copied = Copied
methods-note = Accuracy is over all trials that were judged: a reply without a readable answer counts as wrong; failed calls are left out and counted. Intervals are Wilson's, with the effective number of trials where trials depend on each other.
methods-written = Written by Zhiyin { $version }.
settings-of = Settings of
figures-in-english = no font with Chinese characters is installed: the words in figures/ are English
settings-name = { $name }
settings-part = { $part }: { $name }
settings-version = version: { $name }
settings-folder = folder
settings-started = started
settings-seconds = seconds

# What a report leaves out.
without-notation = notation is not engraved, for want of Verovio: { $add }
without-parts = without { AND($parts) }: { $why }
small-sound = the recordings ({ $size }) are compressed copies, MP3: --no-small-audio keeps them bit for bit
without-media = { $kind ->
    [pictures] pictures that are no longer where they were, or are others than were shown: { $n }
   *[recordings] recordings that are no longer where they were, or are others than were played: { $n }
}
without-tunes = tunes that Verovio cannot read, shown as text: { $n }
left-out-media = { $n ->
    [one] { $kind ->
        [pictures] { $n } picture is
       *[recordings] { $n } recording is
    }
   *[other] { $n } { $kind } are
} left out of this one file: write a folder with -o DIR
trials-listed = { $n } of { $of } trials are listed, drawn by their names whatever their outcome; all figures are over all trials
