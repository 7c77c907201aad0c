"""The chunks that the ring tells have the tensor's values, whatever they were moved as."""

import json
import os
import tempfile

import torch
import torch.distributed as dist

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "steps")
    os.environ["RINGMASTER_RING_STEPS"] = path
    dist.init_process_group("ring")
    rank = dist.get_rank()
    value = torch.tensor([rank + 1.0, 2.5])
    dist.broadcast(value, 0)
    dist.all_reduce(value)
    dist.destroy_process_group()
    with open(path) as file:
        steps = [json.loads(line) for line in file]

assert all(step["to"] == rank and step["type"] == "float32" for step in steps), steps
reduced = [step for step in steps if step["operation"] == "all_reduce"]
assert reduced and reduced[-1]["sequence"] == 2, steps
moved = [step for step in steps if step["operation"] == "broadcast"]
assert rank == 0 or [step["after"] for step in moved] == [["1.0", "2.5"]], steps
print("OK")
