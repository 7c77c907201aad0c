"""Recomputes by numpy what a lesson's recording says that every operation gave: from the inputs that it says.

Reads a recording as `tst_lesson_recomputed` writes it, and prints a line of JSON: how many values were compared,
by operation, and those that are others. Nothing in here is shared with the recorder or with torch.
"""

import collections
import json
import sys

import numpy

TYPES = {"float64": numpy.float64, "float32": numpy.float32, "float16": numpy.float16, "int64": numpy.int64,
         "int32": numpy.int32, "int16": numpy.int16, "int8": numpy.int8, "uint8": numpy.uint8, "bool": numpy.bool_}
REDUCTIONS = {"SUM": numpy.add, "AVG": numpy.add, "PRODUCT": numpy.multiply, "MAX": numpy.maximum,
              "MIN": numpy.minimum}
POINT_TO_POINT = ("send", "isend", "recv", "irecv")


class Tensor:
    """Its elements, row by row; of a long one only the first are known."""

    def __init__(self, told):
        self.name = told["name"]
        self.kind = TYPES.get(told["type"])
        self.size = int(numpy.prod(told["shape"], dtype=numpy.int64))
        self.known = array(told["elements"], self.kind)


def array(elements, kind):
    if kind is numpy.bool_:
        return numpy.array([element == "True" for element in elements], dtype=kind)
    if kind is not None and numpy.issubdtype(kind, numpy.integer):
        return numpy.array([int(element) for element in elements], dtype=kind)
    return numpy.array([float(element) for element in elements], dtype=kind or numpy.float64)


def joined(tensors):
    """Several as one, as far as it is known: (elements, which are known)."""
    elements = numpy.zeros(sum(tensor.size for tensor in tensors), dtype=tensors[0].kind)
    known = numpy.zeros(len(elements), dtype=bool)
    at = 0
    for tensor in tensors:
        elements[at:at + len(tensor.known)] = tensor.known
        known[at:at + len(tensor.known)] = True
        at += tensor.size
    return elements, known


class Report:
    def __init__(self):
        self.compared = collections.Counter()
        self.wrong = []
        self.operations = collections.Counter()

    def compare(self, operation, about, told, expected, is_rounded=False):
        """`told`: a Tensor. `expected`: (elements, which are known)."""
        elements, known = expected
        if told.size != len(elements):
            return self.wrong.append("{}: {} elements, not {}".format(about, told.size, len(elements)))
        self.operations[operation] += 1
        for index, value in enumerate(told.known):
            if not known[index]:
                continue
            self.compared[operation] += 1
            if not same(value, elements[index], is_rounded):
                self.wrong.append("{}, element {}: {} is told, {} comes out".format(about, index, value, elements[index]))


def same(told, expected, is_rounded):
    if numpy.isnan(told) and numpy.isnan(expected):
        return True
    if not is_rounded or numpy.issubdtype(numpy.asarray(told).dtype, numpy.integer):
        return told == expected
    # Sums are made in another order.
    return bool(numpy.isclose(told, expected, rtol=16 * numpy.finfo(numpy.asarray(told).dtype).eps))


class Call:
    def __init__(self, rank, step):
        call = step["call"]
        self.rank, self.line, self.id = rank, step["line"], call["id"]
        self.operation, self.members, self.group = call["operation"], call["members"], call["group"]
        self.peer, self.tag, self.reduction = call["peer"], call["tag"], call["reduction"]
        self.is_async = call["async"]
        self.inputs = [Tensor(tensor) for tensor in call["inputs"]]
        self.outputs = None  # until it is back
        self.written = {}  # index of an element -> what else stood there before it was back

    def about(self):
        return "{} of rank {} in line {}".format(self.operation, self.rank, self.line)

    def back(self, call):
        self.outputs = [Tensor(tensor) for tensor in call["outputs"]]
        self.peer = call["peer"] if self.peer < 0 else self.peer


def calls_of(steps):
    """All calls, in the order in which each rank made them; with their outputs, where they came back."""
    calls, by_id, open_sends = [], {}, {}
    for step in steps:
        rank, call = step["rank"], step["call"]
        if step["kind"] == "call" and call["operation"] != "wait":
            made = by_id[rank, call["id"]] = Call(rank, step)
            made.variables = dict(variables_of(steps, rank, step["index"]))
            calls.append(made)
        elif step["kind"] == "return" and not step["failed"]:
            made = by_id.get((rank, call["waitsFor"] or call["id"]))
            if made is not None and not call["async"]:
                made.back(call)
        elif step["kind"] == "line":
            for made in by_id.values():
                if made.rank == rank and made.operation == "isend" and made.outputs is None:
                    note_written(made, step["values"])
    return calls


def note_written(call, values):
    """A hazard: the program wrote to a buffer that torch was about to send."""
    for value in values:
        if call.inputs and value["name"] == call.inputs[0].name and value["kind"] == "tensor":
            for index, element in enumerate(Tensor(value).known):
                call.written.setdefault(index, set()).add(element)


_seen = {}


def variables_of(steps, rank, until):
    """The integer tensors that this rank has by then: an uneven all_to_all's parts are among them."""
    known, at = _seen.get(rank, ({}, 0))
    for step in steps[at:until]:
        if step["rank"] == rank and step["kind"] == "line":
            for value in step["values"]:
                if value["kind"] == "tensor" and value["type"] == "int64":
                    known[value["name"]] = Tensor(value).known
    _seen[rank] = (known, until)
    return known


# ---- Collectives -----------------------------------------------------------------------------------------


def reduced(calls, parts):
    """Over all ranks, of what each one gives: a list of (elements, known)."""
    operation = REDUCTIONS[calls[0].reduction or "SUM"]
    elements, known = parts[0]
    for other, is_known in parts[1:]:
        elements, known = operation(elements, other), known & is_known
    if calls[0].reduction == "AVG":
        elements = elements / len(parts)
    return elements, known


def part(whole, index, count):
    elements, known = whole
    size = len(elements) // count
    return elements[index * size:(index + 1) * size], known[index * size:(index + 1) * size]


def concatenated(parts):
    return numpy.concatenate([each[0] for each in parts]), numpy.concatenate([each[1] for each in parts])


def splits_of(calls, given):
    """How each rank's all_to_all_single is divided: evenly, or as a variable of the lesson's says on all ranks."""
    count = len(calls)
    sizes = [len(elements) for elements, _ in given]
    told = [call.outputs[0].size for call in calls]
    if len(set(sizes + told)) == 1 and sizes[0] % count == 0:
        return [[size // count] * count for size in sizes]
    for name in ("sends", "receives"):
        splits = [call.variables.get(name, numpy.zeros(0, int)) for call in calls]
        if all(len(split) == count and split.sum() == size for split, size in zip(splits, sizes)):
            if [int(sum(split[target] for split in splits)) for target in range(count)] == told:
                return [list(split) for split in splits]
    return None


def check_collective(report, calls):
    """`calls`: of one collective, those of all members in their order."""
    operation, count = calls[0].operation, len(calls)
    root = calls[0].members.index(calls[0].peer) if calls[0].peer in calls[0].members else -1
    is_rounded = (calls[0].reduction or "SUM") in ("SUM", "AVG", "PRODUCT")
    given = [joined(call.inputs) if call.inputs else None for call in calls]

    def compare(call, expected, output=0, is_rounded=False):
        if call.outputs:
            report.compare(operation, call.about(), call.outputs[output], expected, is_rounded)

    for index, call in enumerate(calls):
        if operation == "all_reduce":
            compare(call, reduced(calls, given), is_rounded=is_rounded)
        elif operation == "reduce" and index == root:
            compare(call, reduced(calls, given), is_rounded=is_rounded)
        elif operation == "broadcast":
            compare(call, given[root])
        elif operation in ("reduce_scatter", "reduce_scatter_tensor"):
            compare(call, reduced(calls, [part(each, index, count) for each in given]), is_rounded=is_rounded)
        elif operation == "all_gather_into_tensor":
            compare(call, concatenated(given))
        elif operation == "all_gather" or (operation == "gather" and index == root):
            for source in range(count):
                compare(call, given[source], output=source)
        elif operation == "scatter":
            compare(call, joined(calls[root].inputs[index:index + 1]))
        elif operation == "all_to_all":
            for source in range(count):
                compare(call, joined(calls[source].inputs[index:index + 1]), output=source)
    if operation == "all_to_all_single":
        check_all_to_all(report, calls, given)


def check_all_to_all(report, calls, given):
    if any(call.outputs is None for call in calls):
        return
    splits = splits_of(calls, given)
    if splits is None:
        return report.wrong.append("{}: its parts aren't known".format(calls[0].about()))
    incoming = [[] for _ in calls]
    for (elements, known), sizes in zip(given, splits):
        ends = numpy.cumsum(sizes)
        for target, (begin, end) in enumerate(zip(ends - sizes, ends)):
            incoming[target].append((elements[begin:end], known[begin:end]))
    for call, parts in zip(calls, incoming):
        report.compare("all_to_all_single", call.about(), call.outputs[0], concatenated(parts))


def check_collectives(report, calls):
    queues = collections.defaultdict(lambda: collections.defaultdict(list))
    for call in calls:
        if call.operation not in POINT_TO_POINT and call.inputs + (call.outputs or []):
            queues[call.group, tuple(call.members)][call.rank].append(call)
    for (_, members), queue in queues.items():
        for together in zip(*(queue[rank] for rank in members)):
            if len({call.operation for call in together}) == 1:
                check_collective(report, list(together))


# ---- Messages --------------------------------------------------------------------------------------------


def check_messages(report, calls):
    sent = collections.defaultdict(collections.deque)
    for call in calls:
        if call.operation in ("send", "isend"):
            sent[call.rank, call.peer, call.tag].append(call)
    for call in calls:
        if call.operation not in ("recv", "irecv") or call.outputs is None:
            continue
        queue = sent[call.peer, call.rank, call.tag]
        if not queue:
            report.wrong.append("{}: nobody sent it".format(call.about()))
            continue
        message = queue.popleft()
        elements, known = joined(message.inputs)
        told = call.outputs[0]
        # What the program wrote too early may be what was sent.
        for index, others in message.written.items():
            if index < len(told.known) and told.known[index] in others:
                elements[index] = told.known[index]
        report.compare(call.operation, call.about(), told, (elements, known))


# ---- Chunks of the ring backend --------------------------------------------------------------------------

# The recording's name of a chunk's operation, and those of the calls that make such chunks.
CHUNKED = {"all_reduce": ("all_reduce",), "reduce": ("reduce",), "broadcast": ("broadcast",), "gather": ("gather",),
           "scatter": ("scatter",), "all_gather": ("all_gather", "all_gather_into_tensor"),
           "reduce_scatter": ("reduce_scatter", "reduce_scatter_tensor"),
           "all_to_all": ("all_to_all", "all_to_all_single")}


def check_chunks(report, steps, calls):
    operations = collections.defaultdict(list)
    for step in steps:
        if step["kind"] == "chunk":
            chunk = step["chunk"]
            operations[chunk["group"], chunk["sequence"]].append(chunk)
    kinds = collections.defaultdict(list)
    for (group, _), chunks in sorted(operations.items()):
        kinds[group, chunks[0]["operation"]].append(chunks)
    for (group, operation), in_order in kinds.items():
        made = collections.defaultdict(list)
        for call in calls:
            if call.group == group and call.operation in CHUNKED.get(operation, ()):
                made[call.rank].append(call)
        members = next(iter(made.values()))[0].members if made else []
        # Some are torch's own, as those of DDP's beginning: the recording has no calls for these.
        if not made or any(len(made[rank]) < len(in_order) for rank in members):
            report.operations["chunks of torch's own {}".format(operation)] += len(in_order)
            continue
        for place, chunks in enumerate(in_order):
            together = {rank: made[rank][place] for rank in members}
            algorithm = chunks[0]["algorithm"]
            report.operations["chunks of {} by {}".format(operation, algorithm)] += len(chunks)
            check = check_direct if algorithm == "direct" else check_passed_on
            check(report, operation, chunks, members, together)


def compare_chunk(report, chunk, key, expected, about):
    """`expected`: elements; the recording has the first ones of a long chunk."""
    told = array(chunk[key], expected.dtype.type)
    report.compared["chunk " + key] += len(told)
    if len(told) > len(expected) or not numpy.array_equal(told, expected[:len(told)]):
        report.wrong.append("{}, {}: {} is told, {} comes out".format(about, key, told, expected))


def about_chunk(operation, chunk):
    return "{}, chunk {} from {} to {} in step {}".format(operation, chunk["chunk"], chunk["from"], chunk["to"],
                                                         chunk["step"])


def check_direct(report, operation, chunks, members, made):
    """Each rank hands its part to each other: what arrives is the sender's own, and all of it is reduced at once."""
    count, calls = len(members), [made[rank] for rank in members]
    splits = None
    if operation == "all_to_all" and all(call.outputs for call in calls):
        splits = splits_of(calls, [joined(call.inputs) for call in calls])

    def given(source, target):
        call, index = made[source], members.index(target)
        if operation in ("scatter", "all_to_all", "reduce_scatter") and len(call.inputs) > 1:
            return joined(call.inputs[index:index + 1])[0]
        whole = joined(call.inputs)[0]
        if splits is not None:
            ends = numpy.cumsum(splits[members.index(source)])
            return whole[ends[index] - splits[members.index(source)][index]:ends[index]]
        return part((whole, whole), index, count)[0] if operation in ("all_to_all", "reduce_scatter") else whole

    for chunk in chunks:
        source, target = chunk["from"], chunk["to"]
        arrived = given(source, target)
        about = about_chunk(operation, chunk)
        if len(arrived) * arrived.itemsize != chunk["bytes"]:
            continue  # one piece of several, or an uneven one: the whole is compared above
        compare_chunk(report, chunk, "arrived", arrived, about)
        if operation in ("all_reduce", "reduce", "reduce_scatter"):
            compare_chunk(report, chunk, "before", given(target, target), about)
            parts = [(given(rank, target), True) for rank in members]
            compare_chunk(report, chunk, "after", reduced(list(made.values()), parts)[0], about)
        else:
            compare_chunk(report, chunk, "after", arrived, about)


def check_passed_on(report, operation, chunks, members, made):
    """By ring and tree: each chunk that arrives is what its sender holds then; before it the receiver holds what it
    held; after it the one, or the reduction of both."""
    first = next(iter(made.values()))
    count, kind = len(members), first.inputs[0].kind
    reduction = REDUCTIONS[first.reduction or "SUM"]
    sizes = {chunk["chunk"]: chunk["bytes"] // numpy.dtype(kind).itemsize for chunk in chunks}
    begins, at = {}, 0
    for index in sorted(sizes):
        begins[index] = at
        at += sizes[index]
    held = {}  # by rank and chunk; none: not known
    for place, rank in enumerate(members):
        if operation == "all_gather":
            held[rank, place] = joined(made[rank].inputs)[0]
            continue
        if not made[rank].inputs:
            continue
        elements, known = joined(made[rank].inputs)
        if len(elements) != at or not known.all():
            return  # several chunks a block, or too long to be told whole
        for index in sizes:
            held[rank, index] = elements[begins[index]:begins[index] + sizes[index]].copy()
    for chunk in chunks:
        source, target, index = chunk["from"], chunk["to"], chunk["chunk"]
        about = about_chunk(operation, chunk)
        arrived, before = held.get((source, index)), held.get((target, index))
        if arrived is None:
            return report.wrong.append("{}: its sender can't have it yet".format(about))
        is_reduced = operation in ("all_reduce", "reduce", "reduce_scatter")
        if chunk["algorithm"] == "ring" and operation == "all_reduce":
            is_reduced = chunk["step"] < count - 1
        elif is_reduced:  # a tree goes up and down again
            told = array(chunk["after"], kind)
            is_reduced = operation != "all_reduce" or not numpy.array_equal(told, arrived[:len(told)])
        after = reduction(before, arrived).astype(kind) if is_reduced else arrived.copy()
        compare_chunk(report, chunk, "arrived", arrived, about)
        if before is not None:
            compare_chunk(report, chunk, "before", before, about)
        compare_chunk(report, chunk, "after", after, about)
        held[target, index] = after
    if operation == "all_reduce":
        for rank, call in made.items():
            ends = numpy.concatenate([held[rank, index] for index in sorted(sizes)])
            if call.outputs:
                report.compare("all_reduce by chunks", call.about(), call.outputs[0], (ends, numpy.ones(len(ends), bool)))


def main():
    steps = json.load(sys.stdin)
    for index, step in enumerate(steps):
        step["index"] = index
    report = Report()
    for attempt in sorted({step["attempt"] for step in steps}):
        _seen.clear()
        own = [step for step in steps if step["attempt"] == attempt]
        for index, step in enumerate(own):
            step["index"] = index
        calls = calls_of(own)
        check_collectives(report, calls)
        check_messages(report, calls)
        check_chunks(report, own, calls)
    print(json.dumps({"values": sum(report.compared.values()), "compared": report.compared,
                      "operations": report.operations, "wrong": report.wrong[:20]}))


main()
