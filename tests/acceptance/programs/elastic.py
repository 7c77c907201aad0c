"""Prints its place; then runs until ended, or for so many seconds, or fails once where it is told to."""

import os
import sys
import time

place = " ".join(
    f"{name.lower()}={os.environ[name]}"
    for name in (
        "RANK WORLD_SIZE LOCAL_RANK GROUP_RANK GROUP_WORLD_SIZE ROLE_NAME ROLE_RANK ROLE_WORLD_SIZE"
        " TORCHELASTIC_RESTART_COUNT"
    ).split()
)
os.write(1, (place + "\n").encode())
seconds, failing_rank, marker = float(sys.argv[1]), *(sys.argv[2:] + ["", ""])[:2]
time.sleep(0.5)
if os.environ["RANK"] == failing_rank and not os.path.exists(marker):
    open(marker, "w").close()
    sys.exit(9)
time.sleep(seconds)
