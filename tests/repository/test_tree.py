"""Required and forbidden contents of the source tree."""

from __future__ import annotations

import re

import pytest

from tests.repository.tree import ROOT, packages, project, text, tracked


def whole(pattern: str) -> str:
    """Returns a pattern without the marks that keep it from matching in this file."""
    return pattern.replace("~", "")


FORBIDDEN = {
    "a path of somebody's machine": whole(r"(?<![\w.~])/(?:wo~rk|ro~ot|ho~me/\w)/"),
    "the host of a package registry": whole(
        r"py~pi\.org|python~hosted|npm~js\.(?:org|com)|deb~ian\.org|crates\.~io|proxy\.gol~ang|maven\.~org"
    ),
    "unfinished work": whole(r"\b(?:TO~DO|FIX~ME|XX~X)\b"),
    "a test that does not run": whole(r"(?:mark\.|pytest\.|unittest\.)(?:sk~ip|xf~ail)|import~orskip"),
}


def test_nothing_generated_is_tracked() -> None:
    generated = re.compile(
        r"(_pb2(_grpc)?\.pyi?|_enums\.(py|pxd)|\.so|\.c|(?<!clients/table/index)\.html|\.egg-info/.*|node_modules/.*|\.py[cod])$"
    )
    assert [name for name in tracked() if generated.search(name)] == []


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_contains(what: str) -> None:
    found = [
        f"{name}:{number}: {line.strip()[:100]}"
        for name in tracked()
        for number, line in enumerate(text(name).splitlines(), start=1)
        if re.search(FORBIDDEN[what], line)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("what", "sample"),
    [
        ("a path of somebody's machine", "cd /ro~ot/project"),
        ("the host of a package registry", "https://registry.npm~js.org/long"),
        ("unfinished work", "# TO~DO: later"),
        ("a test that does not run", "@pytest.mark.xf~ail"),
    ],
)
def test_pattern_matches_its_sample(what: str, sample: str) -> None:
    assert re.search(FORBIDDEN[what], whole(sample))


def test_the_licence_is_there() -> None:
    assert project()["project"]["license-files"] == ["LICENSE"]
    assert text("LICENSE").startswith("MIT License")


def test_every_package_is_shipped_once() -> None:
    shipped = [name for folder in (".", "clients/python") for name in project(folder)["tool"]["setuptools"]["packages"]]
    assert sorted(shipped) == sorted(packages())


def test_every_package_has_a_py_typed_marker() -> None:
    tops = {name: folder for name, folder in packages().items() if name.count(".") == name.startswith("gamepacks.")}
    assert {"cext", "engine_service", "gamepacks.api", "omnilude", "omnilude_cli"} <= set(tops)
    assert [name for name, folder in tops.items() if not (folder / "py.typed").exists()] == []


def test_the_changelog_describes_this_version() -> None:
    newest = re.search(r"^## (\d+\.\d+\.\d+)", text("CHANGELOG.md"), flags=re.MULTILINE)
    assert newest is not None
    assert newest[1] == project("clients/python")["project"]["version"]


def test_links_of_the_documents_have_targets() -> None:
    broken = []
    for name in tracked():
        if not name.endswith(".md") or name.startswith("tests/"):
            continue
        for target in re.findall(r"\]\(([^)\s]+)\)", text(name)):
            path, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            page = (ROOT / name).parent / path if path else ROOT / name
            if not page.exists() or (anchor and page.suffix == ".md" and anchor not in anchors(page.read_text())):
                broken.append(f"{name}: {target}")
    assert broken == []


def anchors(page: str) -> set[str]:
    """Returns the anchors of a page: its headings, as the common hosts name them, and its own anchors."""
    heads = re.findall(r"^#+ (.*)$", page, flags=re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
    return slugs | set(re.findall(r'id="([^"]+)"', page))
