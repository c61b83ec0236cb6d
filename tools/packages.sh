#!/usr/bin/env bash
# Tries what can be installed (docs/packages.md): the contents and size of the packed crate, and with --static a program
# without shared libraries.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

# The registry's limit.
most=$((10 * 1024 * 1024))
cargo package --locked --no-verify --allow-dirty --quiet
crate=$(ls -t "${CARGO_TARGET_DIR:-target}"/package/lucena-*.crate | head -n 1)
bytes=$(stat -c %s "$crate")
((bytes < most)) || { echo "$crate has $bytes bytes, more than $most" >&2 && exit 1; }
echo "$(basename "$crate"): $bytes bytes"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tar -xzf "$crate" -C "$folder"
(cd "$folder"/lucena-* && CARGO_TARGET_DIR="$folder/target" cargo metadata --locked --format-version 1 >/dev/null)
echo "the packed manifest is valid"

if [[ ${1:-} == --static ]]; then
    target=$(rustc -vV | sed -n 's/^host: //p')
    RUSTFLAGS="-C target-feature=+crt-static" nice cargo build --release --locked --target "$target"
    program=${CARGO_TARGET_DIR:-target}/$target/release/lucena
    if readelf -d "$program" | grep NEEDED; then
        echo "$program needs shared libraries" >&2
        exit 1
    fi
    printf 'uci\nquit\n' | "$program" | grep -x uciok
fi
