"""One rank: every operation of torch.distributed on ring and on gloo with the same values; prints OK.

RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT come from the environment, as for any program.
"""

import datetime
import itertools
import os
import sys

import torch
import torch.distributed as dist
from torch.distributed import ReduceOp

TYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.uint8,
         torch.int32, torch.int64]
REDUCTIONS = [ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.MAX]
SIZES = [1, 7, 1000, 70_001]


def values(rank, size, dtype, salt=0):
    # Whole numbers that every type holds exactly: the two backends add in different orders.
    generator = torch.Generator().manual_seed(1000 * salt + rank)
    return torch.randint(0, 3, (size,), generator=generator).to(dtype)


def same(name, ours, theirs):
    ours, theirs = (x if isinstance(x, list) else [x] for x in (ours, theirs))
    for one, other in zip(ours, theirs, strict=True):
        if not torch.equal(one, other):
            sys.exit(f"rank {dist.get_rank()}: {name}: {one} on ring, {other} on gloo")


def on_both(name, operation):
    same(name, operation(RING), operation(GLOO))


def reductions(rank, ranks):
    for dtype, reduction, size in itertools.product(TYPES, REDUCTIONS, SIZES):
        def all_reduce(group):
            tensor = values(rank, size, dtype)
            dist.all_reduce(tensor, reduction, group=group)
            return tensor

        def reduce(group):
            tensor = values(rank, size, dtype)
            dist.reduce(tensor, ranks - 1, reduction, group=group)
            return tensor if rank == ranks - 1 else torch.zeros(1)

        def reduce_scatter(group):
            output = torch.empty(size, dtype=dtype)
            inputs = [values(rank, size, dtype, salt) for salt in range(ranks)]
            if group is GLOO:  # which has none for lists: the sum of each part
                for owner in range(ranks):
                    dist.reduce(inputs[owner], owner, reduction, group=group)
                return inputs[rank]
            dist.reduce_scatter(output, inputs, reduction, group=group)
            return output

        name = f"{dtype}, {reduction}, {size}"
        on_both(f"all_reduce {name}", all_reduce)
        if size < 10_000:
            on_both(f"reduce {name}", reduce)
            on_both(f"reduce_scatter {name}", reduce_scatter)


def average(rank, ranks):
    tensor = torch.full((5,), float(rank))
    dist.all_reduce(tensor, ReduceOp.AVG, group=RING)
    same("average", tensor, torch.full((5,), (ranks - 1) / 2))


def movements(rank, ranks):
    for size, dtype in itertools.product(SIZES, [torch.float32, torch.int64, torch.bool]):
        def broadcast(group):
            tensor = values(rank, size, dtype)
            dist.broadcast(tensor, ranks - 1, group=group)
            return tensor

        def all_gather(group):
            outputs = [torch.empty(size, dtype=dtype) for _ in range(ranks)]
            dist.all_gather(outputs, values(rank, size, dtype), group=group)
            return outputs

        def all_gather_into_tensor(group):
            output = torch.empty(size * ranks, dtype=dtype)
            dist.all_gather_into_tensor(output, values(rank, size, dtype), group=group)
            return output

        def gather(group):
            outputs = [torch.empty(size, dtype=dtype) for _ in range(ranks)] if rank == 0 else None
            dist.gather(values(rank, size, dtype), outputs, 0, group=group)
            return outputs or torch.zeros(1)

        def scatter(group):
            output = torch.empty(size, dtype=dtype)
            inputs = [values(rank, size, dtype, salt) for salt in range(ranks)] if rank == 0 else None
            dist.scatter(output, inputs, 0, group=group)
            return output

        for operation in (broadcast, all_gather, all_gather_into_tensor, gather, scatter):
            on_both(f"{operation.__name__} {dtype}, {size}", operation)


def uneven_all_to_all(rank, ranks):
    def operation(group):
        sends = [(rank + to) % 3 for to in range(ranks)]
        receives = [(origin + rank) % 3 for origin in range(ranks)]
        output = torch.empty(sum(receives), 2)
        dist.all_to_all_single(output, values(rank, sum(sends) * 2, torch.float32).view(-1, 2),
                               receives, sends, group=group)
        return output

    on_both("all_to_all_single", operation)


def messages(rank, ranks):
    after, before = (rank + 1) % ranks, (rank - 1) % ranks

    def batched(group):
        outgoing, incoming = values(rank, 50_000, torch.float32), torch.empty(50_000)
        work = dist.batch_isend_irecv([dist.P2POp(dist.isend, outgoing, after, group=group),
                                       dist.P2POp(dist.irecv, incoming, before, group=group)])
        for each in work:
            each.wait()
        return incoming

    def from_any(group):
        tensor = torch.full((3,), float(rank))
        if rank:
            dist.send(tensor, 0, group=group, tag=4)
            return tensor
        senders = sorted(dist.recv(tensor, group=group, tag=4) for _ in range(ranks - 1))
        return torch.tensor(senders)

    on_both("batch_isend_irecv", batched)
    on_both("recv from any", from_any)


def works(rank, ranks):
    tensors = [values(rank, 1000, torch.float32, salt) for salt in range(20)]
    handles = [dist.all_reduce(tensor, group=RING, async_op=True) for tensor in tensors]
    wanted = [values(rank, 1000, torch.float32, salt) for salt in range(20)]
    for tensor in wanted:
        dist.all_reduce(tensor, group=GLOO)
    for handle in reversed(handles):
        handle.wait()
        assert handle.is_completed()
    same("asynchronous", tensors, wanted)
    future = dist.all_reduce(tensors[0], group=RING, async_op=True).get_future()
    same("future", future.wait()[0], wanted[0] * ranks)

    def again(done):  # as DDP's powerSGD_hook waits for its second all_reduce
        return dist.all_reduce(done.value()[0], group=RING, async_op=True).get_future().wait()[0]

    future = dist.all_reduce(values(rank, 1000, torch.float32), group=RING, async_op=True).get_future()
    same("future of a future", future.then(again).wait(), wanted[0] * ranks)


def refusals(rank, ranks):
    for refused in (lambda: dist.all_reduce(torch.ones(2, dtype=torch.int16), group=RING),
                    lambda: dist.all_reduce(torch.ones(4, 4).t()[:, 1:3], group=RING),
                    lambda: dist.all_reduce(torch.ones(2, dtype=torch.int32), ReduceOp.BXOR, group=RING)):
        try:
            refused()
        except RuntimeError as error:
            assert "ring" in str(error), error
        else:
            sys.exit("a call was not refused")


def mismatch(rank, ranks):
    group = dist.new_group(backend="ring")
    try:
        dist.all_reduce(torch.ones(10 + rank % 2), group=group)
    except dist.DistBackendError as error:
        assert "40 bytes" in str(error) and "44 bytes" in str(error), error
    else:
        sys.exit("a mismatch was not noticed")


def lateness(rank, ranks):
    group = dist.new_group(backend="ring")
    # Of this call alone: a group of so short a time would have to be joined in it.
    options = dist.AllreduceOptions()
    options.asyncOp = False
    options.timeout = datetime.timedelta(seconds=3)
    dist.barrier(group)
    if rank == ranks - 1:
        dist.barrier(GLOO)
        return
    try:
        group.allreduce([torch.ones(10)], options).wait()
    except dist.DistBackendError as error:
        assert f"waited for rank {ranks - 1}" in str(error) or "gave up" in str(error), error
    else:
        sys.exit("a deadline was not kept")
    dist.barrier(GLOO)


dist.init_process_group("gloo")
GLOO = dist.group.WORLD
RING = dist.new_group(backend="ring")
for check in (reductions, average, movements, uneven_all_to_all, messages, works, refusals, mismatch, lateness):
    check(dist.get_rank(), dist.get_world_size())
dist.barrier(RING)
dist.destroy_process_group()
print("OK", flush=True)
