#!/bin/sh
# Replays mail in shards under GNU parallel and merges the parts. A shard that fails or is killed is run again.
#   parallel.sh <shards> <folder for the parts> <domain.json> <mail>...
# On several machines: PARALLEL="--sshlogin host1,host2" with the same paths on each.
set -eu
shards=$1
parts=$2
shift 2
mkdir -p "$parts"
seq "$shards" | parallel --quote --retries 5 --halt soon,fail=1 \
  mailflow replay "$@" --shard "{}/$shards" --out "$parts/part-{}.json" --workers 0
mailflow merge "$parts"/part-*.json --out "$parts/decisions.ndjson"
