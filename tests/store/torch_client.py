"""Every method of torch's own store client, unmodified, against the store at argv[1]."""

import datetime
import sys
import threading

import torch.distributed as dist

port = int(sys.argv[1])
short = datetime.timedelta(milliseconds=200)


def connect(host="localhost", world_size=None, use_libuv=True):
    return dist.TCPStore(
        host,
        port,
        world_size,
        is_master=False,
        timeout=datetime.timedelta(seconds=20),
        wait_for_workers=world_size is not None,
        use_libuv=use_libuv,
    )


def equal(got, expected):
    assert got == expected, f"{got!r} is not {expected!r}"


def raises(kind, call, *arguments):
    try:
        call(*arguments)
    except kind:
        return
    raise AssertionError(f"{call} did not raise {kind}")


for host in ("localhost", "127.0.0.1", "::1"):
    connect(host)
legacy = connect(use_libuv=False)
store = connect(world_size=2)
equal(store.num_keys(), 1)

store.set("k", "val")
equal(store.get("k"), b"val")
equal(legacy.get("k"), b"val")
equal(store.add("n", 5), 5)
equal(store.add("n", -7), -2)
equal(store.get("n"), b"-2")
equal(store.check(["k", "n"]), True)
equal(store.check(["k", "zz"]), False)
store.wait(["k"])
raises(dist.DistStoreError, store.wait, ["zz"], short)
equal(store.get("k"), b"val")  # The connection is good after a cancelled wait.
equal(store.compare_set("cs", "", "A"), b"A")
equal(store.compare_set("cs", "A", "B"), b"B")
equal(store.compare_set("cs", "A", "C"), b"B")
equal(store.compare_set("cs2", "X", "Y"), b"X")
equal(store.num_keys(), 4)
equal(store.delete_key("k"), True)
equal(store.delete_key("k"), False)
store.append("a", "12")
store.append("a", "34")
equal(store.get("a"), b"1234")
store.multi_set(["m1", "m2"], ["x", "yy"])
equal(store.multi_get(["m1", "m2"]), [b"x", b"yy"])
equal(store.has_extended_api(), True)
store.queue_push("q", "v1")
store.queue_push("q", "v2")
equal(store.queue_len("q"), 2)
equal(store.queue_pop("q"), b"v1")
equal(store.queue_pop("q", block=False), b"v2")
raises(dist.QueueEmptyError, lambda: store.queue_pop("q", block=False))
equal(sorted(store.list_keys()), ["a", "cs", "m1", "m2", "n"])

big = "z" * (7 << 20)
store.set("big", big)
equal(legacy.get("big"), big.encode())
store.set("empty", "")
equal(store.get("empty"), b"")
equal(store.get(""), b"") if store.check([""]) else store.set("", "no name")
equal(store.get(""), b"no name")
many = [f"many{i}" for i in range(5000)]
store.multi_set(many, many)
equal(store.multi_get(many), [key.encode() for key in many])

prefixed = dist.PrefixStore("outer", dist.PrefixStore("pre", store))
prefixed.set("k", "v")
equal(store.get("pre/outer/k"), b"v")
equal(prefixed.num_keys(), store.num_keys())
raises(dist.DistStoreError, prefixed.wait, ["absent"], short)

clone = store.clone()
clone.set("from a clone", "1")
equal(store.get("from a clone"), b"1")

waiter = connect()
got = []
thread = threading.Thread(target=lambda: got.append(waiter.get("later")))
thread.start()
store.set("later", "now")
thread.join()
equal(got, [b"now"])

print("all methods agree")
