"""Where a database lies: a file, or memory under a name that its connections share."""

from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urlsplit
from uuid import uuid4

from attrs import frozen


@frozen
class Location:
    """What SQLite opens, and the file behind it (nothing for a database in memory)."""

    uri: str
    file: Path | None

    @classmethod
    def of(cls, name: str | Path) -> "Location":
        """Understand a path, a `file:` URI, or `:memory:`, which is private to who opens it."""
        if str(name) == ":memory:":
            return cls.in_memory(uuid4().hex)
        if str(name).startswith("file:"):
            return cls._of_uri(str(name))
        return cls.on_disk(Path(name))

    @classmethod
    def on_disk(cls, path: Path) -> "Location":
        file = path.resolve()
        return cls(f"file:{quote(str(file))}", file)

    @classmethod
    def in_memory(cls, name: str) -> "Location":
        # SQLite's own `:memory:` is seen by one connection only; this one by all of the process.
        return cls(f"file:/{quote(name)}?vfs=memdb", None)

    @classmethod
    def _of_uri(cls, uri: str) -> "Location":
        parts = urlsplit(uri)
        path = unquote(parts.path)
        if ":memory:" in path or "memory" in parse_qs(parts.query).get("mode", ()):
            return cls.in_memory(path)
        return cls.on_disk(Path(path))

    @property
    def name(self) -> str:
        """The file without its folder, for those who need not know where data lies."""
        return self.file.name if self.file else str(self)

    def __str__(self) -> str:
        return str(self.file) if self.file else "the database in memory"
