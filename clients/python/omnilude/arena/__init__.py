"""Tournaments of bots over the wire: schedules, results, ratings, reports."""
