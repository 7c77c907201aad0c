"""Runs a script as several ranks that share one import of torch: torch_ranks.py SIZE PORT SCRIPT.

Every rank is a fork. At the end it prints for each, in order, "rank N: exit CODE" and what the rank printed;
what a failed one said on standard error follows.
"""
import os
import runpy
import sys
import tempfile
import traceback

import torch  # noqa: F401
import torch.distributed  # noqa: F401

size, port, script = int(sys.argv[1]), sys.argv[2], sys.argv[3]


def run(rank, output, error):
    os.dup2(output.fileno(), 1)
    os.dup2(error.fileno(), 2)
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(size), MASTER_ADDR="127.0.0.1", MASTER_PORT=port)
    sys.argv = [script]
    code = 1
    try:
        sys.path[0] = os.path.dirname(script)
        runpy.run_path(script, run_name="__main__")
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


ranks = []
for rank in range(size):
    files = tempfile.TemporaryFile(), tempfile.TemporaryFile()
    pid = os.fork()
    if pid == 0:
        run(rank, *files)
    ranks.append((pid, files))
for rank, (pid, (output, error)) in enumerate(ranks):
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    output.seek(0)
    error.seek(0)
    said = output.read().decode(errors="replace")
    if code != 0:
        said += error.read().decode(errors="replace")[-2000:]
    print(f"rank {rank}: exit {code}\n{said}", end="\0", flush=True)
