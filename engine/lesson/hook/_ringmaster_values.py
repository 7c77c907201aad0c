"""What a lesson's variables hold, as the gate is told: small tensors whole, of others the beginning."""

import struct
import sys

_MOST_ELEMENTS = 64
_MOST_NAMES = 64
_MOST_ITEMS = 16
_LARGEST_COPIED = 1 << 16
_LONGEST_TEXT = 120

_told = {}  # id of a frame -> {name: value as it was told}


def forget(frame):
    _told.pop(id(frame), None)


def changes(frame):
    """What is new in this frame since it was told last; what is gone has the kind "gone"."""
    before = _told.get(id(frame), {})
    now = {}
    for name, value in list(frame.f_locals.items()):
        if not name.startswith("_") and len(now) < _MOST_NAMES:
            for described in _described(name, value):
                now[described["name"]] = described
    _told[id(frame)] = now
    changed = [value for name, value in now.items() if before.get(name) != value]
    changed += [{"name": name, "kind": "gone"} for name in before if name not in now]
    return changed


def name_of(tensor, frame):
    """How the program calls this tensor in that frame: a variable, an item of one, or a part of one."""
    if frame is None:
        return ""
    part = ""
    for name, value in list(frame.f_locals.items()):
        if value is tensor:
            return name
        if isinstance(value, (list, tuple)) and len(value) <= _MOST_ITEMS:
            for index, item in enumerate(value):
                if item is tensor:
                    return "{}[{}]".format(name, index)
        if not part and _is_tensor(value):
            part = _part_of(name, value, tensor)
    return part


def tensor(name, value, with_elements=True):
    value = _own(value)
    elements, is_whole = _elements(value) if with_elements else ([], False)
    return {"name": name, "kind": "tensor", "type": str(value.dtype).replace("torch.", ""),
            "shape": list(value.shape), "bytes": value.numel() * value.element_size(),
            "elements": elements, "whole": is_whole}


def _own(value):
    """The rank's own part, where a tensor is one of many ranks together (DTensor)."""
    return getattr(value, "_local_tensor", value)


def _is_plain(value):
    """To read from any other kind, torch may have to communicate or to wait, and the program would go another way."""
    torch = sys.modules["torch"]
    return type(value) is torch.Tensor or type(value) is getattr(sys.modules.get("torch.nn"), "Parameter", None)


def _part_of(name, whole, part):
    whole, part = _own(whole), _own(part)
    if not (_is_plain(whole) and _is_plain(part)):
        return ""
    try:
        if whole.untyped_storage().data_ptr() != part.untyped_storage().data_ptr():
            return ""
        size = whole.element_size()
        first, over = divmod(part.data_ptr() - whole.data_ptr(), size)
        if over or first < 0 or not (whole.is_contiguous() and part.is_contiguous()):
            return ""
        if first + part.numel() > whole.numel():
            return ""
        return "{}[{}:{}]".format(name, first, first + part.numel())
    except (RuntimeError, NotImplementedError):
        return ""


def _described(name, value):
    if _is_tensor(value):
        return [tensor(name, value)]
    group = _group(value)
    if group:
        return [{"name": name, "kind": "scalar", "type": "ProcessGroup", "elements": [group], "whole": True}]
    if isinstance(value, (bool, int, float, str)) or value is None:
        return [_scalar(name, value)]
    if isinstance(value, (list, tuple)) and 0 < len(value):
        if all(_is_tensor(item) for item in value):
            return [tensor("{}[{}]".format(name, index), item)
                    for index, item in enumerate(value[:_MOST_ITEMS])]
        if all(isinstance(item, (bool, int, float, str)) for item in value[:_MOST_ITEMS]):
            return [_scalar(name, value)]
    if _is_module(value):
        return _parameters(name, value)
    if type(value).__name__ == "Work":
        return [{"name": name, "kind": "scalar", "type": "Work", "elements": [_request(value)], "whole": True}]
    return []


def _scalar(name, value):
    text = str(value) if isinstance(value, str) else repr(value)
    return {"name": name, "kind": "scalar", "type": type(value).__name__,
            "elements": [text[:_LONGEST_TEXT]], "whole": len(text) <= _LONGEST_TEXT}


def _request(work):
    """What gave it, as long as nobody has waited for it."""
    known = sys.modules["_ringmaster_calls"].requested(work)
    return "{}, not waited for".format(known) if known else "done"


def _group(value):
    """Who is in this process group; empty: it is none."""
    library = sys.modules.get("torch.distributed.distributed_c10d")
    if library is None or not hasattr(library, "GroupMember"):
        return ""
    if value is library.GroupMember.NON_GROUP_MEMBER:
        return "not a member"
    if not isinstance(value, library.ProcessGroup):
        return ""
    try:
        return "ranks " + ", ".join(str(rank) for rank in library.get_process_group_ranks(value))
    except Exception:
        return "destroyed"


def _parameters(name, module):
    described = []
    # A module of the program's own has none before its __init__ has called torch's.
    if "_parameters" not in vars(module):
        return described
    for parameter_name, parameter in module.named_parameters():
        if len(described) >= 2 * _MOST_ITEMS:
            break
        described.append(tensor("{}.{}".format(name, parameter_name), parameter))
        if parameter.grad is not None:
            described.append(tensor("{}.{}.grad".format(name, parameter_name), parameter.grad))
    return described


def _elements(value):
    """Elements as text, and whether these are all."""
    torch = sys.modules["torch"]
    count = value.numel()
    if not _is_plain(value):
        return [], count == 0
    try:
        with torch.no_grad():
            value = value.detach()
            if not value.is_contiguous() and count > _LARGEST_COPIED:
                return [], count == 0
            flat = value.reshape(-1)[:_MOST_ELEMENTS]
            if str(value.dtype) in ("torch.bfloat16", "torch.float16"):
                flat = flat.float()
            listed = flat.tolist()
    except (RuntimeError, NotImplementedError):
        return [], count == 0  # meta tensors, sparse ones
    return [_text(item, value.dtype is torch.float64) for item in listed], count <= _MOST_ELEMENTS


def _text(item, is_double):
    """The shortest text that is this number again."""
    if not isinstance(item, float) or is_double or item != item or item in (float("inf"), float("-inf")):
        return repr(item)
    for digits in (6, 7, 8, 9):
        text = "{:.{}g}".format(item, digits)
        if struct.unpack("f", struct.pack("f", float(text)))[0] == item:
            break
    return text if "." in text or "e" in text else text + ".0"


def _is_tensor(value):
    torch = sys.modules.get("torch")
    return torch is not None and hasattr(torch, "Tensor") and isinstance(value, torch.Tensor)


def _is_module(value):
    nn = sys.modules.get("torch.nn")
    return nn is not None and hasattr(nn, "Module") and isinstance(value, nn.Module)
