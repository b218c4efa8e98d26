"""What a press came to is what its person was told: the texts of answerCallbackQuery, word for word.

They stand here a second time on purpose: the judge takes no text from the bot. One that is in no table is an offence.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from tests.simulation.judge import spanish

Meaning = Literal["counted", "refused", "unsure", "nothing"]
"""``unsure``: the bot says itself that it does not know any more. ``nothing``: no move was at stake."""

_COUNTED: Final = frozenset(
    {
        "Noted, but you have pressed something newer since. Your panel shows what counts.",
        # Gravity Pandemic
        "Locked in.",
        "Open again. What you chose still counts until you change it.",
        "No bird. Lock in when you are done.",
        "Welcome back. You pick again.",
        "Your orders stand.",
        "Locked in: no guess.",
        # Dog's Judgement
        "Ready.",
        "Not ready any more.",
        "Not ready any more. What you chose still counts.",
        "You play no card.",
        "Your challenge stands.",
        "The lot decides.",
    }
)
_COUNTED_MOVE: Final = re.compile(
    r"[A-Z][A-Za-z ]+ it is\. Lock in when you are done\."
    r"|[A-Z][A-Za-z ]+ is yours tonight\."
    r"|[A-Z][A-Za-z ]+ → .+\."
    r"|[A-Z][A-Za-z ]+ stays home\."
    r"|Locked in: seat \d+ is the [A-Z][A-Za-z ]+\."
    r"|[1-7] on .+ and .+\. It counts\."
)
_UNSURE: Final = "You have pressed many newer things since. Your panel shows what counts."
_REFUSED: Final = frozenset(
    {
        "That phase is over.",
        "You are not playing in this match.",
        "That match is no longer here.",
        "This match was begun under rules that have changed since. Whoever hosts me can bring them back.",
        "That button does not work any more.",
        "You are not a player of this match. Enjoy the show.",
        "This match is over.",
        "That belongs to another phase.",
        "Nobody is told where the Raven sits. Name another bird (ruling 1).",
        "That bird was named in an earlier round. Choose another (ruling 3).",
        "It is the other player's pick (ruling 4).",
        "Nobody drafts Lovebird A; it walks by itself (ruling 4).",
        "That bird is already drafted tonight (ruling 4).",
        "The bot is not picking for you (ruling 6).",
        "It is your pick: just choose a bird (ruling 6).",
        "You did not draft that bird tonight.",
        "One bird cannot be sent to two places.",
        "That bird needs no orders (ruling 10).",
        "That bird can only be sent to a seat.",
        "That bird can only be sent to a bird by name.",
        "There are seats 1 to 11.",
        "Everybody knows who sits there. Choose another seat (rulings 8 and 18).",
        "Everybody knows where that bird sits. Choose another bird (rulings 8 and 18).",
        "You were told where that bird sits, so you may not guess it this round (ruling 2).",
        "There are cards from 1 to 7.",
        "That card is not in your hand (ruling 1).",
        "A card is played on two different events (ruling 1).",
        "Say which card you want from the Exchange Store (ruling 2).",
        "Only the Exchange Store gives cards (ruling 2).",
        "The store gives a card within 2 of yours, from 1 to 7 (ruling 2).",
        "Only a bribe moves a token (ruling 3).",
        "Tokens lie on Charge Tower, Remove One and Median Meridian, and stay there (ruling 3).",
        "There is no such token to take from there (ruling 3).",
        "A token moves to another event, or not at all (ruling 3).",
        "Only the Elimination Candidate chooses (ruling 16).",
        "Choose another player without a Token of Life (ruling 16).",
    }
)

RESIGNED: Final = "You have resigned."
STARTED: Final = "Off we go."
SEATED: Final = "You have a seat."
PICKED: Final = re.compile(r"Picked for .+\.", re.DOTALL)
TOO_FAST: Final = "A little too fast for this group. Please try again in a few seconds."

_ABOUT_A_MATCH: Final = frozenset(
    {
        "",
        RESIGNED,
        STARTED,
        SEATED,
        TOO_FAST,
        "You are not playing in this match.",
        "That match is over, and its notebooks are closed. /history shows what everybody saw of it.",
        "That match is no longer here.",
        "This match was begun under rules that have changed since. Whoever hosts me can bring them back.",
        "That button does not work any more.",
        "This match is over.",
        "This phase is over.",
        "You play on.",
        "You have left the table. /matches shows the way back.",
        "The Death Match stays on.",
        "The match goes on.",
        "The lobby stays open.",
        "Noted. Everybody else who plays must agree too.",
        "Nobody has asked to end this match.",
        "You play in this match, so you can only let the bot pick.",
        "That turn is over.",
        "You have a seat already.",
        "All seats are taken. If one gets free, press Join again.",
        "This match has begun already.",
        "You have left.",
        "You have no seat here.",
        "Only the host or a group administrator can do that.",
        "Done.",
        "That seat has been taken meanwhile. Look at the lobby again.",
        "Nothing to change here. Look at the lobby again.",
        "There are free seats. Fill them, with house players if you like.",
        "A match needs at least one person.",
        "This lobby is somebody's private practice.",
        "This button is for those who played in that match. /new opens a lobby for everybody.",
        "A lobby is open here already. The rematch has to wait.",
        "A match is being played here. The rematch has to wait.",
        "The rematch is being played already.",
        "The lobby for the rematch is open.",
        "I no longer have that match. Its record stands where it was played.",
        "I could not send the record just now. Please try again.",
        "Telegram did not let me write to you just now. Please press Join again in a moment.",
        "I have answered you in private.",
    }
)
_CALLS: Final = frozenset(
    {
        "Things have changed since that button was drawn.",
        "The match has not begun yet.",
        "Only the host or a group administrator can choose my language here.",
        "That is enough for this phase. When the next one opens, you can call again.",
        "The match is not paused.",
        "The match is paused already.",
        "Nothing runs out at the moment, so there is nothing to pause.",
        "Nothing runs out at the moment, so there is nothing to extend.",
        "That time has been added already.",
        "This phase has been extended as far as it can be.",
        "This match has been extended as far as it can be.",
        "This is your practice: nobody else is here to take a seat. /cancel ends it.",
        "Asked. Only they can agree.",
        "Nobody is asking that any more.",
        "You have the seat. Look at our private chat.",
        "That seat is no longer free to take.",
        "You sat in another seat of this match, and know what only that seat may know. "
        "So this one is for somebody else.",
    }
)
_OF_CALLS: Final = re.compile(
    r"That is too much at once: at most [^.]* can be added now\.|Only .+ can answer that\."
    r"|Meanwhile [^.]* have been added to this phase\. For more, press again\."
    r"|I have asked .+\. The seat stays theirs until they agree\.",
    re.DOTALL,
)
_PAUSED: Final = re.compile(r"The match is paused\. .+ \(the host\) or an administrator can resume it\.", re.DOTALL)
_LANGUAGE: Final = re.compile(r"From now on, here: .+\.")
_HOST_ONLY: Final = re.compile(r"Only .+ \(the host\) or a group administrator can do that\.", re.DOTALL)
_ISOLATES: Final = str.maketrans("", "", "\u2066\u2067\u2068\u2069")


def plain(text: str) -> str:
    """A text without the marks that keep a name's direction to itself."""
    return text.translate(_ISOLATES)


def read(text: str) -> str:
    """An answer as people see it, in English; one that nobody knows stays as it is."""
    shown = plain(text)
    if _is_known_anywhere(shown):
        return shown
    return next((each for each in spanish.english(shown) if _is_known_anywhere(each)), shown)


def _is_known_anywhere(text: str) -> bool:
    return meaning("", text) is not None or is_known(text)


def meaning(verb: str, text: str) -> Meaning | None:
    """What an answer says of a press in a phase; None for a text that nobody knows."""
    if text in _REFUSED or _PAUSED.fullmatch(text):
        return "refused"
    if verb == "m":
        return "nothing" if not text else None
    if text in _COUNTED or _COUNTED_MOVE.fullmatch(text):
        return "counted"
    return "unsure" if text == _UNSURE else None


def is_known(text: str) -> bool:
    """Whether a press that is not in a phase may be answered so."""
    patterns = (_HOST_ONLY, PICKED, _OF_CALLS, _PAUSED, _LANGUAGE)
    return text in _ABOUT_A_MATCH | _CALLS or any(pattern.fullmatch(text) for pattern in patterns)
