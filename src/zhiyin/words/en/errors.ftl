# Errors: one line, what is wrong, where, and how to fix it.

# What argparse finds, and what was typed: cli/__init__.py.
error-see = { $what }; see `{ $help }`
error-required = the following arguments are required: { $names }
error-one-of = one of the arguments { $names } is required
error-takes-none = argument { $flag }: ignored explicit argument { $value }
error-wants = argument { $flag }: expected { $few ->
    [single] one argument
    [most] at most one argument
    [least] at least one argument
   *[other] { $few } arguments
}
error-not-with = argument { $flag }: not allowed with argument { $other }
error-twice = argument { $flag }: listed twice, and takes one value{ $model ->
    [true] {" "}(several models: `zhiyin suite`)
   *[false] {""}
}
error-argument = unknown argument { $words }
error-choice = { $name } { $value }: { $hint }
error-flag = unknown flag { $flag }{ $close ->
    [none] {""}
   *[some] : did you mean { OR($close) }?
}{ $elsewhere ->
    [none] {""}
   *[some] ; { $elsewhere }
}
error-no-lang = --lang is of pages: a terminal speaks the language of ZHIYIN_LANG=zh (or en), else of the locale
error-command = unknown command { $name }: { $hint }
error-gone = { $what } is gone: { $now }
error-did-you-mean = { $close ->
    [none] known: { NAMES($known) }
   *[some] did you mean { OR($close) }?
}
error-no-utf8 = an argument holds bytes that are no UTF-8: rename what it names
error-interrupted = interrupted
error-memory = not enough memory for this; try a part of it
error-system = { $where ->
    [none] {""}
   *[other] { $where }{": "}
}{ $why }; mend that and try again
error-of-system = { $code ->
   *[other] { $words }
}
error-package = { $package } is not installed: { $how }
error-listen = cannot listen on { $at } ({ $why }); choose another { $flag }

# What is named: benchmarks, models, policies.
error-which-class = { $name }: which class of it? write { $name }:CLASS
error-no-questions = { $name }: { $there ->
    [true] no questions in it
   *[false] no such file or folder
}; give a benchmark (`zhiyin list`) or your questions
error-benchmark = unknown benchmark { $name }: { $hint }
error-policy = unknown extraction policy { $name }: { $hint }
error-protocol = unknown --protocol { $name }: known: { NAMES($known) }
error-column = unknown column { $name }: { $hint ->
    [none] no package here brings any
   *[other] { $hint }
}
error-model = unknown model { $name }: { $openai ->
    [none] {""}
   *[other] did you mean openai:{ $openai }?{" "}
}{ $hint }
error-incomplete = model { $name } is not complete: write { $form }
error-nothing-after = model { $name } takes nothing after it: write { $form }
error-begins-http = unknown model { $name }: an address begins with http: write { $form }
error-function-in = unknown model { $name }: a function in it is written { $form }
error-no-model-named = no model is named: write { $form }
error-python = python:{ $spec }: write python:MODULE:FUNCTION or python:FILE.py:FUNCTION
error-import = python:{ $spec }: cannot import { $place }: { $why }
error-no-function = python:{ $spec }: no function { $name } in { $where }: { $hint ->
    [none] it has none
   *[other] { $hint }
}
error-no-command = { $name } has no command { $command }: { $hint }; `zhiyin run { SHELL($name) } -m MODEL` examines a model on it
error-benchmark-typed = { $name } is a benchmark with { $commands ->
    [none] no commands of its own
   *[some] commands of its own: { NAMES($commands) }
}; `zhiyin run { SHELL($name) } -m MODEL` examines a model on it

# Keys, addresses, servers.
error-needs-key = { $name } needs a key: set the environment variable { OR($variables) }
error-odd-key = { $variable } holds characters that no key has: set it again
error-password = { $where }: a user name or password in an address is not sent; take it out and set ZHIYIN_API_KEY instead
error-no-address = { $where }: not an address; write http://HOST:PORT/v1 or https://HOST/v1
error-redirects = { $where } redirects ({ $status }) to { $to ->
    [none] nowhere
   *[other] { $to }
}; give the address that answers itself
error-not-served = { $where } has no model { $name } (404); it has { NAMES($has) }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
}
log-server-gone = cannot reach { $where }: { $why }; is the server running?
log-proxy-gone = cannot reach { $where }: { $why }; is it running? NO_PROXY goes past it
log-no-credit = the account has no credit left ({ $reason })
log-wants-key = { $where } wants a key ({ $reason }); set { $variable }
log-other-key = { $where } refuses the key in { $variable } ({ $reason }); set it again
log-key-refused = the key was refused ({ $reason }); check the key and what it may do
log-no-such-model = no such model or address ({ $reason }); check the model's name, and that the URL is the one that ends in /v1
error-no-logprobs = { $name } gives no log-probabilities: leave out --score, or take a model that does (hf:, or a server with logprobs)
error-no-batches = --batch: nothing here hands in batches: leave it out
error-no-options = baseline { $name } picks among options, and no trial of { $benchmark } has any: take a model

# Values of flags.
error-value = { $flag ->
    [none] {""}
   *[other] { $flag }
}{" "}{ $value }: give { $wanted ->
    [int] a whole number
    [float] a number
    [str] text
    [other] another value
   *[else] { $wanted }
}{ $least ->
    [none] { $above ->
        [none] {""}
       *[other] {" "}above { $above }{ $most ->
            [none] {""}
           *[other] {" "}and up to { $most }
        }
    }
   *[other] { $most ->
        [none] , { $least } or more
       *[other] {" "}from { $least } to { $most }
    }
}
error-true-false = { $flag } { $value }: give True or False
error-needs-flag = { $flag } needs { $first }
error-limit-sample = --limit and --sample do not go together: give one of them
error-score-batch = --score and --batch do not go together: leave out one of them
error-thinking = --thinking { $value }: give a number of tokens, 1 or more, or a word: { $hint }
error-budget = { $where } { $text }: write 5usd, 2Mtokens or 1000calls
error-budget-twice = { $where } { $text }: { $unit } stand there twice
error-priceless = --budget in usd: the price of { $model } is not known: write it into the table that `zhiyin prices` names, or give tokens or calls
error-cache = --cache { $value }: write a number of days such as 7, always, off, or session in a suite
error-shard = --shard { $text }: write 1/16 for the first of sixteen, 16/16 for the last
error-shots = --shots { $shots }: give a whole number, 0 or more
error-few-examples = --shots { $shots }: { $n } worked examples with an answer, of the kind { $kind } and not itself, which line { $line } needs: mark rows as example, or ask with fewer
error-say-judge = answers are to be judged by a rubric: say --judge MODEL
error-columns = --columns { $pair }: write MEANING=COLUMN, such as question=stem
error-columns-hint = --columns { $pair }: { $where ->
    [none] {""}
   *[other] { $where }:{" "}
}{ $hint }
error-has-none = { $flag } { $value }: { $path } has none; leave the flag out
error-lang = --lang { $lang }: a page is in en or zh; --lang en,zh writes both
error-table-out = --out { $out }: end it in .tex, .md, .csv or .html, or say --to; a figure (.pdf, .svg, .png) takes --as BENCHMARK:FIGURE, see `zhiyin reproduce`
error-published = --published { $pattern }: no published row of these benchmarks is called so: { $hint }
error-published-several = { AND($runs) }: no such folder; several published rows have commas between them: --published "{ $all }"
error-alpha = alpha { $alpha } is no level of significance: give such as 0.05
error-one-price = one model at a time, or `zhiyin prices import FILE`
error-no-price = the price of { $model } is not known: write it into { $path }
error-nothing-to-ask = nothing to ask: { $name } has no trials with these settings

# Files of questions and data.
error-no-file = { $path }: no such file: correct its name
error-read = { $path }: cannot be read ({ $why })
error-read-name = { $path }: cannot be read ({ $why }); correct its name
error-may-read = { $path }: { $why }: is it a file you may read?
error-folder = { $path }: a folder, but none that `datasets` wrote with save_to_disk: give the file of questions in it
error-suffix = { $path }: not a file of questions: it may end in { NAMES($suffixes) }
error-no-row = { $path }: holds no row{ $below ->
    [true] {" "}below the names of its columns
   *[false] {""}
}: write one a { $unit }
error-not-text = { $path }: not a text table: { $form ->
    [book] it is a workbook: name it { $suffix }, or save it as CSV in UTF-8
    [utf16] it is UTF-16 without a byte order mark: { $way }
   *[other] it is a picture, a PDF or another binary file: save the table as CSV in UTF-8
}
error-utf16 = { $path }: damaged UTF-16: export it again as UTF-8
error-empty = { $path }: is empty: its first line names the columns (question, ...)
error-two-columns = { $path }: two columns are called { $name }: rename one of them
error-not-json = { $path }:{ $where }: not JSON ({ $why })
error-not-list = { $path }: not a list: write [{"{"}...{"}"}, {"{"}...{"}"}], or a .jsonl file
error-spreadsheet = { $path }: not a spreadsheet that can be read ({ $why }): save it anew, as .xlsx or as CSV in UTF-8
error-sheets = { $path }: several sheets: say --sheet NAME: { NAMES($names) }
error-sheet = --sheet { $name }: { $path }: { $hint }
log-needs-table = { $owner } needs --data, the table of questions or its folder ({ $home })
error-which-file = { $path }: { NAMES($names) }: which is it? name the file with --data
error-none-of = { $path }: holds none of { NAMES($files) }; get it from { $home }
error-not-utf8 = { $path }:{ $line }: not UTF-8: save it as UTF-8 (it looks like { $likely ->
    [GBK] GBK, as Excel writes it in China
   *[CP1252] Windows-1252, as Excel writes it in Western Europe
}: { $way }; if it is { $likely ->
    [GBK] Windows-1252, as Excel writes it in Western Europe
   *[CP1252] GBK, as Excel writes it in China
}: { $other })
error-not-csv = { $path }:{ $line }: not CSV from here on ({ $why }): close and double the quotes
error-no-question-file = no file of questions: `zhiyin run my_questions.csv -m MODEL`
error-no-question-column = { $where }: no column of questions among { $names ->
    [0] none
   *[other] { NAMES($names) }
}: call it question, or say --columns question=NAME
error-row = { $at }: { $item ->
    [none] {""}
   *[other] item { $item }:{" "}
}{ $problem }: { $remedy }
fault-kind = { $problem } ({ $rows }{ $others ->
    [none] {""}
   *[some] ; alike: { NAMES($others) }
}): { $remedy }
fault-own = { $problem } ({ $rows })
fault-rows = { $n ->
    [one] { $unit }
   *[other] { $unit }s
} { NAMES($lines) }{ $more ->
    [true] {" "}..., { $n } in all
   *[false] {""}
}
error-rows = { $path }: { $n } { $n ->
    [1] row
   *[other] rows
} cannot be asked: { CLAUSES($rows) }{ $more ->
    [0] {""}
   *[other] ; and { $more } more kinds: `zhiyin data check { SHELL($path) } --all` lists them
}
log-fetch = { $why }; `zhiyin data fetch { SHELL($name) }` gets the data
error-same-id = two trials share the id { $id }: every item needs an id of its own
row-no-question = no question
row-write-it = write it
row-no-answer = no answer
row-write-right = write what is right
row-id-again = the id { $id } stands in an earlier row too
row-own-id = give each row its own
row-no-scorer = no options and no scorer
row-no-options-column = no scorer, and no column of options among { NAMES($names) }
row-say-options = say --columns { SHELL($column) }
row-say-scorer = say --scorer NAME (normalised, number:1, notes, ...; `zhiyin run questions --help`), or fill a column 'scorer'
row-mend-path = mend the path; --columns { $column }= asks without { $kind }
row-bad-answer = the answer { $answer } is not one of the { $n } options
row-name-one = write one of { NAMES($names) }, or an option's text
row-answer-of = name one of { NAMES($names) }
row-answer-alike = the answer { $answer } is the text of options { NAMES($same) } alike
row-answer-counted = the answer { $answer } could be counted from 0 or 1, and other answers are no numbers
row-write-letter = mend the options, or write a letter
row-file = { $file } { $what }
row-not-there = is not there (looked in { $folder })
row-address = is an address: download it, and write the path of the file
row-outside = leaves the folder { $folder }{ $anywhere ->
    [true] {""}
   *[false] : name the folder above both by --audio-root
}
row-yes-no = { $text } is neither yes nor no
row-write-yes = write yes for a worked example, or nothing
row-group-all = a group called 'all'
row-all-are = all questions are that group
row-options-scorer = options, and a scorer for free answers ({ $scorer })
row-leave-one = leave one of the two empty
row-mend-scorer = mend the scorer
row-no-rubric = a judge without a rubric
row-say-rubric = say --rubric TEXT or FILE
row-options-json = an object of options that is not JSON
row-options-unclear = options that cannot be distinguished
row-options-objects = options that are objects without a text
row-mend-options = { $unclear ->
    [true] write a list, or part them by | or ; or line breaks (or say --delimiter)
   *[false] mend the options
}
row-gap = option { $option } is empty and one behind it is not
row-many-options = { $n } options, and a choice has { $least } to { $most }
row-empty-option = option { $option } is empty
row-not-json = not JSON ({ $why })
row-one-object = write one object a line

# Folders of runs, and what is written.
error-no-run = { $folder } is not a run: { $what ->
    [file] it is a file
    [nothing] no such folder
   *[folder] no { $lacks } in it{ $inner ->
        [none] {""}
       *[other] , but { $inner } is one
    }
}; give a folder that `zhiyin run` wrote
error-unanswered = { $folder }: { $n ->
    [none] its runs have
    [one] its run has
   *[other] its { $n } runs have
} no answers; `zhiyin status { SHELL($folder) }` says why
error-no-record = { $where }: not a record ({ $why })
error-line = { $why }; delete the line to ask that trial again
error-manifest = { $path }: not a run's manifest ({ $why })
error-write-to = cannot write to { $folder }: { $why }; choose another folder with --out
error-not-made = { $folder } cannot be made: choose another folder with --out, or change to one that is there
error-taken = { $folder } is being written by another zhiyin: wait for it to end, or choose another folder with --out
error-half-run = { $folder } holds { $records } but no { $manifest }: choose another folder
error-other-settings = { $folder } holds a run with other settings ({ CLAUSES($changes) }): choose another folder with --out, or repeat the old settings{ $moved ->
    [true] ; only a run begun with -m pool:FILE#MODEL goes on at other addresses
   *[false] {""}
}
error-make-room = cannot write to { $path }: { $why }; everything logged so far is safe: make room and run the same command again
error-none-judged = { $folder }: no trial has been judged yet; finish the run first
error-one-run = one run has nothing to be compared with: give two or more
compare-alone = nothing of the same benchmark to compare with: { NAMES($runs) }
error-two-benchmarks = runs of two benchmarks cannot be compared, { $of } ({ $first }) and { $benchmark } ({ $other }): give runs of one
error-same-run = { $folder }: the same run twice; give different runs
error-no-runs = { $folder }: { $there ->
    [true] no run in it
   *[false] no such folder
}; give the folder that holds the runs
error-out-file = { $out } is a file: give a folder, or a name that ends in .html
error-write = cannot write { $out }: { $why }; choose another with -o
error-no-report = { $out } holds something else than a report: choose another with -o, or empty it
error-no-batch-api = --batch: { $why }: take openai:, openai-responses:, anthropic: or gemini:
error-no-batches-of = { $name } has no batches
row-give-path = give its path, bytes or samples; --columns { $column }= asks without
row-no-medium = an object that holds no file

# What logs and JSON keep in English, and a terminal says in its language: words/reasons.py.
log-server-said = the server said { $reason }
log-not-reached = cannot reach { $where }: { $why }
log-no-reply = no reply within { $seconds } s
log-broke-off = the connection broke before the end of the reply
log-replied-with = the server replied with { $what }: is the address right?
log-web-page = a web page
log-empty = the server's reply is empty
log-no-form = the server's reply is no { $what } ({ $why })
log-one-try = { $why } (1 try)
log-tries = { $why } ({ $n } tries)
log-refused-alike = { $n } trials in a row were refused alike: { $why }
log-without-sound = { $why }; take a model that hears, or ask without sound: { $hint }
log-one-failed = 1 trial failed ({ $why })
log-trials-failed = { $n } trials failed ({ $why })
log-failed-in-a-row = { $n } trials in a row failed; the last: { $why }
log-spent = { $what } of { $limit } is spent ({ $used }); the same command with a larger --budget goes on from here
log-spent-next = { $used }; what comes next takes { $more }
log-spent-before = { $used } before what was on its way
log-last-failed = { $ended }, and its last try had failed: { $why }
log-the-budget = the budget
log-not-all = not all of it was asked; the same command goes on from here
log-interrupted = interrupted
log-ended-by = ended by { $signal }
log-again = the same command goes on from here
log-killed = it was killed; the same command goes on from there
log-quiet = its last session did not end: it was killed, or goes on at another machine and waits for replies
log-refused-connection = connection refused
log-raised = { $name } raised { $why }
log-no-answer = no answer in time
log-needs-data = { $name } needs --data, a folder with { $file } (from { $home })
log-was = { $name } was { $before }, now { $after }
log-no-sound = the model takes no sound ({ $reason })
log-no-pictures = the model takes no pictures ({ $reason })
error-no-format = { $name }: no format is known in which its answers are published; --from auto reads the files of other programs
row-many-cells = { $n } cells, and the header names { $most }
row-quote-cells = put cells with the delimiter in them in quotes
row-no-answer-column = no column of answers among { NAMES($names) }
row-call-it-answer = call it answer, or say --columns answer=NAME
unsupported = unsupported: { $why }
error-no-attention = { $run }: true audio and another condition are needed to compare, and its conditions are: { $played ->
    [0] none
   *[other] { NAMES($played) }
}; ask with --audio true,noise,swap
log-not-asked-yet = not asked yet

merge-no-shard = { $folder } is no shard of a run: give folders of `run --shard`
merge-busy = { $folder } is being written: wait until this shard is done
merge-lacks = { $folder }: no { $share } in it: run this shard again
merge-there = { $out } is there already: choose another folder with --out
merge-differ = { $folder } and { $folderb } are shards of different runs ({ $listed }): merge shards of equal settings
merge-wholes = { $label } and { $labelb } are shares of different wholes ({ $units } and { $unitsb ->
    [one] { $unitsb } trial or sequence
   *[other] { $unitsb } trials or sequences
}, or other names): the benchmark or its data have changed between them
merge-changed = the shares hold { $every ->
    [one] { $every } trial or sequence
   *[other] { $every } trials or sequences
}, and not the { $units } of the whole: a { $share } was changed; run that shard again
merge-foreign = { $label } holds trial { $id }, which is not in its share

extract-text = { $where }: no "text" that is a string; write { $example }
extract-number = { $where }: "options" is { $given }; give a number from 1 to 26
extract-options = { $where }: "options" is neither a list of texts nor a number of options
extract-many = { $where }: { $texts } "options"; give 26 at most

prices-date = --date { $text }: write it as 2026-01-31
prices-date-import = --date belongs to `zhiyin prices import FILE`: leave it out
prices-import = `zhiyin prices import FILE` takes LiteLLM's model_prices_and_context_window.json

error-own-setting = { $name } takes no { $word } but its own: say { $flag } default
error-no-thinking = { $name } cannot be told how to think: leave out --thinking
error-thinking-as = { $name } takes --thinking as { $known }, not { $thinking }
error-format = { $name } takes sound as { $formats }, not as { $format }: say --audio-format { $formatsb }
error-unfit = { $name } cannot take trial { $id }: { $reason }

batch-gpu = vllm: works on a GPU: give each worker one with --ray-gpus 1

# Why a model cannot take a trial.
unfit-picture = it shows a picture, and the model takes none: take a model that sees
unfit-pictures = it shows { $n } pictures, and the model takes { $most }: take another model, or ask with fewer worked examples (--shots)
unfit-system = it has a system message, and the model takes none: take another model
unfit-sound = it plays sound, and the model takes none: take a model that hears{ $how ->
    [none] {""}
   *[other] , or ask without sound: { $how }
}
unfit-sounds = it plays { $n } sounds, and the model takes { $most }: join them into one (--join-clips), take another model, or ask with fewer worked examples (--shots)
unfit-earlier = it plays sound before the last message, and the model hears that one alone: ask without worked examples (--shots 0)

batch-none = { $folder }: no questions to ask: { $trouble }; write them with `zhiyin trials`
batch-strangers = { $file }: { $strangers } answers belong to no question of { $folder } (such as { $strangersb }): move the file away to ask again
batch-answers = { $folder } holds answers { $whose }: move it away to ask { $spec } the same questions

sound-unread = { $name }: cannot be read ({ $what })
sound-undecoded = { $name }: not audio that can be decoded; { $mend }
sound-empty = { $name }: holds no samples; { $mend } that is not empty
error-no-path = { $name }: no path: mend it in the data
error-leaves = { $name }: leaves the folder { $root }: a data set may name only what lies in its folder; move the file there
sound-mend = give a WAV, FLAC, OGG or MP3 file
sound-broken = { $name }: { $fault }; fetch the file again
sound-bytes-missing = it breaks off: { NUMBER($n, 0) } of the bytes that its header names are not there
sound-no-last-page = it breaks off: its last page does not end the stream
sound-shorter = it breaks off before the { $claimed } s that its header claims
sound-nan = { $name }: a sample at { $place } s is not a number; export it again

error-no-published = { $name }: no format is known in which its answers are published
error-no-check = { $name } has no data to check
error-no-make = zhiyin makes no data for { $name }

sound-silent = { $path }: silent, so that no noise can be as loud; put a sounding file there
control-undecoded = { $path }: cannot be decoded; give a WAV, FLAC, OGG or MP3 file
control-empty = { $path }: holds no samples there; give a file that is not empty

recipe-which = { $recipe }: which file? such as recipes/NAME.toml
recipe-flags = { $path }: no table [flags]; see docs/how-to/recipes.md
error-data-twice = { $word } is the data: leave --data out

error-no-default = give --{ $what }: it has no default
error-no-use = --{ $flag }: { $name } has no use for it: leave it out

error-alpha-level = --alpha { $alpha } is no level of significance; give such as 0.05

play-as-is = --audio-format as-is alters nothing: leave out --audio-rate and --audio-mono
play-rate = --audio-rate { $rate }: MP3 has no such rate; give one of { $known }
play-limit = --audio-limit { $limit }: give a number of seconds above 0
play-join = --join-clips { $join }: give 0 to { $mostsilences } s of silence

replay-twice = { $where }: id { $id } has an answer already: keep one of the two
replay-no-column = { $path }: no column for the { $name }: call one { $names }
replay-id = { $where }: "id" is { $shown }: give the trial's id
replay-no-answer = { $where }: no answer: give it as "text" (or { $textnames })
replay-no-string = { $where }: "{ $other }" is { $text } and not a string: leave out the lines of trials without an answer
replay-differ = { $where }: "{ $first }" and "{ $other }" differ: keep one of them
replay-no-file = replay: names no file: write replay:FILE.jsonl
replay-empty = { $where }: holds no answers: write one JSON object a line
replay-several = id { $name } has { $n } answers ({ $where }; { $whereb }), and is asked once: keep one
replay-asked = { $where }: id { $id } has an answer already, and is asked { $times }: keep one

error-unwritten = { $path }: cannot be written ({ $why })
error-not-written = cannot write { $path }: { $why }
error-not-written-to = cannot write to { $path }: { $why }
error-cannot-read = { $path }: cannot be read ({ $why })
error-no-folder-made = cannot make the folder { $path }: { $why }
error-give-marks = { $path }: { $why }: give a file of marked replies
seed-there = { $path }: { $why }: name a file that is not there yet
judge-cannot = the judge cannot be asked: { $why }
error-at = { $where }: { $why }
error-unread = { $path }: cannot be read ({ $why }){ $remedy }
line-of = { $path }, line { $line }
save-again = ; save it again with save_to_disk
save-again-unread = cannot be read ({ $why }); save it again with save_to_disk
save-again-columns = what it says of its columns cannot be read ({ $why }); save it again
save-again-labels = { $path }: ClassLabel: { $why }; save it again
forged-which = { $path }: does not say which file holds the questions ({ $why }); name the file itself
forged-changed = { $inside }: has changed since the folder was made: make it again with `zhiyin forge`, or name the file itself
recipe-unread = { $path }: cannot be read ({ $why }); correct { $recipe }
recipe-toml = { $path }: no TOML ({ $why }); see docs/how-to/recipes.md
recipe-value = { $path }: { $name } is no text, number, switch or list; mend it
declares-trial = benchmark { $name }: a trial is of type { $given }, and no Trial
declares-target = trial { $trial }: its target { $target } is the key of none of its options ({ NAMES($keys) }), so that no answer is right
declares-json = trial { $trial }: cannot be kept as JSON: { $why }
declares-trials = benchmark { $benchmark }: `trials` returned { $given }: yield trials
clip-flaw = { $file }: { $flaw }: { $detail }
clip-json = { $path }:{ $where }: not JSON ({ $why }); get the file again
error-distractors = --distractors { $word }: { $hint }
error-read-so = { $path }: cannot be read ({ $why }): correct its name
declares-description = { $path }: { $why }: correct the description
declares-setting = the setting { $field } of { $module }.{ $kind } has the name of a flag of `zhiyin run`: rename it
parquet-kind = { $path }: not a { $kind } file ({ $line }); get it again
parquet-names-none = { $folder }: names no splits; save it again
parquet-splits = { $folder }: several splits: say --split NAME: { NAMES($splits) }
parquet-split = --split { $split }: { $folder }: { $hint }
parquet-no-splits = --split { $split }: { $folder } has no splits; leave the flag out
parquet-index = { $place }: rows by an index: call flatten_indices() before save_to_disk
parquet-no-files = { $place }: names no data files; save it again with save_to_disk
declares-no-policy = policy { $name }: { $kind } makes no zhiyin.reader.Policy called so
declares-policy = policy { $name } of { $source }: { $place } is not a zhiyin.reader.Policy called { $name }
error-released = --released { $released }: nothing is read from there by --protocol { $protocol }{ $able ->
    [none] {""}
   *[some] ; give --protocol { OR($able) }
}
declares-two-names = benchmark { $name } of { $source }: its class is called { $kind }: entry point and class need one name
declares-form = --benchmark { $spec }: write FILE.py:CLASS
declares-other-name = --benchmark { $spec }: its class is called { $kind }, and the runs are of { NAMES($names) }: give the class that name, or name another
declares-taken = benchmark class { $kind }: the name { $name } is taken
declares-raises = benchmark { $kind }: { $file }:{ $line }, in { $function }: { $why }
declares-no-file = { $spec }: no file { $place }: write FILE.py:Class
declares-has-no = { $spec }: { $path } has no { $attribute }: { $hint }
declares-no-class = { $place }: not a class that derives from zhiyin.contract.Benchmark
declares-small-letters = { $place }: give its class a name of small letters, digits, '-' and '_': name = "my-benchmark"
declares-ours = { $place }: { $name } is the name of a benchmark of Zhiyin: choose another
declares-commands = { $place }: its commands are no mapping of names to contract.Command
declares-no-trials = { $place }: its class makes no trials: write its method trials(self) or sequences(self)
declares-flag = a package adds a flag that `zhiyin run` has already ({ $why }): uninstall the package
declares-faulty = benchmark { $kind } ({ $origin }): its declaration is faulty ({ $why })
table-large = { $path }: a sheet of { $height } rows by { $width } columns, more than { $most } cells: delete what stands far from the table, or save it as CSV
table-twins = { $path }:1: { $n } columns { $name }: keep the right one
table-other = { $path }:1: { $twice ->
    [true] two columns
   *[false] no column
} { $name }; is it the published file?
model-unset = model { $spec }: no shell has put a value in the place of { $literal }, and files take none from the environment: write the name, or give the model with -m in double quotes
model-timeout = timeout { $timeout }: give a number of seconds above 0
model-concurrency = concurrency { $concurrency }: give a whole number of at least 1
model-hears = model { $kind } is given sound at the rate that it hears: leave out --audio-format, --audio-rate and --audio-mono
model-unsent = model { $kind } is sent no sound over the net: leave out --audio-format, --audio-rate, --audio-mono and --audio-limit
model-speaks = { $kind }: what it speaks, { $speaks }, cannot be loaded ({ $why }): mend its file of providers
model-baseline = unknown baseline { $name }: { $hint }
model-capabilities = { $model }: its `capabilities` are { $given }: write zhiyin.Capabilities(...)
model-not-asked = { $way }: cannot be asked ({ $message })
model-none = { $spec }: { $given } is no model: write its method `async def generate(self, messages, sampling, trial)`
model-own-concurrency = { $spec }: its concurrency is { $most }: give a whole number above 0
model-returned = { $model }: its `{ $name }` returned { $given }: return { $wanted }
model-raised = { $model }: its `{ $name }` raised { $why }
model-no-class = { $spec }: { $given } is no model, nor a class of models
model-nothing-after = model { $spec }: takes nothing after its name: leave { $rest } out
model-sound-set = model { $spec } cannot be told how sound is sent: leave out --audio-format, --audio-rate, --audio-mono and --audio-limit
model-unmade = { $spec }: cannot be made: { $why }
model-no-function = python:{ $spec }: { $name } is { $type ->
    [none] a class
   *[other] of type { $type }
}, not a function
model-needs = { $spec }: cannot be made: give { NAMES($needed) } a default; it may ask for { NAMES($given) }
model-secret = { $where }: what follows ? in the address was not written down, since it may be secret: give the whole address, with -m
model-parameters = { $name }: its parameters cannot be told; wrap it in a def
model-called = { $name }: cannot be called; write it with one parameter (messages) or three ({ NAMES($question) })
model-files = --concurrency { $connections } needs { $needed } open files, and { $allowed } are allowed here: take at most { $most }, or raise `ulimit -n`
play-format = --audio-format { $format }: write { NAMES($formats) }
play-rate-range = --audio-rate { $rate }: give { $least } to { $most } Hz
replay-utf8 = { $path }: not UTF-8 ({ $reason }): save it as UTF-8
replay-columns = { $where }: { $n } columns, and this row has others
replay-csv = { $path }, line { $line }: not CSV ({ $why })
replay-object = { $where }: not a JSON object: write {"{"}"id": ..., "text": ...{"}"}
log-room = cannot write to { $path }: { $why }; no call is begun that is not written down: make room and run the same command again
run-no-benchmark = { $path }: { $benchmark } is no benchmark's name: correct it
merge-unwritten = cannot write { $out }: { $why }; choose another --out
merge-twice = { AND($folders) } are both shard { $index }/{ $of }: give each shard once
merge-missing = { $missing ->
    [one] shard
   *[other] shards
} { NAMES($shown) }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
} of { $of } missing: give all shards of the run
merge-both = { $sequence ->
    [true] sequence
   *[false] trial
} { $id } is in { $other } and in { $part }
merge-unfinished = not all is asked yet, in { CLAUSES($lacking) }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } shards
}: run these shards to their end, then merge
sequence-other = sequence { $id } would not ask trial { $trial } now as the log has it: its code or data have changed, its verdicts were scored again, or its next is not pure; choose another folder with --out, or delete its lines from there on
error-unrehearsed = { $trial }: cannot be rehearsed ({ $why })
error-itself = --out { $out } is the run itself: choose another folder
error-at-random = a run that stops by its plan asks plain trials in an order at random: { $benchmark } has sequences, or { OR($flags) } was given
declares-sequences = benchmark { $benchmark }: sequences() returned { $given }: yield them
declares-no-sequence = { $where } gave { $given }: derive its class from zhiyin.Sequence
declares-sequence-id = { $where }: a sequence needs an id, a text that is not empty
declares-sequence-twice = { $where }: two sequences share the id { $name }
declares-sequence-ends = { $where }: { $name } declares at_least { $low } and at_most { $high }: give 1 or more, and no less at most than at least
api-common = benchmark { $kind }: a setting has the name of a common one ({ $why }): write Flag(common=True) at it, or rename it
api-no-setting = { $kind } has no setting { $name }: { $hint }
api-true-false = { $setting } { $value }: give True or False
api-a-value = { $setting } { $value }: give a value, not True or False
api-a-class = model { $name }: a class; give an object, { $name }(...)
api-type = model of type { $name }: give a spec such as 'openai:gpt-4o', a function, or an object with generate()
api-name = { $own }: give it a name, a text by which the run knows it
api-no-setting-of = zhiyin.{ $name } has no setting { $word }: { $hint }
api-set-up = benchmark object { $kind } is set up already: leave out { NAMES($chosen) }, or give the class
api-benchmark = benchmark of type { $name }: give a name, a Benchmark class or an object
api-data = { $given } is the data: leave data out
api-unknown = { $run }: its benchmark { $name } is not known here: define or import its class, and call zhiyin.register(CLASS)
api-figure = unknown figure { $metric }: { $hint }
api-group = { $folder }: no group { $group }: { $hint }
api-unjudged = { $folder }: no { $metric } of { $group }: nothing was judged
api-no-judge = judge { $judge }: no judge graded all of these runs
api-judges = several judges graded these runs: name one as judge=: { CLAUSES($names) }
api-judge = judge { $judge }: { $hint }
compare-no-score = { $folder }: no score named { $measure }; { $hint }
compare-ungraded = { $folder }: its trials are neither right nor wrong: `zhiyin show` tells what they say, and --score compares a score that they have
pairs-no-total = { AND($names) } have no total in common: judge both alike
pairs-ways = { $a } and { $b } hold the same questions, but no trial asked in the same way (such as the same sound, dose of it, or distractors): compare runs that share one, or ask both ways in one run (such as --audio true,none), whose report sets them side by side; with --cache replies that were kept are not paid again
pairs-no-item = { $a } and { $b } have no item in common: they were not asked the same questions
pairs-other-question = the data differ, so they cannot be compared: under { $item } { $b } asks another question than { $a } (in its words, options, key or sound)
pairs-no-name = no { $what } is named { $pattern }: { $hint }
part-fault = { $group }: { $name } has a fault ({ $why }): mend or uninstall it
part-details = its `details` gives no list of Section: give one, which may be empty
error-leave-out = { $flag }: { $why }: leave it out; see `{ $prog } --help`
error-cache-auto = --cache auto: a kept reply may be of another model than the one served now, so none is used unless asked for: write a number of days such as 7, always, or off (default)
error-cache-session = --cache session: shares replies among the runs of a suite, and this is one run: write a number of days such as 7, always, or off
prices-table = { $path }: no table of prices ({ $why }): mend it there
prices-below = { $path }, ["{ $name }"]: a price below 0 is none: mend it there
prices-json = { $path }: no JSON ({ $why })
prices-none = { $path }: holds no prices: give LiteLLM's model_prices_and_context_window.json
store-undeleted = { $part }: cannot be deleted ({ $why })
report-no-tune = { $name } is no tune of these runs: take one that a trial names
table-none-judged = none of these runs has a judged trial{ $main ->
    [true] {" "}in its benchmark's main way
   *[false] {""}
}: there is no figure for a table
report-no-run = no run is given: name one or more
run-score-range = score { $measure } of { $item ->
    [none] an item
   *[other] { $item }
} is { $value }: it must be { $most ->
    [none] { $least } or more
   *[other] from { $least } to { $most }
}
pairs-other-path = trials that were chosen by answers (or by other data) cannot be paired: at { $trial } of sequence { $sequence } { $one } and { $other } were asked different questions
plugin-unloaded = { $group }: { $plugin } of { $source } cannot be loaded from { $place } ({ $why }): mend or uninstall it
file-no-plain = { $path }: it is no plain file: move it away
file-gigabytes = { $variable }={ $text }: give a number of gigabytes, 0 to keep nothing
file-key = cannot keep a key in { $parent } ({ $why }), with which what is secret in an address is hashed: set XDG_CONFIG_HOME to a folder that can be written
file-cache = cannot write to { $folder } ({ $why }); set ZHIYIN_CACHE to a folder
file-made = { $folder }: what was made there cannot be read; try again
prompts-no-folder = { $folder }: no such folder: --prompts FOLDER with text files in it
prompts-replaces-none = { $path }: replaces no prompt: { $hint }
prompts-utf8 = { $path }: not UTF-8: save it as UTF-8
prompts-empty = { $path }: is empty: write the prompt, or remove the file
prompts-missing = { $path }: no {"{"}{ $missing }{"}"}: write it where that is to stand
prompts-unknown = { $path }: unknown placeholder {"{"}{ $unknown }{"}"}: { $hint }
prompts-between = { $path }: write {"{"}first{"}"}, what stands between two options, and {"{"}next{"}"}
archive-bomb = { $path }: { $what ->
    [none] {""}
   *[other] { $what }{" "}
}unpacks from { $packed } kB to { $unpacked } MB: no data do; get the file again
archive-piece = { $path }: unpacks to { $unpacked } bytes, above { $most }: cut out a short piece
archive-parts = { $path }: unpacks to more than { $most } GB: give it in parts
picture-bytes = { $path }: { $size }, and at most { $most } are sent: make the picture smaller
picture-other = { $path }: { $svg ->
    [true] an SVG drawing, which no model takes; export it as PNG
   *[false] not a picture that is sent; { picture-mend }
}
picture-pixels = { $path }: { $width } x { $height } pixels, and at most { $most ->
    [one] 1 million is
   *[other] { $most } million are
} sent: make the picture smaller
picture-moves = { $path }: it moves, and models see one frame: save that one
picture-many = { $path }: more than { $most } million pixels: make the picture smaller
picture-damaged = { $path }: a damaged picture ({ $message }); fetch the file again, or { $mend }
sound-rate = sample rate { $rate } Hz is not above 0: give a rate such as 16000
picture-mend = give a PNG, JPEG, WebP or GIF file
declares-no-benchmark = it holds no benchmark
table-fault = table { $title }: { $fault }
table-kinds = { $kinds } kinds for { $wide } columns: give one for each
table-kind = no kind of column { $kind }: { $hint }
table-cells = row { $row } has { $cells } of { $wide } cells: give one for each column
table-cell = row { $row } has a cell of type { $type }: give text, a number, None, (low, high) or (value, low, high)
