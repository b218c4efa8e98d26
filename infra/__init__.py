"""Everything outside the process: stores, timers, the Telegram client, the local table."""
