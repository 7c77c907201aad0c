"""Works until the file that is named is there, and for some seconds more."""

import os
import sys
import time

while not os.path.exists(sys.argv[1]):
    time.sleep(0.1)
time.sleep(5)
