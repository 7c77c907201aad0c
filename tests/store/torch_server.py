"""torch's own store server, until standard input ends; argv[1] is libuv or legacy. Prints its port."""

import datetime
import sys

import torch.distributed as dist

store = dist.TCPStore(
    "127.0.0.1",
    0,
    1,
    is_master=True,
    timeout=datetime.timedelta(seconds=30),
    wait_for_workers=False,
    use_libuv=sys.argv[1] == "libuv",
)
print(store.port, flush=True)
sys.stdin.read()
