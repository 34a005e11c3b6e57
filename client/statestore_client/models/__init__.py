"""What is sent and told: plain frozen values with moments and words, no messages of the wire."""
