#!/usr/bin/env bash
# What `packaging/check --soak` makes of rounds that fail, also by something else than a test. ctest is a stand-in.

set -euo pipefail
source_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/bin" "$root/tests" "$root"/build/{asan,dev}/Testing/Temporary
export PATH=$root/bin:$PATH
cp "$source_folder/tests/allowed_skips.txt" "$root/tests/"
# shellcheck source-path=SCRIPTDIR/../..
. "$source_folder/packaging/lib/messages.sh"
# shellcheck source-path=SCRIPTDIR/../..
. "$source_folder/packaging/lib/tests.sh"

# One word of the file `rounds` for each call: what happens in it. The log has twelve tests.
cat >"$root/bin/ctest" <<'END'
#!/usr/bin/env bash
read -r happens rest <rounds
echo "$rest" >rounds
case "$*" in
    "--preset dev "*" --label-regex ^plain$") cd build/dev/Testing/Temporary ;;
    "--preset asan "*"label"*) exit 4 ;;
    "--preset asan "*) cd build/asan/Testing/Temporary ;;
    *) exit 4 ;;
esac
[[ $happens == no_start ]] && exit 1
for test in {1..12}; do
    printf '%s/12 Test: tst_%s\nProcessor time =   0.50 sec\nTest time =   %s.20 sec\n' "$test" "$test" "$test"
done >LastTest.log
case $happens in
    fails) echo 1:tst_one >LastTestsFailed.log; exit 8 ;;
    skips) echo 'SKIP   : tst_one::works() torch is missing' >>LastTest.log ;;
    skips_allowed) echo 'SKIP   : tst_one::works() there is no GPU' >>LastTest.log ;;
    ends_badly) exit 3 ;;
esac
END
chmod +x "$root/bin/ctest"

bad=0
complain() {
    printf '%s\n' "$@"
    bad=1
}

# expect STATUS NAMED ROUND… : what is said behind the last heading, its counts included. A round is what happens under
# the sanitizers, and behind a slash what happens without them.
expect() {
    local status=0 said named round calls=()
    for round in "${@:3}"; do
        calls+=("${round%/*}")
        if [[ $round == */* ]]; then calls+=("${round#*/}"); else calls+=(passes); fi
    done
    echo "${calls[*]}" >"$root/rounds"
    said=$(soak $(($# - 2)) 2>&1) || status=$?
    named=$(sed '1,/Failed in/d' <<<"$said" | tr -s ' ' | sed 's/^ //')
    if [[ $status != "$1" || $named != "$2" ]]; then
        complain "rounds ${*:3}, CI=$CI: status $status and \"$named\" instead of $1 and \"$2\""
    fi
}

export CI=
expect 0 nothing passes passes
expect 1 '2 tst_one' fails passes fails
expect 1 '1 tst_one (without sanitizers)' passes/fails passes
expect 1 $'2 tst_one\n1 tst_one (without sanitizers)' fails/fails fails
expect 1 '1 ctest itself' passes no_start
expect 1 '1 ctest itself (without sanitizers)' passes/no_start passes
expect 1 '1 ctest itself' ends_badly passes
expect 0 nothing skips/skips
CI=true
expect 1 '1 skipped: tst_one::works() torch is missing' skips passes
expect 1 '1 skipped: tst_one::works() torch is missing (without sanitizers)' passes/skips passes
expect 0 nothing skips_allowed/skips_allowed
expect 1 '1 ctest itself' passes no_start passes

# What a run says of its time: the slowest tests, and at the end each stage.
echo passes >"$root/rounds"
said=$(run_tests asan)
slowest=$(sed '/^The ten slowest tests/d' <<<"$said" | awk '{ print $NF, $1 }')
wanted=$(printf 'tst_%s %s.2\n' 12 12 11 11 10 10 9 9 8 8 7 7 6 6 5 5 4 4 3 3; echo all 6.0)
[[ $(sort <<<"$slowest") == "$(sort <<<"$wanted")" ]] || complain "the slowest tests:" "$said"
[[ $(grep -v '^all' <<<"$slowest") == "$(grep -v '^all' <<<"$wanted")" ]] || complain "not the slowest first:" "$said"
said=$(
    record_stage Build 0 75
    record_stage Tests 1 3600
    stage "Nothing" true
    print_summary
)
for line in ' 1:15 Build passed' ' 60:00 Tests failed' ' 0:00 Nothing passed'; do
    sed '1,/==> Summary/d' <<<"$said" | tr -s ' ' | grep -qx -- "$line" || complain "no stage \"$line\":" "$said"
done
grep -q '[0-9]:[0-9][0-9]  in all$' <<<"$said" || complain "no time of all stages:" "$said"
exit $bad
