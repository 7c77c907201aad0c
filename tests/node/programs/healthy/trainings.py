# Ordinary trainings with nothing wrong: trainings.py NAME; for a long run by hand with EPOCHS=100, and LONGER=40 times the steps in each.
import os
import random
import sys
import tempfile
import threading
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import fp16_compress_hook
from torch.distributed.algorithms.model_averaging.averagers import PeriodicModelAverager
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler, TensorDataset

torch.set_num_threads(1)
dist.init_process_group(os.environ.get("BACKEND", "gloo"))
rank, world = dist.get_rank(), dist.get_world_size()
last = rank == world - 1
epochs = int(os.environ.get("EPOCHS", 3))
longer = int(os.environ.get("LONGER", 1))
torch.manual_seed(0)
checkpoint = os.path.join(tempfile.gettempdir(), "checkpoint-" + os.environ["MASTER_PORT"] + ".pt")


def network():
    return nn.Sequential(nn.Linear(32, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 8))


def optimizer_of(model):
    return torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)


def step(model, optimizer, batch=None):
    optimizer.zero_grad()
    loss = model(torch.randn(16, 32) if batch is None else batch).square().mean()
    loss.backward()
    optimizer.step()
    return loss.detach()


def data():
    return TensorDataset(torch.randn(480 * longer, 32))


def ddp_with_evaluation_and_checkpoints():
    model = DDP(network())
    optimizer = optimizer_of(model)
    sampler = DistributedSampler(data())
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for (batch,) in DataLoader(data(), batch_size=8, sampler=sampler):
            step(model, optimizer, batch)
            time.sleep(0.02)
        model.eval()
        with torch.no_grad():
            correct = sum((model.module(torch.randn(16, 32)) > 0).sum() for _ in range(10))
        dist.all_reduce(correct)
        model.train()
        if rank == 0:
            torch.save({"model": model.module.state_dict(), "optimizer": optimizer.state_dict()}, checkpoint)
            time.sleep(1)
        dist.barrier()
    if rank == 0:
        os.remove(checkpoint)


def gradient_accumulation():
    model = DDP(network())
    optimizer = optimizer_of(model)
    for number in range(epochs * 40):
        if number % 4 == 3:
            step(model, optimizer)
        else:
            with model.no_sync():
                model(torch.randn(16, 32)).square().mean().backward()
        time.sleep(0.02)


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.common, self.branches = nn.Linear(32, 64), nn.ModuleList(nn.Linear(64, 8) for _ in range(3))

    def forward(self, x):
        return random.choice(self.branches)(self.common(x))


def parameters_left_unused():
    """Each rank takes another branch."""
    random.seed(rank)
    model = DDP(Branches(), find_unused_parameters=True)
    optimizer = optimizer_of(model)
    for _ in range(epochs * 20):
        step(model, optimizer)
        time.sleep(0.02)


def halved_gradients():
    model = DDP(network())
    model.register_comm_hook(None, fp16_compress_hook)
    optimizer = optimizer_of(model)
    for _ in range(epochs * 20):
        step(model, optimizer)
        time.sleep(0.02)


def averages_now_and_then():
    """Local SGD: between two averages each goes its own way, and takes its own time."""
    model = network()
    optimizer = optimizer_of(model)
    averager = PeriodicModelAverager(period=8, warmup_steps=0)
    for _ in range(epochs * 30):
        step(model, optimizer)
        time.sleep(random.uniform(0, 0.06))
        averager.average_parameters(model.parameters())


def averages_by_momentum():
    """DiLoCo: what each has moved in many steps of its own is averaged, and an outer optimizer takes it for a gradient."""
    model = network()
    inner = torch.optim.AdamW(model.parameters(), lr=0.001)
    common = [parameter.detach().clone() for parameter in model.parameters()]
    outer = torch.optim.SGD(common, lr=0.7, momentum=0.9, nesterov=True)
    for _ in range(epochs * 3):
        for _ in range(10):
            step(model, inner)
            time.sleep(random.uniform(0, 0.03))
        for mine, shared in zip(model.parameters(), common):
            shared.grad = shared - mine.detach()
            dist.all_reduce(shared.grad)
            shared.grad /= world
        outer.step()
        with torch.no_grad():
            for mine, shared in zip(model.parameters(), common):
                mine.copy_(shared)


def sharded_optimizer():
    model = DDP(network())
    optimizer = ZeroRedundancyOptimizer(model.parameters(), optimizer_class=torch.optim.Adam, lr=0.001)
    for _ in range(epochs):
        for _ in range(20):
            step(model, optimizer)
        optimizer.consolidate_state_dict(to=0)
        if rank == 0:
            torch.save(optimizer.state_dict(), os.devnull)


class Images(Dataset):
    def __len__(self):
        return 96

    def __getitem__(self, index):
        time.sleep(5 if index == 0 else 0.02)  # opens its archive
        return torch.full((32,), float(index))


def loader_with_workers():
    model = DDP(network())
    optimizer = optimizer_of(model)
    sampler = DistributedSampler(Images(), shuffle=False)
    for _ in range(epochs):
        for batch in DataLoader(Images(), batch_size=4, sampler=sampler, num_workers=2):
            step(model, optimizer, batch)


def evaluates_on_the_first():
    model = DDP(network())
    optimizer = optimizer_of(model)
    for _ in range(epochs - 1):
        for _ in range(10):
            step(model, optimizer)
        if rank == 0:
            end = time.monotonic() + 13
            with torch.no_grad():
                while time.monotonic() < end:
                    model.module(torch.randn(64, 32))
        dist.barrier()


def stops_early_together():
    model = DDP(network())
    optimizer = optimizer_of(model)
    best, patience = torch.tensor(1e9), 0
    while patience < 3:
        losses = torch.stack([step(model, optimizer) for _ in range(5)]).mean()
        dist.all_reduce(losses)
        patience = 0 if losses < best * 0.99 else patience + 1
        best = torch.minimum(best, losses)
    dist.barrier()


def resumes_from_a_checkpoint():
    """What the first has written is read by all of them."""
    model = DDP(network())
    optimizer = optimizer_of(model)
    for _ in range(10):
        step(model, optimizer)
    if rank == 0:
        torch.save(model.state_dict(), checkpoint)
    dist.barrier()
    again = DDP(network())
    again.load_state_dict(torch.load(checkpoint))
    dist.barrier()
    if rank == 0:
        os.remove(checkpoint)
    optimizer = optimizer_of(again)
    for _ in range(20):
        step(again, optimizer)


def compiles_for_long():
    """One rank's cache of kernels is cold."""
    model = DDP(network())
    optimizer = optimizer_of(model)
    for number in range(epochs * 10):
        if number == 5 and last:
            end = time.monotonic() + 13
            while time.monotonic() < end:
                compile("x = " + "+".join(str(i) for i in range(1000)), "kernel", "exec")
        step(model, optimizer)


def generator_and_critic():
    generator = DDP(nn.Sequential(nn.Linear(32, 128), nn.ReLU(), nn.Linear(128, 32)))
    critic = DDP(network())
    optimizers = [optimizer_of(generator), optimizer_of(critic)]
    for _ in range(epochs * 15):
        for _ in range(2):
            step(critic, optimizers[1], generator(torch.randn(16, 32)).detach())
        optimizers[0].zero_grad()
        critic.module(generator(torch.randn(16, 32))).mean().backward()
        optimizers[0].step()
        time.sleep(0.02)


def sequences_of_any_length():
    """Who has the longest is another rank each time."""
    chance = random.Random(rank)
    model = DDP(network())
    optimizer = optimizer_of(model)
    for _ in range(epochs * 20):
        time.sleep(chance.expovariate(15))
        step(model, optimizer)


def saves_in_a_thread():
    """A copy of the weights is written while the training goes on."""
    model = DDP(network())
    optimizer = optimizer_of(model)
    saving = None
    for _ in range(epochs):
        for _ in range(15):
            step(model, optimizer)
            time.sleep(0.02)
        if rank == 0:
            if saving is not None:
                saving.join()
            weights = {name: value.clone() for name, value in model.module.state_dict().items()}
            saving = threading.Thread(target=lambda: (time.sleep(3), torch.save(weights, os.devnull)))
            saving.start()


globals()[sys.argv[1]]()
dist.destroy_process_group()
