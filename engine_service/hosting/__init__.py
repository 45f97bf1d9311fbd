"""Hosting of all matches: the application service, creation, the match cache, lists, replays, and service bots."""
