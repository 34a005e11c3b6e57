"""Operations over HTTP: health, caches, projections, dead letters, people and events."""
