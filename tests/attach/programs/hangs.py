"""Jobs of four ranks, one a mode, in each of which rank 2 keeps the others waiting.

hangs.py MODE…: torch is imported once; the ranks are forked, so that nothing in their environment
says who they are. Prints the processes of each, then "ready" on standard error, and waits for the end
of its standard input.
"""

import ctypes
import os
import signal
import sys
import threading
import time

import torch
import torch._dynamo  # DistributedDataParallel imports it with the first model: a second of each rank's
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

GUILTY = 2
RANKS = 4


def missing_all_reduce(rank):
    if rank == GUILTY:
        time.sleep(1000)
    dist.all_reduce(torch.ones(4))


def lock(rank):
    if rank == GUILTY:
        held = threading.Lock()
        held.acquire()
        held.acquire()
    dist.all_reduce(torch.ones(4))


def pipe(rank):
    if rank == GUILTY:
        reader, writer = os.pipe()
        os.write(writer, b"x" * (1 << 20))
    dist.all_reduce(torch.ones(4))


def loop(rank):
    if rank == GUILTY:
        end = time.monotonic() + 1000
        while time.monotonic() < end:
            pass
    dist.all_reduce(torch.ones(4))


def gil(rank):
    if rank == GUILTY:
        ctypes.PyDLL(None).sleep(1000)
    dist.all_reduce(torch.ones(4))


def thread(rank):
    def train():
        if rank == GUILTY:
            time.sleep(1000)
        dist.all_reduce(torch.ones(4))

    trainer = threading.Thread(target=train, name="TrainingThread")  # as Ray Train does it
    trainer.start()
    trainer.join()


class Stuck(torch.utils.data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        time.sleep(1000)
        return index


def end_with_parent(*_):
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: nothing is left of a failed test


def loader(rank):
    if rank == GUILTY:
        next(iter(torch.utils.data.DataLoader(Stuck(), num_workers=1, worker_init_fn=end_with_parent)))
    dist.all_reduce(torch.ones(4))


def send(rank):
    if rank == GUILTY:
        dist.send(torch.ones(1 << 22), dst=3)
    dist.all_reduce(torch.ones(4))


def barrier(rank):
    if rank == GUILTY:
        dist.barrier()
    dist.all_reduce(torch.ones(4))


def skipped(rank):
    if rank != GUILTY:
        dist.all_reduce(torch.ones(4))
    dist.barrier()


def wait(rank):
    if rank == GUILTY:
        time.sleep(1000)
    call = dist.all_reduce(torch.ones(4), async_op=True)
    call.wait()


def backward(rank):
    model = DistributedDataParallel(torch.nn.Linear(4, 4))
    if rank == GUILTY:
        time.sleep(1000)
    model(torch.ones(2, 4)).sum().backward()


def stopped(rank):
    if rank == GUILTY:
        os.kill(os.getpid(), signal.SIGSTOP)
    dist.all_reduce(torch.ones(4))


def work(mode, rank, port, events):
    torch.set_num_threads(1)
    store = dist.TCPStore("127.0.0.1", port, is_master=rank == 0, wait_for_workers=False)
    if rank == 0:
        os.write(events, store.port.to_bytes(2, "big"))
    dist.init_process_group("gloo", store=store, rank=rank, world_size=RANKS)
    dist.barrier()
    os.write(events, b"r")
    globals()[mode](rank)


def fork(*arguments):
    child = os.fork()
    if child == 0:
        end_with_parent()
        try:
            work(*arguments)
        finally:
            os._exit(1)
    return child


def start(mode):
    """Rank 0 has the store, as in most programs."""
    reader, writer = os.pipe()
    children = [fork(mode, 0, 0, writer)]
    port = int.from_bytes(os.read(reader, 2), "big")
    children += [fork(mode, rank, port, writer) for rank in range(1, RANKS)]
    os.close(writer)
    return reader, children


jobs = [start(mode) for mode in sys.argv[1:]]
for reader, _ in jobs:
    arrived = 0
    while arrived < RANKS:
        arrived += len(os.read(reader, RANKS))
for mode, (_, children) in zip(sys.argv[1:], jobs):
    print("hangs", mode, *children, flush=True)
print("ready", file=sys.stderr, flush=True)
sys.stdin.read()
for _, children in jobs:
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
