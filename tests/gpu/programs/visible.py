"""Prints what this worker may see of the GPUs."""
import json
import os

import torch

print("FIGURES " + json.dumps({
    "rank": int(os.environ["RANK"]),
    "visible": os.environ.get("CUDA_VISIBLE_DEVICES"),
    "count": torch.cuda.device_count(),
}), flush=True)
