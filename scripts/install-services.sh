#!/usr/bin/env bash
# Installs what the whole test run uses beyond Bun: PostgreSQL, Redis and Chromium, from Debian's packages.
set -euo pipefail

missing=()
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing+=(postgresql)
command -v redis-server >/dev/null || command -v valkey-server >/dev/null || missing+=(redis-server)
[ -n "${CHROMIUM_PATH:-}" ] || command -v chromium >/dev/null || command -v chromium-browser >/dev/null ||
  command -v google-chrome >/dev/null || missing+=(chromium fonts-wqy-microhei) # with Chinese characters, for the pictures

if [ ${#missing[@]} -eq 0 ]; then
  echo "PostgreSQL, Redis and Chromium are here."
  exit 0
fi

as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get update
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}"
