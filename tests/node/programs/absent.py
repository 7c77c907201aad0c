# The last rank is absent from an all_reduce, in a way of its own: absent.py MODE [FILE]
import ctypes
import os
import signal
import sys
import threading
import time

import torch
import torch.distributed as dist

mode = sys.argv[1]
dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()
is_first = os.environ["TORCHELASTIC_RESTART_COUNT"] == "0"
pair = dist.new_group([0, 1])
one = torch.ones(1000)
dist.all_reduce(one)


def lock():
    held = threading.Lock()
    held.acquire()
    held.acquire()


def pipe():
    end, start = os.pipe()
    print("wrote", os.write(start, b"x" * (1 << 20)), flush=True)


def gil():
    ctypes.PyDLL(None).sleep(3600)


def stop():
    os.kill(os.getpid(), signal.SIGSTOP)


def spin():
    while True:
        pass


def fail():
    """While rank 0 waits for rank 1: once the file is there."""
    while not os.path.exists(sys.argv[2]):
        time.sleep(0.01)
    raise ValueError("too late")


def store():
    return dist.distributed_c10d._get_default_store()


def crash():
    if is_first:
        store().set("crashes", str(os.getpid()))
        raise ValueError("boom")


def wait_until_it_has_crashed():
    """Before, the others would wait for it as long as Python takes to end."""
    process = store().get("crashes").decode()
    while os.path.exists(f"/proc/{process}"):
        time.sleep(0.01)


def wait():
    if mode == "fail":
        if rank == 1:
            time.sleep(3600)
        dist.all_reduce(one, group=pair)
    if mode == "crash" and is_first and rank < size - 1:
        wait_until_it_has_crashed()
    dist.all_reduce(one)


if rank == size - 1:
    globals()[mode]()
wait()
print("done", flush=True)
os._exit(0)
