# shellcheck shell=bash
# The Python with torch that the examples, the tests and jobs without an interpreter of their own
# run in. What was chosen is recorded in one line, where the engine and the tests look for it.

torch_requirements=(torch==2.11.0 numpy)
torch_environment=$data_folder/venv
torch_stamp=$torch_environment/.complete
interpreter_record=$data_folder/interpreter
# torch with all it depends on is 4.7 GB; its wheels, 2.6 GB, are there at the same time.
torch_disk_mib=7500
torch_environment_mib=4700

# choose_interpreter [NAMED] : sets `interpreter`, installing torch where no fitting one is there. One that is named is
# the one, or it ends here; the others are passed over with a word where they don't fit.
choose_interpreter() {
    find_interpreter "$@" || { install_torch && use_interpreter "$torch_environment/bin/python" "Ringmaster's own"; }
}

# find_interpreter [NAMED] : the same, where nothing has to be installed for it
find_interpreter() {
    local named=${1:-} candidate unfitting=''
    interpreter=''
    if [[ -n $named ]]; then
        named=$(command -v -- "$named") || die "torch: there is no program '$1' (--python or RINGMASTER_PYTHON)"
        use_if_fitting "$named" "named" ||
            die "torch: $named doesn't fit: $unfitting. Name another (--python or RINGMASTER_PYTHON), or none"
        return 0
    fi
    for candidate in "${VIRTUAL_ENV:-}" "${CONDA_PREFIX:-}"; do
        if [[ -x $candidate/bin/python ]]; then
            use_if_fitting "$candidate/bin/python" "active" && return 0
        fi
    done
    candidate=$(recorded_interpreter)
    if [[ -x $candidate && $candidate != "$torch_environment"/* ]]; then
        use_if_fitting "$candidate" "used before" && return 0
    fi
    torch_is_installed && use_interpreter "$torch_environment/bin/python" "Ringmaster's own"
}

recorded_interpreter() {
    if [[ -r $interpreter_record ]]; then
        head -n 1 "$interpreter_record"
    fi
}

use_interpreter() {
    interpreter=$1
    say "torch: $interpreter ($2)"
    if ! is_recorded "$interpreter" "$(torch_location "$interpreter")"; then
        mkdir -p "$data_folder"
        printf '%s\n' "$interpreter" >"$interpreter_record.new"
        mv "$interpreter_record.new" "$interpreter_record"
    fi
}

# Importing torch takes seconds; what was found fitting stays so until its torch is replaced.
is_recorded() {
    [[ $(recorded_interpreter) == "$1" && -n $2 && $interpreter_record -nt $2 ]]
}

# use_if_fitting PYTHON HOW : why it doesn't is in `unfitting`
use_if_fitting() {
    local python=$1 how=$2
    if is_recorded "$python" "$(torch_location "$python")" || unfitting=$(try_torch "$python"); then
        use_interpreter "$python" "$how"
        return 0
    fi
    [[ $how == named ]] || say "torch: $python ($how) is passed over: $unfitting"
    return 1
}

torch_location() {
    "$1" - 2>/dev/null <<'PYTHON' || true
import importlib.util
found = importlib.util.find_spec("torch")
print(found.origin if found else "")
PYTHON
}

# Succeeds, or prints why the interpreter's torch doesn't fit.
try_torch() {
    local said
    said=$("$1" - 2>&1 <<'PYTHON'
try:
    import torch
    import torch.distributed
    if int(torch.__version__.split(".")[0]) != 2:
        print(f"it has torch {torch.__version__}, Ringmaster works with torch 2")
    elif not torch.distributed.is_available():
        print(f"its torch {torch.__version__} was built without torch.distributed")
    else:
        print("fits")
except Exception as error:
    print(error)
PYTHON
    ) || true
    said=${said##*$'\n'}
    [[ $said == fits ]] || { say "${said:-it is no Python}"; return 1; }
}

torch_is_installed() {
    [[ -e $torch_stamp && $(<"$torch_stamp") == "${torch_requirements[*]}" ]]
}

# One at a time: run and check may be started side by side.
install_torch() {
    local status=0 lock
    torch_is_installed && return 0
    mkdir -p "$data_folder"
    exec {lock}>"$data_folder/lock"
    flock -n "$lock" || { say "torch: another start is installing it; waiting"; flock "$lock"; }
    torch_is_installed || install_torch_now || status=$?
    exec {lock}>&-
    return "$status"
}

install_torch_now() {
    local base=/usr/bin/python3
    [[ -x $base ]] || base=$(command -v python3) || base=''
    if [[ -z $base ]] || ! "$base" -c 'import venv, ensurepip' 2>/dev/null; then
        warn "no Python that can make an environment (Debian: python3-venv): going on without torch"
        return 1
    fi
    enough_disk "$data_folder" "$((torch_disk_mib - $(torch_mib)))" \
        "torch (--without-torch leaves it out)" || return 1
    say "torch: installing ${torch_requirements[*]} in $torch_environment (4.7 GB, minutes)"
    if ! make_torch_environment "$base" ||
        ! { try_torch "$torch_environment/bin/python" >/dev/null || make_torch_environment "$base" --clear; }; then
        warn "torch couldn't be installed: going on without it; the next start tries again"
        return 1
    fi
    printf '%s\n' "${torch_requirements[*]}" >"$torch_stamp"
}

# make_torch_environment PYTHON [--clear] : safe to interrupt and to repeat; pip takes what is there.
make_torch_environment() {
    local base=$1 pip=("$torch_environment/bin/python" -m pip --disable-pip-version-check)
    shift
    if (($# > 0)) || [[ ! -x $torch_environment/bin/pip ]]; then
        "$base" -m venv "$@" "$torch_environment" || return 1
    fi
    # Debian's pip holds a whole wheel in memory and starts over when a download breaks.
    "${pip[@]}" install --quiet --upgrade pip || return 1
    # /tmp is often too small for the wheels. What an interrupted start left there goes.
    local download=$data_folder/download status=0
    rm -rf "$download"
    mkdir "$download"
    TMPDIR=$download PIP_RESUME_RETRIES=5 with_progress torch_progress \
        "${pip[@]}" install "${torch_requirements[@]}" || status=$?
    rm -rf "$download"
    return "$status"
}

torch_mib() { du -sm "$torch_environment" 2>/dev/null | cut -f 1 | grep . || say 0; }
torch_progress() {
    local downloaded
    downloaded=$(du -sm "$data_folder/download" 2>/dev/null | cut -f 1) || downloaded=0
    say "torch: $downloaded of about 2600 MB downloaded, $(torch_mib) of about $torch_environment_mib MB in place"
}

# enough_disk FOLDER MIB WHAT-FOR
enough_disk() {
    local folder=$1 needed=$2 free
    while [[ ! -d $folder ]]; do
        folder=$(dirname "$folder")
    done
    free=$(($(df -Pk "$folder" | awk 'NR == 2 { print $4 }') / 1024))
    if ((free < needed)); then
        warn "$folder has $free MB free, $needed MB are needed for $3"
        return 1
    fi
}

# site_packages ENVIRONMENT
site_packages() { "$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }

# The newest torch, in an environment beside: what users get who say `pip install torch` today. CI and
# `packaging/check --all` run tests with both.
newest_requirement=torch==2.15.0
newest_environment=$data_folder/venv-newest
newest_stamp=$newest_environment/.complete

# choose_newest : sets `interpreter_newest`, installing the newest torch where it isn't there
choose_newest() {
    local status=0 lock
    interpreter_newest=${RINGMASTER_PYTHON_NEWEST:-}
    [[ -z $interpreter_newest ]] || return 0
    mkdir -p "$data_folder"
    exec {lock}>"$data_folder/lock-newest"
    flock "$lock"
    [[ -e $newest_stamp && $(<"$newest_stamp") == "$newest_requirement" ]] || install_newest_now || status=$?
    exec {lock}>&-
    ((status != 0)) || interpreter_newest=$newest_environment/bin/python
    return "$status"
}

# With the CUDA libraries of the pinned torch's environment, where that is there: 1.8 GB, else 5.3 GB.
install_newest_now() {
    local base=/usr/bin/python3 shared
    [[ -x $base ]] || base=$(command -v python3) || return 1
    enough_disk "$data_folder" 7500 "the newest torch" || return 1
    say "torch: installing $newest_requirement in $newest_environment"
    rm -rf "$newest_environment"
    "$base" -m venv "$newest_environment" || return 1
    shared=$(site_packages "$torch_environment" 2>/dev/null)/nvidia || shared=''
    if { [[ -d $shared ]] && make_small_newest "$shared"; } || make_whole_newest; then
        printf '%s\n' "$newest_requirement" >"$newest_stamp"
        return 0
    fi
    warn "$newest_requirement couldn't be installed: going on without it"
    return 1
}

# make_small_newest FOLDER : NCCL and NVSHMEM have to be its own, other libraries are those of the same CUDA 13
make_small_newest() {
    local shared=$1 own own_nvidia needs=() library
    newest_pip --quiet --upgrade pip && newest_pip --quiet --no-deps "$newest_requirement" || return 1
    own=$(site_packages "$newest_environment") || return 1
    mapfile -t needs < <(sed -nE 's/^Requires-Dist: (nvidia-(nccl|nvshmem)-cu13==[0-9.]+).*/\1/p' "$own"/torch-*.dist-info/METADATA)
    newest_pip --quiet --no-deps "${needs[@]}" || return 1
    newest_pip --quiet filelock 'typing-extensions>=4.13' 'setuptools>=77' sympy networkx jinja2 fsspec numpy || return 1
    own_nvidia=$own/nvidia
    for library in "$shared"/*/; do
        library=$(basename "$library")
        [[ -e $own_nvidia/$library ]] || ln -s "$shared/$library" "$own_nvidia/$library" || return 1
    done
    try_torch "$newest_environment/bin/python"
}

make_whole_newest() {
    rm -rf "$newest_environment"/lib/python*/site-packages/nvidia
    newest_pip "$newest_requirement" numpy && try_torch "$newest_environment/bin/python"
}

newest_pip() {
    local download=$data_folder/download-newest status=0
    rm -rf "$download"
    mkdir "$download"
    TMPDIR=$download PIP_RESUME_RETRIES=5 "$newest_environment/bin/python" -m pip --disable-pip-version-check install "$@" || status=$?
    rm -rf "$download"
    return "$status"
}
