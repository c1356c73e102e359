study-answers = Answers (JSON lines)
people-guessing = Guessing gets { SHARE($value) } right
people-lead = { $model } minus people{ $who ->
    [none] {""}
   *[some] {" "}({ $who })
}: { SIGNED($lead) } points{ $low ->
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
people-averaged = answers of several people to one question are averaged; the interval speaks of other questions and these people: `zhiyin study show` gives the one for other people too
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
