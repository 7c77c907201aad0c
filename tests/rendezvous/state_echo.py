"""Loads each state of standard input with torch's own classes and writes it back as torch pickles it."""

import base64
import pickle
import sys

from torch.distributed.elastic.rendezvous.dynamic_rendezvous import _RendezvousState

for line in sys.stdin:
    state = pickle.loads(base64.b64decode(line))
    assert isinstance(state, _RendezvousState), type(state)
    assert set(state.participants) == set(state.last_heartbeats)
    print(base64.b64encode(pickle.dumps(state)).decode())
