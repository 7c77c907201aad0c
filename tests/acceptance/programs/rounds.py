"""Sums the ranks over gloo once a round; then idles until the file named first is there, or fails once as the rank named second."""

import os
import sys
import time

import torch
import torch.distributed as dist

end, failing_rank, marker = (sys.argv[1:] + ["", ""])[:3]
dist.init_process_group("gloo")
total = torch.tensor([dist.get_rank() + 1])
dist.all_reduce(total)
line = f"world_size={dist.get_world_size()} sum={total.item()} rank={dist.get_rank()}"
os.write(1, (line + f" restart_count={os.environ['TORCHELASTIC_RESTART_COUNT']}\n").encode())
if marker:
    open(f"{marker}.{dist.get_rank()}", "w").close()
if os.environ["RANK"] == failing_rank and not os.path.exists(marker):
    # Who is still inside the sum would fail as well, and who hasn't printed would be ended before.
    while not all(os.path.exists(f"{marker}.{rank}") for rank in range(dist.get_world_size())):
        time.sleep(0.01)
    open(marker, "w").close()
    os._exit(9)
while not os.path.exists(end):
    time.sleep(0.1)
os._exit(0)
