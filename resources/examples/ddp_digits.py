"""Trains a small convolution net on digits, on every rank, with DistributedDataParallel.

ringmaster run --standalone --nproc-per-node 4 ddp_digits.py
"""

import argparse

import torch
import torch.distributed as dist
from torch.distributed.elastic.multiprocessing.errors import record
from torch.nn.parallel import DistributedDataParallel

import digits


def train(options, device):
    torch.manual_seed(0)
    net = DistributedDataParallel(digits.make_net().to(device))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(options.epochs):
        digits.train_epoch(net, optimizer, device, epoch, options)
    accuracy = digits.test_accuracy(net, device)
    if dist.get_rank() == 0:
        digits.say(f"test accuracy {accuracy:.1%}")


@record
def main():
    parser = argparse.ArgumentParser(description=__doc__)
    digits.add_options(parser)
    options = parser.parse_args()

    device = digits.join_group()
    # The net is gone before the process group: a DistributedDataParallel that outlives it ends the
    # group's threads while it holds the interpreter's lock, which one of them may wait for.
    train(options, device)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
