"""The running service: packs, store and host behind a gRPC server, from its start to a graceful shutdown.

The shutdown goes in this order: health reports NOT_SERVING, streams are ended, calls under way finish and new ones are
refused, idle connections are closed, the host's writes finish, the store is closed.
"""

from __future__ import annotations

import asyncio
import gc
import secrets
import signal
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import grpc
from grpc_channelz.v1 import channelz
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from engine_service.addresses import host_port
from engine_service.config import ConfigError, Settings
from engine_service.hosting.host import MatchHost
from engine_service.isolation.games import Isolation, isolate
from engine_service.listening import CannotListen, bind, bind_own
from engine_service.log.replay import SigningKey
from engine_service.matches.tokens import SECRET_BYTES, BadSecret, load_or_create_secret
from engine_service.memory import return_freed_memory
from engine_service.observability.logs import configure_logging, get_logger
from engine_service.observability.metrics import Metrics
from engine_service.observability.traces import Traces
from engine_service.observability.watchdog import Watchdog
from engine_service.pack_guard import ProcessLost
from engine_service.rpc.auth import ApiToken
from engine_service.rpc.catalog import CatalogService
from engine_service.rpc.connections import Connections
from engine_service.rpc.fair_queue import FairQueue
from engine_service.rpc.interceptor import ErrorInterceptor
from engine_service.rpc.match import MatchService
from engine_service.rpc.packs import PackServices
from engine_service.rpc.play.service import PlayService
from engine_service.rpc.simulation import SimulationService
from engine_service.rpc.streams import StreamSettings
from engine_service.rpc.symbols import SymbolPool
from engine_service.rpc.watch import Watchers
from engine_service.store.base import CannotOpen, Store, StoreUnavailable
from engine_service.store.memory import MemoryStore
from engine_service.store.sqlite import SqliteStore
from gamepacks.api.cards import CardFileError
from gamepacks.api.errors import PackError
from gamepacks.api.registry import Registry
from omnilude.v1 import (
    catalog_pb2,
    catalog_pb2_grpc,
    match_service_pb2,
    match_service_pb2_grpc,
    play_service_pb2,
    simulation_service_pb2,
)

if TYPE_CHECKING:
    from engine_service.web.server import HttpServer

SERVICES = tuple(
    file.DESCRIPTOR.services_by_name[name].full_name
    for file, name in (
        (catalog_pb2, "CatalogService"),
        (match_service_pb2, "MatchService"),
        (play_service_pb2, "PlayService"),
        (simulation_service_pb2, "SimulationService"),
    )
)
HARD_MESSAGE_FACTOR = 4
"""gRPC itself refuses a message longer than this multiple of the limit, without reading it and without details."""
HARD_RPC_FACTOR = 2
QUIET_SECONDS = 0.1
"""Time without calls after which gRPC is stopped at shutdown."""
LAST_ANSWERS_SECONDS = 0.5
"""Time for the last answers to reach the clients before connections are closed."""
CLIENT_PING_MS = 10_000
"""Minimum interval at which clients may send pings."""

log = get_logger("engine_service.server")


class CannotStart(RuntimeError):
    """The service cannot start; the message says why, for the operator."""


class Server:
    """One running service. Start it with :meth:`start`, end it with :meth:`stop`."""

    target: str
    """Address for clients: ``127.0.0.1:7878`` or ``unix:/run/omnilude.sock``."""
    metrics_port: int | None
    """Port of the metrics; None if they are off."""
    url: str | None
    """Address for browsers: ``http://127.0.0.1:7880``; None if HTTP is off."""
    services: tuple[str, ...]
    """Full names of all services, including those of packs."""

    def __init__(
        self,
        settings: Settings,
        registry: Registry,
        host: MatchHost,
        metrics: Metrics,
        isolation: Isolation,
        traces: Traces,
    ) -> None:
        """Build the gRPC server, which does not listen yet. Use :meth:`start`."""
        self._isolation = isolation
        self._traces = traces
        self.settings = settings
        self.registry = registry
        self.host = host
        self.metrics = metrics
        self.metrics_port = None
        self.url = None
        self._loss_task: asyncio.Task[None] | None = None
        self.health = health.aio.HealthServicer()
        self._packs = PackServices(registry, host)
        self.services = (*SERVICES, *self._packs.names)
        self._connections = Connections(
            settings.server.max_concurrent_rpcs,
            settings.server.max_rpcs_per_peer,
            settings.server.max_rpcs_per_connection,
            settings.server.refused_rpcs_per_second,
        )
        api_token = ApiToken(settings.auth.api_token)
        self._interceptor = ErrorInterceptor(
            metrics,
            self._connections,
            FairQueue(settings.limits.max_lag_ms),
            settings.server.max_message_bytes,
            settings.server.max_request_entries,
            api_token,
            self._packs.names,
        )
        streams = StreamSettings(
            heartbeat_seconds=settings.server.heartbeat_seconds,
            stall_seconds=settings.server.stall_seconds,
            max_channels=settings.server.max_stream_channels,
            max_entries=settings.server.max_request_entries,
        )
        version = engine_version()
        self._watchers = Watchers(streams, settings.limits)
        self._play = PlayService(host, api_token, streams, version)
        self._simulations = SimulationService(host, registry, api_token, streams, settings.server.max_message_bytes)
        self._grpc = grpc.aio.server(
            interceptors=[self._interceptor],
            options=_options(settings),
            maximum_concurrent_rpcs=HARD_RPC_FACTOR * settings.server.max_concurrent_rpcs,
        )
        self._catalog = CatalogService(registry, settings.limits, version, host.signing_key)
        self._matches = MatchService(host, api_token, self._watchers, streams)
        self._add_servicers(self._grpc)
        self._http: HttpServer | None = None
        if settings.http.enabled:
            # Imported here, because a service without HTTP starts a tenth faster without it.
            from engine_service.web.connect import ConnectServices, HandlerTable
            from engine_service.web.server import HttpServer

            table = HandlerTable()
            self._add_servicers(table)
            services = ConnectServices(
                table,
                (*self.services, health.SERVICE_NAME),
                self._interceptor,
                HARD_MESSAGE_FACTOR * settings.server.max_message_bytes,
            )
            self._http = HttpServer(settings.http, settings.server, services)
        if settings.server.channelz:
            channelz.add_channelz_servicer(self._grpc)
        if settings.server.reflection:
            reflection.enable_server_reflection(
                (*self.services, health.SERVICE_NAME, reflection.SERVICE_NAME),
                self._grpc,
                SymbolPool(),  # type: ignore[arg-type]  # reflection uses only its symbols and files
            )
        self._register_metrics()

    @classmethod
    async def start(
        cls,
        settings: Settings,
        registry: Registry | None = None,
        store: Store | None = None,
        *,
        accept_loss: bool = False,
    ) -> Self:
        """Load the packs and open the store, unless they are given, and accept calls. Raises CannotStart.

        ``accept_loss``: start even if the database has lost data.
        """
        metrics, traces = Metrics(), Traces(settings.traces, engine_version())
        loaded = _load_packs(settings) if registry is None else registry
        keys = {setting: _load_key(settings, setting) for setting in KEY_SETTINGS}
        lost = asyncio.Event()
        if store is None:
            store = await _open_store(settings, metrics, accept_loss, lost.set, keys)
        try:
            packs, isolation = await asyncio.to_thread(_isolate, settings, loaded)
        except CannotStart:
            metrics.close()
            await store.close()
            raise
        host = MatchHost(
            packs,
            store,
            secret=keys["secret_key"],
            signing_key=SigningKey(keys["signing_key"]),
            limits=settings.limits,
            engine_version=engine_version(),
            keep_ended_days=settings.store.keep_ended_days,
        )
        server = cls(settings, packs, host, metrics, isolation, traces)
        try:
            await server._listen()
        except BaseException:
            metrics.close()
            if server._http is not None:
                await server._http.stop(0)
            await server._grpc.stop(None)
            await host.close()
            isolation.close()
            traces.close()
            raise
        server._loss_task = asyncio.create_task(server._report_loss(lost))
        return server

    async def stop(self, grace: float | None = None) -> None:
        """Shut down gracefully: calls under way have ``grace`` seconds (None: as configured) to finish."""
        if grace is None:
            grace = self.settings.server.grace_seconds
        log.info("shutting down", streams=self.streams, calls=self._interceptor.active)
        loop = asyncio.get_running_loop()
        end = loop.time() + grace
        # The interceptor refuses new calls with a reason; gRPC itself would end them with a bare CANCELLED.
        self._interceptor.closing = True
        self._connections.close()
        if self._loss_task is not None:
            self._loss_task.cancel()
        await self.health.enter_graceful_shutdown()
        self._watchers.streams.shut_down()
        self._play.streams.shut_down()
        self._simulations.streams.shut_down()
        self._matches.shut_down()
        await self._interceptor.wait_until_quiet(QUIET_SECONDS, grace)
        # The connections and streams that are still open are idle: silent ones, health watches and reflection.
        seconds = min(LAST_ANSWERS_SECONDS, max(0.0, end - loop.time()))
        if self._http is not None:
            await self._http.stop(seconds)
        await self._grpc.stop(seconds)
        # gRPC does not wait for handlers that have sent their status already.
        await self._interceptor.wait_until_idle(max(0.0, end - loop.time()))
        self._packs.close()
        await self._simulations.close()
        await self.host.drain(grace)
        await self.host.close()
        await asyncio.to_thread(self._isolation.close)
        await asyncio.to_thread(self._traces.close)
        self.metrics.close()
        log.info("shut down")

    @property
    def streams(self) -> int:
        """Number of open streams: watch, play and simulation streams."""
        return len(self._watchers.streams) + len(self._play.streams) + len(self._simulations.streams)

    async def _report_loss(self, lost: asyncio.Event) -> None:
        """Report NOT_SERVING by the health service once the store is lost."""
        await lost.wait()
        await self.health.enter_graceful_shutdown()

    async def _listen(self) -> None:
        await self.host.start()
        try:
            self.target = bind(self._grpc, self.settings.server)
            own_address = bind_own(self._grpc, self.settings.server)
        except CannotListen as error:
            raise CannotStart(f"[server]: {error}") from error
        for service in ("", *self.services):
            await self.health.set(service, health_pb2.HealthCheckResponse.SERVING)
        for pack in self.registry.packs:
            await self.health.set(f"packs/{pack.name}", health_pb2.HealthCheckResponse.SERVING)
        for broken in self.registry.broken:
            await self.health.set(f"packs/{broken.pack}", health_pb2.HealthCheckResponse.NOT_SERVING)
            log.warning("pack left out", pack=broken.pack, error=broken.error, at=broken.where)
        for cards in self.registry.broken_cards:
            log.warning("card file left out", file=str(cards.path), faults=[str(fault) for fault in cards.faults])
        if self.settings.metrics.enabled:
            try:
                self.metrics_port = self.metrics.serve(self.settings.metrics.address, self.settings.metrics.port)
            except (OSError, UnicodeError) as error:
                where = host_port(self.settings.metrics.address, self.settings.metrics.port)
                why = error.strerror if isinstance(error, OSError) else "no such name"
                raise CannotStart(f"[metrics]: cannot listen on {where}: {why}") from error
        if self._http is not None:
            try:
                self._http.start()
            except CannotListen as error:
                raise CannotStart(f"[http]: {error}") from error
            self.url = self._http.url
        self.host.set_own_addresses(own_address, "" if self._http is None else self._http.own_url)
        await self._grpc.start()
        log.info(
            "listening",
            target=self.target,
            url=self.url,
            metrics_port=self.metrics_port,
            games=list(self.registry.games),
            broken_packs=len(self.registry.broken),
        )

    def _add_servicers(self, registrar: Any) -> None:
        """Register all servicers with the gRPC server or with the table of handlers for HTTP."""
        catalog_pb2_grpc.add_CatalogServiceServicer_to_server(self._catalog, registrar)
        match_service_pb2_grpc.add_MatchServiceServicer_to_server(self._matches, registrar)
        self._play.add_to(registrar)
        self._simulations.add_to(registrar)
        self._packs.add_to(registrar)
        health_pb2_grpc.add_HealthServicer_to_server(self.health, registrar)

    def _register_metrics(self) -> None:
        stats, metrics = self.host.stats, self.metrics
        metrics.gauge("omnilude_live_matches", "Matches in memory.", lambda: self.host.live_count)
        metrics.gauge("omnilude_watch_streams", "Open watch streams.", lambda: len(self._watchers.streams))
        metrics.gauge("omnilude_play_streams", "Open play streams.", lambda: len(self._play.streams))
        metrics.gauge("omnilude_simulation_streams", "Open simulation streams.", lambda: len(self._simulations.streams))
        metrics.gauge("omnilude_simulation_states", "Open states of simulations.", lambda: self._simulations.states)
        metrics.gauge("omnilude_rpcs_active", "Calls and streams under way.", lambda: self._interceptor.active)
        metrics.gauge("omnilude_broken_packs", "Installed packs that were left out.", lambda: len(self.registry.broken))
        metrics.counter(
            "omnilude_isolated_processes_lost",
            "Processes of isolated packs that ended in a call or had to be ended.",
            lambda: self._isolation.processes_lost,
        )
        for name, documentation in (
            ("matches_created", "Matches created."),
            ("matches_ended", "Matches ended, for any reason."),
            ("matches_deleted", "Matches deleted by the operator or after their retention time."),
            ("matches_loaded", "Matches loaded from the store."),
            ("matches_unloaded", "Matches evicted from memory."),
            ("actions", "Actions of players and bots."),
            ("chance_outcomes", "Outcomes of chance."),
            ("refused_actions", "Illegal actions that were refused."),
            ("bot_decisions", "Decisions of service bots."),
            ("bot_failures", "Failed decisions of service bots, including time-outs."),
            ("time_outs", "Seats that ran out of time."),
            ("pack_faults", "Matches ended by a fault of their pack."),
            ("store_failures", "Failed writes to the store."),
            ("simulation_requests", "Requests of simulation streams."),
            ("simulation_refusals", "Refused requests of simulation streams."),
            ("simulation_steps", "Actions and outcomes applied in simulations, including play-outs."),
            ("simulation_cpu_s", "Processor time of simulations, in seconds."),
            ("simulation_workers_lost", "Simulation processes that ended or had to be ended."),
            ("pack_timeouts", "Calls of packs that exceeded their time limit."),
        ):
            metrics.counter(f"omnilude_{name}", documentation, lambda name=name: getattr(stats, name))  # type: ignore[misc]


async def serve(
    settings: Settings,
    on_ready: Callable[[Server], None] | None = None,
    registry: Registry | None = None,
    *,
    accept_loss: bool = False,
) -> None:
    """Run the service until SIGTERM or SIGINT, then shut down gracefully. Raises CannotStart."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    server = await Server.start(settings, registry, accept_loss=accept_loss)
    watchdog = Watchdog(settings.limits.rules_timeout_s, server.host.stats)
    watchdog.start()
    returning = asyncio.create_task(return_freed_memory())
    try:
        if on_ready is not None:
            on_ready(server)
        await stopped.wait()
    finally:
        returning.cancel()
        await server.stop()
        watchdog.stop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


def run(settings: Settings, on_ready: Callable[[Server], None] | None = None, *, accept_loss: bool = False) -> None:
    """Configure the log and run :func:`serve` on a new event loop; prints to standard output when it listens."""
    configure_logging(settings.log)
    _tune_garbage_collection()
    with asyncio.Runner(loop_factory=_loop_factory(settings)) as runner:
        runner.run(serve(settings, on_ready or _print_start_lines, accept_loss=accept_loss))


def _tune_garbage_collection() -> None:
    """Run full garbage collections less often than by default.

    A full collection traverses thousands of live matches, and hardly any object here is in a reference cycle.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def engine_version() -> str:
    """Returns the version of the installed distribution."""
    return metadata.version("omnilude")


def start_lines(server: Server) -> str:
    """Returns the lines that are printed when the service accepts calls."""
    return f"listening on {server.target}" + ("" if server.url is None else f"\nfor browsers: {server.url}")


def _print_start_lines(server: Server) -> None:
    print(start_lines(server), flush=True)


def _loop_factory(settings: Settings) -> Callable[[], asyncio.AbstractEventLoop] | None:
    if not settings.server.uvloop:
        return None
    try:
        import uvloop
    except ImportError:
        raise ConfigError(["[server] uvloop: uvloop is not installed; pip install omnilude[uvloop]"]) from None
    return uvloop.new_event_loop


def _load_packs(settings: Settings) -> Registry:
    packs = settings.packs
    try:
        return Registry.load(
            packs.only or None,
            packs.without,
            strict=packs.strict,
            card_sets=map(Path, packs.card_sets),
            probe_s=packs.load_timeout_s,
        )
    except PackError as error:
        raise CannotStart(f"[packs]: {error}") from error
    except CardFileError as error:
        raise CannotStart(f"[packs] card_sets: {error}") from error


def _isolate(settings: Settings, registry: Registry) -> tuple[Registry, Isolation]:
    try:
        return isolate(registry, settings.packs.isolated, settings.limits)
    except (PackError, ProcessLost) as error:
        raise CannotStart(f"[packs] isolated: {error}") from error


KeySetting = Literal["secret_key", "signing_key"]
KEY_SETTINGS: tuple[KeySetting, ...] = ("secret_key", "signing_key")


def _load_key(settings: Settings, setting: KeySetting) -> bytes:
    """Returns the key in the file of a setting; a new one if it has no file. Raises CannotStart."""
    path = settings.store.key_file(setting)
    if path is None:
        return secrets.token_bytes(SECRET_BYTES)
    if not path.parent.is_dir():
        named = setting if getattr(settings.store, setting) is not None else "path"
        raise CannotStart(f"[store] {named}: {path.parent} is not a folder")
    try:
        return load_or_create_secret(path)
    except BadSecret as error:
        raise CannotStart(f"[store] {setting}: {error}") from error
    except OSError as error:
        # The file that the error names is a temporary one.
        raise CannotStart(f"[store] {setting}: {path}: {error.strerror or error}") from error


async def _open_store(
    settings: Settings, metrics: Metrics, accept_loss: bool, on_loss: Callable[[], None], keys: dict[KeySetting, bytes]
) -> Store:
    """Open the configured store; keys that are in no file are replaced by those in the database. Raises CannotStart."""
    store = settings.store
    if store.in_memory:
        return MemoryStore()
    if store.url is not None:
        return await _open_postgres(settings, store.url, metrics, keys)
    try:
        return await SqliteStore.open(
            store.path,
            durability=store.durability,
            accept_loss=accept_loss,
            on_commit=metrics.commit,
            on_loss=on_loss,
        )
    except CannotOpen as error:
        raise CannotStart(f"[store] path: {error}") from error


async def _open_postgres(settings: Settings, url: str, metrics: Metrics, keys: dict[KeySetting, bytes]) -> Store:
    try:
        from engine_service.store.postgres import PostgresStore
    except ImportError:
        raise CannotStart("[store] url: psycopg is not installed; pip install omnilude[postgres]") from None
    try:
        opened = await PostgresStore.open(url, settings.store.durability, on_commit=metrics.commit)
    except CannotOpen as error:
        raise CannotStart(f"[store] url: {error}") from error
    try:
        for setting in keys:
            if settings.store.key_file(setting) is None:
                keys[setting] = await opened.secret(setting, SECRET_BYTES)
    except StoreUnavailable as error:
        await opened.close()
        raise CannotStart(f"[store] url: {error}") from error
    return opened


def _options(settings: Settings) -> list[tuple[str, int]]:
    server = settings.server
    return [
        ("grpc.max_receive_message_length", HARD_MESSAGE_FACTOR * server.max_message_bytes),
        ("grpc.max_send_message_length", -1),
        # A client at this limit waits before it sends, which costs the service nothing.
        ("grpc.max_concurrent_streams", server.max_rpcs_per_connection),
        # Otherwise gRPC ends many simultaneous calls with a bare CANCELLED before the service sees them.
        ("grpc.server.max_pending_requests", HARD_RPC_FACTOR * server.max_concurrent_rpcs),
        ("grpc.server.max_pending_requests_hard_limit", HARD_RPC_FACTOR * server.max_concurrent_rpcs),
        # It is off by default, or else a second service would silently share the port.
        ("grpc.so_reuseport", int(server.shared_port)),
        ("grpc.keepalive_time_ms", round(server.keepalive_seconds * 1000)),
        ("grpc.keepalive_timeout_ms", 20_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", CLIENT_PING_MS),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", CLIENT_PING_MS),
        ("grpc.enable_channelz", int(server.channelz)),
    ]
