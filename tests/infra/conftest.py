"""Asserts in the shared contract speak as those in test modules do."""

import pytest

pytest.register_assert_rewrite("tests.infra.store_contract")
