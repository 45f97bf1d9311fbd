"""Tokens and the service's secret."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from pathlib import Path

import pytest

from engine_service.matches.tokens import BadSecret, digest, load_or_create_secret, matches, mint, new_nonce

SECRET = bytes(range(32))
UID = bytes(range(16))
NONCE = b"n" * 16


def test_token_depends_on_each_of_its_inputs() -> None:
    token = mint(SECRET, UID, 0, NONCE)
    assert token == mint(SECRET, UID, 0, NONCE)
    assert len(token) == 43
    assert set(token) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    others = {
        mint(SECRET[::-1], UID, 0, NONCE),
        mint(SECRET, UID[::-1], 0, NONCE),
        mint(SECRET, UID, 1, NONCE),
        mint(SECRET, UID, -1, NONCE),
        mint(SECRET, UID, 0, new_nonce()),
        mint(SECRET, UID, 0, new_nonce()),
    }
    assert len(others | {token}) == 7


def test_digest_matches_only_its_token() -> None:
    token = mint(SECRET, UID, 0, NONCE)
    stored = digest(token)
    assert stored == blake2b(token.encode(), digest_size=32).digest()
    assert matches(digest(token), stored)
    for other in ("", token[:-1], token + "=", token.swapcase(), "\u2660", "\ud800", "x" * 10_000):
        assert not matches(digest(other), stored)
    assert not matches(digest(""), b"")
    assert not matches(digest(token), b"")


def test_secret_is_created_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    secret = load_or_create_secret(path)
    assert len(secret) == 32
    assert load_or_create_secret(path) == secret == path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["secret.key"]
    assert load_or_create_secret(tmp_path / "other.key") != secret


def test_concurrent_creation_yields_one_secret(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    with ThreadPoolExecutor(8) as pool:
        secrets = set(pool.map(lambda _: load_or_create_secret(path), range(32)))
    assert len(secrets) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["secret.key"]


@pytest.mark.parametrize("content", [b"", b"short", bytes(33), b"x" * 1000])
def test_file_that_is_not_a_secret_is_refused_and_unchanged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "secret.key"
    path.write_bytes(content)
    with pytest.raises(BadSecret, match=r"secret\.key has \d+ bytes; a secret has 32"):
        load_or_create_secret(path)
    assert path.read_bytes() == content


def test_missing_folder_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_or_create_secret(tmp_path / "nowhere" / "secret.key")
