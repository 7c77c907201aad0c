"""Fails in its first attempt, in a kernel where there is a GPU; then its group has to work."""
import os
import time

import torch
import torch.distributed as dist

from rank_device import DEVICE, RANK, join

began = time.monotonic()
join()
numbers = torch.ones(1024, device=DEVICE)
dist.all_reduce(numbers)
if os.environ["TORCHELASTIC_RESTART_COUNT"] == "0" and RANK == 1:
    torch.zeros(4, device=DEVICE)[torch.full((1,), 9, device=DEVICE)].sum().item()
dist.all_reduce(numbers)
if RANK == 0:
    print(f"FIGURES {{\"sum\": {numbers[0].item()}, \"seconds\": {time.monotonic() - began:.3f}}}", flush=True)
dist.barrier()
dist.destroy_process_group()
