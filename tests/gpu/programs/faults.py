"""A training in which the last rank does something wrong after a while: faults.py FAULT.

It prints the wall's time of the fault, so that it can be said after how many seconds it was named.
"""
import os
import signal
import sys
import time

import torch
import torch.distributed as dist

FAULT = sys.argv[1]
RANK = int(os.environ["RANK"])
IS_CUDA = torch.cuda.is_available()
os.environ.setdefault("NCCL_HOSTID", f"rank{RANK}")
DEVICE = torch.device("cuda", int(os.environ["LOCAL_RANK"]) % torch.cuda.device_count()) if IS_CUDA else torch.device("cpu")
if IS_CUDA:
    torch.cuda.set_device(DEVICE)
dist.init_process_group("nccl" if IS_CUDA else "gloo")
GUILTY = RANK == dist.get_world_size() - 1
numbers = torch.ones(1 << 18, device=DEVICE)


def reduce():
    dist.all_reduce(numbers)
    if IS_CUDA:
        torch.cuda.synchronize()


for _ in range(30):
    reduce()
    time.sleep(0.02)
if GUILTY:
    print(f"FAULT {time.time_ns()}", flush=True)
if FAULT == "straggler":
    for _ in range(60):
        time.sleep(0.2 if GUILTY else 0)
        reduce()
elif GUILTY and FAULT == "hang":
    time.sleep(1000)
elif GUILTY and FAULT == "mismatch":
    dist.broadcast(numbers, RANK)
    if IS_CUDA:
        torch.cuda.synchronize()
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
