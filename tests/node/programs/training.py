# A small training on gloo, by what is wrong or unusual with it: training.py MODE [SECONDS [FOLDER]]
import ctypes
import datetime
import multiprocessing
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

mode = sys.argv[1]
seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 8
if mode == "init" and os.environ["RANK"] == "1":
    time.sleep(3600)
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=600))
rank, size = dist.get_rank(), dist.get_world_size()
guilty = rank == size - 1


class Slow(torch.autograd.Function):
    """Sleeps on the way back."""

    @staticmethod
    def forward(context, value):
        return value.clone()

    @staticmethod
    def backward(context, gradient):
        time.sleep(0.2)
        return gradient


def work(duration):
    """Keeps a core busy."""
    end = time.monotonic() + duration
    while time.monotonic() < end:
        sum(range(1000))


def train():
    layers = [torch.nn.Linear(64, 64) for _ in range(4)]
    model = DistributedDataParallel(torch.nn.Sequential(*layers))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    end = time.monotonic() + seconds
    pause = 4.5 if mode == "mixed" else 10
    step, more = 0, torch.ones(1)
    while more.item():
        if mode == "loader" and guilty and step > 2 and step % 2 == 0:
            time.sleep(0.4)  # the data comes late
        if mode == "uneven" or (mode == "mixed" and step % 200 < 60):
            time.sleep(0.15 * ((step + rank) % size))
        if mode == "first" and step == 0:
            work(6 + rank)  # compiles, fills caches
        inputs = torch.randn(8, 64)
        accumulates = (mode == "accumulation" or mode == "mixed" and step % 400 > 300) and step % 4 != 3
        output = model(Slow.apply(inputs.requires_grad_()) if mode == "straggler" and guilty else inputs)
        if accumulates:
            with model.no_sync():
                output.sum().backward()
        else:
            output.sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        step += 1
        if rank == 0 and (mode == "evaluation" and step == 10 or mode == "mixed" and step % 300 == 100):
            work(pause)
        if rank == 0 and (mode == "checkpoint" and step == 10 or mode == "mixed" and step % 300 == 250):
            with open(os.devnull, "wb") as file:
                for _ in range(int(pause * 10)):
                    file.write(os.urandom(1 << 16))
                    time.sleep(0.1)
        more.fill_(time.monotonic() < end)
        dist.broadcast(more, src=0)


class Data(torch.utils.data.Dataset):
    """A worker that reads it stands in a lock that nobody gives back."""

    def __len__(self):
        return 8

    def __getitem__(self, index):
        lock = threading.Lock()
        lock.acquire()
        lock.acquire()


def drip(sender, end):
    """A kilobyte a second."""
    while time.monotonic() < end:
        sender.send(bytes(100))
        time.sleep(0.1)
    sender.close()


def slow():
    """Does something else for a while, and goes on."""
    end = time.monotonic() + seconds
    if mode == "busy":
        work(seconds)
    if mode == "child":
        subprocess.run(["sleep", str(seconds)])
    if mode == "timeout_child":
        subprocess.run(["sleep", str(seconds)], timeout=600)
    if mode == "pause":
        time.sleep(seconds)
    if mode == "download":
        server = socket.create_server(("127.0.0.1", 0))
        client = socket.create_connection(server.getsockname())
        threading.Thread(target=drip, args=(server.accept()[0], end)).start()
        while client.recv(1000):
            pass
    if mode == "disk":
        try:
            torch.save({"one": torch.ones(8)}, sys.argv[3] + "/model.pt")
        except (OSError, RuntimeError):
            pass  # the disk is gone at last


def produce():
    raise ValueError("no more data")


def stuck():
    """Waits for what never comes."""
    if mode == "lock":
        lock = threading.Lock()
        lock.acquire()
        lock.acquire()
    if mode == "fifo":
        os.mkfifo(sys.argv[3] + "/fifo")
        open(sys.argv[3] + "/fifo")
    if mode == "store":
        dist.distributed_c10d._get_default_store().wait(["never"], datetime.timedelta(seconds=600))
    if mode == "stuck_loader":
        list(torch.utils.data.DataLoader(Data(), num_workers=1, multiprocessing_context="fork"))
    if mode == "failed_thread":
        results = queue.Queue()
        threading.Thread(target=produce, name="producer").start()
        results.get()
    if mode == "gil":
        ctypes.PyDLL(None).sleep(3600)
    if mode == "regex":
        re.match("(a+)+$", "a" * 64 + "b")
    if mode == "killed_child":
        results = multiprocessing.get_context("fork").Queue()
        child = multiprocessing.get_context("fork").Process(target=time.sleep, args=(3600,))
        child.start()
        os.kill(child.pid, signal.SIGKILL)
        results.get()


def wrong():
    one = torch.ones(1000)
    for _ in range(5):
        dist.all_reduce(one)
    if mode == "timeout":
        # Not earlier: a rank may start seconds after the other.
        dist.distributed_c10d._set_pg_timeout(datetime.timedelta(seconds=6))
    if mode == "dead" and guilty:
        os._exit(0)  # as if all were well
    if mode == "stopped" and guilty:
        os.kill(os.getpid(), signal.SIGSTOP)
    if mode == "order":
        groups = [dist.new_group(list(range(size))) for _ in range(2)]
        for group in groups if rank == 0 else reversed(groups):
            dist.all_reduce(one, group=group)
    if mode in ("shape", "type", "operation"):
        disagree(one)
    if mode == "root":
        dist.broadcast(one, src=0 if guilty else 1)
    if mode == "both_receive":
        dist.recv(torch.empty(1), src=size - 1 - rank)
    if mode == "tags":
        neighbours(tag=101 if guilty else 100)
    if mode == "source":
        neighbours(source=rank if guilty else None)
    if mode == "size" and rank < 2:
        dist.recv(torch.empty(10), src=1) if rank == 0 else dist.send(one, dst=0)
    if mode == "new_group" and not guilty:
        dist.new_group(list(range(size)))
    if mode == "groups_order":
        for members in ([0, 1], [1, 2])[:: -1 if guilty else 1]:
            dist.new_group(members)
    if guilty:
        slow()
        stuck()
    if mode in ("sleeper", "timeout", "new_group") and guilty:
        time.sleep(3600)
    if mode == "silent":
        time.sleep(5)  # and never another operation
        return
    if mode == "early" and not guilty:
        wait_until_the_last_has_left()
        try:
            dist.all_reduce(one)
        except RuntimeError:
            time.sleep(3600)  # swallowed
    if mode == "thread":
        dist.barrier()
        if guilty:
            threading.Thread(target=keep, name="writer").start()
        sys.exit()
    if mode == "early":
        store().set("left", str(os.getpid()))
        os._exit(0)
    dist.all_reduce(one)


def store():
    return dist.distributed_c10d._get_default_store()


def wait_until_the_last_has_left():
    """Who calls before may have no more to do with it, and waits for others that have failed."""
    process = store().get("left").decode()
    while os.path.exists(f"/proc/{process}"):
        time.sleep(0.01)


def disagree(one):
    """The last rank's call is another one. It comes last: gloo fails where two calls don't fit, and the others are
    then ended, whether they have called or not."""
    if not guilty:
        running = dist.all_reduce(one, async_op=True)
        store().set(f"called/{rank}", "")
        running.wait()
        return
    store().wait([f"called/{other}" for other in range(size - 1)])
    if mode == "operation":
        dist.barrier()
    else:
        dist.all_reduce(torch.ones(10) if mode == "shape" else one.double())


def keep():
    threading.Event().wait()  # for work that never comes


def neighbours(tag=100, source=None):
    """Each sends to the next; tag and source are those of this rank's own calls, if they are wrong."""
    one = torch.ones(1000)
    for step in range(4):
        is_wrong = step == 3
        running = dist.isend(one, (rank + 1) % size, tag=tag if is_wrong else 100)
        after = (rank - 1) % size if source is None or not is_wrong else (rank + 1) % size
        dist.recv(torch.empty(1000), src=after, tag=100)
        running.wait()


def pipeline():
    """Passes what one stage makes to the next."""
    end = time.monotonic() + seconds
    batch = torch.zeros(1000)
    while batch[0] == 0:
        if rank > 0:
            dist.recv(batch, src=rank - 1)
        elif time.monotonic() > end:
            batch.fill_(1)
        work(0.05)
        if rank < size - 1:
            dist.send(batch, dst=rank + 1)


def shape():
    """Groups within the job, work that overlaps, or nothing but barriers."""
    halves = [dist.new_group(list(range(size))[half::2]) for half in range(2)]
    end = time.monotonic() + seconds
    more = torch.ones(1)
    while more.item():
        if mode == "groups":
            work(0.02)
            dist.all_reduce(torch.ones(1000), group=halves[rank % 2])
            dist.all_reduce(torch.ones(500))
        if mode == "async":
            running = [dist.all_reduce(torch.ones(10_000), async_op=True) for _ in range(4)]
            work(0.05)
            for one in running:
                one.wait()
        if mode == "barriers":
            for _ in range(20):
                dist.barrier()
        more.fill_(time.monotonic() < end)
        dist.broadcast(more, src=0)


if mode == "pipeline":
    pipeline()
elif mode in ("groups", "async", "barriers"):
    shape()
else:
    wrong() if mode in ("dead", "stopped", "order", "shape", "type", "operation", "root", "both_receive", "sleeper",
                        "silent", "timeout", "early", "thread", "tags", "source", "size", "new_group", "groups_order",
                        "busy", "child", "timeout_child", "pause", "download", "disk", "lock", "fifo", "store",
                        "stuck_loader", "killed_child", "failed_thread", "gil", "regex") else train()
print("done", flush=True)
os._exit(0)
