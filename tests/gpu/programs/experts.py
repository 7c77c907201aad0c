"""Experts' messages (all_to_all of uneven parts) beside a gradient's all_reduce: experts.py quiet|absent.

quiet: then the ranks compute for 25 s (without a GPU: 8 s) without an operation, and go on: nothing is wrong. absent:
the last rank doesn't come to the next all_to_all.
"""
import sys
import time

import torch
import torch.distributed as dist

from rank_device import DEVICE, IS_CUDA, RANK, join, synchronize

MODE = sys.argv[1]
join()
RANKS = dist.get_world_size()


def step():
    """A rank keeps more than it sends on."""
    parts = [1 << 16 if rank == RANK else 1 << 14 for rank in range(RANKS)]  # and as much comes from each
    tokens = torch.full((sum(parts),), float(RANK), device=DEVICE)
    received = torch.empty_like(tokens)
    dist.all_to_all_single(received, tokens, parts, parts)
    dist.all_reduce(received)
    synchronize()


for _ in range(20):
    step()
    time.sleep(0.05)
if MODE == "quiet":
    print(f"FAULT {time.time_ns()}", flush=True)
    until = time.monotonic() + (25 if IS_CUDA else 8)
    weights = torch.rand(512, 512, device=DEVICE)
    while time.monotonic() < until:
        weights = (weights @ weights).softmax(dim=0)
        synchronize()
elif RANK == RANKS - 1:
    print(f"FAULT {time.time_ns()}", flush=True)
    time.sleep(1000)
for _ in range(20):
    step()
print(f'FIGURES {{"rank": {RANK}}}', flush=True)
dist.destroy_process_group()
