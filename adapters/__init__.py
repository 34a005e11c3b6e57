"""Everything that knows a technology, one folder each."""
