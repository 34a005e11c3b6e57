"""Datasets and resolution rules over HTTP."""
