# A rank that forks: the child calls an operation of the group that it has inherited.
import os
import signal

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
dist.all_reduce(torch.ones(1))
child = os.fork()
if child == 0:
    # Nobody is there to carry it out, and a thread of gloo may have held its lock at the fork.
    signal.alarm(2)
    dist.all_reduce(torch.ones(7), async_op=True)
    os._exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) in (0, -signal.SIGALRM)
dist.all_reduce(torch.ones(2))
print("done", flush=True)
# gloo's threads may still hold tensors when the interpreter goes, which torch doesn't survive.
os._exit(0)
