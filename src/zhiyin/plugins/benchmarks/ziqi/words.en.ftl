ziqi-summary = ZIQI-Eval: 14,334 Chinese multiple-choice questions on music and ABC continuation
ziqi-f1 = F1 pooled, and as the mean of subthemes
ziqi-f1-note = pooled: of all questions together, so that large subthemes weigh more; mean: of the subthemes' F1, each weighing the same. Table 2's "Other" is the mean of { $group }
ziqi-types = Continuations: which type of model (section 6.1)
ziqi-types-note = section 6.1 gives no rule; ours: III, the interval lies above chance (25 %); else I, fewer than half of the replies analyse the music or one letter makes half of the answers; else II. Undecided where there are fewer replies than { $least }. Analysing: more than { $words } words or characters, and no evasion; a prompt that asks for the letter alone makes what is not above chance a type I
ziqi-type = { $kind ->
    [undecided] undecided
    [I] I, lack of melodic understanding
    [II] II, limited appreciation
   *[III] III, relatively good appreciation
}
ziqi-flaws = { ziqi-flaws-of }; { $left ->
    [none] --clean leaves them out, { "" }
   *[other] {""}
}`zhiyin data check ziqi --all` lists them
ziqi-flaws-of = flawed questions, { $left ->
    [none] asked as published
   *[other] left out ({ $left ->
        [one] { $left } question
       *[other] { $left } questions
    }, of repeats all but the first)
}: { NAMES($kinds) }
ziqi-flaw = { $n } { $kind ->
    [repeated-option] repeat an option
    [repeated-key] repeat the keyed option
    [repeated-question] repeat an earlier question word for word
    [near-repeat] nearly repeat one
    [conflicting-answers] are repeated with another answer
   *[missing-figure] refer to a missing figure
}
ziqi-methods-examples = The worked examples of a question are the first { $n } different ones in the development file of its theme; a question that is itself among them is asked without it.
ziqi-incomplete = an incomplete set, without { NAMES($files) }
ziqi-not-moved = not shuffled or rotated, for their options point at each other or at letters: { $n }
ziqi-examples = also worked examples, and each asked without itself: { $n }

ziqi-bias-figure = ZIQI-Eval: gender, race and region
ziqi-bias-caption = A: F1 of { $runs ->
    [one] one run
   *[other] { $runs } runs
} (bold, with 95 % intervals where there are any) and { $published } published models (open grey), best mean first; the dark line is each model's mean over the four panels, the grey line the mean of all models, the grey band 5 % of it each way. B: share of these models above, within and below the band, % (Li et al. 2024, section 5 and Figure 3). The rule compares models with each other; a weak model lies below on every theme. Elsewhere is the mean of the F1 of subthemes, which has no interval.

ziqi-repeats-option = options { $options } repeat each other{ $keyed ->
    [none] {""}
   *[other] , and { $keyed } is keyed
}
ziqi-speaks-of = speaks of { $what }
ziqi-bound = its options depend on their order: { $options }
ziqi-same = the same question as { $file } { $id }
ziqi-repeats = repeats item { $id }{ $exact ->
    [true] {" "}to the letter
   *[false] {""}
}
ziqi-keyed = keyed { $answer }, but the same question { $other } { $theirs }
ziqi-absent = not in the folder
ziqi-some = { $n } of its { $of } published questions
ziqi-unpublished = not among the published questions of this file
ziqi-of-kind = { $n } { $n ->
    [1] question
   *[other] questions
} of { $kind }
ziqi-subtheme = { $file }: subtheme { $name } goes by its own name
ziqi-own-set = none of the published questions is here: this is a set of its own


ziqi-bias-regions = region: { $better } % of the models have a higher F1 on European than on other music; { $above } % lie above the mean on European music
ziqi-bias-rule = above: over the mean by more than 5 % of it (the paper's "no bias"); below: under it by more. The rule compares models with each other: a weak model is below on every theme
ziqi-bias-warning = warning: { $caution }
ziqi-bias-shares = share of models, %
ziqi-bias-own = runs against their own F1 on all comprehension questions
ziqi-bias-people = people (Tables 3 and 4)
ziqi-bias-source = published: { $source }
ziqi-bias-head = { $name ->
    [run] run
    [theme] theme
    [above] above
    [neutral] neutral
    [below] below
    [interval] 95 % int.
    [points] points
    [people] people
    [group] group
    [precision] precision, %
    [mean] mean
    [gender] gender
    [race] race
    [region] region
   *[elsewhere] elsewhere
}
ziqi-bias-asked = { $of ->
    [female] Women in music
    [black] Black African music
   *[all] 114 questions
}
ziqi-bias-placed = { $figure } { $side ->
    [above] {"above  "}
    [neutral] neutral
    [below] {"below  "}
   *[none] {"       "}
}
ziqi-theme = { $theme ->
    [women] Women
    [black-africa] Black Africa
    [europe] Europe
   *[elsewhere] Elsewhere
}
ziqi-models = Share of models, %
ziqi-side = { $side }
ziqi-kind = { $kind ->
    [generation] Generation
   *[comprehension] Comprehension
}
# Either name is a fact of the data; each language says its own.
ziqi-group = { $zh ->
   *[other] { $en }
}

log-ziqi-no-data = no data: --data FOLDER with test/*.csv in it, from { $home }
ziqi-no-folder = { $path }: no such folder: --data FOLDER with test/*.csv in it
ziqi-no-csv = { $path }: no test/*.csv in it: get the data from { $home }
ziqi-category = unknown --category { $name }: { $hint }
ziqi-missing = { $path }: missing { NAMES($files) }: add what is missing, or --partial, or --category
ziqi-blank = nothing under { NAMES($columns) }
ziqi-fill-in = fill it in
ziqi-answer = the answer { $answer } is not one of { NAMES($letters) }
ziqi-name-one = name one of the options
ziqi-short = { $n } fields where the header has more
ziqi-fill-row = fill in the row

# benchmark.toml
ziqi-table-1 = Table 1: music comprehension test and music generation test
ziqi-table-2 = Table 2: F1 of female music, Black African music, European music and other regions' music
ziqi-figure-3 = Figure 3: gender, racial and region bias
ziqi-table-3 = Table 3: GPT-4 and people of different backgrounds (range of single scores in brackets)
ziqi-table-4 = Table 4: precision of highly educated people and GPT-4 in each category
ziqi-table-1-note = recall is right answers of all questions; the paper counts 14,244 + 200 questions, the released data 14,139 + 195; it names no number of examples
ziqi-table-2-note = other regions: the mean of the subthemes' F1
ziqi-people-note = people and GPT-4 were asked 114 questions, two of each subtheme{ $table ->
    [3] ; people's scores are printed as if in %, but read like right answers of 114: one person's 64.00 is no k of 114 in %, and 64.75 and 64.91 of 114 are 56.8 and 56.9 %, near the 58.4 and 58.9 % of Table 4; GPT-4's 67.54 % is 77 of 114
   *[other] {""}
}

bias-runs = give runs of ziqi, or --published for the paper's models
bias-other = { $folder } is a run of { $benchmark }: give runs of ziqi
ziqi-no-examples = { $path }: missing: --shots takes its examples from there
ziqi-few-models = { $one ->
    [true] one
   *[false] no
} model has answers on all four themes, and a mean needs two or more: give further runs of ziqi, or --published beside them
ziqi-no-question = { $path }: holds no question below its header: is the file complete?
ziqi-empty = { $path }: empty: it must begin with the header { $columns }
ziqi-no-column = { $path }:1: no column { NAMES($missing) }: the header must be { $columns }
ziqi-nothing-of = { $data }: nothing of { NAMES($wanted) }: it has { NAMES($present) }
ziqi-released = --released { $folder }: no { $files } in it: { $mend }
ziqi-no-program = { $path }: not the released program: { $mend }
ziqi-unread = { $path }: cannot be read ({ $why }): { $mend }
ziqi-no-prompt = { $path }: no one prompt with five places in make_prompt: { $mend }
ziqi-two-prompts = --prompts { $folder } and --released { $released }: give one of the two
ziqi-few-examples = { $path }: { $examples } different examples: --shots { $shots } needs { $shots }
ziqi-known = { $title ->
    [none] { $stem }
   *[other] { $stem }
}
