"""Inspection, repair, import and statistics of the event log on DynamoDB."""
