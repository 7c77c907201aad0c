"""Two ranks add their numbers with torch, and say who they are."""

import os
import sys

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
number = torch.tensor([dist.get_rank() + 1.0])
dist.all_reduce(number)
assert number.item() == dist.get_world_size() * (dist.get_world_size() + 1) / 2
print(f"sum {number.item():.0f} with {sys.executable}", flush=True)
if "--fail" in sys.argv and dist.get_rank() == 1:
    raise ValueError("as asked")
if "--wait" in sys.argv:
    print("waiting", flush=True)
    import time

    while not os.path.exists(sys.argv[-1]):
        time.sleep(0.05)
dist.destroy_process_group()
