#!/bin/sh
# Runs a test in windows of an X server without a screen, with a window manager where there is one:
#   under_x.sh PROGRAM [ARGUMENT…]
# 77: there is no such server, the test is skipped.
set -eu

if ! command -v Xvfb >/dev/null || ! command -v xauth >/dev/null; then
    echo "SKIP: no Xvfb or no xauth; see packaging/packages/tests.txt"
    exit 77
fi

folder=$(mktemp -d)
server=
# shellcheck disable=SC2317 # called by the trap
finish() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || :
        wait "$server" 2>/dev/null || :
    fi
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 143' TERM INT HUP

# The server finds a free number itself: choosing one beforehand, as xvfb-run does, is a race
# between tests. Its cookies count for any number. Without -noreset it would start anew, and turn
# clients away, whenever the only one leaves.
cookie=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
xauth -q -f "$folder/server" add :0 . "$cookie"
mkfifo "$folder/number"
Xvfb -displayfd 3 -screen 0 1600x1000x24 -noreset -nolisten tcp -auth "$folder/server" \
    3>"$folder/number" >"$folder/log" 2>&1 &
server=$!
if ! read -r number <"$folder/number"; then
    cat "$folder/log"
    exit 1
fi
xauth -q -f "$folder/client" add ":$number" . "$cookie"

DISPLAY=:$number
XAUTHORITY=$folder/client
QT_QPA_PLATFORM=xcb
RINGMASTER_UNDER_X=1
export DISPLAY XAUTHORITY QT_QPA_PLATFORM RINGMASTER_UNDER_X
# The manager ends with its server. A window that came before it was ready might stay unseen.
if command -v openbox >/dev/null; then
    mkfifo "$folder/managed"
    openbox --startup "sh -c 'echo yes >$folder/managed'" 2>"$folder/openbox" &
    timeout 60 head -n 1 "$folder/managed" >/dev/null || cat "$folder/openbox"
fi
status=0
"$@" || status=$?
exit "$status"
