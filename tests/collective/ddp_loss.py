"""One rank of a small DDP training on the backend that BACKEND names; rank 0 prints the losses."""

import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

torch.set_num_threads(1)
dist.init_process_group(os.environ["BACKEND"])
rank, ranks = dist.get_rank(), dist.get_world_size()
torch.manual_seed(5)
model = DistributedDataParallel(torch.nn.Sequential(
    torch.nn.Linear(40, 300), torch.nn.ReLU(), torch.nn.Linear(300, 300), torch.nn.ReLU(),
    torch.nn.Linear(300, 1)), bucket_cap_mb=0.2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
generator = torch.Generator().manual_seed(rank)
for step in range(20):
    inputs = torch.randn(16, 40, generator=generator)
    loss = ((model(inputs) - inputs.sum(1, keepdim=True)) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total = loss.detach().clone()
    dist.all_reduce(total)
    if rank == 0:
        print(f"{total.item() / ranks:.4f}", flush=True)
dist.destroy_process_group()
