"""A process that was forked from a rank is told that the group isn't its own, and disturbs nobody; prints OK."""

import os
import sys
import traceback

import torch
import torch.distributed as dist

dist.init_process_group("ring")
rank = dist.get_rank()
value = torch.ones(1000)
go = torch.ones(1)


def check_refused(start):
    try:
        start().wait()
    except dist.DistBackendError as error:
        assert "forked from rank 1" in str(error), error
    else:
        raise AssertionError("nothing was said")


def try_everything():
    for start in (lambda: dist.isend(value, 0),
                  lambda: dist.irecv(value, 0),
                  lambda: dist.irecv(value),
                  lambda: dist.all_reduce(value),
                  lambda: dist.all_reduce(value, async_op=True),
                  lambda: dist.barrier(async_op=True)):
        check_refused(start)
    dist.destroy_process_group()


def run_forked(work):
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


# From here on there is the thread of asynchronous collectives.
dist.all_reduce(torch.ones(3), async_op=True).wait()
if rank == 1:
    # It is in this one while the process is forked.
    meanwhile = dist.all_reduce(value, async_op=True)
    assert run_forked(try_everything) == 0
    dist.send(go, 0)
    meanwhile.wait()
else:
    dist.recv(go, 1)
    dist.all_reduce(value)
assert value.tolist() == [2] * 1000, value
dist.barrier()
print("OK")
