"""Datasets: configuration, contracts and resolution rules."""
