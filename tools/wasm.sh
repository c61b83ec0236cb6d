#!/usr/bin/env bash
# Builds the page that needs no server: the engine as WebAssembly and the page around it, into web/dist-static.
#
# Needs node with the packages of web/, wasm-bindgen of the version in Cargo.lock, and a Rust with the sources of its standard
# library for wasm32-unknown-unknown: by rustup (rustup target add wasm32-unknown-unknown), or a folder LUCENA_WASM_RUST with
# Debian's rustc-web, cargo-web, rust-web-src and the libraries they need, unpacked by dpkg -x.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
out=web/dist-static
target=${CARGO_TARGET_DIR:-target}/wasm
linker=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin/rust-lld
arguments=(rustc --lib --crate-type cdylib --locked --release --no-default-features --features wasm
    --target wasm32-unknown-unknown --target-dir "$target")
cargo=cargo
if [[ -n ${LUCENA_WASM_RUST:-} ]]; then
    root=$(realpath "$LUCENA_WASM_RUST")
    export RUSTC=$root/usr/bin/rustc RUSTDOC=$root/usr/bin/rustdoc RUSTC_BOOTSTRAP=1
    export LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu
    cargo=$root/usr/bin/cargo
    arguments+=(-Zbuild-std=std,panic_abort)
fi
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
# tempfile's random names are not used here, and there is no source of randomness to link.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS='--cfg getrandom_backend="unsupported" -C target-feature=+simd128,+bulk-memory'
export CARGO_PROFILE_RELEASE_PANIC=abort CARGO_PROFILE_RELEASE_DEBUG=false CARGO_PROFILE_RELEASE_STRIP=true
"$cargo" "${arguments[@]}"

bindgen=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' Cargo.lock)
[[ $(wasm-bindgen --version) == "wasm-bindgen $bindgen" ]] || { echo "cargo install wasm-bindgen-cli --version $bindgen" >&2 && exit 1; }
(cd web && node build.mjs --static)
wasm-bindgen "$target/wasm32-unknown-unknown/release/lucena.wasm" --target web --no-typescript --out-dir "$out/assets" --out-name engine
mv "$out/assets/engine_bg.wasm" "$out/assets/lucena.wasm"
node web/pack.mjs "$out"
du -b "$out"/assets/*
