"""What the local table begins with: a group with two people in it, to which the bot has just been added."""

from __future__ import annotations

from infra.local.botapi.people import NotPossible
from infra.local.botapi.shelf import Json
from infra.local.botapi.state import BOT_ID, State
from infra.local.botapi.world import World

TITLE = "The Garden"
FIRST_PEOPLE = ("Ada", "Bruno")
NEWCOMERS = ("Clara", "Dario", "Elif", "Femi", "Greta")
"""Who might come in next: the page suggests the names."""
SEATS = 12
"""People at one table at most."""
LONGEST_NAME = 64


def open_table(world: World) -> None:
    """Set the scene, unless it is set already."""
    with world.desk.change() as state:
        if "table" not in state.settings:
            _set(world)


def new_table(world: World) -> None:
    """Remove the bot from the present group and set the scene anew, with new people."""
    with world.desk.change() as state:
        group, people = current_group(state), seated(state)
        if state.chats[group].members.get(BOT_ID) not in ("left", "kicked"):
            world.groups.remove_bot(group, people[0])
        _set(world)
        world.events.add("reset", {})


def add_person(world: World, name: str) -> int:
    """Somebody new comes into the group. Returns the user id. Raises NotPossible."""
    name = name.strip()
    if not 1 <= len(name) <= LONGEST_NAME:
        raise NotPossible(f"A name has 1 to {LONGEST_NAME} characters.")
    with world.desk.change() as state:
        people = seated(state)
        if len(people) >= SEATS:
            raise NotPossible(f"There is room for {SEATS} people.")
        user = world.people.add(name)
        state.set("table", {"group": current_group(state), "people": [*people, user]})
        world.groups.join(user, current_group(state))
        return user


def current_group(state: State) -> int:
    """The table's group, by its present id."""
    group: int = state.settings["table"]["group"]
    while (new := state.chats[group].migrated_to) is not None:
        group = new
    return group


def seated(state: State) -> list[int]:
    """Who is played from the page, by user id."""
    people: list[int] = state.settings["table"]["people"]
    return people


def snapshot(world: World) -> Json:
    """Everything the page shows, and the event after which it goes on."""
    with world.desk.lock:
        state = world.desk.state
        group = current_group(state)
        people = seated(state)
        chats = [group, *(user for user in people if user in state.chats)]
        return {
            "event": world.events.last,
            "group": {"id": group, "title": state.chats[group].title},
            "people": [person(state, user) for user in people],
            "newcomers": _newcomers(state, people),
            "messages": {chat: state.history(chat) for chat in chats},
            "pinned": {chat: state.chats[chat].pinned for chat in chats},
            "commands": {
                "group": _commands(state, "all_group_chats"),
                "private": _commands(state, "all_private_chats"),
            },
        }


def person(state: State, user: int) -> Json:
    """Somebody as the page shows them."""
    found = state.users[user]
    return {"id": user, "name": found.first_name, "started": found.started, "blocked": found.blocked}


def _newcomers(state: State, people: list[int]) -> list[str]:
    """Names for people to come that nobody at the table has, as many as there is room for."""
    taken = {state.users[user].first_name for user in people}
    return [name for name in NEWCOMERS if name not in taken][: SEATS - len(people)]


def _set(world: World) -> None:
    ada, bruno = (world.people.add(name) for name in FIRST_PEOPLE)
    group = world.groups.add(TITLE, ada)
    world.groups.join(bruno, group)
    world.desk.state.set("table", {"group": group, "people": [ada, bruno]})
    world.groups.add_bot(group, ada)


def _commands(state: State, scope: str) -> list[Json]:
    for name in (scope, "default"):
        if f"commands {name}" in state.settings:
            commands: list[Json] = state.settings[f"commands {name}"]["commands"]
            return commands
    return []
