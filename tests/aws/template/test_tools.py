"""What SAM and cfn-lint say to template.yaml, and that samconfig.toml is for any account."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.aws.template.reading import run_with_sam, texts
from tests.shared import ROOT


def test_sam_finds_it_valid(home: Path) -> None:
    done = run_with_sam(home, "-m", "samcli", "validate", "--lint")
    assert done.returncode == 0, done.stdout + done.stderr


def test_cfn_lint_finds_nothing_in_the_source_and_in_the_translation(home: Path, translated: Path) -> None:
    call = "import sys; from cfnlint.runner import main; sys.exit(main())"
    # "I" adds what is only information to errors and warnings.
    done = run_with_sam(home, "-c", call, "--include-checks", "I", "--", "template.yaml", str(translated))
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_samconfig_names_no_account_and_no_place() -> None:
    config = tomllib.loads((ROOT / "samconfig.toml").read_text(encoding="utf-8"))
    deploy = config["default"]["deploy"]["parameters"]
    assert deploy["capabilities"] == "CAPABILITY_IAM"
    assert not deploy["confirm_changeset"]
    assert not deploy["fail_on_empty_changeset"]
    assert config["default"]["global"]["parameters"]["template_file"] == "template.yaml"
    assert not {"region", "profile", "s3_bucket", "role_arn", "parameter_overrides"} & set(texts(config))
