"""CPU time of a training step in DDP, of this process and all its threads: 23 MB of gradients in seven buckets.

Says where it is told to (DDP_TURNS, a folder of two pipes a rank) how much each block of steps took, and begins one
when it is let: so two jobs can take turns. Each rank keeps to a core of its own.
"""
import os
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank = dist.get_rank()
cores = sorted(os.sched_getaffinity(0))
for thread in os.listdir("/proc/self/task"):
    os.sched_setaffinity(int(thread), {cores[rank % len(cores)]})
torch.set_num_threads(1)
torch.manual_seed(0)
layers = [torch.nn.Linear(1000, 1000) for _ in range(6)]
model = DistributedDataParallel(torch.nn.Sequential(*layers), bucket_cap_mb=4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
inputs = torch.randn(8, 1000)


def step():
    model(inputs).sum().backward()
    optimizer.step()
    optimizer.zero_grad()


for _ in range(10):
    step()
folder = os.environ["DDP_TURNS"]
with open(f"{folder}/said{rank}", "w") as said, open(f"{folder}/turn{rank}") as turns:
    print("ready", file=said, flush=True)
    for turn in turns:
        steps = int(turn)
        step()  # what the pause has driven out of the caches isn't measured
        dist.barrier()
        before = time.process_time_ns()
        for _ in range(steps):
            step()
        print((time.process_time_ns() - before) / steps, file=said, flush=True)
dist.destroy_process_group()
