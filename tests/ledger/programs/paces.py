# paces.py KIND: trains in one of several ways, and prints how many steps a second it made by its own clock.
import contextlib
import os
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
torch.set_num_threads(1)
rank = dist.get_rank()


def network(parts=4, width=256):
    return torch.nn.Sequential(*(torch.nn.Linear(width, width) for _ in range(parts)))


def trained(model):
    return DistributedDataParallel(model, bucket_cap_mb=0.3)


def ddp():
    model, data = trained(network()), torch.ones(8, 256)

    def step(_number):
        model(data).sum().backward()
        time.sleep(0.005)

    return step, 80


def two_models():
    models, data = [trained(network()), trained(network(2, 512))], [torch.ones(8, 256), torch.ones(8, 512)]

    def step(_number):
        for model, part in zip(models, data):
            model(part).sum().backward()
        time.sleep(0.005)

    return step, 60


def four_at_once():
    tensors = [torch.ones(50_000) for _ in range(4)]

    def step(_number):
        for work in [dist.all_reduce(tensor, async_op=True) for tensor in tensors]:
            work.wait()
        time.sleep(0.01)

    return step, 80


def gan():
    generator, critic = trained(network(2)), trained(network(3))
    noise = torch.ones(8, 256)

    def step(_number):
        critic(generator(noise).detach()).sum().backward()
        generator.requires_grad_(True)
        with critic.no_sync():
            critic(generator(noise)).sum().backward()
        time.sleep(0.005)

    return step, 60


def evaluation():
    gradient, metric = torch.ones(100_000), torch.ones(4)

    def step(number):
        dist.all_reduce(gradient)
        time.sleep(0.01)
        if number % 20 == 19:
            for _ in range(5):
                dist.all_reduce(metric)
                time.sleep(0.02)

    return step, 100


def fsdp2():
    from torch.distributed.fsdp import fully_shard

    model = network(4)
    for layer in model:
        fully_shard(layer)
    fully_shard(model)
    data = torch.ones(8, 256)

    def step(_number):
        model(data).sum().backward()
        time.sleep(0.005)

    return step, 50


def accumulation():
    model, data = trained(network()), torch.ones(8, 256)

    def step(_number):
        for micro in range(4):
            with contextlib.nullcontext() if micro == 3 else model.no_sync():
                model(data).sum().backward()
            time.sleep(0.003)

    return step, 60


step, count = globals()[sys.argv[1]]()
step(0)  # what is made at the first
dist.barrier()
began = time.perf_counter()
for number in range(count):
    step(number)
spent = time.perf_counter() - began
if rank == 0:
    os.write(1, f"steps {count / spent}\n".encode())
dist.barrier()
dist.destroy_process_group()
os._exit(0)
