"""The configuration: sources of values, invalid values, and the annotated example."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from engine_service.config import ConfigError, Settings, example_toml, load_settings

EXAMPLE = Path(__file__).parents[2] / "docs" / "omnilude.example.toml"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(text: str, name: str = "omnilude.toml") -> Path:
    path = Path(name)
    path.write_text(text, encoding="utf-8")
    return path


def test_example_names_every_key_with_its_default() -> None:
    example = tomllib.loads(EXAMPLE.read_text(encoding="utf-8"))
    shape = {name: sorted(type(section).model_fields) for name, section in load_settings()}
    assert {name: sorted(section) for name, section in example.items()} == shape
    assert load_settings(EXAMPLE).model_dump() == load_settings().model_dump()


def test_example_equals_the_models() -> None:
    assert EXAMPLE.read_text(encoding="utf-8") == example_toml()


def test_flags_win_over_environment_over_file_over_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    write('[server]\nport = 1\naddress = "a"\nheartbeat_seconds = 1\n')
    monkeypatch.setenv("OMNILUDE_SERVER__PORT", "2")
    monkeypatch.setenv("OMNILUDE_SERVER__ADDRESS", "b")
    server = load_settings(overrides={"server.port": 3}).server
    assert (server.port, server.address, server.heartbeat_seconds) == (3, "b", 1.0)
    assert server.grace_seconds == Settings().server.grace_seconds


def test_named_file_replaces_the_default_file() -> None:
    write("[server]\nport = 1\n")
    other = write("[server]\nport = 2\n", "other.toml")
    assert load_settings(other).server.port == 2
    assert load_settings().server.port == 1


def test_lists_come_from_the_environment_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMNILUDE_PACKS__WITHOUT", '["a", "b"]')
    assert load_settings().packs.without == ("a", "b")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[server]\nport = 99999\n", ["omnilude.toml: [server] port:", "a whole number from 0 to 65535"]),
        ('[store]\ndurability = "sometimes"\n', ["omnilude.toml: [store] durability:", "full or normal"]),
        ('[log]\nlevel = "loud"\n', ["omnilude.toml: [log] level:", "debug or info or warning or error"]),
        ("[limits]\nlive_matches = 0\n", ["omnilude.toml: [limits] live_matches:", "from 1 to"]),
        ("[server]\nprot = 1\n", ["omnilude.toml: [server] prot: there is no such key; there are: address, port"]),
        ("[sever]\nport = 1\n", ["omnilude.toml: [sever]: there is no such section; there are: server"]),
        ("port = \n", ["omnilude.toml: not TOML:"]),
        ("server = 3\n", ["omnilude.toml: server: must be a table, [server]"]),
        ("[[limits]]\nlabels = 1\n", ["omnilude.toml: limits: must be a table, [limits]"]),
        ('log = "loud"\nauth = 1\n', ["omnilude.toml: log: must be a table", "omnilude.toml: auth: must be a table"]),
        (
            '[server]\ntls_key = "key.pem"\n',
            ["omnilude.toml: [server]: tls_certificate and tls_key must be set together"],
        ),
        (
            '[server]\ntls_key = "k.pem"\ntls_certificate = "c.pem"\n',
            ["omnilude.toml: [server]: c.pem cannot be read"],
        ),
    ],
)
def test_invalid_file_is_refused_with_place_key_and_range(text: str, expected: list[str]) -> None:
    write(text)
    with pytest.raises(ConfigError) as caught:
        load_settings()
    for part in expected:
        assert part in str(caught.value)


def test_every_problem_is_named_not_just_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    write("[server]\nport = -1\n")
    monkeypatch.setenv("OMNILUDE_METRICS__PORT", "many")
    with pytest.raises(ConfigError) as caught:
        load_settings(overrides={"log.format": "xml"})
    assert sorted(problem.partition(":")[0] for problem in caught.value.problems) == [
        "environment OMNILUDE_METRICS__PORT",
        "flag",
        "omnilude.toml",
    ]


def test_misspelt_variable_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMNILUDE_SERVER__PROT", "1")
    with pytest.raises(ConfigError, match="OMNILUDE_SERVER__PROT: there is no such setting"):
        load_settings()


@pytest.mark.parametrize(
    ("variable", "value", "allowed"),
    [
        ("OMNILUDE_PACKS__ONLY", "ominoes", "a list of strings"),
        ("OMNILUDE_PACKS__WITHOUT", "[", "a list of strings"),
        ("OMNILUDE_SERVER", "secret", "an object"),
    ],
)
def test_variable_with_invalid_json_is_refused(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, allowed: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigError) as caught:
        load_settings()
    assert str(caught.value).count(variable) == 1 and f"not JSON (allowed: {allowed}" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_section_that_is_no_object_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMNILUDE_SERVER", "3")
    with pytest.raises(ConfigError) as caught:
        load_settings()
    assert str(caught.value) == 'environment OMNILUDE_SERVER: must be an object, as in {"key": 1}'
    monkeypatch.setenv("OMNILUDE_SERVER", '{"port": 3}')
    assert load_settings().server.port == 3


def test_missing_file_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"none\.toml: No such file"):
        load_settings(Path("none.toml"))


def test_refusal_does_not_contain_the_value() -> None:
    write("[auth]\napi_token = 123456\n")
    with pytest.raises(ConfigError) as caught:
        load_settings()
    assert "[auth] api_token" in str(caught.value)
    assert "123456" not in str(caught.value)


@pytest.mark.parametrize("given", ["omega,omen", "omega, omen", '["omega", "omen"]', ("omega", "omen")])
def test_flag_sets_a_list(given: object) -> None:
    assert load_settings(overrides={"packs.only": given}).packs.only == ("omega", "omen")


def test_empty_flag_is_an_empty_list_and_a_text_with_a_bracket_is_a_text() -> None:
    assert load_settings(overrides={"packs.only": ""}).packs.only == ()
    assert load_settings(overrides={"packs.card_sets": "[mine].yaml"}).packs.card_sets == ("[mine].yaml",)
