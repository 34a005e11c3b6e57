"""Root cause: ranking the producers that may have caused an incident."""
