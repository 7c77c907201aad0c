# Ranks with parts of their own, with nothing wrong: exchange.py NAME
import os
import random
import sys
import time

import torch
import torch.distributed as dist

dist.init_process_group(os.environ.get("BACKEND", "gloo"))
rank, world = dist.get_rank(), dist.get_world_size()
last = rank == world - 1


def parameter_server():
    """It takes what comes first, and answers."""
    weights, gradient = torch.zeros(100), torch.zeros(100)
    if rank == 0:
        for _ in range(20 * (world - 1)):
            client = dist.recv(gradient)
            weights -= gradient
            dist.send(weights, dst=client)
    else:
        for _ in range(20):
            time.sleep(0.05 * rank)
            dist.send(torch.randn(100), dst=0)
            dist.recv(weights, src=0)
    dist.barrier()


def hands_out_work():
    """Pieces of any size; who is done gets the next, or None."""
    pieces = [0.1, 4, 0.2, 0.1, 0.5, 0.1, 3, 0.1] + [None] * (world - 1)
    who = torch.zeros(1, dtype=torch.int64)
    if rank == 0:
        for piece in pieces:
            dist.recv(who)
            dist.send_object_list([piece], dst=int(who))
    else:
        piece = [0]
        while piece[0] is not None:
            time.sleep(piece[0])
            dist.send(who + rank, dst=0)
            dist.recv_object_list(piece, src=0)
    dist.barrier()


def collects_in_order():
    """One after the other, though the first needs longest and the others have sent."""
    part = torch.ones(1000)
    for _ in range(3):
        if rank == 0:
            for client in range(1, world):
                dist.recv(part, src=client)
        else:
            time.sleep(7 if rank == 1 else 0.1)
            dist.send(part, dst=0)


def sums_by_a_tree():
    """Half of the ranks is done after the first round, and waits for the next sum."""
    for _ in range(40):
        value, distance = torch.ones(1000), 1
        while distance < world:
            if rank % (2 * distance) == distance:
                dist.send(value, dst=rank - distance)
                break
            if rank + distance < world:
                other = torch.empty_like(value)
                dist.recv(other, src=rank + distance)
                value += other
            distance *= 2
        dist.broadcast(value, src=0)
        time.sleep(0.05)


def settings_and_metrics():
    settings = [{"lr": 0.1, "seed": 7} if rank == 0 else None]
    dist.broadcast_object_list(settings, src=0)
    part = [None]
    dist.scatter_object_list(part, [list(range(i)) for i in range(world)] if rank == 0 else None, src=0)
    for epoch in range(10):
        time.sleep(0.2)
        found = [None] * world if rank == 0 else None
        dist.gather_object({"rank": rank, "losses": [0.5] * epoch}, found, dst=0)
    dist.barrier()


def actors_and_learner():
    """Games take their time; the learner learns while others play already."""
    chance = random.Random(rank)
    weights = torch.zeros(1000)
    for _ in range(8):
        dist.broadcast(weights, src=0)
        if rank != 0:
            time.sleep(chance.uniform(0.1, 1.5))
        games = torch.randn(50)
        dist.gather(games, [torch.empty(50) for _ in range(world)] if rank == 0 else None, dst=0)
        if rank == 0:
            time.sleep(0.5)


def by_the_store_alone():
    """Who needs the others' addresses only has no collective to wait in."""
    store = dist.distributed_c10d._get_default_store()
    store.set(f"address/{rank}", f"10.0.0.{rank}")
    if rank == 0:
        time.sleep(12)
        store.set("table", "ready")
    else:
        store.wait(["table"])
    store.add("arrived", 1)
    dist.barrier()


def many_small_ones_in_flight():
    for _ in range(20):
        running = [dist.all_reduce(torch.ones(10), async_op=True) for _ in range(50)]
        time.sleep(0.1)
        for work in running:
            work.wait()


def groups_at_work_side_by_side():
    """Two pairs that never wait for each other, one of them twice as slow."""
    pairs = [dist.new_group([0, 1]), dist.new_group([2, 3])]
    for _ in range(40):
        time.sleep(0.1 * (1 + rank // 2))
        dist.all_reduce(torch.ones(1000), group=pairs[rank // 2])
    dist.barrier()


globals()[sys.argv[1]]()
dist.destroy_process_group()
