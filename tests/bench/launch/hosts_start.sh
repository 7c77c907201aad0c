#!/bin/bash
# hosts_start.sh [TIMES [BUILD-FOLDER]]: how long it takes from the command until all of 3 hosts x 2 workers have begun, and
# until they have met: `ringmaster run --hosts`, and torchrun started by hand on each. Needs what tests/labs/hosts.sh
# needs, and the torch interpreter ($RINGMASTER_PYTHON).
set -u
here=$(cd "$(dirname "$0")" && pwd)
times=${1:-3}
build=${2:-$here/../../../build/dev}
if [[ -z ${RINGMASTER_LAB:-} ]]; then
    [[ -z ${RINGMASTER_NO_LAB:-} ]] || { echo "$RINGMASTER_NO_LAB"; exit 1; }
    exec "$here/../../labs/hosts.sh" 3 "$0" "$times" "$build"
fi

python=${RINGMASTER_PYTHON:-$HOME/.local/share/ringmaster/venv/bin/python}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME=$folder/config XDG_STATE_HOME=$folder/state XDG_CACHE_HOME=$folder/cache XDG_RUNTIME_DIR=$folder/run
mkdir -p "$folder/config/ringmaster"
mkdir -m 700 "$folder/run"
echo "ssh_config = \"$RINGMASTER_LAB/ssh_config\"" >"$folder/config/ringmaster/hosts.toml"
program=$here/hosts_program.py
hosts=(lab1 lab2 lab3)

with_ringmaster() {
    "$build/bin/ringmaster" run --quiet --hosts lab1,lab2,lab3 --nproc-per-node 2 --python "$python" "$program"
}

with_torchrun() {
    local host
    for host in "${hosts[@]}"; do
        ssh -F "$RINGMASTER_LAB/ssh_config" -T "$host" "GLOO_SOCKET_IFNAME=eth0 '$python' -m torch.distributed.run \
            --nnodes 3 --nproc-per-node 2 --rdzv-backend c10d --rdzv-id x --rdzv-endpoint 10.77.0.11:29400 '$program'" &
    done
    wait
}

# measure NAME COMMAND: seconds until the last rank has begun, and until the last has met
measure() {
    local start
    start=$(date +%s.%N)
    "$2" >"$folder/out" 2>"$folder/errors" || { cat "$folder/errors"; exit 1; }
    awk -v name="$1" -v start="$start" '
        { for (i = 1; i < NF; ++i) if ($i == "began" || $i == "met") { ++count[$i]; if ($(i + 2) > last[$i]) last[$i] = $(i + 2) } }
        END {
            if (count["began"] != 6 || count["met"] != 6) { print name ": not all ranks ran"; exit 1 }
            printf "%-28s began %6.2f s   met %6.2f s\n", name, last["began"] - start, last["met"] - start
        }' "$folder/out" || { tail -n 20 "$folder/out" "$folder/errors"; exit 1; }
}

measure "ringmaster, agent copied" with_ringmaster
for ((i = 0; i < times; i++)); do
    measure "ringmaster" with_ringmaster
    measure "torchrun by hand" with_torchrun
done
