"""torch in a worker: threads, data loaders, its multiprocessing, a process group."""

import os
import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.utils.data import DataLoader, TensorDataset


def child(rank, total):
    total[rank] = rank + 1 + torch.ones(2).sum().item()


if __name__ == "__main__":
    print("threads", torch.get_num_threads(), torch.get_num_interop_threads())
    print("cuda", torch.cuda.is_initialized(), torch.cuda._is_in_bad_fork())
    print("grad", torch.is_grad_enabled(), torch.get_default_dtype(), torch.get_deterministic_debug_mode())
    torch.manual_seed(1)
    print("random", torch.rand(3).tolist())
    data = TensorDataset(torch.arange(12.0))
    for way, workers in (("fork", 2), ("spawn", 1)):
        loader = DataLoader(data, batch_size=4, num_workers=workers, shuffle=True, multiprocessing_context=way,
                            generator=torch.Generator().manual_seed(3))
        print(way, [batch[0].tolist() for batch in loader])
    total = torch.zeros(1)
    total.share_memory_()
    mp.spawn(child, args=(total,), nprocs=1)
    print("spawned", total.tolist())
    product = torch.ones(300, 300) @ torch.ones(300, 300)
    print("product", product.sum().item())
    store = f"file://{os.getcwd()}/store-{os.getpid()}"
    dist.init_process_group("gloo", init_method=store, rank=0, world_size=1)
    value = torch.tensor([float(dist.get_rank() + 1)])
    dist.all_reduce(value)
    print("sum", value.item(), dist.get_world_size())
    dist.destroy_process_group()
