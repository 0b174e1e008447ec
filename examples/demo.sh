#!/bin/sh
# Runs both examples, goes from a recording to a scored run, and explains one case. `make demo` calls it; it needs `rightcall` on the PATH.
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
say rightcall run examples/shop/cases.jsonl --tools examples/shop/tools.json --suite agent --no-gate --out "$out/shop" --report html,junit,md
say rightcall run examples/travel/cases.jsonl --tools examples/travel/tools.json --suite agent --no-gate --out "$out/travel" --report html,junit,md

# From a recording to a golden set, and a run held against it. The run is the recording itself, so every case passes.
say rightcall formats detect examples/traces/support.otlp.jsonl
say rightcall record examples/traces/support.otlp.jsonl --out "$out/golden.jsonl" --ignore /request_id --force
say rightcall run examples/traces/support.otlp.jsonl --expected "$out/golden.jsonl" --suite agent

say rightcall explain "$out/travel" travel-10-three-nights-edinburgh
