# shellcheck shell=bash
# Configuring and building a preset.

build_disk_mib=1500

# A translation unit that sees gRPC or Qt takes up to 1 GiB: fewer at once where memory is short.
build_jobs() {
    local by_memory by_cpu
    by_memory=$(($(awk '/^MemAvailable/ { print $2 }' /proc/meminfo) / (1024 * 1024)))
    by_cpu=$(nproc)
    local jobs=$((by_memory < by_cpu ? by_memory : by_cpu))
    say $((jobs > 0 ? jobs : 1))
}

# configure PRESET [-DNAME=VALUE…] : CMake itself follows changes of its files at the next build, so
# there is nothing to do where the cache says what is wanted.
configure() {
    local preset=$1 folder=$root/build/$1
    shift
    if is_configured "$folder" "$@"; then
        return 0
    fi
    enough_disk "$root" "$build_disk_mib" "the build" || return 1
    local fresh=()
    if [[ -e $folder/CMakeCache.txt ]] &&
        ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
        fresh=(--fresh)
    fi
    (cd "$root" && cmake --preset "$preset" "${fresh[@]}" "$@")
}

is_configured() {
    local folder=$1 cache=$1/CMakeCache.txt option
    shift
    [[ -e $folder/build.ninja && $cache -nt $root/CMakePresets.json ]] || return 1
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache" || return 1
    for option in "$@"; do
        option=${option#-D}
        grep -q "^${option%%=*}:[A-Z]*=${option#*=}$" "$cache" || return 1
    done
}

# build PRESET [TARGET…]
build() {
    local preset=$1 targets=()
    shift
    if (($# > 0)); then
        targets=(--target "$@")
    fi
    cmake --build "$root/build/$preset" --parallel "$(build_jobs)" "${targets[@]}"
}

# What is compiled for torch, which came while the rest was built.
build_for_torch() {
    cmake "$root/build/$1" >/dev/null
    build "$1"
}
