"""docs/tables.md is what the catalogue says, and says all of it."""

from adapters.row_layouts.catalogue import EVERY_TABLE
from tests.adapters.row_layouts.schemas import NAMES, schema
from tools.table_prose import PROSE
from tools.table_reference import PAGE, reference


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == reference(), "`make generated` writes it"


def test_it_tells_every_table_index_and_attribute() -> None:
    page = reference()
    for table in EVERY_TABLE:
        section = page.split(f"## {table.name}\n")[1].split("\n## ")[0]
        for word in (*table.keys, *(index.name for index in table.indexes)):
            assert f"`{word}`" in section
        for attribute in schema(NAMES[table.name])["properties"] if table.name in NAMES else ():
            assert f"| `{attribute}` |" in section


def test_nothing_is_told_of_tables_that_there_are_not() -> None:
    assert set(PROSE) == {table.name for table in EVERY_TABLE}
