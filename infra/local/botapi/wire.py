"""A Bot API call as an HTTP request: JSON, form or multipart, GET or POST, as the real server takes them; or as the
webhook's answer to an update.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from werkzeug.wrappers import Request

from infra.local.botapi.methods import Upload

ATTACHED = "attach://"


def params(request: Request) -> dict[str, Any]:
    """The parameters of a call; a file is an Upload under the parameter's name."""
    given: dict[str, Any] = dict(request.args.items())
    if request.mimetype == "application/json":
        body = request.get_json(silent=True)
        return {**given, **body} if isinstance(body, dict) else given
    given |= dict(request.form.items())
    uploads = {
        name: Upload(file.filename or "file", file.read(), file.mimetype or "application/octet-stream")
        for name, file in request.files.items()
    }
    return attached(given, uploads)


def reply(content_type: str, body: bytes) -> dict[str, Any] | None:
    """The call that a webhook's answer holds: its parameters, and its name as ``method``; None if it holds none. (The
    real server takes forms too; this bot writes JSON.)
    """
    if content_type.partition(";")[0].strip().lower() != "application/json":
        return None
    try:
        given = json.loads(body)
    except ValueError:
        return None
    return given if isinstance(given, dict) and isinstance(given.get("method"), str) else None


def attached(given: Mapping[str, Any], uploads: Mapping[str, Upload]) -> dict[str, Any]:
    """The parameters with each file where it belongs: in place of the parameter or the part of one (an InputMedia's
    ``media``) that names it, or else under its own name.
    """
    left = dict(uploads)
    params = {name: _with_files(value, left) for name, value in given.items()}
    return {**params, **left}


def _with_files(value: Any, left: dict[str, Upload]) -> Any:
    if not isinstance(value, str) or ATTACHED not in value:
        return value
    if value.startswith(ATTACHED):
        return left.pop(value.removeprefix(ATTACHED), value)
    try:
        parts = json.loads(value)
    except ValueError:
        return value
    if not isinstance(parts, dict) or not left:
        return value
    return {name: _with_files(part, left) for name, part in parts.items()}
