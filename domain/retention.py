"""How long things are still shown after they ended. The log keeps everything for ever."""

from datetime import timedelta

from attrs import frozen


@frozen
class KeptFor:
    """Whole seconds, each. What has not ended is kept."""

    signals: timedelta = timedelta(days=30)
    """After their dataset was retired: those of a dataset in service never end."""
    incidents: timedelta = timedelta(days=365)
    """After they were resolved."""
    evidence: timedelta = timedelta(hours=24)
    """After it was recorded; then it is read from the archive."""
    lineage: timedelta = timedelta(days=90)
    """After the spec that declares it was made, unless the spec itself says how long."""


KEPT_FOR = KeptFor()
