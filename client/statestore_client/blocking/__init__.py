"""The same client for programs without asyncio: its calls wait for their answers."""
