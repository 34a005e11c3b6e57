"""Operations on the caches in front of the read models."""
