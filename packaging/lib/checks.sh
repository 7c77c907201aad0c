# shellcheck shell=bash
# The stages of packaging/check, each a function that fails when its stage does.

lint_seconds=300
tools=$root/build/tools

# What PyPI has and Debian hasn't, in an environment of its own: the schema of a TrainJob, the messages
# of OpenTelemetry.
install_tools() {
    [[ -x $tools/bin/python ]] || python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check kubeflow-trainer-api==2.3.0 \
        opentelemetry-proto==1.45.2
}

# checked_with PROGRAM NAME COMMAND… : a stage that needs a program
checked_with() {
    local program=$1
    shift
    if command -v "$program" >/dev/null; then
        stage "$@"
    else
        skip_stage "$1" "$program is missing"
    fi
}

build_preset() {
    configure "$@"
    build "$1"
}

# torch_for_tests PRESET : waits for it, and builds what is made for it, which a first build can't have had. Without it
# most tests would be skipped: who wants that says so.
torch_for_tests() {
    local preset=$1 began=$SECONDS status=0
    [[ $with_torch == true ]] || return 0
    heading "torch"
    wait || true
    if choose_interpreter "$python"; then
        export RINGMASTER_PYTHON=$interpreter
    else
        [[ ! -e $root/build/torch.log ]] || cat "$root/build/torch.log"
        say "There is no interpreter with torch: --python names one, --without-torch goes on without."
        status=1
    fi
    if [[ $extent == @(ci|all) ]]; then
        if choose_newest; then
            export RINGMASTER_PYTHON_NEWEST=$interpreter_newest
        else
            status=1
        fi
    fi
    record_stage "torch" "$status" $((SECONDS - began))
    [[ -z $interpreter ]] || stage "Build what is for torch ($preset)" build_for_torch "$preset"
}

# The engine, the command and the keeper, with Qt out of CMake's sight. The objects are those of the asan build.
build_headless() {
    configure headless -DRINGMASTER_TESTS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_Qt6=ON "$@"
    build headless ringmaster
}

# What is shipped, by the compiler that it is shipped with and with every warning an error; and the tests whose
# figures a sanitizer would change.
build_plain() {
    configure dev "$@"
    build dev ringmaster ringmaster-gui ringmaster-sweep plain_tests
}

# run_fuzz_targets SECONDS : each goes on from what its last run found interesting; as many side by side as
# there are processors
run_fuzz_targets() {
    local seconds=$1 targets target log status=0 findings=$root/build/fuzzing/findings
    configure asan
    mapfile -t targets < <(cmake --build "$root/build/asan" --target help |
        sed -n 's/^\(fuzz_[a-z0-9_]*\): phony$/\1/p' | sort -u)
    if ((${#targets[@]} == 0)); then
        say "there is no target named fuzz_…"
        return 1
    fi
    build asan "${targets[@]}"
    mkdir -p "$findings"
    export -f run_fuzz_target
    export root findings seconds
    printf '%s\n' "${targets[@]}" | xargs -n 1 -P "$(nproc)" bash -c 'run_fuzz_target "$1"' bash || status=1
    for target in "${targets[@]}"; do
        log=$findings/$target.log
        if [[ -e $findings/$target.passed ]]; then
            say "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs tried"
        else
            say "$target failed:"
            tail -n 60 "$log"
            status=1
        fi
    done
    return "$status"
}

# In a shell of its own, with what its caller exports: root, findings, seconds. Entropic choice would take nine
# tenths of the time: with all of the engine that a target links it weighs thousands of places for each input.
run_fuzz_target() {
    local target=$1 corpus=$root/build/fuzzing/corpus/$1 seeds=()
    mkdir -p "$corpus"
    [[ ! -d $root/tests/fuzz/seeds/$target ]] || seeds=("$root/tests/fuzz/seeds/$target")
    rm -f "$findings/$target.passed"
    # A deadlock can keep even libFuzzer's own limit from ending it.
    UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 timeout --kill-after=5 $((seconds + 300)) \
        "$root/build/asan/bin/$target" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=60 \
        -entropic=0 -print_final_stats=1 -artifact_prefix="$findings/$target-" "$corpus" "${seeds[@]}" \
        >"$findings/$target.log" 2>&1 && : >"$findings/$target.passed"
}

source_files() { git -C "$root" ls-files -z --cached --others --exclude-standard -- "$@"; }

check_format() {
    cd "$root"
    source_files '*.h' '*.cpp' | xargs -0 -r clang-format-14 --dry-run -Werror
    if git grep -nE '^ +\.[a-zA-Z]+ = .*RM_TRY\(' -- engine app; then
        say "RM_TRY between an initialiser's braces: on the way out the members before it are forgotten"
        return 1
    fi
}

check_scripts() {
    cd "$root/packaging"
    shellcheck -x run check wheel archive check-translations ../.ci/run ../tests/labs/*.sh ../tests/packaging/try_* ../tests/packaging/test_*.sh \
        ../tests/simulation/seeds_of_commit ../tests/gpu/pack
}

check_desktop_files() {
    cd "$root/packaging"
    desktop-file-validate --no-hints org.ringmaster.Ringmaster.desktop
    appstreamcli validate --no-net org.ringmaster.Ringmaster.metainfo.xml
    # With the pictures, as where they are published.
    mkdir -p "$root/build/metainfo"
    sed '/<launchable/r screenshots/appstream.xml' org.ringmaster.Ringmaster.metainfo.xml |
        sed 's#@RINGMASTER_WEB_ADDRESS@#https://example.org/screenshots#' \
            > "$root/build/metainfo/org.ringmaster.Ringmaster.metainfo.xml"
    appstreamcli validate --no-net "$root/build/metainfo/org.ringmaster.Ringmaster.metainfo.xml"
    local mime=$root/build/mime
    mkdir -p "$mime/packages"
    cp org.ringmaster.Ringmaster.mime.xml "$mime/packages/"
    XDG_DATA_HOME=$root/build XDG_DATA_DIRS=$root/build update-mime-database "$mime"
    grep -qx '50:application/x-ringrun:\*.ringrun' "$mime/globs2"
}

# Files that changed since the branch left main, or with the last commit, and what isn't committed.
changed_sources() {
    local base
    base=$(git merge-base HEAD origin/main 2>/dev/null || true)
    if [[ -z $base || $base == "$(git rev-parse HEAD)" ]]; then
        base=$(git rev-parse --verify -q HEAD~1 || git rev-parse HEAD)
    fi
    {
        git diff --name-only --diff-filter=d "$base" -- '*.cpp'
        git ls-files --others --exclude-standard -- '*.cpp'
    } | sort -u
}

lint_changed_files() {
    local files
    cd "$root"
    mapfile -t files < <(changed_sources)
    lint "${files[@]}"
}

lint_every_file() {
    local files
    cd "$root"
    lint_seconds=7200
    mapfile -t files < <(git ls-files -- 'engine/*.cpp' 'app/*.cpp')
    lint "${files[@]}"
}

# lint FILE… : as far as the time reaches. Only what the dev build compiles has the flags to look at it.
lint() {
    local file pattern='' count=0 status=0 log=$root/build/dev/clang-tidy.log
    for file in "$@"; do
        if grep -qF "\"file\": \"$root/$file\"" "$root/build/dev/compile_commands.json"; then
            pattern+="|$file"
            count=$((count + 1))
        fi
    done
    say "$count files, at most $((lint_seconds / 60)) minutes"
    ((count > 0)) || return 0
    timeout "$lint_seconds" run-clang-tidy-14 -quiet -j "$(build_jobs)" -p "$root/build/dev" \
        "$root/(${pattern#|})\$" 2>&1 | grep -v 'warnings generated\.$' | tee "$log" || status=${PIPESTATUS[0]}
    if ((status == 124)); then
        say "the time is over: packaging/check --all looks at every file"
        status=0
    fi
    ! grep -qE ': (warning|error): ' "$log" && ((status == 0))
}

# What each prints stands beside what is asked in its own text; a busy machine shows in the spread. What restarts and a
# paused console leave in an agent has limits.
run_benchmarks() {
    local bin=$root/build/release/bin bench=$root/tests/bench python=${RINGMASTER_PYTHON:-}
    configure release -DRINGMASTER_TESTS=ON -DRINGMASTER_GUI=ON
    build release
    QT_QPA_PLATFORM=offscreen "$bin/bench_dashboard"
    "$bin/bench_ledger"
    python3 "$bench/agent/bench_restarts.py" --ringmaster "$bin/ringmaster"
    python3 "$bench/agent/bench_paused_console.py" --ringmaster "$bin/ringmaster"
    if [[ -z $python ]]; then
        say "no interpreter with torch: what is compared with torchrun and gloo isn't measured"
        return 0
    fi
    "$python" "$bench/agent/bench_agent.py" --ringmaster "$bin/ringmaster" --python "$python"
    "$python" "$bench/store/bench_store.py" "$bin/ringmaster-store-serve"
    "$python" "$bench/warm/bench_warm.py" --ringmaster "$bin/ringmaster" --python "$python"
    PYTHONPATH=$bin/ringmaster-ring "$python" "$bench/collective/bench_ring.py"
}

# The TrainJob that Ringmaster writes, read by the models that Kubeflow makes from its schema.
check_manifest() {
    "$root/build/asan/bin/ringmaster" job --to-kubernetes --image pytorch:2.11 --nnodes 2 --nproc-per-node 4 \
        --devices-per-worker 1 --env OMP_NUM_THREADS=2 --env HF_TOKEN=x train.py --lr 0.1 |
        "$tools/bin/python" -c '
import json, sys
from kubeflow_trainer_api import models

manifest = json.load(sys.stdin)
read = models.TrainerV1alpha1TrainJob.from_dict(manifest).to_dict()
assert read == manifest, f"the schema leaves out a part: {read}"
'
}

# A run with a restart, read by OpenTelemetry's own messages.
check_otlp() {
    local folder bin=$root/build/asan/bin/ringmaster
    folder=$(mktemp -d)
    export XDG_STATE_HOME=$folder/state XDG_RUNTIME_DIR=$folder
    # shellcheck disable=SC2016 # the worker's variable
    "$bin" run --standalone --max-restarts 1 --name twice --no-python /bin/sh -c \
        'echo said; test $TORCHELASTIC_RESTART_COUNT = 1'
    "$bin" export twice --otlp "$folder/twice.jsonl"
    "$tools/bin/python" "$root/tests/cli/programs/check_otlp.py" "$folder/twice.jsonl"
    rm -r "$folder"
}

# The programs bring their libraries: one package for every release.
check_package() {
    choose_every_torch
    configure wheel -DRINGMASTER_GUI=ON "-DRINGMASTER_TORCH=$torch_folders"
    build wheel
    cd "$root/build/wheel"
    rm -f ./*.deb
    cpack
    lintian --fail-on error,warning ./*.deb
}

# In bare systems, which are made once and kept.
check_package_in_bare_systems() {
    "$root/tests/packaging/try_deb" "$root/build/roots" "$root"/build/wheel/*.deb
}

# The dashboard with all that it needs, in the same bare systems.
check_archive() {
    "$root/packaging/archive"
    "$root/tests/packaging/try_archive" "$root/build/roots" "$root"/build/dist/ringmaster-*-x86_64.tar.gz
    "$root/packaging/wheel"
    "$root/tests/packaging/try_dashboard" "$root/build/dist"
}

# The wheel as its users have it: installed, used and removed.
check_wheel() {
    local uv=$root/build/uv
    "$root/packaging/wheel"
    python3 "$root/tests/packaging/test_records.py"
    if [[ -z ${RINGMASTER_PYTHON:-} ]]; then
        say "no interpreter with torch: the wheel isn't installed beside one"
        return 0
    fi
    if [[ ! -x $uv/bin/uv ]]; then
        python3 -m venv "$uv"
        "$uv/bin/pip" install --quiet --disable-pip-version-check uv==0.13.9
    fi
    "$root/tests/packaging/try_wheel" "$root"/build/dist/ringmaster_launcher-*.whl "$RINGMASTER_PYTHON" "$uv/bin/uv"
    "$root/tests/packaging/try_notebook" "$root"/build/dist/ringmaster_launcher-*.whl "$RINGMASTER_PYTHON" \
        "$root/build/notebook"
}
