"""What torchrun itself makes of command lines: one JSON object a line, in and out."""
import contextlib
import io
import json
import os
import sys
from types import SimpleNamespace

import torch
from torch.distributed.elastic.agent.server.api import WorkerSpec
from torch.distributed.elastic.rendezvous import rendezvous_handler_registry
from torch.distributed.elastic.rendezvous.api import RendezvousParameters
from torch.distributed.elastic.rendezvous.c10d_rendezvous_backend import parse_rendezvous_endpoint
from torch.distributed.elastic.rendezvous.dynamic_rendezvous import create_handler
from torch.distributed.elastic.utils import macros
from torch.distributed.launcher.api import _get_addr_and_port
from torch.distributed.run import config_from_args, get_args_parser


# The same answers on every machine.
torch.cuda.is_available = torch.xpu.is_available = torch.accelerator.is_available = lambda: False


def streams(selection):
    if isinstance(selection, dict):
        return {str(rank): int(mask) for rank, mask in selection.items()}
    return int(selection)


def check_launch(config, standalone):
    """What torchrun checks later, when it launches."""
    parameters = RendezvousParameters(
        backend=config.rdzv_backend, endpoint=config.rdzv_endpoint, run_id=config.run_id,
        min_nodes=config.min_nodes, max_nodes=config.max_nodes, **config.rdzv_configs)
    if config.rdzv_backend not in rendezvous_handler_registry._registry:
        rendezvous_handler_registry.create_handler(parameters)
    _get_addr_and_port(parameters)
    if config.rdzv_backend == "c10d":
        if config.rdzv_configs.get("store_type", "tcp") == "tcp":
            parse_rendezvous_endpoint(config.rdzv_endpoint, 29400)
        if not config.run_id and not standalone:
            raise ValueError("The run id must be a non-empty string.")
        for key in ("join_timeout", "last_call_timeout", "close_timeout", "read_timeout"):
            number = parameters.get_as_int(key)
            if number is not None and number <= 0:
                raise ValueError(f"{key} must be positive")
        parameters.get_as_bool("is_host")
        parameters.run_id = parameters.run_id or "standalone"
        create_handler(None, SimpleNamespace(name="c10d"), parameters)
    WorkerSpec(role=config.role, local_world_size=config.nproc_per_node, rdzv_handler=None,
               monitor_interval=config.monitor_interval, entrypoint="x")


def outcome(case):
    for name in [name for name in os.environ if name.startswith("PET_")]:
        del os.environ[name]
    os.environ.update(case["environment"])
    os.environ["OMP_NUM_THREADS"] = "1"
    errors = io.StringIO()
    try:
        with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
            args = get_args_parser().parse_args(case["words"])
            workers = args.nproc_per_node
            if args.standalone:
                args.rdzv_backend, args.rdzv_endpoint = "c10d", "localhost:0"
            if args.master_port is None:
                args.master_port = 29500
            config, command, arguments = config_from_args(args)
            check_launch(config, args.standalone)
    except SystemExit as end:
        text = errors.getvalue().strip().split("error: ", 1)[-1] if end.code else ""
        return {"exit": end.code, "error": text}
    except BaseException as error:
        return {"exit": 1, "error": str(error), "type": type(error).__name__}
    command = [command] if isinstance(command, str) else ["run_script_path"]
    return {
        "exit": None,
        "min": config.min_nodes, "max": config.max_nodes, "workers": workers,
        "id": args.rdzv_id, "role": config.role, "backend": config.rdzv_backend,
        "endpoint": args.rdzv_endpoint, "standalone": args.standalone,
        "configuration": {key: str(value) for key, value in config.rdzv_configs.items()
                          if key != "rank" and not (key == "timeout" and value == 900)},
        "nodeRank": args.node_rank, "masterAddress": args.master_addr, "masterPort": args.master_port,
        "localAddress": config.local_addr or "", "maxRestarts": config.max_restarts,
        "monitorInterval": config.monitor_interval, "startMethod": config.start_method,
        "eventLogHandler": config.event_log_handler, "logFolder": args.log_dir or "",
        "redirects": streams(config.logs_specs._redirects), "tee": streams(config.logs_specs._tee),
        "localRanksFilter": sorted(config.logs_specs._local_ranks_filter or []),
        "stdoutFilters": config.duplicate_stdout_filters,
        "stderrFilters": config.duplicate_stderr_filters,
        "numa": config.numa_options.affinity_mode.value if config.numa_options else "",
        "signals": config.signals_to_handle, "virtualLocalRank": config.virtual_local_rank,
        "command": command + macros.substitute(arguments, "5"),
    }


for line in sys.stdin:
    print(json.dumps(outcome(json.loads(line))), flush=True)
