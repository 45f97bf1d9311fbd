"""The configuration of the service: one TOML file, the environment, flags.

Later ones win: defaults, the file (``omnilude.toml`` in the working directory, or the one named), the environment
(``OMNILUDE_SERVER__PORT=7000`` for ``port`` of ``[server]``), flags. Whatever is unknown or out of range is refused
with the place it came from, its key and what is allowed: :class:`ConfigError`. The annotated file of all keys with
their defaults is made from the models below: :func:`example_toml`.
"""

from __future__ import annotations

import json
import os
import textwrap
import tomllib
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from cext.errors import PicklableError
from engine_service.addresses import Address
from engine_service.limits import Limits

DEFAULT_FILE = Path("omnilude.toml")
ENV_PREFIX = "OMNILUDE_"
ENV_DELIMITER = "__"


class ConfigError(PicklableError, ValueError):
    """The configuration is wrong; ``problems`` has one line for each thing that is."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


def _empty_is_none(value: Any) -> Any:
    return None if value == "" else value


OptionalPath = Annotated[Path | None, BeforeValidator(_empty_is_none)]
OptionalText = Annotated[str | None, BeforeValidator(_empty_is_none)]


class Section(BaseModel):
    """One table of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class ServerSettings(Section):
    """Addresses at which the service listens, and limits of its connections."""

    address: Address = Field("127.0.0.1", description="Address to listen at; 0.0.0.0 or :: for all.")
    port: int = Field(7878, ge=0, le=65535, description="Port; 0 takes a free one, which the start-up line tells.")
    unix_socket: OptionalPath = Field(None, description="Listen at this Unix socket instead of a port.")
    shared_port: bool = Field(
        False,
        description="Other services of the same user may listen at the same port and HTTP port, if they have set this "
        "as well; the system spreads new connections over them (SO_REUSEPORT).",
    )
    own_address: OptionalText = Field(
        None,
        pattern=r"^.+:[0-9]{1,5}$",
        description="host:port where clients reach this service and none of the others that share its database; it "
        "listens at that port too (0 takes a free one). Empty: while others share the database, it creates no matches "
        "that are not stored, because only it could serve them.",
    )
    tls_certificate: OptionalPath = Field(None, description="PEM file of the certificate chain; empty: no TLS.")
    tls_key: OptionalPath = Field(None, description="PEM file of its private key.")
    tls_client_ca: OptionalPath = Field(
        None, description="PEM file of the authorities whose clients alone may connect (mutual TLS); empty: everyone."
    )
    max_message_bytes: int = Field(
        4_194_304,
        ge=65_536,
        le=268_435_456,
        description="Longest message taken. Beyond it: LIMIT_REACHED; beyond four times it gRPC itself refuses unread.",
    )
    max_request_entries: int = Field(
        20_000,
        ge=1_000,
        le=1_000_000,
        description="Entries of the repeated fields of one request, all together; beyond it: LIMIT_REACHED.",
    )
    max_concurrent_rpcs: int = Field(
        10_000,
        ge=1,
        le=1_000_000,
        description="Calls and streams at once; beyond it: LIMIT_REACHED. A fifth of this and of the next two is kept "
        "for callers who show a token.",
    )
    max_rpcs_per_peer: int = Field(
        6_000,
        ge=1,
        le=1_000_000,
        description="Calls and streams at once from one address (of IPv6, from one network of 64 bits); beyond it: "
        "LIMIT_REACHED. Raise it where clients come through a proxy.",
    )
    max_rpcs_per_connection: int = Field(
        2_000,
        ge=1,
        le=1_000_000,
        description="Calls and streams at once on one connection; beyond it a client waits before it sends more.",
    )
    refused_rpcs_per_second: int = Field(
        50,
        ge=1,
        le=1_000_000,
        description="Calls a second of a connection that sends little but calls that are refused; others are not "
        "slowed down.",
    )
    max_stream_channels: int = Field(
        20_000, ge=1, le=1_000_000, description="Seats that one play stream may play at once; beyond it: LIMIT_REACHED."
    )
    stall_seconds: float = Field(
        30.0,
        ge=0.05,
        le=3600.0,
        description="How long a reader of a watch or play stream may take nothing; beyond it: SLOW_CONSUMER.",
    )
    heartbeat_seconds: float = Field(
        15.0, ge=0.01, le=600.0, description="A message comes at least so often on watch and play streams."
    )
    keepalive_seconds: float = Field(
        60.0, ge=1.0, le=7200.0, description="How often a silent connection is pinged, to find dead ones."
    )
    grace_seconds: float = Field(
        10.0, ge=0.0, le=600.0, description="How long calls under way may take to end at shutdown."
    )
    reflection: bool = Field(True, description="Serve gRPC reflection, so that grpcurl and its like need no .proto.")
    channelz: bool = Field(
        False,
        description="Serve gRPC channelz (connections with the addresses of clients, and counters) to everyone who can "
        "connect.",
    )
    uvloop: bool = Field(False, description="Run on uvloop (installed by the extra omnilude[uvloop]).")

    @model_validator(mode="after")
    def _tls_is_whole(self) -> ServerSettings:
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate and tls_key go together")
        if self.tls_client_ca is not None and self.tls_certificate is None:
            raise ValueError("tls_client_ca needs tls_certificate and tls_key")
        for path in (self.tls_certificate, self.tls_key, self.tls_client_ca):
            if path is not None and not os.access(path, os.R_OK):
                raise ValueError(f"{path} cannot be read")
        return self


class StoreSettings(Section):
    """The store of the matches."""

    path: Path = Field(Path("omnilude.sqlite3"), description="The SQLite database; it is made where there is none.")
    url: OptionalText = Field(
        None,
        description=(
            "postgresql://user@host/database: the PostgreSQL database in which matches are kept, in place of the file "
            "at path (pip install omnilude[postgres])."
        ),
    )
    durability: Literal["full", "normal"] = Field(
        "full",
        description=(
            "full: an acknowledged action survives a power cut. normal: it survives the end of the process; "
            "a power cut may take the last moments, whole and in order."
        ),
    )
    in_memory: bool = Field(False, description="Keep everything in memory only; all is gone at the end.")
    keep_ended_days: int = Field(
        0,
        ge=0,
        le=36_500,
        description="Days of the service's running after which a match that has ended is deleted; 0: never.",
    )
    secret_key: OptionalPath = Field(
        None,
        description=(
            "File of 32 secret bytes from which tokens are made; it is made where there is none. Empty: secret.key "
            "beside the database; in a PostgreSQL database, within it."
        ),
    )
    signing_key: OptionalPath = Field(
        None,
        description=(
            "File of 32 secret bytes, the private key by which the replays of matches played here are signed; it is "
            "made where there is none. Empty: signing.key beside the database; in a PostgreSQL database, within it."
        ),
    )

    def key_file(self, setting: Literal["secret_key", "signing_key"]) -> Path | None:
        """File of that key; None where it is in no file: in memory only, or in the PostgreSQL database."""
        named: Path | None = getattr(self, setting)
        if named is not None or self.in_memory or self.url is not None:
            return named
        return self.path.parent / f"{setting.removesuffix('_key')}.key"


class AuthSettings(Section):
    """Permissions to create matches."""

    api_token: OptionalText = Field(
        None,
        description=(
            "What a caller must show (metadata 'authorization: Bearer ...') to create, fork or import matches or to "
            "take a player's name; empty: everyone may. Who shows it is the operator as well, and may cancel and "
            "delete any match; empty: nobody is."
        ),
    )


class HttpSettings(Section):
    """HTTP for browsers: the page at /, and the services by the Connect protocol and gRPC-Web, with the TLS of
    [server]."""

    enabled: bool = Field(True, description="Serve it.")
    address: Address = Field("127.0.0.1", description="Address to listen at; 0.0.0.0 or :: for all.")
    port: int = Field(7880, ge=0, le=65535, description="Port; 0 takes a free one, which the start-up line tells.")
    own_address: OptionalText = Field(
        None,
        pattern=r"^.+:[0-9]{1,5}$",
        description="host:port where browsers reach this service and none of the others that share its database; it "
        "listens at that port too (0 takes a free one). Web clients follow matches that only it can serve to there.",
    )
    allowed_origins: tuple[str, ...] = Field(
        (),
        description='Origins of other sites whose pages may call the services, as "https://example.org"; "*" is any. '
        "Pages that the service serves itself always may.",
    )
    allowed_hosts: tuple[str, ...] = Field(
        (),
        description='Host names under which browsers reach the service, as "games.example.org"; ".example.org" is all '
        'names below too, "*" is any. IP addresses and localhost always are allowed.',
    )
    max_idle_connections: int = Field(
        1_000,
        ge=1,
        le=1_000_000,
        description="Connections that wait for a request; beyond it the one that has waited longest is closed.",
    )
    idle_seconds: float = Field(
        75.0, ge=0.05, le=3600.0, description="How long a connection may wait for a request before it is closed."
    )


class MetricsSettings(Section):
    """Prometheus metrics over HTTP, at /metrics."""

    enabled: bool = Field(True, description="Serve them.")
    address: Address = Field("127.0.0.1", description="Address to listen at; 0.0.0.0 or :: for all.")
    port: int = Field(7879, ge=0, le=65535, description="Port; 0 takes a free one.")


class LogSettings(Section):
    """The log, on standard error."""

    level: Literal["debug", "info", "warning", "error"] = Field("info", description="Minimum severity to log.")
    format: Literal["console", "json"] = Field("console", description="console: for people; json: one object per line.")


class TraceSettings(Section):
    """OpenTelemetry traces of calls and writes, exported by OTLP over gRPC (pip install omnilude[otel])."""

    endpoint: OptionalText = Field(
        None, description='Address of the collector, as "http://127.0.0.1:4317"; empty: no traces.'
    )
    sample_ratio: float = Field(
        1.0, ge=0.0, le=1.0, description="Part of the traces that are exported, of calls that no client has sampled."
    )
    service_name: str = Field("omnilude", min_length=1, description="Name of the service in the traces.")


class PackSettings(Section):
    """Packs to load, and card sets besides their own."""

    only: tuple[str, ...] = Field((), description="Only these, by the name of their entry point; empty: all installed.")
    without: tuple[str, ...] = Field((), description="All but these.")
    strict: bool = Field(
        False, description="Do not start when a pack or a card file is broken; otherwise it is left out."
    )
    isolated: tuple[str, ...] = Field(
        (),
        description="Packs whose rules, quick bots, services and observers run in processes of their own, by the name "
        'of their entry point; "all": all of them.',
    )
    load_timeout_s: int = Field(
        30,
        ge=1,
        le=3_600,
        description="Seconds for which a pack may be loaded; one that has not been then is left out. Packs that do not "
        "come with the engine are loaded in a process of their own first.",
    )
    card_sets: tuple[str, ...] = Field(
        (),
        description=(
            "Files of card sets, and folders of such files, that games can be played with beside their packs' own; an "
            "option of the game names a set by its id."
        ),
    )


class Settings(BaseSettings):
    """All settings. Make it with :func:`load_settings`, which says what is wrong where."""

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX,
        env_nested_delimiter=ENV_DELIMITER,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        nested_model_default_partial_update=True,
    )

    server: ServerSettings = ServerSettings()
    store: StoreSettings = StoreSettings()
    auth: AuthSettings = AuthSettings()
    limits: Limits = Field(Limits(), description="How much the service takes on; reaching one: LIMIT_REACHED.")
    http: HttpSettings = HttpSettings()
    metrics: MetricsSettings = MetricsSettings()
    traces: TraceSettings = TraceSettings()
    log: LogSettings = LogSettings()
    packs: PackSettings = PackSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags (the constructor's arguments), then the environment; :func:`load_settings` adds the file."""
        return init_settings, env_settings


def load_settings(file: Path | None = None, overrides: Mapping[str, Any] | None = None) -> Settings:
    """Read the configuration. ``overrides`` are the flags: ``{"server.port": 0}``. ``file`` None means
    ``omnilude.toml`` in the working directory, if there is one.

    Raises :class:`ConfigError`.
    """
    if file is None and DEFAULT_FILE.exists():
        file = DEFAULT_FILE
    in_file = {} if file is None else _read_toml(file)
    if wrong := [*_unknown_variables(), *_not_sections(in_file, file)]:
        raise ConfigError(wrong)

    class Sourced(Settings):
        @classmethod
        def settings_customise_sources(
            cls, settings_cls: type[BaseSettings], *args: Any, **sources: PydanticBaseSettingsSource
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            ours = Settings.settings_customise_sources(settings_cls, *args, **sources)
            # The file was read above already, for its errors; the class reads it again (some 0.1 ms) for its merging.
            return ours if file is None else (*ours, TomlConfigSettingsSource(settings_cls, toml_file=file))

    flags = _nested(overrides or {})
    try:
        return Sourced(**flags)
    except SettingsError:
        raise ConfigError(list(_unreadable_variables())) from None
    except ValidationError as error:
        raise ConfigError([_problem(entry, flags, in_file, file) for entry in error.errors()]) from None


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError([f"{file}: {error.strerror or error}"]) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError([f"{file}: not TOML: {error}"]) from None


def _nested(overrides: Mapping[str, Any]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for path, value in overrides.items():
        section, _, key = path.partition(".")
        nested.setdefault(section, {})[key] = _flag_list(value) if _is_list(section, key) else value
    return nested


def _is_list(section: str, key: str) -> bool:
    field = dict(_sections())[section].model_fields.get(key) if section in Settings.model_fields else None
    return field is not None and typing.get_origin(field.annotation) is tuple


def _flag_list(value: Any) -> Any:
    """The texts of a list that was given as one text: ``a,b``, or as JSON where a text has a comma in it."""
    if not isinstance(value, str):
        return value
    if value.startswith("["):
        with suppress(ValueError):
            return json.loads(value)
    return [part.strip() for part in value.split(",") if part.strip()]


def _sections() -> Iterator[tuple[str, type[BaseModel]]]:
    for name, field in Settings.model_fields.items():
        assert isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)
        yield name, field.annotation


def _unknown_variables() -> Iterator[str]:
    """Report misspelt variables, which pydantic-settings ignores."""
    known = {_variable(section, key) for section, model in _sections() for key in model.model_fields}
    for variable in sorted(os.environ):
        if variable.startswith(ENV_PREFIX) and ENV_DELIMITER in variable and variable not in known:
            yield f"environment: {variable} names no setting"


def _not_sections(in_file: Mapping[str, Any], file: Path | None) -> Iterator[str]:
    """Report a section that is not a table, which pydantic-settings ignores."""
    for section, _ in _sections():
        if not isinstance(in_file.get(section, {}), Mapping):
            yield f"{file}: {section}: must be a table, [{section}], with its settings below it"
        variable = f"{ENV_PREFIX}{section}".upper()
        with suppress(ValueError):  # what is no JSON is told elsewhere
            if not isinstance(json.loads(os.environ.get(variable, "{}")), Mapping):
                yield f'environment {variable}: must be an object, as in {{"key": 1}}'


def _unreadable_variables() -> Iterator[str]:
    """Report variables of lists and of whole sections that are not the JSON that pydantic-settings expects."""
    for section, model in _sections():
        wanted = {f"{ENV_PREFIX}{section}".upper(): 'an object, as in {"key": 1}'}
        for key, field in model.model_fields.items():
            if typing.get_origin(field.annotation) is tuple:
                wanted[_variable(section, key)] = 'a list of texts, as in ["a", "b"]'
        for variable, form in wanted.items():
            try:
                json.loads(os.environ.get(variable, "null"))
            except ValueError:
                yield f"environment {variable}: not JSON (allowed: {form})"


def _variable(section: str, key: str) -> str:
    return f"{ENV_PREFIX}{section}{ENV_DELIMITER}{key}".upper()


def _problem(entry: Any, flags: Mapping[str, Any], in_file: Mapping[str, Any], file: Path | None) -> str:
    """Returns a line for the operator about a finding of pydantic: its origin, key and what is allowed; never the
    value."""
    section, key = (*(str(part) for part in entry["loc"][:2]), "", "")[:2]
    models = dict(_sections())
    if key in flags.get(section, {}) or (not key and section in flags):
        source = "flag"
    elif _variable(section, key) in os.environ:
        source = f"environment {_variable(section, key)}"
    else:
        known = in_file.get(section) if key else in_file
        source = str(file) if file is not None and known is not None else "settings"
    place = f"{source}: [{section}]" + (f" {key}" if key else "")
    if section not in models:
        return f"{place}: there is no such section; there are: {', '.join(models)}"
    if not key:
        return f"{place}: {entry['msg'].removeprefix('Value error, ')}"
    if key not in models[section].model_fields:
        return f"{place}: there is no such key; there are: {', '.join(models[section].model_fields)}"
    return f"{place}: {entry['msg']} (allowed: {allowed(models[section].model_fields[key])})"


def allowed(field: FieldInfo) -> str:
    """Returns the values that a setting takes, in words."""
    kind = field.annotation
    arguments = [argument for argument in typing.get_args(kind) if argument is not types.NoneType]
    if typing.get_origin(kind) is Literal:
        return " or ".join(str(argument) for argument in arguments)
    if typing.get_origin(kind) is tuple:
        return "a list of texts"
    bounds = {type(entry): entry for entry in field.metadata}
    low = bounds[Ge].ge if Ge in bounds else bounds[Gt].gt if Gt in bounds else None
    high = bounds[Le].le if Le in bounds else bounds[Lt].lt if Lt in bounds else None
    words = {bool: "true or false", int: "a whole number", float: "a number"}.get(kind, "a text")  # type: ignore[arg-type]
    if low is not None and high is not None:
        return f"{words} from {low} to {high}"
    if low is not None:
        return f"{words} of at least {low}"
    return words


def example_toml() -> str:
    """Returns the annotated file: every key with its default, its meaning and what it takes."""
    lines = [
        "# Settings of the Omnilude service, with their defaults. Copy what you change into omnilude.toml.",
        "# Each can be given in the environment too: OMNILUDE_SERVER__PORT=7000 is port of [server].",
    ]
    for section, model in _sections():
        about = Settings.model_fields[section].description or (model.__doc__ or "").strip().splitlines()[0]
        lines += ["", f"# {about}", f"[{section}]"]
        for key, field in model.model_fields.items():
            described = f"{field.description} ({allowed(field)})" if _has_range(field) else str(field.description)
            lines += textwrap.wrap(described, 108, initial_indent="# ", subsequent_indent="# ")
            lines.append(f"{key} = {_toml(field.default)}")
    return "\n".join(lines) + "\n"


def _has_range(field: FieldInfo) -> bool:
    return bool(field.metadata) and field.annotation in (int, float)


def _toml(value: Any) -> str:
    if value is None:
        return '""'
    if isinstance(value, tuple):
        return json.dumps(list(value))
    return json.dumps(str(value) if isinstance(value, Path) else value)
