"""torchrun_rendezvous.py AGENTS: so many agents meet by torchrun's own rendezvous (c10d), each in a process of its own
as under torchrun. Prints the seconds from the first that joins to the last that has its place."""
import os
import socket
import sys
import time

import torch.distributed.elastic.rendezvous.registry as registry
from torch.distributed.elastic.rendezvous import RendezvousParameters

agents = int(sys.argv[1])
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]


def join(index, go, told, stay):
    os.read(go, 1)
    begun = time.monotonic()
    handler = registry.get_rendezvous_handler(
        RendezvousParameters(backend="c10d", endpoint=f"127.0.0.1:{port}", run_id="bench", min_nodes=agents,
                             max_nodes=agents, is_host=index == 0, join_timeout=1800))
    handler.next_rendezvous()
    os.write(told, f"{begun} {time.monotonic()}\n".encode())
    os.read(stay, 1)  # the store is the first one's
    os._exit(0)


go, let_go = os.pipe()
heard, told = os.pipe()
stay, let_end = os.pipe()
children = []
for index in range(agents):
    child = os.fork()  # what torch costs to import isn't the rendezvous's
    if child == 0:
        os.close(let_go)
        os.close(let_end)
        join(index, go, told, stay)
    children.append(child)
os.close(told)
os.write(let_go, b"g" * agents)
lines = []
with os.fdopen(heard) as answers:
    while len(lines) < agents:
        line = answers.readline()
        if not line:
            sys.exit("an agent has ended")
        lines.append([float(word) for word in line.split()])
os.write(let_end, b"e" * agents)
for child in children:
    os.waitpid(child, 0)
print(f"{max(end for _, end in lines) - min(begun for begun, _ in lines):.3f}")
