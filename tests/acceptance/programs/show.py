"""Prints what a worker gets: its arguments, its torch.distributed environment and its place among the processes."""

import json
import os
import sys

NAMES = """RANK LOCAL_RANK WORLD_SIZE LOCAL_WORLD_SIZE GROUP_RANK GROUP_WORLD_SIZE ROLE_NAME ROLE_RANK ROLE_WORLD_SIZE
MASTER_ADDR MASTER_PORT TORCHELASTIC_RESTART_COUNT TORCHELASTIC_MAX_RESTARTS TORCHELASTIC_RUN_ID
TORCHELASTIC_USE_AGENT_STORE TORCHELASTIC_ERROR_FILE TORCHELASTIC_SIGNALS_TO_HANDLE
TORCH_NCCL_ASYNC_ERROR_HANDLING OMP_NUM_THREADS CUDA_VISIBLE_DEVICES""".split()

facts = {name: os.environ.get(name) for name in NAMES}
facts["argv"] = sys.argv[1:]
facts["session_leader"] = os.getsid(0) == os.getpid()
facts["group_leader"] = os.getpgid(0) == os.getpid()
facts["in_launch_folder"] = os.path.samefile(os.getcwd(), os.environ["LAUNCH_FOLDER"])
facts["stdin_is_null"] = os.path.realpath("/proc/self/fd/0") == "/dev/null"
os.write(1, (json.dumps(facts) + "\n").encode())
