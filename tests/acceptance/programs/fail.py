"""Rank 1 fails in the way that is named; the others sleep until they are ended."""

import os
import signal
import sys
import time

how = sys.argv[1]
if os.environ["RANK"] != "1":
    time.sleep(60)
elif how == "exit3":
    sys.exit(3)
elif how == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
elif how == "raise":
    raise ValueError("boom on 1")
elif how == "text":
    sys.exit("bad news")
