# A rank that says where its store is, and is there until the file that its argument names is.
import os
import sys
import time

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
value = torch.ones(1)
dist.all_reduce(value)
sys.stdout.write("port %s id %s sum %g\n" % (os.environ["MASTER_PORT"], os.environ["TORCHELASTIC_RUN_ID"], value.item()))
sys.stdout.flush()
while not os.path.exists(sys.argv[1]):
    time.sleep(0.02)
dist.destroy_process_group()
