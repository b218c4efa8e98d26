"""Print the CloudFormation template, as JSON, that SAM makes of a template of its own: what AWS gets to see.

Usage, with an interpreter that has aws-sam-cli: ``python tools/translate.py template.yaml``. Needs no network and no
account.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

PACKAGE = "s3://bucket/function.zip"
"""Stands for where `sam deploy` uploads the package: the translator takes no path on this machine."""


class NoManagedPolicies:
    """Instead of asking IAM for AWS's own policies: the template names none of them, and one that did would fail."""

    def load(self) -> dict[str, str]:
        return {}


def translate(source: str) -> dict[str, Any]:
    """The template in ``source``, translated."""
    template = yaml_parse(source)
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::Serverless::Function":
            resource["Properties"]["CodeUri"] = PACKAGE
    return transform(template, {}, NoManagedPolicies())


if __name__ == "__main__":
    # The translator asks boto3 for a region's partition; any will do.
    os.environ.setdefault("AWS_DEFAULT_REGION", "eu-central-1")
    json.dump(translate(Path(sys.argv[1]).read_text(encoding="utf-8")), sys.stdout, indent=2)
