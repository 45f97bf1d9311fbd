"""Golden replays: their text form, writing them, and refusals of invalid ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamepacks.api.kit import CheckFailed, Subject, Walk
from gamepacks.api.kit.golden import CHANGED_PLIES, golden, plan, read, replay, rewrite, write
from tests.support.games.kuhn import KuhnGame
from tests.support.games.sealed import SealedGame


def text_of_a_match(limit: int = 100) -> str:
    subject = Subject(KuhnGame)
    return write(Walk(subject, subject.setups()[0], 3, limit))


def test_a_match_is_written_and_read() -> None:
    text = text_of_a_match()
    lines = text.splitlines()
    assert lines[:7] == [
        "game kuhn",
        "rules_version 1",
        "players 2",
        "seed 3",
        "option ranks = 4",
        "option deals = 1",
        "option order = fixed",
    ]
    transcript = read(f"# a comment\n\n{text}")
    assert transcript.facts == {"game": "kuhn", "rules_version": "1", "players": "2", "seed": "3"}
    assert transcript.options == {"ranks": "4", "deals": "1", "order": "fixed"}
    assert [seat for seat, *_ in transcript.steps[:3]] == [-1, -1, 0]
    assert transcript.steps[0][3].startswith("deal the ")
    assert len(transcript.steps[0][2]) == 16
    assert lines[-1] == f"end {transcript.end}"
    replay(KuhnGame, transcript)


def test_a_match_that_is_cut_has_no_end() -> None:
    text = text_of_a_match(limit=2)
    assert text.endswith("\ncut\n")
    transcript = read(text)
    assert transcript.end == ""
    assert len(transcript.steps) == 3
    replay(KuhnGame, transcript)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("step 0 x ff check", "line 1 of the replay cannot be read: 'step 0 x ff check'"),
        ("step 0 5", "line 1 of the replay cannot be read"),
        ("move 0", "line 1 of the replay cannot be read"),
        ("game kuhn", "the replay lacks players, rules_version"),
    ],
)
def test_invalid_text_is_refused(line: str, words: str) -> None:
    with pytest.raises(CheckFailed, match=words):
        read(line)


def test_a_changed_step_is_found() -> None:
    text = text_of_a_match()
    state = read(text).steps[2][2]
    with pytest.raises(CheckFailed, match=r"ply 2: .* leads to another state"):
        replay(KuhnGame, read(text.replace(state, "0" * 16)))


def test_rewriting_leaves_the_replays_of_the_plan_and_no_others(tmp_path: Path) -> None:
    folder = tmp_path / "golden"
    folder.mkdir()
    (folder / "kuhn-old.txt").write_text("game kuhn")
    (folder / "other-2p.txt").write_text("game other")
    subject = Subject(KuhnGame, golden=folder)
    written = rewrite(subject)
    assert [path.name for path in written] == list(plan(subject))
    assert sorted(path.name for path in folder.iterdir()) == sorted(["other-2p.txt", *plan(subject)])
    assert list(plan(subject))[:3] == ["kuhn-2p.txt", "kuhn-3p.txt", "kuhn-2p-ranks-3.txt"]
    assert golden.run(subject).startswith("6 replays, ")
    # The same seed writes the same.
    texts = [path.read_text() for path in written]
    assert [path.read_text() for path in rewrite(subject)] == texts


def test_only_matches_with_default_options_are_whole() -> None:
    limits = {name: walk.limit for name, walk in plan(Subject(SealedGame)).items()}
    assert set(limits.values()) == {SealedGame.capabilities.max_plies}
    assert SealedGame.capabilities.max_plies < CHANGED_PLIES


def test_a_replay_of_another_game_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sealed-2p.txt").write_text(text_of_a_match())
    with pytest.raises(CheckFailed, match=r"the replay is of the game kuhn \[sealed-2p.txt\]"):
        golden.run(Subject(SealedGame, golden=tmp_path))


def test_only_an_installed_pack_may_lack_its_folder(tmp_path: Path) -> None:
    subject = Subject(KuhnGame, golden=tmp_path / "site-packages" / "kuhn" / "golden")
    with pytest.raises(CheckFailed, match="there is no golden replay"):
        golden.run(subject)
    (tmp_path / "site-packages" / "kuhn-1.0.dist-info").mkdir(parents=True)
    assert golden.run(subject).startswith("not checked")
    subject.golden_folder().mkdir(parents=True)
    with pytest.raises(CheckFailed, match="there is no golden replay"):
        golden.run(subject)


def test_the_folder_is_beside_the_module_of_the_game() -> None:
    assert Subject(KuhnGame).golden_folder().parts[-4:] == ("tests", "support", "games", "golden")
