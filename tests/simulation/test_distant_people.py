"""What can befall a process on its way to the store of people."""

from __future__ import annotations

import pytest

from handler.ports import StoreUnavailable
from infra.stores.memory_people import MemoryPeople
from tests.infra.people_contract import ADA, BEN, GROUP, result
from tests.simulation.distant_people import DistantPeople
from tests.simulation.processes import Killed
from tests.simulation.stage import Stage
from tests.simulation.trace import Ended
from tests.simulation.way import Way
from tests.simulation.weather import Fault


class House(Stage):
    """A process, and the store that others have too."""

    def __init__(self) -> None:
        super().__init__()
        self.store = MemoryPeople()
        self.people = DistantPeople(self.store, self.process, Way(self.process))


@pytest.fixture
def house() -> House:
    return House()


@pytest.mark.parametrize("fault", ["store throttled", "store lost before"])
def test_what_is_refused_or_does_not_arrive_is_not_done(house: House, fault: Fault) -> None:
    house.weather.plan(fault)
    with pytest.raises(StoreUnavailable):
        house.run(lambda: house.people.keep_profile(ADA, "{}", None))
    assert house.store.profile(ADA) is None
    house.weather.plan(fault)
    with pytest.raises(StoreUnavailable):
        house.run(lambda: house.people.profile(ADA))


def test_what_is_done_may_stay_without_an_answer(house: House) -> None:
    house.weather.plan("store lost after")
    with pytest.raises(StoreUnavailable):
        house.run(lambda: house.people.add([result(), result(user=BEN)]))
    assert list(house.store.in_chat(GROUP)) == [result()], "the second was not asked for any more"
    house.run(lambda: house.people.add([result(), result(user=BEN)]))
    assert list(house.store.in_chat(GROUP)) == [result(), result(user=BEN)]


def test_a_process_may_end_between_two_results(house: House) -> None:
    house.weather.plan("killed after an effect")
    with pytest.raises(Killed):
        house.run(lambda: house.people.add([result(), result(user=BEN)]))
    assert list(house.store.in_chat(GROUP)) == [result()]
    assert [ended.why for ended in house.trace.of(Ended)] == ["killed after add a result"]
    with pytest.raises(Killed):
        house.run(lambda: house.people.forget(ADA))
    assert list(house.store.of(ADA)) == [result()], "who is no more does nothing more"


def test_in_calm_weather_all_of_it_is_the_stores(house: House) -> None:
    people = house.people
    house.run(lambda: people.add([result()]))
    house.run(lambda: people.keep_profile(GROUP, "{}", None))
    house.run(lambda: people.move(GROUP, -5))
    assert house.run(lambda: people.profile(-5)) == "{}"
    assert list(house.run(lambda: people.in_chat(-5))) == [result(chat=-5)]
    assert list(house.run(lambda: people.of(ADA))) == [result(chat=-5)]
    house.run(lambda: people.forget(ADA))
    assert list(house.run(lambda: people.of(ADA))) == []
