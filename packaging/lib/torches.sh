# shellcheck shell=bash
# The minors of torch between the pinned one and the newest, and before: an environment each, made once and kept.

# Newest first. With which CPython, where it is on the machine; else with Debian's.
other_torches=(2.14.1/3.11 2.13.0/3.13 2.12.1/3.12 2.10.0/3.11 2.9.1/3.11 2.8.0/3.10)
torch_needs=('typing-extensions>=4.13' filelock 'setuptools>=77' 'sympy==1.13.*' networkx jinja2 fsspec numpy)
# The libraries of CUDA 12 that the newest of them on CUDA 12 asks for serve those before it, too.
cuda12=$data_folder/cuda12
cuda12_stamp=$cuda12/.complete

other_environment() { say "$data_folder/venv-${1%.*}"; }

# choose_other VERSION/CPYTHON : sets `interpreter_other`, installing that torch where it isn't there (1.9 GB)
choose_other() {
    local version=${1%/*} folder
    folder=$(other_environment "$version")
    interpreter_other=$folder/bin/python
    [[ -e $folder/.complete && $(<"$folder/.complete") == "torch==$version" ]] && return 0
    enough_disk "$data_folder" 4000 "torch $version" || return 1
    say "torch: installing $version in $folder"
    rm -rf "$folder"
    "$(cpython "${1#*/}")" -m venv "$folder" || return 1
    pip_other "$folder" --upgrade pip && pip_other "$folder" --no-deps "torch==$version" &&
        pip_other "$folder" "${torch_needs[@]}" && share_cuda "$folder" &&
        try_torch "$interpreter_other" || return 1
    say "torch==$version" >"$folder/.complete"
}

# cpython 3.12 : where it is
cpython() {
    local found
    for found in "$(command -v "python$1")" "$HOME/.pyenv/versions/$1".*/bin/python; do
        # pyenv has a command for each that it knows, also where it isn't the chosen one.
        if [[ -x $found ]] && "$found" -c 'import venv, ensurepip' 2>/dev/null; then
            say "$found"
            return 0
        fi
    done
    say /usr/bin/python3
}

pip_other() {
    local folder=$1 download=$data_folder/download-other status=0
    shift
    rm -rf "$download"
    mkdir -p "$download"
    TMPDIR=$download PIP_RESUME_RETRIES=5 "$folder/bin/python" -m pip --quiet --disable-pip-version-check install "$@" 2>&1 |
        grep -v 'which is not installed\|dependency resolver' || status=${PIPESTATUS[0]}
    rm -rf "$download"
    return "$status"
}

# CUDA's libraries are 4 GB: those of the newest torch, or one set of CUDA 12's.
share_cuda() {
    local packages needs
    packages=$(site_packages "$1")
    mapfile -t needs < <(sed -nE 's/^Requires-Dist: (nvidia-[a-z0-9-]+-cu12==[0-9.]+).*/\1/p' "$packages"/torch-*.dist-info/METADATA)
    if ((${#needs[@]} == 0)); then
        choose_newest || return 1
        ln -s "$(site_packages "$newest_environment")/nvidia" "$packages/nvidia"
        return
    fi
    install_cuda12 "$1" "${needs[@]}" || return 1
    ln -s "$cuda12/nvidia" "$packages/nvidia"
}

# install_cuda12 FOLDER REQUIREMENT…
install_cuda12() {
    [[ ! -e $cuda12_stamp ]] || return 0
    enough_disk "$data_folder" 8000 "the libraries of CUDA 12" || return 1
    say "torch: installing the libraries of CUDA 12 in $cuda12"
    rm -rf "$cuda12"
    pip_other "$1" --no-deps --target "$cuda12" "${@:2}" || return 1
    : >"$cuda12_stamp"
}

# What is run with each: acceptance, recording, warm starts and the ring, and objects that are compiled at a first run.
torch_tests='^(tst_acceptance|tst_several_agents|tst_recording|tst_recorded_job|tst_warm_start|tst_ring_torch|tst_torch_objects)$'

# try_other_torches PRESET : for each a row of a table; fails where one does
try_other_torches() {
    local preset=$1 torch folder folders status=0 rows=() row tests
    folders=$(site_packages "$torch_environment")/torch
    [[ -z ${RINGMASTER_PYTHON:-} ]] || folders=$(site_packages "$(dirname "$RINGMASTER_PYTHON")/..")/torch
    choose_newest && folders+=";$(site_packages "$newest_environment")/torch"
    for torch in "${other_torches[@]}"; do
        choose_other "$torch" && folders+=";$(site_packages "$(other_environment "${torch%/*}")")/torch"
    done
    # The first is whose torch a sweep is compiled for.
    configure "$preset" "-DRINGMASTER_TORCH=$folders"
    build "$preset" ringmaster-interposer ringmaster_ring_module
    for torch in "${other_torches[@]}"; do
        folder=$(other_environment "${torch%/*}")
        tests=failed
        if ! row=$("$root/tests/packaging/try_torch" "$root/build/$preset/bin/ringmaster" "$folder/bin/python" "$root/build/cache"); then
            row="| ${torch%/*} | ${torch#*/} | failed | | |"
        elif RINGMASTER_PYTHON=$folder/bin/python run_ctest "$preset" --tests-regex "$torch_tests" >"$root/build/$preset/torch-${torch%/*}.log" 2>&1; then
            tests=passed
        else
            grep -a 'Failed\|Timeout' "$root/build/$preset/torch-${torch%/*}.log" || true
        fi
        [[ $tests == passed ]] || status=1
        rows+=("$row $tests |")
    done
    printf "%s\n" "| torch | CPython | recorder and ring | DDP on gloo | DDP on the ring | tests |" "| --- | --- | --- | --- | --- | --- |"
    printf '%s\n' "${rows[@]}"
    return "$status"
}
