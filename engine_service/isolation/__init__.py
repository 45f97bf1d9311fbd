"""Isolated packs: their rules run in processes of their own, behind the interface of :class:`gamepacks.api.game.Game`.

The service holds proxies (:mod:`engine_service.isolation.games`) of the games and states of such a pack. A proxy of a
state is a value: the bytes of its position, and the properties that the service reads of every state. The process
(:mod:`engine_service.isolation.worker`) keeps only a cache, so a new process can replace it at any moment.
"""
