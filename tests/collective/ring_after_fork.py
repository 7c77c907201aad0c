"""Processes that were forked from one that had a ring notice each other's ends; prints OK."""

import datetime
import os
import signal
import sys
import tempfile
import traceback

import torch.distributed as dist


def meet(path, rank):
    dist.init_process_group("ring", store=dist.FileStore(path, 2), rank=rank, world_size=2,
                            timeout=datetime.timedelta(seconds=60))
    dist.barrier()
    if rank == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    try:
        dist.barrier()
    except dist.DistBackendError as error:
        assert "Rank 1 has ended" in str(error), error
    else:
        sys.exit("an end was not noticed")


def forked(path, rank):
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        meet(path, rank)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


dist.init_process_group("ring")
dist.barrier()
dist.destroy_process_group()
with tempfile.TemporaryDirectory() as folder:
    children = [forked(os.path.join(folder, "store"), rank) for rank in range(2)]
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
assert codes == [0, -signal.SIGKILL], codes
print("OK")
