"""All matches: the application service, what creates, keeps, lists and copies them, and the bots it seats."""
