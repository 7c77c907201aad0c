"""A gloo process group over all ranks, one all_reduce."""

import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
total = torch.tensor([float(dist.get_rank())])
dist.all_reduce(total)
line = f"rank {dist.get_rank()} of {dist.get_world_size()} sum {total.item()} launched {dist.is_torchelastic_launched()}"
os.write(1, (line + "\n").encode())
dist.destroy_process_group()
