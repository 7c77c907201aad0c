"""torch's libuv TCPStore server and Ringmaster's, in turn, under the same clients.

    <interpreter with torch> tests/bench/store/bench_store.py build/release/bin/ringmaster-store-serve

Prints for each: CPU time of the server per operation and operations a second with 1 and 16 torch
client processes; pipelined requests over a raw socket (200 a write); memory of 1,000 idle
connections. Median of the rounds; the servers take turns in every round, so that other work on the
machine falls on both.
"""

import argparse
import os
import pathlib
import resource
import socket
import statistics
import struct
import subprocess
import sys
import time

import torch.distributed as dist

HERE = pathlib.Path(__file__).resolve().parent
CLIENTS = 16
VALUE = "v" * 64
GREETING = bytes.fromhex("00cef7853c0d01000000")


class Server:
    def __init__(self, name, command):
        self.name = name
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.port = int(self.process.stdout.readline())

    def cpu_seconds(self):
        total = 0
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            total += int((task / "schedstat").read_text().split()[0])
        return total / 1e9

    def resident_bytes(self):
        pages = int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def acknowledged_set(store, key):
    store.set(key, VALUE)
    store.check([key])


OPERATIONS = {
    "set, acknowledged": acknowledged_set,
    "get": lambda store, key: store.get(key),
    "add": lambda store, key: store.add(key + "n", 1),
    "check": lambda store, key: store.check([key]),
}


class Client:
    """A forked process with a torch client for each server; obeys lines of `port operation seconds`."""

    def __init__(self, number):
        ours_read, theirs_write = os.pipe()
        theirs_read, ours_write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(ours_read)
            os.close(ours_write)
            self.obey(number, os.fdopen(theirs_read), os.fdopen(theirs_write, "w"))
            os._exit(0)
        os.close(theirs_read)
        os.close(theirs_write)
        self.results = os.fdopen(ours_read)
        self.commands = os.fdopen(ours_write, "w")

    def obey(self, number, commands, results):
        stores = {}
        key = f"client{number}"
        for line in commands:
            port, operation, seconds = line.rstrip().split("|")
            if port not in stores:
                stores[port] = dist.TCPStore("127.0.0.1", int(port), None, False)
                stores[port].set(key, VALUE)
            store, call, count = stores[port], OPERATIONS.get(operation), 0
            end = time.monotonic() + float(seconds)
            while call and time.monotonic() < end:
                for _ in range(50):
                    call(store, key)
                count += 50
            print(count, file=results, flush=True)

    def start(self, port, operation, seconds):
        print(f"{port}|{operation}|{seconds}", file=self.commands, flush=True)

    def result(self):
        return int(self.results.readline())


def run_clients(server, clients, operation, seconds):
    for client in clients:
        client.start(server.port, "connect", 0)
    for client in clients:
        client.result()
    cpu, start = server.cpu_seconds(), time.monotonic()
    for client in clients:
        client.start(server.port, operation, seconds)
    count = sum(client.result() for client in clients)
    return (server.cpu_seconds() - cpu) / count * 1e6, count / (time.monotonic() - start)


def text(value):
    return struct.pack("<Q", len(value)) + value


def connected(port):
    peer = socket.create_connection(("127.0.0.1", port))
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    peer.sendall(GREETING)
    assert len(peer.recv(4, socket.MSG_WAITALL)) == 4
    return peer


def pipelined(server, operation, seconds):
    key = text(b"/pipelined")
    request, reply = {
        "get": (b"\x03" + key, 8 + len(VALUE)),
        "add": (b"\x04" + text(b"/count") + struct.pack("<q", 1), 8),
        "check": (b"\x05" + struct.pack("<Q", 1) + key, 1),
    }[operation]
    with connected(server.port) as peer:
        peer.sendall(b"\x01" + key + text(VALUE.encode()))
        batch, count, expected = request * 200, 0, reply * 200
        buffer = bytearray(expected)
        cpu, start = server.cpu_seconds(), time.monotonic()
        while time.monotonic() - start < seconds:
            peer.sendall(batch)
            got = 0
            while got < expected:
                got += peer.recv_into(memoryview(buffer)[got:])
            count += 200
        return (server.cpu_seconds() - cpu) / count * 1e6, count / (time.monotonic() - start)


def idle_bytes(server, count=1000):
    for _ in range(20):  # Whatever grows only once has grown.
        connected(server.port).close()
    before = server.resident_bytes()
    peers = [connected(server.port) for _ in range(count)]
    grown = server.resident_bytes() - before
    for peer in peers:
        peer.close()
    return grown / count


def measured(servers, rounds, measure):
    """Medians of (CPU microseconds an operation, operations a second), one pair a server."""
    results = {server.name: [] for server in servers}
    for number in range(rounds):
        for server in servers if number % 2 == 0 else reversed(servers):
            results[server.name].append(measure(server))
    return [
        tuple(statistics.median(column) for column in zip(*results[server.name]))
        for server in servers
    ]


def show(title, torch_figures, our_figures):
    (torch_cpu, torch_rate), (our_cpu, our_rate) = torch_figures, our_figures
    print(
        f"{title:32} CPU/op torch {torch_cpu:6.2f} us  ours {our_cpu:6.2f} us  {our_cpu / torch_cpu:5.2f} x"
        f"   ops/s torch {torch_rate:9.0f}  ours {our_rate:9.0f}  {our_rate / torch_rate:5.2f} x",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("serve", help="ringmaster-store-serve of a release build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    arguments = parser.parse_args()

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    clients = [Client(number) for number in range(CLIENTS)]
    torch_server = HERE.parent.parent / "store" / "torch_server.py"
    servers = [
        Server("torch", [sys.executable, str(torch_server), "libuv"]),
        Server("ours", [arguments.serve]),
    ]
    for count in (1, CLIENTS):
        for operation in OPERATIONS:
            show(
                f"{operation}, {count} client{'s' if count > 1 else ''}",
                *measured(
                    servers,
                    arguments.rounds,
                    lambda server: run_clients(server, clients[:count], operation, arguments.seconds),
                ),
            )
    for operation in ("get", "add", "check"):
        show(
            f"{operation}, 200 a write",
            *measured(
                servers,
                arguments.rounds,
                lambda server: pipelined(server, operation, arguments.seconds),
            ),
        )
    for server in servers:
        print(f"idle connection, {server.name}: {idle_bytes(server):.0f} bytes beyond the kernel's")
    for server in servers:
        server.close()


if __name__ == "__main__":
    main()
