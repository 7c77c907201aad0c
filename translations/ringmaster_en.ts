<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
    <context>
        <name>ConfirmStop</name>
        <message>
            <source>Stop the job?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Stop %1?</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <source>%n workers end after %1. What they did since their last checkpoint is lost; this can't be undone.</source>
            <translation>
                <numerusform>%n worker ends after %1. What it did since its last checkpoint is lost; this can't be undone.</numerusform>
                <numerusform>%n workers end after %1. What they did since their last checkpoint is lost; this can't be undone.</numerusform>
            </translation>
        </message>
        <message>
            <source>Stop</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Keep running</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Don't ask again</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>EventText</name>
        <message>
            <source>Run</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1 started by agent %2 in %3</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Round %1: %2</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Round %1 completed: node %2 of %3, master %4:%5</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rendezvous</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Attempt</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Attempt %1 started: %2</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Worker</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1 (pid %2)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Exit</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <source>Restarting the worker group; %n restarts left</source>
            <translation>
                <numerusform>Restarting the worker group; %n restart left</numerusform>
                <numerusform>Restarting the worker group; %n restarts left</numerusform>
            </translation>
        </message>
        <message>
            <source>Restarting the worker group; not charged to the budget</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Restart</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>First cause: %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Not sure which rank failed first: %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Verdict</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Sample</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>Messages</name>
        <message>
            <source>Nothing to report.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Internal error: {what}. Please report it with the log.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{call} failed.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{path} does not exist.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{path} can't be read.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{path} can't be written.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{path} is larger than {limit} bytes.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The folder {path} can't be written; choose another or change its permissions.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The folder {path} belongs to somebody else or isn't private (it must be yours, mode 0700); remove it or set XDG_RUNTIME_DIR.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The disk with {path} is full; free some space.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{what} did not happen within {seconds} s.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{what} was cancelled.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{what} isn't supported here.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>unrecognized arguments: {arguments} (options stand before the program; --help lists them)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>unrecognized arguments: {arguments} (did you mean {nearest}?)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>ambiguous option: {option} could match {candidates} (write it out)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>argument {option}: expected one argument (a value that starts with a dash is written --option=-value)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>argument {option}: ignored explicit argument {value} (write the option alone)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>argument {option}: invalid int value: {value} (write a whole number)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>argument {option}: invalid float value: {value} (write a number)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>argument {option}: invalid choice: {value} (choose from {choices})</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>argument {option}: invalid duration: {value} (write 500ms, 30s, 1m30s, or seconds)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>the following arguments are required: training_script, training_script_args (name the program behind the options)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>invalid literal for int() with base 10: {value} ({variable} switches its option on with 1 and off with 0)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>nnodes={value} is not in "MIN:MAX" format (write 2, or 1:4 for an elastic job)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>invalid literal for int() with base 10: {value} (--nnodes {nodes}: write 2, or 1:4 for an elastic job)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Unsupported nproc_per_node value: {value} (write a number, auto, gpu, cpu or xpu)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Cuda is not available. (No GPU was found: choose a number of workers, cpu or auto.)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Xpu is not available. (No such device was found: choose a number of workers, cpu or auto.)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The rendezvous backend '{backend}' is not registered. Did you forget to call `register`? (Ringmaster has static and c10d.)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The rendezvous backend '{backend}' needs an etcd server, which Ringmaster doesn't speak to; use c10d, which needs no server.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The rendezvous configuration string must be in format &lt;key1&gt;=&lt;value1&gt;,...,&lt;keyN&gt;=&lt;valueN&gt;.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The rendezvous configuration option '{key}' must have a value specified.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>--local_ranks_filter must be a comma-separated list of integers e.g. --local_ranks_filter=0,1,2</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{value} does not match: &lt;^[0123]$&gt; or &lt;^(\d+:[0123],)*(\d+:[0123])$&gt; (1 stdout, 2 stderr, 3 both; or local rank:number, as 0:3,1:1)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Don't use both the '--no-python' flag and the '--module' flag at the same time.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Could not find entrypoint under 'torchrun.logs_specs[{name}]' key (Ringmaster loads no Python plug-ins; leave --logs-specs out)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>argument --env: {value} isn't NAME=VALUE</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>argument --devices: {value} isn't a list of GPU numbers; write for example 0,1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>argument {option}: {value} s is longer than 100 years</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>A torchrun line can't say {what} ({value}); a job file can.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The quote {quote} in line {line} isn't closed.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>There is no torchrun in this text; paste the command that begins with torchrun or python -m torch.distributed.run.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Left out: {text}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The variable {text} has no value here; it stands in the job as it was written.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Not a job file: {reason}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Unknown key {key}; known are {known}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Unknown key {key}; did you mean {nearest}?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{key} must be {expected}, not {found}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{key}: {value} is too large a number.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{key} isn't a time; write 500ms, 30s, 1m30s, or seconds.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{key}: {value} isn't a number of workers; write a number, "auto", "gpu", "cpu" or "xpu".</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{key}: {value} isn't a number of nodes; write 2, or "1:4" for an elastic job.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{key}: {value} isn't one of {choices}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{key} isn't a local rank; write a number from 0, or others.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{key} and {other} can't both be given; a role runs one program.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{key} belongs into a [[role]] table, since the file has some.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{text} isn't UTF-8, which a job file can't hold; rename the file or pass it another way.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The job has no role; it needs one with a program.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>min_nodes must be &gt; 0 and &lt;= max_nodes, got min_nodes={min}, max_nodes={max} (write the smaller number first)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>max_restarts must be &gt;= 0 (0: never start the workers again)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The monitor interval must be longer than 0; 0.1 s is usual.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{field} is {value}; a time can't be negative.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The first delay ({first}) is longer than the longest ({longest}), which holds.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{count} workers can't run; a role needs at least 1 on each node.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{count} workers on this node ({kind})</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Standalone is for one node, but {nodes} are asked for; leave standalone out and give an endpoint, or ask for one node.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Standalone chooses its own {what}; {value} isn't used.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The static rendezvous waits for all {max} nodes; choose c10d for a job that may run with fewer.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Node rank {rank} isn't one of {nodes} nodes, which are numbered from 0.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The port number of the rendezvous endpoint '{endpoint}' must be an integer between 0 and 65536.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The hostname of the rendezvous endpoint '{endpoint}' must be a dot-separated list of labels, an IPv4 address, or an IPv6 address.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>port is missing in endpoint: {endpoint}. Try to specify --master-port (or write host:port)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Without an endpoint, nodes meet on localhost, which other machines can't reach; name a host that all can reach.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Port 0 is a free one, which other nodes can't know; name a port when there are several nodes.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The master's address and port are used by the static rendezvous only; c10d has an endpoint.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>A store of type file needs the path of its file as endpoint.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The run id must be a non-empty string.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The run id is none, as with everybody who gives none; give one, so that no other job's nodes join at the same endpoint.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The rendezvous option {key} does nothing with {method}; it knows {known}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The rendezvous configuration option '{key}' does not represent a valid integer value.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The rendezvous configuration option '{key}' is {value}; it must be more than 0 seconds.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The rendezvous configuration option '{key}' does not represent a valid boolean value.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Invalid store type given. Currently only supports file and tcp. (store_type is {value})</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Port {port} is free</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Port {port} is in use by another user's process; choose another port.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Port {port} is in use by {program} (process {pid}); stop it or choose another port.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Somebody listens on port {port} already; this node will join the job that meets there.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>There is no local rank {rank} among {workers} workers.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Filters see only streams that are tee'd (-t); none is.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>With /dev/null as log folder no files are written; streams go to the terminal as they are.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>log_dir: {path} is a file (choose a folder)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Logs can be written to {path}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{value} isn't a start method; choose one of {choices}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>There is no event log handler {value}; choose null or console.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{name} isn't a signal; it is left out.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{value} isn't a way to bind; choose one of {choices}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>numactl CLI is required for NUMA binding (install numactl, or leave the binding out)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Workers are bound near their GPUs, but no GPU was found; leave the binding out.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No program is named; choose what the workers run.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{program} is there</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{program} is not in {folder}; check the name or the working folder.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{program} is not in {folder}, but {other} has it; make that the working folder.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{program} is a folder without __main__.py; name the program in it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{program} can't be read; change its permissions.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{program} isn't executable; allow it with chmod +x, or run it with python.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{program} is an executable, no Python file; run it as a command (--no-python).</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{program} is no Python file (its first line is {line}); run it as a command (--no-python).</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>There is no command {program} in PATH; write ./{program} for one in the working folder.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{program} is a path, no module name; write package.module, or run it as a program.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The working folder {path} does not exist; make it or choose another.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No Python was found; install one or name an interpreter.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The interpreter {path} does not exist or isn't executable; choose another.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{path} doesn't say which Python it is; it may not be one.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>torch {torch} with Python {version} in {path}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The program imports torch, which {path} (Python {version}) hasn't; choose an interpreter with torch or install it there.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Python {version} in {path}, without torch, which the program doesn't import</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>There are two roles {name}; give each its own name.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{name} can't be a variable's name or value; a name is not empty and has no =.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{name} is set by the launcher for every worker; the job's value isn't seen.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>There is no GPU {device}; this machine has {count}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>GPU {device} is named twice.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>A worker can't have fewer than 0 GPUs; 0 leaves them unassigned.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{workers} workers with {each} GPUs each need more than the {count} that there are; ask for fewer.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{count} GPUs free</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>GPU {device} ({name}) is in use: {used}, process {pid}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No GPU is needed or found: the workers compute on the CPU</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>There is no backend {backend}; choose gloo, nccl or ring.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>nccl needs GPUs, and there are none; choose gloo.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>nccl needs a GPU for each of the {workers} workers; there are {count}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No NVIDIA driver is installed ({library} is missing).</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The NVIDIA driver doesn't answer; look at nvidia-smi.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>GPU {index} can't be asked</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The NVIDIA driver finds no GPU.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>local_rank {rank} exceeds available GPUs in CUDA_VISIBLE_DEVICES={devices} (ask for fewer workers or show more GPUs)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Local rank {rank} has no {each} GPUs left among {devices}; ask for fewer workers or fewer GPUs a worker.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Port {port} on {address} is already used by {holder}; stop it or choose another port.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The store can't listen on {address}, port {port}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{address} isn't an IP address; the store listens on addresses, not on names.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The host {host} has no address; check the name, and that this machine can resolve it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No store answered at {address} within {seconds} s; check the address, and that the job's first node has started.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The store at {address} closed the connection; its host may have ended.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The store at {address} did not answer within {seconds} s.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The other side doesn't speak the store's protocol: {what}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The store did not get {keys} within {seconds} s.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The store's key {key} doesn't hold a number, so nothing can be added to it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Adding to the store's key {key} would leave the range of a 64-bit number.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The store is full (limit: {limit}); a program puts too much into it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>A request to the store is too large: {what} (limit: {limit}).</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The store refused a value for {key}: it isn't the plain data that belongs there.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The rendezvous state in the store isn't the plain data that torchrun's agents keep there; it was refused. Check who else can reach the port, and that all agents run torch 2.11.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The rendezvous did not complete within {seconds} s: {present} of at least {needed} nodes are there. Start the others, or lower --nnodes.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The rendezvous {id} is closed: the job has ended. Use a new --rdzv-id to run it again.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>'{endpoint}' isn't a rendezvous endpoint; write host or host:port, for example localhost:29400.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The rendezvous setting {key}={value} isn't valid; {expected}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{count} more nodes wait to join; the group restarts with them.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The node {node} has gone; the group restarts without it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Other nodes were still running {seconds} s after this one had finished.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The rendezvous store can't be reached any more.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The keeper {path} can't be started; is Ringmaster installed completely?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The keeper, the process that watches over the workers, was killed; the workers were ended with it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The program {path} does not exist.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The program {path} isn't in any folder of PATH; install it, activate its environment or give its path.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The program {path} may not be executed; make it executable (chmod +x) or name its interpreter.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The interpreter that the first line of {path} names does not exist.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{path} is not a program for this machine: it has no #! line, or is built for another processor.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The program {path} can't be started.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The arguments and the environment of {path} are longer than the system allows.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The working folder {path} can't be entered; does it exist?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No further process can be started; raise the limit of processes (ulimit -u) or end some.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} ended with exit code 0.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} ended with exit code {code}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} was ended by {signal}, which Ringmaster did not send.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} was ended by Ringmaster with {signal}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} crashed with {signal}; PYTHONFAULTHANDLER=1 shows where.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} crashed with {signal} and left a core dump; open it with coredumpctl or a debugger.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} was ended by the kernel because memory ran out; it used {memory}. Use fewer data loader workers or smaller batches, or raise the memory limit.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} was ended by SIGKILL, which Ringmaster did not send; it used {memory}, and the kernel ended a process at that time because memory ran out: perhaps this one.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} was ended by SIGKILL, which Ringmaster did not send: another user's command, a service manager or a scheduler did.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} ended with exit code {code}: a program that its shell ran was ended by {signal}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} ended with exit code {code}: a shell did not find a program that it should run; check the names in the script and PATH.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} ended with exit code {code}: a shell may not execute a program that it should run; make it executable (chmod +x).</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank}: the script {path} does not exist; check its name and the working folder.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank}: {file} line {line} isn't valid for this Python: {type}: {text}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank}: {type}: {text}. Is it installed for the interpreter that runs the job?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank}: the GPU's memory ran out; use smaller batches, or see what else uses that GPU. {text}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} lost another rank, which is a consequence and not the cause: {type}: {text}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank}: {type} in {file} line {line}: {text}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank}: {type}: {text}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank}: {text}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{newerCode}: a statement of a newer Ringmaster; update to read it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>An event that a newer Ringmaster wrote ({what}); update to see it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>A {what} can't be understood: it is damaged or isn't one.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The rendezvous gave places for {places} roles, but this node brings {roles}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} failed; the worker group is stopped.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The process that keeps the workers was lost; the worker group is stopped.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Restarted by the user; this isn't charged to the restart budget.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Stopped by the user.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Received signal {signal}; the workers are stopped.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>All {budget} restarts are used.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The worker group failed after {seconds} s, sooner than the minimum healthy time; it isn't tried again.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The run can't be {what} now: it is {state}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} isn't running on this node.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{signal} isn't a signal.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{signal} was sent to rank {rank}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} still runs {seconds} s after {signal}; it is killed.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>A second signal: the workers that are left are killed at once.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The other nodes did not end in time; this one has succeeded and leaves.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The job has ended on another node; this one stops.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The watchdog's file {path} can't be made; workers run without it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} let the timer {scope} expire; it was sent signal {signal}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>A message in the watchdog's file was refused: {what}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} ended by signal {signal}, which the user sent.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Ranks {ranks} failed in the same way: {error}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Ranks {ranks} failed independently within {milliseconds} ms of each other; which was first can't be told.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Ranks {ranks} lost a peer; rank {left} had ended before them, without an error.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Ranks {ranks} lost the connection to a peer, but no worker of this node failed by itself: {error}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Ranks {ranks} waited for the others in vain: {error}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Ranks {ranks} waited in vain while rank {busy} was still running: {error}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The last line of rank {rank}'s traceback that is in your own code is where to look.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>To see where rank {rank} failed, decorate its main function with torch.distributed.elastic.multiprocessing.errors.record.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Set PYTHONFAULTHANDLER=1 to see where rank {rank} was when it died.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The program refused its arguments; its usage is at the end of its log.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Install {module} for the job's interpreter, or choose the interpreter that has it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Check the path {path}; it is relative to the working folder unless it starts with /.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The machine or its memory limit is too small: use fewer data-loader workers, smaller batches, or raise the limit.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>It was killed from outside: look for a scheduler's limit, another user, or the kernel's log.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The GPU's memory is full: use a smaller batch, and check that nothing else runs on that GPU.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Shared memory or a disk is full: enlarge /dev/shm, use fewer data-loader workers, or free some space.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>A port is in use: stop what holds it, or let the rendezvous choose a free one (--standalone).</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Run with CUDA_LAUNCH_BLOCKING=1 to see the operation that failed; often it is an index out of range.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Run with NCCL_DEBUG=INFO; NCCL's own lines in the log name the network interface or GPU.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Compare the ends of the logs of ranks {ranks}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Every rank must take part in the same operations: check for uneven data or an early return.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Look at the workers of the other nodes, and at the network between them.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>A rank did not enter the operation that the others waited in: look at what it did last.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>A connection of user {user} (process {pid}) was refused: only you may talk to your runs.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The socket's name {path} is longer than {limit} bytes; set XDG_RUNTIME_DIR to a shorter folder.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{path} is there already; another agent uses it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Nobody answers on {path}; the agent has just ended, or doesn't run.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The agent of {run} doesn't answer; it may be overloaded or stopped.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The connection to the agent of {run} was lost.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The agent is ending; its run file has the rest.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Events came faster than they were read; subscribe again from {sequence}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No Ringmaster agent answered at the other end of the channel.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>There is no run {run}; `ringmaster ps --all` lists them.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The run {run} has ended.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The run {run} is still running; stop it first.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The job did not start: its agent ended with {status}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The job did not start within {seconds} s; its agent was ended.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{path} is missing; Ringmaster isn't completely installed.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{path} isn't a run file of Ringmaster.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The run file {path} is damaged or was cut off; copy it again from where it came from.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{path} has format {format}, of a newer Ringmaster ({version}); update to open it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The run file {path} is busy; try again.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{path} is in use by another Ringmaster (process {pid}); only one may write a run.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The run file {path} can't be written: {events} events wait in memory, and samples are thinned. Free some space on its disk.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The run file {path} is written again, {events} events that had waited included.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{events} events of the run could not be written to {path}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The log file {path} is gone; its lines can't be shown.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The log file {path} is shorter than it was; some of its lines can't be shown.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The log file {path} lies outside the run file's folder and isn't read, since the run file came from elsewhere.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The agent (process {pid}) ended without saying how the run ended: it was killed, or the machine went down.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>“{pattern}” isn't a filter that can be used.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{options} can't be combined with the job file {path}; write what you want into the file.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>There is no command “{command}”; `ringmaster --help` lists them.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>There is no command “{command}”; did you mean “{nearest}”?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>“{text}” could be any of {runs}; write more of it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>There is no run {text}; did you mean {nearest}?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>There are no runs yet; start one with `ringmaster run`.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No run is running; say which one you mean.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Several runs are running ({runs}); say which one you mean.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>“{name}” isn't a signal; write for example SIGUSR1, TERM or 15.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>“{value}” isn't a rank or a list of ranks; write for example 0 or 0,2-3.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank {rank} isn't one of this job's: it has {count} on this node.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Local rank {rank} has no GPU to be bound to; there are {count}. Leave the NUMA binding out or ask for fewer workers.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>There are only {cores} physical cores on numa_node_index={node}, but there are {gpus} GPUs associated with this NUMA node. (Bind by node or socket.)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Must bind to a non-empty set of CPU indices (local rank {rank} may run on no CPU near its GPU; leave the NUMA binding out)</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ShortcutSheet</name>
        <message>
            <source>Keyboard shortcuts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Move between workers</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Arrow keys</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Zoom the timeline</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Move the timeline</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Beginning and end of the log</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>Words</name>
        <message>
            <source>Unknown</source>
            <comment>worker</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Starting</source>
            <comment>worker</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Running</source>
            <comment>worker</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Unhealthy</source>
            <comment>worker</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Stopped</source>
            <comment>worker</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Finished</source>
            <comment>worker</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Failed</source>
            <comment>worker</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Starting</source>
            <comment>run</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Running</source>
            <comment>run</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Restarting</source>
            <comment>run</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Stopping</source>
            <comment>run</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Finished</source>
            <comment>run</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Failed</source>
            <comment>run</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Stopped</source>
            <comment>run</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Lost</source>
            <comment>run</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Note</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Warning</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Error</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>joining</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>waiting for others</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>completed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>closed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>failed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>killed by %1 (core dumped)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>killed by %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>exit code %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>finished</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1 ms</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1 s</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1 %</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>rank %1</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <source>%n ranks</source>
            <translation>
                <numerusform>%n rank</numerusform>
                <numerusform>%n ranks</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ringmaster::app::Banner</name>
        <message>
            <source>Copy</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Copy the message and its traceback</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Traceback</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::ChecksModel</name>
        <message>
            <source>Line %1: %2</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>In order: %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Warning: %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Error: %1</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::ChecksPanel</name>
        <message>
            <source>Checks</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Checks of this job</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>nothing keeps it from starting</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <source>%n errors keep it from starting</source>
            <translation>
                <numerusform>%n error keeps it from starting</numerusform>
                <numerusform>%n errors keep it from starting</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ringmaster::app::CommandPanel</name>
        <message>
            <source>torchrun can't be told: %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Same job on the command line</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Copy</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>torchrun command line of this job</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::CompareDialog</name>
        <message>
            <source>Compare settings</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Setting</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Settings that differ</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>not set</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Both runs had the same settings.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Close</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::DevicePicker</name>
        <message>
            <source>No GPU was found.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>GPU %1: %2, %3 of %4 in use</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>process %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source> by %1</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::EditorPage</name>
        <message>
            <source>New job</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1 can't be opened.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>This job can't be read.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The job was not started.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Line %1, column %2: %3</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Save the job</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Jobs (*.ringjob)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The job was not saved.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Saved as %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1 (not saved)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Open…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Paste torchrun command</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Save</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Launch</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Job</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::EnvironmentModel</name>
        <message>
            <source>chosen at start</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>inherited</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>this job</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Variable</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Value</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Set by</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::EnvironmentPanel</name>
        <message>
            <source>Every worker gets</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>rank </source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank whose environment is shown</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Inherited too</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Also show what the workers inherit from this program's environment</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Environment of a rank</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::EventTableModel</name>
        <message>
            <source>Time</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>What</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Event</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::EventsPanel</name>
        <message numerus="yes">
            <source>the last %n events; older ones are in the run's file</source>
            <translation>
                <numerusform>the last event; older ones are in the run's file</numerusform>
                <numerusform>the last %n events; older ones are in the run's file</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n events</source>
            <translation>
                <numerusform>%n event</numerusform>
                <numerusform>%n events</numerusform>
            </translation>
        </message>
        <message>
            <source>Events</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Events of the run</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::FailureSection</name>
        <message>
            <source>When a worker fails</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Restart at most</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Wait before it</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Only after</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Grace to stop</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>times; the whole group restarts, since its process group is dead</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>then twice as long each time; 0: at once</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>of healthy running; an attempt that failed sooner isn't repeated; 0: always</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>between SIGTERM and SIGKILL, for a checkpoint</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source> s</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::HistoryModel</name>
        <message>
            <source>%1 of %2</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>pinned</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Job</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Ended as</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Started</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Duration</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Ranks</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Restarts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Size</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Kept</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::HistoryPage</name>
        <message>
            <source>History</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <source>%n runs deleted</source>
            <translation>
                <numerusform>%n run deleted</numerusform>
                <numerusform>%n runs deleted</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n runs, %1</source>
            <translation>
                <numerusform>%n run, %1</numerusform>
                <numerusform>%n runs, %1</numerusform>
            </translation>
        </message>
        <message>
            <source>Unpin</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Pin</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Finished runs</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Filter by name</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Filter finished runs by name</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Filter finished runs by how they ended</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>however they ended</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Open</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Run again</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Edit a copy</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Compare settings</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Select two runs to see what they had been asked to do differently</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>A pinned run is never removed to make room</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Delete</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Open run file…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No finished runs yet</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>A run stays here when it ends, with its logs and events, until 50 newer ones or 10 GB need its place; a pinned one stays for good.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::JobActions</name>
        <message>
            <source>Stop now</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Stop</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Kill the workers without waiting for them</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>End the workers: SIGTERM, then SIGKILL after the grace time</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Restart</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Stop and start the worker group; not charged to the restart budget</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Run again</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Start the same job anew</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Edit a copy</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Open this job in the editor</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Open logs</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Open the folder of the log files</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Copy torchrun command</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose no worker</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Signal rank %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Signal</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Send a signal to the chosen worker</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose a worker first</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::JobForm</name>
        <message>
            <source>role: %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Role that is shown</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>+ Role</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Another kind of worker with a program, arguments and a number of its own</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Remove</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Remove this role</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::JobHeader</name>
        <message>
            <source>attempt %1</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <source>%1 of %n restarts used</source>
            <translation>
                <numerusform>%1 of %n restart used</numerusform>
                <numerusform>%1 of %n restarts used</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%1 on %n hosts</source>
            <translation>
                <numerusform>%1 on %n host</numerusform>
                <numerusform>%1 on %n hosts</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ringmaster::app::JobPage</name>
        <message>
            <source>This run can't be read.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The agent is gone.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>It ended without saying how the run ended.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The job failed.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Ranks %1 ended because of it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Not sure which rank failed first: %1.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Restarted after attempt %1.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Killing the workers</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Stopping the job</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Restarting the worker group</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Sent %1 to rank %2</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Copied the torchrun command</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>First cause.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::JobsPage</name>
        <message>
            <source>Jobs</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <source>%n jobs</source>
            <translation>
                <numerusform>%n job</numerusform>
                <numerusform>%n jobs</numerusform>
            </translation>
        </message>
        <message>
            <source>Running and recent</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Filter by name</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Filter jobs by name</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Running and recent jobs</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>New job</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Open…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Run the 4-rank example</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No jobs yet</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Jobs that you start here or with “ringmaster run” in a terminal appear here, with their workers, logs and restarts.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::LogPanel</name>
        <message>
            <source>%1 of output could not be kept: the disk was full.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Output comes faster than it can be shown: some lines were skipped here. Scroll up to read them; the files have all.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>all ranks</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1 · follow</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No output yet</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>What the workers print appears here.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No line matches</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Change the filter to see the log.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Log</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>All ranks</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Show the log of all ranks again</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Follow</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Stay at the end of the log (Space)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Copy</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Copy the selected lines, or all that are loaded</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Open folder</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Open the folder of the log files</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Filter: text, /regex/, rank:2, level:error</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Filter the log</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Log lines</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::LogSection</name>
        <message>
            <source>a choice for each rank (from the file)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Output</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Log folder</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Only to files</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Files and console</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Environment</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>in the run's own folder</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>nothing</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>standard output</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>standard error</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>both streams</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Add nothing that torchrun doesn't (--plain)</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::MainWindow</name>
        <message>
            <source>About Ringmaster</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Ringmaster %1 launches, supervises and explains distributed PyTorch jobs. Free software, GPL-3.0-or-later.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The job did not start</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Open a job or a run</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Jobs and runs (*.ringjob *.ringrun)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>All files (*)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>There is no example named %1.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1 – Ringmaster</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Close the window?</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <source>%n jobs keep running.</source>
            <translation>
                <numerusform>%n job keeps running.</numerusform>
                <numerusform>%n jobs keep running.</numerusform>
            </translation>
        </message>
        <message>
            <source>They don't need this window; open Ringmaster again to see them.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Keep running</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Stop jobs</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Cancel</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Don't ask again</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::MenuBar</name>
        <message>
            <source>&amp;File</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>&amp;Job</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>&amp;View</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>&amp;Help</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>New job</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Open…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Save</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Launch</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Quit</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Filter</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Follow the log</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Keyboard shortcuts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>About Ringmaster</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Theme</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Follow system</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Light</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Dark</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Language</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>System language</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::PasteDialog</name>
        <message>
            <source>Paste a torchrun command</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>torchrun, python -m torch.distributed.run or ringmaster run, with variables before it and lines that are continued. Nothing is run.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Command</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Use it</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Cancel</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>This starts %1.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::PlaceSection</name>
        <message>
            <source>Where</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Workers per node</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>GPUs</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Nodes</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Backend</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Nodes at most</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>to</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <source>auto (%n GPUs)</source>
            <translation>
                <numerusform>auto (%n GPU)</numerusform>
                <numerusform>auto (%n GPUs)</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>auto (%n CPUs)</source>
            <translation>
                <numerusform>auto (%n CPU)</numerusform>
                <numerusform>auto (%n CPUs)</numerusform>
            </translation>
        </message>
        <message>
            <source>one per GPU</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>one per CPU</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>decided by the program</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::ProgramSection</name>
        <message>
            <source>the active one (none was found)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>the active one: %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Python %1, no torch</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>torch %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose a program</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Python programs (*.py);;All files (*)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose the working folder</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>What to run</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Name</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Kind</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Program</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Arguments</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Interpreter</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Working folder</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Environment</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Python file</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Python module (-m)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Command, without Python</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Python file, by runpy (--run-path)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>train.py</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>as in a shell; ${local_rank} is replaced</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>the folder that Ringmaster was started in</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>NAME=value, one a line</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Browse…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Browse for the program</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Browse for the working folder</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::RendezvousSection</name>
        <message>
            <source>automatic</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rendezvous</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Method</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Endpoint</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Job id</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>standalone: this machine, a free port</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>static: every node knows its rank</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>c10d: elastic, nodes may come and go</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::RunListModel</name>
        <message>
            <source>%1 of %2</source>
            <comment>restarts used</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <source>restarting · %1 of %2</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Job</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>State</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Ranks</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Restarts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Started</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Time</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Reason</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::SideBar</name>
        <message>
            <source>○ no agent running</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <source>● %n local agents</source>
            <translation>
                <numerusform>● %n local agent</numerusform>
                <numerusform>● %n local agents</numerusform>
            </translation>
        </message>
        <message>
            <source>+  New job</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>New job</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>RUNNING</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Running jobs</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::TimelineModel</name>
        <message>
            <source>%1 so far</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rank</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Attempt</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>State</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>From</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Duration</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Exit</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::TimelinePanel</name>
        <message>
            <source>nothing yet</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>no restarts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1: %2 → whole group restarted in %3</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1: %2 → restarting</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Timeline</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Whole run</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Show the whole time again (0). Ctrl and the wheel, + and - zoom.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Table</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Show the timeline as a table</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Timeline of the ranks; its table has the same content</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Timeline as a table</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::TimelineView</name>
        <message numerus="yes">
            <source>%n left</source>
            <comment>restarts</comment>
            <translation>
                <numerusform>%n left</numerusform>
                <numerusform>%n left</numerusform>
            </translation>
        </message>
        <message>
            <source>not charged</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Restart at %1: %2</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1, attempt %2: %3 for %4</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::Toast</name>
        <message>
            <source>Undo</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::WorkerTableModel</name>
        <message>
            <source>pid %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>restarted once</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <source>restarted %n times</source>
            <translation>
                <numerusform>restarted %n time</numerusform>
                <numerusform>restarted %n times</numerusform>
            </translation>
        </message>
        <message>
            <source>Rank</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>State</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>PID</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>CPU</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Memory</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Restarts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Node</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Local rank</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Role</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>How it ended</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::WorkerTiles</name>
        <message>
            <source>First cause</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ringmaster::app::WorkersPanel</name>
        <message>
            <source>%1 of %2 shown</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>none yet</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>choose a rank for its log and its exit</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Running %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Starting %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Finished %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Stopped %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Unhealthy %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Failed %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Restarted %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Workers</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Table</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Show the workers as a table</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Workers as tiles</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Workers as a table</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Filter workers by state</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Show only these workers</source>
            <translation type="unfinished" />
        </message>
    </context>
</TS>
