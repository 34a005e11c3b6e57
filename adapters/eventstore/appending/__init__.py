"""Rules and bookkeeping of appends that every engine shares."""
