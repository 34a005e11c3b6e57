"""Parts that the adapters of AWS services share."""
