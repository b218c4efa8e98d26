"""A transcript as a page: what it is, the group's chat, and the private chat of the person who made the group."""

from __future__ import annotations

from tests.transcripts.page import page
from tests.transcripts.stories import STORIES

HEAD = """\
# {title}

{about}

Written by `make transcript`: real updates into the real webhook, answered through a stand-in for Telegram, by a clock
that stands still between the steps; tests see to it that this page is what the code says today. How to read it:

- `+02:30` is the time since the start. A chat shows deadlines by the reader's own clock; here they are such times.
- `[Label]` is a button. A press is told with its toast, which only whoever presses sees.
- A message has a number, is shown as it first appeared, and once more, where it says *now reads*, as it stood after
  its last change. Changes in between are left out, except in {first}'s private chat in the first phases: there every
  page of a panel is shown.
- A picture is shown by its caption. What stands between ▾ and ▴ unfolds when it is tapped.

## The group: {group}

{public}
## What {first} sees in private

{private}"""


def written(name: str) -> str:
    """The page of a match, by its name in ``STORIES``."""
    story = STORIES[name]
    with story.told() as bot:
        return HEAD.format(
            title=story.about[0],
            about=story.about[1],
            first=story.names[0],
            group=story.title,
            public=page(bot.journal, bot.group),
            private=page(bot.journal, bot.ada),
        )
