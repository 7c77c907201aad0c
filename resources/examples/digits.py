"""What the digit examples share: the digits, drawn here; the net; one epoch of training."""

import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional

# The digits 0 to 9, each of seven rows of five dots.
FONT = (
    "01110 10001 10011 10101 11001 10001 01110", "00100 01100 00100 00100 00100 00100 01110",
    "01110 10001 00001 00010 00100 01000 11111", "11111 00010 00100 00010 00001 10001 01110",
    "00010 00110 01010 10010 11111 00010 00010", "11111 10000 11110 00001 00001 10001 01110",
    "00110 01000 10000 11110 10001 10001 01110", "11111 00001 00010 00100 01000 01000 01000",
    "01110 10001 10001 01110 10001 10001 01110", "01110 10001 10001 01111 00001 00010 01100",
)
SIZE = 28


def draw(count, generator):
    """Digits, each turned, scaled, shifted and blurred in its own way, in noise; and what they are."""
    glyphs = torch.tensor([[[float(dot) for dot in row] for row in digit.split()] for digit in FONT])
    labels = torch.randint(10, (count,), generator=generator)

    def between(low, high):
        return low + (high - low) * torch.rand(count, generator=generator)

    angle, width, height = between(-0.35, 0.35), between(1.5, 2.6), between(1.1, 1.8)
    transform = torch.zeros(count, 2, 3)
    transform[:, 0, 0], transform[:, 0, 1] = width * angle.cos(), -width * angle.sin()
    transform[:, 1, 0], transform[:, 1, 1] = height * angle.sin(), height * angle.cos()
    transform[:, 0, 2], transform[:, 1, 2] = between(-0.5, 0.5), between(-0.3, 0.3)
    grid = functional.affine_grid(transform, (count, 1, SIZE, SIZE), align_corners=False)
    images = functional.grid_sample(glyphs[labels].unsqueeze(1), grid, align_corners=False)
    noise = torch.randn(images.shape, generator=generator)
    return images * between(0.6, 1.0).view(-1, 1, 1, 1) + 0.25 * noise, labels


def make_net():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(32 * (SIZE // 4) ** 2, 64), nn.ReLU(), nn.Linear(64, 10),
    )


def join_group():
    """Joins the job's process group: nccl where every worker has a GPU of its own, else gloo."""
    if torch.cuda.device_count() >= int(os.environ["LOCAL_WORLD_SIZE"]):
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
        dist.init_process_group("nccl", device_id=device)
    else:
        device = torch.device("cpu")
        dist.init_process_group("gloo")
    say(f"joined {dist.get_world_size()} ranks with {dist.get_backend()} on {device}")
    return device


def say(text):
    # In one write: Python's -u writes the end of a line apart, and ranks share the terminal.
    print(f"rank {dist.get_rank()}: {text}\n", end="", flush=True)


def generator_for(*numbers):
    """Random numbers of this rank's own, the same ones again after a restart."""
    seed = 0
    for number in (*numbers, dist.get_rank()):
        seed = seed * 100_003 + number + 1
    return torch.Generator().manual_seed(seed)


def train_epoch(net, optimizer, device, epoch, options, before_step=lambda step: None):
    """One epoch. Rank 0 reports about once a second, every rank at the end."""
    generator = generator_for(epoch)
    started = reported = time.monotonic()
    for step in range(epoch * options.steps, (epoch + 1) * options.steps):
        before_step(step)
        images, labels = (tensor.to(device) for tensor in draw(options.batch, generator))
        scores = net(images)
        loss = functional.cross_entropy(scores, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        now = time.monotonic()
        if now - reported >= 1 and dist.get_rank() == 0:
            reported = now
            accuracy = (scores.argmax(1) == labels).float().mean().item()
            speed = (step + 1 - epoch * options.steps) / (now - started)
            say(f"step {step}  loss {loss.item():.3f}  accuracy {accuracy:.1%}  {speed:.1f} steps/s")
    say(f"epoch {epoch + 1} of {options.epochs} done, loss {loss.item():.3f}")


@torch.no_grad()
def test_accuracy(net, device, count=1000):
    """The share of digits that no rank has trained on and that the ranks, together, read rightly."""
    images, labels = (tensor.to(device) for tensor in draw(count, generator_for(10**6)))
    right = (net(images).argmax(1) == labels).sum().float()
    dist.all_reduce(right)
    return right.item() / (count * dist.get_world_size())


def add_options(parser):
    parser.add_argument("--epochs", type=int, default=18)
    parser.add_argument("--steps", type=int, default=60, help="in an epoch")
    parser.add_argument("--batch", type=int, default=64, help="digits of a rank in a step")
