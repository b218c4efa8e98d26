"""What the house says around the games: greetings, answers to commands, notices, trouble."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from handler.buttons import MatchPress, PlainPress, write
from handler.message import Button, Keyboard, Message
from handler.views import after
from handler.views.layout import isolated, lines, listed, moment, paragraphs, rows
from handler.words import plain, say


def notice(key: str, args: Mapping[str, str]) -> Markup:
    """A notice of the house: ``unix`` is shown as a moment, ``n`` is a number, ``names`` are names, one a line, and
    every other value is a name.
    """
    return say(key, **{name: _value(name, value) for name, value in args.items()})


def _value(name: str, value: str) -> Markup | str | int:
    match name:
        case "unix":
            return moment(int(value))
        case "n":
            return int(value)
        case "names":
            return _names(value.split("\n"))
        case _:
            return isolated(value)


def begun(commitment: str) -> Markup:
    """The match begins, under seal (``docs/records.md``: the commitment)."""
    return say("table.begun.text", commitment=commitment)


def record_caption(commitments: Sequence[str]) -> Message:
    """What goes with the record file, at most 1024 characters: how to check it against each seal that was posted."""
    seals = Markup(" ").join(say("table.file.seal", commitment=commitment) for commitment in commitments)
    return Message(say("table.file.caption", seals=seals))


def cancelled(board: Message) -> Message:
    """The last board of a match that was cancelled in the middle. It may stay pinned, so it begins with that."""
    return Message(paragraphs(say("table.over"), board.text))


def over_message() -> Message:
    """What an old panel says when its match ended in the middle of the phase."""
    return Message(say("table.over"))


def stale_panel(match: str, panel: Message | None) -> Message:
    """What becomes of a panel that was pressed too late: what stays of it, and the way to the current one."""
    text = say("table.phase_over") if panel is None else panel.text
    return Message(text, ((_match(match, plain("table.button.current"), "panel"),),))


def moved_panel() -> Message:
    """What stays of a panel whose player has asked for it again."""
    return Message(say("table.panel_moved"))


def panel_link(username: str, match: str) -> Button:
    """From the group to one's own panel in private."""
    return Button(plain("table.button.panel"), url=deep_link(username, f"panel-{match}"))


def deep_link(username: str, payload: str = "") -> str:
    """A link that opens the private chat and offers START (Bot API, deep linking). Payload: up to 64 of A-Za-z0-9_-."""
    return f"https://t.me/{username}" + (f"?start={payload}" if payload else "")


def group_greeting(games: Sequence[str]) -> Message:
    """The bot introduces itself in a group."""
    return Message(say("table.greeting.group"), (*_games(games), (_rules(games[0]),)))


def private_greeting(name: str, username: str, games: Sequence[str]) -> Message:
    """The bot introduces itself in private."""
    others = (_rules(games[0]), Button(plain("table.button.matches"), data=write(PlainPress("matches"))))
    add = (Button(plain("table.button.add"), url=f"https://t.me/{username}?startgroup=add"),)
    return Message(say("table.greeting.private", name=isolated(name)), (*after.practise(games), others, add))


def which_game(games: Sequence[str]) -> Message:
    """``/new`` asks which game."""
    return Message(say("table.reply.which"), _games(games))


def occupied(link: str | None, *, lobby: bool) -> Message:
    """A second match in one place is refused with a link to the first."""
    label = say("table.reply.link")
    shown = label if link is None else Markup('<a href="{}">{}</a>').format(link, label)
    return Message(say("table.reply.lobby", link=shown) if lobby else say("table.reply.occupied", link=shown))


def matches(
    playing: Sequence[tuple[str, str, str]], waiting: Sequence[tuple[str, str]], games: Sequence[str]
) -> Message:
    """A person's matches, as (match id, game, title), each with the way to its current panel; and their seats in
    lobbies, as (game, title). Where there are none, ``games`` can be practised.
    """
    if not playing and not waiting:
        return Message(say("table.reply.no_matches"), after.practise(games))
    buttons = tuple((_match(id, _title(game, title), "panel"),) for id, game, title in playing)
    return Message(paragraphs(_in_lobbies(waiting), say("table.reply.your_matches") if playing else None), buttons)


def only_in_lobbies(waiting: Sequence[tuple[str, str]], practice: str | None) -> Message:
    """To somebody who would give up what has not begun: the lobbies, as (game, title), and how to leave them; and how
    to close that of their practice (its id).
    """
    leave = lines(_in_lobbies(waiting), say("table.reply.leave_lobby")) if waiting else None
    if practice is None:
        return Message(lines(leave))
    close = _match(practice, plain("lobby.button.close"), "cancel", "ask")
    return Message(paragraphs(leave, say("table.reply.close_practice")), ((close,),))


def _in_lobbies(waiting: Sequence[tuple[str, str]]) -> Markup:
    return lines(
        *(
            say("table.reply.in_lobby", game=plain(f"lobby.name.{game}"), title=isolated(title))
            for game, title in waiting
        )
    )


def start_me(username: str) -> Message:
    """To somebody in a group whom the bot cannot answer in private yet."""
    button = Button(plain("table.button.open"), url=deep_link(username, "hello"))
    return Message(say("table.reply.start_me"), ((button,),))


def ask_resign(match: str, title: str) -> Message:
    """Giving up is asked once."""
    text = say("table.resign.ask", title=isolated(title))
    return Message(text, _yes_no(match, "resign", plain("table.button.resign")))


def ask_quit(match: str, game: str, title: str) -> Message:
    """So is leaving a match that goes on without whoever leaves; what that means is the game's to say."""
    return Message(say(f"{game}.quit.ask", title=isolated(title)), _yes_no(match, "quit", plain("table.button.quit")))


def ask_decline(match: str, game: str, number: int) -> Message:
    """And ending a match where it stands, which only phase ``number`` can be."""
    yes = _match(match, plain("table.button.decline"), "decline", f"{number}.yes")
    no = _match(match, plain("table.button.keep"), "decline", f"{number}.no")
    return Message(say(f"{game}.decline.ask"), ((yes, no),))


def ask_cancel(match: str) -> Message:
    """Ending a match for everybody is asked once."""
    return Message(say("table.cancel.ask"), _yes_no(match, "cancel", plain("table.button.cancel")))


def ask_everybody(match: str, agreed: Sequence[str], waiting: Sequence[str]) -> Message:
    """If the asker plays too, every player is asked: who has agreed, and who has yet to answer."""
    text = lines(
        say("table.cancel.consent"),
        say("table.cancel.agreed", names=_names(agreed)) if agreed else None,
        say("table.cancel.waiting", names=_names(waiting)),
    )
    return Message(text, _yes_no(match, "cancel", plain("table.button.cancel")))


def _names(names: Sequence[str]) -> Markup:
    return listed(Markup.escape(isolated(each)) for each in names)


def ask_close(match: str) -> Message:
    """Closing a lobby is asked once."""
    yes = _match(match, plain("table.button.close"), "cancel", "close")
    no = _match(match, plain("table.button.keep_lobby"), "cancel", "no")
    return Message(say("table.cancel.lobby"), ((yes, no),))


def host_only(host: str) -> Message:
    """To somebody who may not make the host's calls."""
    return Message(say("table.host_only", name=isolated(host)))


def ask_pick(match: str, number: int, name: str, moves: Sequence[tuple[str, str]]) -> Message:
    """Who picks for an idle player: the host, with one of the moves, or the bot; only the bot where there are none."""
    key = "table.pick.ask" if moves else "table.pick.ask_bot"
    buttons = [_match(match, label, "pick", f"{number}.{move}") for label, move in moves]
    bot = _match(match, plain("table.pick.bot"), "pick", f"{number}.")
    return Message(say(key, name=isolated(name)), (*rows(buttons, 3), (bot,)))


def too_early(name: str, until: float) -> Message:
    """Nobody may pick for a player who still has time."""
    return Message(say("table.pick.early", name=isolated(name), moment=moment(until)))


def waiting(title: str) -> Message:
    """There is no panel to show right now."""
    return Message(say("table.reply.waiting", title=isolated(title)))


def your_turn(title: str) -> Message:
    """The choice is made under the group's board, where everybody sees it."""
    return Message(say("table.reply.your_turn", title=isolated(title)))


def _yes_no(match: str, act: str, yes: str) -> Keyboard:
    return ((_match(match, yes, act, "yes"), _match(match, plain("table.button.keep"), act, "no")),)


def _match(match: str, label: str, act: str, arg: str = "") -> Button:
    return Button(label, data=write(MatchPress(match, act, arg)))


def _games(games: Sequence[str]) -> Keyboard:
    return tuple((Button(plain(f"lobby.name.{game}"), data=write(PlainPress("new", game))),) for game in games)


def _rules(game: str) -> Button:
    return Button(plain("table.button.rules"), data=write(PlainPress("rulebook", f"{game}.play")))


def _title(game: str, title: str) -> str:
    return plain("table.button.match", game=plain(f"lobby.name.{game}"), title=isolated(title))
