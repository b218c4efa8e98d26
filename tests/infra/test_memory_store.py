"""The store in memory keeps the contract."""

import pytest

from infra.stores.memory import MemoryStore
from tests.infra.store_contract import StoreContract


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore()
