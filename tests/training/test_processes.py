"""Two real processes gather what they found and score as one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT
from needs import need

need("accelerate", "training")
need("torch", "training")

WORKER = Path(__file__).with_name("worker.py")


def run(processes, path):
    launch = [
        *(sys.executable, "-m", "torch.distributed.run", "--standalone"),
        *("--nproc_per_node", str(processes), str(WORKER), str(path)),
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests"), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(launch, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(path.read_text("utf-8"))


def test_two_processes_score_as_one(tmp_path):
    one, two = run(1, tmp_path / "one.json"), run(2, tmp_path / "two.json")
    assert (one["processes"], two["processes"]) == (1, 2)
    assert two["seen"] < one["seen"]  # the work was shared
    assert two["windows"] == one["windows"]
    assert two["signature"] == one["signature"]
    assert two["trainer"] == one["trainer"]
    assert one["trainer"][0] == one["trainer"][1] == one["windows"]
    for way in ("documents", "counts"):
        assert two[way] == pytest.approx(one["windows"], abs=1e-12)
    assert one["windows"]["relaxed_fn"] > 0
    assert one["windows"]["span_fp"] > 0
    assert one["windows"]["span_tp"] > 0
