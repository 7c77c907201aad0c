# Trainings in which one rank calls something else, or nothing: collectives.py NAME
import os
import sys
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group(os.environ.get("BACKEND", "gloo"))
rank, world = dist.get_rank(), dist.get_world_size()
last = rank == world - 1
torch.manual_seed(0)


def build(norm=False):
    layers = [nn.Linear(32, 64), nn.BatchNorm1d(64) if norm else nn.ReLU(), nn.Linear(64, 8)]
    return nn.Sequential(*layers)


def train(model, optimizer, steps):
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.randn(16, 32)).square().mean().backward()
        optimizer.step()


def setup(norm=False):
    model = DDP(build(norm))
    return model, torch.optim.SGD(model.parameters(), lr=0.01)


def average(model):
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= world


def barrier_of_the_first_only():
    model, optimizer = setup()
    for epoch in range(3):
        train(model, optimizer, 5)
        if epoch == 1 and rank == 0:
            torch.save(model.state_dict(), os.devnull)
            dist.barrier()


def metric_of_the_first_only():
    model, optimizer = setup()
    for _ in range(20):
        train(model, optimizer, 2)
        if rank == 0:
            loss = torch.tensor(0.5)
            dist.all_reduce(loss)
            print("loss", loss.item() / world)


def uneven_batches_then_barrier():
    model, optimizer = setup()
    train(model, optimizer, 9 if last else 10)
    dist.barrier()


def uneven_batches_then_exit():
    model, optimizer = setup()
    train(model, optimizer, 9 if last else 10)
    print("finished")


def uneven_batches_then_evaluation():
    model, optimizer = setup()
    train(model, optimizer, 9 if last else 10)
    correct = torch.zeros(2)
    dist.all_reduce(correct)


def nan_is_skipped():
    model = build()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(20):
        loss = model(torch.randn(16, 32)).square().mean()
        if last and step == 7:
            loss = loss * float("nan")
        if torch.isnan(loss):
            continue
        optimizer.zero_grad()
        loss.backward()
        average(model)
        optimizer.step()
    dist.barrier()


def validates_on_the_first_only():
    model, optimizer = setup(norm=True)
    train(model, optimizer, 5)
    if rank == 0:
        model(torch.randn(16, 32))  # sends its buffers to the others
    dist.barrier()


def broadcast_from_oneself():
    model = build()
    for parameter in model.parameters():
        dist.broadcast(parameter.data, src=rank)


def half_precision_on_one():
    model = build()
    model(torch.randn(4, 32)).sum().backward()
    for parameter in model.parameters():
        gradient = parameter.grad.half() if last else parameter.grad
        dist.all_reduce(gradient)


def another_reduction():
    for step in range(10):
        dist.all_reduce(torch.ones(100), op=dist.ReduceOp.MAX if last and step == 5 else dist.ReduceOp.SUM)
    time.sleep(3600)


def other_roots_of_reduce():
    for step in range(5):
        dist.reduce(torch.ones(100), dst=0)
    dist.reduce(torch.ones(100), dst=rank)
    dist.barrier()


def gather_with_another_root():
    mine = torch.full((10,), float(rank))
    root = world - 1 if last else 0
    dist.gather(mine, [torch.empty(10) for _ in range(world)] if rank == root else None, dst=root)
    dist.barrier()


def object_of_the_first_only():
    settings = [{"lr": 0.1}]
    if rank == 0:
        dist.broadcast_object_list(settings, src=0)
    model = build()
    model(torch.randn(4, 32)).sum().backward()
    average(model)


def objects_gathered_by_some():
    dist.barrier()
    if not last:
        found = [None] * world
        dist.all_gather_object(found, {"rank": rank})
    dist.barrier()


def model_differs():
    model = nn.Sequential(nn.Linear(32, 65 if last else 64), nn.Linear(65 if last else 64, 8))
    model(torch.randn(4, 32)).sum().backward()
    average(model)


def buckets_in_other_order():
    """Started as they become ready, which is another order in each rank."""
    for step in range(30):
        sizes = [1000, 2000, 3000]
        if last and step >= 10:
            sizes.reverse()
        running = [dist.all_reduce(torch.ones(size), async_op=True) for size in sizes]
        for work in running:
            work.wait()


def equal_buckets_in_other_order():
    """The same sizes: nothing fails, the sums are of different layers."""
    names = ["embed", "encoder", "decoder", "head"]
    for step in range(40):
        order = names if not last else names[::-1]
        running = {name: dist.all_reduce(torch.ones(1000), async_op=True) for name in order}
        for work in running.values():
            work.wait()
        time.sleep(0.02)


def all_to_all_splits_differ():
    sent = [100] * world
    got = [101 if last else 100] * world
    output, inputs = torch.empty(sum(got)), torch.ones(sum(sent))
    for _ in range(3):
        dist.all_to_all_single(torch.empty(100 * world), inputs)
    dist.all_to_all_single(output, inputs, output_split_sizes=got, input_split_sizes=sent)
    dist.barrier()


def last_batch_is_smaller():
    for step in range(6):
        size = 7 if last and step == 5 else 16
        features = torch.ones(size, 8)
        gathered = [torch.empty_like(features) for _ in range(world)]
        dist.all_gather(gathered, features)
    dist.barrier()


def exception_is_swallowed():
    """A bad sample is skipped, and with it the backward of its batch."""
    model = build()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(20):
        try:
            if last and step == 5:
                raise ValueError("bad sample")
            loss = model(torch.randn(16, 32)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            average(model)
            optimizer.step()
        except ValueError as error:
            print("skipping:", error)
    dist.barrier()


def barrier_in_finally():
    model = build()
    try:
        for step in range(20):
            if last and step == 5:
                raise ValueError("bad sample")
            model(torch.randn(16, 32)).square().mean().backward()
            average(model)
    finally:
        dist.barrier()
        dist.destroy_process_group()


def early_stopping_by_one():
    """Each decides by its own loss."""
    model, optimizer = setup()
    for epoch in range(10):
        train(model, optimizer, 5)
        stops = torch.tensor(float(epoch == 3 and last))
        if stops:
            break
    print("saving")
    dist.all_gather_object([None] * world, "saved")


def summary_by_name():
    """Reduced in the order of a set of strings, whose order is another in each process."""
    metrics = {"loss": 1, "accuracy": 2, "f1": 3}
    names = sorted(metrics, reverse=last)
    for step in range(3):
        dist.barrier()
    for name in names:
        dist.all_reduce(torch.ones(metrics[name]))
    dist.barrier()


globals()[sys.argv[1]]()
