"""Rank 0 exits 7 in each of the first attempts, once rank 1 has printed."""

import os
import sys

attempt = int(os.environ["TORCHELASTIC_RESTART_COUNT"])
place = f"attempt {attempt} rank {os.environ['RANK']} of {os.environ['WORLD_SIZE']}"
place += f" max {os.environ['TORCHELASTIC_MAX_RESTARTS']}"
# Python runs unbuffered, so that print writes its arguments apart; torchrun's tail then shows parts of a line.
for descriptor, name in (1, "out"), (2, "err"):
    os.write(descriptor, f"{name} {place}\n".encode())
if attempt < int(sys.argv[1]):
    import time

    others = os.path.join(os.environ["LAUNCH_FOLDER"], f"printed_{attempt}")
    if os.environ["RANK"] != "0":
        open(others, "w").close()
        time.sleep(60)
    while not os.path.exists(others):
        time.sleep(0.01)
    sys.exit(7)
