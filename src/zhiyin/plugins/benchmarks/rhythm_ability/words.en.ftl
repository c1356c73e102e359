rhythm-summary = a published adaptive test of rhythm: ability on the scale of people
rhythm-title = Ability
rhythm-not-measured = not measured
rhythm-unread = no answer could be read
rhythm-off-scale = { $side ->
    [below] below
   *[above] above
} the scale
rhythm-standing = above { $share } % ({ $known ->
    [most] at most { $high } %
    [least] at least { $low } %
   *[both] { $low } to { $high } %
})
rhythm-ability = ability: weighted likelihood (Warm), in logits of the bank; 95 % interval by likelihood
rhythm-range = the bank can distinguish abilities between { $low } and { $high }: beyond, only the side is given, of an interval's ends too
rhythm-people = among people: above what share of them, if abilities are as the bank's prior has them (mean 0, standard deviation 1); no norms of a sample are published
rhythm-ours = the published test plays recordings and shows pictures; here both are ours
rhythm-left-out = { $n } of { $of } replies hold no answer and are left out

rhythm-scale-figure = Rhythm ability on the scale of people
rhythm-differs = the items and their parameters are published; sounds, tempo and the showing of patterns as signs are ours, so the scale of people holds as far as these do not matter
rhythm-ability-axis = ability, logits of the bank
rhythm-ability-row = rhythm
rhythm-scale-page-note = Ability with its 95 % interval, from 3.5 below people's mean to 3.5 above. Shaded: the middle two thirds of people as the bank's prior has them (mean 0, standard deviation 1; no norms of a sample are published). The bank distinguishes abilities from -1.5 to 2 only.
