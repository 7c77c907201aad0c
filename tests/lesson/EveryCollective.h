#pragma once

#include <QByteArray>

namespace ringmaster::test {

/// Line 6 on, after the head. Every collective of the lessons, messages, groups, requests.
inline const QByteArray Everything = R"(left, right = (rank - 1) % size, (rank + 1) % size
even, odd = dist.new_group(range(0, size, 2)), dist.new_group(range(1, size, 2))

def values():
    return torch.arange(8.0 * size, dtype=torch.float64) + t.item()

for op in ("SUM", "PRODUCT", "MAX", "MIN"):
    v = values()
    dist.all_reduce(v, op=getattr(dist.ReduceOp, op))
v = values()
dist.broadcast(v, size - 1)
v = values()
dist.reduce(v, 0)
whole = torch.zeros(8 * size, dtype=torch.float64)
dist.all_gather_into_tensor(whole, values()[:8])
part = torch.zeros(8, dtype=torch.float64)
dist.reduce_scatter_tensor(part, values())
dist.barrier()
dist.scatter(part, [values()[:8]] * size if rank == 0 else None, 0)
dist.gather(part, [torch.zeros(8, dtype=torch.float64) for _ in range(size)] if rank == 0 else None, 0)
dist.all_to_all_single(torch.zeros_like(whole), whole)
for _ in range(3):
    v = values()
    dist.all_reduce(v, group=odd if rank % 2 else even)
requests = [dist.all_reduce(values(), async_op=True) for _ in range(3)]
request = dist.isend(v, right)
dist.recv(whole, left)
request.wait()
for work in requests:
    work.wait()
if rank == 0:
    for _ in range(size - 1):
        dist.recv(whole)
else:
    dist.send(v, 0)
dist.destroy_process_group()
)";

} // namespace ringmaster::test
