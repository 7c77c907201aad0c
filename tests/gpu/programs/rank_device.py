"""Where a rank of these programs computes: the GPUs in turn (ranks may share one), else the CPU."""
import os

import torch
import torch.distributed as dist

RANK = int(os.environ["RANK"])
IS_CUDA = torch.cuda.is_available()
BACKEND = "nccl" if IS_CUDA else "gloo"
DEVICE = torch.device("cuda", int(os.environ["LOCAL_RANK"]) % torch.cuda.device_count()) if IS_CUDA else torch.device("cpu")


def join(**options):
    """Makes the default process group, on this rank's device."""
    # nccl refuses two ranks on one GPU of one host: to it, each rank is a host of its own.
    os.environ.setdefault("NCCL_HOSTID", f"rank{RANK}")
    if IS_CUDA:
        torch.cuda.set_device(DEVICE)
    dist.init_process_group(BACKEND, **options)


def synchronize():
    if IS_CUDA:
        torch.cuda.synchronize()
