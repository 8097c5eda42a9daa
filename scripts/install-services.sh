#!/usr/bin/env bash
# Installs what the whole test run uses beyond Bun: from Debian's packages PostgreSQL, Redis, Chromium, and MariaDB, from which sites are imported; from
# PyPI the engine of ClickHouse, of which Debian has a release of 2018 alone.
set -euo pipefail

missing=()
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing+=(postgresql)
command -v mariadbd >/dev/null || missing+=(mariadb-server-core)
# Its script that makes an empty database asks a program of the clients' package.
command -v my_print_defaults >/dev/null || missing+=(mariadb-client-core)
command -v redis-server >/dev/null || command -v valkey-server >/dev/null || missing+=(redis-server)
[ -n "${CHROMIUM_PATH:-}" ] || command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null ||
  command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium)

chdb="${XDG_CACHE_HOME:-$HOME/.cache}/tollgate/chdb"
[ -d "$chdb/chdb" ] || python3 -m pip --version >/dev/null 2>&1 || missing+=(python3-pip)

install_packages() {
  local as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update
  if [[ " ${missing[*]} " = *" chromium "* ]]; then
    missing+=(fonts-wqy-microhei) # Chinese characters, for the pictures
    # Chromium without windows takes a fifth less processor time. Older distributions have it in the whole package alone.
    for i in "${!missing[@]}"; do
      if [ "${missing[i]}" = chromium ] && apt-cache show chromium-headless-shell >/dev/null 2>&1; then
        missing[i]=chromium-headless-shell
      fi
    done
  fi
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}"
}

if [ ${#missing[@]} -eq 0 ]; then
  echo "PostgreSQL, Redis, MariaDB and Chromium are here."
else
  install_packages
fi

# Without it the tests of ClickHouse are skipped by name.
if [ ! -d "$chdb/chdb" ]; then
  python3 -m pip install --quiet --no-deps --target "$chdb" chdb-core==26.9.0 ||
    echo "The engine of ClickHouse could not be installed from PyPI (chdb-core)."
fi
