"""The files for deployment: valid by their schemas and linters, and true of the service: every setting, command, port
and metric that they name exists."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import kubernetes_validate
import promql_parser
import pytest
import yaml
from dockerfile_parse import DockerfileParser
from typer.testing import CliRunner

from engine_service.config import (
    ENV_DELIMITER,
    ENV_PREFIX,
    HttpSettings,
    MetricsSettings,
    ServerSettings,
    Settings,
    load_settings,
)
from engine_service.matches.verify import verify
from engine_service.model import has_ended
from gamepacks.api.registry import Registry
from omnilude import AsyncClient, Open, ServiceBot, connection
from omnilude.errors import TokenMissing
from omnilude.v1 import match_pb2
from omnilude.v1 import match_service_pb2 as pb
from omnilude.v1.replay_pb2 import Replay
from omnilude_cli.main import app
from tests.repository.tree import tracked
from tests.support.games import sealed
from tests.support.postgres import database, postgres
from tests.support.server import ROOT, ServiceProcess, running_server

__all__ = ["database", "postgres"]

DEPLOY = ROOT / "deploy"
PORTS = {"grpc": ServerSettings().port, "metrics": MetricsSettings().port, "http": HttpSettings().port}
MANIFESTS = ("deployment", "service", "autoscaler", "disruption-budget", "secret.example")
NAME = r"[a-z_:][a-z0-9_:]*"


def documents(path: Path) -> list[Any]:
    return list(yaml.safe_load_all(path.read_text(encoding="utf-8")))


def manifest(name: str, kind: str) -> Any:
    found = [d for d in documents(DEPLOY / "kubernetes" / f"{name}.yaml") if d["kind"] == kind]
    return found[0]


COMPOSE = documents(DEPLOY / "compose.yaml")[0]["services"]
POD = manifest("deployment", "Deployment")["spec"]["template"]
(CONTAINER,) = POD["spec"]["containers"]


def dockerfile(tmp_path: Path) -> DockerfileParser:
    """The parser writes where it looks, so it is given a copy."""
    shutil.copy(ROOT / "Dockerfile", tmp_path)
    return DockerfileParser(str(tmp_path / "Dockerfile"))


def last_stage(tmp_path: Path) -> list[Mapping[str, str]]:
    lines = [line for line in dockerfile(tmp_path).structure if line["instruction"] != "COMMENT"]
    start = max(index for index, line in enumerate(lines) if line["instruction"] == "FROM")
    return lines[start:]


def check_environment(variables: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The settings that the service makes of variables. Raises ConfigError if one is unknown or out of range."""
    monkeypatch.delenv("OMNILUDE_HTTP__PORT", raising=False)
    for name, value in variables.items():
        if name.startswith(ENV_PREFIX):
            assert ENV_DELIMITER in name, name
            # As Compose does where no variable is set.
            monkeypatch.setenv(name, re.sub(r"\$\{\w+:-(.*)\}", r"\1", value))
    return load_settings()


# -- the image --------------------------------------------------------------------------------------------------------


def test_dockerfile_passes_its_linter() -> None:
    linter = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_image_runs_the_service_without_root_on_its_ports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = last_stage(tmp_path)
    values = {line["instruction"]: line["value"] for line in stage}
    assert values["USER"].split(":")[0].isdigit() and values["USER"] != "0:0"
    assert {int(port) for port in values["EXPOSE"].split()} == set(PORTS.values())
    (environment,) = (line["value"] for line in stage if line["instruction"] == "ENV")
    variables = dict(pair.split("=", 1) for pair in shlex.split(environment))
    settings = check_environment(variables, monkeypatch)
    assert {settings.server.address, settings.http.address, settings.metrics.address} == {"0.0.0.0"}
    assert str(settings.store.path).startswith(values["VOLUME"])
    check = values["HEALTHCHECK"].partition("CMD ")[2]
    for command in (json.loads(check), [*json.loads(values["ENTRYPOINT"]), *json.loads(values["CMD"])]):
        assert command[0] == "omnilude"
        assert CliRunner().invoke(app, [*command[1:], "--help"]).exit_code == 0


def test_image_is_built_from_the_sources_alone(tmp_path: Path) -> None:
    """Everything at the top that is under version control is sent to the build, but for what is about deployment."""
    top = {Path(name).parts[0] for name in tracked()}
    allowed = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE)
    apart = {".dockerignore", ".gitignore", ".gitattributes", ".github", "CONTRIBUTING.md", "Dockerfile", "deploy"}
    assert top - apart == set(allowed) & top
    assert set(allowed) <= top
    (make,) = (line["value"] for line in dockerfile(tmp_path).structure if "make wheel" in line.get("value", ""))
    assert make.split()[:2] == ["make", "wheel"]
    assert re.search(r"^wheel:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


# -- Compose ----------------------------------------------------------------------------------------------------------


def test_compose_file_is_valid() -> None:
    checker = Path(sys.executable).with_name("check-jsonschema")
    command = [checker, "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_compose_services_are_configured_by_settings_that_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    service = COMPOSE["omnilude"]
    settings = check_environment(service["environment"], monkeypatch)
    assert settings.store.url == f"postgresql://{COMPOSE['postgres']['environment']['POSTGRES_USER']}@postgres/omnilude"
    assert service["deploy"]["replicas"] == 3
    assert float(service["stop_grace_period"].removesuffix("s")) > settings.server.grace_seconds
    assert (DEPLOY / service["build"]["context"] / "Dockerfile").resolve() == ROOT / "Dockerfile"


def test_compose_services_and_mounts_that_are_named_exist() -> None:
    volumes = documents(DEPLOY / "compose.yaml")[0]["volumes"]
    for service in COMPOSE.values():
        assert set(service.get("depends_on", ())) <= set(COMPOSE)
        for mount in service.get("volumes", ()):
            source = mount.split(":")[0]
            assert source in volumes or (source.startswith("./") and (DEPLOY / source).exists()), mount


def addresses(value: Any) -> Iterator[tuple[str, int]]:
    """The socket addresses anywhere in a configuration of Envoy."""
    if isinstance(value, dict):
        if "socket_address" in value:
            yield value["socket_address"]["address"], value["socket_address"]["port_value"]
        for below in value.values():
            yield from addresses(below)
    elif isinstance(value, list):
        for below in value:
            yield from addresses(below)


def test_load_balancer_leads_to_the_replicas() -> None:
    (resources,) = (document["static_resources"] for document in documents(DEPLOY / "envoy.yaml"))
    inner = {PORTS["grpc"], PORTS["http"]}
    assert set(addresses(resources["clusters"])) == {("omnilude", port) for port in inner}
    assert {port for _, port in addresses(resources["listeners"])} == inner
    published = {int(port.split(":")[-1]) for port in COMPOSE["balancer"]["ports"]}
    assert published == inner
    clusters = {cluster["name"]: cluster for cluster in resources["clusters"]}
    text = (DEPLOY / "envoy.yaml").read_text(encoding="utf-8")
    assert set(re.findall(r"cluster: (\w+)", text)) == set(clusters)
    assert all(cluster["load_assignment"]["cluster_name"] == name for name, cluster in clusters.items())
    assert "grpc_health_check" in clusters["omnilude_grpc"]["health_checks"][0]


# -- the same as plain processes ---------------------------------------------------------------------------------------


def compose_environment() -> dict[str, str]:
    """The variables of the service in the Compose file, as Compose passes them with a token and a password."""
    given = {"OMNILUDE_DB_PASSWORD": "", "OMNILUDE_API_TOKEN": "the operator's token"}
    variables = COMPOSE["omnilude"]["environment"]
    return {
        name: re.sub(r"\$\{(\w+):([-?])(.*)\}", lambda m: m[3] if m[2] == "-" else given[m[1]], value)
        for name, value in variables.items()
    }


@pytest.fixture
def replicas(database: str, tmp_path: Path) -> Iterator[list[ServiceProcess]]:
    """The replicas of the Compose file; their addresses are of this machine."""
    with ExitStack() as stack:
        started = []
        for number in range(COMPOSE["omnilude"]["deploy"]["replicas"]):
            folder = tmp_path / str(number)
            folder.mkdir()
            flags = ("--store.url", database, "--packs.only", "ominoes")
            started.append(stack.enter_context(ServiceProcess(folder, *flags, env=compose_environment())))
        yield started


def served(replica: ServiceProcess) -> set[str]:
    """The methods that a replica was called for."""
    entries = map(json.loads, replica.log.read_text(encoding="utf-8").splitlines())
    return {entry["method"].rpartition("/")[2] for entry in entries if "method" in entry}


async def test_a_match_goes_on_behind_a_balancer_when_a_replica_is_killed(
    replicas: list[ServiceProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call goes to the next replica that answers; a policy of the channel is in place of Envoy."""
    monkeypatch.setattr(connection, "OPTIONS", [*connection.OPTIONS, ("grpc.lb_policy_name", "round_robin")])
    balanced = "ipv4:" + ",".join(replica.target for replica in replicas)
    with pytest.raises(TokenMissing):
        async with AsyncClient(balanced) as stranger:
            await stranger.create("ominoes", [Open(), Open()])
    token = compose_environment()["OMNILUDE_AUTH__API_TOKEN"]
    async with AsyncClient(balanced, api_token=token) as client:
        match = await client.create("ominoes", [Open(), ServiceBot("random")])
        seat = await match.join("ada")
        moves = 0
        while (await match.get()).state != match_pb2.MATCH_STATE_FINISHED:
            legal = await seat.legal_actions()
            if not legal.codes:  # the bot's turn
                await asyncio.sleep(0.02)
                continue
            await seat.submit_action(legal.codes[0], expected_seq=legal.seq)
            moves += 1
            if moves == 6:
                assert all(served(replica) & {"GetMatch", "ListLegalActions", "SubmitAction"} for replica in replicas)
                replicas[0].kill()
        assert moves > 6
        registry = Registry.load(only=["ominoes"])
        assert has_ended(verify(Replay.FromString(await match.replay()), registry).state)


# -- Kubernetes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MANIFESTS)
def test_manifest_is_valid(name: str) -> None:
    for document in documents(DEPLOY / "kubernetes" / f"{name}.yaml"):
        kubernetes_validate.validate(document, "1.33", strict=True)


def test_kustomization_lists_the_manifests() -> None:
    (listed,) = (d["resources"] for d in documents(DEPLOY / "kubernetes" / "kustomization.yaml"))
    assert {f"{name}.yaml" for name in MANIFESTS} - set(listed) == {"secret.example.yaml"}


def test_pods_are_configured_by_settings_that_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    variables = {entry["name"]: entry["value"] for entry in CONTAINER["env"] if "value" in entry}
    settings = check_environment(variables | manifest("secret.example", "Secret")["stringData"], monkeypatch)
    grace = POD["spec"]["terminationGracePeriodSeconds"]
    assert grace > settings.server.grace_seconds + CONTAINER["lifecycle"]["preStop"]["sleep"]["seconds"]
    own = int((settings.server.own_address or "").rpartition(":")[2])
    assert {port["name"]: port["containerPort"] for port in CONTAINER["ports"]} == {**PORTS, "own": own}
    assert own not in PORTS.values()
    assert CONTAINER["readinessProbe"]["grpc"]["port"] == PORTS["grpc"]
    assert POD["metadata"]["annotations"]["prometheus.io/port"] == str(PORTS["metrics"])


def test_objects_select_the_pods_of_the_deployment(tmp_path: Path) -> None:
    labels = POD["metadata"]["labels"]
    assert manifest("deployment", "Deployment")["spec"]["selector"]["matchLabels"] == labels
    assert manifest("disruption-budget", "PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == labels
    for service in documents(DEPLOY / "kubernetes" / "service.yaml"):
        assert service["spec"]["selector"] == labels
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= set(PORTS)
    user = {line["instruction"]: line["value"] for line in last_stage(tmp_path)}["USER"]
    context = POD["spec"]["securityContext"]
    assert f"{context['runAsUser']}:{context['runAsGroup']}" == user


def test_autoscaler_asks_for_the_metric_that_the_adapter_makes() -> None:
    scaler = manifest("autoscaler", "HorizontalPodAutoscaler")["spec"]
    assert scaler["scaleTargetRef"]["name"] == manifest("deployment", "Deployment")["metadata"]["name"]
    ((adapter,),) = (d["rules"]["custom"] for d in documents(DEPLOY / "kubernetes" / "prometheus-adapter.yaml"))
    assert scaler["metrics"][0]["pods"]["metric"]["name"] == adapter["name"]["as"]
    assert (
        adapter["name"]["matches"] in adapter["seriesQuery"] and adapter["name"]["matches"] in adapter["metricsQuery"]
    )


# -- systemd ----------------------------------------------------------------------------------------------------------


def test_unit_is_valid(tmp_path: Path) -> None:
    unit = (DEPLOY / "omnilude.service").read_text(encoding="utf-8")
    command = re.search(r"^ExecStart=(\S+) (.*)$", unit, re.MULTILINE)
    assert command is not None
    arguments = shlex.split(command[2])
    assert arguments[0] == "serve" and CliRunner().invoke(app, [*arguments, "--help"]).exit_code == 0
    copy = tmp_path / "omnilude.service"
    copy.write_text(unit.replace(command[1], sys.executable), encoding="utf-8")
    parsed = ConfigParser(strict=False, interpolation=None)
    parsed.optionxform = str  # type: ignore[assignment, method-assign]
    parsed.read_string(unit)
    assert set(parsed.sections()) == {"Unit", "Service", "Install"}
    # systemd's own check, where it is installed.
    if verifier := shutil.which("systemd-analyze"):
        done = subprocess.run([verifier, "verify", copy], capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, done.stderr
    stop = re.search(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)
    assert stop is not None and int(stop[1]) > ServerSettings().grace_seconds


# -- metrics ----------------------------------------------------------------------------------------------------------


def selectors(expression: Any) -> Iterator[tuple[str, frozenset[str]]]:
    """The series that a query reads: their names, and the labels that it matches."""
    if isinstance(expression, promql_parser.VectorSelector):
        yield expression.name, frozenset(matcher.name for matcher in expression.matchers.matchers)
        return
    for name in ("expr", "lhs", "rhs", "vector_selector"):
        if (below := getattr(expression, name, None)) is not None:
            yield from selectors(below)
    for below in getattr(expression, "args", ()):
        yield from selectors(below)


def queries() -> dict[str, str]:
    """The queries of the dashboard and of the adapter, by what they are for."""
    dashboard = json.loads((DEPLOY / "grafana" / "dashboards" / "omnilude.json").read_text(encoding="utf-8"))
    found = {
        f"{panel['title']} {target['refId']}": target["expr"].replace("$__rate_interval", "1m")
        for panel in dashboard["panels"]
        for target in panel["targets"]
    }
    ((adapter,),) = (d["rules"]["custom"] for d in documents(DEPLOY / "kubernetes" / "prometheus-adapter.yaml"))
    filled = adapter["metricsQuery"].replace("<<.LabelMatchers>>", "").replace("<<.GroupBy>>", "pod")
    return found | {"autoscaler": filled}


def scrape(port: int | None) -> str:
    with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        text: str = answer.read().decode()
    return text


async def test_queries_read_metrics_that_the_service_has() -> None:
    settings = {"metrics.enabled": True, "metrics.port": 0}
    async with running_server(packs=[sealed.PACK], settings=settings) as running:
        await running.matches.CreateMatch(pb.CreateMatchRequest(game="games/sealed", seats=[pb.SeatSetup()] * 2))
        text = await asyncio.to_thread(scrape, running.server.metrics_port)
    series: dict[str, set[str]] = {}
    for name, labels in re.findall(rf"^({NAME})(?:\{{(.*)\}})? \S+$", text, re.MULTILINE):
        series.setdefault(name, set()).update(re.findall(rf'({NAME})="', labels))
    asked = queries()
    assert len(asked) > 20
    for title, query in asked.items():
        read = list(selectors(promql_parser.parse(query)))
        assert read, title
        for name, labels in read:
            assert name in series, f"{title}: {name}"
            assert labels <= series[name], f"{title}: {name}{set(labels)}"
    assert "submitted actions" in " ".join(asked) and re.search(r'method="MatchService/CreateMatch"', text)


def test_dashboard_is_provisioned() -> None:
    (source,) = documents(DEPLOY / "grafana/provisioning/datasources/prometheus.yaml")[0]["datasources"]
    dashboard = json.loads((DEPLOY / "grafana/dashboards/omnilude.json").read_text(encoding="utf-8"))
    assert {panel["datasource"]["uid"] for panel in dashboard["panels"]} == {source["uid"]}
    (provider,) = documents(DEPLOY / "grafana/provisioning/dashboards/omnilude.yaml")[0]["providers"]
    mounts = dict(mount.split(":")[:2] for mount in COMPOSE["grafana"]["volumes"])
    assert mounts["./grafana/dashboards"] == provider["options"]["path"]
    home = COMPOSE["grafana"]["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
    assert home == f"{mounts['./grafana/dashboards']}/omnilude.json"
    (job,) = documents(DEPLOY / "prometheus.yaml")[0]["scrape_configs"]
    (discovery,) = job["dns_sd_configs"]
    assert discovery["names"] == ["omnilude"] and discovery["port"] == PORTS["metrics"]
    assert source["url"] == "http://prometheus:9090" and "prometheus" in COMPOSE
