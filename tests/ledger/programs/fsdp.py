# FSDP2: all-gathers of parameters and reduce-scatters of gradients.
import os

import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo")
model = fully_shard(torch.nn.Linear(16, 16))
model(torch.ones(2, 16)).sum().backward()
print("done", flush=True)
dist.destroy_process_group()
# The model holds the group, whose threads must end before the interpreter does.
os._exit(0)
