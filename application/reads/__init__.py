"""Reading: freshness demands, readers, pages and positions."""
