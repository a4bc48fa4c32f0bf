"""Replays mail in shards on Apache Spark: each partition is one number, piped to `mailflow replay --shard`.

    spark-submit spark_pipe.py <shards> <folder for the parts> <domain.json> <mail>...

Spark runs a task that failed again (spark.task.maxFailures), and may run one twice at once (spark.speculation).
"""

import os
import shlex
import subprocess
import sys

from pyspark.sql import SparkSession

READ = 'while read -r number; do mailflow replay "$@" --shard "$number/$SHARDS" --out "$PARTS/part-$number.json" --workers 0 || exit; done'


def main(shards: int, parts: str, replayed: list[str]) -> None:
    spark = SparkSession.builder.appName("mailflow replay").getOrCreate()
    command = shlex.join(["sh", "-c", READ, "sh", *replayed])
    environment = {"PATH": os.environ["PATH"], "SHARDS": str(shards), "PARTS": parts}
    numbers = spark.sparkContext.parallelize(range(1, shards + 1), shards)
    numbers.pipe(command, environment, checkCode=True).count()
    spark.stop()
    names = [os.path.join(parts, f"part-{number}.json") for number in range(1, shards + 1)]
    out = os.path.join(parts, "decisions.ndjson")
    subprocess.run(["mailflow", "merge", *names, "--out", out], check=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:])
