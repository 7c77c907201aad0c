"""Prints its place; then runs for so many seconds. Where a rank and a file are named, that rank fails once, when all have
printed; the file says that it has. The others run until they are ended for that."""

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
seconds, failing_rank, marker = float(sys.argv[1]), *(sys.argv[2:] + ["", ""])[:2]
# Asked before this rank has its own file: until then nobody fails.
is_to_fail = marker and not os.path.exists(marker)
os.write(1, (place + "\n").encode())
if is_to_fail:
    open(f"{marker}.{os.environ['RANK']}", "w").close()
    if os.environ["RANK"] != failing_rank:
        time.sleep(600)
    while not all(os.path.exists(f"{marker}.{rank}") for rank in range(int(os.environ["WORLD_SIZE"]))):
        time.sleep(0.01)
    open(marker, "w").close()
    sys.exit(9)
time.sleep(seconds)
