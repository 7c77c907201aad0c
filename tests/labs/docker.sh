#!/usr/bin/env bash
# Runs a command beside a docker daemon of its own ($DOCKER_HOST), with one image, busybox:1; all of it in one
# folder and gone at the end. Needs root; Debian: docker.io busybox-static
#
# Usage: docker.sh COMMAND...

set -euo pipefail

command -v dockerd >/dev/null || {
    echo "docker.sh: dockerd is missing (Debian: docker.io)" >&2
    exit 77
}
folder=$(mktemp -d /tmp/docker-lab.XXXXXX)
export DOCKER_HOST=unix://$folder/socket
daemon=

end() {
    [[ -z $daemon ]] || kill "$daemon" 2>/dev/null || true
    wait
    awk -v folder="$folder" 'index($2, folder) == 1 { print $2 }' /proc/mounts | sort -r |
        xargs --no-run-if-empty umount -l 2>/dev/null || true
    rm -rf "$folder"
}
trap end EXIT
trap 'exit 143' TERM INT HUP

# Neither a bridge nor rules of a firewall: workers use the host's network.
dockerd --host "$DOCKER_HOST" --data-root "$folder/data" --exec-root "$folder/exec" --pidfile "$folder/pid" \
    --bridge=none --iptables=false --ip6tables=false --exec-opt native.cgroupdriver=cgroupfs \
    --default-ulimit "nofile=1024:$(ulimit -Hn)" >"$folder/log" 2>&1 &
daemon=$!
for ((i = 0; i < 300; i++)); do
    docker version >/dev/null 2>&1 && break
    kill -0 "$daemon" 2>/dev/null || break
    sleep 0.1
done

mkdir -p "$folder/root-of-image/bin" "$folder/root-of-image/etc"
cp "$(command -v busybox)" "$folder/root-of-image/bin/busybox"
for applet in sh echo sleep env id cat true ls; do
    ln -s busybox "$folder/root-of-image/bin/$applet"
done
if ! tar -C "$folder/root-of-image" -c . | docker import - busybox:1 >>"$folder/log" 2>&1 ||
    ! docker run --rm --network=host busybox:1 true >>"$folder/log" 2>&1; then
    echo "docker.sh: docker doesn't work here: $(tail -n 1 "$folder/log")" >&2
    exit 77
fi
"$@"
