# Models that are split over the ranks, with nothing wrong: parallel.py NAME; for a long run by hand with EPOCHS=100, and LONGER=40 times the steps in each.
import os
import shutil
import sys
import tempfile
import time

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.nn.functional import all_to_all_single
from torch.distributed.pipelining import PipelineStage, Schedule1F1B, ScheduleGPipe
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

torch.set_num_threads(1)
dist.init_process_group(os.environ.get("BACKEND", "gloo"))
rank, world = dist.get_rank(), dist.get_world_size()
epochs = int(os.environ.get("EPOCHS", 3))
longer = int(os.environ.get("LONGER", 1))
torch.manual_seed(0)
checkpoint = os.path.join(tempfile.gettempdir(), "sharded-" + os.environ["MASTER_PORT"])


def network():
    return nn.Sequential(nn.Linear(32, 128), nn.ReLU(), nn.Linear(128, 32))


def train(model, steps):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.randn(16, 32)).square().mean().backward()
        optimizer.step()
        time.sleep(0.02)


def sharded(mesh=None):
    model = nn.Sequential(network(), network())
    for part in model:
        fully_shard(part, mesh=mesh)
    return fully_shard(model, mesh=mesh)


def fsdp2_with_evaluation_and_checkpoints():
    model = sharded(init_device_mesh("cpu", (world,)))
    for _ in range(epochs):
        train(model, 15 * longer)
        with torch.no_grad():
            total = sum(model(torch.randn(16, 32)).mean() for _ in range(5))
        dist.all_reduce(total)
        dcp.save({"model": model.state_dict()}, checkpoint_id=checkpoint)
    dcp.load({"model": model.state_dict()}, checkpoint_id=checkpoint)
    dist.barrier()
    if rank == 0:
        shutil.rmtree(checkpoint)


def fsdp2_of_replicas():
    """Sharded in pairs, and the pairs are replicas."""
    model = sharded(init_device_mesh("cpu", (2, 2), mesh_dim_names=("replicas", "shards")))
    for _ in range(epochs):
        train(model, 10)


def tensor_parallel():
    mesh = init_device_mesh("cpu", (world,))
    model = nn.Sequential(nn.Linear(32, 96), nn.ReLU(), nn.Linear(96, 32))
    train(parallelize_module(model, mesh, {"0": ColwiseParallel(), "2": RowwiseParallel()}), epochs * 20)


def grid_of_data_and_tensors():
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "tensors"))
    model = parallelize_module(network(), mesh["tensors"], {"0": ColwiseParallel(), "2": RowwiseParallel()})
    train(fully_shard(model, mesh=mesh["data"]), epochs * 10)


def pipeline(schedule_type, seconds_of=lambda stage: 0.0):
    class Part(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = network()

        def forward(self, x):
            time.sleep(seconds_of(rank))
            return self.layers(x)

    part = Part()
    stage = PipelineStage(part, rank, world, torch.device("cpu"))
    schedule = schedule_type(stage, n_microbatches=6, loss_fn=nn.MSELoss())
    optimizer = torch.optim.SGD(part.parameters(), lr=0.01)

    def step():
        optimizer.zero_grad()
        batch = torch.randn(24, 32)
        if rank == 0:
            schedule.step(batch)
        elif rank == world - 1:
            schedule.step(target=batch, losses=[])
        else:
            schedule.step()
        optimizer.step()

    return part, step


def pipeline_1f1b_with_evaluation_and_checkpoints():
    part, step = pipeline(Schedule1F1B)
    for _ in range(epochs):
        for _ in range(10 * longer):
            step()
            time.sleep(0.02)
        loss = torch.zeros(1)
        dist.broadcast(loss, src=world - 1)
        torch.save(part.state_dict(), os.devnull)
        if rank == 0:
            time.sleep(1)
        dist.barrier()


def pipeline_with_a_slow_stage():
    """Its neighbours wait for it, as the model is split."""
    _, step = pipeline(ScheduleGPipe, lambda stage: 0.06 if stage == 1 else 0.0)
    for _ in range(epochs * 4):
        step()
    dist.barrier()


def pipeline_by_hand():
    """Activations forward, gradients back, and the optimizer once they are all through."""
    for _ in range(epochs * 5):
        for micro in range(4):
            activation = torch.zeros(16, 32)
            if rank > 0:
                dist.recv(activation, src=rank - 1, tag=micro)
            if rank < world - 1:
                dist.send(activation + 1, dst=rank + 1, tag=micro)
        for micro in range(4):
            gradient = torch.ones(16, 32)
            if rank < world - 1:
                dist.recv(gradient, src=rank + 1, tag=100 + micro)
            if rank > 0:
                dist.send(gradient, dst=rank - 1, tag=100 + micro)
        dist.all_reduce(torch.ones(1))
        time.sleep(0.02)


def experts_with_evaluation_and_checkpoints():
    """Tokens go to the rank of their expert, as many as want to go there, and come back."""
    expert, router = network(), nn.Linear(32, world)
    optimizer = torch.optim.SGD([*expert.parameters(), *router.parameters()], lr=0.01)

    def forward(tokens):
        order = router(tokens).argmax(dim=1).sort().indices
        sent = torch.bincount(router(tokens).argmax(dim=1), minlength=world)
        got = torch.empty_like(sent)
        dist.all_to_all_single(got, sent)
        there = all_to_all_single(torch.empty(int(got.sum()), 32), tokens[order], got.tolist(), sent.tolist())
        return all_to_all_single(torch.empty_like(tokens), expert(there), sent.tolist(), got.tolist())

    torch.manual_seed(rank)
    for _ in range(epochs):
        for _ in range(15 * longer):
            optimizer.zero_grad()
            forward(torch.randn(48, 32)).square().mean().backward()
            for parameter in router.parameters():
                if parameter.grad is not None:
                    dist.all_reduce(parameter.grad)
            optimizer.step()
            time.sleep(0.02)
        with torch.no_grad():
            loss = forward(torch.randn(48, 32)).square().mean()
        dist.reduce(loss, dst=0)
        torch.save(expert.state_dict(), os.devnull)
        if rank == 0:
            time.sleep(1)
        dist.barrier()


def attention_in_a_ring():
    """Keys and values go round, while each works on those that it has."""
    for _ in range(epochs * 5):
        keys = torch.randn(64, 32)
        for _ in range(world - 1):
            following = torch.empty_like(keys)
            sending = dist.isend(keys, (rank + 1) % world)
            receiving = dist.irecv(following, (rank - 1) % world)
            torch.softmax(keys @ keys.T, dim=1)
            receiving.wait()
            sending.wait()
            keys = following
        time.sleep(0.02)
    dist.barrier()


def borders_of_a_field():
    """A simulation on a strip each: with the one before and the one after, its borders."""
    field = torch.zeros(16, 64)
    for _ in range(epochs * 20):
        operations = []
        for neighbour in (rank - 1, rank + 1):
            if 0 <= neighbour < world:
                operations.append(dist.P2POp(dist.isend, field[0].clone(), neighbour))
                operations.append(dist.P2POp(dist.irecv, torch.empty(64), neighbour))
        for work in dist.batch_isend_irecv(operations):
            work.wait()
        time.sleep(0.02)
    dist.all_reduce(field.sum())


globals()[sys.argv[1]]()
dist.destroy_process_group()
