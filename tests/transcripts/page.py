"""A chat as a page of Markdown: who says what and when, what is pressed, and what a message became.

A message is shown where it appears, and once more where it changed for the last time. What it was in between is shown
in private only, and for as long as the journal looks closely. Moments, which every reader's app shows by its own clock,
are shown as time since the start. Between ▾ and ▴ stands what unfolds when it is tapped. Characters that keep names
apart from the text around them are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.transcripts.watched import LABELLED, Journal, Seen

MARKS = {"bold": "**", "italic": "*", "code": "`"}
"""How Markdown writes what Telegram marks by an entity."""

UNSEEN = dict.fromkeys(map(ord, "\u2066\u2067\u2068\u2069"))


def page(journal: Journal, chat: int) -> str:
    """All that is seen in a chat, from top to bottom."""
    seen = _in_chat(journal.seen, chat)
    return "\n\n".join(_Chat(journal.start).told(seen)) + "\n"


def _in_chat(seen: Sequence[Seen], chat: int) -> list[Seen]:
    """What is seen in a chat: messages, changes of them that stay or are looked at closely, and presses."""
    here = [each for each in seen if _chat_of(each) == chat]
    last = {_message_of(each): each for each in here if each.kind == "edit"}
    return [
        each for each in here if each.kind != "edit" or (each.closely and chat > 0) or last[_message_of(each)] is each
    ]


def _chat_of(seen: Seen) -> int | None:
    if seen.kind in ("message", "edit"):
        return int(seen.data["message"]["chat"]["id"])
    return int(seen.data["chat"]) if seen.kind == "answer" else None


def _message_of(seen: Seen) -> int:
    return int(seen.data["message"]["message_id"])


@dataclass
class _Chat:
    """The chat as told so far: its messages by their number on the page, and its people by their names. ``start`` is
    when it began, in Unix seconds.
    """

    start: float
    numbers: dict[int, int] = field(default_factory=dict)

    def told(self, seen: Sequence[Seen]) -> Iterator[str]:
        """Paragraph by paragraph; presses of one person that follow each other are one."""
        presses: list[Seen] = []
        for each in seen:
            if presses and (each.kind != "answer" or each.data["user"] != presses[0].data["user"]):
                yield _pressed(presses)
                presses = []
            if each.kind == "answer":
                presses.append(each)
            else:
                yield self._message(each)
        if presses:
            yield _pressed(presses)

    def _message(self, seen: Seen) -> str:
        message, at = seen.data["message"], moment(seen.at)
        number = self.numbers.setdefault(_message_of(seen), len(self.numbers) + 1)
        if seen.kind == "edit":
            return f"`{at}` ({number}) now reads:\n\n{self._shown(message)}"
        who = message["from"]["first_name"]
        if "pinned_message" in message:
            return f"`{at}` *{who} pins ({self.numbers[message['pinned_message']['message_id']]}).*"
        if "new_chat_members" in message:
            return f"`{at}` *{', '.join(each['first_name'] for each in message['new_chat_members'])} joins.*"
        return f"`{at}` **{who}** ({number}):\n\n{self._shown(message)}"

    def _shown(self, message: dict[str, Any]) -> str:
        """A message as a quotation: its picture or file, its text, its buttons."""
        lines = ["*A picture:*"] if "photo" in message else []
        if "document" in message:
            lines.append(f"*A file:* `{message['document']['file_name']}`")
        text = message.get("text", message.get("caption", ""))
        lines += self._marked(text, message.get("entities", message.get("caption_entities", []))).split("\n")
        for row in message.get("reply_markup", {}).get(LABELLED, []):
            lines.append(" ".join(f"`[{clean(button['text'])}]`" for button in row))
        ends = ("\\" if line and after else "" for line, after in zip(lines, (*lines[1:], ""), strict=True))
        return "\n".join(f"> {line}{end}".rstrip() for line, end in zip(lines, ends, strict=True))

    def _marked(self, text: str, entities: Sequence[dict[str, Any]]) -> str:
        """A text with Markdown's marks where Telegram has entities; their offsets count UTF-16 units."""
        changes: list[tuple[int, int, str]] = []
        for entity in entities:
            begin, end = entity["offset"], entity["offset"] + entity["length"]
            if entity["type"] == "date_time":
                changes.append((begin, end, moment(entity["unix_time"] - self.start)))
            elif entity["type"] == "expandable_blockquote":
                changes += [(begin, begin, "▾ "), (end, end, " ▴")]
            elif sign := MARKS.get(entity["type"]):
                changes += [(begin, begin, sign), (end, end, sign)]
        units = text.encode("utf-16-le")
        for begin, end, new in sorted(changes, key=lambda change: change[0], reverse=True):
            units = units[: 2 * begin] + new.encode("utf-16-le") + units[2 * end :]
        return clean(units.decode("utf-16-le"))


def _pressed(presses: Sequence[Seen]) -> str:
    """What somebody pressed, one button after another, each with its toast."""
    done = ", ".join(f"`[{clean(each.label)}]`{_toast(each.data)}" for each in presses)
    return f"`{moment(presses[0].at)}` *{presses[0].who} presses* {done}"


def _toast(answer: dict[str, Any]) -> str:
    if answer["url"]:
        return " (and is taken to the private chat)"
    return f" “{clean(answer['text'])}”" if answer["text"] else ""


def clean(text: str) -> str:
    """A text without the characters that nobody sees."""
    return text.translate(UNSEEN)


def moment(at: float) -> str:
    """A time since the start, in hours if need be, minutes and seconds."""
    minutes, seconds = divmod(int(at), 60)
    hours, minutes = divmod(minutes, 60)
    return f"+{hours}:{minutes:02}:{seconds:02}" if hours else f"+{minutes:02}:{seconds:02}"
