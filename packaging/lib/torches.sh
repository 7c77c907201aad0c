# shellcheck shell=bash
# The minors of torch: of each what recorder and ring are compiled with; of those beside the pinned one and the newest
# an environment, too. Made once and kept.

# Newest first. With which CPython, where it is on the machine; else with Debian's.
other_torches=(2.14.1/3.11 2.13.0/3.13 2.12.1/3.12 2.10.0/3.11 2.9.1/3.11 2.8.0/3.10)
torch_needs=('typing-extensions>=4.13' filelock 'setuptools>=77' 'sympy==1.13.*' networkx jinja2 fsspec numpy)
# The libraries of CUDA 12 that the newest of them on CUDA 12 asks for serve those before it, too.
cuda12=$data_folder/cuda12
cuda12_stamp=$cuda12/.complete

# What is compiled for a torch needs its headers and two libraries: 0.5 GB of a wheel of 0.5 to 0.9.
headers_folder=$data_folder/torch-headers

# every_torch : the versions that packages have recorder and ring for; first that which the sweep is compiled for
every_torch() {
    say "${torch_requirements[0]#torch==}" "${newest_requirement#torch==}" "${other_torches[@]%/*}" | xargs -n 1
}

# choose_every_torch : sets `torch_folders`, a list for CMake
choose_every_torch() {
    local version
    torch_folders=''
    for version in $(every_torch); do
        choose_headers "$version" || return 1
        torch_folders+=${torch_folders:+;}$headers
    done
}

# choose_headers VERSION : sets `headers`, the folder of that torch's package: an environment's that has it, else what
# is taken out of its wheel
choose_headers() {
    local version=$1 environment
    for environment in "$torch_environment" "$newest_environment" "$(other_environment "$version")"; do
        if [[ -e $environment/.complete && "$(<"$environment/.complete") " == "torch==$version "* ]]; then
            headers=$(site_packages "$environment")/torch
            return 0
        fi
    done
    headers=$headers_folder/$version
    [[ -e $headers/.complete ]] || bring_headers "$version"
}

bring_headers() {
    local version=$1 tools=$headers_folder/tools download=$headers_folder/download
    enough_disk "$data_folder" 2000 "the headers of torch $version" || return 1
    say "torch: taking headers and libraries out of the wheel of $version"
    [[ -x $tools/bin/pip ]] || python3 -m venv "$tools" || return 1
    rm -rf "$download" "$headers"
    mkdir "$download"
    "$tools/bin/pip" --quiet --disable-pip-version-check install --upgrade pip &&
        TMPDIR=$download PIP_RESUME_RETRIES=5 "$tools/bin/pip" --quiet --disable-pip-version-check --no-cache-dir download \
            --no-deps --only-binary :all: --python-version 3.11 --dest "$download" "torch==$version" &&
        unpack_headers "$download"/torch-*.whl "$download" && mv "$download/torch" "$headers" || return 1
    rm -rf "$download"
    : >"$headers/.complete"
}

# unpack_headers WHEEL FOLDER
unpack_headers() {
    python3 - "$@" <<'PYTHON'
import sys
import zipfile

WHOLE = {"torch/version.py", "torch/share/cmake/Torch/TorchConfig.cmake", "torch/lib/libtorch_cpu.so", "torch/lib/libc10.so"}
with zipfile.ZipFile(sys.argv[1]) as wheel:
    wheel.extractall(sys.argv[2], [name for name in wheel.namelist() if name.startswith("torch/include/") or name in WHOLE])
PYTHON
}

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

# What is run with each: recording, warm starts and the ring, and objects that are compiled at a first run. Ours is
# compared with the torchrun of 2.11 and later: an earlier one hasn't all of those options and variables.
torch_tests='tst_recording|tst_recorded_job|tst_warm_start|tst_ring_torch|tst_torch_objects'
torchrun_tests='tst_acceptance|tst_several_agents'

# tests_with VERSION : a regular expression
tests_with() {
    local minor=${1#*.}
    if ((${minor%%.*} < 11)); then
        say "^($torch_tests)\$"
    else
        say "^($torchrun_tests|$torch_tests)\$"
    fi
}

# try_other_torches PRESET : for each a row of a table; fails where one does
try_other_torches() {
    local preset=$1 torch status=0 rows=() row tests
    for torch in "${other_torches[@]}"; do
        choose_other "$torch" || status=1
    done
    choose_newest || status=1
    choose_every_torch || return 1
    configure "$preset" "-DRINGMASTER_TORCH=$torch_folders"
    build "$preset" ringmaster-interposer ringmaster_ring_module
    # What packages bring, from the build that they are made of.
    configure wheel "-DRINGMASTER_TORCH=$torch_folders"
    build wheel ringmaster ringmaster-ring ringmaster_ring_module
    # CI runs the tests with the first two.
    for torch in "${RINGMASTER_PYTHON:-$torch_environment/bin/python}" "$interpreter_newest"; do
        row=$(try_brought_objects "$torch") || status=1
        rows+=("$row |")
    done
    for torch in "${other_torches[@]}"; do
        interpreter_other=$(other_environment "${torch%/*}")/bin/python
        row=$(try_brought_objects "$interpreter_other") || status=1
        tests=failed
        if RINGMASTER_PYTHON=$interpreter_other run_ctest "$preset" --tests-regex "$(tests_with "${torch%/*}")" >"$root/build/$preset/torch-${torch%/*}.log" 2>&1; then
            tests=passed
        else
            status=1
            grep -a 'Failed\|Timeout' "$root/build/$preset/torch-${torch%/*}.log" || true
        fi
        rows+=("$row $tests |")
    done
    printf "%s\n" "| torch | CPython | recorder and ring | DDP on gloo | DDP on the ring | tests |" "| --- | --- | --- | --- | --- | --- |"
    printf '%s\n' "${rows[@]}"
    return "$status"
}

# try_brought_objects PYTHON : prints a row
try_brought_objects() {
    local row
    row=$("$root/tests/packaging/try_torch" "$root/build/wheel/bin/ringmaster" "$1" "$root/build/cache") ||
        { say "| $1 | | failed | | |"; return 1; }
    say "$row"
    [[ $row == *"brought along"* ]]
}
