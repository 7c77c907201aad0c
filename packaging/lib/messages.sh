# shellcheck shell=bash
# What the scripts say, and how long each stage took.

if [[ -t 1 ]]; then
    bold=$'\e[1m' red=$'\e[31m' green=$'\e[32m' yellow=$'\e[33m' plain=$'\e[0m'
else
    bold='' red='' green='' yellow='' plain=''
fi

say() { printf '%s\n' "$*"; }
heading() { printf '\n%s==> %s%s\n' "$bold" "$*" "$plain"; }
warn() { printf '%s%s: %s%s\n' "$yellow" "${0##*/}" "$*" "$plain" >&2; }

# Ends with 2, as the ringmaster command does for what it finds before it starts anything.
die() {
    printf '%s%s: %s%s\n' "$red" "${0##*/}" "$*" "$plain" >&2
    exit 2
}

# The header comment of the calling script is its help.
print_help() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; }

# A step that shows its progress only on a terminal: elsewhere this says every 15 s how far it is.
# Usage: with_progress FUNCTION-THAT-PRINTS-THE-PROGRESS COMMAND…
with_progress() {
    local progress=$1 ticker status=0
    shift
    if [[ -t 1 ]]; then
        "$@"
        return
    fi
    (
        trap 'exit 0' TERM
        while true; do
            sleep 15 &
            wait $!
            say "    … $("$progress")"
        done
    ) &
    ticker=$!
    "$@" || status=$?
    kill "$ticker" 2>/dev/null || true
    wait "$ticker" 2>/dev/null || true
    return "$status"
}

# stage NAME COMMAND… runs a step, prints its time, and keeps both for print_summary. A failure is
# kept too and doesn't end the script: the other stages still have something to say.
stage_names=()
stage_results=()
stage_seconds=()
failed_stages=0

stage() {
    local name=$1 started=$SECONDS status=0
    shift
    heading "$name"
    # In a subshell outside any condition: inside one, bash would ignore errexit all the way down.
    set +e
    (
        set -e
        "$@"
    )
    status=$?
    set -e
    record_stage "$name" "$status" $((SECONDS - started))
    return 0
}

record_stage() {
    local name=$1 status=$2 seconds=$3 result="${green}passed${plain}"
    if ((status != 0)); then
        result="${red}failed${plain}"
        failed_stages=$((failed_stages + 1))
    fi
    stage_names+=("$name")
    stage_results+=("$result")
    stage_seconds+=("$seconds")
    printf '%s--- %s: %s in %s%s\n' "$bold" "$name" "$result$bold" "$(duration "$seconds")" "$plain"
}

# What can't be checked here is said. A machine that is there to check (CI=true) doesn't let it pass.
skip_stage() {
    local name=$1 reason=$2
    heading "$name"
    if [[ ${CI:-} == true ]]; then
        say "impossible here: $reason"
        record_stage "$name" 1 0
        return 0
    fi
    say "skipped: $reason"
    stage_names+=("$name")
    stage_results+=("${yellow}skipped${plain} ($reason)")
    stage_seconds+=(0)
}

duration() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

print_summary() {
    local index
    heading "Summary"
    for index in "${!stage_names[@]}"; do
        printf '%7s  %-44s %s\n' "$(duration "${stage_seconds[index]}")" \
            "${stage_names[index]}" "${stage_results[index]}"
    done
    printf '%7s  in all\n' "$(duration "$SECONDS")"
}
