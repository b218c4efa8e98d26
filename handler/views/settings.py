"""What is chosen once: the language."""

from __future__ import annotations

from handler.buttons import PlainPress, write
from handler.message import Button, Message
from handler.views.layout import isolated
from handler.words import LANGUAGES, plain, say


def languages(current: str, *, group: bool) -> Message:
    """The languages to choose from, each in its own name, the current one ticked."""
    question = say("settings.language.chat") if group else say("settings.language.mine")
    return Message(question, tuple((_button(language, ticked=language == current),) for language in LANGUAGES))


def _button(language: str, *, ticked: bool) -> Button:
    name = plain(f"settings.language.name.{language}")
    return Button(plain("screens.ticked", label=name) if ticked else name, data=write(PlainPress("language", language)))


def language_refused(host: str | None) -> Message:
    """To somebody who may not choose for the group: who can. ``host`` is the host of what is played there."""
    if host is None:
        return Message(say("settings.language.admins_only"))
    return Message(say("settings.language.host_only", name=isolated(host)))
