# The lab book's own words.

lab-book = lab book
lab-pages = Pages
lab-runs = Runs
lab-history = History
lab-all-runs = All runs
lab-further-runs = Further runs

lab-search = Search
lab-search-in = name, model, tag, note
lab-benchmark = Benchmark
lab-state = State
lab-find = Find
lab-any = all
lab-compare-ticked = Compare the ticked ones
lab-compare-run = compare { $run }

lab-run = run
lab-started = started
lab-benchmark-of = benchmark
lab-state-of = state
lab-right = result
lab-judged = judged
lab-failed = failed
lab-usd = USD
lab-latency = s a reply
lab-compare = compare
lab-runs-of = { $part ->
    [true] { $n } of { $all } runs
   *[false] { $n ->
        [one] 1 run
       *[other] { $n } runs
    }
}
lab-earlier-replies = { $n } of { $all } replies of an earlier run
lab-done-of = { $done } of { $all }
lab-left = { $rate ->
    [none] rate not known yet
   *[some] { $rate }, { $time } left
}
lab-status = { $state ->
    [correct] right
    [no_answer] no answer
    [ungraded] not judged
   *[other] { $state }
}

lab-headline = { $right ->
    [none] no trial is marked right or wrong
   *[some] { $right }{ $named ->
        [true] {""}
       *[false] {" "}right
    } of { $judged } judged
}; { $state }
lab-report-and-trials = Report and trials
lab-report-has = (sound, notation, charts)
lab-progress = progress
lab-progress-is = { $done } of { $all } trials, { $rate ->
    [none] rate not known yet
   *[some] { $rate }, { $time } left
}; { $errors } failed.
lab-spent = { $usd } USD spent.
lab-notes = Notes
lab-label = Label
lab-rename = Rename
lab-tag = Tag
lab-add-tag = Add tag
lab-remove-tag = remove tag { $tag }
lab-note = Note
lab-save-note = Save note
lab-strike = strike
lab-cost-and-latency = Cost and latency
lab-not-counted = not counted yet
lab-cost = { $usd ->
    [none] { $tokens ->
        [0] No tokens were counted
       *[other] Price not known; { $tokens } tokens
    }
   *[some] { $usd } USD; { $tokens } tokens
}; { $elapsed } s in sessions that ended.
lab-latencies = A reply takes { $median } s (median), nine in ten at most { $slow } s.
lab-what-failed = What failed
lab-times = times
lab-cause = cause
lab-group = group
lab-all = all
lab-replies = Replies
lab-search-replies = Search replies
lab-with-notes = With notes only
lab-trial = trial
lab-read-as = read as
lab-reply-of = reply
lab-tags = tags
lab-rows = { $all ->
    [0] none
   *[other] { $first }–{ $last } of { $all }
}
lab-earlier = previous
lab-later = next

lab-trial-is = { $trial }: { $state }
lab-in-the-report = in the report, with sound and notation
lab-read = read as { $letter } ({ $why }); right: { $right }
lab-question = Question
lab-question-of = question
lab-as-asked = As it was asked
lab-reply = Reply
lab-nothing = (nothing)

lab-compared = { NAMES($names) } compared
lab-side-by-side = Side by side in the report
lab-side-by-side-has = (every trial, differences marked)
lab-each = Each by itself
lab-every-group = Every group, with its test

lab-history-is = Runs of one protocol on the same items: a row for each day, week or month in which some were started, a mark for each model. Tick two to compare.
lab-over-time = { $name ->
    [accuracy] Right
   *[other] { $name }
}{ $unit ->
    [none] {""}
    [share] , %
   *[other] , { $unit }
}{ $low ->
    [true] {" "}(lower is better)
   *[false] {""}
}, over time, with 95 % intervals
lab-figure = { $name ->
    [accuracy] {""}
   *[other] { $name }:{" "}
}{ $value }{ $unit ->
    [none] {""}
   *[other] {" "}{ $unit }
}{ $ends ->
    [none] {""}
   *[other] {" "}({ $ends })
}
lab-change = { $who } went from { $first } to { $last } { $unit } since { $since }
lab-names-begin = All models’ names begin with { $start }
lab-canary-is = The model failed its canary: its answers may not depend on the audio or picture.
lab-earliest-first = { $n ->
    [one] 1 run
   *[other] { $n } runs, earliest first
}
lab-no-figures = no figures yet

lab-wrong = Something is wrong
lab-no-such-page = No such page
lab-damaged-address = the address is damaged
lab-comparing = Compare
lab-not-compared = they cannot be compared: { $why }
lab-several-benchmarks = they cannot be compared: they are runs of { AND($names) }; tick runs of one benchmark
lab-tick-two = tick two runs, or up to { $most }
lab-report = Report
lab-report-not-served = the report is not served to others from here: `zhiyin report RUN -o DIR` writes it as files, and `zhiyin view RUN --host ADDRESS` serves it without a token
