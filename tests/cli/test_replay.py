"""``omnilude replay``: show, verify, export, import."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from engine_service.log.records import Record
from engine_service.log.replay import export, records_of
from engine_service.match_enums import RecordKind
from omnilude import Client, ServiceBot
from omnilude.v1 import match_pb2
from omnilude.v1.replay_pb2 import Replay, ReplayHeader
from omnilude_cli.service import private_service

Run = Callable[..., Result]


def edited(replay_file: Path, to: Path, edit: Callable[[Replay], object]) -> Path:
    """Returns a copy in which something was changed."""
    replay = Replay.FromString(replay_file.read_bytes())
    edit(replay)
    to.write_bytes(replay.SerializeToString())
    return to


def test_valid_replay_is_verified(run: Run, replay_file: Path, ended: str) -> None:
    shown = run("replay", "verify", replay_file)
    assert shown.exit_code == 0
    assert shown.stdout.startswith(f"valid  {replay_file}: ominoes, random - greedy, ")
    assert " rolls proved, signed with the key " in shown.stdout


def test_folder_of_replays_is_verified(run: Run, replay_file: Path, tmp_path: Path) -> None:
    for name in ("b.omr", "a.omr"):
        (tmp_path / name).write_bytes(replay_file.read_bytes())
    shown = run("replay", "verify", tmp_path)
    assert [line.split(":")[0] for line in shown.stdout.splitlines()] == [
        f"valid  {tmp_path / 'a.omr'}",
        f"valid  {tmp_path / 'b.omr'}",
    ]
    (tmp_path / "empty").mkdir()
    nothing = run("replay", "verify", tmp_path / "empty")
    assert nothing.exit_code == 1
    assert "there are no replays" in nothing.stderr


def test_event_sentences_are_printed_below_labels(run: Run, target: str, tmp_path: Path) -> None:
    file = tmp_path / "omen.omr"
    with Client(target) as client:
        match = client.create("omen", [ServiceBot("random"), ServiceBot("random")], options={"max_turns": 20})
        for _ in match.watch():
            pass
        file.write_bytes(match.replay())
    lines = run("replay", "show", file).stdout.splitlines()
    turns = [number for number, line in enumerate(lines) if line == f"{'':20}A turn begins: random (seat 1)."]
    assert turns and all(" s  " in lines[number - 1] or lines[number - 1].startswith(" " * 20) for number in turns)


def change_a_roll(replay: Replay) -> None:
    roll = next(record for record in replay.records if record.kind == match_pb2.RECORD_KIND_CHANCE)
    roll.code += 1


@pytest.mark.parametrize("edit", [change_a_roll, lambda r: r.records.pop(), lambda r: r.result.Clear()])
def test_edited_replay_is_refused(
    run: Run, replay_file: Path, tmp_path: Path, edit: Callable[[Replay], object]
) -> None:
    wrong = edited(replay_file, tmp_path / "wrong.omr", edit)
    shown = run("replay", "verify", replay_file, wrong)
    assert shown.exit_code == 1
    lines = shown.stdout.splitlines()
    assert lines[0].startswith("valid")
    assert lines[1].startswith(f"INVALID  {wrong}: ")
    assert "(REPLAY_INVALID)" in lines[1]
    assert shown.stderr == "error: 1 of 2 replays are invalid\n"


@pytest.mark.parametrize("command", ["show", "verify"])
def test_texts_of_a_forged_replay_do_not_control_the_terminal(
    run: Run, replay_file: Path, tmp_path: Path, command: str
) -> None:
    def forge(replay: Replay) -> None:
        header = ReplayHeader.FromString(replay.header)
        header.seats[0].kind = match_pb2.SEAT_KIND_OPEN
        header.seats[0].player = ""
        replay.header = header.SerializeToString(deterministic=True)
        joined = Record(1, RecordKind.JOINED, 0, text="ann\x1b[2J\nowned")
        records = [joined, *(record._replace(seq=record.seq + 1) for record in records_of(replay))]
        replay.CopyFrom(export(replay.header, records))

    shown = run("replay", command, edited(replay_file, tmp_path / "forged.omr", forge))
    assert shown.exit_code == (1 if command == "verify" else 0)
    assert all(letter.isprintable() or letter == "\n" for letter in shown.output)
    assert not any(line.startswith("owned") for line in shown.output.splitlines())
    assert ("REPLAY_INVALID" in shown.stdout) == (command == "verify")
    assert ("owned" in shown.stdout) == (command == "show")


def test_signature_shows_the_service_of_a_replay(run: Run, target: str, replay_file: Path, tmp_path: Path) -> None:
    key = run("replay", "key", "--server", target).stdout.strip()
    assert f"signed with the key {key}" in run("replay", "verify", replay_file).stdout
    for asked in (["--server", target], ["--key", key], ["--key", "00" * 32, "--key", key]):
        shown = run("replay", "verify", replay_file, *asked)
        assert shown.exit_code == 0 and "played at this service" in shown.stdout, shown.output

    def strip(replay: Replay) -> None:
        replay.signature = replay.signing_key = b""

    made_up = edited(replay_file, tmp_path / "made-up.omr", strip)
    shown = run("replay", "verify", made_up)
    assert shown.exit_code == 0 and shown.stdout.endswith("not signed\n")
    shown = run("replay", "verify", replay_file, made_up, "--server", target)
    assert shown.exit_code == 1
    assert [line[:5] for line in shown.stdout.splitlines()] == ["valid", "FOREI"]
    assert "consistent, but not played at this service: not signed" in shown.stdout
    other = run("replay", "verify", replay_file, "--key", "00" * 32)
    assert other.exit_code == 1 and f"not played at this service: signed with the key {key}" in other.stdout
    assert run("replay", "verify", replay_file, "--key", "beef").exit_code == 2


def test_truncated_replay_is_refused(run: Run, replay_file: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.omr"
    torn.write_bytes(replay_file.read_bytes()[:-7])
    shown = run("replay", "verify", torn)
    assert shown.exit_code == 1
    assert "(REPLAY_MALFORMED)" in shown.stdout


def test_replay_is_shown_record_by_record(run: Run, replay_file: Path, ended: str) -> None:
    shown = run("replay", "show", replay_file)
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert lines[0].startswith(f"{ended}: ominoes (rules ")
    records = Replay.FromString(replay_file.read_bytes()).records
    numbered = [line for line in lines if " s  " in line]
    assert [int(line[:5]) for line in numbered] == [record.seq for record in records]
    assert any("random (seat 0): " in line for line in numbered)
    assert any("chance: " in line for line in numbered)
    places = Replay.FromString(replay_file.read_bytes()).result.places
    assert [line.split(",")[0] for line in lines[-2:]] == [
        f"{name} (seat {seat}): place {place}"
        for seat, (name, place) in enumerate(zip(("random", "greedy"), places, strict=True))
    ]


def test_boards_of_a_replay_are_drawn(run: Run, replay_file: Path) -> None:
    whole = run("replay", "show", replay_file, "--boards").stdout
    steps = [r for r in Replay.FromString(replay_file.read_bytes()).records if r.kind in (4, 5)]
    assert whole.count("of 4 points") == 2 * len(steps)
    early = run("replay", "show", replay_file, "--at", "6").stdout
    assert early.count("of 4 points") == 2
    assert " s  " not in early
    assert "return +" not in early, "how it ended is not told"


def test_boards_and_labels_show_player_names(run: Run, replay_file: Path) -> None:
    whole = run("replay", "show", replay_file, "--boards").stdout
    assert "random (seat 0)    0 of 4 points" in whole and "greedy (seat 1)    0 of 4 points" in whole
    assert "  seat 0" not in whole and "random (seat random" not in whole


def test_record_number_beyond_the_end_is_refused(run: Run, replay_file: Path) -> None:
    last = len(Replay.FromString(replay_file.read_bytes()).records)
    assert run("replay", "show", replay_file, "--at", last).exit_code == 0
    beyond = run("replay", "show", replay_file, "--at", last + 1)
    assert (beyond.exit_code, beyond.stdout) == (2, "")
    assert beyond.stderr == f"error: --at {last + 1}: the log ends with record {last}\n"


def test_replay_without_its_rules_is_shown_by_codes(run: Run, replay_file: Path, tmp_path: Path) -> None:
    def other_rules(replay: Replay) -> None:
        header = ReplayHeader.FromString(replay.header)
        header.rules_version = "0-unknown"
        replay.header = header.SerializeToString(deterministic=True)

    other = edited(replay_file, tmp_path / "other.omr", other_rules)
    shown = run("replay", "show", other)
    assert shown.exit_code == 0
    assert "its rules are not installed here" in shown.stdout
    assert "code " in shown.stdout


def test_log_against_the_rules_is_refused(run: Run, replay_file: Path, tmp_path: Path) -> None:
    def break_rules(replay: Replay) -> None:
        action = next(record for record in replay.records if record.kind == match_pb2.RECORD_KIND_ACTION)
        action.code = 2**30

    shown = run("replay", "show", edited(replay_file, tmp_path / "wrong.omr", break_rules))
    assert shown.exit_code == 1
    assert "error: the log violates the rules" in shown.stderr


@pytest.mark.usefixtures("only_ominoes")
def test_replay_is_exported_and_imported_elsewhere(run: Run, target: str, ended: str, tmp_path: Path) -> None:
    file = tmp_path / "out.omr"
    exported = run("replay", "export", ended, "--server", target, "-o", file)
    assert (exported.exit_code, exported.stdout) == (0, f"{file}\n")
    with private_service() as other:
        imported = run("replay", "import", file, "--server", other)
        assert (imported.exit_code, imported.stdout) == (0, f"{ended}\n")
        again = run("replay", "import", file, "--server", other)
        assert again.exit_code == 1
        assert "(MATCH_EXISTS)" in again.stderr
        with Client(other) as client:
            assert client.match(ended).replay() == file.read_bytes()


def test_export_names_the_file_after_the_match(
    run: Run, target: str, ended: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exported = run("replay", "export", ended.removeprefix("matches/"), "--server", target)
    assert exported.stdout.strip() == ended.removeprefix("matches/") + ".omr"
    assert (tmp_path / exported.stdout.strip()).exists()
    unknown = run("replay", "export", "matches/none", "--server", target)
    assert "(UNKNOWN_MATCH)" in unknown.stderr
