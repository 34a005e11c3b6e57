"""Facts as stored events: catalogue, codec, envelope, streams and the log's contract."""
