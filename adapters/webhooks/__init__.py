"""Events to anybody who listens on HTTP."""
