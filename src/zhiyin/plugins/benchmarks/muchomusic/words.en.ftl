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
mucho-shown = { $path }: { $why }: write a list of question and four options, the right one first

# benchmark.toml
muchomusic-table-3 = Table 3: overall benchmarking results
muchomusic-figure-2 = Figure 2: evaluation dimensions
muchomusic-figure-4 = Figure 4: accuracy across evaluation dimensions
muchomusic-figure-5 = Figure 5: number of in-context examples
muchomusic-figure-6a = Figure 6(a): types of distractors
muchomusic-figure-6b = Figure 6(b): audio attention test
mucho-no-swap = { $recording }: { $place ->
    [none] the data
   *[other] { $place }
} has no other track{ $genre ->
    [true] {" "}of another known genre
   *[false] {""}
} to swap it for: { $further ->
    [none] {""}
   *[some] give { OR($further) }, or{" "}
}leave swap out of --audio
mucho-out = making muchomusic's small benchmark needs --out, a folder to write to
mucho-there = { $out } holds questions already: give another folder, or remove this one
mucho-ask = --ask { $unknown }: { $hint }
mucho-no-column = { $path }:1: no column { $absent }: is it the published { $file }?
mucho-none = { $path }: holds no question that can be asked; is the file complete?
mucho-no-bytes = { $path }, row { $row }: { $column } holds no bytes; get a copy in which the audio is embedded
mucho-answers = { $where }: { $answers } answers; give two to { $most }
mucho-blank = { $where }: an answer is blank; give the words of every option
mucho-orders = { $where }: answer_orders { $given } is no permutation of 0 to { $last }; give each option's place in the data once
mucho-json = { $path }: { $why }; give the JSON that the published code scores
mucho-no-items = { $path }: holds no items; give the JSON that the published code scores
mucho-differ = { $path }: asks { $stem } as { $tags }, and { $files } does not; give files of one set of questions, in one order
mucho-other-number = { $path }: { $pairs } { $pairs ->
    [one] item
   *[other] items
}, but { $files } has { $first }
mucho-no-answers = { $run }: holds no answers yet
mucho-out-there = { $path } is there already: remove it, or choose another place with -o
mucho-one-way = { $run }: the published JSON holds one way of asking, with all four options: run muchomusic without --audio, --distractors and --rotations
mucho-two-prompts = --prompts { $folder } and --released { $released }: give one of the two
mucho-no-audio = { $root }: { $audio } is not there: mend its path
mucho-released = --released { $folder }: { $file }: { $why }: { $clone }
mucho-yaml = { $path }: not YAML: { $clone }
mucho-no-texts = { $path }: no list of texts under in_context_examples: { $clone }
mucho-examples = { $count } examples in { $where }; --shots { $shots } needs as many
mucho-recorded = { $sounds } of the { $shown } examples of --shots have a recording: give each an "audio" in { $examples }, or none
mucho-clip = --clip { $text }: write all, first:SECONDS or middle:SECONDS
