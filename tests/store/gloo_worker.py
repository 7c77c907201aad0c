"""A worker as users write them: a process group by env://, its collectives, its end."""

import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
tensor = torch.full((4,), rank + 1.0)
dist.all_reduce(tensor)
pair = dist.new_group(list(range(world)))
dist.all_reduce(tensor, group=pair)
dist.barrier()
objects = [None] * world
dist.all_gather_object(objects, {"rank": rank, "pid": os.getpid()})
total = world * (world + 1) / 2
assert tensor.tolist() == [total * world] * 4, tensor
assert [each["rank"] for each in objects] == list(range(world)), objects
dist.destroy_process_group()
print(f"rank {rank} of {world} agrees")
