"""The read models' tables: what they are, how cards lie in their rows, what an engine must do."""
