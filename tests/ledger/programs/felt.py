# felt.py BACKEND SIZES...: calls every operation of each size (bytes, as nccl-tests counts them) and prints how long this
# rank was inside of each call by its own clock: "felt OPERATION SIZE NANOSECONDS…". The calls of one kind are spread over
# the whole program, so that what disturbs the machine for a moment isn't in all of them.
# "alone OPERATION SIZE NANOSECONDS…" is how long calls of 4 KiB took in a group of this rank alone, one after each of
# those: what it costs on this machine to make a call whose code such a call has just driven out of the caches.
import os
import sys
import time

import torch
import torch.distributed as dist

dist.init_process_group(sys.argv[1])
rank, ranks = dist.get_rank(), dist.get_world_size()
torch.set_num_threads(1)


def timed(name, arguments, **how):
    call = getattr(dist, name)
    goes_on = name.endswith("_tensor")
    began = time.perf_counter_ns()
    work = call(*arguments, async_op=goes_on, **how)
    if goes_on:
        work.wait()
    return time.perf_counter_ns() - began


def measured(name, size, arguments, alone):
    calls = max(2, min(50, (16 << 20) // size))
    dist.barrier()
    spent = {"felt": [], "alone": []}
    for _ in range(calls):
        spent["felt"].append(timed(name, arguments))
        spent["alone"].append(timed(name, alone, group=group))
    for word, times in spent.items():
        os.write(1, f"{word} {name} {size} {' '.join(map(str, times))}\n".encode())


group = [dist.new_group([member]) for member in range(ranks)][rank]
kib = torch.ones(1024)
sizes = [int(size) for size in sys.argv[2:]]
for size in sizes * 4:
    whole = torch.ones(size // 4)
    part = torch.ones(size // 4 // ranks)
    parts = [torch.ones_like(part) for _ in range(ranks)]
    others = [torch.ones_like(part) for _ in range(ranks)]
    target = torch.ones_like(whole)
    measured("all_reduce", size, (whole,), (kib,))
    measured("broadcast", size, (whole, 0), (kib, rank))
    measured("all_gather", size, (parts, part), ([kib], kib))
    measured("all_gather_into_tensor", size, (whole, part), (kib, kib))
    measured("reduce_scatter", size, (part, parts), (kib, [kib]))
    measured("reduce_scatter_tensor", size, (part, whole), (kib, kib))
    measured("all_to_all_single", size, (target, whole), (kib, kib))
    if sys.argv[1] != "gloo":  # which has none
        measured("all_to_all", size, (others, parts), ([kib], [kib]))
    dist.barrier()
dist.destroy_process_group()
os._exit(0)
