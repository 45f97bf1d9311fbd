# syntax=docker/dockerfile:1
# The service with the stores and traces that it can use. Build it from the folder of this file:
#     docker build -t omnilude .

ARG PYTHON=3.13

FROM python:${PYTHON}-slim-bookworm AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev make && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN make wheel PYTHON=python3
RUN python3 -m venv /opt/omnilude \
    && wheel="$(ls dist/omnilude-[0-9]*.whl)" \
    && /opt/omnilude/bin/pip install --no-cache-dir --no-compile --find-links dist "${wheel}[postgres,otel,uvloop]" \
    && /opt/omnilude/bin/pip uninstall -y pip \
    && find /opt/omnilude -name '*.so' -exec strip --strip-unneeded {} + \
    && find /opt/omnilude -depth -type d -name __pycache__ -exec rm -rf {} +

FROM python:${PYTHON}-slim-bookworm
LABEL org.opencontainers.image.title="Omnilude" \
    org.opencontainers.image.description="Game-engine service: matches over gRPC" \
    org.opencontainers.image.licenses="MIT"
COPY --from=build /opt/omnilude /opt/omnilude
RUN useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin omnilude \
    && install -d -o omnilude -g omnilude /var/lib/omnilude
ENV PATH=/opt/omnilude/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    OMNILUDE_SERVER__ADDRESS=0.0.0.0 \
    OMNILUDE_HTTP__ADDRESS=0.0.0.0 \
    OMNILUDE_METRICS__ADDRESS=0.0.0.0 \
    OMNILUDE_STORE__PATH=/var/lib/omnilude/omnilude.sqlite3 \
    OMNILUDE_LOG__FORMAT=json
WORKDIR /var/lib/omnilude
VOLUME /var/lib/omnilude
USER 10001:10001
# gRPC, metrics, HTTP for browsers.
EXPOSE 7878 7879 7880
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["omnilude", "health"]
ENTRYPOINT ["omnilude"]
CMD ["serve"]
