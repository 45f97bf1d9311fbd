"""Configuration of the service: a TOML file, environment variables and flags.

Each source overrides those before it: defaults, the file (``omnilude.toml`` in the working directory, or the one
named), the environment (``OMNILUDE_SERVER__PORT=7000`` for ``port`` of ``[server]``), flags. :class:`ConfigError` names
the source and the key of every unknown or invalid value, and the allowed values. :func:`example_toml` generates the
annotated file of all keys and their defaults from the models below.
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
    """The configuration is invalid; ``problems`` has one line for each fault."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


def _empty_is_none(value: Any) -> Any:
    return None if value == "" else value


OptionalPath = Annotated[Path | None, BeforeValidator(_empty_is_none)]
OptionalText = Annotated[str | None, BeforeValidator(_empty_is_none)]


class Section(BaseModel):
    """Base class of the sections, which are the tables of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class ServerSettings(Section):
    """Addresses at which the service listens, and limits of its connections."""

    address: Address = Field("127.0.0.1", description="Address to listen on; 0.0.0.0 or :: means every interface.")
    port: int = Field(
        7878, ge=0, le=65535, description="Port to listen on; 0 chooses a free one, which the start-up line names."
    )
    unix_socket: OptionalPath = Field(None, description="Listen on this Unix socket instead of a port.")
    shared_port: bool = Field(
        False,
        description="Let other services of the same user listen on the same port and HTTP port, if they set this as "
        "well; the operating system spreads new connections over them (SO_REUSEPORT).",
    )
    own_address: OptionalText = Field(
        None,
        pattern=r"^.+:[0-9]{1,5}$",
        description="host:port at which clients reach this service and none of the others that share its database; the "
        "service listens on that port as well (0 chooses a free one). If this is empty while others share the "
        "database, the service creates no ephemeral matches, because only this service could serve them.",
    )
    tls_certificate: OptionalPath = Field(None, description="PEM file of the certificate chain; empty: no TLS.")
    tls_key: OptionalPath = Field(None, description="PEM file of the private key of tls_certificate.")
    tls_client_ca: OptionalPath = Field(
        None,
        description="PEM file of the certificate authorities that issue the certificates of clients (mutual TLS); "
        "empty: clients need no certificate.",
    )
    max_message_bytes: int = Field(
        4_194_304,
        ge=65_536,
        le=268_435_456,
        description="Maximum size of a message, in bytes; a longer one is refused with LIMIT_REACHED. gRPC itself "
        "refuses a message of more than four times this size without reading it.",
    )
    max_request_entries: int = Field(
        20_000,
        ge=1_000,
        le=1_000_000,
        description="Maximum number of entries of all repeated fields of one request together; beyond it, the request "
        "is refused with LIMIT_REACHED.",
    )
    max_concurrent_rpcs: int = Field(
        10_000,
        ge=1,
        le=1_000_000,
        description="Maximum number of concurrent calls and streams; further ones are refused with LIMIT_REACHED. A "
        "fifth of this limit and of the next two is reserved for callers that send a token.",
    )
    max_rpcs_per_peer: int = Field(
        6_000,
        ge=1,
        le=1_000_000,
        description="Maximum number of concurrent calls and streams from one IPv4 address or one IPv6 /64 network; "
        "further ones are refused with LIMIT_REACHED. Raise this limit if clients connect through a proxy.",
    )
    max_rpcs_per_connection: int = Field(
        2_000,
        ge=1,
        le=1_000_000,
        description="Maximum number of concurrent calls and streams on one connection; clients wait before they send "
        "more.",
    )
    refused_rpcs_per_second: int = Field(
        50,
        ge=1,
        le=1_000_000,
        description="Calls per second that the service handles on a connection whose calls are mostly refused; other "
        "connections are not throttled.",
    )
    max_stream_channels: int = Field(
        20_000,
        ge=1,
        le=1_000_000,
        description="Maximum number of seats that one play stream plays at once; beyond it, LIMIT_REACHED.",
    )
    stall_seconds: float = Field(
        30.0,
        ge=0.05,
        le=3600.0,
        description="Time after which a watch or play stream ends with SLOW_CONSUMER if its client reads nothing.",
    )
    heartbeat_seconds: float = Field(
        15.0, ge=0.01, le=600.0, description="Maximum time between two messages on a watch or play stream."
    )
    keepalive_seconds: float = Field(
        60.0,
        ge=1.0,
        le=7200.0,
        description="Interval at which the service pings silent connections to detect dead ones.",
    )
    grace_seconds: float = Field(
        10.0, ge=0.0, le=600.0, description="Time that calls under way have to finish at shutdown."
    )
    reflection: bool = Field(
        True, description="Serve gRPC reflection, so that tools such as grpcurl work without .proto files."
    )
    channelz: bool = Field(
        False,
        description="Serve gRPC channelz (counters, and connections with the addresses of clients) to everyone who can "
        "connect.",
    )
    uvloop: bool = Field(False, description="Run on uvloop (pip install omnilude[uvloop]).")

    @model_validator(mode="after")
    def _check_tls(self) -> ServerSettings:
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate and tls_key must be set together")
        if self.tls_client_ca is not None and self.tls_certificate is None:
            raise ValueError("tls_client_ca needs tls_certificate and tls_key")
        for path in (self.tls_certificate, self.tls_key, self.tls_client_ca):
            if path is not None and not os.access(path, os.R_OK):
                raise ValueError(f"{path} cannot be read")
        return self


class StoreSettings(Section):
    """Storage of matches."""

    path: Path = Field(
        Path("omnilude.sqlite3"), description="File of the SQLite database; it is created if it does not exist."
    )
    url: OptionalText = Field(
        None,
        description=(
            "PostgreSQL database that stores matches instead of the file at path: postgresql://user@host/database "
            "(pip install omnilude[postgres])."
        ),
    )
    durability: Literal["full", "normal"] = Field(
        "full",
        description=(
            "full: an acknowledged action survives a power failure. normal: it survives a crash of the process, but "
            "a power failure may lose the newest writes."
        ),
    )
    in_memory: bool = Field(False, description="Keep everything in memory only; it is lost when the service stops.")
    keep_ended_days: int = Field(
        0,
        ge=0,
        le=36_500,
        description="Days of the service's uptime after which an ended match is deleted; 0: never.",
    )
    secret_key: OptionalPath = Field(
        None,
        description=(
            "File of 32 secret bytes from which tokens are derived; it is created if it does not exist. Empty: "
            "secret.key in the folder of the database file; with PostgreSQL, the key is stored in the database."
        ),
    )
    signing_key: OptionalPath = Field(
        None,
        description=(
            "File of 32 secret bytes, the private key that signs the replays of matches played here; it is created "
            "if it does not exist. Empty: signing.key in the folder of the database file; with PostgreSQL, the key is "
            "stored in the database."
        ),
    )

    def key_file(self, setting: Literal["secret_key", "signing_key"]) -> Path | None:
        """Returns the path of a key's file; None if the key is only in memory or in the PostgreSQL database."""
        named: Path | None = getattr(self, setting)
        if named is not None or self.in_memory or self.url is not None:
            return named
        return self.path.parent / f"{setting.removesuffix('_key')}.key"


class AuthSettings(Section):
    """Permissions to create matches."""

    api_token: OptionalText = Field(
        None,
        description=(
            "Token that a caller must send (metadata 'authorization: Bearer ...') to create, fork or import matches "
            "or to take a player's name. A caller that sends it counts as the operator, who may also cancel and delete "
            "any match. Empty: everyone may do the former, and there is no operator."
        ),
    )


class HttpSettings(Section):
    """HTTP for browsers: the page at /, and the services by Connect and gRPC-Web. TLS is configured in [server]."""

    enabled: bool = Field(True, description="Serve HTTP.")
    address: Address = Field("127.0.0.1", description="Address to listen on; 0.0.0.0 or :: means every interface.")
    port: int = Field(
        7880, ge=0, le=65535, description="Port to listen on; 0 chooses a free one, which the start-up line names."
    )
    own_address: OptionalText = Field(
        None,
        pattern=r"^.+:[0-9]{1,5}$",
        description="host:port at which browsers reach this service and none of the others that share its database; "
        "the service listens on that port as well (0 chooses a free one). Web clients are redirected to it for matches "
        "that only this service can serve.",
    )
    allowed_origins: tuple[str, ...] = Field(
        (),
        description='Origins of other sites whose pages may call the services, such as "https://example.org"; "*" '
        "allows every origin. The service's own pages are always allowed.",
    )
    allowed_hosts: tuple[str, ...] = Field(
        (),
        description='Host names under which browsers reach the service, such as "games.example.org"; ".example.org" '
        'includes its subdomains, "*" allows every name. IP addresses and localhost are always allowed.',
    )
    max_idle_connections: int = Field(
        1_000,
        ge=1,
        le=1_000_000,
        description="Maximum number of idle connections, which wait for a request; beyond it, the one that has been "
        "idle longest is closed.",
    )
    idle_seconds: float = Field(75.0, ge=0.05, le=3600.0, description="Time after which an idle connection is closed.")


class MetricsSettings(Section):
    """Prometheus metrics over HTTP, at /metrics."""

    enabled: bool = Field(True, description="Serve metrics.")
    address: Address = Field("127.0.0.1", description="Address to listen on; 0.0.0.0 or :: means every interface.")
    port: int = Field(7879, ge=0, le=65535, description="Port to listen on; 0 chooses a free one.")


class LogSettings(Section):
    """The log, on standard error."""

    level: Literal["debug", "info", "warning", "error"] = Field("info", description="Minimum severity to log.")
    format: Literal["console", "json"] = Field("console", description="console: for people; json: one object per line.")


class TraceSettings(Section):
    """OpenTelemetry traces of calls and writes, exported by OTLP over gRPC (pip install omnilude[otel])."""

    endpoint: OptionalText = Field(
        None, description='Address of the collector, such as "http://127.0.0.1:4317"; empty: no traces.'
    )
    sample_ratio: float = Field(
        1.0,
        ge=0.0,
        le=1.0,
        description="Fraction of traces to export; it applies to calls whose client has not made the sampling "
        "decision.",
    )
    service_name: str = Field("omnilude", min_length=1, description="Name of the service in the traces.")


class PackSettings(Section):
    """Packs to load, and additional card sets."""

    only: tuple[str, ...] = Field(
        (), description="Packs to load, by the name of their entry point; empty: all installed packs."
    )
    without: tuple[str, ...] = Field((), description="Packs not to load, by the name of their entry point.")
    strict: bool = Field(
        False, description="Refuse to start if a pack or a card file is broken, instead of leaving it out."
    )
    isolated: tuple[str, ...] = Field(
        (),
        description="Packs whose rules, quick bots, services and observers run in separate processes, by the name of "
        'their entry point; "all" selects all packs.',
    )
    load_timeout_s: int = Field(
        30,
        ge=1,
        le=3_600,
        description="Time limit for loading a pack, in seconds; a pack that exceeds it is left out. Packs that do not "
        "come with the engine are first loaded in a separate process.",
    )
    card_sets: tuple[str, ...] = Field(
        (),
        description=(
            "Files of additional card sets, and folders of such files. An option of the game selects a card set by its "
            "id."
        ),
    )


class Settings(BaseSettings):
    """All settings. :func:`load_settings` creates them and reports every fault."""

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
    limits: Limits = Field(
        Limits(), description="Limits of the service; a call that exceeds one is refused with LIMIT_REACHED."
    )
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
    """Load the configuration.

    ``file``: the TOML file; None means ``omnilude.toml`` in the working directory, if there is one. ``overrides``: the
    flags, such as ``{"server.port": 0}``. Raises :class:`ConfigError`.
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
            # The file was read above to report its errors; the source reads it again (0.1 ms) to merge it.
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
    """Returns the items of a list that was given as one string: ``a,b``, or JSON if an item contains a comma."""
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
            yield f"environment: {variable}: there is no such setting"


def _not_sections(in_file: Mapping[str, Any], file: Path | None) -> Iterator[str]:
    """Report sections that are not tables, which pydantic-settings ignores."""
    for section, _ in _sections():
        if not isinstance(in_file.get(section, {}), Mapping):
            yield f"{file}: {section}: must be a table, [{section}], with its settings in it"
        variable = f"{ENV_PREFIX}{section}".upper()
        with suppress(ValueError):  # invalid JSON is reported elsewhere
            if not isinstance(json.loads(os.environ.get(variable, "{}")), Mapping):
                yield f'environment {variable}: must be an object, as in {{"key": 1}}'


def _unreadable_variables() -> Iterator[str]:
    """Report variables of lists and of whole sections that are not JSON, which pydantic-settings expects."""
    for section, model in _sections():
        wanted = {f"{ENV_PREFIX}{section}".upper(): 'an object, as in {"key": 1}'}
        for key, field in model.model_fields.items():
            if typing.get_origin(field.annotation) is tuple:
                wanted[_variable(section, key)] = 'a list of strings, as in ["a", "b"]'
        for variable, form in wanted.items():
            try:
                json.loads(os.environ.get(variable, "null"))
            except ValueError:
                yield f"environment {variable}: not JSON (allowed: {form})"


def _variable(section: str, key: str) -> str:
    return f"{ENV_PREFIX}{section}{ENV_DELIMITER}{key}".upper()


def _problem(entry: Any, flags: Mapping[str, Any], in_file: Mapping[str, Any], file: Path | None) -> str:
    """Returns a line about an error of pydantic: the source, the key and what is allowed; never the value."""
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
    """Returns a description of the allowed values of a setting."""
    kind = field.annotation
    arguments = [argument for argument in typing.get_args(kind) if argument is not types.NoneType]
    if typing.get_origin(kind) is Literal:
        return " or ".join(str(argument) for argument in arguments)
    if typing.get_origin(kind) is tuple:
        return "a list of strings"
    bounds = {type(entry): entry for entry in field.metadata}
    low = bounds[Ge].ge if Ge in bounds else bounds[Gt].gt if Gt in bounds else None
    high = bounds[Le].le if Le in bounds else bounds[Lt].lt if Lt in bounds else None
    words = {bool: "true or false", int: "a whole number", float: "a number"}.get(kind, "a string")  # type: ignore[arg-type]
    if low is not None and high is not None:
        return f"{words} from {low} to {high}"
    if low is not None:
        return f"{words} of at least {low}"
    return words


def example_toml() -> str:
    """Returns an annotated configuration file: every key with its default, meaning and allowed values."""
    lines = [
        "# Settings of the Omnilude service, with their defaults. Copy those that you change into omnilude.toml.",
        "# Environment variables override the file: OMNILUDE_SERVER__PORT=7000 sets port of [server].",
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
