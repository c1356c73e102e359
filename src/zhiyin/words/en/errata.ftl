# Errata: flaws of items that a machine can prove (errata/), and figures without these items.
errata-again = the keyed option stands again: { $option }
errata-twice = { $same ->
    [true] { $one } stands among the options twice
   *[other] { $one } and { $other } are the same option
}
errata-none-right = { $key } is none of the options
errata-not-shown = it speaks of { $what }, and nothing is shown
errata-letters = the options are bare letters: what they stood for is not there
errata-lost = { $what } has lost its note
errata-contradicted = keyed { $key }; { $other } asks the same and keys { $theirs }
errata-refuted = keyed { $key }, and right is { $answer }
errata-several = beside { $key }, { $other } is right, too: { $answer }
errata-orders = keyed { $key }, and as right { $n ->
    [one] is
   *[other] are
} { FEW($others) }: parts are the same
errata-by-sound = { $key } and { $other } are the same sound
errata-named = the question names { $words }; so { $n ->
    [one] does the one question
   *[other] do all { $n } questions
} of the frame { $frame }
errata-header = the notation begins with { $shown }
errata-heard = { $recording }: { $found } is heard: { $why } (the listener agrees with { $n } other keys of the kind)
errata-unheard = no recordings were used: nothing was heard
errata-title = Errata of { $benchmark }
errata-lead = { $flawed ->
    [0] No rule found an item of { $of } flawed.
   *[other] { $flawed } of { $of } items are flawed, by rules that prove it.
}
errata-about = Found by Zhiyin { $zhiyin } in version { $version } of the benchmark, data { $sha256 }. Each item has its witness: look for yourself.
errata-rule = rule
errata-items = errata
errata-proves = what it proves
errata-rules = errata by rule
errata-run = run
errata-n = items
errata-n-without = left
errata-all = all items
errata-without = without the flawed
errata-change = change
errata-place = place
errata-table = { $figure } with and without the flawed items, { $group }, %
errata-change-of = { $who ->
    [none] {""}
   *[other] { $who },{" "}
}without the { $n ->
    [one] one item that is
   *[other] { $n } items that are
} proved flawed: { POINTS($without, 1) } % instead of { POINTS($all, 1) } %
errata-left-out = left out: { $rules ->
    [0] nothing, no item of these runs is flawed
   *[other] { NAMES($rules) }
}
errata-other-version = { $n } { $n ->
    [one] erratum is
   *[other] errata are
} of another version of the question or its key: these items stay
errata-written = wrote { $file }
errata-nested = { $key } and { $other }: one includes the other
errata-solved = theory alone gives { $key }: { $answer }
errata-together = another question stands within the option { $option }
errata-doubted = { $n } { $n ->
    [one] other is
   *[other] others are
} doubted: a person has to say, and no figure leaves { $n ->
    [one] it
   *[other] them
} out.
