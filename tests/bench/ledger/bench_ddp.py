#!/usr/bin/env python3
"""bench_ddp.py RINGMASTER PYTHON [PAIRS]: CPU time of a DDP step, recorded and not recorded.

Pairs of runs, one right after the other and in turn first, each of two ranks (ddp_cost.py). Prints the ratio
of each pair, their mean and its 95 % confidence interval; nothing passes or fails.
"""

import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

# Of Student's t, two-sided 95 %, by degrees of freedom; above, the normal distribution's.
_T = {4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 11: 2.201, 14: 2.145, 19: 2.093}


def step_cost(ringmaster, python, state, options):
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ddp_cost.py")
    done = subprocess.run([ringmaster, "run", "--warm", "off", "--standalone", "--nproc-per-node", "2", "--python",
                           python, *options, program], capture_output=True, text=True, timeout=600,
                          env={**os.environ, "XDG_STATE_HOME": state})
    costs = [float(cost) for cost in re.findall(r"step ([0-9.]+)", done.stdout)]
    if len(costs) != 2:
        sys.exit(done.stdout + done.stderr)
    return statistics.mean(costs)


def main():
    ringmaster, python = sys.argv[1:3]
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    ratios = []
    with tempfile.TemporaryDirectory() as state:
        for pair in range(pairs):
            order = (True, False) if pair % 2 else (False, True)
            costs = {is_recorded: step_cost(ringmaster, python, state,
                                            [] if is_recorded else ["--no-record-operations"])
                     for is_recorded in order}
            ratios.append(costs[True] / costs[False])
            print(f"{costs[False]:.2f} ms without, {costs[True]:.2f} ms with: {ratios[-1]:.3f}", flush=True)
    error = statistics.stdev(ratios) / math.sqrt(pairs) * _T.get(pairs - 1, 1.96 if pairs > 20 else 2.3)
    print(f"with / without: {statistics.mean(ratios):.3f} +- {error:.3f} (95 %), median {statistics.median(ratios):.3f}")


main()
