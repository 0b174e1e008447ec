#!/bin/sh
# Runs both examples and explains one case. `make demo` calls it; it needs `rightcall` on the PATH.
# Results go to a temporary folder, or to the folder given as the first argument.
set -eu
cd "$(dirname "$0")/.."
out="${1:-}"
if [ -z "$out" ]; then
    out=$(mktemp -d)
    trap 'rm -rf "$out"' EXIT
fi

say() {
    printf '\n$ %s\n' "$*"
    "$@"
}

# A third of the rows is wrong on purpose, so no gate.
say rightcall run examples/shop/cases.jsonl --tools examples/shop/tools.json --suite agent --no-gate --out "$out/shop" --report junit,md
say rightcall run examples/travel/cases.jsonl --tools examples/travel/tools.json --suite agent --no-gate --out "$out/travel" --report junit,md
say rightcall explain "$out/travel" travel-10-three-nights-edinburgh
