# Trains for ever; rank 1 writes its pid to the file that is named, once it has got going.
import os
import sys
import time

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
for step in range(1_000_000):
    dist.all_reduce(torch.ones(1000))
    time.sleep(0.02)
    if dist.get_rank() == 1 and step == 20:
        with open(sys.argv[1] + ".new", "w") as file:
            file.write(str(os.getpid()))
        os.rename(sys.argv[1] + ".new", sys.argv[1])
