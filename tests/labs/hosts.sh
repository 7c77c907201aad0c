#!/bin/bash
# Some hosts on one machine, for as long as a command runs:
#
#   hosts.sh COUNT COMMAND...
#
# The command finds RINGMASTER_LAB, a folder with ssh_config for the hosts lab1, lab2 …, and can call
#
#   hosts.sh cut HOST | heal HOST       the network cable; HOST may be lead: this machine's own
#   hosts.sh lose HOST | heal HOST      its packets are lost on the way, both ways; nobody is told "no route"
#   hosts.sh kill HOST | boot HOST      the power switch
#   hosts.sh on HOST COMMAND...         runs there, without ssh
#
# Each host has its own name, processes, files (a layer over this machine's) and network, and a real sshd. Its /tmp and
# its /run are its own, but for what lies there of the source, the command's build folder and the tests' interpreter.
# All of it lives in namespaces that end with the command, however that ends. Where that isn't allowed, the command runs
# all the same and finds the reason in RINGMASTER_NO_LAB.
set -u
self=$(readlink -f "$0")
net=10.77.0
lab=${RINGMASTER_LAB:-/run/ringmaster-lab}
source=${self%/tests/labs/hosts.sh}

reason() {
    [[ $(id -u) == 0 ]] || { echo "namespaces for hosts need root"; return; }
    local program
    for program in sshd ssh ssh-keygen ip unshare nsenter mount; do
        command -v $program >/dev/null || [[ -x /usr/sbin/$program ]] ||
            { echo "$program is missing (Debian: openssh-server, iproute2, util-linux)"; return; }
    done
    unshare --net --mount --pid --uts --fork --kill-child \
        bash -c 'mount -t tmpfs none /run && ip link add name probe0 type veth peer name probe1 && ip link add name probe2 type bridge' 2>/dev/null ||
        echo "this machine doesn't allow network namespaces"
}

# The build folder that a path lies in: none, or that with CMake's cache.
build_folder() {
    local folder=$1
    while [[ $folder == /?* ]]; do
        [[ ! -e $folder/CMakeCache.txt ]] || { printf '%s\0' "$folder"; return; }
        folder=${folder%/*}
    done
}

# What hosts need of this machine's files, each ended by a zero: of the source, the command and the tests' interpreters.
needed_by() {
    local word data=${XDG_DATA_HOME:-${HOME:-}/.local/share}/ringmaster python recorded=''
    printf '%s\0' "$source"
    for word in "$@"; do
        [[ ! -e $word ]] || build_folder "$(readlink -f "$word")"
    done
    [[ ! -r $data/interpreter ]] || read -r recorded <"$data/interpreter"
    for python in "${RINGMASTER_PYTHON:-}" "${RINGMASTER_PYTHON_NEWEST:-}" "$recorded" "$data"/venv{,-newest}/bin/python; do
        # An environment and that which it was made of.
        python=$(command -v -- "$python") &&
            "$python" -I -c 'import sys; print(sys.prefix, sys.base_prefix, sep="\0", end="\0")' 2>/dev/null
    done
}

# Of such paths those below /tmp and /run that lie in none of the others.
choose_needed() {
    local path other
    needed=()
    while IFS= read -r -d '' path; do
        [[ $path == /tmp/* || $path == /run/* ]] || continue
        for other in "${needed[@]}"; do
            [[ $path/ != "$other"/* ]] || continue 2
        done
        needed+=("$path")
    done < <(needed_by "$@" | LC_ALL=C sort -z)
}

# Mounts what is mounted here below a folder below the same folder elsewhere: it isn't part of a layer over that.
bind_below() {
    local folder=${1%/} root=$2 mounted
    while read -r mounted; do
        printf -v mounted %b "$mounted" # a blank is \x20
        case $mounted in
        / | "$folder") continue ;;
        /proc | /proc/* | /sys | /sys/* | /dev | /dev/* | /run | /run/* | /tmp | /tmp/*) [[ -n $folder ]] || continue ;;
        esac
        [[ $mounted != "$folder"/* || ! -e $root$mounted ]] || mount --bind "$mounted" "$root$mounted"
    done < <(findmnt -rno TARGET)
}

# What a host does as its first process. Runs in fresh namespaces.
first_process() {
    local host=$1 folder=$lab/$1 root=$lab/$1/root path layer count=0
    hostname "$host"
    mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" "$root" || exit 1
    bind_below / "$root"
    cd "$root" || exit 1
    mount -t proc proc proc
    mount -t sysfs sysfs sys 2>/dev/null
    mount --rbind /dev dev
    mount -t tmpfs -o mode=755 tmpfs run
    mkdir -p run/sshd run/lab
    cp "$folder"/key "$lab"/authorized_keys "$folder"/sshd_config run/lab/
    chmod 600 run/lab/key
    mount -t tmpfs -o mode=1777 tmpfs tmp
    # A layer over a mount of each: in a layer's options a ':' or a ',' of its path would end it.
    while IFS= read -r -d '' path; do
        layer=$folder/needed$((count++))
        mkdir -p "$root$path" "$layer"/{lower,upper,work}
        mount --bind "$path" "$layer/lower" || exit 1
        mount -t overlay overlay -o "lowerdir=$layer/lower,upperdir=$layer/upper,workdir=$layer/work" "$root$path" || exit 1
        bind_below "$path" "$root"
    done <"$lab/needed"
    cp "$lab/names" etc/hosts
    echo "$host" >etc/hostname
    # The machine's own account may print and wait.
    : >root/.bashrc
    : >root/.profile
    mkdir -p .machine
    pivot_root . .machine && umount -l /.machine
    # Until the cable is there.
    until ip -4 -o addr show dev eth0 2>/dev/null | grep -q inet; do sleep 0.02; done
    /usr/sbin/sshd -D -e -f /run/lab/sshd_config 2>/run/lab/log &
    echo ready >/run/lab/ready
    # The first process reaps what others leave.
    while wait -n; [[ $? != 127 ]]; do :; done
}

address_of() { if [[ $1 == lead ]]; then echo "$net.1"; else echo "$net.$((10 + ${1#lab}))"; fi; }

# still_boots HOST PID : waits a moment; fails once the host's first process has ended, and says why
still_boots() {
    if ! kill -0 "$2" 2>/dev/null; then
        echo "$1 doesn't boot:" >&2
        cat "$lab/$1/log" >&2
        return 1
    fi
    sleep 0.02
}

boot() {
    local host=$1 folder=$lab/$1 pid child
    ip link del "$host" 2>/dev/null
    mkdir -p "$folder"/{upper,work,root}
    [[ -e $folder/key ]] || ssh-keygen -q -t ed25519 -N '' -C "$host" -f "$folder/key"
    cat >"$folder/sshd_config" <<CONFIG
Port 22
HostKey /run/lab/key
PidFile none
UsePAM no
UseDNS no
PasswordAuthentication no
KbdInteractiveAuthentication no
AuthorizedKeysFile /run/lab/authorized_keys
StrictModes no
MaxSessions ${RINGMASTER_LAB_SESSIONS:-10}
PrintMotd no
CONFIG
    setsid unshare --net --uts --mount --propagation private --pid --fork --kill-child \
        "$self" --first "$host" </dev/null >>"$folder/log" 2>&1 &
    pid=$!
    echo $pid >"$folder/pid"
    until child=$(pgrep -P $pid); do still_boots "$host" $pid || return 1; done
    echo "$child" >"$folder/first"
    until [[ $(readlink "/proc/$child/ns/net") != $(readlink /proc/$$/ns/net) ]]; do still_boots "$host" $pid || return 1; done
    ip link add name "$host" type veth peer name eth0 netns "$child"
    ip link set "$host" master switch up
    nsenter -t "$child" -n ip link set lo up
    nsenter -t "$child" -n ip addr add "$(address_of "$host")/24" dev eth0
    nsenter -t "$child" -n ip link set eth0 up
    local tries=0
    until nsenter -t "$child" -n ss -Hltn 'sport = :22' 2>/dev/null | grep -q .; do
        still_boots "$host" $pid || return 1
        ((++tries < 1000)) || { echo "$host: sshd doesn't answer" >&2; cat "$folder/log" >&2; return 1; }
    done
}

# This machine's own /run, with what is needed of the one before: an open folder can still be mounted.
own_run() {
    local path open opened=()
    for path in "${needed[@]}"; do
        [[ $path == /run/* ]] || continue
        exec {open}<"$path" || return 1
        opened+=("$open")
    done
    mount -t tmpfs -o mode=755 none /run
    for path in "${needed[@]}"; do
        [[ $path == /run/* ]] || continue
        open=${opened[0]}
        opened=("${opened[@]:1}")
        mkdir -p "$path"
        mount --no-canonicalize --rbind "/proc/self/fd/$open" "$path" || return 1
        exec {open}<&-
    done
}

# What each of the others has of this one's hardware address, and this one of theirs: to `replace` it with one that
# nobody has, or to `del` that.
neighbours() {
    local one=$1 action=$2 folder host
    shift 2
    in_host() {
        local host=$1
        shift
        if [[ $host == lead ]]; then "$@" dev switch; else nsenter -t "$(cat "$lab/$host/first")" -n "$@" dev eth0; fi
    }
    for folder in "$lab/lead" "$lab"/lab*/; do
        host=$(basename "$folder")
        [[ $host != "$one" ]] || continue
        in_host "$host" ip neigh "$action" "$(address_of "$one")" "$@" &
        in_host "$one" ip neigh "$action" "$(address_of "$host")" "$@" &
    done
    wait
}

# Everything, in namespaces of its own.
bring_up() {
    local count=$1 host
    own_run || return 1
    mkdir -p "$lab"
    mount -t tmpfs -o mode=711 none "$lab"
    : >"$lab/needed"
    ((${#needed[@]} == 0)) || printf '%s\0' "${needed[@]}" >"$lab/needed"
    ip link set lo up
    ip link add name switch type bridge
    ip addr add $net.1/24 dev switch
    ip link set switch up
    ssh-keygen -q -t ed25519 -N '' -C lab -f "$lab/id"
    cp "$lab/id.pub" "$lab/authorized_keys"
    { echo "127.0.0.1 localhost"; echo "$net.1 $(hostname)"; for ((i = 1; i <= count; i++)); do echo "$net.$((10 + i)) lab$i"; done; } >"$lab/names"
    : >"$lab/known_hosts"
    for ((i = 1; i <= count; i++)); do
        host=lab$i
        boot "$host" || return 1
        echo "$(address_of "$host"),$host $(cut -d' ' -f1,2 "$lab/$host/key.pub")" >>"$lab/known_hosts"
        printf 'Host %s\n    HostName %s\n' "$host" "$(address_of "$host")" >>"$lab/ssh_config"
    done
    cat >>"$lab/ssh_config" <<CONFIG
Host *
    User root
    IdentityFile $lab/id
    IdentitiesOnly yes
    UserKnownHostsFile $lab/known_hosts
    GlobalKnownHostsFile /dev/null
    StrictHostKeyChecking yes
CONFIG
}

case ${1:-} in
--first) first_process "$2" ;;
--sandbox)
    count=$2
    shift 2
    export RINGMASTER_LAB=$lab
    choose_needed "$@"
    bring_up "$count" || exit 1
    "$@"
    ;;
cut) if [[ $2 == lead ]]; then ip addr del $net.1/24 dev switch; else ip link set "$2" down; fi ;;
lose) neighbours "$2" replace lladdr 02:00:00:00:00:01 nud permanent ;;
heal)
    if [[ $2 == lead ]]; then ip addr replace $net.1/24 dev switch; else ip link set "$2" up; fi
    neighbours "$2" del 2>/dev/null
    ;;
kill) kill -KILL "$(cat "$lab/$2/first")" ;;
boot) boot "$2" ;;
on)
    host=$2
    shift 2
    exec nsenter -t "$(cat "$lab/$host/first")" -a "$@"
    ;;
'' | -h | --help) sed -n '2,18s/^# \{0,1\}//p' "$self" ;;
*)
    why=$(reason)
    if [[ -n $why ]]; then
        shift
        RINGMASTER_NO_LAB=$why exec "$@"
    fi
    exec unshare --net --mount --propagation private --pid --uts --ipc --fork --kill-child --mount-proc \
        "$self" --sandbox "$@"
    ;;
esac
