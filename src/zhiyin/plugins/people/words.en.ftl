study-answers = Answers (JSON lines)
people-guessing = Guessing gets { SHARE($value) } right
people-lead = { $model } minus people{ $who ->
    [none] {""}
   *[some] {" "}({ $who })
}: { SIGNED($lead) } points, { SHARE($ours) } against { SHARE($theirs) } on the questions that both answered{ $alike ->
    [none] {""}
   *[some] , each person counting as much (of the model, each question counting as much: { SHARE($alike) })
}{ $low ->
    [none] {""}
   *[some] {" "}(95 % interval { SIGNED($low) } to { SIGNED($high) }, for other people and other questions; { $n } people{ $narrow ->
        [true] ; too narrow, the model being nearly always right on few questions: such intervals hold nearer to 90 %
       *[false] {""}
    })
}
people-answers = answers of { $people } people to { $n } { $n ->
    [one] question
   *[other] questions
}
people-averaged = each person counts as much, and intervals are for other people and other questions, as in `zhiyin study show`
people-orders = { $n } { $n ->
    [one] answer
   *[other] answers
}: the order in which options were shown is not known
rule-idle = rule { $rule } can set nobody aside: { $why }
rule-attention = { $n ->
    [0] there is no attention check
    [one] there is one attention check
   *[other] there are { $n } attention checks
}, so that { $wrong } can never be wrong: { $n ->
    [0] ask for some, or leave the rule out
   *[other] lower the number to { $n } or less, or ask for more checks
}
rule-gold = { $n ->
    [0] no question has the role of a known answer: give some this role, or leave the rule out
   *[other] nobody gets a share below 0 right: raise it, or leave the rule out
}
rule-seconds = nobody is faster than 0 s: raise it, or leave the rule out
rule-place = { $whole ->
    [true] no share is larger than 1: lower it, or leave the rule out
   *[false] a person makes { $n ->
        [0] no choices
        [one] one choice
       *[other] { $n } choices
    }, and all of them at one place may be chance: ask each person more questions with options, or leave the rule out
}
rule-reference = no reference is hidden among sounds: leave the rule out, or rate sounds beside one
rule-answers = nobody has fewer than none: raise it, or leave the rule out
person-always = always { $words ->
    [none] option { $place } of the list
   *[some] “{ $words }”
}
people-always = { $n ->
    [one] 1 person who counts
   *[other] { $n } people who count
} always chose the same answer, or the same place, whatever was asked: how often that is right says nothing of { $n ->
    [one] that person
   *[other] them
}, and no declared rule sets { $n ->
    [one] that person
   *[other] them
} aside (same_place looks at places)
people-percentile = { $model } has the percentile rank { SHARE($share) } (equal scores count half){ $low ->
    [none] {""}
   *[other] , 95 % interval { EXACT($low) }–{ EXACT($high) }
}, among { $n } { $n ->
    [one] person
   *[other] people
}{ $who ->
    [none] {""}
   *[some] {" "}({ $who })
}
study-value = { $value ->
    [education] highest education
    [music_major] music is or was the subject of study
    [music_background] musical background
    [lessons_years] years of lessons
    [instrument] main instrument
    [age] age, years
    [hearing] hearing
    [high_school] high school
    [bachelor] bachelor
    [master] master
    [doctorate] doctorate
    [other] other
    [unsaid] not said
    [yes] yes
    [no] no
    [normal] normal
    [loss] hearing loss
    [unsure] not sure
    [years_0] none
    [years_1_2] 1–2 years
    [years_3_5] 3–5 years
    [years_6_9] 6–9 years
    [years_over_9] 10 years or more
    [none] none
    [voice] voice
    [piano] keyboard
    [strings] bowed strings
    [plucked] plucked strings
    [wind] wind or brass
    [percussion] percussion
    [electronic] electronic
    [language] language of the pages
    [de] German
    [en] English
    [zh] Chinese
    [woods] loudness of tones (Woods 2017)
    [huggins] Huggins pitch (Milne 2021)
    [any] any wrong option marked
    [each] each wrong option by itself
   *[other] { $shown }
}
study-each = { NAMES($each) }
study-people-n = people{ $n ->
    [none] {""}
   *[other] {" "}({ $n })
}
study-group-n = { $group }{ $n ->
    [none] {""}
   *[other] {" "}({ $n })
}
study-field-is = { $field }: { $value }
people-not-said = --by { $field }: the answers do not say it; known: { $known ->
    [none] no field at all
   *[some] { NAMES($known) }
}
people-nothing-asked = { $folder }: nothing was asked in this run
people-other-exam = { $name }: was asked none of people’s questions: name a run on the same exam, or make one with `zhiyin run BENCHMARK -m MODEL` and the flags of the study, such as --data, --sample and --seed
people-other-question = { $name }: { $trial } asks something else than people are asked: name a run with the same data and settings, or make one with `zhiyin run BENCHMARK -m MODEL`
people-none-counts = no answer that counts is left: look at the exclusions
people-other-benchmark = { $folder } is a run of { $benchmark }, and people took { $name }
people-no-common = { $model }: answered none of the questions of these people
people-no-rows = { $path }: holds no rows
people-no-trial-column = { $path }: no column is called as a trial of the exam, such as { $like }: say under [items] "column" = "id of the trial"
people-no-answers = { $path }: holds no answers under these columns
people-no-column = { $path }: no column { $column } (map: { $name }): { $hint }
people-nobody = { $where }: names nobody: give every person
people-yes-no = { $where }: { $value } is not yes or no
people-two-backgrounds = { $where }: { $value }, and the same person said { $before } before: give each person one background
people-no-column-of = { $place }: no column { $column } (map: people.{ $field })
people-role = { $where }: { $role } is no role: { NAMES($roles) }; say under [values.role] what it means
people-no-trial = { $where }: { $name } is no trial of the exam, which has { NAMES($like) }: say under [items] which it is
people-free = { $place }: { $name } takes a free answer, and a table holds choices: leave it out
people-many-answers = { $where }: { $keys } answers where one is asked
people-which-option = { $where }: { $answer } names { $several ->
    [true] more than one
   *[false] no
} option of { $trial } as { $form ->
    [none] key or text
   *[other] { $form }
}; options: { $known }: say under [values.answer] which it is, or by answers = what it names (docs/people.md)
people-keys = { $where }: not every key of the options once
people-time = { $where }: { $text } is no time
people-format = { $where }, column format: layout { $format }, and this version reads { $reads }: export the study with the same version of zhiyin
people-no-line = { $where }, column trial: { $trial } is not in { $name }: export the study again
people-none-yet = { $path }: holds no answers yet: export the study once people took part
people-kinds = { $path }: holds answers of the kind { NAMES($kinds) }: give the export of one study
rule-unknown = rule { $name }: no answer says what it asks about: name the column, or leave the rule out
people-no-option = { $place }: { $strange } is no option of { $trial }: export the answers again
people-order = { $trial }: the order of options that was shown is not of this question
people-toml = { $path }: not TOML ({ $why }); mend that line
people-column-missing = { $where }: columns.{ $name } is missing: name the column, such as { $name } = "..."
people-no-field = { $where }: values.{ $unknown }: no such field; known: { NAMES($fields) }
people-cells = { $place }: { $cells } cells under { $names } headings: mend the row
people-object = { $path }: holds { $value } where an object is wanted
people-potato = { $path }: no PERSON/annotated_instances.jsonl in it: give Potato's output
people-potato-labels = { $place }: no label_annotations: give Potato's annotated_instances.jsonl
people-labels = { $place }, column { $scheme }: labels are wanted, not { $labels }
people-annotations = { $place }: no annotations: export the project as JSON, not JSON-MIN
people-annotation-object = { $place }, annotation { $at }: an object is wanted
people-no-right = { $name }: has no right option, so nothing can be validated
people-none-finished = no answer counts: nobody finished, or everybody is excluded
people-cell = { $place }, column { $column }
people-row = { $file }, { $unit } { $number }
people-annotation = { $place }, annotation { $number }
people-line = line { $line }
people-json = { $where }: not JSON ({ $why })
people-skipped = { $n } { $n ->
    [one] annotation was
   *[other] annotations were
} skipped by their annotators
people-truths = { $n } { $n ->
    [one] annotation is marked as ground truth, and is no answer
   *[other] annotations are marked as ground truth, and are no answers
}
people-misfit = { $path }: { $why }{ $see }
people-correct = ; correct { $flag }
people-see-tables = ; see `Tables of others` in docs/people.md
people-see-exclusions = ; see `Exclusions` in docs/people.md
people-no-such = no { $what ->
    [answer] answer of an export
    [codebook] codebook of a study
   *[trial] trial
} ({ $why })
people-empty = { $n } empty { $n ->
    [one] answer is
   *[other] answers are
} { $missing ->
    [true] missing, and in no figure
   *[false] { $n ->
        [one] a blank
       *[other] blanks
    }, as the map says
}
people-no-item = { $n } { $n ->
    [one] row without an item is no answer
   *[other] rows without an item are no answers
}
people-again = { $n } repeated { $n ->
    [one] answer: the first
   *[other] answers: the first of each
} is taken
people-lacking = people answered { $n } { $n ->
    [one] question
   *[other] questions
} that { $name } was not asked
people-all-hidden = all people together are not shown: less the groups that are, they would tell what { $n } { $n ->
    [one] person
   *[other] people
} answered
people-part = people answered { $least }{ $most ->
    [none] {""}
   *[other] {" "}to { $most }
} of { $n ->
    [one] one question
   *[other] { $n } questions
}: scores of single people rest on different questions
people-blank = { $n } { $n ->
    [one] blank
   *[other] blanks
} of people: no answer, and in no precision
people-silent = { $n } { $n ->
    [one] person
   *[other] people
} answered nothing: in no figure
people-model-blank = { $who } gave no answer to { $without } of { $n ->
    [one] one question
   *[other] { $n } questions
}, or not each time: they are in no precision
people-model-lacks = { $who } has no judged answer to { $few } of these { $n ->
    [one] one question
   *[other] { $n } questions
}: it is compared on the rest
