"""Calls of a backend that is like nccl, which the object in RINGMASTER_LIKE_NCCL puts in gloo's place."""
import os

import torch
import torch.distributed as dist

torch.ops.load_library(os.environ["RINGMASTER_LIKE_NCCL"])


def like_nccl(store, rank, size, _timeout):
    group = dist.ProcessGroup(store, rank, size)
    torch.ops.ringmaster_test.like_nccl(group.boxed())
    return group._get_backend(torch.device("cpu"))


dist.Backend.register_backend("likenccl", like_nccl, devices=["cpu"])
dist.init_process_group("likenccl")
numbers = torch.ones(8)
for _ in range(3):
    dist.all_reduce(numbers)
dist.all_reduce(numbers, async_op=True).wait()
dist.barrier()
print("done", flush=True)
# gloo's threads may still hold tensors when the interpreter goes, which torch doesn't survive.
os._exit(0)
