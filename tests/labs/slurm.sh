#!/usr/bin/env bash
# Runs a command beside a Slurm of its own: munged, slurmctld and some slurmd, all on loopback, all in
# one folder, all gone at the end. Needs root; Debian: slurm-wlm munge
#
# Usage: slurm.sh NODES COMMAND...        the nodes are n1, n2, …; their partition is main
#
# Jobs of the partition urgent go before others': what they need is taken from jobs of main, which go
# back to the queue, and from jobs of spare, which are ended.

set -euo pipefail

nodes=${1:?slurm.sh NODES COMMAND...}
shift
folder=$(mktemp -d /tmp/slurm-lab.XXXXXX)
chmod 711 "$folder"
readonly Patience=120 # seconds; on a busy machine
base=
daemons=()
export SLURM_CONF=$folder/slurm.conf

end() {
    # The steps' daemons outlive slurmd on purpose: the jobs go first.
    squeue --noheader --format %A 2>/dev/null | xargs --no-run-if-empty scancel 2>/dev/null || true
    for ((i = 0; i < 50; i++)); do
        [[ -n $(squeue --noheader 2>/dev/null) ]] || break
        sleep 0.1
    done
    kill "${daemons[@]}" 2>/dev/null || true
    end_processes munged slurmctld slurmd
    wait
    rm -rf "$folder"
}

end_processes() {
    local i signal left
    for signal in TERM KILL; do
        # A step's daemon that doesn't end keeps its slurmd from ending, which the command may have started anew.
        for ((i = 0; i < 50; i++)); do
            mapfile -t left < <(processes "$@")
            ((${#left[@]} > 0)) || break 2
            ((i > 0)) || kill "-$signal" "${left[@]}" 2>/dev/null || true
            sleep 0.1
        done
    done
}

# Of this Slurm: daemons of these names by the configuration that they were started with; those of steps write their
# titles over that, but listen in the folder.
processes() {
    local process name
    for process in $(for name in "$@"; do pgrep -x "$name"; done); do
        if tr '\0' '\n' 2>/dev/null <"/proc/$process/environ" | grep -qxF "SLURM_CONF=$SLURM_CONF"; then
            echo "$process"
        fi
    done
    ss -xlpH | grep -F "$folder/spool" | grep -o 'pid=[0-9]*' | cut -d= -f2
}
trap end EXIT
trap 'exit 143' TERM INT HUP

daemon() {
    setsid "$@" </dev/null >>"$folder/daemons.log" 2>&1 &
    daemons+=($!)
}

# Ports that nothing here has: of those between what freePort() of the tests gives (10000 to 29999) and what the kernel
# gives to whoever connects (from 32768 on).
choose_ports() {
    local i
    for ((i = 0; i < 100; i++)); do
        base=$((30000 + RANDOM % (2768 - nodes)))
        [[ -n $(ss -Hant "sport >= :$base and sport <= :$((base + nodes))") ]] || return 0
    done
    return 1
}

write_configuration() {
    local name
    name=$(hostname -s)
    cat >"$SLURM_CONF" <<END
ClusterName=lab
SlurmctldHost=$name(127.0.0.1)
SlurmctldPort=$base
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge.socket,cred_expire=5
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000,sched_interval=2
ReturnToService=2
EnforcePartLimits=ALL
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
SlurmdTimeout=5
KillWait=5
MinJobAge=600
SlurmdParameters=config_overrides
NodeName=n[1-$nodes] NodeHostname=$name NodeAddr=127.0.0.1 Port=[$((base + 1))-$((base + nodes))] CPUs=4 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=spare Nodes=ALL MaxTime=INFINITE State=UP PreemptMode=CANCEL
PartitionName=urgent Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=10 PreemptMode=OFF
END
    echo "CgroupAutomount=no" >"$folder/cgroup.conf"
}

start_munge() {
    local munge=$folder/munge
    mkdir -m 700 "$munge"
    head -c 1024 /dev/urandom >"$munge/key"
    chmod 600 "$munge/key"
    daemon munged --force --foreground --key-file="$munge/key" --socket="$folder/munge.socket" \
        --pid-file="$munge/pid" --log-file="$munge/log" --seed-file="$munge/seed"
    until [[ -S $folder/munge.socket ]]; do
        ((SECONDS < Patience)) || return 1
        sleep 0.05
    done
}

# Gives up when a daemon ends: another process, perhaps of another lab, may have got one of its ports.
start_slurm() {
    local node process
    choose_ports && write_configuration || return 1
    mkdir "$folder/state"
    daemon slurmctld -D -i
    for ((node = 1; node <= nodes; node++)); do
        mkdir "$folder/spool.n$node"
        daemon slurmd -D -N "n$node"
    done
    while ((SECONDS < Patience)); do
        for process in "${daemons[@]:1}"; do
            kill -0 "$process" 2>/dev/null || return 1
        done
        [[ $(sinfo --noheader --partition=main --Node --states=idle --format %N 2>/dev/null | wc -l) != "$nodes" ]] || return 0
        sleep 0.1
    done
    return 1
}

bring_up() {
    start_munge || return 1
    local i
    for ((i = 0; i < 5; i++)); do
        ! start_slurm || return 0
        end_processes slurmctld slurmd
        daemons=("${daemons[0]}")
        rm -rf "$folder"/state "$folder"/spool.*
    done
    return 1
}

if ! bring_up; then
    echo "slurm.sh: the nodes didn't come up" >&2
    tail -n 20 "$folder/daemons.log" >&2
    exit 70
fi
"$@"
