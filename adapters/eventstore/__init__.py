"""Facts as stored events: names, envelopes, streams and the log they are appended to."""
