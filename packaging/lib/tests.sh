# shellcheck shell=bash
# Running the tests of a build.

allowed_skips=$root/tests/allowed_skips.txt

# Most tests wait for processes, not for a processor.
test_jobs() { say $(($(nproc) * 2)); }

# run_tests PRESET [CTEST-OPTION…] : once: what fails, fails
run_tests() {
    local preset=$1 status=0
    shift
    # What an earlier run left would speak for a ctest that doesn't start.
    rm -f "$(test_log "$preset")" "$(failed_log "$preset")"
    run_ctest "$preset" "$@" || status=$?
    slowest_tests "$preset"
    check_skips "$preset" || return 1
    return "$status"
}

# What a sanitizer would change, in the build without.
run_plain_tests() { run_tests dev --label-regex '^plain$'; }

run_ctest() {
    local ctest=(ctest --preset "$1" --parallel "$(test_jobs)" "${@:2}")
    if [[ $1 == tsan ]] && setarch -R true 2>/dev/null; then
        # Where the kernel randomises more address bits than the sanitizer knows, it can't start.
        ctest=(setarch -R "${ctest[@]}")
    fi
    # Tests find their interpreter by RINGMASTER_PYTHON; an active environment must not get in.
    (cd "$root" && env -u VIRTUAL_ENV -u CONDA_PREFIX PATH="$PATH:$root/build/tools/bin" "${ctest[@]}")
}

test_log() { say "$root/build/$1/Testing/Temporary/LastTest.log"; }
failed_log() { say "$root/build/$1/Testing/Temporary/LastTestsFailed.log"; }

# CTest keeps the seconds of every test that it ran; the log has them of this run, and what they took of the processors.
slowest_tests() {
    local log
    log=$(test_log "$1")
    [[ -s $log ]] || return 0
    say "The ten slowest tests, in seconds, and those of a processor:"
    awk '/^[0-9]+\/[0-9]+ Test: / { name = $3; busy = 0 }
         /^Processor time = / { busy = $4 }
         /^Test time = / { printf "%9.1f %9.1f  %s\n", $4, busy, name; total += busy }
         END { printf "%9s %9.1f  all\n", "", total }' "$log" | sort -rn | awk '$2 == "all" || ++count <= 10'
}

# A machine that is there to check has all that tests need, but for what the file of reasons names.
check_skips() {
    local skipped
    if [[ ! -s $(test_log "$1") ]]; then
        say "There is no log of any test: ctest hasn't run one."
        return 1
    fi
    skipped=$(unexpected_skips "$1")
    [[ -n $skipped ]] || return 0
    say "Skipped:"
    say "$skipped"
    if [[ ${CI:-} == true ]]; then
        say "Under CI=true a skip is a failure, but for the reasons in tests/allowed_skips.txt."
        return 1
    fi
}

unexpected_skips() {
    grep -a '^SKIP *:' "$(test_log "$1")" | sed 's/^SKIP *: *//' |
        grep -avf <(sed '/^#/d; /^$/d' "$allowed_skips") || true
}

# Why run_tests has failed, a line each: tests, skips that aren't allowed, or ctest itself.
failures() {
    local failed found
    failed=$(failed_log "$1")
    found=$(
        [[ ! -s $failed ]] || cut -d: -f2 "$failed"
        [[ ${CI:-} != true || ! -s $(test_log "$1") ]] || unexpected_skips "$1" | sed 's/^/skipped: /'
    )
    say "${found:-ctest itself}"
}

# soak TIMES : every test under the sanitizers and the plain ones without, that many times; says what ever failed, and
# how often
soak() {
    local times=$1 round all
    all=$(mktemp)
    for ((round = 1; round <= times; ++round)); do
        heading "Soak: $round of $times"
        run_tests asan || failures asan >>"$all"
        run_plain_tests || failures dev | sed 's/$/ (without sanitizers)/' >>"$all"
    done
    heading "Failed in $times runs"
    if [[ ! -s $all ]]; then
        say "nothing"
        rm -f "$all"
        return 0
    fi
    sort "$all" | uniq -c | sort -rn
    rm -f "$all"
    return 1
}
