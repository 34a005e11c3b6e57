"""Regular expressions by RE2: no pattern can make it slow."""
