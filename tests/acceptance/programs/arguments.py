import json
import os
import sys

facts = [sys.argv[1:], os.environ["LOCAL_RANK"], os.environ.get("CUDA_VISIBLE_DEVICES")]
os.write(1, (json.dumps(facts) + "\n").encode())
