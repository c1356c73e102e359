boards-again = { $title } ({ $number })
fetched-figures = { $figures } published figures of { $sets } sets, up to { $date }: { $newer } new or changed. Reports use them from now on; they lie in { $place }, and deleting it brings back Zhiyin’s own
boards-aside = { $n ->
    [one] 1 published row stands
   *[other] { $n } published rows stand
} apart, on the page: { $why }
boards-aside-why = { $n } ({ $why })
boards-unsaid = it is not said how it was asked
boards-left = { $title }: { AND($who) } { $altered ->
    [true] { $n ->
        [one] was
       *[other] were
    } judged with altered sound, a part of it, or fewer distractors only, and so not ranked: `zhiyin show` has the figures
   *[false] { $n ->
        [one] has
       *[other] have
    } no judged trial, and so no row
}.
boards-not-ranked = Runs are not ranked: { $paths ->
    [true] their sequences chose the questions by the answers, so the runs were not all asked the same questions
   *[false] there is no paired test of { $figure }{ $tested ->
        [none] {""}
       *[some] ; `zhiyin compare --score { SHELL($tested) }` tests { $tested }
    }
}.
items-of = { $unit }{ $of ->
    [none] {""}
   *[some] {" "}of { $of }
}
boards-ranked-on = Runs are ranked on the { $n } { $n ->
    [one] item
   *[other] items
}{ $of ->
    [none] {""}
   *[some] {" "}of { $of }
} that all of them share; each figure covers all items of its run, so figures may be in another order than ranks.
boards-measured = not marked right or wrong: `zhiyin show` tells what was measured
boards-unread = left out, as it cannot be read: { $why }
boards-total = The total is the weighted mean of the parts, and runs are ranked by it, paired by song. A review has no right answer: it counts only by its grades.

cli-run-result = { cli-trials-of }{ cli-accuracy }

cli-same-option = the same option in { SHARE($share) } of { cli-trials-of } (95 % interval { EXACT($low) } to { SHARE($high) })
cli-kappa = Cohen's kappa of the letters { NUMBER($kappa, decimals: 2) }{ $low ->
    [none] {""}
   *[other] {" "}({ NUMBER($low, decimals: 2) } to { NUMBER($high, decimals: 2) })
}, n = { $n }
cli-same-words = the same words in { SHARE($share) } of { $n } ({ EXACT($low) } to { SHARE($high) })
cli-unread = neither reply holds an answer in { cli-trials-of }; they are left out
cli-left-out = { cli-trials-of } failed or were asked otherwise; they are left out


# A run held against an earlier one.
gate-title = { $end ->
    [closed] The gate is closed: { $closing } of { $of } failed{ $failed ->
        [0] {""}
       *[other] ; { $failed } not complete
    }{ $other ->
        [0] {""}
       *[other] ; { $other } cannot be compared
    }
    [other] No verdict: { $of ->
        [0] nothing was held
       *[other] { $other } of { $of } cannot be compared
    }{ $failed ->
        [0] {""}
       *[other] , { $failed } not complete
    }
    [failed] No verdict: { $failed } of { $of } not complete
   *[open] The gate is open: none of { $of } is shown to be worse than allowed
}{ $unheld ->
    [0] {""}
   *[other] { $of ->
        [0] {" "}({ $unheld } not held)
       *[other] {" "}({ $of } held, { $unheld } not held)
    }
}
gate-no-verdict = Nothing was compared{ $why ->
    [none] {""}
   *[other] : { $why }
}
gate-asked = asked
gate-verdict = verdict
gate-old = before{ $share ->
    [true] , %
   *[false] {""}
}
gate-new = now{ $share ->
    [true] , %
   *[false] {""}
}
gate-difference = difference
gate-interval = interval
gate-two = only { $folder } is given: give two, the earlier run or suite first
gate-points = --fail-if-worse { $points }: points are meant, which are hundredths: write { $meant } for a share of { $points }, and 0 for none
gate-level = level
gate-items = items
gate-state = { $state ->
    [worse] worse
    [missing] questions missing
    [unheld] not held
    [failed] not complete
    [other] cannot be compared
    [better] better
    [open] not shown
    [alike] the same replies
   *[kept] { $gated ->
        [true] kept
       *[false] not shown
    }
}
gate-note = { $of ->
    [run] Difference: now minus before{ $share ->
        [true] , in points
       *[false] , of a measure of which lower is better before minus now
    }, paired by item; below 0 is worse. Interval
    [skill] Interval of skills
   *[group] Interval of groups
}: { $level } %, cluster-robust{ $n ->
    [one] .
   *[other] ; so wide that all { $n } hold together with { $together } %.
}
gate-changes = Of { $of }, { $worse } got worse and { $better } better{ $rest ->
    [0] {""}
   *[other] ; a change of { $rest } is not shown
}{ $undone ->
    [0] {""}
   *[other] ; { $undone } { $undone ->
        [one] lacks
       *[other] lack
    } questions or answers, or cannot be compared
}{ $unheld ->
    [0] {""}
   *[other] ; { $unheld } not held
}
gate-see = where: `zhiyin report { SHELL($old) } { SHELL($new) } -o diff.html`
gate-takes = { $name }: { $fall ->
    [none] none on so few items
   *[other] { APART($fall, $unit) }
}
gate-means = Worse: the whole interval lies { $allowed ->
    [none] below 0
   *[other] more than { APART($allowed, $unit) } below 0
}.{ $each ->
    [none] {""}
   *[some] {" "}Not shown: neither that, nor the contrary; the true falls that would be shown with 80 % power: { CLAUSES($each) }.
}
gate-lines = Lines are the intervals of the table; hollow: not shown; dashed: { $points ->
    [none] no difference
   *[other] { APART($points, "share") } worse, which is allowed
}.
gate-nights = before: { $first }; now: { NAMES($later) }
nights-night = night
gate-of = { $name }: { $why }
gate-gone = { $failed ->
    [waits] not asked yet; the earlier run has { $n } { $n ->
        [one] trial
       *[other] trials
    }
    [true] asked, and no answer came
   *[false] there is an earlier run with { $n } { $n ->
        [one] trial
       *[other] trials
    }, and none in this suite
}{ $why ->
    [none] {""}
   *[other] : { $why }
}
gate-failed = not complete: { $what ->
    [none] trials have no verdict
   *[other] { $what }
}{ $cause ->
    [none] {""}
   *[other] {" "}({ $cause })
}. Any figures are of what both answered{ $spent ->
    [true] {""}
   *[false] ; the same command asks for the rest
}
gate-missing = { $n } of { $of } trials with a verdict in the earlier run were not asked now; the figures are of the others. If that is meant, make the baseline with the same settings (such as --sample)
gate-other = cannot be compared: { AND($settings) }: make the baseline anew{ $reading ->
    [true] {" "}or rescore one of them (`zhiyin rescore`)
   *[false] {""}
}
gate-other-error = cannot be compared: { $why }
gate-setting = { $name } was { $old }, and is { $new } now
gate-otherwise = asked otherwise: { AND($settings) }
gate-same = nothing was asked anew: the replies are those of the earlier run, kept and given again, and tell nothing of the model as it is now
gate-alike = the replies are the same, word for word
gate-earlier = { $n } of { $of } trials were asked in this session{ $day ->
    [none] {""}
   *[other] ; the { $n ->
        [0] replies
       *[other] others
    } are of { $day }
}{ $stale ->
    [true] , and tell nothing of the model as it is now: choose another --out
   *[false] {""}
}
gate-worse = worse by { APART($points, $unit) }, and shown to be worse by more than { APART($allowed, $unit) }
gate-worse-too = worse by { APART($points, $unit) } on what both answered, and shown to be worse by more than { APART($allowed, $unit) }; { $why }
gate-kept = shown not to be worse by more than { APART($allowed, $unit) }
gate-open = not shown to be worse by more than { APART($allowed, $unit) }, and not shown to be no worse: up to { APART($low, $unit) } worse fits these items; { $detectable ->
    [none] no fall on so few items would be shown
   *[other] a true fall of { APART($detectable, $unit) } would be shown
} with 80 % power
gate-few = of { $n } { $n ->
    [one] item, or recording,
   *[other] items, or recordings,
} not even a fall of all would be shown ({ $least } would do)
gate-few-right = not even the loss of all that was right before would be shown to be worse than allowed: it takes more items
gate-guessing = not shown to be above guessing before: little but a loss of readable answers can close the gate
gate-beside = { $why }; { AND($told) }
gate-unread = { $n } of { $of } replies hold no readable answer (before: { $before } of { $were })
gate-cached = { $n } of { $of } replies are from the cache, so that the model was not asked for them
base-refused = { $baseline } is no sound baseline: the gate would hold less than it says, and so it holds nothing: { CLAUSES($each) }
base-absent = --baseline { $baseline }: no such folder: make it with `zhiyin suite { SHELL($suite) } --out { SHELL($baseline) }`
base-none = the baseline has no such run: make the baseline anew with it, or leave this run or model out of the file
base-gone = { $why ->
    [none] its answers in the baseline are gone, or never came
   *[other] the baseline left it out ({ $why })
}: give the baseline's own command again, or leave this run out of the file
base-unfinished = it is not complete in the baseline ({ $what }): give the baseline's own command again, with more budget where that was spent
base-no-sums = { $sums } is gone, by which it is seen that nothing was changed
base-damaged = damaged ({ $why }): copy it anew from where it is whole; if that is nowhere, make the baseline anew

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
   *[some] { $rate }, { TIME($time) } left
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
   *[some] { $rate }, { TIME($time) } left
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
lab-change = { $who } went from { $first } to { $last } { $unit } since { $since }{ $low ->
    [none] {""}
   *[some] , and lay between { $low } and { $high } in the meantime
}
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

board-leaderboard = Leaderboard
board-about = A table for each benchmark. Ranks are among runs that were asked alike: the same items, with the same examples and settings, answers read by the same rule. What a run was set to otherwise than by default stands beside its name. Intervals are 95 %. Choose a column’s name to sort by it.
board-runs = { $title ->
    [none] {""}
   *[some] { $title }{": "}
}{ $ranked ->
    [one] 1 finished run on { $items } { items-of }
   *[other] { $ranked } finished runs{ $ways ->
        [one] { $own ->
            [false] , ranked
           *[true] {""}
        } on the { $items } { items-of } that { $who ->
            [both] all models, and at least one person of each group, answered
            [people] at least one person of each group answered
           *[models] every model answered
        }{ $own ->
            [false] , each figure over all items of its run
           *[true] {""}
        }
       *[other] , asked in { $ways } ways and ranked within each
    }
}
board-ranks-are = Rank: from one more than the models that are significantly better, to the number of models less those that are significantly worse (paired tests, Holm, 0.05; of more than 20 runs the best alone is tested, against each other one). Models with the same ranks are tied. Baselines, the listener beside models, people, published rows and a model alone have no rank.
board-unranked = { $title ->
    [none] Not ranked
   *[some] { $title }: not ranked
}
board-figures = { $all ->
    [true] All figures
   *[false] The other figures
}
board-model = model
board-rank = rank
board-named = { $name } ({ $kind ->
    [model] published
    [human] people, published
    [people] people
    [baseline] baseline
    [constant] one answer
   *[chance] chance
})
board-heading = { $name }{ head-unit }
board-answered = answered, %
board-unit = { $unit }{ $of ->
    [none] {""}
   *[some] , { $of }
}
board-an-item = { $unit } an item
board-report = report
board-trials = trials
board-frontier = A cost in bold: no other model that was asked alike is as good for less, or better for the same.
board-set-apart = Published, shown separately: { $why }
board-protocol = Protocol
board-setting = setting
board-value = value
board-differs = differs ({ CLAUSES($values) })
board-setting-of = { $run }: { $value ->
    [none] unset
   *[some] { $value }
}
board-published = Published: { $source }.
board-by = By { $figure }: { EACH($claims) }
board-best = { $who } on { AND($titles) }
board-top = { $best ->
    [0] {""}
   *[other] Better than every other model: { CLAUSES($best) }.{" "}
}{ $level ->
    [none] {""}
   *[some] On { AND($level) } no model is better than every other.{" "}
}{ $varied ->
    [none] {""}
   *[some] On { AND($varied) } it depends on the settings whether a model is.{" "}
}{ $few ->
    [none] {""}
   *[some] On { AND($few) } no two models can be compared.
}
board-way = { $settings ->
    [0] default
   *[other] { NAMES($settings) }
}
board-ways = { $every ->
    [true] In each setting
   *[false] In { $n } settings
} ({ CLAUSES($ways) }): { $claim }
board-against = { AND($who) } { $n ->
    [one] is
   *[other] are
} { $how ->
    [worse] worse than
    [same] not shown to be better than
   *[better] better than
} the { $of ->
    [one] baseline
   *[other] baselines
} { AND($baselines) }.
board-claim = { $alone ->
    [true] { AND($who) } is better than { $behind ->
        [one] { $other }
       *[other] each of the { $behind } other models
    }
   *[false] { $behind ->
        [0] { $n ->
            [2] The difference between { AND($who) } is not significant
           *[other] No two of { AND($who) } differ significantly
        }
       *[other] Nobody is shown to be better than { AND($who) }; { $behind ->
            [one] { $other } is
           *[other] each of the { $behind } other models is
        } shown to be worse than another
    }
}.

of-a-run = { $text }

suite-told = { $name ->
    [first-look] Some ten questions of each skill that a model can be asked.
    [music-core] Knowledge, theory, reading, hearing, reasoning and writing, each benchmark in its own way.
    [omni-music] The sets by which omni models report music, beside the figures that they publish.
   *[other] { $name }
}
suite-finding = { $condition ->
    [none] {""}
   *[some] With { $condition },{" "}
}{ $side ->
    [best] { $who } is { $what ->
        [skills] best at
       *[benchmarks] better than every other model on
    }
    [level] { $condition ->
        [none] No
       *[some] no
    } model is shown to be { $what ->
        [skills] best at
       *[benchmarks] better than every other on
    }
    [better] { $who } is better than guessing on
    [worse] { $who } (look at how its replies were read) is worse than guessing on
    [few] Not tested, with fewer than { $few } items:
   *[open] { $who } is not shown to be better than guessing on
} { $side ->
    [open] { OR($names) }
   *[other] { AND($names) }
}.
suite-every = { $n ->
    [2] { $denied ->
        [true] either of the two
       *[false] both
    }
   *[other] { $denied ->
        [true] any of the { WORD($n) }
       *[false] all { WORD($n) }
    }
} { $what }
suite-guessing-tests = Against guessing: two-sided tests{ $n ->
    [1] {""}
   *[other] , with Holm’s correction over { $n } benchmarks
}, 5 %.
suite-deaf = { $mark }: failed its canary: nothing shows that the model hears, or sees.
suite-run-title = { $benchmark }, { $who }
suite-lacks = { $run } ({ $planned ->
    [none] no trials asked
   *[some] { $answered } of { $planned } trials
})
suite-unfinished = Not finished: { CLAUSES($each) }{ $more ->
    [0] {""}
   *[other] ; and { $more } more
}. Figures are of what has been answered{ $again ->
    [mended] ; once the cause is mended, the same command goes on from here
    [budget] ; the same command with a larger --budget goes on from here
   *[same] ; the same command goes on from here
}.
suite-too-few = too few items to say (fewer than { $few })
suite-link = { $name }
suite-which-model = Which model for which skill{ $condition ->
    [none] {""}
   *[some] , { $condition }
}
suite-skill = skill
suite-items = items
suite-right-best-first = right, %, best first
suite-significant = significant?
suite-tests = On the items that every model was asked; paired tests (signs of whole clusters flipped, Holm over { $n } tests, 5 %). Bold: significantly better than every other.
suite-letters = No significant difference was found between models that share a letter.
suite-about = { $items ->
    [none] {""}
   *[some] { $items }.{" "}
}{ EACH($each) }
suite-verdict = { $condition ->
    [none] { SENTENCE($text) }
   *[some] { $condition }: { SENTENCE($text) }
}
suite-as-table = As a table, for a paper
suite-card = Report card: { $model }{ $condition ->
    [none] {""}
   *[some] , { $condition }
}
suite-skill-and-parts = skill, and its parts
suite-right = right, %
suite-interval = 95 %
suite-floor = floor
suite-people = people
suite-missing = missing
suite-part = { $name }{ $scored ->
    [none] {""}
   *[some] : { $scored }
}{ $by_degrees ->
    [true] {" "}(graded, not right or wrong)
   *[false] {""}
}
suite-people-are = { NAMES($people) }
suite-person = { $who }: { SHARE($share) }{ $precision ->
    [true] {" "}(precision)
   *[false] {""}
}{ $same ->
    [true] {""}
   *[false] *
}
suite-scored = { $name }, judged by { $by }
suite-whole = *: means of the published figures of the groups, weighted by the items here; people answered { $asked ->
    [0] the whole of the data
   *[other] { OR($asked) } questions
}
suite-answers = { $items } ({ $answers } answers)
suite-unasked = No questions were asked about { NAMES($skills) }.
suite-lacking = missing: { $benchmark }: { $what }
suite-in-no-card = In no report card, as they name no skill or were asked in an altered way alone: { NAMES($names) }.
suite-runs = Runs
suite-run = run
suite-state-of = state
suite-state = { $state ->
    [planned] not started
    [going] under way
    [quiet] quiet
    [done] done
    [failed] failed
    [stopped] stopped
    [missing] left out
    [unfit] does not apply
   *[other] { $state }
}
suite-why = why
suite-command = as a command
suite-method = Method: the suite’s file, SHA-256 { $hash }…
suite-file = the file
suite-since = , since { $at }
suite-other-files = Started with other files or flags:
suite-ranked = { CLAUSES($models) }
suite-model = { $name } { $few ->
    [true] ({ EXACT($value) })
   *[false] { EXACT($value) }
} { $letters }
suite-copy-as = This table as { $name }
suite-table-files = As files:
suite-by = { $what ->
    [skills] Right by skill
   *[other] By benchmark
}{ head-unit }
suite-head = { $what ->
    [skills] Skill
   *[other] Benchmark
}
suite-thin = { $whole ->
    [true] { $n ->
        [one] 1 item
       *[other] { $n } items
    }
   *[false] not whole
}
suite-ahead = Bold: the best model of a benchmark and all that do not differ from it significantly, where another does.
suite-few = A figure alone in brackets: fewer than { $few ->
    [one] 1 item
   *[other] { $few } items
}, or a run that is not whole.
suite-left-out = Not asked: { NAMES($names) }.
suite-unfit = Does not apply to these models, which take no sound, no pictures or no free questions: { NAMES($names) }.
suite-under = { $name }, { $condition }
suite-not-marked = measured
suite-totals = Of { NAMES($names) }: the total of what judges gave.

verdicts-elsewhere = made of files that went out: verdicts are as they were; the places of sounds and pictures are not known
import-read = { $file }: { $format }; replies under { $field }; joined to the questions by { $by ->
    [id] their ids
   *[words] their words, options and recordings
}
import-compared = held against the questions: options of { $options }, keys of { $keys }, recordings of { $clips } of { $of } { $of ->
    [one] row
   *[other] rows
}
import-left-out = { $n } { $n ->
    [one] row was
   *[other] rows were
} left out; the first: { $first }
import-same = { $n } { $n ->
    [one] row repeats
   *[other] rows repeat
} a reply word for word, and { $n ->
    [one] counts
   *[other] count
} once
import-absent = { $n } of { $of } questions are not in the file

not-judged-by = not judged by { $judge }
readers-pair = { $first } and { $second } read { $n } { $n ->
    [one] reply
   *[other] replies
} differently; right by { $first } alone: { NUMBER($first_gains, decimals: 1) }, by { $second } alone: { NUMBER($second_gains, decimals: 1) }

# The doctor: a model before a run.
doctor-plan = asks up to { $calls } short questions{ $trials ->
    [0] {""}
   *[other] , then up to { $trials } about music (what it cannot hear or see is not asked)
}{ $spends ->
    [true] { $usd ->
        [none] ; no price of the model is known
       *[some] ; up to about { MONEY($usd) }
    }
   *[false] ; it costs nothing
}{ $limit ->
    [none] {""}
   *[some] ; replies end after { $limit } tokens (--max-tokens)
}
doctor-about = { $about ->
    [words] words
    [format] answer format
    [system] system message
    [sound] sound
    [image] pictures
    [clips] two clips
    [turns] clips in worked examples
    [end] { NAMES($each) } s of sound
    [ends] long sound
    [whole] long reply
    [settings] settings
   *[other] { $about }
}
doctor-state = { $state ->
    [yes] yes
    [no] no
   *[unknown] not known
}
doctor-said = it said “{ $text }”{ $seconds ->
    [none] {""}
   *[some] {" "}in { NUMBER($seconds, decimals: 2) } s
}
doctor-format = { $read ->
    [0] none of { $of } replies holds one of the options: “{ $text }”
   *[other] { $read } of { $of } replies hold one of the options, { $alone } the letter alone
}
doctor-system = { $followed ->
    [true] it is followed
   *[false] it is taken, and was not followed
}
doctor-declared = by the model's declaration{ $most ->
    [none] {""}
   *[some] , which is { $most } s
}
doctor-unasked = not asked: such a model answers by rules of its own
doctor-canary = { $why ->
    [none] { $right } of { $of } right
   *[some] { $why }
}{ $silent ->
    [none] {""}
   *[some] ; with silence in its place { $silent } of { $of }
}{ $same ->
    [true] , all replies the same: the sound makes no difference
   *[false] {""}
}
doctor-right = { $right } of { $of } right, { $needed } needed (guessing: { POINTS($odds) } %)
doctor-cut = { $told }; { $cut }
doctor-heard = it heard { $seconds } s
doctor-no-more = it makes no more tokens than { $seconds } s
doctor-each = { NAMES($each) }{ $what ->
    [end] {" "}s: the end was heard
    [setting] : each changes replies as it should
   *[other] : { $told }
}
doctor-setting = { $how ->
    [declared] cannot be set, by the model's declaration
    [failed] the call failed: { $why }
    [refused] refused by name, and left out
    [heat] { $n } replies at temperature 0 are { $alike ->
        [true] alike
       *[false] not all alike
    }, { $n } at 1 { $varies ->
        [true] all differ
       *[false] do not all differ
    }
    [wide] { $n } replies with { $value } at temperature 1 are not all alike
    [narrow] { $n } replies with { $value } at temperature 1 are alike, without it none are
    [constant] replies do not vary without it either
    [unseeded] the same seed at temperature 1 gives other replies
    [seeded] at temperature 1 the same seed gives the same reply, twice
    [beyond] { $n } were allowed, and { $numbers } numbers came
    [unsaid] the reply ended by itself, or was cut without notice
    [cut] a reply that it cuts is said to be cut
   *[whole] { $end ->
        [cut] cut after { $count } of 300 numbers: give --max-tokens a value
        [whole] { $count } of 300 numbers came without --max-tokens
       *[itself] it ended by itself after { $count } of 300 numbers
    }
}
doctor-stopped = the rest was not asked: { $why }
doctor-minute = a minute of sound makes { WHOLE($tokens) } tokens
doctor-thousand = a thousand questions of 150 tokens{ $sound ->
    [true] , each with 30 s of sound
   *[false] {""}
}: { MONEY($usd) }
doctor-used = this took { cost-calls }{ $tokens ->
    [none] {""}
   *[some] , { WHOLE($tokens) } tokens
}{ $sound ->
    [none] {""}
   *[some] , { WHOLE($sound) } s of sound
}{ $seconds ->
    [none] {""}
   *[some] ; a call took { NUMBER($seconds, decimals: 2) } s
}{ $rate ->
    [none] {""}
   *[some] , { WHOLE($rate) } tokens a second
}
doctor-over = over { CLAUSES($each) }
doctor-asked = { $n ->
    [one] one question
   *[other] { $n } questions
} of { $of } ({ $skill })
doctor-not-asked = not asked: { NAMES($skills) }, whose data are others' (--data, docs/doctor.md)
doctor-why = { $failing ->
    [true] status 1: it takes what it does not use, or its replies hold no answer
   *[false] warning: taken without a sign of being used, as a text model or a server that drops it does
}: { NAMES($each) }
doctor-failed = failed
doctor-page = every question{ $deaf ->
    [true] {""}
   *[false] {" "}with its sound
}: { $page }
doctor-suite = it does not hear; a suite without sound
# Suites and data: errors.
suite-no-model = { $path }: it names no model: add [[models]], or give them with -m
suite-none = no suite is named: `zhiyin suite FILE.toml`, or one of Zhiyin ({ NAMES($known) }) with -m MODEL
suite-damaged = { $path }: no suite’s state, or damaged ({ $why }): copy it anew from where it is whole
suite-no-file = { $path }: { $why }: give a TOML file, or a suite of Zhiyin ({ NAMES($known) })
suite-not-utf8 = { $path }: not UTF-8: save it as UTF-8
suite-no-toml = { $path }:{ $line }: no TOML: { $why }
data-none = { $name } names no published data that could be fetched
data-no-source = { $name } has no source { $source }: { $hint }
suite-at = { $where }: { $key ->
    [none] {""}
   *[other] { $key }:{" "}
}{ $why }
suite-called = suite { $name }: { $at }
plan-head = { $head }
plan-fall = { $fall ->
    [none] none
   *[other] { APART($fall, $unit) }
}
plan-gate = fall: the smallest true fall that would close the gate with 80 % power ({ APART($points, $unit) } allowed; two answers to an item correlate by 0.5)
plan-fewer = { $name }: the gate will close, for questions missing: trials planned: { $n }; with a verdict in the baseline: { $of }
plan-held = { $state ->
    [unheld] { $name }: not held: { $why }
    [stale] { $name }: not held: its replies are older than a day, and nothing is left to ask: choose another --out
    [alone] { $name } of the baseline: the gate will close, for this suite has no such run
   *[other] { $name }: no verdict: { $why }
}
suite-is-done = done
plan-state = { $state ->
    [unfit] does not apply
    [missing] left out
    [cannot] cannot begin
   *[other] { $state }
}: { FEW($names) }: { $why }
suite-total = { $runs } { $runs ->
    [one] run
   *[other] runs
}{ $done ->
    [0] {""}
   *[other] , { $done } done already
}; { $asked } { $asked ->
    [one] trial
   *[other] trials
} to ask in { $calls } { $calls ->
    [one] call
   *[other] calls
}, { $clips } { $clips ->
    [one] clip
   *[other] clips
}
suite-cost = cost: { $usd ->
    [none] not known, as a model has no price here
   *[other] { $usd }{ $most ->
        [none] {""}
       *[other] , at most { $most }
    } usd
}
suite-judges = what judges ask is not in this estimate
suite-budget = budget: { $spent } spent{ $beyond ->
    [true] : too little for all by this estimate
   *[false] {""}
}
suite-time = time: { $time ->
    [none] not known before each model has answered something
   *[other] { TIME($time) }, as fast as before
}
suite-ended = suite { $name }: { $done } of { $of } runs done{ $unfit ->
    [0] {""}
   *[other] , { $unfit } do not apply
}{ $missing ->
    [0] {""}
   *[other] , { $missing } left out
}, in { $at }
suite-spent = spent: { $spent }
suite-paid = all runs: { $calls } answered { $calls ->
    [one] call
   *[other] calls
}, { WHOLE($tokens) } tokens{ $usd ->
    [none] ; the price of a model is not known
   *[some] , { MONEY($usd) }
}
suite-paid-each = { $calls } { $calls ->
    [one] call
   *[other] calls
}, { WHOLE($tokens) } tokens{ $usd ->
    [none] {""}
   *[some] , { MONEY($usd) }
}
suite-paid-for = cost
suite-open = open { $page }
suite-paper = for a paper: { $path }
suite-already = { $n } { $n ->
    [one] run is
   *[other] runs are
} done already

# zhiyin data
data-lie = fetched data lie in { $folder }
data-by-hand = { $name }, by hand: { $line }
data-head = { $head }
data-state = { $state }
data-files = { $n }{ $of ->
    [0] {""}
   *[other] {" "}of { $of }
}, { $size }

# zhiyin verify
verify-state = { $folder } { $state ->
    [faults] does not verify
    [covered] is what was written
   *[open] holds nothing wrong; not all of it is covered
}: { $n } { $n ->
    [one] record
   *[other] records
}
verify-wrong = wrong
verify-again = scored again: { $alike } of { $of } as written
suite-unknown = unknown: { $hint }
suite-key-missing = { $name } is missing
suite-none-of = { $name } is none of this file: { $hint ->
    [none] the file has none
   *[other] { $hint }
}

# zhiyin data fetch
data-what = { $source ->
   *[other] { $what }
}
fetch-fact = { $key ->
    [from] {"  from      "}{ $value }
    [revision] {"  revision  "}{ $value }
    [size] {"  size      "}{ $value }
    [licence] {"  licence   "}{ $value }
   *[to] {"  to        "}{ $value }
}
fetch-size = { $n ->
    [0] an archive
    [one] 1 file
   *[other] { $n } files
}{ $size ->
    [local] {""}
    [none] , size not known before it comes
   *[some] , { $size }
}
fetch-now = {"  fetching "}{ $file }
fetch-done = { $state ->
    [came] { fetch-files } came
    [kept] { fetch-files } here before, unchanged
    [trusted] of these { $n } had contents that no one stated before: they are trusted as they came, and later fetches are checked against them
   *[missing] not in the mirror: { fetch-files } ({ NAMES($files) }); this is a part
}
fetch-files = { $n ->
    [one] 1 file
   *[other] { $n } files
}
fetch-by-hand = to get by hand: { $line }
fetch-found = `zhiyin run { SHELL($name) } -m MODEL` finds what is there without --data
fetch-hub = { $what }: not from the hub ({ $why }); what has come is kept: try again, or name a folder or address that has it with --from; `zhiyin run` takes a folder with --data
fetch-reach = { $url }: cannot be reached ({ $why }); try again later, or name a folder or address that has it with --from; `zhiyin run` takes a folder with --data
fetch-broke = { $url }: broke off after { $n }{ $of ->
    [none] {""}
   *[some] {" "}of { $of }
} bytes; the same command goes on from there
fetch-status = { $url }: the server says { $why }; it may have moved: name a folder or address that has it with --from; `zhiyin run` takes a folder with --data
fetch-changed = { $where }: another file than it was (SHA-256 { $actual }, not { $expected }); it was not kept: see what changed at the source, or take an unchanged copy with --from
fetch-commit = { $repo }: the hub has no commit { $commit } of it; take a copy with --from
fetch-only-by-hand = { $name } cannot be fetched: { CLAUSES($lines) }
fetch-table = data fetch published: give --from FILE.csv, or its address: the columns are { NAMES($columns) }
fetch-from = --from { $mirror }: no such folder, and no http address; correct it
fetch-link = --link is for --from with a folder; leave it out
fetch-offline = { $name }: { $n ->
    [one] 1 file is
   *[other] { $n } files are
} not in { $folder } ({ NAMES($files) }); fetch them without --offline
fetch-nothing = { $mirror }: holds nothing of { $name }, such as { $example }; correct --from
fetch-other = { $path }: not the file that was published or fetched (SHA-256 { $actual }, not { $expected }); move it away, and fetch again
data-step = { $step ->
   *[other] { $line }
}

# zhiyin status, and a suite on its way
status-state = { $state ->
    [missing] left out
    [unfit] does not apply
   *[other] { $state }
}
status-waiting = not begun: { NAMES($names) }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
}
status-left = { status-state }: { $name }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
}: { $why }
status-summary = { $done } of { $of } runs done, { $planned ->
    [0] no trial asked yet
   *[other] { $answered } of { $planned } trials
}{ $failed ->
    [0] {""}
   *[other] , { $failed } failed
}{ $usd ->
    [none] {""}
   *[some] , { $usd } usd
}
status-longest = the longest to go: { $name }, { TIME($left) }
status-slow = { $many ->
    [true] the slowest model
   *[false] a reply of
} { $model }: { $middle } s in the middle, { $most } s for the slowest 5 %
status-server = the slowest server { $name }: { $wait } s in the middle, { $n } { $n ->
    [one] reply
   *[other] replies
}
suite-on-page = see the page
suite-course = { $done } of { $of } runs, { $asked } of { $wanted } trials, { $rate }/s{ $left ->
    [none] {""}
   *[some] , { TIME($left) } left
}{ $slowest ->
    [none] {""}
   *[some] {" "}(slowest: { $slowest })
}{ $spent ->
    [none] {""}
   *[some] , { $spent } spent
}{ $errors ->
    [0] {""}
    [one] , 1 error
   *[other] , { $errors } errors
}

# zhiyin import
import-no-file = no file of replies: `zhiyin import { SHELL($benchmark) } FILE --from auto`
import-whose = { $file }: whose questions it answers is not known ({ $fit ->
    [0] { $here ->
        [0] no questions are in { $data ->
            [none] the fetched data
           *[some] { $data }
        }
       *[other] answers none of { NAMES($here) }
    }
   *[other] could answer { OR($fit) }
}): { $again }
import-is-data = { $file } is the data: leave --data out
import-needs = { $name }: its questions are needed: --data FOLDER, or `zhiyin data fetch { SHELL($name) }`
import-partial = { $fault }; --partial leaves such rows out
import-no-row = no row can be used: { $fault }
import-no-id = { $at }: { $id } is the id of no question
import-neither = { $at }: has neither an id of these questions nor the question
import-asks-none = { $at }: asks none of these questions: { $question }
import-alike = { $at }: { $n ->
    [one] 1 question is
   *[other] { $n } questions are
} worded like this ({ NAMES($names) }): give each row its id
wrote-size = wrote { $path } ({ $size })
status-none = { $folder }: no run and no suite in it: give the folder that holds one
import-no-single = { $name }: has no single questions that replies could be joined to
suite-merged = merged { $n ->
    [one] 1 run
   *[other] { $n } runs
}, { $trials ->
    [one] 1 trial
   *[other] { $trials } trials
}, in { $out }
suite-merged-report = `zhiyin suite FILE.toml --out { SHELL($out) }` writes their report

readers-two = --between takes two rules, as --between string-match,robust
readers-files = --field and --questions are for files; a run has both
readers-none = { $replies }: no reply here that more than one rule reads: rules are known for questions with options, lists of notes and labels of a closed set
readers-no-rule = --between: no rule { $name } here: { $hint }
readers-same = --between { $wanted }: give two different rules
readers-embed = --embed { $spec }: write python:FILE.py:FUNCTION
readers-embed-function = --embed { $spec }: no function; give one from a list of texts to vectors
readers-embed-failed = --embed { $spec }: it failed: { $error }; correct it
readers-embed-vectors = --embed { $spec }: give one vector of finite numbers for each text
parity-models = two models are compared: write `zhiyin parity SPEC SPEC --n 50`
parity-on = --on names no benchmark: write --on BENCHMARK; see `zhiyin list`
parity-n = { $written }: write how many items are asked, such as --n 50
parity-more = { $more } more: --json has them
parity-compare = `zhiyin compare { SHELL($one) } { SHELL($other) }` says who is better at what

parity-none = { $one } and { $two }: no trial was answered by both; `zhiyin show { SHELL($oneb) }` says why

reports-out = --reports stand beside the page: add --out DIR
import-eee = --from eee takes no --field, --questions or --data: all is in the files
import-questions = --questions is for published files: with --from name the data, --data
import-which-file = no file of answers: `zhiyin import { SHELL($benchmark) } FILE`
import-data = --data and --partial are for files of other programs: --from auto
import-flag = { $benchmark } takes no --{ $given }: its files are as published; --from auto reads those of other programs

doctor-seconds = --seconds { $value }: write lengths of 6 to 3600 s, with commas between

export-one = --to { $kind } takes one run, not { $runs }: export them one by one
export-partial = --partial is for --to hf; --to { $kind } takes any run: leave it out
export-there = { $path } is there already: remove it, or choose another place with -o
export-condition = { $run }: { $part }; the hub shows figures for the true sound and all distractors: run these
export-unjudged = { $run }: no trial has been judged yet; finish the run first
export-part = { $run }: { $part }; readers of the hub would take it for the whole: finish or repeat the run, or say --partial, and the files tell it

export-eee-there = { $path } is there already: remove it, or choose another place with -o
export-no-key = { $run }: its trials have no right answers, and nobody has judged them: the schema has no place for other results; take --to parquet
export-unscored = { $run }: no trial has been scored yet; finish the run

import-moved = { $path }: its ids are those of questions that `zhiyin trials` wrote, with other settings or data: move the file into the folder that it wrote
import-second = { $where }: a second reply to { $item }, which differs from that of { $whereb }: keep one of them, or name the field of the reply by --field
import-none = { $path }: no reply that can be used
import-repeats = rows of several repeats in several files: give one file
import-other = { $where }: asks another question than the one written at its place in { $folder }: { $asked }; give the file that came of that folder

# Trials that are written out, exports, verified runs, two engines.
trials-wrote = wrote { $n ->
    [one] { $n } question
   *[other] { $n } questions
}{ $media ->
    [0] {""}
   *[other] { " " }and { $media } files of sound or pictures
} to { $folder }
trials-key = warning: these files hold the right answers: no model may see them
trials-in = in { $folder }:
trials-becomes = what it writes, left in that folder, becomes a run:
trials-answers = answers come back as JSON lines of id and text, in { $file }, then:
verify-later = written after the run, and not in { $sums }: { NAMES($files) }
verify-no-sum = line { $line } names no file of the folder with its SHA-256
verify-gone = it was summed, and is gone
verify-changed = it is not what it was { $at ->
    [SHA256SUMS] when SHA256SUMS was written
   *[other] when it was summed ({ $at })
}
verify-torn = line { $line } was changed, or torn by a power cut
verify-no-records = records.jsonl: more lines are no records: { $n }
verify-other-medium = { $path }: not the sound or picture that was sent (SHA-256)
verify-other-media = more sounds or pictures are others: { $n }
verify-unchecked = not checked by a sum: { NAMES($files) }
eee-unknown = source_organization_name says 'unknown' and evaluator_relationship 'other': fill in who you are before it is published
eee-no-samples = no trial has a right answer of its own: figures without samples
eee-part = part of the benchmark ({ $part }): every result says so
eee-private = the samples hold the questions of a private seed: publish them after it is shown
eee-unscored = trials that failed or have no right answer: { $n }: the schema demands a score, so they lie in { $folder }/, and `zhiyin import --from eee` reads them
hub-part = part of the benchmark ({ $part }): both files say so
hub-merge = merge the front matter of README.md into the model's own card
hub-none = { $benchmark } is no data set on the hub: put its id in both files
hub-registered = the hub shows { $file } only if { $dataset } is registered as a benchmark with these task ids
parity-title = { AND($specs) }
parity-unanswered = no answer
parity-example = { $id }: { AND($letters) }: { $asked }

export-unknown = unknown format { $kind }: { $hint }
eee-bring = ; { $name } names it: bring it along
eee-no-sample = no sample ({ $why })
lab-from = { $place }: { $n }: mend the table and fetch it again
fetch-unencrypted = { $url }: leads to { $leads }, which is not encrypted; refused
fetch-leaves = { $path }: its member { $name } leaves the folder; refused
fetch-much = { $path }: unpacks to too much; refused
fetch-broken = { $path }: its member { $name } is broken; fetch it again
eee-version = { $path }: schema_version { $given }: { $schema } is read; convert it first
eee-none = { $path }: names no samples: figures alone make no run
eee-place = { $path }: lies in no data/COLLECTION/DEVELOPER/MODEL/: put it there
eee-other = { $samples }: its { $hash } is { $found }..., and { $path } says { $checksum }...: it is not the file that was written with it
eee-not-whole = { $samples }: { $rows } samples, and { $path } says { $total }: it is not whole
eee-twice = { $samples }, line { $number }: sample { $record } stands there twice: keep one
fetch-unread = { $folder }: cannot be read ({ $why }); remove it, and fetch again
fetch-none-of = { $at }: the archive holds none of { $kinds }
gate-summary = --summary goes with --fail-if-worse: it says what that found
gate-summary-ends = --summary { $file }: end it in .xml (JUnit) or .md (Markdown)
gate-summary-folder = --summary { $file }: { $why ->
    [folder] that is a folder
    [closed] nothing can be written there
   *[none] there is no folder { $folder }
}: name a file in a folder that is there and can be written
import-no-rows = { $path }: holds no rows; get the file again
import-field = { $path }: no row has --field { $field }: { $hint }
import-no-words = { $path }: holds no reply in words ({ $why }): name its field by --field
import-object = { $where }: not a JSON object; get the file again
import-no-list = { $path }: a JSON file without a list of rows (looked under { NAMES($inside) })
import-inspect = { $path }: cannot be read as a log of Inspect ({ $why })
import-no-reply = { $path }: no reply under { $names }: name its field by --field
import-which = { $path }: holds replies under { $held }, which differ ({ $where }): say which is the reply: { $lines }
import-order = { $where }: does not say in which order the options were shown, and the data list the right one first
inspect-sequences = { $name } asks { $sequences ->
    [one] one sequence
   *[other] { $sequences } sequences
}, in which each question depends on the answers before: run it as `zhiyin run { SHELL($name) } -m inspect:PROVIDER/MODEL`
labbook-empty = nothing is written: a { $kind } has at least one letter
labbook-long = a { $kind } of { $text } letters: write at most { $most }
runs-no-folder = { $root }: no such folder; give a run, or the folder that holds runs
runs-none-in = { $root }: no run in it; give a run, or the folder that holds runs
layout-cannot = --layout { $layout }: { $why }: leave --layout out, or take another
board-ignore = --ignore { $name }: runs that differ in it cannot be in one table
board-none-judged = { $root }: no run in it has a judged trial
board-own-way = { $root }: no run in it was judged in the benchmark's own way, with the true sound and all distractors ({ $within } was not): finish it, or add one
board-no-setting = --ignore { $name }: no run has such a setting: { $hint }
board-unread = { $places }: no run in it can be read: { $text }
track-which = --track { $name }: { $hint }
track-wandb = --track wandb: nobody is logged in: run `wandb login`, or set WANDB_MODE=offline and later `wandb sync`
track-mlflow = --track mlflow: { $uri } cannot be used ({ $why }): set MLFLOW_TRACKING_URI
written-sequences = { $benchmark } asks { $sequences ->
    [one] one sequence
   *[other] { $sequences } sequences
}, in which each question depends on the answers before: they cannot be written out beforehand; ask the model where Zhiyin reaches it
written-again = { $benchmark }: trial { $trial } asks again after a reply, and cannot be written out beforehand: choose another way of asking (without --confirm, for one), or ask the model where Zhiyin reaches it
written-file = { $folder }: is a file: choose another folder with --out
written-there = { $folder } holds { $other } already: choose another folder with --out
written-list = --layout list holds one prompt, one sound at most and some options a question, and this benchmark asks otherwise: leave --layout out
board-private = the reports hold the questions of a private seed: publish the page without them until the seed is shown
serve-everybody = everybody who reaches { $host } can read these runs and hear their recordings; without --host only this machine can
export-once = each sound and picture is held once: { $n } times a sample names another that holds it
gate-undeclared = { $benchmark } does not declare whether a lower or a higher { $measure } is better: add it to its measures
baseline-strange = --baseline { $baseline }: none of its runs is one of this suite's, by name or by what was asked: it has { $then }; the suite has { $today }: give each model the name that it has there (`name` under [[models]]), or make the baseline anew
suite-shards = { $first } and { $folder } are shards of different suites: their { $file } or what the command line said differs
suite-no-shard = { $folder } is no shard of a suite: give folders of `suite --shard`
verify-no-sums = there is no { $sums }: the last session did not end in good order, or an earlier version wrote the run; giving its command again writes it
verify-run-gone = its suite says that it is done, and it is not here: copy it anew from where it is whole
verify-fewer = { $planned } { $planned ->
    [one] trial
   *[other] trials
} planned, { $records } { $records ->
    [one] record
   *[other] records
} there: the run was not finished, or records were taken away
verify-other-items = the benchmark's items are others here than those of the run: other data, prompts, or versions
verify-version = scored by version { $then } of { $name }, now again by version { $now }
suite-replaced-run = { $name } ({ CLAUSES($other) }; { $n } answered { $n ->
    [one] trial
   *[other] trials
})
suite-replaced = { $folder } holds other runs under the same names: { NAMES($runs) }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
}: their answers would not count; --changed puts them aside and asks anew, --out begins another folder

folder-no-suite = { $folder } is no suite: no { $file } in it
folder-unread = { $path }: cannot be read ({ $why })
folder-file = { $folder } is a file: choose another folder with --out
folder-other = { $folder } holds { $there } and no suite: choose another --out
folder-taken = { $folder } is being run by another zhiyin: wait for it
folder-unwritten = cannot write to { $folder }: { $why }; choose another with --out
folder-shard-twice = { $folder } and another are both shard { $shard }: give each shard once
folder-shards-missing = shard { NAMES($shards) } missing: give all shards of the suite
folder-other-shard = { $folder } holds { $before ->
    [none] a whole suite
   *[some] shard { $before }
}, not { $now ->
    [none] the whole suite
   *[some] shard { $now }
}: choose another --out
base-empty = { $baseline }: none of its runs has answers: make it anew
base-lacking = { $flag } says how to hold runs against others: add --baseline FOLDER
base-same = --baseline { $baseline }: that is this suite: choose another --out
suite-no-cell = { $path }: no run is left: every one is skipped, or asked in no condition
suite-data-form = --data { $text }: write BENCHMARK=DIR, such as --data NAME=data/name
