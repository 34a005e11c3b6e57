"""What every topic of settings is."""

from pydantic import BaseModel, ConfigDict


class Topic(BaseModel):
    """Settings that belong together."""

    # Only `Settings`, which is all of them, is ever made: no topic needs a validator of its own.
    model_config = ConfigDict(defer_build=True)
