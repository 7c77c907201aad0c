# As many process groups as it is told, all alive, each used once.
import resource
import sys

import torch
import torch.distributed as dist
import torch.testing._internal.distributed.fake_pg  # the backend "fake": groups that cost no sockets

hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
dist.init_process_group("gloo")
groups = [dist.new_group([0, 1], backend="fake") for _ in range(int(sys.argv[1]))]
value = torch.ones(4)
for group in groups:
    dist.all_reduce(value, group=group)
dist.barrier()
print(f"used {len(groups)}")
dist.destroy_process_group()
