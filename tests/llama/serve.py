"""llama.cpp's own HTTP server over a model file, until its standard input ends.

``python -m tests.llama.serve MODEL SLOTS`` prints its address. xllamacpp carries the server as a
library; it lives in a process of its own, so that a fault in it ends no test run.
"""

import sys

import xllamacpp


def serve(model: str, slots: int) -> None:
    """Serve on a free port of this machine."""
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = slots
    params.n_ctx = 1024 * slots
    params.fit_params = False
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.endpoint_metrics = True
    params.endpoint_slots = True
    params.warmup = False
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
