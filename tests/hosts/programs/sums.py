"""All-reduces of half a MiB until it has done so many steps: what a wire has to carry."""
import datetime
import sys

import torch
import torch.distributed as dist

steps = int(sys.argv[1])
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=120))
value = torch.zeros(1 << 17)
for step in range(steps):
    dist.all_reduce(value)
    if step % 20 == 0:
        print(f"step {step} of rank {dist.get_rank()}", flush=True)
dist.destroy_process_group()
