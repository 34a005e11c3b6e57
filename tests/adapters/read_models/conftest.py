"""An engine of every kind, as in the tests of the row layouts."""

from tests.adapters.row_layouts.conftest import engine

__all__ = ["engine"]
