"""Runs that are gone on with: whatever ended them, the bytes are those of an unbroken run, or it is refused by name."""

from __future__ import annotations

import gzip
import json
import pickle
import shutil
import subprocess
import zlib
from pathlib import Path

import pytest

from rightcall import OptionError
from rightcall.errors import SourceError
from rightcall.run.directory import checkpoint
from rightcall.run.directory.checkpoint import Pace, load
from rightcall.run.directory.outplace import Lock
from rightcall.run.directory.rundir import Request, RunDirectory
from tests.run.broken_runs import ARGUMENTS, command, contents, environment, rows, run, write_rows

CASES = 900
DIED = 77


def whole(folder: Path, *arguments: str, name: str = "whole", stdin: bytes = b"") -> dict[str, bytes]:
    done = run("run", *arguments, "--out", name, cwd=folder, stdin=stdin)
    assert done.returncode in (0, 3), done.stderr  # 3: no case came out
    return contents(folder / name)


def broken(folder: Path, *arguments: str, after: int = 500, stdin: bytes = b"") -> Path:
    """A run that died when it had written so many cases."""
    done = run("run", *arguments, "--out", "out", cwd=folder, after=after, stdin=stdin)
    assert done.returncode == DIED, done.stderr
    assert load(folder / "out" / "checkpoint.bin") is not None
    return folder / "out"


@pytest.fixture(scope="module")
def died(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """A folder with a run that died, and what an unbroken run of the same data holds."""
    folder = tmp_path_factory.mktemp("died")
    write_rows(folder / "cases.jsonl", CASES)
    expected = whole(folder, "cases.jsonl", *ARGUMENTS)
    broken(folder, "cases.jsonl", *ARGUMENTS)
    return folder, expected


@pytest.fixture
def again(died: tuple[Path, dict[str, bytes]], tmp_path: Path) -> tuple[Path, dict[str, bytes]]:
    """The same, for one test alone."""
    folder, expected = died
    for name in ("cases.jsonl", "out"):
        source = folder / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / name)
    return tmp_path, expected


def resumed(
    folder: Path, *more: str, data: str = "cases.jsonl", stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    return run("run", data, *ARGUMENTS, "--out", "out", "--resume", *more, cwd=folder, stdin=stdin)


def test_a_run_goes_on_where_it_was(again: tuple[Path, dict[str, bytes]]):
    folder, expected = again
    kept = load(folder / "out" / "checkpoint.bin")
    assert kept is not None
    assert 0 < kept.tally.cases < 500
    assert kept.mark is not None
    done = resumed(folder)
    assert done.returncode == 0, done.stderr
    assert f"goes on after {kept.tally.cases} cases".encode() in done.stderr
    assert contents(folder / "out") == expected
    assert not (folder / "out" / "checkpoint.bin").exists()
    assert json.loads((folder / "out" / "run.json").read_bytes())["ended"] == "complete"


@pytest.mark.parametrize("where", ["nothing", "before", "at", "half a line after", "lines after", "zeros"])
def test_whatever_is_left_of_the_results(again: tuple[Path, dict[str, bytes]], where: str):
    folder, expected = again
    results = folder / "out" / "results.jsonl"
    kept = load(folder / "out" / "checkpoint.bin")
    assert kept is not None
    data = results.read_bytes().ljust(kept.size, b"\n")
    more = expected["results.jsonl"][kept.size :]
    left = {
        "nothing": b"",
        "before": data[: kept.size - 1000],
        "at": data[: kept.size],
        "half a line after": data[: kept.size] + more[:100],
        "lines after": data[: kept.size] + b"\n".join(more.split(b"\n")[:7]) + b"\n",
        "zeros": data[: kept.size - 5000] + bytes(5000),  # what a file system leaves when the power fails
    }
    results.write_bytes(left[where])
    done = resumed(folder)
    assert done.returncode == 0, done.stderr
    anew = where in ("nothing", "before", "zeros")
    assert (b"begins anew" in done.stderr) is anew
    assert contents(folder / "out") == expected


class _Evil:
    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (Path("touched"),)


@pytest.mark.parametrize("harm", ["gone", "half", "flipped", "foreign"])
def test_a_checkpoint_that_is_none_is_not_believed(again: tuple[Path, dict[str, bytes]], harm: str):
    folder, expected = again
    place = folder / "out" / "checkpoint.bin"
    data = place.read_bytes()
    evil = pickle.dumps({"tally": _Evil()})
    if harm == "gone":
        place.unlink()
    elif harm == "half":
        place.write_bytes(data[: len(data) // 2])
    elif harm == "flipped":
        place.write_bytes(data[:-100] + bytes([data[-100] ^ 1]) + data[-99:])
    else:
        place.write_bytes(checkpoint._MAGIC + zlib.crc32(evil).to_bytes(4, "big") + evil)
    done = resumed(folder)
    assert done.returncode == 0, done.stderr
    assert b"begins anew" in done.stderr
    assert contents(folder / "out") == expected
    assert not (folder / "touched").exists()


def test_a_source_that_changed_is_an_error_and_nothing_is_touched(again: tuple[Path, dict[str, bytes]]):
    folder, _ = again
    data = folder / "cases.jsonl"
    text = data.read_bytes()
    data.write_bytes(text.replace(b"Oslo", b"Turku", 1))
    before = {file.name: file.read_bytes() for file in (folder / "out").iterdir()}
    done = resumed(folder)
    assert done.returncode == 3
    assert b"cases.jsonl has changed since the run" in done.stderr
    assert b"Traceback" not in done.stderr
    assert {file.name: file.read_bytes() for file in (folder / "out").iterdir()} == before
    data.unlink()
    assert resumed(folder).returncode == 2


def test_rows_that_were_not_read_yet_may_come_or_change(again: tuple[Path, dict[str, bytes]]):
    folder, _ = again
    write_rows(folder / "more.jsonl", 20, seed=1)
    with (folder / "cases.jsonl").open("ab") as file:
        file.write((folder / "more.jsonl").read_bytes())
    expected = whole(folder, "cases.jsonl", *ARGUMENTS)
    assert resumed(folder).returncode == 0
    assert contents(folder / "out") == expected


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--option", "ignore_case=true"), "ignore_case"),
        (("--threshold", "0.5"), "thresholds"),
        (("-e", "tool_call_f1"), "evaluator: was the suite agent in the run that lies there"),
        (("--tag", "north"), "tag: was nothing in the run that lies there, and is north now"),
        (("--case-timeout", "3"), "case_timeout"),
        (("--fail-under", "tool_call_args@tag:north=0.1"), "gates: parts counted apart"),
    ],
)
def test_a_run_that_asked_for_something_else_is_refused(
    again: tuple[Path, dict[str, bytes]], more: tuple[str, ...], told: str
):
    folder, _ = again
    before = {file.name: file.read_bytes() for file in (folder / "out").iterdir()}
    done = resumed(folder, *more)
    assert done.returncode == 2, done.stderr
    assert told.encode() in done.stderr
    assert {file.name: file.read_bytes() for file in (folder / "out").iterdir()} == before


def test_another_file_is_refused(again: tuple[Path, dict[str, bytes]]):
    folder, _ = again
    write_rows(folder / "other.jsonl", 3)
    done = resumed(folder, data="other.jsonl")
    assert (done.returncode, b"data: was cases.jsonl" in done.stderr) == (2, True)


def test_a_run_that_is_complete_does_no_work(again: tuple[Path, dict[str, bytes]]):
    folder, expected = again
    assert resumed(folder).returncode == 0
    stamps = {file.name: file.stat().st_mtime_ns for file in (folder / "out").iterdir()}
    done = resumed(folder)
    assert done.returncode == 0
    assert b"is complete: no case was left to score" in done.stderr
    assert b"passed" in done.stdout
    assert {file.name: file.stat().st_mtime_ns for file in (folder / "out").iterdir()} == stamps
    # Its gates are those that are asked for now, and a report that is not there yet is written.
    (folder / "out" / "report.md").unlink()
    missed = run(
        *("run", "cases.jsonl", "--suite", "agent", "--report", "md", "--fail-under", "0.99"),
        *("--max-errors", "9000", "--out", "out", "--resume"),
        cwd=folder,
    )
    assert missed.returncode == 1, missed.stderr
    assert (folder / "out" / "report.md").exists()
    assert (folder / "out" / "results.jsonl").read_bytes() == expected["results.jsonl"]


def test_a_kill_between_the_results_and_the_reports(again: tuple[Path, dict[str, bytes]]):
    folder, expected = again
    assert resumed(folder).returncode == 0
    record = json.loads((folder / "out" / "run.json").read_bytes())
    (folder / "out" / "run.json").write_text(json.dumps({**record, "ended": "reporting"}))
    (folder / "out" / "report.json").write_text("half a rep")
    (folder / "out" / "junit.xml").unlink()
    assert resumed(folder).returncode == 0
    assert contents(folder / "out") == expected
    assert json.loads((folder / "out" / "run.json").read_bytes())["ended"] == "complete"


def test_where_there_is_no_run(tmp_path: Path):
    write_rows(tmp_path / "cases.jsonl", 30)
    expected = whole(tmp_path, "cases.jsonl", *ARGUMENTS)
    done = resumed(tmp_path)
    assert done.returncode == 0
    assert b"it begins anew" in done.stderr
    assert contents(tmp_path / "out") == expected
    # A kill at the very begin leaves no more than this.
    (tmp_path / "early").mkdir()
    (tmp_path / "early" / "run.json.part").write_text("{")
    done = run("run", "cases.jsonl", *ARGUMENTS, "--out", "early", "--resume", cwd=tmp_path)
    assert (done.returncode, contents(tmp_path / "early")) == (0, expected)
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "notes.txt").write_text("mine")
    done = run("run", "cases.jsonl", *ARGUMENTS, "--out", "foreign", "--resume", cwd=tmp_path)
    assert (done.returncode, b"notes.txt" in done.stderr) == (2, True)
    done = run("run", "cases.jsonl", "--suite", "agent", "--resume", cwd=tmp_path)
    assert (done.returncode, b"--out DIR" in done.stderr) == (2, True)


def _folder(place: Path) -> str:
    (place / "data").mkdir()
    write_rows(place / "data" / "a.jsonl", 300, seed=1)
    (place / "data" / "b.jsonl.gz").write_bytes(gzip.compress((place / "data" / "a.jsonl").read_bytes()))
    damaged = bytearray(gzip.compress(write_rows(place / "data" / "c.jsonl", 200, seed=3).read_bytes()))
    damaged[len(damaged) // 2] ^= 255
    (place / "data" / "c.jsonl").unlink()
    (place / "data" / "c.jsonl.gz").write_bytes(bytes(damaged))
    write_rows(place / "data" / "d.jsonl", 300, seed=4)
    return "data"


def _gz(place: Path) -> str:
    text = write_rows(place / "plain", CASES).read_bytes()
    (place / "cases.jsonl.gz").write_bytes(gzip.compress(text))
    return "cases.jsonl.gz"


def _csv(place: Path) -> str:
    import csv

    with (place / "cases.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "tool_calls", "expected_tool_calls"])
        for row in rows(CASES):
            calls = json.dumps(row.get("tool_calls"), indent=1)
            writer.writerow([row["id"], calls, json.dumps(row["expected_tool_calls"])])
    return "cases.csv"


def _document(place: Path) -> str:
    (place / "cases.json").write_text(json.dumps(list(rows(CASES)), indent=1))
    return "cases.json"


def _recordings(place: Path) -> str:
    with (place / "recorded.jsonl").open("w") as file:
        for number in range(CASES):
            call = {
                "function": {"name": "forecast", "arguments": f'{{"days": {number % 3}}}'},
                "id": f"c{number}",
            }
            messages = [
                {"role": "user", "content": "Rain?"},
                {"role": "assistant", "tool_calls": [{**call, "type": "function"}]},
            ]
            file.write(json.dumps({"messages": messages}) + "\n")
    return "recorded.jsonl"


def _plain(place: Path) -> str:
    return write_rows(place / "cases.jsonl", CASES).name


def _joined(place: Path) -> str:
    with (place / "gold.jsonl").open("w") as file:
        for number, row in enumerate(rows(CASES)):
            if row["id"] != "again" and not row["id"].startswith("tried"):
                gold = {"id": row["id"], "expected": row["expected_tool_calls"], "input": f"day {number}"}
                file.write(json.dumps(gold) + "\n")
        file.write('{"id": "never recorded", "expected": []}\n')
    return _plain(place)


KINDS = {
    "folder": (_folder, ()),
    "gz": (_gz, ()),
    "csv": (_csv, ()),
    "document": (_document, ()),
    "recordings": (_recordings, ("-e", "redundant_calls")),
    "joined": (_joined, ("--expected", "gold.jsonl")),
    "filtered": (_plain, ("--tag", "north", "--where", "id=again", "--where", "nothing=null")),
    "tagged": (_plain, ("--tag", "north")),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_data_goes_on(tmp_path: Path, kind: str):
    make, more = KINDS[kind]
    data = make(tmp_path)
    arguments = (data, *ARGUMENTS, *more)
    expected = whole(tmp_path, *arguments)
    cases = json.loads(expected["summary.json"])["cases"]
    out = tmp_path / "out"
    # Twice: once near the end, which a run that was gone on with comes to as well.
    if cases:
        first = run("run", *arguments, "--out", "out", cwd=tmp_path, after=cases // 3 + 1)
        assert first.returncode == DIED, first.stderr
        second = run("run", *arguments, "--out", "out", "--resume", cwd=tmp_path, after=cases // 3 + 1)
        assert second.returncode == DIED, second.stderr
        if cases > 300:
            assert b"goes on after" in second.stderr, second.stderr
    third = run("run", *arguments, "--out", "out", "--resume", cwd=tmp_path)
    assert third.returncode == (0 if cases else 3), third.stderr
    assert contents(out) == expected


def test_a_file_behind_one_that_cannot_be_read_is_looked_at_too(tmp_path: Path):
    (tmp_path / "data").mkdir()
    write_rows(tmp_path / "data" / "a.jsonl", 100, seed=1)
    (tmp_path / "data" / "b.jsonl").write_bytes(b"\x1f\x8bnothing packed")
    write_rows(tmp_path / "data" / "c.jsonl", 300, seed=2)
    broken(tmp_path, "data", *ARGUMENTS, after=250)
    text = (tmp_path / "data" / "c.jsonl").read_bytes()
    (tmp_path / "data" / "c.jsonl").write_bytes(text.replace(b"Oslo", b"Turku", 1))
    done = resumed(tmp_path, data="data")
    assert (done.returncode, b"c.jsonl has changed" in done.stderr) == (3, True)


def test_files_of_a_folder_are_told_apart(tmp_path: Path):
    data = _folder(tmp_path)
    broken(tmp_path, data, *ARGUMENTS, after=700)
    write_rows(tmp_path / "data" / "aa.jsonl", 10)
    done = resumed(tmp_path, data=data)
    assert done.returncode == 3
    assert b"is no longer file 2 of the data" in done.stderr
    (tmp_path / "data" / "aa.jsonl").unlink()
    with (tmp_path / "data" / "a.jsonl").open("ab") as file:
        file.write(b'{"id": "late", "tool_calls": [], "expected": []}\n')
    done = resumed(tmp_path, data=data)
    assert (done.returncode, b"a.jsonl has changed" in done.stderr) == (3, True)


def test_expected_calls_that_changed(tmp_path: Path):
    data = _joined(tmp_path)
    broken(tmp_path, data, *ARGUMENTS, "--expected", "gold.jsonl")
    with (tmp_path / "gold.jsonl").open("a") as file:
        file.write('{"id": "more", "expected": []}\n')
    done = resumed(tmp_path, "--expected", "gold.jsonl")
    assert (done.returncode, b"gold.jsonl has changed" in done.stderr) == (3, True)


def test_standard_input_that_comes_again(tmp_path: Path):
    text = write_rows(tmp_path / "cases", CASES).read_bytes()
    expected = whole(tmp_path, "-", *ARGUMENTS, stdin=text)
    broken(tmp_path, "-", *ARGUMENTS, stdin=text)
    done = resumed(tmp_path, data="-", stdin=text)
    assert done.returncode == 0, done.stderr
    assert b"goes on after" in done.stderr
    assert contents(tmp_path / "out") == expected
    assert (tmp_path / "out" / "cases.jsonl").read_bytes() == text


def test_standard_input_that_had_come_to_its_end(tmp_path: Path):
    text = write_rows(tmp_path / "cases", CASES).read_bytes()
    expected = whole(tmp_path, "-", *ARGUMENTS, stdin=text)
    out = broken(tmp_path, "-", *ARGUMENTS, after=CASES, stdin=text)
    record = json.loads((out / "run.json").read_bytes())
    (out / "run.json").write_text(json.dumps({**record, "input_ended": True}))
    done = resumed(tmp_path, data="-")
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path / "out") == expected


def test_standard_input_of_which_the_rest_is_missing(tmp_path: Path):
    text = write_rows(tmp_path / "cases", CASES).read_bytes()
    expected = whole(tmp_path, "-", *ARGUMENTS, stdin=text)
    out = broken(tmp_path, "-", *ARGUMENTS, stdin=text)
    copy = out / "cases.jsonl"
    copy.write_bytes(text[: len(text) - 30_000])  # the process read no further, and stopped within a line
    assert text[: len(text) - 30_000][-1:] != b"\n"
    done = resumed(tmp_path, data="-")
    assert done.returncode == 3
    assert b"before standard input had ended" in done.stderr
    assert b"give it the same input again" in done.stderr
    lines = (out / "results.jsonl").read_bytes()
    assert expected["results.jsonl"].startswith(lines)  # the half line is no row
    assert len(lines) > len(expected["results.jsonl"]) // 2
    other = resumed(tmp_path, data="-", stdin=text.replace(b"Bergen", b"Berlin"))
    assert (other.returncode, b"is not what was read the first time" in other.stderr) == (3, True)
    short = resumed(tmp_path, data="-", stdin=text[:1000])
    assert (short.returncode, b"standard input ends at byte 1000" in short.stderr) == (3, True)
    done = resumed(tmp_path, data="-", stdin=text)
    assert done.returncode == 0, done.stderr
    assert contents(out) == expected
    assert copy.read_bytes() == text


def test_two_processes_do_not_write_one_directory(tmp_path: Path):
    write_rows(tmp_path / "cases.jsonl", 20)
    expected = whole(tmp_path, "cases.jsonl", *ARGUMENTS, name="out")
    lock = Lock(tmp_path / "out")
    for more in ((), ("--resume",)):
        done = run("run", "cases.jsonl", *ARGUMENTS, "--out", "out", *more, cwd=tmp_path)
        assert done.returncode == 2
        assert b"another process is writing into out" in done.stderr
    assert contents(tmp_path / "out") == expected
    lock.release()
    assert run("run", "cases.jsonl", *ARGUMENTS, "--out", "out", cwd=tmp_path).returncode == 0


def test_a_wrong_flag_leaves_an_earlier_run_alone(again: tuple[Path, dict[str, bytes]]):
    folder, _ = again
    before = {file.name: file.read_bytes() for file in (folder / "out").iterdir()}
    for wrong in (
        ("--case-timeout", "0"),
        ("--workers", "none"),
        ("--engine", "spark"),
        ("--engine", "locl"),
    ):
        done = run("run", "cases.jsonl", *ARGUMENTS, "--out", "out", *wrong, cwd=folder)
        assert (done.returncode, b"Traceback" in done.stderr) == (2, False), done.stderr
    assert {file.name: file.read_bytes() for file in (folder / "out").iterdir()} == before


def test_a_kill_leaves_no_lock(again: tuple[Path, dict[str, bytes]]):
    folder, _ = again
    Lock(folder / "out").release()


def test_a_full_disk_is_named_and_gone_on_with(tmp_path: Path):
    write_rows(tmp_path / "cases.jsonl", CASES)
    expected = whole(tmp_path, "cases.jsonl", *ARGUMENTS)
    full = command("run", "cases.jsonl", *ARGUMENTS, "--out", "out", every=0.0)
    # A file may have no more bytes than this, as on a disk that is full.
    limited = ["sh", "-c", 'ulimit -f 700; exec "$@"', "sh", *full]
    done = subprocess.run(
        limited, cwd=tmp_path, env=environment(), capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 4, done.stderr
    assert b"results.jsonl" in done.stderr
    assert b"Traceback" not in done.stderr
    done = resumed(tmp_path)
    assert done.returncode == 0, done.stderr
    assert b"goes on after" in done.stderr
    assert contents(tmp_path / "out") == expected


def test_checkpoints_keep_to_their_share(monkeypatch: pytest.MonkeyPatch):
    now = [100.0]
    monkeypatch.setattr("rightcall.run.directory.checkpoint.time.monotonic", lambda: now[0])
    pace = Pace(2.0, 200.0)
    assert not pace.due()
    now[0] += 2.0
    assert pace.due()
    pace.done(0.001)
    now[0] += 1.9
    assert not pace.due()
    now[0] += 0.2
    assert pace.due()
    pace.done(0.5)  # a slow disk: no sooner than after a hundred seconds
    now[0] += 99.0
    assert not pace.due()
    now[0] += 1.1
    assert pace.due()


def test_a_run_made_before_runs_could_be_resumed_is_refused(tmp_path: Path):
    shutil.copytree(Path(__file__).parent / "format1" / "run", tmp_path / "run")
    record = json.loads((tmp_path / "run" / "run.json").read_bytes())
    request = Request(data="cases.jsonl", cwd=".", suite="agent")
    (tmp_path / "run" / "run.json").write_text(json.dumps({**record, "ended": "interrupted"}))
    with pytest.raises(OptionError, match="kept nothing to go on with"):
        RunDirectory(tmp_path / "run", request, signature="rightcall/9 {}", resume=True)
    (tmp_path / "run" / "run.json").write_text(json.dumps({**record, "format": 99}))
    with pytest.raises(SourceError, match="of format 99"):
        RunDirectory(tmp_path / "run", request, resume=True)
