# One rank waits for something that never comes: stuck.py NAME
import asyncio
import concurrent.futures
import logging
import multiprocessing
import os
import queue
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


def lock_taken_twice():
    guard = threading.Lock()

    def flush():
        with guard:
            print("flush")

    with guard:
        flush()


def empty_queue():
    batches = queue.Queue(maxsize=2)

    def fill():
        for number in range(2):
            batches.put(torch.full((4,), float(number)))

    threading.Thread(target=fill, daemon=True).start()
    for _ in range(3):
        batches.get()


def polls_for_a_checkpoint():
    """The first writes it when it is through the barrier."""
    path = os.path.join(tempfile.gettempdir(), "never-written.pt")
    while not os.path.exists(path):
        time.sleep(0.2)


def silent_server():
    server = socket.create_server(("127.0.0.1", 0))
    client = socket.create_connection(server.getsockname())
    client.sendall(b"GET /shard HTTP/1.0\r\n\r\n")
    client.recv(1 << 16)


def future_never_done():
    pool = concurrent.futures.ThreadPoolExecutor()
    done = threading.Event()
    pool.submit(done.wait).result()


def asynchronous_client():
    async def fetch():
        await asyncio.get_running_loop().create_future()

    asyncio.run(fetch())


def own_store():
    dist.TCPStore("127.0.0.1", 0, is_master=True).get("ready")


def spins():
    """Busy waiting for a flag that nobody sets."""
    flag = [False]
    while not flag[0]:
        pass


def child_asks():
    """`unzip` asks whether to overwrite, and nobody hears it."""
    reading, writing = os.pipe()
    subprocess.run(["cat"], stdin=reading)


def pool_after_a_fork():
    """A worker is forked while a thread has the lock."""
    guard = threading.Lock()
    guard.acquire()

    process = multiprocessing.get_context("fork").Process(target=guard.acquire)
    process.start()
    process.join()


def stopped_by_a_debugger():
    os.kill(os.getpid(), 19)


def full_pipe():
    reading, writing = os.pipe()
    os.write(writing, bytes(1 << 20))


def reads_standard_input():
    reading, writing = os.pipe()
    os.dup2(reading, 0)
    input("Continue? ")


def condition_without_notify():
    changed = threading.Condition()
    with changed:
        changed.wait()


def joins_a_thread():
    thread = threading.Thread(target=threading.Event().wait)
    thread.start()
    thread.join()


def sleeps_for_a_retry():
    time.sleep(3600)


for _ in range(10):
    dist.all_reduce(torch.ones(1000))
if last:
    globals()[sys.argv[1]]()
dist.all_reduce(torch.ones(1000))
