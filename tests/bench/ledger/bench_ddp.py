#!/usr/bin/env python3
"""bench_ddp.py RINGMASTER PYTHON [ROUNDS [BLOCKS]]: CPU time of a DDP step, recorded and not recorded.

A round is two jobs at the same time, alike but for the recording, of two ranks each (ddp_cost.py), whose ranks keep
to a core each. The jobs take turns, a block of steps each, in an order that changes from pair to pair, while the
other stands still; so whatever else the machine does meets both. What counts is the CPU time of the processes, not
the wall's. A pair of blocks gives a ratio; each round's pairs are trimmed by a tenth at both ends and averaged as
logarithms. The interval is a bootstrap's in two levels, rounds and then their pairs, since what differs from process
to process (where its memory lies) stays the same within a round. Nothing passes or fails.
"""

import contextlib
import math
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile

RANKS = 2
STEPS = 10
DISCARDED = 2  # pairs at the beginning of a round


class Job:
    """One of the two; lives until its pipes are closed."""

    def __init__(self, ringmaster, python, folder, options):
        os.makedirs(folder)
        for rank in range(RANKS):
            os.mkfifo(f"{folder}/turn{rank}")
            os.mkfifo(f"{folder}/said{rank}")
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ddp_cost.py")
        self.process = subprocess.Popen(
            [ringmaster, "run", "--warm", "off", "--standalone", "--nproc-per-node", str(RANKS), "--python", python,
             *options, program], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "XDG_STATE_HOME": f"{folder}/state", "DDP_TURNS": folder})
        try:
            self.said = [self._open(f"{folder}/said{rank}", "r") for rank in range(RANKS)]
            self.turns = [self._open(f"{folder}/turn{rank}", "w") for rank in range(RANKS)]
            for said in self.said:
                self._line(said)
        except BaseException:
            self.process.terminate()
            raise

    def _open(self, path, mode):
        signal.alarm(180)  # a job that fails before it opens its end
        opened = open(path, mode)
        signal.alarm(0)
        return opened

    def _line(self, said):
        signal.alarm(180)
        line = said.readline()
        signal.alarm(0)
        if not line:
            self.process.wait()
            sys.exit("a job has ended: " + self.process.stderr.read())
        return line

    def block(self):
        """CPU nanoseconds a step, mean over the ranks."""
        for turn in self.turns:
            print(STEPS, file=turn, flush=True)
        return statistics.mean(float(self._line(said)) for said in self.said)

    def end(self):
        for turn in self.turns:
            turn.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(60)
        self.process.kill()
        self.process.wait()


def pairs_of_round(ringmaster, python, blocks):
    """Logarithms of recorded over not recorded, one a pair of blocks."""
    with tempfile.TemporaryDirectory() as folder:
        jobs = {}
        try:
            for name, options in (("with", []), ("without", ["--no-record-operations"])):
                jobs[name] = Job(ringmaster, python, f"{folder}/{name}", options)
            logarithms, plain = [], []
            for pair in range(blocks + DISCARDED):
                order = ("with", "without") if pair % 2 else ("without", "with")
                cost = {name: jobs[name].block() for name in order}
                if pair >= DISCARDED:
                    logarithms.append(math.log(cost["with"] / cost["without"]))
                    plain.append(cost["without"])
        finally:
            for job in jobs.values():
                job.end()
    return logarithms, statistics.median(plain)


def trimmed_mean(values):
    cut = len(values) // 10
    kept = sorted(values)[cut:len(values) - cut]
    return statistics.mean(kept)


def of_rounds(rounds):
    return math.exp(statistics.mean(trimmed_mean(pairs) for pairs in rounds))


def bootstrap(rounds, times=4000):
    """The middle 95 % of what other rounds and pairs, drawn from these, would have come to."""
    chance = random.Random(0)
    drawn = sorted(of_rounds([chance.choices(pairs, k=len(pairs)) for pairs in chance.choices(rounds, k=len(rounds))])
                   for _ in range(times))
    return drawn[times // 40], drawn[-times // 40]


def not_answering(_signal, _frame):
    sys.exit("a job doesn't answer")


def main():
    signal.signal(signal.SIGALRM, not_answering)
    ringmaster, python = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 8
    blocks = int(sys.argv[4]) if len(sys.argv) > 4 else 40
    rounds = []
    for number in range(count):
        pairs, plain = pairs_of_round(ringmaster, python, blocks)
        rounds.append(pairs)
        print(f"round {number + 1}: {plain / 1e6:.2f} ms a step without, {math.exp(trimmed_mean(pairs)):.4f} with / "
              f"without over {blocks} pairs", flush=True)
    least, most = bootstrap(rounds)
    print(f"with / without: {of_rounds(rounds):.4f}, 95 % between {least:.4f} and {most:.4f} ({count} rounds of "
          f"{blocks} pairs of {STEPS} steps)")


main()
