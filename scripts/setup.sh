#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs the Debian packages of the groups named (default: all) that are missing, as root or by sudo:
#   scripts/setup.sh build device
# Nothing is done, quickly, when all are there. On other systems the packages are only named.
set -eu
list="$(dirname "$0")/packages.txt"
[ $# -gt 0 ] || set -- all

wanted=""
for group in "$@"; do
  found=$(awk -v group="$group" '$1 !~ /^#/ && ($1 == group || group == "all") { $1 = ""; print }' "$list")
  [ -n "$found" ] || { echo "setup.sh: no group '$group' in $list" >&2; exit 2; }
  wanted="$wanted $found"
done

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "setup.sh: not a Debian system; these packages or their like are needed:" $wanted >&2
  exit 0
fi

missing=""
for package in $wanted; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null 2>&1 || { echo "setup.sh: as root, install:$missing" >&2; exit 1; }
  as_root="sudo"
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
install() { $as_root apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends $missing >/dev/null; }
# Package lists that are missing or old are fetched once.
install 2>/dev/null || { $as_root apt-get update -qq; install; }
