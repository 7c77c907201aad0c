# The ring's ways: a small tensor goes by the board, a large one round the ring.
import torch
import torch.distributed as dist

dist.init_process_group("ring")
dist.all_reduce(torch.ones(4))
dist.all_reduce(torch.ones(1 << 20), async_op=True).wait()
dist.barrier()
dist.destroy_process_group()
