"""A Bot API call as an HTTP request: JSON, form or multipart, GET or POST, as the real server takes them."""

from __future__ import annotations

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
    for name, value in given.items():
        if isinstance(value, str) and value.startswith(ATTACHED):
            given[name] = uploads.pop(value.removeprefix(ATTACHED), value)
    return {**given, **uploads}
