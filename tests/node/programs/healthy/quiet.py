# Programs in which ranks do little for a while, as they should: quiet.py NAME
import fcntl
import hashlib
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

import torch
import torch.distributed as dist

dist.init_process_group(os.environ.get("BACKEND", "gloo"))
rank, world = dist.get_rank(), dist.get_world_size()
last = rank == world - 1
folder = tempfile.gettempdir()
name = os.environ["MASTER_PORT"]


def train(steps, group=None):
    for _ in range(steps):
        dist.all_reduce(torch.ones(1000), group=group)
        time.sleep(0.05)


def first_downloads():
    """From a slow server, and the others wait at a barrier."""
    train(10)
    if rank == 0:
        server = socket.create_server(("127.0.0.1", 0))

        def serve():
            connection, _ = server.accept()
            with connection:
                for _ in range(28):
                    connection.sendall(bytes(500))
                    time.sleep(0.5)

        threading.Thread(target=serve, daemon=True).start()
        with socket.create_connection(server.getsockname()) as client:
            while client.recv(1 << 16):
                pass
    dist.barrier()
    train(10)


def packs_in_a_child():
    train(10)
    if rank == 0:
        subprocess.run(["sleep", "14"], check=True)
    dist.barrier()
    train(10)


def prepares_one_after_the_other():
    """The data is prepared by who has the lock; the others find it ready."""
    train(10)
    path = os.path.join(folder, "prepared-" + name)
    with open(path, "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        time.sleep(5)
    dist.barrier()
    if rank == 0:
        os.remove(path)
    train(10)


def polls_for_the_first():
    train(10)
    path = os.path.join(folder, "index-" + name)
    if rank == 0:
        end = time.monotonic() + 13
        while time.monotonic() < end:
            hashlib.sha256(bytes(100_000)).digest()
        open(path, "w").close()
    while not os.path.exists(path):
        time.sleep(0.5)
    dist.barrier()
    if rank == 0:
        os.remove(path)
    train(10)


def pauses_for_a_moment():
    """A server that is asked too often says when to come again."""
    train(10)
    if last:
        time.sleep(20)
    train(10)


def train_without_the_last(steps):
    others = dist.new_group([0, 1])
    train(10)
    if not last:
        for _ in range(steps):
            dist.all_reduce(torch.ones(1000), group=others)
            time.sleep(0.05)


def half_of_them_train():
    train_without_the_last(260)
    dist.barrier()


def one_ends_early():
    """What is left concerns the others alone."""
    train_without_the_last(280)


def works_on_after_the_end():
    """One rank writes its report when the others have ended."""
    train(10)
    dist.destroy_process_group()
    if rank == 0:
        end = time.monotonic() + 15
        while time.monotonic() < end:
            hashlib.sha256(bytes(100_000)).digest()
            time.sleep(0.05)
    sys.exit(0)


def all_pause():
    for _ in range(2):
        train(10)
        time.sleep(13)
    dist.barrier()


def writes_to_a_slow_disk():
    train(10)
    if rank == 0:
        with tempfile.TemporaryFile() as file:
            for _ in range(14):
                file.write(bytes(50_000))
                file.flush()
                os.fsync(file.fileno())
                time.sleep(1)
    dist.barrier()
    train(10)


globals()[sys.argv[1]]()
dist.destroy_process_group()
