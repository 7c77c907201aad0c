# Waits in the way that its argument names; says "ready" before.
import fcntl
import multiprocessing
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time

mode = sys.argv[1]


def ready(text="ready"):
    print(text, flush=True)


def connected():
    server = socket.create_server(("127.0.0.1", 0))
    client = socket.create_connection(server.getsockname())
    return client, server.accept()[0]


def drip(sender):
    while True:
        sender.send(b"x" * 100)
        time.sleep(0.1)


def read_all(client):
    while client.recv(1000):
        pass


if mode == "sleep":
    ready()
    time.sleep(float(sys.argv[2]))
if mode == "pause":
    ready()
    for _ in range(20):
        time.sleep(0.05)
    time.sleep(50)
if mode == "naps":
    ready()
    while True:
        time.sleep(0.05)
if mode == "lock":
    lock = threading.Lock()
    lock.acquire()
    ready()
    lock.acquire()
if mode == "child":
    ready()
    subprocess.run(["sleep", "600"])
if mode == "secret":
    ready()
    subprocess.run(["sh", "-c", "sleep 600; true", "--token", "geheim"])
if mode == "answer":
    ready()
    subprocess.run(["sleep", "600"], capture_output=True)
if mode == "poll":
    ready()
    subprocess.run(["sleep", "600"], timeout=500)
if mode in ("copy", "copy_child"):
    lock = threading.Lock()
    lock.acquire()
    work = lock.acquire if mode == "copy" else lambda: subprocess.run(["sleep", "600"])
    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    ready()
    process.join()
if mode == "killed":
    child = os.fork()
    if child == 0:
        signal.pause()
    os.kill(child, signal.SIGKILL)
    ready()
    threading.Event().wait()
if mode == "stopped":
    child = subprocess.Popen(["sleep", "600"])
    os.kill(child.pid, signal.SIGSTOP)
    ready()
    child.wait()
if mode == "fifo":
    os.mkfifo(sys.argv[2])
    ready()
    open(sys.argv[2])
if mode == "pipe":
    reader, writer = os.pipe()
    ready()
    os.read(reader, 1)
if mode == "full_pipe":
    reader, writer = os.pipe()
    ready()
    os.write(writer, bytes(1 << 20))
if mode == "silent_socket":
    client, server = connected()
    ready()
    client.recv(1)
if mode in ("socket", "polled_socket"):
    client, server = connected()
    client.settimeout(None if mode == "socket" else 60)
    threading.Thread(target=drip, args=(server,), daemon=True).start()
    ready()
    read_all(client)
if mode == "download_in_thread":
    client, server = connected()
    threading.Thread(target=drip, args=(server,), daemon=True).start()
    thread = threading.Thread(target=read_all, args=(client,))
    thread.start()
    ready()
    thread.join()
if mode == "selected":
    reader, writer = os.pipe()
    ready()
    select.select([reader], [], [])
if mode == "epoll":
    client, server = connected()
    poll = select.epoll()
    poll.register(client, select.EPOLLIN)
    threading.Thread(target=drip, args=(server,), daemon=True).start()
    ready()
    while True:
        poll.poll()
        client.recv(1000)
if mode == "file_lock":
    with open(sys.argv[2], "w") as one, open(sys.argv[2], "w") as other:
        fcntl.flock(one, fcntl.LOCK_EX)
        ready()
        fcntl.flock(other, fcntl.LOCK_EX)
if mode == "computes":
    ready()
    while True:
        sum(range(10_000))
if mode == "disk":
    ready()
    open(sys.argv[2] + "/model.pt")
