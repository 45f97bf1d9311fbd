"""Verification of replays.

A replay is verified with the rules that the match was played by, and nothing that it claims is trusted: its records are
chained, each may follow the one before it, every step was legal, every outcome of chance follows from the seed, and the
result follows from the log. So an accepted replay is consistent. Only the signature of a service, checked with its key,
proves that the match was played there. Nothing proves the identity of the players, or that times were measured well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from cext.chance import SEED_BYTES, commitment, outcome
from engine_service.errors import EngineError, ReplayInvalid
from engine_service.log.header import Header, configure, state_at_start
from engine_service.log.history import History
from engine_service.log.records import Record, chain, first_chain
from engine_service.log.replay import records_of, signer
from engine_service.log.results import result_bytes
from engine_service.match_enums import ChanceSource, MatchState, RecordKind
from engine_service.matches.draft import Draft
from engine_service.matches.snapshot import MatchSnapshot, empty_seats
from engine_service.matches.transitions import play_is_over, transition_fault
from engine_service.model import Result, has_ended
from engine_service.pack_guard import THREAD_GUARD, ContractViolated, PackRaised
from gamepacks.api.errors import IllegalAction
from gamepacks.api.registry import Registry
from omnilude.v1.replay_pb2 import Replay


@dataclass(frozen=True, slots=True)
class Verification:
    """Result of a verification."""

    match: str
    game: str
    rules_version: str
    engine_version: str
    players: tuple[str, ...]
    """By seat; empty for a seat that nobody took."""
    state: MatchState
    """WAITING or ACTIVE for a replay of a match that has not ended."""
    result: Result | None
    records: int
    steps: int
    """Actions and outcomes of chance in force at the end."""
    signing_key: bytes = b""
    """Public key of the service that has signed the replay; empty if none has."""
    rolls_proved: int = 0
    """Outcomes that follow from the published seed, including those taken back."""
    rolls_unverified: int = 0
    """Outcomes that can be proved only when the seed is published."""
    rolls_provided: int = 0
    """Outcomes that the host provided."""
    rolls_inherited: int = 0
    """Outcomes that were copied from another match, whose seed they come from."""


def verify(replay: Replay, registry: Registry) -> Verification:
    """Verify a replay with the rules of its game.

    Raises ReplayInvalid, with the first record that is at fault; RulesNotLoaded, CardSetNotLoaded.
    """
    header = Header.decode(replay.header)
    records = records_of(replay)
    _check_chain(replay, records)
    signing_key = signer(replay)
    if replay.seed and (len(replay.seed) != SEED_BYTES or commitment(replay.seed) != header.seed_commitment):
        raise ReplayInvalid(0, "the seed does not match the commitment in the header")
    seq = 0
    rolls: Counter[str] = Counter()
    try:
        with THREAD_GUARD:
            game = configure(header, registry)
            start = state_at_start(header, game)
            history = History(header, game, start.clone())
        before = MatchSnapshot(start, empty_seats(header.seats))
        draft = Draft(header, game, history, before, seed=replay.seed, guard=THREAD_GUARD)
        draft.checked = True
        for record in records:
            seq = record.seq
            if fault := transition_fault(draft, record):
                raise ReplayInvalid(seq, fault)
            if record.kind is RecordKind.CHANCE or record.kind is RecordKind.OUTCOME_PROVIDED:
                rolls[_check_roll(draft, record)] += 1
            draft.apply(record)
            draft.add_to_history(record)
            _check_over(draft)
    except PackRaised as raised:
        raise _fault_of(raised.error, seq) from None
    _check_end(replay, draft)
    after = draft.after
    return Verification(
        match=header.match,
        game=header.game,
        rules_version=header.rules_version,
        engine_version=header.engine_version,
        players=tuple(seat.player if seat.taken else "" for seat in after.seats),
        state=after.state,
        result=after.result,
        records=len(records),
        steps=after.plies,
        signing_key=signing_key,
        rolls_proved=rolls["proved"],
        rolls_unverified=rolls["unverified"],
        rolls_provided=rolls["provided"],
        rolls_inherited=rolls["inherited"],
    )


def _check_chain(replay: Replay, records: Sequence[Record]) -> None:
    link = first_chain(replay.header)
    for seq, record in enumerate(records, 1):
        if record.seq != seq:
            raise ReplayInvalid(seq, f"its number is {record.seq}, not {seq}")
        try:
            link = chain(link, record)
        except ValueError:
            raise ReplayInvalid(seq, "a number is out of range") from None
    if link != replay.chain:
        raise ReplayInvalid(0, "the hash chain does not match: the header or records were edited")


def _check_roll(draft: Draft, record: Record) -> str:
    """Returns how an outcome of chance was proved, as a key of the counts. Raises ReplayInvalid if the seed gives
    another outcome."""
    if draft.after.state is MatchState.WAITING:
        return "inherited"
    if draft.header.policy.chance is ChanceSource.HOST:
        return "provided"
    if not draft.seed:
        return "unverified"
    with THREAD_GUARD:
        outcomes = draft.after.game_state.chance()
        rolled = outcome(draft.seed, draft.header.chance_uid, draft.after.plies, outcomes)
    if record.code != rolled:
        raise ReplayInvalid(record.seq, "the outcome does not follow from the seed")
    return "proved"


def _check_over(draft: Draft) -> None:
    """Raises PackRaised if play is over and the pack does not give each seat a result."""
    if play_is_over(draft.header, draft.after):
        with THREAD_GUARD:
            result = draft.outcome()
            if result is None or len(result.returns) != draft.header.players:
                raise ContractViolated("play ended without a result for each seat")


def _check_end(replay: Replay, draft: Draft) -> None:
    after = draft.after
    if play_is_over(draft.header, after):
        raise ReplayInvalid(after.seq, "play is over, but the log does not end with FINISHED")
    if has_ended(after.state) != replay.HasField("result"):
        raise ReplayInvalid(
            0, "the result is missing" if has_ended(after.state) else "it has a result, but the match has not ended"
        )
    if has_ended(after.state) and not replay.seed:
        raise ReplayInvalid(0, "the seed is missing")
    # Compared as bytes, because -0.0 equals 0.0 and NaN does not equal itself.
    if after.result is not None and replay.result.SerializeToString(deterministic=True) != result_bytes(after.result):
        raise ReplayInvalid(0, "the result does not follow from the log")


def _fault_of(error: BaseException, seq: int) -> EngineError:
    """Returns the error for an exception of the rules, without its text, which may quote secrets."""
    if isinstance(error, EngineError):
        return error
    if isinstance(error, IllegalAction):
        return ReplayInvalid(seq, f"its action is not legal ({error.reason})")
    return ReplayInvalid(seq, f"the rules failed on it ({type(error).__name__})")
