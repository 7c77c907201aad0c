# shellcheck shell=bash
# Bare systems, made once by debootstrap and kept; each test has a copy. The caller has set `roots`.

# shellcheck disable=SC2034 # for who reads this
releases=(bookworm trixie)

make_bare_system() {
    local release=$1
    [[ ! -d $roots/$release ]] || return 0
    say "$release: making a bare system (200 MB)"
    rm -rf "$roots/$release.new"
    mkdir -p "$roots"
    debootstrap --variant=minbase "$release" "$roots/$release.new" >"$roots/$release.log"
    mv "$roots/$release.new" "$roots/$release"
}

# copy_of_bare_system RELEASE FOLDER : with a user who isn't root
copy_of_bare_system() {
    make_bare_system "$1"
    cp -a "$roots/$1" "$2"
    cp -L /etc/resolv.conf "$2/etc/resolv.conf"
    inside "$2" useradd --create-home --shell /bin/bash user
}

# inside ROOT COMMAND… : with /proc, which goes away by itself
inside() {
    local system=$1
    shift
    unshare --mount --pid --fork --kill-child --mount-proc="$system/proc" chroot "$system" \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
