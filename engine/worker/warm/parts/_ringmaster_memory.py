"""Whether memory is short where this process lives: on the machine, and in each of its cgroups."""

import os

MACHINE = "/proc/meminfo"
PRESSURE = "/proc/pressure/memory"
PRESSURE_TRIGGER = b"some 400000 2000000\0"  # waiting for memory for 0.4 s within 2 s
LEAST = 0.05  # of what there is, still to be had


def watch_pressure():
    """A descriptor that is ready (POLLPRI) when it is time to look; -1: only root may have one.

    Somebody waits for memory also when a process fills a cgroup of its own, which is no concern of others.
    """
    try:
        descriptor = os.open(PRESSURE, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return -1
    try:
        os.write(descriptor, PRESSURE_TRIGGER)
    except OSError:
        os.close(descriptor)
        return -1
    return descriptor


def is_short(machine=MACHINE):
    try:
        numbers = _numbers(machine)
        if numbers["MemAvailable:"] < numbers["MemTotal:"] * LEAST:
            return True
    except (OSError, ValueError, LookupError):
        pass
    return any(_is_full(folder, names) for folder, names in _groups())


def _numbers(path):
    with open(path) as file:
        return {words[0]: int(words[1]) for words in map(str.split, file) if len(words) > 1}


def _groups():
    """The folders of this process's cgroups and of those around them, which have limits, too."""
    try:
        with open("/proc/self/cgroup") as file:
            lines = [line.rstrip("\n").split(":", 2) for line in file]
    except OSError:
        return
    for _, controllers, path in lines:
        if controllers == "":
            root, names = "/sys/fs/cgroup", ("memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            root = "/sys/fs/cgroup/memory"
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        else:
            continue
        while path not in ("", "/"):
            yield root + path, names
            path = os.path.dirname(path)
        yield root, names  # Of a container it may be a group below the host's root.


def _is_full(folder, names):
    limit_name, usage_name, cache_name = names
    try:
        with open(os.path.join(folder, limit_name)) as file:
            limit = int(file.read())  # "max": none
        with open(os.path.join(folder, usage_name)) as file:
            usage = int(file.read())
        cache = _numbers(os.path.join(folder, "memory.stat")).get(cache_name, 0)
    except (OSError, ValueError):
        return False
    return limit > 0 and limit - (usage - cache) < limit * LEAST
