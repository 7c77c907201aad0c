"""Messages between ranks, one kind after the other, as the torch.distributed tutorial explains them.

ringmaster run --standalone --nproc-per-node 4 point_to_point.py
"""

import argparse
import os
import time

import torch
import torch.distributed as dist


def say(text):
    # In one write: Python's -u writes the end of a line apart, and ranks share the terminal.
    print(f"rank {dist.get_rank()}: {text}\n", end="", flush=True)


def send_and_receive(rank):
    """send() and recv(): each waits until its half of the transfer is done."""
    if rank == 0:
        tensor = torch.tensor([1.0, 2.0, 3.0])
        say(f"send {tensor.tolist()} to rank 1")
        dist.send(tensor, dst=1)
    elif rank == 1:
        tensor = torch.zeros(3)
        dist.recv(tensor, src=0)
        say(f"recv {tensor.tolist()} from rank 0")
        assert tensor.tolist() == [1, 2, 3]


def send_and_receive_later(rank):
    """isend() and irecv(): they return at once. Until wait() the tensor isn't yours to touch."""
    if rank == 0:
        tensor = torch.full((3,), 7.0)
        request = dist.isend(tensor, dst=1)
        say("isend has returned; the tensor must not be written now")
        request.wait()
        say("wait has returned; the tensor may be written again")
    elif rank == 1:
        tensor = torch.zeros(3)
        request = dist.irecv(tensor, src=0)
        say("irecv has returned; the tensor must not be read yet")
        request.wait()
        say(f"wait has returned; the tensor is {tensor.tolist()}")
        assert tensor.tolist() == [7, 7, 7]


def receive_from_any(rank):
    """recv() without a source takes whichever message comes first, and returns who sent it."""
    if rank == 0:
        senders = set()
        for _ in range(dist.get_world_size() - 1):
            tensor = torch.zeros(1)
            sender = dist.recv(tensor)
            say(f"recv from any: {tensor.item():.0f}, from rank {sender}")
            assert tensor.item() == 10 * sender
            senders.add(sender)
        assert senders == set(range(1, dist.get_world_size()))
    else:
        dist.send(torch.tensor([10.0 * rank]), dst=0)


def all_reduce(rank):
    """all_reduce(): every rank brings a tensor, and gets what the operation makes of all of them."""
    contributions = torch.arange(1.0, dist.get_world_size() + 1)
    expected = {"SUM": contributions.sum(), "PRODUCT": contributions.prod(),
                "MAX": contributions.max(), "MIN": contributions.min()}
    for name, result in expected.items():
        tensor = contributions[rank].clone()
        dist.all_reduce(tensor, op=getattr(dist.ReduceOp, name))
        say(f"all_reduce {name}: brought {contributions[rank]:.0f}, got {tensor:.0f}")
        assert torch.isclose(tensor, result)


def group_of_some(rank):
    """new_group(): some ranks among themselves. All ranks make the group, the members use it."""
    members = list(range(0, dist.get_world_size(), 2))
    group = dist.new_group(members)
    if rank in members:
        tensor = torch.tensor(float(rank))
        dist.all_reduce(tensor, group=group)
        say(f"all_reduce SUM among ranks {members}: {tensor:.0f}")
        assert tensor == sum(members)
    else:
        say(f"isn't among ranks {members}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two kinds")
    options = parser.parse_args()
    if int(os.environ["WORLD_SIZE"]) < 2:
        parser.error("messages need at least two ranks: --nproc-per-node 2")

    dist.init_process_group("gloo")
    rank = dist.get_rank()
    for kind in (send_and_receive, send_and_receive_later, receive_from_any, all_reduce, group_of_some):
        # All start a kind together: what is printed then stays in this order.
        dist.barrier()
        time.sleep(options.pause)
        if rank == 0:
            say(f"--- {kind.__doc__}")
        dist.barrier()
        kind(rank)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
