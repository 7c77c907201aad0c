#!/usr/bin/env bash
# What `packaging/check --soak` makes of rounds that fail, also by something else than a test. ctest is a stand-in.

set -euo pipefail
source_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/bin" "$root/tests" "$root/build/asan/Testing/Temporary"
export PATH=$root/bin:$PATH
cp "$source_folder/tests/allowed_skips.txt" "$root/tests/"
# shellcheck source-path=SCRIPTDIR/../..
. "$source_folder/packaging/lib/messages.sh"
# shellcheck source-path=SCRIPTDIR/../..
. "$source_folder/packaging/lib/tests.sh"

# One word of the file `rounds` for each call: what happens in it.
cat >"$root/bin/ctest" <<'END'
#!/usr/bin/env bash
read -r round rest <rounds
echo "$rest" >rounds
cd build/asan/Testing/Temporary
[[ $round == no_start ]] && exit 1
printf '1/1 Test: tst_one\nTest time =   0.10 sec\n' >LastTest.log
case $round in
    fails) echo 1:tst_one >LastTestsFailed.log; exit 8 ;;
    skips) echo 'SKIP   : tst_one::works() torch is missing' >>LastTest.log ;;
    skips_allowed) echo 'SKIP   : tst_one::works() there is no GPU' >>LastTest.log ;;
    ends_badly) exit 3 ;;
esac
END
chmod +x "$root/bin/ctest"

# expect STATUS NAMED ROUND… : what is said behind the last heading, its counts included
bad=0
expect() {
    local status=0 said named
    echo "${*:3}" >"$root/rounds"
    said=$(soak asan $(($# - 2)) 2>&1) || status=$?
    named=$(sed '1,/Failed in/d' <<<"$said" | tr -s ' ' | sed 's/^ //')
    if [[ $status != "$1" || $named != "$2" ]]; then
        printf 'rounds %s, CI=%s: status %s and "%s" instead of %s and "%s"\n' \
            "${*:3}" "$CI" "$status" "$named" "$1" "$2"
        bad=1
    fi
}

export CI=
expect 0 nothing passes passes
expect 1 '2 tst_one' fails passes fails
expect 1 '1 ctest itself' passes no_start
expect 1 '1 ctest itself' ends_badly passes
expect 0 nothing skips
CI=true
expect 1 '1 skipped: tst_one::works() torch is missing' skips passes
expect 0 nothing skips_allowed
expect 1 '1 ctest itself' passes no_start passes
exit $bad
