"""The peer of the search benchmark: faiss IndexFlatIP or numpy, one thread or all, asked over stdin in JSON lines."""
import json
import os
import sys
import time

threads = int(sys.argv[2])
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = str(threads)
import numpy as np

name = sys.argv[1]
if name == "faiss":
    import faiss

    faiss.omp_set_num_threads(threads)
    version = faiss.__version__
    default_threshold = faiss.cvar.distance_compute_blas_threshold
else:
    version = np.__version__


def reply(value):
    print(json.dumps(value), flush=True)


reply({"name": name, "version": version, "numpy": np.__version__})
for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "load":
        documents = np.load(request["documents"])
        queries = np.load(request["queries"])
        if name == "faiss":
            index = faiss.IndexFlatIP(documents.shape[1])
            index.add(documents)
        reply({"rows": documents.shape[0]})
    elif request["do"] == "search":
        count, k = request["count"], request["k"]
        some = np.ascontiguousarray(queries[:count])
        if name == "faiss":
            faiss.cvar.distance_compute_blas_threshold = 1 if request["mode"] == "blas" else default_threshold
            start = time.perf_counter()
            scores, ids = index.search(some, k)
            ms = (time.perf_counter() - start) * 1e3
        else:
            start = time.perf_counter()
            products = some @ documents.T
            part = np.argpartition(-products, k - 1, axis=1)[:, :k]
            order = np.argsort(-np.take_along_axis(products, part, 1), axis=1, kind="stable")
            ids = np.take_along_axis(part, order, 1)
            ms = (time.perf_counter() - start) * 1e3
        reply({"ms": ms, "ids": ids.tolist() if request.get("ids") else None})
    elif request["do"] == "exact":
        # float64, ties by row: a check, not a race.
        wide = documents.astype(np.float64)
        norms = np.sqrt((wide * wide).sum(1))
        out = []
        for q in queries[: request["count"]].astype(np.float64):
            scores = (wide @ q) / norms
            out.append(np.lexsort((-np.arange(len(scores)), -scores))[: request["k"]].tolist())
        reply({"ids": out})
