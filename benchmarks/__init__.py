"""Measurements: what a command says of this machine's times, and no test asserts."""
