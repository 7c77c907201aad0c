#!/bin/sh
# Runs a test in windows of an X server without a screen, with a window manager where there is one:
#   under_x.sh PROGRAM [ARGUMENT…]
# 77: there is no such server, the test is skipped.
set -eu

if ! command -v xvfb-run >/dev/null || ! command -v Xvfb >/dev/null; then
    echo "SKIP: no xvfb-run; see packaging/packages/tests.txt"
    exit 77
fi
QT_QPA_PLATFORM=xcb
RINGMASTER_UNDER_X=1
export QT_QPA_PLATFORM RINGMASTER_UNDER_X
# The manager ends with its server.
exec xvfb-run --auto-servernum --server-args='-screen 0 1600x1000x24' \
    sh -c 'if command -v openbox >/dev/null; then openbox & fi; "$@"' sh "$@"
