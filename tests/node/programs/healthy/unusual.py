# Unusual programs with nothing wrong: unusual.py NAME
import datetime
import os
import random
import sys
import threading
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.join import Join
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group(os.environ.get("BACKEND", "gloo"))
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(0)


def model_and_optimizer():
    model = DDP(nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 8)))
    return model, torch.optim.SGD(model.parameters(), lr=0.01)


def step(model, optimizer):
    optimizer.zero_grad()
    model(torch.randn(16, 32)).square().mean().backward()
    optimizer.step()


def uneven_data_with_join():
    model, optimizer = model_and_optimizer()
    with Join([model]):
        for _ in range(20 + 10 * rank):
            step(model, optimizer)
            time.sleep(0.05)


def the_first_saves_for_long():
    model, optimizer = model_and_optimizer()
    for epoch in range(2):
        for _ in range(5):
            step(model, optimizer)
        if rank == 0:
            end = time.monotonic() + 5
            while time.monotonic() < end:
                torch.save(model.state_dict(), os.devnull)
                time.sleep(0.1)
        dist.barrier()


def experts_of_uneven_size():
    torch.manual_seed(1)
    for _ in range(60):
        counts = torch.randint(0, 50, (world, world))
        sent, got = counts[rank].tolist(), counts[:, rank].tolist()
        dist.all_to_all_single(torch.empty(sum(got)), torch.ones(sum(sent)), got, sent)
        time.sleep(0.05)


def groups_made_again_and_again():
    for _ in range(10):
        group = dist.new_group(list(range(world)))
        dist.all_reduce(torch.ones(10), group=group)
        dist.destroy_process_group(group)
        time.sleep(0.1)


def a_whole_job_twice():
    """The second in a part of the store of its own: gloo would find the addresses of the first."""
    store = dist.TCPStore(os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]), world, is_master=False)
    for number in range(2):
        dist.all_reduce(torch.ones(10))
        dist.barrier()
        dist.destroy_process_group()
        dist.init_process_group(
            os.environ.get("BACKEND", "gloo"),
            store=dist.PrefixStore(f"job/{number}", store),
            rank=rank,
            world_size=world,
        )
    dist.all_reduce(torch.ones(10))


def server_of_messages():
    """The first takes what comes, whoever sends it, and the others take their time."""
    if rank == 0:
        for _ in range(5 * (world - 1)):
            dist.recv(torch.empty(1))
    else:
        for _ in range(5):
            time.sleep(0.9 * rank)
            dist.send(torch.ones(1), dst=0)
    dist.barrier()


def works_in_a_thread():
    """The main thread only waits for the one that trains."""

    def train():
        for _ in range(40):
            dist.all_reduce(torch.ones(100))
            time.sleep(0.1)

    thread = threading.Thread(target=train)
    thread.start()
    thread.join()


def tensors_of_every_kind():
    for number in range(30):
        kind = [torch.float32, torch.int64, torch.float64, torch.uint8][number % 4]
        dist.all_reduce(torch.ones(number + 1, dtype=kind), op=[dist.ReduceOp.SUM, dist.ReduceOp.MAX][number % 2])
        dist.broadcast(torch.ones(5, dtype=kind), src=number % world)
        dist.all_gather_object([None] * world, "x" * rank * number)


def probes_with_a_short_timeout():
    """An error that is expected, and caught by all of them."""
    if rank == 0:
        time.sleep(3)
    try:
        dist.monitored_barrier(timeout=datetime.timedelta(seconds=1))
    except RuntimeError as error:
        print("not yet:", error)
    time.sleep(4)


def buckets_started_in_hooks():
    """Asynchronous operations that overlap with the work, which takes each now longer, now less."""
    chance = random.Random(rank)
    for _ in range(40):
        running = [dist.all_reduce(torch.ones(1000 * (i + 1)), async_op=True) for i in range(4)]
        time.sleep(chance.uniform(0.03, 0.11))
        for work in reversed(running):
            work.wait()


globals()[sys.argv[1]]()
if dist.is_initialized():
    dist.destroy_process_group()
