"""Ranks that meet in a gloo process group, again and again, until somebody ends them."""

import os
import time

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
attempt = os.environ["TORCHELASTIC_RESTART_COUNT"]
step = 0
while True:
    tensor = torch.tensor([float(dist.get_rank() + 1)])
    dist.all_reduce(tensor)
    print(f"attempt {attempt} step {step} sum {tensor.item():.0f}", flush=True)
    step += 1
    time.sleep(0.1)
