"""All-reduces, then the same as a new program in the same process, for long."""
import datetime
import os
import sys
import time

import torch
import torch.distributed as dist

begun = len(sys.argv) > 1
# The agent's store outlives the first program: under another prefix the second finds none of its addresses.
store = dist.TCPStore(os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]), is_master=False)
dist.init_process_group(
    "gloo",
    store=dist.PrefixStore("again" if begun else "first", store),
    rank=int(os.environ["RANK"]),
    world_size=int(os.environ["WORLD_SIZE"]),
    timeout=datetime.timedelta(seconds=120),
)
value = torch.zeros(1)
for step in range(100000 if begun else 300):
    dist.all_reduce(value)
    if begun and step == 20:
        print(f"again, rank {dist.get_rank()}", flush=True)
    if begun:
        time.sleep(0.05)
dist.barrier()
dist.destroy_process_group()
os.execv(sys.executable, [sys.executable, sys.argv[0], "again"])
