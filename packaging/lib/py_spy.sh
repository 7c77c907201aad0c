# shellcheck shell=bash
# py-spy says where a rank stands that can't say it itself. It has an environment of its own, so that none of
# the user's is changed; the engine looks there (engine/node/PySpyProgram).

py_spy_requirement=py-spy==0.4.1
py_spy_environment=$data_folder/tools
py_spy_stamp=$py_spy_environment/.py-spy

py_spy_is_installed() {
    [[ -e $py_spy_stamp && $(<"$py_spy_stamp") == "$py_spy_requirement" ]]
}

# One at a time: run and check may be started side by side.
install_py_spy() {
    local status=0 lock
    py_spy_is_installed && return 0
    { mkdir -p "$data_folder" && exec {lock}>"$data_folder/lock-tools"; } || return 1
    flock "$lock"
    py_spy_is_installed || install_py_spy_now || status=$?
    exec {lock}>&-
    return "$status"
}

install_py_spy_now() {
    local base=/usr/bin/python3
    [[ -x $base ]] || base=$(command -v python3) || base=''
    if [[ -z $base ]] || ! make_py_spy_environment "$base"; then
        warn "$py_spy_requirement couldn't be installed: the stacks of ranks that don't answer are left out"
        return 1
    fi
    printf '%s\n' "$py_spy_requirement" >"$py_spy_stamp"
}

make_py_spy_environment() {
    local base=$1
    say "py-spy: installing $py_spy_requirement in $py_spy_environment (15 MB)"
    [[ -x $py_spy_environment/bin/pip ]] || "$base" -m venv "$py_spy_environment" || return 1
    "$py_spy_environment/bin/pip" install --quiet --disable-pip-version-check "$py_spy_requirement"
}
