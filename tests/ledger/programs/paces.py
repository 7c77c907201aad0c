# paces.py KIND: trains in one of several ways. Prints how many steps a second it made by its own clock, and when each of
# them began and the last one ended, in seconds.
import contextlib
import os
import random
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

    return step, 160


def two_models():
    models, data = [trained(network()), trained(network(2, 512))], [torch.ones(8, 256), torch.ones(8, 512)]

    def step(_number):
        for model, part in zip(models, data):
            model(part).sum().backward()
        time.sleep(0.005)

    return step, 120


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

    return step, 120


def evaluation():
    gradient, metric = torch.ones(100_000), torch.ones(4)

    def step(number):
        dist.all_reduce(gradient)
        time.sleep(0.01)
        if number % 20 == 19:
            for _ in range(5):
                dist.all_reduce(metric)
                time.sleep(0.02)

    return step, 160


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

    return step, 80


def accumulation():
    model, data = trained(network()), torch.ones(8, 256)

    def step(_number):
        for micro in range(4):
            with contextlib.nullcontext() if micro == 3 else model.no_sync():
                model(data).sum().backward()
            time.sleep(0.003)

    return step, 90


def buffers():
    parts = [part for _ in range(4) for part in (torch.nn.Linear(256, 256), torch.nn.BatchNorm1d(256))]
    model, data, metric = trained(torch.nn.Sequential(*parts)), torch.randn(8, 256), torch.ones(2)

    def step(_number):
        model(data).sum().backward()
        dist.all_reduce(metric)
        time.sleep(0.004)

    return step, 120


def by_hand():
    gradients = [torch.ones(256, 256) for _ in range(6)]

    def step(_number):
        for gradient in gradients:
            dist.all_reduce(gradient)
        time.sleep(0.006)

    return step, 60


def uneven():
    chance = random.Random(3)
    model, data = trained(network()), torch.ones(8, 256)

    def step(_number):
        model(data).sum().backward()
        time.sleep(chance.uniform(0.001, 0.03))

    return step, 60


def equal_buckets():
    layers = [torch.nn.Linear(256, 256, bias=False) for _ in range(8)]
    model, data = DistributedDataParallel(torch.nn.Sequential(*layers), bucket_cap_mb=0.25), torch.ones(8, 256)

    def step(_number):
        model(data).sum().backward()
        time.sleep(0.005)

    return step, 60


def no_pause():
    model, data = trained(network()), torch.ones(8, 256)

    def step(_number):
        model(data).sum().backward()

    return step, 80


def pipeline():
    other, batch, gradient = 1 - rank, torch.ones(20_000), torch.ones(5_000)

    def step(_number):
        for _ in range(4):
            for passes in (dist.send, dist.recv) if rank == 0 else (dist.recv, dist.send):
                passes(batch, other)
            time.sleep(0.001)
        dist.all_reduce(gradient)

    return step, 100


def experts():
    chance = random.Random(5)  # the same on all ranks

    def step(_number):
        for _ in range(3):
            here = [chance.randint(100, 1900) for _ in range(2)]
            splits = [[tokens, 2000 - tokens] for tokens in here]
            given = [part[rank] for part in splits]
            dist.all_to_all_single(torch.empty(sum(given)), torch.ones(2000), given, splits[rank])
        dist.all_reduce(torch.ones(5000))
        time.sleep(0.004)

    return step, 60


step, count = globals()[sys.argv[1]]()
starts = []
for number in range(2):
    starts.append(time.perf_counter())
    step(number)  # what is made at the first; DDP makes its buckets anew at the second
dist.barrier()
began = time.perf_counter()
for number in range(count):
    starts.append(time.perf_counter())
    step(number)
ended = time.perf_counter()
if rank == 0:
    times = " ".join(f"{start:.6f}" for start in starts)
    os.write(1, f"steps {count / (ended - began)}\nstarts {times}\nended {ended:.6f}\n".encode())
dist.barrier()
dist.destroy_process_group()
os._exit(0)
