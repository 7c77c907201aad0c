"""multiprocessing in its three ways, and what hangs together with it."""

import multiprocessing
import os
import random
import sys
import tempfile


def work(number):
    process = multiprocessing.current_process()
    return number * 2, process.name.partition("-")[0], sys.argv, __name__, os.getcwd(), os.environ.get("LOCAL_RANK")


if __name__ == "__main__":
    way = sys.argv[1]
    context = multiprocessing.get_context(way)
    with context.Pool(2) as pool:
        print(pool.map(work, range(3), chunksize=3))
    queue = context.Queue()
    process = context.Process(target=queue.put, args=("said",))
    process.start()
    print(queue.get())
    process.join()
    print(process.exitcode, process.name)
    with context.Manager() as manager:
        shared = manager.dict(one=1)
        print(dict(shared))
    print(len({random.random(), random.random()}), os.path.basename(tempfile.gettempdir()))
