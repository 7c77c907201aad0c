#!/usr/bin/env bash
# Runs a command beside a podman of its own, with one image, localhost/busybox, that needs no registry, and
# a slow registry ($RINGMASTER_REGISTRY) that has one more, test/image:1, of 3 MB; what was asked of it stands
# in registry.log, and as long as there is a file registry.hold, it gives nothing large. All of it in one folder
# ($RINGMASTER_PODMAN_LAB) and gone at the end. Needs root; Debian: podman runc netavark busybox-static python3
#
# Usage: podman.sh COMMAND...

set -euo pipefail

folder=$(mktemp -d /tmp/podman-lab.XXXXXX)
export CONTAINERS_CONF=$folder/containers.conf CONTAINERS_STORAGE_CONF=$folder/storage.conf
export CONTAINERS_REGISTRIES_CONF=$folder/registries.conf TMPDIR=$folder/tmp

registry=

end() {
    [[ -z $registry ]] || kill "$registry" 2>/dev/null || true
    podman rm --all --force --time 0 >/dev/null 2>&1 || true
    awk -v folder="$folder" 'index($2, folder) == 1 { print $2 }' /proc/mounts | sort -r |
        xargs --no-run-if-empty umount -l 2>/dev/null || true
    rm -rf "$folder"
}
trap end EXIT
trap 'exit 143' TERM INT HUP

mkdir -p "$folder/tmp" "$folder/root-of-image/bin"
# podman asks for more files and processes than may be allowed here; crun refuses hybrid cgroups; a
# lock file of its own, since the usual one is the whole machine's.
cat >"$CONTAINERS_CONF" <<END
[containers]
default_ulimits = ["nofile=1024:$(ulimit -Hn)", "nproc=16384:16384"]
netns = "host"
log_driver = "k8s-file"
[network]
network_backend = "netavark"
network_config_dir = "$folder/networks"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
lock_type = "file"
tmp_dir = "$folder/libpod"
volume_path = "$folder/volumes"
END
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s/root"\nrunroot = "%s/runroot"\n' "$folder" "$folder" >"$CONTAINERS_STORAGE_CONF"
echo 'unqualified-search-registries = []' >"$CONTAINERS_REGISTRIES_CONF"

cp "$(command -v busybox)" "$folder/root-of-image/bin/busybox"
for applet in sh echo sleep env id cat true ls; do
    ln -s busybox "$folder/root-of-image/bin/$applet"
done
start_registry() {
    local container
    container=$(podman create localhost/busybox:1 true)
    head -c 3000000 /dev/urandom >"$folder/more"
    podman cp "$folder/more" "$container:/more"
    podman commit --quiet "$container" localhost/more:1
    podman rm "$container"
    podman push --quiet localhost/more:1 "dir:$folder/pushed"
    podman rmi localhost/more:1
    "$(dirname "$0")/registry.py" "$folder/pushed" "$folder/registry.port" "$folder/registry.log" "$folder/registry.hold" 750000 &
    registry=$!
    for ((i = 0; i < 1200; i++)); do
        [[ ! -s $folder/registry.port ]] || return 0
        sleep 0.05
    done
    return 1
}

tar -C "$folder/root-of-image" -cf "$folder/image.tar" .
if ! podman import --quiet "$folder/image.tar" localhost/busybox:1 >"$folder/import.log" 2>&1 ||
    ! podman run --rm localhost/busybox:1 true >>"$folder/import.log" 2>&1 ||
    ! start_registry >>"$folder/import.log" 2>&1; then
    RINGMASTER_NO_PODMAN="podman doesn't work here: $(tail -n 1 "$folder/import.log")"
    export RINGMASTER_NO_PODMAN
fi
RINGMASTER_REGISTRY=127.0.0.1:$(cat "$folder/registry.port" 2>/dev/null || true)
export RINGMASTER_PODMAN_LAB=$folder RINGMASTER_REGISTRY
"$@"
