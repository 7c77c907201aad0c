"""All-reduces, then the same as a new program in the same process, for long."""
import datetime
import os
import sys
import time

import torch
import torch.distributed as dist

begun = len(sys.argv) > 1
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=120))
value = torch.zeros(1)
for step in range(100000 if begun else 300):
    dist.all_reduce(value)
    if begun and step == 20:
        print(f"again, rank {dist.get_rank()}", flush=True)
    if begun:
        time.sleep(0.05)
dist.barrier()
dist.destroy_process_group()
# The store outlives both; under another name it has nothing of the first.
os.environ["TORCHELASTIC_RESTART_COUNT"] = "7"
os.execv(sys.executable, [sys.executable, sys.argv[0], "again"])
