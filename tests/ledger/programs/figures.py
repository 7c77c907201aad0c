# Steps of four equal asynchronous operations, timed by the program itself; then a few sends. Prints how many steps a
# second it made by its own clock, and when each of them began and the last one ended, in seconds.
import os
import time

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
tensors = [torch.ones(100_000) for _ in range(4)]
starts = []


def step():
    starts.append(time.perf_counter())
    for work in [dist.all_reduce(tensor, async_op=True) for tensor in tensors]:
        work.wait()
    time.sleep(0.01)


step()
began = time.perf_counter()
for _ in range(80):
    step()
ended = time.perf_counter()
if rank == 0:
    pace = 80 / (ended - began)
    times = " ".join(f"{start:.6f}" for start in starts)
    os.write(1, f"steps {pace}\nstarts {times}\nended {ended:.6f}\n".encode())
for _ in range(5):
    if rank == 0:
        dist.send(tensors[0], 1)
    elif rank == 1:
        dist.recv(tensors[0], 0)
dist.destroy_process_group()
