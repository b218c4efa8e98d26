"""What a viewer may do now: ``check``, ``options`` and ``amend``, pure functions of the view (and never of a state).

Screens import this module to offer only what is legal; ``engine.gravity.rules`` puts it into the game's contract.
"""
