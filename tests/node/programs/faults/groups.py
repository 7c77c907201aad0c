# Programs with groups of their own: groups.py NAME
import os
import sys
import time

import torch
import torch.distributed as dist

dist.init_process_group(os.environ.get("BACKEND", "gloo"))
rank, world = dist.get_rank(), dist.get_world_size()
one = torch.ones(1000)


def made_by_members_only():
    """The third never calls new_group, and goes on to the next step."""
    if rank in (0, 2):
        dist.new_group([0, 2])
    dist.all_reduce(one)
    if rank in (1, 2):
        dist.new_group([1, 2])
    dist.barrier()


def tensor_and_data_parallel():
    """Two groups over the same ranks, used in the opposite order."""
    tensor = dist.new_group(list(range(world)))
    data = dist.new_group(list(range(world)))
    for _ in range(5):
        dist.all_reduce(one, group=tensor)
        dist.all_reduce(one, group=data)
    for group in (tensor, data) if rank == 0 else (data, tensor):
        dist.all_reduce(one, group=group)


def grid_with_a_skipped_row():
    """Rows and columns of a 2 x 2 grid; one rank forgets its row."""
    rows = [dist.new_group([0, 1]), dist.new_group([2, 3])]
    columns = [dist.new_group([0, 2]), dist.new_group([1, 3])]
    for step in range(10):
        if not (step == 6 and rank == 3):
            dist.all_reduce(one, group=rows[rank // 2])
        dist.all_reduce(one, group=columns[rank % 2])
    dist.barrier()


def subgroup_misses_one():
    """The expert's group: one member takes the other branch, and sleeps in it."""
    experts = dist.new_group([0, 1])
    for step in range(10):
        dist.all_reduce(one)
    if rank == 0:
        dist.all_reduce(one, group=experts)
    if rank == 1:
        import threading
        threading.Event().wait()
    dist.all_reduce(one)


def groups_in_other_order():
    members = [[0, 1], [1, 2]]
    for ranks in members if rank != 2 else members[::-1]:
        dist.new_group(ranks)
    dist.barrier()


def split_with_one_missing():
    """One rank returns before the second group is made."""
    dist.new_group([0, 1])
    if rank == world - 1:
        time.sleep(3600)
    dist.new_group([0, 2])


def destroyed_by_one():
    """One rank tears down its groups before the last exchange."""
    dist.all_reduce(one)
    if rank == world - 1:
        dist.destroy_process_group()
        time.sleep(3600)
    dist.all_reduce(one)


globals()[sys.argv[1]]()
