"""The list of rules that no test proves."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from gamepacks.api.kit import rules

ROOT = Path(__file__).parents[2]

SPECIFICATION = """
| id | statement |
|---|---|
| ABC-MOVE-01 | Move. See also ABC-MOVE-09. |
| ABC-MOVE-02 | Move on. |
|ABC-MOVE-02a| Or not. |

ABC-MOVE-03 stands in no table, and | this is not a row.
| A01 | A ruling. |
"""


def marks(tmp_path: Path, text: str) -> rules.Marks:
    path = tmp_path / "test_some.py"
    path.write_text(dedent(text))
    return rules.read_marks([path])


def test_rules_are_read_from_the_rows_of_tables() -> None:
    assert rules.read_rules(SPECIFICATION) == ["ABC-MOVE-01", "ABC-MOVE-02", "ABC-MOVE-02a"]


def test_a_rule_that_stands_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="rules are repeated: ABC-MOVE-01"):
        rules.read_rules(SPECIFICATION + "| ABC-MOVE-01 | again |\n")


def test_marks_are_found_wherever_they_stand(tmp_path: Path) -> None:
    found = marks(
        tmp_path,
        """
        import pytest
        pytestmark = pytest.mark.rule("ABC-A-01")

        @pytest.mark.rule("ABC-A-02", "ABC-A-03")
        def test_one(): ...

        @pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.rule("ABC-A-04"))])
        class TestTwo:
            @pytest.mark.rule("ABC-A-02")
            def test_three(self, x): ...

        # @pytest.mark.rule("ABC-A-05")
        text = 'pytest.mark.rule("ABC-A-06")'
        """,
    )
    assert sorted(found.places) == ["ABC-A-01", "ABC-A-02", "ABC-A-03", "ABC-A-04"]
    assert [place.rpartition(":")[2] for place in found.places["ABC-A-02"]] == ["5", "10"]
    assert found.unreadable == []


def test_ids_that_are_not_written_out_are_refused(tmp_path: Path) -> None:
    found = marks(tmp_path, 'import pytest\nIDS = ["A-1"]\npytest.mark.rule(*IDS)\npytest.mark.rule()\n')
    assert [place.rpartition(":")[2] for place in found.unreadable] == ["3", "4"]
    assert not rules.compare(["ABC-A-01"], found).complete


def test_rules_and_tests_are_held_against_each_other(tmp_path: Path) -> None:
    found = marks(
        tmp_path,
        """
        import pytest
        @pytest.mark.rule("ABC-MOVE-01", "ABC-MOVE-99", "XYZ-GEO-01")
        def test_one(): ...
        """,
    )
    coverage = rules.compare(["ABC-MOVE-01", "ABC-MOVE-02"], found)
    assert (coverage.proved, coverage.rules) == (1, 2)
    assert coverage.unproved == ("ABC-MOVE-02",)
    assert coverage.unknown == (f"ABC-MOVE-99 ({tmp_path / 'test_some.py'}:3)",)
    assert coverage.foreign == ("XYZ-GEO-01",)
    assert not coverage.complete


def test_worked_examples_prove_the_rules_that_they_name_where_a_test_plays_them(tmp_path: Path) -> None:
    examples = rules.read_examples(
        "- rules: [ABC-MOVE-09]\n\n```yaml scenario\n- id: EX-1\n  rules: [ABC-MOVE-01, XYZ-GEO-01]\n```\n"
    )
    assert examples == ["ABC-MOVE-01", "XYZ-GEO-01"]
    played = marks(tmp_path, 'import pytest\npytest.mark.worked_examples("ABC")\n')
    assert rules.compare(["ABC-MOVE-01", "XYZ-GEO-01"], played, examples).unproved == ("XYZ-GEO-01",)
    assert rules.compare(["ABC-MOVE-02"], played, examples).unknown == (f"ABC-MOVE-01 ({tmp_path / 'test_some.py'}:2)",)
    unplayed = marks(tmp_path, "import pytest\n")
    assert rules.compare(["ABC-MOVE-01"], unplayed, examples).unproved == ("ABC-MOVE-01",)


def test_ids_of_other_specifications_do_no_harm(tmp_path: Path) -> None:
    found = marks(tmp_path, 'import pytest\npytest.mark.rule("ABC-MOVE-01", "XYZ-GEO-01")\n')
    assert rules.compare(["ABC-MOVE-01"], found).complete


# -- the command -------------------------------------------------------------------------------------------------------


def test_every_rule_of_the_packs_in_this_tree_has_a_test(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert rules.main([]) == 0, capsys.readouterr().out


def test_a_rule_without_a_test_is_listed_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "test_few.py").write_text(
        'import pytest\npytest.mark.rule("OMI-MOVE-01", "OMI-NONE-01", "XYZ-GEO-01")\npytest.mark.rule(*IDS)\n'
    )
    assert rules.main(["ominoes", "--tests", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "rules without a test:\n  OMI-COMP-01\n" in out
    assert f"no specification has:\n  OMI-NONE-01 ({tmp_path}/test_few.py:2)\n" in out
    assert f"marks whose ids are not literal texts:\n  {tmp_path}/test_few.py:3\n" in out
    assert "1 ids of specifications that are not here: XYZ-GEO-01\n" in out
    assert "\n1 of " in out


def test_missing_rules_files_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert rules.main([]) == 1
    assert capsys.readouterr().out == "no pack with a RULES.md was found\n"


def test_an_unknown_pack_is_refused() -> None:
    with pytest.raises(LookupError, match=r"no pack 'omnioes' is loaded; loaded are: .*ominoes"):
        rules.main(["omnioes"])


def test_a_rule_that_stands_in_two_specifications_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [tmp_path / "one.md", tmp_path / "two.md"]
    for path in paths:
        path.write_text("| V-01 | Known. |\n")
    monkeypatch.setattr(rules, "specifications", lambda names, below: paths)
    assert rules.main(["--tests", str(tmp_path)]) == 1
    assert capsys.readouterr().out == "rules are repeated: V-01\n"
