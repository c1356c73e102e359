muchomusic-summary = MuChoMusic: 1,187 multiple-choice questions on 644 recordings; audio attention test
muchomusic-intervals = Intervals by track, spread over repeats
muchomusic-intervals-note = low, high: 95 % interval clustered by track; SD, min, max: of the accuracies of the single repeats
muchomusic-flaws = { muchomusic-flaws-of }; `zhiyin data check muchomusic --all` lists them
muchomusic-flaws-of = flaws, asked as published: { NAMES($kinds) }

muchomusic-repeats = repeats { $twin }
muchomusic-genre = genre { $own }, but { $other } in { $of }
muchomusic-also = { $answer } is also a distractor
muchomusic-two-same = two distractors are the same
muchomusic-unknown = { $label } is no dimension of { $category }
muchomusic-neither = neither knowledge nor reasoning

# benchmark.toml
muchomusic-table-3 = Table 3: overall benchmarking results
muchomusic-figure-2 = Figure 2: evaluation dimensions
muchomusic-figure-4 = Figure 4: accuracy across evaluation dimensions
muchomusic-figure-5 = Figure 5: number of in-context examples
muchomusic-figure-6a = Figure 6(a): types of distractors
muchomusic-figure-6b = Figure 6(b): audio attention test
