#!/usr/bin/env bash
# Which interpreter packaging/check takes, and that it fails where there is none. The interpreters are stand-ins.

set -euo pipefail
source_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
ln -s "$source_folder/packaging" "$root/packaging"
export HOME=$root XDG_DATA_HOME=$root/data
unset RINGMASTER_PYTHON RINGMASTER_PYTHON_NEWEST
# shellcheck source-path=SCRIPTDIR/../..
. "$source_folder/packaging/setup.sh"
# shellcheck source-path=SCRIPTDIR/../..
. "$source_folder/packaging/lib/checks.sh"
# shellcheck source-path=SCRIPTDIR/../..
. "$source_folder/packaging/lib/torches.sh"

# interpreter FOLDER ANSWER : a program that says where its torch is, or what is to be said of it
interpreter() {
    mkdir -p "$root/$1/bin"
    printf '#!/bin/sh\ngrep -q find_spec && echo "" || echo "%s"\n' "$2" >"$root/$1/bin/python"
    chmod +x "$root/$1/bin/python"
}
interpreter good fits
interpreter other fits
interpreter without "No module named 'torch'"
interpreter newest fits

# Nothing is installed or built here.
install_torch() { [[ $installs == true ]] && mkdir -p "$torch_environment" && cp -r "$root/other/bin" "$torch_environment"; }
install_newest_now() { return 1; }
# shellcheck disable=SC2317 # called by torch_for_tests
build_for_torch() { say "builds for torch in $1"; }

bad=0
complain() {
    printf '%s\n' "$@"
    bad=1
}

# choose WHAT STATUS CHOSEN SAID NAMED [ACTIVE [RECORDED]] : CHOSEN is empty where nothing may be taken
choose() {
    local status=0 output chosen
    rm -rf "$data_folder"
    mkdir -p "$data_folder"
    [[ -z ${7:-} ]] || say "$root/$7/bin/python" >"$interpreter_record"
    output=$(
        unset VIRTUAL_ENV CONDA_PREFIX
        [[ -z ${6:-} ]] || VIRTUAL_ENV=$root/$6
        choose_interpreter "${5:+$root/$5}" 2>&1 && printf 'chosen: %s\n' "$interpreter"
    ) || status=$?
    chosen=$(sed -n 's/^chosen: //p' <<<"$output")
    if [[ $status != "$2" || $chosen != "${3:+$root/$3}" || $output != *"$4"* ]]; then
        complain "$1: status $status, chosen '$chosen', said:" "$output"
    fi
}

installs=false
choose "a named one" 0 good/bin/python "(named)" good/bin/python
choose "a named one that doesn't fit, where another would" 2 '' "without/bin/python doesn't fit: No module named 'torch'" \
    without/bin/python good other
choose "a named one that isn't there" 2 '' "there is no program" nowhere/python good other
choose "the active one" 0 good/bin/python "(active)" '' good other
choose "an active one that doesn't fit" 0 other/bin/python "without/bin/python (active) is passed over: No module named 'torch'" \
    '' without other
choose "nothing that fits, and nothing to be had" 1 '' "is passed over" '' without
installs=true
choose "nothing that fits" 0 data/ringmaster/venv/bin/python "Ringmaster's own" '' without without

# stage_of_torch WHAT RESULTS SAID : of the stages
stage_of_torch() {
    local output
    rm -rf "$data_folder"
    output=$(
        unset VIRTUAL_ENV CONDA_PREFIX
        torch_for_tests asan 2>&1
        paste -d= <(printf '%s\n' "${stage_names[@]}") <(printf '%s\n' "${stage_results[@]}") | sed 's/^/result: /'
        say "failed: $failed_stages"
    )
    if [[ $(sed -n 's/^result: //p' <<<"$output") != "$2" || $output != *"$3"* ]]; then
        complain "$1, CI=$CI, $extent: said" "$output"
    fi
}

# Read by what is sourced.
# shellcheck disable=SC2034
with_torch=true python=''
for CI in '' true; do
    extent=quick installs=false
    stage_of_torch "no torch" "torch=failed" "--without-torch goes on without"
    extent=quick installs=true
    stage_of_torch "a torch" $'torch=passed\nBuild what is for torch (asan)=passed' "failed: 0"
    extent=all
    stage_of_torch "no newest torch" $'torch=failed\nBuild what is for torch (asan)=passed' "failed: 1"
    export RINGMASTER_PYTHON_NEWEST=$root/newest/bin/python
    stage_of_torch "both" $'torch=passed\nBuild what is for torch (asan)=passed' "failed: 0"
    unset RINGMASTER_PYTHON_NEWEST
done
exit $bad
