"""The results of a match that is over, kept for its people: written with what is told of its end, and never before."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial

from handler.errands import Errand
from handler.logs import kind
from handler.ports import StoreRefused, StoreUnavailable
from handler.results import results
from handler.teller import Teller

log = logging.getLogger(__name__)


def count(teller: Teller) -> Errand[None]:
    """Keep each person's result, if the match is over and they are not kept yet. A repeat changes nothing, so a teller
    that dies here does no harm. Where the store does not answer, it is tried again later, and what has been told stays
    told. Raises Conflict if the lease is lost.
    """
    if teller.match.stage == "over" and not teller.telling.counted:
        yield from teller.guard("results", partial(_count, teller), lambda: ())


def _count(teller: Teller) -> Errand[None]:
    match, ended_at = teller.match, teller.item.ended_at
    assert ended_at is not None, "it was stored with the end"
    try:
        yield partial(teller.ports.people.add, results(match, ended_at))
    except StoreUnavailable as error:
        log.warning("the results wait", extra={"match": match.id, **kind(error)})
        teller.fail()
    except StoreRefused as error:
        log.exception("the results are not kept", extra={"match": match.id, **kind(error)})
    else:
        teller.telling = replace(teller.telling, counted=True)
