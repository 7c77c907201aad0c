# A rank with a child that makes a process group of its own, as an evaluation beside the training does.
import subprocess
import sys

import torch
import torch.distributed as dist

CHILD = """
import torch
import torch.distributed as dist

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
dist.all_reduce(torch.ones(3))
dist.destroy_process_group()
"""

dist.init_process_group("gloo")
dist.all_reduce(torch.ones(1))
child = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True)
assert child.returncode == 0, child.stderr
dist.all_reduce(torch.ones(2))
print("done")
dist.destroy_process_group()
