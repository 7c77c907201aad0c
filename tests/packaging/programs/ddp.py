"""Three steps of a small model in DDP, on the backend that is named; every rank says the same result."""

import sys

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group(sys.argv[1])
torch.manual_seed(0)
layer = torch.nn.Linear(16, 16)
model = DistributedDataParallel(layer)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    model(torch.full((2, 16), dist.get_rank() + 1.0)).pow(2).mean().backward()
    optimizer.step()
# What DDP averaged is the same everywhere.
total = layer.weight.detach().sum().reshape(1)
each = [torch.zeros(1) for _ in range(dist.get_world_size())]
dist.all_gather(each, total)
assert all(torch.equal(one, total) for one in each), each
print(f"torch {torch.__version__} on {dist.get_backend()}", flush=True)
del model
dist.destroy_process_group()
