"""All-reduces until it has done so many steps, and says where and in what company."""
import datetime
import os
import socket
import sys
import time

import torch
import torch.distributed as dist

steps = int(sys.argv[1])
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=600))
rank, world = dist.get_rank(), dist.get_world_size()
print(f"rank {rank} of {world} on {socket.gethostname()} restart {os.environ['TORCHELASTIC_RESTART_COUNT']}", flush=True)
for step in range(steps):
    value = torch.tensor([float(rank)])
    dist.all_reduce(value)
    assert value.item() == world * (world - 1) / 2
    if steps > 100:
        time.sleep(0.05)
    if step == 20 and rank == 0:
        print("step 20", flush=True)
dist.barrier()
print(f"rank {rank} sum {value.item():.0f}", flush=True)
dist.destroy_process_group()
