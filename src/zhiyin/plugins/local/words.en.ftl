
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
log-no-batches = { $where } answers { $status } to a batch: leave --batch out where the server takes none, and check the model's name
log-memory-once = memory ran out 1 time; the batches were made smaller and nothing was lost; batch=N makes them so from the start
log-memory = memory ran out { $n } times; the batches were made smaller and nothing was lost; batch=N makes them so from the start
log-clips = it plays { $n } sounds, and { $name } takes { $most }: add --join-clips, or take another model
log-context = the prompt has { $n } tokens, and the model was made for { $most }: ask with fewer worked examples (--shots)
local-has = { $cpus } CPU and { $gpus } GPU
local-no-room = --ray { $place }: no node has room for a worker: each wants { $wants }, and the largest have { $has }; give --ray-cpus and --ray-gpus to suit
log-workers-lost = { $n } workers in a row were lost before they answered ({ $why }): mend it, and run the same command
log-greeting = wrote { $line } where its greeting { $greeting } was to be: what is for people goes to standard error
log-pool-silent = none of the { $n } servers of the pool answers ({ $why }): start them again, and run the same command
local-torchvision = torchvision or torchaudio are installed and do not fit this torch, which breaks transformers: uninstall them, or install builds that go with it ({ $message })
local-own-code = it comes with code of its own: read that code, and add ,code=trusted to run it
local-memory = memory ran out: take device=spread, a smaller dtype, or a smaller model
local-no-repository = no such repository on the hub, or a closed one: check the id, and `hf auth login`
local-gated = the repository wants its terms accepted: do so on the hub, and `hf auth login`
local-no-revision = the repository has no such revision
local-no-entry = no config.json there: it is no checkpoint of transformers
local-no-hub = neither a folder here, nor in the hub's cache, and the hub cannot be reached{ $offline ->
    [true] {" "}(HF_HUB_OFFLINE is set)
   *[other] {""}
}
log-none-named = none is named
