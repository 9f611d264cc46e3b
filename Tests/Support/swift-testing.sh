# How the scripts run Swift Testing, and how they count what it says. Sourced, never run.
# shellcheck shell=bash

# Without it all tests start at once, and each waits for all the others while its own deadlines pass. A test's time limit
# begins with its turn.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-8}"
# Waiting ends late, so that a busy machine fails no test; what is measured stays the same.
export NEUROVIEWS_TEST_PATIENCE="${NEUROVIEWS_TEST_PATIENCE:-3}"

# count_tests LOG STATUS: adds to `passed` and `failed` what a run with that exit status says in its log, to the array
# `skipped` a line for each test that it skipped (its name, and the reason if there is one), and to `complaints` what went wrong.
count_tests() {
    local log="$1" status="$2" ran bad line left_out=()
    # The last line has the number of tests; a test that failed has one line, whatever the number of its issues.
    ran="$(sed -n 's/.*Test run with \([0-9]*\) tests\{0,1\} .*/\1/p' "$log" | tail -n 1)"
    bad="$(grep -E '^✘ Test .* failed after [0-9.]+ seconds with [0-9]+ issues?' "$log" | grep -cvE '^✘ Test run ' || true)"
    while IFS= read -r line; do left_out+=("$line"); done < <(sed -n 's/^➜ Test \(.*\) skipped\.\{0,1\}\(.*\)$/\1\2/p' "$log")
    ran="${ran:-0}"
    # A crash ends the run before its last line.
    if [[ $status -ne 0 && $bad -eq 0 ]]; then
        bad=1
        [[ $ran -gt 0 ]] || ran=1
    fi
    # Skipped tests are among those that "ran".
    failed=$((failed + bad))
    [[ $ran -le $((bad + ${#left_out[@]})) ]] || passed=$((passed + ran - bad - ${#left_out[@]}))
    skipped+=("${left_out[@]+"${left_out[@]}"}")
    [[ $status -eq 0 ]] || read_complaints "$log"
}

# read_complaints LOG: of a run that failed. Adds to the array `complaints` the issues that tests recorded there; without one, the end of the log, which
# has the reason of a crash, or what a script that judges by itself said last.
read_complaints() {
    local line found=()
    while IFS= read -r line; do found+=("$line"); done < <(sed -n '/^✘ Test .* recorded an issue/p' "$1" | cut -c 1-400 | head -n 20)
    if [[ ${#found[@]} -eq 0 ]]; then
        while IFS= read -r line; do found+=("$line"); done < <(tail -n 10 "$1" | cut -c 1-400)
    fi
    complaints+=("${found[@]+"${found[@]}"}")
}
