# shellcheck shell=bash
# What packaging/run and packaging/check share. The caller has set `root`, the source folder.

# shellcheck disable=SC2034 # read by what is sourced here
data_folder=${XDG_DATA_HOME:-$HOME/.local/share}/ringmaster
# shellcheck source-path=SCRIPTDIR/..
. "$root/packaging/lib/messages.sh"
# shellcheck source-path=SCRIPTDIR/..
. "$root/packaging/lib/packages.sh"
# shellcheck source-path=SCRIPTDIR/..
. "$root/packaging/lib/interpreter.sh"
# shellcheck source-path=SCRIPTDIR/..
. "$root/packaging/lib/py_spy.sh"
# shellcheck source-path=SCRIPTDIR/..
. "$root/packaging/lib/build.sh"
# shellcheck source-path=SCRIPTDIR/..
. "$root/packaging/lib/tests.sh"
