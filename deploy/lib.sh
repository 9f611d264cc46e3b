# Shared by the scripts in this folder; sourced, never run. Sets `root` and changes into it.
# shellcheck shell=bash

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root" || exit
# The package has the server, whatever Package.swift is to leave out for an app.
unset NEUROVIEWS_CLIENT_ONLY

binary=.build/release/neuroviews-server
# The command that is a device.
cli=.build/release/neuroviews

# One sentence, and the end.
die() {
    printf '%s\n' "$*" >&2
    exit 1
}

# True when every package is installed. dpkg-query takes a few milliseconds, apt a second.
packages_present() {
    local states
    states="$(dpkg-query -W -f '${Status}\n' "$@" 2>/dev/null)" || return 1
    ! grep -qv '^install ok installed$' <<<"$states"
}

# Installs what is missing among the Debian packages named.
need_packages() {
    packages_present "$@" && return
    command -v apt-get >/dev/null || die "These packages are missing, and there is no apt-get to install them: $*"
    local as_root=()
    if [[ $EUID -ne 0 ]]; then
        sudo -n true 2>/dev/null ||
            die "Packages are missing: run  sudo apt-get update && sudo apt-get install -y --no-install-recommends $*"
        as_root=(sudo)
    fi
    echo "Installing packages: $*" >&2
    no_cluster_of_debian "${as_root[@]}"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >&2
}

# Debian's postgresql makes and starts a cluster of its own, unless it finds this file at its first installation.
no_cluster_of_debian() {
    local file=/etc/postgresql-common/createcluster.conf
    [[ -e $file ]] && return
    "$@" mkdir -p "${file%/*}"
    echo 'create_main_cluster = false' | "$@" tee "$file" >/dev/null
}

need_swift() {
    local version
    command -v swift >/dev/null || die "Swift is missing: install Swift 6.2 or later from https://www.swift.org/install/linux"
    version="$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)"
    [[ "$(printf '%s\n' 6.2 "${version:-0}" | sort -V | head -n 1)" == 6.2 ]] ||
        die "Swift ${version:-of an unknown version} is too old: install Swift 6.2 or later from https://www.swift.org/install/linux"
}

# The version that the sources have.
source_version() { sed -n 's/.*static let current = "\(.*\)"$/\1/p' Sources/CommandWords/ServerVersion.swift; }

build_packages=(libssl-dev libpq-dev libcurl4-openssl-dev libsqlite3-dev zlib1g-dev binutils)

# The tests and the server that they start are built with these flags everywhere, or all would be built twice. Debugging information would be a
# fifth of the work: `swift build` without them has it.
test_flags=(-Xswiftc -warnings-as-errors -debug-info-format none)
# A build by module is a quarter less work than one by file, but each change costs its whole module.
by_module=(-Xswiftc -whole-module-optimization -Xswiftc -no-emit-module-separately-wmo -Xswiftc -num-threads -Xswiftc 1 -Xswiftc -disable-batch-mode)
# Other flags would build all again, so deploy/test decides once.
[[ ! -e .build/by-module ]] || test_flags+=("${by_module[@]}")
build_debug() { swift build "${test_flags[@]}" "$@" >&2; }

# Comparing times takes milliseconds, asking swift build takes a second.
is_built() {
    [[ -x $1 ]] || return 1
    local folders=() folder
    for folder in Package.swift Sources Migrations OpenAPI; do
        [[ -e $folder ]] && folders+=("$folder")
    done
    [[ -z $(find "${folders[@]}" -newer "$1" -print -quit) ]]
}

# Builds a release program when anything changed, after `need_packages "${build_packages[@]}"`.
build_server() { build_release "$binary" "the server"; }
build_command() { build_release "$cli" "the command neuroviews"; }
build_release() {
    ! is_built "$1" || return 0
    need_swift
    echo "Building $2; the first time takes a few minutes." >&2
    swift build -c release --static-swift-stdlib --product "${1##*/}" >&2
    separate_symbols "$1"
    # The linker leaves the file alone when nothing in it changed.
    touch "$1"
}

# Builds an optimised server with the settings of tests, but without the checks of a debug build: $for_tests.
for_tests=.build/for-tests/release/neuroviews-server
build_server_for_tests() {
    need_swift
    swift build -c release --scratch-path .build/for-tests -Xswiftc -DDEBUG -Xswiftc -DMEASURED --static-swift-stdlib --product neuroviews-server >&2
}

# Debuggers and crash reports find the symbols by a link in the program's file.
separate_symbols() {
    # The linker may have left the file of last time.
    [[ "$(readelf -S "$1")" != *gnu_debuglink* ]] || return 0
    objcopy --only-keep-debug "$1" "$1.debug"
    objcopy --strip-all --add-gnu-debuglink="$1.debug" "$1"
}
