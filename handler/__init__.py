"""Telegram in, Telegram out: the webhook, what an update means, what each person is shown."""
