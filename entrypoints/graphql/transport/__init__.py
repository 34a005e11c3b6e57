"""GraphQL over HTTP, server-sent events and websockets."""
