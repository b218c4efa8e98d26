"""The rules: what a game is, what a match is, and who wins. Standard library only; no clock, no I/O."""
