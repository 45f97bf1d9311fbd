"""OpenTelemetry traces of calls and writes, exported by OTLP.

The span of a call contains spans of its write, the plan, the store and the notification of listeners.

OpenTelemetry is imported only if traces are configured. Attributes are names of methods, matches and games, and error
reasons; tokens, codes, labels and messages are left out because they may be secret. For the same reason exceptions are
not recorded.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from grpc import StatusCode

from engine_service.config import ConfigError, TraceSettings
from engine_service.errors import EngineError

FLUSH_MS = 5_000
"""Time limit for exporting the remaining spans at shutdown."""
EXPORT_TIMEOUT_S = 5
PROPAGATED = ("traceparent", "tracestate")
"""Metadata of a call by which a client names the span that it belongs to."""

RecordStatus = Callable[[StatusCode, str], None]
"""Records the status of a call and its error reason ("" for none)."""

_NO_SPAN = nullcontext()
_tracer: Any = None


def span(name: str, **attributes: str | bool) -> AbstractContextManager[object]:
    """Returns a context manager for a span of the current trace; it does nothing if traces are off."""
    return _NO_SPAN if _tracer is None else _span(name, attributes)


def call_span(method: str, context: Any) -> AbstractContextManager[RecordStatus | None]:
    """Returns a context manager for the span of a call of ``/package.Service/Method``.

    ``context`` is the gRPC context of the call. The context manager yields a function to call at the end of the call,
    or None if traces are off.
    """
    return _NO_SPAN if _tracer is None else _call_span(method, context)


@contextmanager
def _span(name: str, attributes: dict[str, str | bool]) -> Iterator[None]:
    from opentelemetry.trace import Status, StatusCode

    named = {f"omnilude.{key}": value for key, value in attributes.items()}
    with _tracer.start_as_current_span(
        name, attributes=named, record_exception=False, set_status_on_exception=False
    ) as current:
        try:
            yield
        except BaseException as error:
            current.set_status(Status(StatusCode.ERROR))
            current.set_attribute(
                "error.type", error.reason if isinstance(error, EngineError) else type(error).__name__
            )
            raise


@contextmanager
def _call_span(method: str, context: Any) -> Iterator[RecordStatus]:
    from opentelemetry.trace import SpanKind, Status
    from opentelemetry.trace import StatusCode as SpanStatus
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    metadata = context.invocation_metadata() or ()
    carrier = {key: value for key, value in metadata if key in PROPAGATED and isinstance(value, str)}
    service, _, name = method[1:].partition("/")
    with _tracer.start_as_current_span(
        method[1:],
        context=TraceContextTextMapPropagator().extract(carrier),
        kind=SpanKind.SERVER,
        attributes={"rpc.system": "grpc", "rpc.service": service, "rpc.method": name},
        record_exception=False,
        set_status_on_exception=False,
    ) as current:

        def ended(status: StatusCode, reason: str) -> None:
            current.set_attribute("rpc.grpc.status_code", status.value[0])
            if reason:
                current.set_attribute("error.type", reason)
            if status in (StatusCode.INTERNAL, StatusCode.UNKNOWN, StatusCode.UNAVAILABLE):
                current.set_status(Status(SpanStatus.ERROR))

        yield ended


class Traces:
    """Export of the traces of one process."""

    def __init__(self, settings: TraceSettings, version: str) -> None:
        """Start exporting if an endpoint is configured. Raises ConfigError if OpenTelemetry is not installed."""
        global _tracer
        self._provider: Any = None
        if settings.endpoint is None:
            return
        try:
            from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
            from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
        except ImportError:
            raise ConfigError(
                ["[traces] endpoint: OpenTelemetry is not installed; pip install omnilude[otel]"]
            ) from None
        resource = Resource.create(
            {
                "service.name": settings.service_name,
                "service.version": version,
                "service.instance.id": f"{socket.gethostname()}-{os.getpid()}",
            }
        )
        self._provider = TracerProvider(
            sampler=ParentBased(TraceIdRatioBased(settings.sample_ratio)), resource=resource, shutdown_on_exit=False
        )
        exporter = OTLPSpanExporter(
            settings.endpoint, insecure=not settings.endpoint.startswith("https://"), timeout=EXPORT_TIMEOUT_S
        )
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        _tracer = self._provider.get_tracer("engine_service", version)

    def close(self) -> None:
        """Export the remaining spans, and stop."""
        global _tracer
        if self._provider is not None:
            _tracer = None
            self._provider.force_flush(FLUSH_MS)
            self._provider.shutdown()
            self._provider = None
