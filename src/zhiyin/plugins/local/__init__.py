"""Models that run on this machine: checkpoints by transformers or vLLM, and programs over pipes.

``hf:``          `checkpoint` reads the spec, finds and loads, and knows what architectures take;
                 `inputs` turns messages into tensors, `decoding` tensors into replies and scores of
                 continuations, `batches` decides what is asked together.
``vllm:``        vLLM inside this process.
``subprocess:``  any program that speaks the protocol of `pipe`.

Nothing heavy is imported until a model is opened.
"""

from pathlib import Path

from zhiyin.extensions import Command, ModelKind

COMMANDS = {
    "batch": Command(
        "ask what was written out in bulk, through Ray Data",
        "zhiyin.plugins.local.batch_command",
        group="examine",
        prints=True,
    )
}
HF = ModelKind(
    "zhiyin.plugins.local.hf:HfModel",
    {"hf:PATH_OR_ID": "a checkpoint on this machine, by transformers: text, or text and sound"},
    "read",
    "memory",
)
VLLM = ModelKind(
    "zhiyin.plugins.local.vllm_offline:VllmModel",
    {"vllm:PATH_OR_ID": "a checkpoint on this machine, by vLLM"},
    "read",
    "memory",
)
SUBPROCESS = ModelKind(
    "zhiyin.plugins.local.pipe:PipeModel",
    {"subprocess:COMMAND": "a program that answers over pipes, a JSON object a line"},
    "read",
)
POOL = ModelKind(
    "zhiyin.plugins.local.pool:Pool",
    {"pool:URL,URL#MODEL": "one model behind several such servers (or pool:FILE#MODEL)"},
    "sent",
    "served",
)
PROVIDERS = Path(__file__).with_name("providers.json")
"""Whatever Inspect AI and LiteLLM reach."""
