# What goes wrong before the first step: start.py NAME
import fcntl
import os
import sys
import tempfile
import time

import torch
import torch.distributed as dist

rank = int(os.environ["RANK"])
world = int(os.environ["WORLD_SIZE"])
backend = os.environ.get("BACKEND", "gloo")


def lock_kept_over_init():
    """The first to come downloads the data, and keeps the lock for too long."""
    lock = open(os.path.join(tempfile.gettempdir(), "data-" + os.environ["MASTER_PORT"] + ".lock"), "w")
    if rank == 0:
        fcntl.flock(lock, fcntl.LOCK_EX)
    else:
        time.sleep(1)
        fcntl.flock(lock, fcntl.LOCK_EX)
    dist.init_process_group(backend)
    fcntl.flock(lock, fcntl.LOCK_UN)


def only_the_first_makes_it():
    """Debugging left-over: the others return early."""
    if rank != 0:
        print("not the main process, nothing to do")
        return
    dist.init_process_group(backend)


def wrong_world_size():
    """A default of the program's, from the days of four GPUs."""
    dist.init_process_group(backend, rank=rank, world_size=world + 1)


def polls_for_a_file():
    """The others wait for a file that the first writes only after a barrier."""
    flag = os.path.join(tempfile.gettempdir(), "prepared-" + os.environ["MASTER_PORT"])
    if rank != 0:
        while not os.path.exists(flag):
            time.sleep(0.5)
    dist.init_process_group(backend)
    dist.barrier()
    if rank == 0:
        open(flag, "w").close()


def one_imports_for_ever():
    """One rank's cache folder is on a file system that doesn't answer."""
    if rank == world - 1:
        reading, writing = os.pipe()
        os.read(reading, 1)
    dist.init_process_group(backend)
    dist.all_reduce(torch.ones(1))


globals()[sys.argv[1]]()
