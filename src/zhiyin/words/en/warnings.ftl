# What a reader of figures has to know: a message a kind of zhiyin/words/findings.py.
going-on = the run is still going on: these figures cover the replies so far
elsewhere = the last session was on another machine, or on this one before it was last started, and has not ended: it is still running there, or was killed; the same command continues it
killed = the last session was killed, or the machine went down: the same command continues it
stopped-early = the last session stopped early: { $why }
failed = { $n ->
    [one] { $n } trial failed and is in no figure
   *[other] { $n } trials failed and are in no figure
}{ $causes ->
    [none] {""}
   *[some] {" "}({ $causes })
}; the same command asks { $n ->
    [one] it
   *[other] them
} again
not-applying = { $n } of { $of } trials do not apply and are left out: { $blind ->
    [true] a blind baseline picks among options, and they have none
   *[false] they play sound or show pictures, and the model takes none
}
unfinished = unfinished: { $what }
sequences-stopped = { $what }
faulty = { $what }: fix it and run again
stopped-by-plan = stopped by its plan after { $n ->
    [one] { $n } trial
   *[other] { $n } trials
} (at most { $of }): decided is { NAMES($names) }
not-kept = { $why }
words-elsewhere = { $n } { $n ->
    [one] reply has
   *[other] replies have
} no text: the words are in { $place ->
    [reasoning] its reasoning: the server takes the answer for thinking: turn its reasoning parser off, or ask with --thinking off
    [tools] tool calls: start the server without tools
   *[audio] audio.transcript, which is read in its place: ask the server for text alone
}
requests-expired = { $n ->
    [one] { $n } request
   *[other] { $n } requests
} had expired and { $n ->
    [one] was
   *[other] were
} submitted again
batches-open = { $n ->
    [one] { $n } batch is
   *[other] { $n } batches are
} being processed; the same command collects { $n ->
    [one] it
   *[other] them
}
not-asked-for = { $where }: { $n } of { $of } answers were not asked for ({ $first })
lines-repeated = { $n ->
    [one] { $n } line of the log repeats a trial, and is not counted
   *[other] { $n } lines of the log repeat a trial, and are not counted
}: the last line of each trial counts; something other than Zhiyin wrote to the log
part = { $why }: not comparable with { $beside ->
    [settings] runs by default settings
    [whole] runs of the whole benchmark
    [others] published results
   *[published] published results for the whole benchmark
}
canary = { $told }
canary-told = { $state ->
    [refused] the canary was refused, the model takes no { $medium ->
        [sound] sound
       *[image] pictures
    }: { $why }
    [undecided] whether the model can { $medium ->
        [sound] hear
       *[image] see
    } is not known: not all of the canary was answered ({ $why })
   *[failed] the canary failed: no evidence that the model can { $medium ->
        [sound] hear
       *[image] see
    }: { $right } of { $asked } right, { $needed } needed (guessing passes in { POINTS($by_guessing) } % of cases){ $unread ->
        [0] {""}
        [one] ; { $unread } reply holds no answer
       *[other] ; { $unread } replies hold no answer
    }; its answers may not depend on the { $medium ->
        [sound] sound
       *[image] pictures
    }
}
canary-right = { $who } { $right }/{ $asked }
canaries-failed = the canary failed: no evidence that the models can { $medium ->
    [sound] hear
   *[image] see
}: right answers: { NAMES($each) }{ $needed ->
    [none] {""}
   *[other] , { $needed } needed
}; their answers may not depend on the { $medium ->
    [sound] sound
   *[image] pictures
}
canary-of = { NAMES($who) }: { $told }
cut-off = { $n } of { $of ->
    [one] { $of } reply
   *[other] { $of } replies
} { $n ->
    [one] was
   *[other] were
} cut off before an answer: { $limit ->
    [none] give --max-tokens a value
   *[some] raise --max-tokens, which was { $limit }
}
unreadable = { $n } of { $of ->
    [one] { $of } reply
   *[other] { $of } replies
} { $n ->
    [one] holds
   *[other] hold
} no readable answer{ $causes ->
    [none] {""}
   *[some] : { $causes }
}
unreadable-in = many replies hold no readable answer in { NAMES($groups) }
share-in = { $group } ({ SHARE($share, decimals: 0) })
one-answer = every readable reply{ $but ->
    [0] {""}
   *[other] {" "}but { $but }
} is { $answer }, whatever was asked: how often that is right says nothing of the model
one-answer-in = every readable reply{ $but ->
    [0] {""}
   *[other] {" "}but { $but }
} is the same, whatever was asked, in { NAMES($groups) }: how often that is right says nothing of the model
answer-in = { $group } (always { $answer }{ $but ->
    [0] {""}
   *[other] {" "}but { $but }
})
below-chance = accuracy { SHARE($accuracy) } is below chance ({ SHARE($chance, decimals: 0) }): the answers may be misread, or the options mixed up
ungraded = { $n ->
    [one] { $n } reply has
   *[other] { $n } replies have
} no right answer and no judgement: have { $n ->
    [one] it
   *[other] them
} judged
tables-failed = its further tables cannot be made: { $why }
kept = { $n } of { $of ->
    [one] { $of } reply
   *[other] { $of } replies
} { $n ->
    [one] is
   *[other] are
} of an earlier run, from the cache{ $days ->
    [none] {""}
   *[some] {" "}(asked on { $days })
}: { $n ->
    [one] it does
   *[other] they do
} not describe the model as it is served now
several-models = the replies are of { $n } models, as the server names them ({ NAMES($named) }{ $more ->
    [0] {""}
   *[other] , { $more } more
}): the figures belong to no single one of them
key-hidden = { $n ->
    [one] { $n } reply
   *[other] { $n } replies
} held a key that was sent with the request: it is hidden in the log
names = { NAMES($each) }
of-run = { $who }: { $what }
copies = { $first } and { $second } are copies of one run: they are not two independent measurements
shared-replies = { $first } and { $second } have { $n ->
    [one] { $n } reply in common that was
   *[other] { $n } replies in common that were
} asked only once, and kept: for these they are not two independent measurements
same-replies = { $first } and { $second } gave the same replies, word for word: nothing here distinguishes them, and their difference has no interval
data-differ = the data fingerprints differ; the questions in common are the same, but prompts or sounds may not be
rules-differ = answers were read by different rules ({ NAMES($rules) }); rescore one of the runs
versions-differ = the runs were scored by different versions of the benchmark; rescore them
left-out = { $who }: { $n } of { $of } judged { $unit ->
    [songs] songs
   *[other] trials
} { $n ->
    [one] is
   *[other] are
} left out
no-score = { $who }: { $n ->
    [one] { $n } reply without a readable answer has
   *[other] { $n } replies without a readable answer have
} no { $measure }, and no part in this; the accuracy counts such replies as wrong
measure-lacks = { $n } of { $of } replies have no value
measure-title = { $name ->
    [f1] F1
   *[other] { $name }
}{ head-unit }
head-unit = { $unit ->
    [none] {""}
    [share] , %
   *[other] , { $unit }
}{ $low ->
    [true] , lower is better
   *[false] {""}
}
remark = { $what }
without-reply = { $n } { $n ->
    [one] question has
   *[other] questions have
} no reply and { $n ->
    [one] is
   *[other] are
} in no figure
benchmark-edited = { $place } has changed since an earlier session of this run: raise its version where its trials or scores may differ
model-edited = the file of { $model } has changed since an earlier session of this run: what was answered is not asked again; another --out asks all anew
torn-line = { $file }: cut off a torn last line of { $n } { $n ->
    [one] byte
   *[other] bytes
}
paths-unknown = verdicts differ in { $n } of { $of } { $of ->
    [one] sequence
   *[other] sequences
}: whether they would have gone on with the same trials cannot be told without the benchmark and its data
paths-moved = by these verdicts { $n } of { $of } { $of ->
    [one] sequence
   *[other] sequences
} would have gone another way: these are the trials that were asked by the verdicts of then, and not those that would have been
given-elsewhere = answers that were given elsewhere; { $unknown ->
    [pictures] the pictures are not in them
   *[played] what was played is not known
}
merged-from = merged from { $n } shards
merged-versions = shards were asked with different versions of { $name }: { NAMES($versions) }
merged-further = not merged: runs within the shards ({ NAMES($runs) }): judge the merged run
