# shellcheck shell=bash
# Debian packages: what is missing, and how it gets here.

# packages_in LIST… : the names in packaging/packages/LIST.txt
packages_in() {
    local list
    for list in "$@"; do
        sed 's/#.*//; s/[[:space:]]*$//; /^$/d' "$root/packaging/packages/$list.txt"
    done
}

# missing_packages LIST… : those that aren't installed, one a line
missing_packages() {
    local wanted
    mapfile -t wanted < <(packages_in "$@")
    comm -23 <(printf '%s\n' "${wanted[@]}" | sort -u) \
        <(dpkg-query -W -f '${binary:Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null |
            sed -n 's/^\([^: ]*\)[^ ]* installed$/\1/p' | sort -u)
}

# Where dpkg isn't there to ask, CMake will find out.
have_packages() { ! command -v dpkg-query >/dev/null || [[ -z $(missing_packages "$@") ]]; }

# install_packages LIST… : brings what is missing, or says how. Never fails: the caller looks again
# and does what can be done with what is there.
install_packages() {
    if ! command -v dpkg-query >/dev/null; then
        warn "this isn't Debian: nothing is installed here; packaging/packages/ lists what is needed"
        return 0
    fi
    local missing
    mapfile -t missing < <(missing_packages "$@")
    if ((${#missing[@]} == 0)); then
        say "Debian packages: all there"
        return 0
    fi
    say "Debian packages to install (packaging/packages/ says what each is for):"
    printf '%s\n' "${missing[@]}" | fmt -w 90 | sed 's/^/    /'
    apt_install "${missing[@]}" || print_install_line "${missing[@]}"
}

require_build_packages() { require_packages build; }

# require_packages LIST…
require_packages() {
    have_packages "$@" || die "can't build without these packages: $(missing_packages "$@" | xargs)"
}

apt_install() {
    local as_root=()
    if ((EUID != 0)); then
        command -v sudo >/dev/null || return 1
        if [[ -t 0 ]]; then
            as_root=(sudo --prompt "[sudo] password of %p, to install them: ")
        else
            as_root=(sudo -n)
        fi
    fi
    # One call, so that the password is asked for once.
    # shellcheck disable=SC2016 # $@ is for the inner shell
    "${as_root[@]}" sh -c '
        export DEBIAN_FRONTEND=noninteractive
        apt-get -q update && exec apt-get -q install -y --no-install-recommends "$@"' apt "$@"
}

print_install_line() {
    warn "not installed. As root, or with sudo:"
    say "    apt-get update && apt-get install --no-install-recommends $*"
}
