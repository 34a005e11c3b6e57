"""Reading and writing fields of messages."""
