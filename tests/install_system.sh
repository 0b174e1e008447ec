#!/bin/sh
# Brings chromium (for the tests of pages) and PostgreSQL (for the tests of the server) from the system's packages.
# Where that can't be done the tests that need them are skipped and say so; nothing else needs them.
wanted=""
found=""
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then found=yes; fi
done
[ -n "$found" ] || wanted="chromium fonts-dejavu-core"
ls /usr/lib/postgresql/*/bin/pg_ctl >/dev/null 2>&1 || wanted="$wanted postgresql"
[ -n "$wanted" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "installing $wanted for the tests" >&2
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086 - a list of names
  if { apt-get update -qq && apt-get install -qq -y --no-install-recommends $wanted; } >/dev/null; then
    exit 0
  fi
fi
echo "$wanted can't be installed here: the tests that need it will be skipped" >&2
