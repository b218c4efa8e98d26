"""Commands typed in a chat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final

from engine.games import GAMES
from engine.record import UnknownRules
from handler import calling, forgetting, noting, people, tallies, voices, welcome
from handler.elsewhere import nothing_here
from handler.language import ask_language
from handler.match import Match, can_resign, turn
from handler.message import Message
from handler.opening import board_link, open_lobby
from handler.panels import send_panel
from handler.phases import remind_at
from handler.practice import practise, show_again
from handler.profiles import meet
from handler.replies import answer, privately
from handler.rights import may_host
from handler.screening import frame, status
from handler.standing import here
from handler.table import Ports, change, keep
from handler.telling import settle
from handler.unknown import leaving_alone
from handler.updates import Command, Who
from handler.views import VIEWS, after, menus, rules, talk
from handler.views import calls as call_words
from handler.views import lobby as lobby_words
from handler.views import welcome as welcome_words
from handler.words import say, speaking


def handle(ports: Ports, command: Command) -> None:
    """Do what a command asks. Unknown commands are answered in private chats only."""
    act = COMMANDS.get(command.name)
    if act is None and not command.private:
        return
    if command.speaker == "person":
        command = replace(command, who=meet(ports, command.who, command.place, command.title))
    own = command.private or command.name in PRIVATELY
    with speaking(command.who.language if own else voices.in_place(ports, command.place, command.who)):
        _answer(ports, command, act)


def _answer(ports: Ports, command: Command, act: Callable[[Ports, Command], None] | None) -> None:
    if act is None:
        answer(ports, command, Message(say("table.reply.unknown")))
    elif command.speaker == "channel" and command.name in PERSONAL | HOSTS:
        answer(ports, command, Message(say("table.reply.channel")))
    elif command.speaker == "group" and command.name in PERSONAL:
        answer(ports, command, Message(say("table.reply.anonymous")))
    else:
        act(ports, command)


def came_back(ports: Ports, who: Who) -> None:
    """A person wrote to the bot: where it had lost them, they get what they missed."""
    for id in ports.store.of_person(who.id):
        with leaving_alone(id):
            settle(ports, change(ports, id, lambda match: (people.found(match, who), None)))


def mine(ports: Ports, user: int) -> list[Match]:
    """The matches and lobbies in which a person has a seat, with whatever is due there done; first what is played."""
    found = []
    for id in ports.store.of_person(user):
        with leaving_alone(id):
            outcome = change(ports, id, keep)
            settle(ports, outcome)
            if outcome is not None and outcome.match.player(user) is not None:
                found.append(outcome.match)
    return [match for stage in ("playing", "lobby") for match in found if match.stage == stage]


def list_matches(ports: Ports, user: int) -> Message:
    """A person's matches and lobbies, and the matches they finished last."""
    matches = mine(ports, user)
    playing = [(match.id, match.game, match.title) for match in matches if match.stage == "playing"]
    shown = talk.matches(playing, _waiting(matches), tuple(GAMES))
    return after.with_finished(shown, tallies.finished(ports, user))


def _waiting(matches: Iterable[Match]) -> list[tuple[str, str]]:
    """What the lobbies among them are lobbies of, and where."""
    return [(match.game, match.title) for match in matches if match.stage == "lobby"]


def _start(ports: Ports, command: Command) -> None:
    if not command.private:
        answer(ports, command, talk.group_greeting(tuple(GAMES)))
        return
    came_back(ports, command.who)
    word, _, id = command.args.partition("-")
    if word == "panel" and id:
        if not send_panel(ports, id, command.who):
            greeting = welcome.private_greeting(ports, command.who)
            answer(ports, command, welcome_words.after(say("table.reply.not_yours"), greeting))
        return
    answers = _take_kept_seats(ports, command.who)
    if not answers:
        answers = [_without_seat(ports, command.args, command.who)]
    for message in answers:
        if message is not None:
            answer(ports, command, message)


def _take_kept_seats(ports: Ports, who: Who) -> list[Message | None]:
    """Seats in every lobby where this person pressed Join and could not be written to then; the link's payload is not
    needed for it, because some apps lose it. None for a seat of a match in play, which has welcomed them itself.
    """
    answers: list[Message | None] = []
    for id in ports.store.of_person(who.id):
        with leaving_alone(id):
            joined, outcome = people.take_kept_seat(ports, id, who)
            settle(ports, outcome)
            if outcome is not None and joined == "seated" and outcome.match.stage == "playing":
                answers.append(None)
            elif outcome is not None and joined == "seated":
                answers.append(lobby_words.seated(outcome.match.game, outcome.match.title))
            elif outcome is not None and joined == "full":
                answers.append(lobby_words.all_taken(outcome.match.title))
    return answers


def _without_seat(ports: Ports, payload: str, who: Who) -> Message | None:
    """To somebody whose START gave them no seat: what has become of the link they followed, if it was one, and what can
    be done here. None where it leads into a match in play where they sit, and they have been shown their panel.
    """
    greeting = welcome.private_greeting(ports, who)
    word, _, id = payload.partition("-")
    if payload in PLAIN_LINKS:
        return greeting
    if word != "join" or not id:
        return welcome_words.after(say("settings.welcome.astray"), greeting)
    outcome = change(ports, id, keep)
    settle(ports, outcome)
    if outcome is not None and outcome.match.plays(who.id) is not None and send_panel(ports, id, who):
        return None
    if outcome is None or outcome.match.stage != "lobby":
        return welcome_words.after(say("lobby.private.gone"), greeting)
    if outcome.match.player(who.id) is not None:
        return lobby_words.seated(outcome.match.game, outcome.match.title)
    return welcome_words.after(say("lobby.private.press"), greeting)


def _help(ports: Ports, command: Command) -> None:
    answer(ports, command, menus.help_page(tuple(GAMES)))


def _rules(ports: Ports, command: Command) -> None:
    game, _, topic = command.args.partition(" ")
    if game not in GAMES:
        try:
            match = here(ports, command.place)
        except UnknownRules:
            match = None  # what it was played by is not what the rulebook says
        if match is None and command.private:
            match = next(iter(mine(ports, command.who.id)), None)
        game, topic = next(iter(GAMES)) if match is None else _rulebook_of(match), ""
    answer(ports, command, rules.page(game, topic))


def _rulebook_of(match: Match) -> str:
    """The game whose rules hold in a match now: a Death Match has those of Gravity Pandemic."""
    return match.game if match.record is None else VIEWS[match.game].rules(match.view(None))


def _new(ports: Ports, command: Command) -> None:
    answer(ports, command, talk.which_game(tuple(GAMES)))


def _open(ports: Ports, command: Command) -> None:
    outcome, refusal = open_lobby(ports, command.place, command.title, command.name, command.who, command.update)
    if refusal is not None:
        answer(ports, command, refusal)
    settle(ports, outcome)
    if refusal is not None and command.private:
        show_again(ports, command.who)


def _status(ports: Ports, command: Command) -> None:
    if command.private and not ports.store.at(command.place):
        _matches(ports, command)
        return
    match = here(ports, command.place)
    if match is None:
        answer(ports, command, Message(say("table.reply.nothing_here")))
        return
    shown = status(match, ports.telegram.me().username)
    item = ports.store.load(match.id)
    link = None if item is None or command.private else board_link(item)
    answer(ports, command, call_words.with_board(_waiting_for(match, shown), link))


def _waiting_for(match: Match, shown: Message) -> Message:
    """With whom the match waits for, as far as that may be said."""
    if match.phase is None or match.paused is not None:
        return shown
    player = turn(match)
    return call_words.waiting_for(shown, None if player is None else frame(match).names[player])


def _matches(ports: Ports, command: Command) -> None:
    privately(ports, command, list_matches(ports, command.who.id))


def _notes(ports: Ports, command: Command) -> None:
    """A player's notebook: of the match here, in private of the one they play in, or the choice among several."""
    user = command.who.id
    seated = [match for match in mine(ports, user) if match.stage == "playing"]
    matches = seated if command.private else [match for match in seated if match.place == command.place]
    if not matches:
        message = Message(say("notes.not_playing"))
    elif len(matches) > 1:
        message = noting.which(matches, "notes", say("notes.which"))
    else:
        player = matches[0].player(user)
        assert player is not None, "somebody's matches are those in which they have a seat"
        message = noting.private_notes(matches[0], player)
    privately(ports, command, message)


def _history(ports: Ports, command: Command) -> None:
    """What everybody saw of the match here, open or the last that ended; in private, of one's own."""
    match = here(ports, command.place)
    matches = [] if match is None or match.record is None else [match]
    if not matches and command.private:
        matches = [match for match in mine(ports, command.who.id) if match.stage == "playing"]
    ended = None if matches else noting.last_ended(ports, command.place)
    if ended is not None:
        matches = [ended]
    if not matches:
        message = Message(say("notes.history.none"))
    elif len(matches) > 1:
        message = noting.which(matches, "history", say("notes.history.which"))
    else:
        message = noting.past(matches[0])
    privately(ports, command, message)


def _resign(ports: Ports, command: Command) -> None:
    user = command.who.id
    matches = [match for match in mine(ports, user) if command.private or match.place == command.place]
    playing = [(match, player) for match in matches if (player := match.plays(user)) is not None]
    if not playing:
        waiting = _waiting(match for match in matches if match.place.chat != user)
        practice = next((match.id for match in matches if match.place.chat == user), None)
        in_lobbies = talk.only_in_lobbies(waiting, practice)
        none = in_lobbies if waiting or practice else Message(say("table.reply.not_playing"))
        privately(ports, command, none)
    for match, player in playing:
        if can_resign(match, player):
            question = talk.ask_resign(match.id, match.title)
        else:
            question = talk.ask_quit(match.id, match.game, match.title)
        if not privately(ports, command, question):
            return


def _cancel(ports: Ports, command: Command) -> None:
    match = here(ports, command.place)
    if match is None:
        answer(ports, command, nothing_here(ports, command))
    elif command.speaker == "person" and not may_host(ports, match, command.who.id):
        answer(ports, command, talk.host_only(match.host_name))
    else:
        answer(ports, command, ask_cancel(ports, match, command.who.id))


def _pick(ports: Ports, command: Command) -> None:
    """Rule 6 of Gravity Pandemic, as a call of the host's: after the reminder, somebody else may end an idle turn."""
    match = here(ports, command.place)
    if match is None:
        message = nothing_here(ports, command)
    elif command.speaker == "person" and not may_host(ports, match, command.who.id):
        message = talk.host_only(match.host_name)
    else:
        message = ask_pick(match, command.who)
    answer(ports, command, message)


def ask_pick(match: Match, asker: Who) -> Message:
    """Who picks for whoever's turn it is; or why nobody may in their place."""
    if match.phase is None or not match.phase.instant:
        return Message(say("table.pick.nobody"))
    if match.paused is not None:
        return call_words.is_paused(match.host_name)
    name = frame(match).names[match.phase.active[0]]
    until = remind_at(match)
    if until is not None:
        return talk.too_early(name, until)
    plays = match.plays(asker.id) is not None
    return talk.ask_pick(match.id, match.number, name, () if plays else VIEWS[match.game].hosted(match.view(None)))


def needed(match: Match) -> tuple[int, ...]:
    """Who must agree before a player ends the match for everybody: all whom it still concerns, apart from those whom
    the group knows to be out of reach. Whoever has quietly left is asked too: not to ask would tell it.
    """
    if match.stage != "playing":
        return ()
    seated = (match.seats[player] for player in match.playing)
    return tuple(who.user for who in seated if who is not None and who.user is not None and who.reachable)


def ask_cancel(ports: Ports, match: Match, user: int) -> Message:
    """Note that ending the match, or closing its lobby, was asked for, and ask once."""

    def decide(match: Match) -> tuple[Match, None]:
        return (match if match.consent is not None else replace(match, consent=())), None

    outcome = change(ports, match.id, decide)
    settle(ports, outcome)
    match = match if outcome is None else outcome.match
    if match.stage == "lobby":
        return talk.ask_close(match.id)
    if match.plays(user) is None or not set(needed(match)) - {user}:
        return talk.ask_cancel(match.id)
    return ask_everybody(match)


def ask_everybody(match: Match) -> Message:
    """The question to all who play, and what has come of it so far: they answer it before everybody."""
    agreed, asked = match.consent or (), needed(match)
    names = {who.user: who.name for who in match.seats if who is not None}
    return talk.ask_everybody(
        match.id,
        [names[user] for user in asked if user in agreed],
        [names[user] for user in asked if user not in agreed],
    )


PERSONAL: Final = frozenset(
    {*GAMES, "new", "practise", "matches", "notes", "history", "stats", "forget", "resign", "start"}
)
"""Commands that need a person: somebody to host, to seat or to answer in private."""

PLAIN_LINKS: Final = frozenset({"", "hello"})
"""Payloads of /start that ask for nothing: none, and that of the link to somebody the bot could not write to."""

PRIVATELY: Final = frozenset({"practise", "matches", "notes", "history", "stats", "forget", "resign"})
"""Commands that are answered in private wherever they were typed, hence in the person's own language."""

HOSTS: Final = frozenset({"language", "pick", "pause", "resume", "extend", "replace", "cancel"})
"""Commands of the host's and of administrators, also of one who speaks as the group; a channel is neither."""

COMMANDS: Final[Mapping[str, Callable[[Ports, Command], None]]] = {
    **dict.fromkeys(GAMES, _open),
    "start": _start,
    "help": _help,
    "rules": _rules,
    "new": _new,
    "status": _status,
    "practise": practise,
    "matches": _matches,
    "notes": _notes,
    "history": _history,
    "stats": tallies.stats,
    "top": tallies.top,
    "forget": forgetting.ask,
    "language": ask_language,
    "resign": _resign,
    "pick": _pick,
    "pause": calling.pause,
    "resume": calling.resume,
    "extend": calling.extend,
    "replace": calling.replace,
    "cancel": _cancel,
}
