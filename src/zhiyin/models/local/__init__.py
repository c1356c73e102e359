"""Models that run on this machine: checkpoints by transformers or vLLM, and programs over pipes.

``hf:``          `checkpoint` finds and loads, `families` knows what architectures take and do,
                 `inputs` turns messages into tensors, `decoding` tensors into replies,
                 `likelihood` scores continuations, `batches` decides what is asked together.
``vllm:``        vLLM inside this process.
``subprocess:``  any program that speaks the protocol of `pipe`.

Nothing heavy is imported until a model is opened.
"""
