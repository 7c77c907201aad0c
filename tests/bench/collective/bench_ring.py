#!/usr/bin/env python3
"""all_reduce on ring beside gloo, in the same processes, turn by turn: time, bus bandwidth, their ratio,
and how near the ring comes to what copying allows.

    PYTHONPATH=<build>/bin/ringmaster-ring <python with torch> bench_ring.py [--ranks 4] [--max 64M] [--rounds 7]

The limit: in a ring each rank copies 2(n-1) chunks, each an n-th of the tensor, at least. All ranks do
just that here, in the same rounds, chunk after chunk as the ring's steps go, each within a tensor of its
own and of that size: no neighbour's memory is read, nothing is waited for or reduced.
"""

import argparse
import os
import socket
import statistics
import subprocess
import sys
import time


def size_of(text):
    factor = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(text[-1].upper(), 1)
    return int(text[:-1] if factor > 1 else text) * factor


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--min", type=size_of, default=8)
    parser.add_argument("--max", type=size_of, default=64 << 20)
    parser.add_argument("--factor", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.15, help="of each measurement")
    return parser.parse_args()


def sizes(options):
    size = options.min
    while size <= options.max:
        yield size
        size *= options.factor
    if size // options.factor != options.max:
        yield options.max


def copy_round(rank, chunks):
    for step in range(2 * (len(chunks) - 1)):
        chunks[(rank - step - 1) % len(chunks)].copy_(chunks[(rank - step) % len(chunks)])


def work(options):
    import torch
    import torch.distributed as dist

    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    rank, ranks = dist.get_rank(), dist.get_world_size()
    groups = {"gloo": dist.group.WORLD, "ring": dist.new_group(backend="ring")}

    def timed(action, count):
        dist.barrier(groups["ring"])
        start = time.perf_counter()
        for _ in range(count):
            action()
        # Together with the slowest: where ranks share processors, one may be done before another begins.
        dist.barrier(groups["ring"])
        return (time.perf_counter() - start) / count

    def slowest(seconds):
        value = torch.tensor([seconds], dtype=torch.float64)
        dist.all_reduce(value, dist.ReduceOp.MAX, group=groups["ring"])
        return value.item()

    if rank == 0:
        print(f"{ranks} ranks, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} before; "
              f"medians of {options.rounds} rounds, GB/s = 1e9 B/s")
        print(f"{'bytes':>10} {'gloo us':>10} {'ring us':>10} {'gloo bus':>9} {'ring bus':>9} "
              f"{'ratio':>6} {'least':>6} {'limit':>7} {'of limit':>8}")
    for size in sizes(options):
        tensor = torch.ones(max(1, size // 4))
        chunks = torch.tensor_split(torch.ones(tensor.numel()), ranks)
        dist.barrier(groups["ring"])
        actions = {
            "gloo": lambda: dist.all_reduce(tensor, dist.ReduceOp.MAX, group=groups["gloo"]),
            "ring": lambda: dist.all_reduce(tensor, dist.ReduceOp.MAX, group=groups["ring"]),
            "copy": lambda: copy_round(rank, chunks),
        }
        counts, times = {}, {name: [] for name in actions}
        for name, action in actions.items():
            once = min(slowest(timed(action, 5)) for _ in range(3))
            counts[name] = max(5, min(5000, int(options.seconds / once)))
        for _ in range(options.rounds):
            for name, action in actions.items():
                times[name].append(slowest(timed(action, counts[name])))
        gloo, ring, copy = (statistics.median(times[name]) for name in ("gloo", "ring", "copy"))
        least = min(g / r for g, r in zip(times["gloo"], times["ring"]))
        moved = tensor.nbytes * 2 * (ranks - 1) / ranks / 1e9
        limit = moved / copy
        if rank == 0:
            print(f"{tensor.nbytes:>10} {gloo * 1e6:>10.1f} {ring * 1e6:>10.1f} {moved / gloo:>9.3f} "
                  f"{moved / ring:>9.3f} {gloo / ring:>6.2f} {least:>6.2f} {limit:>7.2f} "
                  f"{100 * moved / ring / limit:>7.0f}%", flush=True)
    dist.destroy_process_group()


def main():
    options = arguments()
    if "RANK" in os.environ:
        work(options)
        return 0
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    processes = [
        subprocess.Popen([sys.executable] + sys.argv, env=dict(
            os.environ, RANK=str(rank), WORLD_SIZE=str(options.ranks), MASTER_ADDR="127.0.0.1",
            MASTER_PORT=str(port), OMP_NUM_THREADS="1"))
        for rank in range(options.ranks)
    ]
    return max(process.wait() for process in processes)


if __name__ == "__main__":
    sys.exit(main())
