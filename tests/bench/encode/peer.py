"""onnxruntime for Python on the same texts and weights: sorted by length, the same token budget. Prints one JSON line."""
import json
import sys
import time

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

folder, threads, budget = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
texts = json.load(sys.stdin)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = threads
session = onnxruntime.InferenceSession(folder + "/onnx/model_quantized.onnx", options, providers=["CPUExecutionProvider"])
tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")
ids = sorted(([*i[:255], 102] if len(i) > 256 else i for i in (e.ids for e in tokenizer.encode_batch(texts))), key=len)


def run(batch):
    length = max(map(len, batch))
    tokens = np.zeros((len(batch), length), np.int64)
    mask = np.zeros_like(tokens)
    for row, own in enumerate(batch):
        tokens[row, : len(own)] = own
        mask[row, : len(own)] = 1
    session.run(None, {"input_ids": tokens, "attention_mask": mask})


run(ids[:2])
start = time.perf_counter()
batch = []
for own in ids:
    if batch and (len(batch) + 1) * len(own) > budget:
        run(batch)
        batch = []
    batch.append(own)
run(batch)
ms = (time.perf_counter() - start) * 1000
print(json.dumps({"ms": ms, "tokens": sum(map(len, ids)), "version": onnxruntime.__version__}))
