# Every operation of torch.distributed once, in an order that the test knows; given a file, once more after a new start.
import os
import sys

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()
four = torch.ones(4)

dist.all_reduce(four, op=dist.ReduceOp.MAX)
dist.broadcast(four, src=1)
dist.reduce(four, dst=0)
dist.all_gather([torch.empty(4) for _ in range(size)], four)
dist.all_gather_into_tensor(torch.empty(4 * size), four)
dist.reduce_scatter_tensor(torch.empty(4), torch.ones(4 * size))
dist.all_to_all_single(torch.empty(size), torch.ones(size))
dist.gather(four, [torch.empty(4) for _ in range(size)] if rank == 0 else None, dst=0)
dist.scatter(torch.empty(4), [torch.ones(4) for _ in range(size)] if rank == 0 else None, src=0)
dist.barrier()
dist.monitored_barrier()
if rank == 0:
    dist.send(torch.ones(3, dtype=torch.int64), dst=1)
    dist.recv(torch.empty(3))
else:
    dist.recv(torch.empty(3, dtype=torch.int64), src=0)
    dist.send(torch.ones(3), dst=0)

pair = dist.new_group(list(range(size)), group_desc="pair")
work = dist.all_reduce(torch.ones(2, dtype=torch.bfloat16), group=pair, async_op=True)
work.wait()
with torch.inference_mode():
    dist.all_reduce(torch.ones(2, 2))
import torch.distributed._functional_collectives as functional

functional.wait_tensor(functional.all_reduce(torch.ones(5), "sum", dist.group.WORLD))
single = [dist.new_group(iter([member])) for member in range(size)]  # can be looked at only once
dist.all_reduce(torch.ones(1), group=single[rank])
if len(sys.argv) > 1:
    dist.destroy_process_group()
    dist.init_process_group("gloo", init_method="file://" + sys.argv[1], rank=rank, world_size=size)
    dist.all_reduce(torch.ones(6))
dist.destroy_process_group()
print("done", flush=True)
# gloo's threads may still hold tensors when the interpreter goes, which torch doesn't survive.
os._exit(0)
