"""The training of ddp_digits.py, with a checkpoint after each epoch and a crash to recover from.

ringmaster run --standalone --nproc-per-node 4 --max-restarts 3 ddp_digits_checkpoint.py --crash-rank 2 --crash-step 200

The crash happens in the first attempt only. The group is restarted, and goes on from the last
checkpoint. A finished run removes its checkpoint; the next one begins at the beginning.
"""

import argparse
import os
import tempfile

import torch
import torch.distributed as dist
from torch.distributed.elastic.multiprocessing.errors import record
from torch.nn.parallel import DistributedDataParallel

import digits


def default_checkpoint():
    run = os.environ.get("TORCHELASTIC_RUN_ID", "none")
    return os.path.join(tempfile.gettempdir(), f"ddp_digits-{os.getuid()}-{run}.pt")


def save(path, net, optimizer, epoch):
    """Under another name first: a crash while writing leaves the last good checkpoint in place."""
    with open(path + ".new", "wb") as file:
        torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)


def load(path, net, optimizer, device):
    """The first epoch to train: 0 where there is no checkpoint."""
    if not os.path.exists(path):
        return 0
    checkpoint = torch.load(path, map_location=device)
    net.load_state_dict(checkpoint["net"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    digits.say(f"goes on after epoch {checkpoint['epoch'] + 1} of the checkpoint {path}")
    return checkpoint["epoch"] + 1


def crash_in_first_attempt(options):
    attempt = int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0"))

    def crash(step):
        if attempt == 0 and dist.get_rank() == options.crash_rank and step == options.crash_step:
            raise RuntimeError(f"rank {options.crash_rank} crashes in step {step}, as it was asked to")

    return crash


def train(options, device):
    torch.manual_seed(0)
    net = DistributedDataParallel(digits.make_net().to(device))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(load(options.checkpoint, net, optimizer, device), options.epochs):
        digits.train_epoch(net, optimizer, device, epoch, options, crash_in_first_attempt(options))
        if dist.get_rank() == 0:
            save(options.checkpoint, net, optimizer, epoch)
    accuracy = digits.test_accuracy(net, device)
    if dist.get_rank() == 0:
        digits.say(f"test accuracy {accuracy:.1%}")
        os.remove(options.checkpoint)


@record
def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    digits.add_options(parser)
    parser.add_argument("--checkpoint", default=default_checkpoint(), help="where all nodes see it")
    parser.add_argument("--crash-rank", type=int, default=-1)
    parser.add_argument("--crash-step", type=int, default=0)
    options = parser.parse_args()

    device = digits.join_group()
    # As in ddp_digits.py: the net is gone before the process group.
    train(options, device)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
