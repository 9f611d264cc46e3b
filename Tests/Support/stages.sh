# The stages of deploy/test, what is recorded of them, and the table at the end. Sourced after deploy/lib.sh, never run.
# shellcheck shell=bash

# Of the stage under way: its function adds to them.
passed=0
failed=0
skipped=()
complaints=()
# Of all stages.
total_passed=0
total_failed=0
all_skipped=()
all_complaints=()
rows=()
# With the results of stages; empty when nothing may be recorded.
records=""

# The commit, when the tree is exactly that; nothing otherwise.
clean_commit() {
    local changes
    changes="$(git status --porcelain 2>/dev/null)" && [[ -z $changes ]] && git rev-parse HEAD 2>/dev/null
}

# From now on, results are recorded, and stages that passed are not run again.
record_stages() {
    commit="$(clean_commit || true)"
    [[ -n $commit ]] || return 0
    records="${root:?}/.build/test-stages"
    mkdir -p "$records"
}

# record_of STAGE: the file with its result for this commit, and for others that are the same to it. What a sample passed is not all.
record_of() {
    local extent=""
    [[ ${everything:?} == no ]] || extent=-everything
    echo "$records/$1$extent-$(Tests/Support/stage-key "$1")"
}

# stage NAME: runs stage_NAME and prints how long it took. A function that fails without a failed test counts as one.
stage() {
    local name="$1" begin=$SECONDS status=0 result=passed
    if is_recorded "$name"; then return; fi
    passed=0 failed=0 skipped=() complaints=()
    echo "== $name"
    "stage_${name//-/_}" || status=$?
    [[ $status -eq 0 || $failed -gt 0 ]] || failed=1
    if [[ $failed -gt 0 ]]; then
        result=failed
        all_complaints+=("== $name failed" "${complaints[@]+"${complaints[@]}"}")
    fi
    echo "== $name: $((SECONDS - begin)) s"
    add_stage "$name" "$result" "$passed" "$failed" "${#skipped[@]}" $((SECONDS - begin))
    all_skipped+=("${skipped[@]+"${skipped[@]}"}")
    record "$name" "$result $passed $failed ${#skipped[@]} $((SECONDS - begin))"
    [[ $result == passed ]]
}

# stages_at_once NAME…: runs them beside each other, since alone each leaves a core idle for half of its time. Their output comes stage by stage.
stages_at_once() {
    local name results
    results="${log:?}-at-once"
    mkdir "$results"
    # A process group for each, which stop_stages can end.
    set -m
    for name in "$@"; do
        stage_aside "$name" "$results/$name" >"$results/$name.log" 2>&1 &
        stages_under_way+=("$!")
    done
    set +m
    wait
    stages_under_way=()
    for name in "$@"; do
        cat "$results/$name.log"
        if [[ -s $results/$name ]]; then
            # shellcheck source=/dev/null
            source "$results/$name"
        else
            total_failed=$((total_failed + 1)) all_complaints+=("== $name ended without a result")
        fi
    done
    rm -rf "$results"
}

# The process groups of stages_at_once.
stages_under_way=()

stop_stages() {
    local group
    for group in "${stages_under_way[@]+"${stages_under_way[@]}"}"; do kill -- "-$group" 2>/dev/null || true; done
}

# stage_aside NAME FILE: a stage in a process of its own, and its results as assignments.
stage_aside() {
    log="$2.text" total_passed=0 total_failed=0 all_skipped=() all_complaints=() rows=()
    stage "$1" || true
    {
        echo "total_passed=\$((total_passed + $total_passed)) total_failed=\$((total_failed + $total_failed))"
        echo "all_skipped+=(${all_skipped[*]@Q}) all_complaints+=(${all_complaints[*]@Q})"
    } >"$2.new"
    mv "$2.new" "$2"
}

# add_stage NAME RESULT PASSED FAILED SKIPPED SECONDS
add_stage() {
    total_passed=$((total_passed + $3))
    total_failed=$((total_failed + $4))
    rows+=("$(printf '%-18s %-18s %7d %7d %8d %8d' "$@")")
}

# Written in one step, so that a run that is killed leaves whole records only. What was tested while the tree changed is
# no result of the commit.
record() {
    local file
    [[ -n $records ]] || return 0
    if [[ "$(clean_commit || true)" != "$commit" ]]; then
        echo "== $1: not recorded, for the tree has changed since the start"
        return
    fi
    file="$(record_of "$1")"
    echo "$2" >"$file.new"
    mv "$file.new" "$file"
}

# Whether the stage passed before; then its result is taken over.
is_recorded() {
    local file result counts
    [[ -n $records && -z $only && $1 != build ]] || return 1
    file="$(record_of "$1")"
    [[ -f $file ]] || return 1
    read -r result counts <"$file"
    [[ $result == passed ]] || return 1
    echo "== $1: passed before"
    # shellcheck disable=SC2086
    add_stage "$1" "passed before" $counts
}

table() {
    printf '%-18s %-18s %7s %7s %8s %8s\n' stage result passed failed skipped seconds
    printf '%s\n' "${rows[@]+"${rows[@]}"}"
    if [[ -n $commit ]]; then
        echo "commit $commit"
    else
        echo "no commit: the tree differs from $(git rev-parse --short HEAD 2>/dev/null || echo any), so nothing was recorded"
    fi
}

# At the end, where who reads only the end of a log finds it.
say_complaints() {
    [[ ${#all_complaints[@]} -eq 0 ]] || printf '%s\n' "${all_complaints[@]}"
}

# One line for the tests that want the public vectors, one for the others.
say_skipped() {
    local line vectors=() long=() others=()
    for line in "${all_skipped[@]+"${all_skipped[@]}"}"; do
        case "$line" in
        *": \"public vectors are not here\"") vectors+=("${line%: *}") ;;
        *": \"runs in --full\"") long+=("${line%: *}") ;;
        *) others+=("$line") ;;
        esac
    done
    say_some "public vectors are not here (Tests/Support/vectors.md says how to get them): " "${vectors[@]+"${vectors[@]}"}"
    [[ ${#long[@]} -eq 0 ]] || echo "== ${#long[@]} tests run in --full only"
    say_some "" "${others[@]+"${others[@]}"}"
}

# say_some REASON NAME…
say_some() {
    local reason="$1" names tests=tests
    shift
    [[ $# -gt 0 ]] || return 0
    [[ $# -gt 1 ]] || tests=test
    names="$(printf '%s, ' "$@")"
    echo "== $# $tests skipped: $reason${names%, }"
}
