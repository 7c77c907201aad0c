"""What torch itself writes of a job: evidence.py recorder|profile FOLDER.

recorder: rank 1 is absent from the last all_reduce, and each rank writes its flight recorder's dump. profile: each rank
writes torch.profiler's trace of ten all_reduces.
"""
import os
import sys
import time
from pathlib import Path

os.environ["TORCH_FR_BUFFER_SIZE"] = os.environ["TORCH_NCCL_TRACE_BUFFER_SIZE"] = "2000"

import torch
import torch.distributed as dist
from torch._C import _distributed_c10d as c10d

from rank_device import DEVICE, IS_CUDA, RANK, join, synchronize

MODE, FOLDER = sys.argv[1], Path(sys.argv[2])
join()
store = dist.distributed_c10d._get_default_store()
numbers = torch.ones(1 << 20, device=DEVICE)


def reduce():
    dist.all_reduce(numbers)
    synchronize()


def meet(where):
    """Without an operation."""
    store.set(f"{where}{RANK}", "here")
    store.wait([f"{where}{rank}" for rank in range(dist.get_world_size())])


reduce()
if MODE == "recorder":
    for _ in range(9):
        reduce()
    work = dist.all_reduce(numbers, async_op=True) if RANK == 0 else None
    time.sleep(3)  # the recorder's watchdog has looked
    dump = c10d._dump_nccl_trace() if IS_CUDA else c10d._dump_fr_trace()
    (FOLDER / f"dump_{RANK}").write_bytes(dump)
    meet("dumped")
    if RANK != 0:
        dist.all_reduce(numbers)
    else:
        work.wait()
    synchronize()
else:
    activities = [torch.profiler.ProfilerActivity.CPU] + ([torch.profiler.ProfilerActivity.CUDA] if IS_CUDA else [])
    with torch.profiler.profile(activities=activities) as profile:
        for _ in range(10):
            reduce()
    profile.export_chrome_trace(str(FOLDER / f"rank{RANK}.json"))
meet("end")
dist.destroy_process_group()
