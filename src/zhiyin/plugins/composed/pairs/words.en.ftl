pairs-summary = minimal pairs: does the answer move with the fact, and with nothing else?
pairs-bases = Does it use the audio?
pairs-few = Too few items to tell: { $n }, and { $least } are needed.
pairs-percent = { $mean } % ({ $low }–{ $high })
pairs-unanswered = It gives no answer to the base or the changed version in { $share } of the items: whether it uses the audio is unknown.
pairs-options = It reads only the question and the options: its answer is the same to every version, to silence and to noise, in { $share } of the items.
pairs-listens = It answers from the sound in minimal pairs ({ $effect }).
pairs-misled = Fewer of its answers are right with the sound than without it ({ $effect }): the sound moves them, and the wrong way.
pairs-deaf = No sign that it answers from the sound in minimal pairs ({ $effect }).
pairs-effect = against { $control }: { SIGNED($mean) } points, 95 % interval { SIGNED($low) } to { POINTS($high) }, { P($p) }
pairs-follows = Its answers follow { $change ->
    [gain] loudness
    [codec] the codec
    [resampling] the sample rate
    [key] the key
    [font] the sound font
    [reverb] reverberation
   *[padding] the length of the recording
}, which says nothing of the fact: they move with it in { $share } of the items, more than with the other changes.
pairs-first-alone = Of two recordings it uses only the first: its answer moves with the second, changed or replaced by noise, in { $share } of the items.
pairs-facts = Pairs, by fact
pairs-moves = Moves: base and changed version both right, % of pairs; a guess gets 25, one answer to everything 0. Stays: changes that say nothing and leave the answer as it was, %.
pairs-against-note = Against silence, noise: points that base and changed version are right more often than with that in the place of their sound; no answer to it counts as a guess.
pairs-intervals = 95 % intervals; each item counts once.
pairs-against = against { $control }
pairs-changes = What moves the answer
pairs-changes-note = How often the answer differs from that to the base, % of items, 95 % intervals. No answer counts as another only where silence or noise is played.
pairs-version = { $version ->
    [changed] the fact
    [silence-base] silence in its place
    [noise-base] noise in its place
    [half-base] noise for the second
   *[other] { $version }
}
pairs-should = { $part ->
    [changed] should
    [change] should not
   *[control] tells who listens
}

pairs-moved-figure = pairs: what moves the answer
pairs-moved-caption = Share of items whose answer differs from that to the base, with 95 % Wilson intervals. With the fact it should move, with everything below it should not.
pairs-consistency-figure = pairs: does the answer move with the fact, and with nothing else?
pairs-consistency-caption = { pairs-consistency-page-note } Does it use the audio? { EACH($bases) }
pairs-fact-counted = { $fact }: { $counted }
pairs-base-of = { $who }: { EACH($what) }
pairs-without = without { NAMES($changes) }: that needs a sound font (the extra soundfont)
pairs-fact = { $fact ->
    [third] Chord quality
    [note] One changed note
    [bars] Order of bars
    [instrument] Instrument
    [tempo] Tempo
    [accent] Accent
    [onset] Timing of a note
    [all] All
   *[other] { $fact }
}
pairs-panel-of = { $panel ->
    [moves] moves with the fact
   *[stays] stays otherwise
}
pairs-bases-all = Does it use the audio? { EACH($each) }
pairs-consistency-page-note = Moves: pairs of which base and changed version are both answered right (95 % Wilson intervals; dashed: chance; one answer to everything gets none). Stays: of the changes that say nothing of the fact, the share that gets the base's answer (95 % intervals over items).
