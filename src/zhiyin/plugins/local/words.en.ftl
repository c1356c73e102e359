
local-journal = { $path }, line { $number }: no line of the journal ({ $why }); delete it, and its requests are handed in again
local-journal-unwritten = { $path }: cannot be written ({ $why }): nothing is handed in that could be handed in twice
local-seconds = { $variable }={ $text }: give a number of seconds above 0
local-incomplete = model '{ $kind }' is not complete: write { $kind }:PATH_OR_ID
local-option = { $kind }:{ $place }: option { $word }: write NAME=VALUE
local-no-option = { $kind }:{ $place } has no option { $name }: { $hint }
local-one-of = { $kind }:{ $place }: { $name }={ $value }: write one of { $allowed }
local-whole = { $kind }:{ $place }: { $name }={ $value }: give a whole number above 0
local-no-folder = { $kind }:{ $place }: there is no such folder
local-revision = { $spec }: a folder has no revisions: leave out revision=
local-no-config = { $name }: no config.json there: it is no checkpoint
local-lacks = { $name }: lacks { $missing } of the weights of { $kind }, among them { $first }: they would be random; fetch the checkpoint again
local-no-class = { $name }: transformers { $version } has no class for { $type }: install another version, or reach it through a server or subprocess:
local-unloaded = { $name }: { $what } cannot be loaded: { $fault }
local-function = { $spec }: no function: write one from a list of texts to vectors
local-embedder = embedder { $spec }: cannot be loaded ({ $line }): name another
local-which = --extract { $nearest }: which model? write { $nearest }MODEL
local-vector = { $nearest }{ $spec }: gave no vector for a text: return one for each
local-device = { $name }: device={ $wanted }: write cpu, cuda, cuda:N, mps or spread
local-command = model 'subprocess' is not complete: write subprocess:COMMAND
local-program = subprocess:{ $command }: there is no program { $words }
local-start = subprocess:{ $command }: start={ $match }: write seconds, up to { $most }
local-pool = a pool names its servers and its model: write { $pool }
local-addresses = { $file }: no such file of addresses; write { $pool }
local-batch-ray = --batch hands requests to a provider: leave out --ray
local-vllm = vllm is not installed: pip install vllm (it wants its own torch: an environment of its own is best), or serve the model and give http://HOST:PORT/v1#MODEL
local-vllm-start = { $name }: vLLM does not start: { $why }
local-pool-twice = { $where }{ $place } is named twice: a server counts once
local-pool-empty = { $where }no address: write one a line, such as http://HOST:PORT/v1
local-no-utf8 = not text in UTF-8
