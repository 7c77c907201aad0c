# Ends while somebody asks without a pause where it stands, one question after the other, as the agent does.
import subprocess
import sys

import torch
import torch.distributed as dist

import _ringmaster_stacks

ASK = """
import socket, sys
def ask():
    while True:
        with socket.socket(socket.AF_UNIX) as client:
            try:
                client.connect(sys.argv[1])
                client.sendall(b"POST /handler/dump_traceback HTTP/1.1\\r\\nConnection: close\\r\\nContent-Length: 0\\r\\n\\r\\n")
                answer = b""
                while part := client.recv(65536):
                    answer += part
            except OSError:
                return
            if b"200 OK" in answer:
                print("answered", flush=True)
ask()
"""

dist.init_process_group("gloo")
dist.all_reduce(torch.ones(1))
asking = subprocess.Popen([sys.executable, "-c", ASK, _ringmaster_stacks._path], stdout=subprocess.PIPE)
print("it", asking.stdout.readline().decode())
dist.destroy_process_group()
