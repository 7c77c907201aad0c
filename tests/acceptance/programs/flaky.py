"""Rank 0 exits 7 in each of the first attempts."""

import os
import sys

attempt = int(os.environ["TORCHELASTIC_RESTART_COUNT"])
place = f"attempt {attempt} rank {os.environ['RANK']} of {os.environ['WORLD_SIZE']}"
place += f" max {os.environ['TORCHELASTIC_MAX_RESTARTS']}"
print("out", place, flush=True)
print("err", place, file=sys.stderr, flush=True)
if attempt < int(sys.argv[1]):
    if os.environ["RANK"] == "0":
        sys.exit(7)
    import time

    time.sleep(60)
