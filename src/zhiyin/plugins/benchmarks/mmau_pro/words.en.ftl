mmau-pro-summary = MMAU-Pro: 5,305 questions on music, sound and speech; choices, open answers, instructions
mmau-pro-part = { $name ->
    [all] all
    [closed] choices
    [open] open answers
   *[instruction] instructions
}
mmau-pro-head = { $name ->
    [part] part
    [n] n
    [ours] ours
    [official] official
    [empty] empty replies
   *[of-empty] official score of empty replies
}
mmau-pro-rules = Our rule and the official one
mmau-pro-note = ours: right choices as read, open answers with a mean of 4 of 5 or more, instructions that are followed; an empty reply is never right. official: the nearest choice by embedding, the judge's whole of 5, the rule alone; a mean over all
mmau-pro-no-embedder = the official score of choices needs a model of meaning, and was not computed: `zhiyin rescore RUN --extract nearest:MODEL --out NEW`
mmau-pro-unjudged = { $n } open { $n ->
    [one] answer has
   *[other] answers have
} no grade: name a judge with --judge
mmau-pro-empty = { $n } empty { $n ->
    [one] reply: never right by our rule
   *[other] replies: none is right by our rule
}{ $share ->
    [none] {""}
   *[other], and officially they get { SHARE($share) }; an open one counts the least that the scale has, 0.2, and 0.6 if the official judge cannot be read
}
mmau-pro-no-rule = no rule is known as { $rule }: it is asked and not scored
mmau-pro-one-choice = nothing to choose from, so it is asked as an open question; the official script leaves it out
mmau-pro-faults = { $n } { $n ->
    [one] row
   *[other] rows
} cannot be asked, first { $where }: `zhiyin data check mmau-pro --all` lists what is wrong
mmau-pro-other-key = the key { $key } is no choice letter for letter, so that officially nobody is right; { $found ->
    [true] by ours the choice that differs in case, blanks or end marks alone is right
   *[other] no choice is like it, and by ours nobody is right either
}
mmau-pro-unkeyed = { $n } { $n ->
    [one] question keys none of its choices: nobody is right there
   *[other] questions key none of their choices: nobody is right there
}, as published; figures without such questions: `zhiyin errata mmau-pro`, then show --errata
