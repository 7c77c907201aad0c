"""Each rank's program starts two processes with a group of their own, and rank 0 uses the job's group, too."""
import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def work(rank, count, store):
    dist.init_process_group("gloo", rank=rank, world_size=count, init_method="file://" + store)
    dist.all_reduce(torch.ones(10))
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    dist.init_process_group("gloo")
    mp.spawn(work, args=(3, sys.argv[1] + str(dist.get_rank())), nprocs=3)
    dist.all_reduce(torch.ones(1000))
    dist.barrier()
    dist.destroy_process_group()
