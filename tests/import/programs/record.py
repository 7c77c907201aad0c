"""Writes what torch itself records of a job of three ranks into a folder: flight recorder dumps in both forms, and traces of its
profiler. Rank 1 leaves the last all_reduce out. All ranks are forked from one process, which imports torch once."""

import json
import os
import sys
import time

import torch
import torch.distributed as dist

RANKS = 3


def entries():
    return json.loads(torch._C._distributed_c10d._dump_fr_trace_json())["entries"]


def profile(rank, folder, ones):
    rows = [torch.zeros(8) for _ in range(RANKS)]
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], record_shapes=True) as profiler:
        for _ in range(2):
            dist.all_reduce(ones)
            dist.all_gather(rows, ones)
    os.makedirs(f"{folder}/traces", exist_ok=True)
    profiler.export_chrome_trace(f"{folder}/traces/profile.{rank}.json")


def absent_is_last(rank):
    """Who wrote before the others waited isn't accused. A file's time is as coarse as the kernel's tick."""
    store = dist.distributed_c10d._get_default_store()
    store.add("waiting", 0 if rank == 1 else 1)
    while rank == 1 and int(store.add("waiting", 0)) < RANKS - 1:
        time.sleep(0.01)
    time.sleep(0.05)


def train(rank, folder):
    ones = torch.ones(8)
    profile(rank, folder, ones)
    dist.all_reduce(ones)
    pair = dist.new_group([0, 1])
    if rank in (0, 1):
        dist.broadcast(ones, 0, group=pair)
    rows = [torch.zeros(8) for _ in range(RANKS)]
    dist.all_gather(rows, ones)
    dist.gather(ones, rows if rank == 0 else None, dst=0)
    dist.scatter(ones, rows if rank == 0 else None, src=0)
    dist.barrier()
    # What is over is marked a moment later.
    while any(not entry["retired"] for entry in entries()):
        time.sleep(0.01)
    work = None if rank == 1 else dist.all_reduce(ones, async_op=True)
    absent_is_last(rank)
    for ending, write in (("json", "_dump_fr_trace_json"), ("pkl", "_dump_fr_trace")):
        content = getattr(torch._C._distributed_c10d, write)()
        os.makedirs(f"{folder}/{ending}", exist_ok=True)
        with open(f"{folder}/{ending}/trace_{rank}.{ending}", "wb") as out:
            out.write(content)
    return work


def run(rank, folder):
    dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=RANKS)
    work = train(rank, folder)
    # Nobody goes before all have written: an operation ends with an error when a member is gone.
    dist.distributed_c10d._get_default_store().add("written", 1)
    while int(dist.distributed_c10d._get_default_store().add("written", 0)) < RANKS:
        time.sleep(0.01)
    sys.stdout.flush()
    os._exit(0 if (work is None) == (rank == 1) else 1)


def main():
    folder = os.path.abspath(sys.argv[1])
    children = []
    for rank in range(RANKS):
        child = os.fork()
        if child == 0:
            run(rank, folder)
        children.append(child)
    failed = [child for child in children if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0]
    sys.exit(1 if failed else 0)


main()
