"""Write docs/tables.md from the catalogue of tables and the schemas of their rows."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from adapters.row_layouts.catalogue import EVERY_TABLE, Billing, Index, Table
from domain.retention import KEPT_FOR
from tools.table_prose import PROSE, Prose

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "tables.md"

INTRODUCTION = """\
# The tables

This page is written by `make reference` from the catalogue of tables
(`adapters/row_layouts/catalogue.py`) and the [schemas of their rows](schemas/). The catalogue also
makes and checks the tables:

```
statestore tables list                  # what there should be, and what is in it
statestore tables create                # make what is missing
statestore tables check                 # every difference, exit code 1 if there is one
statestore tables describe signal-state # all about one of them
statestore tables sweep                 # throw away what has ended (a server does so by itself)
```

On the embedded engine the read models are tables of the store file; on DynamoDB all of them are
tables of their own. `STATESTORE_TABLE_PREFIX` goes before every name. The event log's table alone
can be named apart from the others, with `STATESTORE_DYNAMODB_TABLE`, and then has no prefix. A
rebuilt table has `-g2`, `-g3` … after its name; `list`, `describe` and `check` look at the one that
is read, and at all of `observability-projection-state` that are.

- **Expiry.** Rows end some time after the thing itself has ended, by these policies; the current
  state of a dataset in service never expires. No read shows a row that has ended. On DynamoDB the
  time to live deletes it later; on SQLite the server does, 32 rows at a time, an hour after the
  end. A changed policy counts for rows written from then on.
- **Billing.** As below, unless `STATESTORE_PROVISIONED_TABLES` names the tables that are
  provisioned, as in `observability-signal-state:500:3000,observability-dataset-registry:50:10`,
  or says `none`. The units are those of the table and of each of its indexes. Only the mode is
  checked: automatic scaling may move the units. Rebuilt tables are always on demand, because
  filling one takes far more than keeping it up to date
  ([how to change that](read-models-on-dynamodb.md#how-they-are-paid-for)).
- **Checks.** A table with another key, other indexes, another mode of billing or another time to
  live is refused at the start. Missing point-in-time recovery, streams and tags are told by
  `check` and switched on by `create`.
- **Rights** (IAM) on the tables and their indexes, all of them `dynamodb:…`. Every process needs
  `GetItem`, `BatchGetItem`, `Query`, `PutItem`, `UpdateItem`, `DeleteItem` and
  `ConditionCheckItem` for the rows, and `DescribeTable` and `DescribeTimeToLive` at the start.
  - To create tables: `CreateTable`, `UpdateTimeToLive`, `UpdateContinuousBackups` and
    `TagResource`; so do `rebuild`, `verify --repair` and `restore-drill`, which make a generation
    of tables each, and are refused if `STATESTORE_CREATE_TABLES=false`.
  - `rebuild`, `verify` and `restore-drill`: also `Scan`; the last two `DeleteTable`, for
    generations that are no longer read. With a server running on the same data folder, the server
    does it.
  - `tables check`, `list` and `describe`: also `DescribeContinuousBackups` and
    `ListTagsOfResource`; `tables create`: these, and `UpdateTable` to switch a stream on.
  - `log check`, `repair` and `stats`: also `Scan`, on the event log.
- **Tags.** Every table has `application` = `statestore` and `classification` as below.
"""


def reference() -> str:
    return "\n".join([INTRODUCTION, *_overview(), *(_section(table) for table in EVERY_TABLE)])


def _overview() -> Iterator[str]:
    yield "| table | key | indexes | kept | billing | data |"
    yield "|---|---|---|---|---|---|"
    for table in EVERY_TABLE:
        cells = (
            f"[{table.name}](#{table.name})",
            " + ".join(_code(one) for one in table.keys),
            ", ".join(index.name for index in table.indexes) or "none",
            _kept(table),
            _billing(table),
            table.classification.value,
        )
        yield f"| {' | '.join(cells)} |"
    yield ""


def _section(table: Table) -> str:
    prose = PROSE[table.name]
    return "\n".join(
        [
            f"## {table.name}\n",
            f"{prose.holds}\n",
            *_facts(table),
            "",
            *_indexes(table),
            *_questions(prose),
            *_attributes(prose),
        ]
    )


def _facts(table: Table) -> Iterator[str]:
    types = ("string", "number" if table.range_type == "N" else "string")
    keys = (f"{_code(name)} ({kind})" for name, kind in zip(table.keys, types, strict=False))
    yield f"- **Key**: {', '.join(keys)}"
    ttl = f"; time to live on {_code(table.ttl)}" if table.ttl else ""
    yield f"- **Rows are kept**: {_kept(table)}{ttl}"
    yield f"- **Billing**: {_billing(table)}"
    yield f"- **Classification**: {table.classification.value}"
    yield f"- **Point-in-time recovery**: {'on' if table.restorable else 'off'}"
    yield f"- **Stream**: {table.stream or 'none'}"


def _indexes(table: Table) -> Iterator[str]:
    if table.indexes:
        yield "| index | partition | order | projection |"
        yield "|---|---|---|---|"
        yield from (_index(index) for index in table.indexes)
        yield ""


def _index(index: Index) -> str:
    cells = (_code(index.name), _code(index.hash), _code(index.range), index.projection)
    return f"| {' | '.join(cells)} |"


def _questions(prose: Prose) -> Iterator[str]:
    if prose.questions:
        yield "| question | answered by |"
        yield "|---|---|"
        yield from (f"| {asked} | {way} |" for asked, way in prose.questions.items())
        yield ""


def _attributes(prose: Prose) -> Iterator[str]:
    meanings, always = prose.attributes, frozenset(prose.attributes)
    if prose.schema is not None:
        yield f"Schema: [{prose.schema}.schema.json](schemas/{prose.schema}.schema.json)\n"
        schema = _schema(prose.schema)
        meanings, always = _meanings(schema), frozenset(schema["required"])
    yield "| attribute | always | meaning |"
    yield "|---|---|---|"
    for name, meaning in meanings.items():
        yield f"| {_code(name)} | {'yes' if name in always else ''} | {meaning} |"
    yield ""


def _schema(name: str) -> dict[str, Any]:
    path = ROOT / "docs" / "schemas" / f"{name}.schema.json"
    read: dict[str, Any] = json.loads(path.read_text())
    return read


def _meanings(schema: Mapping[str, Any]) -> Mapping[str, str]:
    return {name: one["description"] for name, one in schema["properties"].items()}


def _kept(table: Table) -> str:
    if table.retention is None:
        return PROSE[table.name].kept
    span = getattr(KEPT_FOR, table.retention.value)
    return f"{span.days} days" if span.days > 1 else f"{span.total_seconds() / 3600:.0f} hours"


def _billing(table: Table) -> str:
    if table.billing is Billing.ON_DEMAND:
        return "on demand"
    units = table.throughput
    return f"provisioned, {units.read} read and {units.write} write units"


def _code(text: str | None) -> str:
    return f"`{text}`"


if __name__ == "__main__":
    PAGE.write_text(reference())
