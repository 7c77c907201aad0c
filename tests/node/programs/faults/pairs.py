# Pipelines and rings: pairs.py NAME
import os
import sys
import threading
import time

import torch
import torch.distributed as dist

dist.init_process_group(os.environ.get("BACKEND", "gloo"))
rank, world = dist.get_rank(), dist.get_world_size()
batch = torch.zeros(256, 32)


def wrong_tag():
    """Tags are the number of the micro-batch, which one stage counts from one."""
    for micro in range(4):
        if rank > 0:
            dist.recv(batch, src=rank - 1, tag=micro + (1 if rank == world - 1 else 0))
        if rank < world - 1:
            dist.send(batch, dst=rank + 1, tag=micro)
    dist.barrier()


def more_micro_batches_expected():
    for micro in range(5 if rank == world - 1 else 4):
        if rank > 0:
            dist.recv(batch, src=rank - 1)
        if rank < world - 1:
            dist.send(batch, dst=rank + 1)
    dist.all_reduce(torch.ones(1))


def ring_turned_round():
    """One rank sends to the one before it, as in the backward pass."""
    step = -1 if rank == world - 1 else 1
    work = dist.isend(batch, (rank + step) % world)
    received = torch.empty_like(batch)
    dist.recv(received, (rank - 1) % world)
    work.wait()
    dist.barrier()


def all_receive_first():
    received = torch.empty_like(batch)
    dist.recv(received, src=(rank - 1) % world)
    dist.send(batch, dst=(rank + 1) % world)


def batch_without_its_receive():
    """The list of operations lacks one for the last stage."""
    operations = []
    if rank < world - 1:
        operations.append(dist.P2POp(dist.isend, batch, rank + 1))
        operations.append(dist.P2POp(dist.irecv, torch.empty_like(batch), rank + 1))
    if rank > 0:
        operations.append(dist.P2POp(dist.irecv, torch.empty_like(batch), rank - 1))
        if rank != world - 1:
            operations.append(dist.P2POp(dist.isend, batch, rank - 1))
    for work in dist.batch_isend_irecv(operations):
        work.wait()
    dist.barrier()


def from_anybody():
    """The server takes one more message than the clients send."""
    if rank == 0:
        for _ in range(2 * (world - 1) + 1):
            print("from", dist.recv(batch))
    else:
        for _ in range(2):
            dist.send(batch, dst=0)
    dist.barrier()


def stage_is_stuck():
    for micro in range(6):
        if rank > 0:
            dist.recv(batch, src=rank - 1)
        if rank == 1 and micro == 3:
            threading.Event().wait()
        if rank < world - 1:
            dist.send(batch, dst=rank + 1)


def buffer_is_too_small():
    for _ in range(3):
        if rank == 0:
            dist.send(batch, dst=1)
        elif rank == 1:
            dist.recv(batch, src=0)
    if rank == 0:
        dist.send(batch, dst=1)
    elif rank == 1:
        dist.recv(torch.empty(128, 32), src=0)
    dist.barrier()


def objects_to_the_wrong_one():
    """send_object_list to the first, which expects it of somebody else."""
    if rank == world - 1:
        dist.send_object_list([{"step": 1}], dst=0)
    elif rank == 0:
        got = [None]
        dist.recv_object_list(got, src=1)
    dist.barrier()


globals()[sys.argv[1]]()
