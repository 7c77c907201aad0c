#!/usr/bin/env bash
# What hosts.sh gives its hosts of a source, a build folder and an interpreter that lie below /tmp or /run, in paths with
# ':' and ','.

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

if [[ ${1:-} == on-a-host ]]; then
    cat "$SOURCE/said" "$BUILD/said"
    "$RINGMASTER_PYTHON" -c 'import sys; print("a prefix" if sys.prefix == sys.argv[1] else sys.prefix)' \
        "${RINGMASTER_PYTHON%/bin/python}"
    # A host's files and /tmp are its own.
    echo changed >"$SOURCE/said"
    [[ ! -e $BUILD/../beside ]] || echo "not its own /tmp and /run"
    exit 0
elif [[ ${1:-} == in-the-lab ]]; then
    if [[ -n ${RINGMASTER_NO_LAB:-} ]]; then
        printf 'SKIP   : %s\n' "$RINGMASTER_NO_LAB"
        exit 77
    fi
    said=$("$SOURCE/tests/labs/hosts.sh" on lab1 "$0" on-a-host 2>&1) || said+=" and failed"
    if [[ $said != $'the source\nthe build\na prefix' || $(<"$SOURCE/said") != "the source" ]]; then
        printf '%s, %s, %s:\n%s\n' "$SOURCE" "$BUILD" "$RINGMASTER_PYTHON" "$said"
        exit 1
    fi
    exit 0
fi

folders=()
trap 'rm -rf "${folders[@]}"' EXIT
for parent in /tmp /run; do
    if ! folder=$(mktemp -d "$parent/ringmaster-XXXXXX" 2>/dev/null); then
        echo "SKIP   : $parent can't be written"
        exit 77
    fi
    folders+=("$folder")
    mkdir -p "$folder/a:b,c d/source/tests/labs" "$folder/a:b,c d/build/tests"
    echo "the source" >"$folder/a:b,c d/source/said"
    echo "the build" >"$folder/a:b,c d/build/said"
    : >"$folder/a:b,c d/beside"
    cp "$here/hosts.sh" "$folder/a:b,c d/source/tests/labs/"
    cp "$here/test_hosts.sh" "$folder/a:b,c d/build/tests/"
    : >"$folder/a:b,c d/build/CMakeCache.txt"
    # Python makes no environment in a folder with ':'.
    python3 -m venv --without-pip "$folder/a,b/venv"
done

status=0
# try SOURCE'S BUILD'S INTERPRETER'S : below which of the folders
try() {
    local result=0
    export SOURCE="${folders[$1]}/a:b,c d/source" BUILD="${folders[$2]}/a:b,c d/build"
    RINGMASTER_PYTHON=${folders[$3]}/a,b/venv/bin/python \
        "$SOURCE/tests/labs/hosts.sh" 1 "$BUILD/tests/test_hosts.sh" in-the-lab || result=$?
    [[ $result != 77 ]] || exit 77
    ((result == 0)) || status=1
}
try 0 1 0
try 1 0 1
exit $status
