#!/bin/bash
# kill_anything.sh [TIMES [BUILD-FOLDER]]: a job on three hosts, each time with something else of it killed (agent, keeper,
# worker, ssh, lead, host), and what is left anywhere afterwards. Needs what tests/labs/hosts.sh needs.
set -u
here=$(cd "$(dirname "$0")" && pwd)
lab=$here/../../labs/hosts.sh
times=${1:-50}
build=${2:-$here/../../../build/dev}
if [[ -z ${RINGMASTER_LAB:-} ]]; then
    [[ -z ${RINGMASTER_NO_LAB:-} ]] || { echo "$RINGMASTER_NO_LAB"; exit 1; }
    exec "$lab" 3 "$0" "$times" "$build"
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME=$folder/config XDG_STATE_HOME=$folder/state XDG_CACHE_HOME=$folder/cache XDG_RUNTIME_DIR=$folder/run
mkdir -p "$folder/config/ringmaster"
mkdir -m 700 "$folder/run"
echo "ssh_config = \"$RINGMASTER_LAB/ssh_config\"" >"$folder/config/ringmaster/hosts.toml"
ringmaster=$build/bin/ringmaster
"$ringmaster" host check lab1 lab2 lab3 >/dev/null || exit 1

left() {
    local host
    for host in lab1 lab2 lab3; do
        "$lab" on $host sh -c "ps -eo pid,args | grep -E '[r]ingmaster|[s]leep 600'"
    done
    pgrep -af "agent host|ssh -T"
}

bad=0
for ((i = 1; i <= times; i++)); do
    "$ringmaster" run --quiet --hosts lab1,lab2,lab3 --nnodes 2:3 --rdzv-conf lead_timeout=2,node_timeout=2 \
        --no-python /bin/sh -c 'echo up; sleep 600' >"$folder/out" 2>&1 &
    lead=$!
    for ((n = 0; n < 600; n++)); do
        (($(grep -c up "$folder/out") >= 3)) && break
        sleep 0.05
    done
    host=lab$((RANDOM % 3 + 1))
    case $((i % 6)) in
    0) what="agent on $host"; "$lab" on $host pkill -KILL -f "agent host" ;;
    1) what="keeper on $host"; "$lab" on $host pkill -KILL -f ringmaster-keeper ;;
    2) what="worker on $host"; "$lab" on $host pkill -KILL -f "sleep 600" ;;
    3) what="ssh to $host"; pkill -KILL -f "ssh -T.*-- $host " ;;
    4) what="lead"; kill -KILL $lead ;;
    5) what="host $host"; "$lab" kill $host; sleep 0.5; "$lab" boot $host ;;
    esac
    sleep 1
    kill -TERM $lead 2>/dev/null
    begun=$(date +%s%N)
    wait $lead 2>/dev/null
    for ((n = 0; n < 600; n++)); do
        rest=$(left)
        [[ -n $rest ]] || break
        sleep 0.1
    done
    echo "$i: $what killed; all gone $((($(date +%s%N) - begun) / 1000000)) ms after the end was asked for ${rest:+LEFT: $rest}"
    [[ -z $rest ]] || bad=1
done
exit $bad
