"""The storage engines: one module each, with all that depends on the choice."""
