# A small model in DDP: its collectives are called from C++, never from Python.
import gc

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
torch.manual_seed(0)
model = DistributedDataParallel(torch.nn.Linear(16, 16))
for step in range(3):
    model(torch.ones(2, 16)).sum().backward()
print("done")
# It holds the group, whose threads must end before the interpreter does.
del model
gc.collect()
dist.destroy_process_group()
