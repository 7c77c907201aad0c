"""all_reduces in a CUDA graph that is replayed, and one outside of it after each twenty replays."""
import faulthandler
import json

import torch
import torch.distributed as dist

from rank_device import DEVICE, RANK, join, synchronize

REPLAYS = 100
faulthandler.dump_traceback_later(30, exit=True)
join()
numbers = torch.ones(1 << 16, device=DEVICE)
dist.all_reduce(numbers)
synchronize()
side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    for _ in range(3):
        dist.all_reduce(numbers)
torch.cuda.current_stream().wait_stream(side)
synchronize()
graph = torch.cuda.CUDAGraph()
numbers.fill_(1.0)
with torch.cuda.graph(graph):
    numbers.mul_(0.5)
    dist.all_reduce(numbers)
outside = torch.ones(1 << 16, device=DEVICE)
for turn in range(REPLAYS):
    graph.replay()
    if turn % 20 == 19:
        synchronize()
        dist.all_reduce(outside)
synchronize()
# With two ranks a replay halves and adds: the numbers stay as they are.
print("FIGURES " + json.dumps({"rank": RANK, "numbers": numbers[0].item(), "outside": outside[0].item()}), flush=True)
del graph  # else torch waits for ever for it to give the communicator back
dist.barrier()
dist.destroy_process_group()
