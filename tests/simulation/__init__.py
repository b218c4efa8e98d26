"""The whole house in one thread, with everything that can go wrong decided by one seed (``docs/reliability.md``)."""
