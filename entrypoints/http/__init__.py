"""The State Store over HTTP: it translates in, calls a use case, and translates out."""
