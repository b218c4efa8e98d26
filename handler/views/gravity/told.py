"""What becomes known in Gravity Pandemic, worded from the fact alone: for the group, and for one player."""

from __future__ import annotations

from markupsafe import Markup

from engine.game import Player
from engine.gravity.birds import DRAFTED, ROUNDS, Bird
from engine.gravity.facts import (
    NOTHING,
    Fact,
    GuessTold,
    Judged,
    MatchEnded,
    NightBegan,
    NightResolved,
    NightTold,
    PeriodClosed,
    Picked,
    Response,
    RevealTold,
    RoundBegan,
    RoundEnded,
)
from engine.gravity.moves import Guess
from engine.gravity.targets import SENT
from handler.frame import Frame
from handler.views.gravity.terms import bird_name, gain, goal, heard, rulebook, tally, who
from handler.views.layout import isolated, lines, paragraphs
from handler.words import say


def announce(frame: Frame, fact: Fact) -> Markup | None:
    """A public fact for the group; None for what the board shows well enough, and for what is not public."""
    if frame.brief:
        return _in_brief(frame, fact)
    match fact:
        case RoundBegan(round=round):
            return say("gravity.announce.round", round=round)
        case NightBegan(round=round, night=night, first=first):
            key = "gravity.announce.first_night" if (round, night) == (1, 1) else "gravity.announce.night"
            return say(key, round=round, night=night, first=who(frame, first))
        case Picked():
            return _picked(frame, fact)
        case NightResolved():
            return _night(frame, fact)
        case PeriodClosed():
            return _period(frame, fact)
        case RoundEnded():
            return _round(frame, fact)
        case MatchEnded():
            return _match(frame, fact)
        case _:
            return None


def opens(fact: Fact) -> bool:
    """A new round does, so that it takes nothing from the end of the one before."""
    return isinstance(fact, RoundBegan) and fact.round > 1


def _in_brief(frame: Frame, fact: Fact) -> Markup | None:
    """Between house players: a line a round, and the end."""
    match fact:
        case RoundEnded(round=round, raven_found=found):
            key = "gravity.brief.round_raven" if found else "gravity.brief.round_dark"
            return say(key, round=round, scores=tally(frame, fact.scores))
        case MatchEnded():
            return _match(frame, fact)
        case _:
            return None


def _picked(frame: Frame, fact: Picked) -> Markup | None:
    """A line where somebody was silent and another chose. The tenth pick is nobody's choice (rule 4)."""
    if fact.by == "player" or fact.pick == len(DRAFTED):
        return None
    key = "gravity.announce.picked_bot" if fact.by == "bot" else "gravity.announce.picked_host"
    return say(key, name=who(frame, fact.player), bird=bird_name(fact.bird))


def _night(frame: Frame, fact: NightResolved) -> Markup:
    """The Robin's gain, if it is one: a gain of nothing is not announced (rule 15)."""
    company = None
    if fact.robin is not None:
        player, quarters = fact.robin
        company = say("gravity.announce.robin", name=who(frame, player), gain=gain(quarters))
    return lines(say("gravity.announce.morning", round=fact.round, night=fact.night), company)


def _period(frame: Frame, fact: PeriodClosed) -> Markup:
    if not fact.judged:
        return say("gravity.announce.no_guess", night=fact.night)
    seats = [judged.right.seat for judged in fact.judged if judged.right and judged.right.bird is Bird.RAVEN]
    return paragraphs(
        say("gravity.announce.raven", seat=seats[0]) if seats else None,
        lines(*(_judged(frame, judged) for judged in fact.judged)),
        say("gravity.announce.again") if fact.again else None,
    )


def _judged(frame: Frame, judged: Judged) -> Markup:
    """A right guess with its content; of a wrong one only what it cost (rule 17)."""
    name, change = who(frame, judged.player), gain(judged.delta)
    if judged.right is None:
        return say("gravity.announce.wrong", name=name, gain=change)
    seat, bird = judged.right.seat, bird_name(judged.right.bird)
    return say("gravity.announce.right", name=name, seat=seat, bird=bird, gain=change)


def _round(frame: Frame, fact: RoundEnded) -> Markup:
    """How a round ended; after the last one the scores come with the end of the match."""
    end = "gravity.announce.round_raven" if fact.raven_found else "gravity.announce.round_dark"
    scores = say("gravity.announce.scores", scores=tally(frame, fact.scores)) if fact.round < ROUNDS else None
    return lines(say(end, round=fact.round), _named(fact), scores)


def _named(fact: RoundEnded) -> Markup:
    """The birds that were named this round (rule 3); that they may not be named again matters only before the last."""
    if not fact.named:
        return say("gravity.announce.unnamed")
    key = "gravity.announce.named" if fact.round < ROUNDS else "gravity.announce.named_last"
    return say(key, birds=rulebook(fact.named))


def _match(frame: Frame, fact: MatchEnded) -> Markup:
    name, other = who(frame, fact.winner), who(frame, _opponent(fact.winner))
    scores = say("gravity.announce.final", scores=tally(frame, fact.scores))
    match fact.why:
        case "points":
            why = say("gravity.ended.points", name=name)
        case "led_last":
            why = say("gravity.ended.led_last", name=name)
        case "never_led":
            why = say("gravity.ended.never_led", name=name)
        case "resigned":
            return lines(
                say("gravity.ended.resigned_head", name=name), say("gravity.ended.resigned", other=other), scores
            )
    return lines(say("gravity.ended.head", name=name), why, scores)


def _opponent(player: Player) -> Player:
    return 1 - player


def whisper(frame: Frame, fact: Fact) -> Markup | None:
    """A private fact for its player, under the group's title; None for no guess (the group hears who guessed)."""
    match fact:
        case RevealTold(round=round, bird=Bird() as bird, seat=int(seat)):
            text = say("gravity.whisper.reveal", round=round, bird=bird_name(bird), seat=seat)
        case RevealTold(round=round):
            text = say("notes.silent.reveal" if frame.silent else "gravity.whisper.reveal_none", round=round)
        case NightTold():
            silent = say("gravity.whisper.silent") if fact.silent else None
            head = say("gravity.whisper.night", round=fact.round, night=fact.night)
            text = lines(head, silent, responses(fact), _nothing(fact))
        case GuessTold(guess=None) if frame.silent:
            text = say("notes.silent.guess", night=fact.night)
        case GuessTold(guess=None):
            return None
        case GuessTold(guess=Guess() as guess, delta=delta):
            key = "gravity.whisper.right" if delta > 0 else "gravity.whisper.wrong"
            text = say(key, seat=guess.seat, bird=bird_name(guess.bird), gain=gain(delta))
        case _:
            return None
    return lines(say("gravity.whisper.title", title=isolated(frame.title)), text)


def responses(fact: NightTold) -> Markup:
    """Each of a player's birds with where it was sent and what it heard, in rulebook order."""
    return lines(*(_response(response) for response in fact.responses))


def _nothing(fact: NightTold) -> Markup | None:
    """What N/A means (rule 14), as long as it may be new to the player."""
    answered = any(response.text == NOTHING for response in fact.responses)
    return say("notes.gravity.na") if answered and fact.round == 1 else None


def _response(response: Response) -> Markup:
    bird, text = bird_name(response.bird), heard(response.text)
    if response.target is not None:
        return say("gravity.response.sent", bird=bird, target=goal(response.target), text=text)
    if response.bird not in SENT:
        return say("gravity.response.itself", bird=bird, text=text)
    return say("gravity.response.home", bird=bird, text=text)
