"""Replays mail in shards on Ray: each task is one shard, run again where it or its node fails.

    python ray_shards.py <shards> <folder for the parts> <domain.json> <mail>...
"""

import os
import subprocess
import sys

import ray


@ray.remote(num_cpus=1, max_retries=5, retry_exceptions=True)
def shard(number: int, of: int, parts: str, replayed: list[str]) -> str:
    part = os.path.join(parts, f"part-{number}.json")
    options = ["--shard", f"{number}/{of}", "--out", part, "--workers", "0"]
    subprocess.run(["mailflow", "replay", *replayed, *options], check=True)
    return part


def main(of: int, parts: str, replayed: list[str]) -> None:
    os.makedirs(parts, exist_ok=True)
    ray.init()
    names = ray.get([shard.remote(number, of, parts, replayed) for number in range(1, of + 1)])
    out = os.path.join(parts, "decisions.ndjson")
    subprocess.run(["mailflow", "merge", *names, "--out", out], check=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:])
