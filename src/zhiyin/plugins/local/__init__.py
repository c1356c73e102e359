"""Models that run on this machine: checkpoints by transformers or vLLM, and programs over pipes.

``hf:``          `checkpoint` reads the spec, finds and loads, and knows what architectures take;
                 `inputs` turns messages into tensors, `decoding` tensors into replies and scores of
                 continuations, `batches` decides what is asked together.
``vllm:``        vLLM inside this process.
``subprocess:``  any program that speaks the protocol of `pipe`.

Nothing heavy is imported until a model is opened.
"""

from zhiyin.extensions import Command

COMMANDS = {
    "batch": Command(
        "ask what was written out in bulk, through Ray Data",
        "zhiyin.plugins.local.cli.batch",
        group="examine",
        prints=True,
    ),
}
