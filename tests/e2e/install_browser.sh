#!/bin/sh
# Brings chromium from the system's packages, for the tests of the HTML report. Where that can't be done the tests
# are skipped and say so; nothing else needs it.
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "installing chromium for the tests of the HTML report" >&2
  export DEBIAN_FRONTEND=noninteractive
  if { apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core; } >/dev/null; then
    exit 0
  fi
fi
echo "no chromium, and it can't be installed here: the browser tests will be skipped" >&2
