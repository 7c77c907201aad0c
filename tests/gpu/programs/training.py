"""DDP or FSDP2 over a fixed number of steps; prints what it asked of its groups, and its own times, as JSON.

training.py ddp|fsdp|collectives|small [STEPS]: on nccl where there is a GPU (ranks may share one), else on gloo.
"""
import json
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from rank_device import DEVICE, IS_CUDA, RANK, join, synchronize

MODE = sys.argv[1]
STEPS = int(sys.argv[2]) if len(sys.argv) > 2 else 50


class Timer:
    """Seconds on the device's own clock, between CUDA events; on the wall's without a GPU."""

    def __enter__(self):
        if IS_CUDA:
            self.first, self.last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            self.first.record()
        self.began = time.perf_counter()
        return self

    def __exit__(self, *_):
        if IS_CUDA:
            self.last.record()
            self.last.synchronize()
            self.seconds = self.first.elapsed_time(self.last) / 1e3
        else:
            self.seconds = time.perf_counter() - self.began


def model():
    torch.manual_seed(0)
    layers = [layer for _ in range(6) for layer in (torch.nn.Linear(1024, 1024), torch.nn.ReLU())]
    return torch.nn.Sequential(*layers).to(DEVICE)


def train(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-3)
    for _ in range(3):  # until all is compiled and every buffer is there
        step(net, optimizer)
    dist.barrier()
    with Timer() as timer:
        for _ in range(STEPS):
            step(net, optimizer)
    return {"steps_per_second": STEPS / timer.seconds, "steps": STEPS + 3}


def step(net, optimizer):
    optimizer.zero_grad()
    net(torch.randn(16, 1024, device=DEVICE)).square().mean().backward()
    optimizer.step()


WHOLE = "all_gather_into_tensor", "reduce_scatter_tensor", "all_to_all_single"  # their size is that of all ranks' parts


def collectives():
    """Seconds of each call: on the device's clock, or until it returns without a GPU."""
    size = dist.get_world_size()
    numbers = torch.ones(4 << 20, device=DEVICE)
    parts = torch.ones((4 << 20) * size, device=DEVICE)
    calls = {
        "all_reduce": lambda: dist.all_reduce(numbers),
        "broadcast": lambda: dist.broadcast(numbers, 0),
        "all_gather_into_tensor": lambda: dist.all_gather_into_tensor(parts, numbers),
        "reduce_scatter_tensor": lambda: dist.reduce_scatter_tensor(numbers, parts),
        # The last on its communicator: what NCCL's profiler says after it isn't to be believed.
        "all_to_all_single": lambda: dist.all_to_all_single(torch.empty_like(parts), parts),
    }
    calls["send" if RANK == 0 else "recv"] = lambda: dist.send(numbers, 1) if RANK == 0 else dist.recv(numbers, 0)
    figures = {}
    for name, call in calls.items():
        for _ in range(2):
            call()
        seconds = []
        for _ in range(STEPS):
            with Timer() as timer:
                call()
            seconds.append(timer.seconds)
        figures[name] = {"count": STEPS + 2, "bytes": (parts if name in WHOLE else numbers).nbytes,
                         "seconds": seconds}
    return figures


SMALL_CALLS = 100  # all of them wait for the GPU at once


def small():
    """Microseconds of a call whose data is nothing: what a call costs the program's own thread."""
    numbers = torch.ones(64, device=DEVICE)
    costs = []
    for _ in range(STEPS + 3):
        began = time.perf_counter()
        for _ in range(SMALL_CALLS):
            dist.all_reduce(numbers)
        costs.append((time.perf_counter() - began) / SMALL_CALLS * 1e6)
        synchronize()
    return {"microseconds": sorted(costs[3:])}


join()
if MODE == "collectives":
    told = collectives()
elif MODE == "small":
    told = small()
elif MODE == "ddp":
    told = train(DistributedDataParallel(model()))
else:
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard

    net = model()
    mesh = init_device_mesh(DEVICE.type, (dist.get_world_size(),))
    for layer in net:
        if isinstance(layer, torch.nn.Linear):
            fully_shard(layer, mesh=mesh)
    told = train(fully_shard(net, mesh=mesh))
print("FIGURES " + json.dumps({"rank": RANK, **told}), flush=True)
dist.barrier()
dist.destroy_process_group()
