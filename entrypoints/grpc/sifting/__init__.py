"""
Evidence that comes over gRPC is sifted here: in this process or, many at once, in another.

Reading and checking fifty thousand items a second takes most of a core. While the event loop did
that, every other call waited for it.
"""
