# Ranks that end, or don't, at the wrong time: ends.py NAME
import atexit
import ctypes
import datetime
import multiprocessing
import os
import sys
import threading
import time

import torch
import torch.distributed as dist

short = sys.argv[1].startswith("timeout")
dist.init_process_group(os.environ.get("BACKEND", "gloo"), timeout=datetime.timedelta(seconds=5 if short else 600))
rank, world = dist.get_rank(), dist.get_world_size()
last = rank == world - 1
one = torch.ones(1000)
for _ in range(5):
    dist.all_reduce(one)


def segmentation_fault():
    if last:
        ctypes.string_at(0)
    dist.all_reduce(one)


def killed():
    if last:
        os.kill(os.getpid(), 9)
    dist.all_reduce(one)


def exits_with_zero():
    if last:
        os._exit(0)
    dist.all_reduce(one)


def raises():
    if last:
        raise ValueError("no such file: shard-7")
    dist.all_reduce(one)


def raises_with_a_thread_left():
    """The traceback is printed, and the process lives on for its thread."""
    threading.Thread(target=threading.Event().wait, name="prefetcher").start()
    if last:
        raise ValueError("no such file: shard-7")
    dist.all_reduce(one)


def others_swallow_it():
    if last:
        sys.exit(0)
    try:
        dist.all_reduce(one)
    except RuntimeError as error:
        print("retrying:", error)
        time.sleep(3600)


def timeout_of_the_group():
    if last:
        threading.Event().wait()
    dist.all_reduce(one)


def timeout_of_a_barrier():
    if last:
        threading.Event().wait()
    dist.monitored_barrier(timeout=datetime.timedelta(seconds=5))


def timeout_is_caught():
    """The others go on as if nothing had happened."""
    if last:
        threading.Event().wait()
    try:
        dist.all_reduce(one)
    except RuntimeError as error:
        print("went wrong:", error)
    time.sleep(3600)


def timeout_with_a_skipped_call():
    if not last:
        dist.all_reduce(one)
    dist.barrier()


def thread_left():
    dist.barrier()
    if last:
        threading.Thread(target=threading.Event().wait, name="uploader").start()


def child_left():
    """Python joins the children of multiprocessing at its end."""
    dist.barrier()
    if last:
        multiprocessing.get_context("fork").Process(target=time.sleep, args=(3600,)).start()


def handler_at_exit():
    dist.barrier()
    if last:
        atexit.register(threading.Event().wait)


def interrupted_once():
    """One rank catches a signal that ends its step, and waits for an answer."""
    try:
        if last:
            raise KeyboardInterrupt
        dist.all_reduce(one)
    except KeyboardInterrupt:
        threading.Event().wait()


def done_too_early():
    """Fewer steps by one, then the program's clean end."""
    for step in range(9 if last else 10):
        dist.all_reduce(one)
    dist.destroy_process_group()


globals()[sys.argv[1]]()
