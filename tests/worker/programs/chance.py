"""What must differ between workers, and what must not: one number each."""

import os
import random
import tempfile
import uuid
import secrets

import numpy
import torch

print("random", random.random())
print("numpy", numpy.random.random())
print("generator", numpy.random.default_rng().random())
print("uuid", uuid.uuid4())
print("secret", secrets.token_hex(8))
print("file", next(tempfile._get_candidate_names()))
import multiprocessing
print("key", bytes(multiprocessing.current_process().authkey).hex())
print("torch", torch.rand(1).item(), torch.initial_seed())
