#!/bin/bash
# Some hosts on one machine, for as long as a command runs:
#
#   hosts.sh COUNT COMMAND...
#
# The command finds RINGMASTER_LAB, a folder with ssh_config for the hosts lab1, lab2 …, and can call
#
#   hosts.sh cut HOST | heal HOST       the network cable; HOST may be lead: this machine's own
#   hosts.sh kill HOST | boot HOST      the power switch
#   hosts.sh on HOST COMMAND...         runs there, without ssh
#
# Each host has its own name, processes, files (a layer over this machine's) and network, and a real sshd. All of it
# lives in namespaces that end with the command, however that ends. Where that isn't allowed, the command runs all the
# same and finds the reason in RINGMASTER_NO_LAB.
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

# What a host does as its first process. Runs in fresh namespaces.
first_process() {
    local host=$1 folder=$lab/$1 root=$lab/$1/root mounted
    hostname "$host"
    mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" "$root" || exit 1
    # What is mounted below the root isn't part of its layer.
    while read -r mounted; do
        case $mounted in
        / | /proc* | /sys* | /dev* | /run* | /tmp*) ;;
        *) [[ ! -e $root$mounted ]] || mount --bind "$mounted" "$root$mounted" ;;
        esac
    done < <(findmnt -rno TARGET)
    cd "$root" || exit 1
    mount -t proc proc proc
    mount -t sysfs sysfs sys 2>/dev/null
    mount --rbind /dev dev
    mount -t tmpfs -o mode=755 tmpfs run
    mkdir -p run/sshd run/lab
    cp "$folder"/key "$lab"/authorized_keys "$folder"/sshd_config run/lab/
    chmod 600 run/lab/key
    mount -t tmpfs -o mode=1777 tmpfs tmp
    # A host has a /tmp of its own; the program that is tested may lie in the machine's.
    if [[ $source == /tmp/* ]]; then
        mkdir -p "$root$source" "$folder"/source/{upper,work}
        mount -t overlay overlay -o "lowerdir=$source,upperdir=$folder/source/upper,workdir=$folder/source/work" "$root$source"
    fi
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

address_of() { echo "$net.$((10 + ${1#lab}))"; }

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
    until child=$(pgrep -P $pid); do sleep 0.02; done
    echo "$child" >"$folder/first"
    until [[ $(readlink "/proc/$child/ns/net") != $(readlink /proc/$$/ns/net) ]]; do sleep 0.02; done
    ip link add name "$host" type veth peer name eth0 netns "$child"
    ip link set "$host" master switch up
    nsenter -t "$child" -n ip link set lo up
    nsenter -t "$child" -n ip addr add "$(address_of "$host")/24" dev eth0
    nsenter -t "$child" -n ip link set eth0 up
    local tries=0
    until nsenter -t "$child" -n ss -Hltn 'sport = :22' 2>/dev/null | grep -q .; do
        sleep 0.05
        ((++tries < 400)) || { echo "$host: sshd doesn't answer" >&2; cat "$folder/log" >&2; return 1; }
    done
}

# Everything, in namespaces of its own.
bring_up() {
    local count=$1 host
    mount -t tmpfs -o mode=755 none /run
    mkdir -p "$lab"
    mount -t tmpfs -o mode=711 none "$lab"
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
    bring_up "$count" || exit 1
    "$@"
    ;;
cut) if [[ $2 == lead ]]; then ip addr del $net.1/24 dev switch; else ip link set "$2" down; fi ;;
heal) if [[ $2 == lead ]]; then ip addr add $net.1/24 dev switch; else ip link set "$2" up; fi ;;
kill) kill -KILL "$(cat "$lab/$2/first")" ;;
boot) boot "$2" ;;
on)
    host=$2
    shift 2
    exec nsenter -t "$(cat "$lab/$host/first")" -a "$@"
    ;;
'' | -h | --help) sed -n '2,17s/^# \{0,1\}//p' "$self" ;;
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
