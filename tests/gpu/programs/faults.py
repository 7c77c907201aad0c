"""A training in which the last rank does something wrong after a while: faults.py FAULT.

It prints the wall's time of the fault, so that it can be said after how many seconds it was named.
"""
import os
import signal
import sys
import time
from datetime import timedelta

import torch
import torch.distributed as dist

from rank_device import DEVICE, RANK, join, synchronize

FAULT = sys.argv[1]
# torch's own watchdog ends the ranks that wait.
join(**({"timeout": timedelta(seconds=15)} if FAULT == "timeout" else {}))
GUILTY = RANK == dist.get_world_size() - 1
numbers = torch.ones(1 << 18, device=DEVICE)


def reduce():
    dist.all_reduce(numbers)
    synchronize()


for _ in range(30):
    reduce()
    time.sleep(0.02)
if GUILTY:
    print(f"FAULT {time.time_ns()}", flush=True)
if FAULT == "straggler":
    for _ in range(60):
        time.sleep(0.2 if GUILTY else 0)
        reduce()
elif GUILTY and FAULT in ("hang", "timeout"):
    time.sleep(1000)
elif GUILTY and FAULT == "mismatch":
    dist.broadcast(numbers, RANK)
    synchronize()
elif GUILTY and FAULT == "stopped":
    os.kill(os.getpid(), signal.SIGSTOP)
elif GUILTY and FAULT == "dies":
    work = dist.all_reduce(numbers, async_op=True)
    os.kill(os.getpid(), signal.SIGKILL)
elif GUILTY and FAULT == "assert":
    # Out of range, seen by the device.
    torch.zeros(4, device=DEVICE)[torch.full((1,), 9, device=DEVICE)].sum().item()
elif GUILTY and FAULT == "memory":
    held = []
    while True:
        held.append(torch.empty(1 << 30, dtype=torch.uint8, device=DEVICE))
while True:
    reduce()
    time.sleep(0.02)
