# felt.py BACKEND SIZES...: calls every operation of each size (bytes, as nccl-tests counts them) and prints how long this
# rank was inside of each call by its own clock: "felt OPERATION SIZE NANOSECONDS…". The calls of one kind are spread over
# the whole program, so that what disturbs the machine for a moment isn't in all of them.
# "alone OPERATION NANOSECONDS" is the least that a call of 4 KiB takes in a group of this rank alone: what it costs on this
# machine to make a call.
import os
import sys
import time

import torch
import torch.distributed as dist

dist.init_process_group(sys.argv[1])
rank, ranks = dist.get_rank(), dist.get_world_size()
torch.set_num_threads(1)


def alone(name, call):
    spent = []
    for _ in range(20):
        began = time.perf_counter_ns()
        call()
        spent.append(time.perf_counter_ns() - began)
    os.write(1, f"alone {name} {min(spent)}\n".encode())


def measured(name, size, call, goes_on=False):
    calls = max(2, min(50, (16 << 20) // size))
    dist.barrier()
    spent = []
    for _ in range(calls):
        began = time.perf_counter_ns()
        work = call(async_op=True) if goes_on else call()
        if goes_on:
            work.wait()
        spent.append(time.perf_counter_ns() - began)
    os.write(1, f"felt {name} {size} {' '.join(map(str, spent))}\n".encode())


groups = [dist.new_group([member]) for member in range(ranks)]
one = {"group": groups[rank]}
kib = torch.ones(1024)
alone("all_reduce", lambda: dist.all_reduce(kib, **one))
alone("broadcast", lambda: dist.broadcast(kib, src=rank, **one))
alone("all_gather", lambda: dist.all_gather([kib], kib, **one))
alone("all_gather_into_tensor", lambda: dist.all_gather_into_tensor(kib, kib, **one))
alone("reduce_scatter", lambda: dist.reduce_scatter(kib, [kib], **one))
alone("reduce_scatter_tensor", lambda: dist.reduce_scatter_tensor(kib, kib, **one))
alone("all_to_all_single", lambda: dist.all_to_all_single(kib, kib, **one))
if sys.argv[1] != "gloo":
    alone("all_to_all", lambda: dist.all_to_all([kib], [kib], **one))
sizes = [int(size) for size in sys.argv[2:]]
for size in sizes * 4:
    whole = torch.ones(size // 4)
    part = torch.ones(size // 4 // ranks)
    parts = [torch.ones_like(part) for _ in range(ranks)]
    others = [torch.ones_like(part) for _ in range(ranks)]
    target = torch.ones_like(whole)
    measured("all_reduce", size, lambda **how: dist.all_reduce(whole, **how))
    measured("broadcast", size, lambda **how: dist.broadcast(whole, src=0, **how))
    measured("all_gather", size, lambda **how: dist.all_gather(parts, part, **how))
    measured("all_gather_into_tensor", size, lambda **how: dist.all_gather_into_tensor(whole, part, **how), True)
    measured("reduce_scatter", size, lambda **how: dist.reduce_scatter(part, parts, **how))
    measured("reduce_scatter_tensor", size, lambda **how: dist.reduce_scatter_tensor(part, whole, **how), True)
    measured("all_to_all_single", size, lambda **how: dist.all_to_all_single(target, whole, **how))
    if sys.argv[1] != "gloo":  # which has none
        measured("all_to_all", size, lambda **how: dist.all_to_all(others, parts, **how))
    dist.barrier()
dist.destroy_process_group()
os._exit(0)
