# Rank 1 brings another tensor than rank 0.
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
dist.all_reduce(torch.ones(1000))
dist.all_reduce(torch.ones(1000 if dist.get_rank() == 0 else 10))
