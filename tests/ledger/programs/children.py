# A rank with a data loader of forked workers and one with a spawned one, which have no operations, and with other children.
import subprocess
import sys

import torch
import torch.distributed as dist


class Numbers(torch.utils.data.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.tensor(index)


if __name__ == "__main__":
    dist.init_process_group("gloo")
    dist.all_reduce(torch.ones(1))
    for start, workers in (("fork", 2), ("spawn", 1)):
        loader = torch.utils.data.DataLoader(Numbers(), num_workers=workers, multiprocessing_context=start)
        assert sum(int(batch) for batch in loader) == 28
    child = subprocess.run([sys.executable, "-c", "import sys; print(sys.path[1:])"], capture_output=True, text=True)
    assert child.returncode == 0 and not child.stderr and "ringmaster-hook" not in child.stdout, child
    dist.all_reduce(torch.ones(2))
    print("done")
    dist.destroy_process_group()
