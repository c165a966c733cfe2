# shellcheck shell=bash
# Sourced by the other tools: installs from Debian what they need and the machine lacks.

# need_packages <package>[:<command>]...: a package counts as there if its command is, wherever that came from, or,
# without a command, if it is installed.
need_packages() {
    local entry missing=()
    for entry in "$@"; do
        case $entry in
        *:*) command -v "${entry#*:}" >/dev/null || missing+=("${entry%%:*}") ;;
        *) dpkg-query --show --showformat '${Status}' "$entry" 2>/dev/null | grep -q 'ok installed' || missing+=("$entry") ;;
        esac
    done
    [ ${#missing[@]} -ne 0 ] || return 0

    echo "==> installing from Debian: ${missing[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        echo "this needs root; run it once as root, or: apt-get install ${missing[*]}" >&2
        return 1
    fi
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q </dev/null
    install_without_services "${missing[@]}"
}

# Some packages start a server when they are installed; the tests start their own.
install_without_services() {
    local policy=/usr/sbin/policy-rc.d ours="" result=0
    if [ ! -e "$policy" ]; then
        ours=yes
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod +x "$policy"
    fi
    apt-get install -y -q --no-install-recommends "$@" </dev/null || result=$?
    if [ -n "$ours" ]; then
        rm "$policy"
    fi
    return $result
}
