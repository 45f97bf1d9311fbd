"""What a viewer sees of a table, and what it is told of a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gamepacks.omega import codes, scoring
from gamepacks.omega.codes import BOOK, GREEN, NOWHERE, WHITE, Frame, Phase
from gamepacks.omega.positions import target_message
from gamepacks.omega.state import OmegaState
from gamepacks.omega.v1 import omega_pb2 as pb
from gamepacks.omega.words import card_message, decision, knows, owner, power_text, token_message

if TYPE_CHECKING:
    from gamepacks.omega.game import Omega


def view_message(game: Omega, state: OmegaState, viewer: int) -> pb.View:
    """The view (section 15.6)."""
    values = state.dump()
    over, actor, active = state.phase == Phase.OVER, state.actor(), values["active"]
    inside = viewer in (-2, active) or over
    view = pb.View(
        card_set=game.card_set.title,
        phase=values["phase"],
        active_seat=active if active >= 0 and not over else None,
        deciding_seat=actor if actor >= 0 else None,
        decision=decision(state),  # type: ignore[arg-type]
        turn=values["turn"],
        squares=game.rules.squares,
        eye_offset=game.rules.eye,
        altar=values["altar"],
        bag_size=sum(values["bag"]),
        deck_size=len(values["deck"]),
        discard=values["discard"],
        looked_count=len(values["looked"]),
        gain_used=values["gain_used"],
        ending=values["ending"],
        announcer=values["announcer"] if values["announcer"] >= 0 else None,
        final_turns_left=values["final_left"],
        winners=scoring.winners(game, state) if over else (),
    )
    for card in values["gallery"]:
        view.gallery.add(card=None if card == NOWHERE else card_message(game, card))
    for token, hidden in zip(values["top"], values["hidden"], strict=True):
        view.arcana.add(top=None if token == NOWHERE else token_message(game, token), hidden=hidden)
    unseen = list(values["bag"])
    scores = scoring.scores(game, state)
    for seat, player in enumerate(values["players"]):
        known = over or viewer in (-2, seat)
        view.players.append(_player(game, player, known, over or viewer in (-2, seat), scores[seat]))
        if not known:
            unseen = [a + b for a, b in zip(unseen, player["pyramid"], strict=True)]
    view.unseen.extend(unseen)
    if values["batch_index"] != NOWHERE:
        view.batch_target.CopyFrom(target_message(values["batch_seat"], values["batch_index"]))
        if inside or values["batch_shown"]:
            view.batch.extend(values["batch"])
    if inside:
        view.looked.extend(card_message(game, card) for card in values["looked"])
    _pending(view, state.pending, inside)
    return view


def _pending(view: pb.View, pending: tuple[int, int, int, int] | None, inside: bool) -> None:
    if pending is None:
        return
    kind, a, b, c = pending
    if kind == Frame.TARGET and inside:
        view.placing = a + 1  # type: ignore[assignment]
    elif kind in (Frame.PAIR_FIRST, Frame.PAIR_SECOND) and inside:
        view.placing = GREEN + 1  # type: ignore[assignment]
    elif kind in (Frame.DRAW, Frame.ARCANA, Frame.CYCLE, Frame.LOOK):
        view.left = a
    elif kind in (Frame.RED, Frame.RECOVER):
        view.left = b if kind == Frame.RED else c


def _player(game: Omega, player: dict[str, Any], known: bool, scored: bool, score: scoring.Score) -> pb.Player:
    message = pb.Player(
        pyramid_size=sum(player["pyramid"]),
        pyramid=player["pyramid"] if known else (),
        steps=player["steps"],
        square=player["steps"] % game.rules.squares + 1,
        prestige=player["prestige"],
        token_count=len(player["tokens"]),
        lost_one=player["lost"],
        mask_in_reserve=player["mask"] < 0,
    )
    for place, card in enumerate(player["row"]):
        message.egregors.add(
            card=card_message(game, card["card"]),
            load=card["load"],
            masked=player["mask"] == place,
            gained=card["gained"],
            used_powers=[power for power in range(4) if card["used"] >> power & 1],
        )
    if known or game.options.arcana_view == "open":
        message.tokens.extend(token_message(game, token) for token in player["tokens"])
    if scored:
        message.score.CopyFrom(score_message(score))
    return message


def score_message(score: scoring.Score) -> pb.Score:
    """A score as the wire has it."""
    return pb.Score(runes=score.runes, gold=score.gold, arcana=score.arcana, bonus=score.bonus, total=score.total)


def event_messages(game: Omega, before: OmegaState, code: int, after: OmegaState, viewer: int) -> list[pb.Event]:
    """What a viewer is told of a step, in order of time."""
    old, new = before.dump(), after.dump()
    events = _step(game, before, code, old, new, viewer)
    return events + _consequences(game, after, old, new)


def _step(
    game: Omega, before: OmegaState, code: int, old: dict[str, Any], new: dict[str, Any], viewer: int
) -> list[pb.Event]:
    verb = BOOK.verb(code)
    args = (*verb.unpack(code), 0, 0)
    active = old["active"]
    pending = before.pending or (0, 0, 0, 0)
    known = knows(game, before, code, viewer)
    if verb is codes.START_PLAYER:
        return [pb.Event(start_player=pb.StartPlayer(seat=args[0]))]
    if verb is codes.ALTAR_RUNE:
        return [pb.Event(altar_refilled=pb.RuneOutcome(rune=args[0] + 1))]  # type: ignore[arg-type]
    if verb in (codes.DEAL, codes.BAG_RUNE):
        rune = args[0] + 1 if known else 0
        drawn = pb.RuneDrawn(seat=owner(game, before), source=pb.SOURCE_BAG, rune=rune)  # type: ignore[arg-type]
        return [pb.Event(rune_drawn=drawn)]
    if verb is codes.GALLERY_CARD:
        slot = old["gallery"].index(NOWHERE)
        return [pb.Event(gallery_refilled=pb.GalleryRefilled(slot=slot, card=card_message(game, args[0])))]
    if verb is codes.LOOK:
        card = card_message(game, args[0]) if known else None
        return [pb.Event(key_looked=pb.KeyLooked(seat=active, card=card))]
    if verb is codes.FLIP:
        stack = pending[1] if before.pending else old["top"].index(NOWHERE)
        return [pb.Event(arcana_flipped=pb.ArcanaFlipped(stack=stack, token=token_message(game, args[0])))]
    if verb is codes.TAKE_ALTAR:
        drawn = pb.RuneDrawn(seat=active, source=pb.SOURCE_ALTAR, rune=args[0] + 1)  # type: ignore[arg-type]
        return [pb.Event(rune_drawn=drawn)]
    if verb in (codes.SUMMON, codes.CAPTURE):
        target = target_message(NOWHERE, args[0]) if verb is codes.SUMMON else target_message(args[0], args[1])
        return [pb.Event(gain_declared=pb.GainDeclared(seat=active, target=target))]
    if verb is codes.TARGET:
        placed = pb.RunesPlaced(seat=active, rune=pending[1] + 1, places=[args[0]])  # type: ignore[arg-type]
        return [pb.Event(runes_placed=placed)]
    if verb is codes.PAIR_SECOND:
        placed = pb.RunesPlaced(seat=active, rune=pb.RUNE_GREEN, places=[pending[1], args[0]])
        return [pb.Event(runes_placed=placed)]
    if verb is codes.BLACK_TAKE:
        swapped = pb.BlackSwapped(seat=active, owner=pending[1], place=pending[2], rune=args[0] + 1)  # type: ignore[arg-type]
        return [pb.Event(black_swapped=swapped)]
    if verb in (codes.PULL, codes.DECLINE):
        return [pb.Event(red_offered=pb.RedOffered(seat=active, place=pending[1], pulled=verb is codes.PULL))]
    if verb is codes.ARCANA:
        held = len(old["players"][active]["tokens"]) + 1
        token = token_message(game, old["top"][args[0]])
        return [pb.Event(arcana_taken=pb.ArcanaTaken(seat=active, stack=args[0], token=token, held=held))]
    if verb is codes.CYCLE:
        cycled = pb.RuneCycled(seat=active, place=args[0], rune=args[1] + 1)  # type: ignore[arg-type]
        return [pb.Event(rune_cycled=cycled)]
    if verb is codes.USE_BOOK:
        power = game.cards.egregors[old["players"][active]["row"][args[0]]["card"]].powers[args[1]]
        return [pb.Event(power_used=pb.UseBookEvent(seat=active, place=args[0], text=power_text(power)))]
    if verb is codes.RECOVER:
        runes = [int(type_ == args[0]) for type_ in range(6)]
        return [pb.Event(runes_recovered=pb.RunesRecovered(seat=pending[1], runes=runes))]
    return []


def _consequences(game: Omega, after: OmegaState, old: dict[str, Any], new: dict[str, Any]) -> list[pb.Event]:
    """What followed by itself, seen in the two tables; all of it is public."""
    events: list[pb.Event] = []
    active = old["active"]
    if old["batch_index"] != NOWHERE and not old["batch_shown"] and new["gain_used"] and not old["gain_used"]:
        seat = old["batch_seat"]
        card = old["gallery"][old["batch_index"]] if seat == NOWHERE else None
        card = old["players"][seat]["row"][old["batch_index"]]["card"] if card is None else card
        gained = pb.EgregorGained(seat=active, card=card_message(game, card), batch=old["batch"])
        gained.prestige = new["players"][active]["prestige"]
        if seat != NOWHERE:
            gained.loser = seat
        events.append(pb.Event(egregor_gained=gained))
    for seat, (was, now) in enumerate(zip(old["players"], new["players"], strict=True)):
        events += _changes(game, seat, was, now, old, new)
    if len(new["deck"]) > len(old["deck"]) and len(new["discard"]) < len(old["discard"]):
        events.append(pb.Event(deck_reshuffled=pb.DeckReshuffled(cards=len(new["deck"]))))
    if sum(old["bag"]) > 0 and sum(new["bag"]) == 0:
        events.append(pb.Event(bag_exhausted=pb.BagExhausted(seat=max(active, 0))))
    if new["announcer"] >= 0 > old["announcer"]:
        events.append(pb.Event(end_announced=pb.EndAnnounced(seat=new["announcer"], ending=new["ending"])))
    if new["phase"] == Phase.OVER:
        scores = [score_message(score) for score in scoring.scores(game, after)]
        winners = scoring.winners(game, after)
        events.append(pb.Event(judgement=pb.Judgement(scores=scores, winners=winners, ending=new["ending"])))
    elif new["turn"] > old["turn"]:
        turn = pb.TurnStarted(seat=new["active"], turn=new["turn"], final=new["announcer"] >= 0)
        events.append(pb.Event(turn_started=turn))
    elif new["phase"] != old["phase"] and active >= 0:
        events.append(pb.Event(phase_changed=pb.PhaseChanged(seat=active, phase=new["phase"])))
    return events


def _changes(
    game: Omega, seat: int, was: dict[str, Any], now: dict[str, Any], old: dict[str, Any], new: dict[str, Any]
) -> list[pb.Event]:
    events: list[pb.Event] = []
    whites = [max(0, a["load"][WHITE] - b["load"][WHITE]) for a, b in zip(was["row"], now["row"], strict=False)]
    if len(now["row"]) < len(was["row"]):
        kept = [card["card"] for card in now["row"]]
        gone = next(card for card in was["row"] if card["card"] not in kept)
        lost = pb.EgregorLost(seat=seat, card=card_message(game, gone["card"]), disowned=seat == old["active"])
        events.append(pb.Event(egregor_lost=lost))
        to_bag = [max(0, b - a) for a, b in zip(old["bag"], new["bag"], strict=True)]
        back = [0] * 6
        back[WHITE] = gone["load"][WHITE]
        events.append(pb.Event(runes_recovered=pb.RunesRecovered(seat=seat, runes=back, to_bag=to_bag)))
    elif new["stack"] and new["stack"][-1][0] == Frame.RECOVER and any(whites):
        back = [0] * 6
        back[WHITE] = sum(whites)
        events.append(pb.Event(runes_recovered=pb.RunesRecovered(seat=seat, runes=back)))
    elif len(now["row"]) == len(was["row"]):
        for place, (a, b) in enumerate(zip(was["row"], now["row"], strict=True)):
            if a["card"] != b["card"]:
                replaced = pb.KeyReplaced(seat=seat, place=place)
                replaced.old_card.CopyFrom(card_message(game, a["card"]))
                replaced.new_card.CopyFrom(card_message(game, b["card"]))
                events.append(pb.Event(key_replaced=replaced))
    if now["steps"] > was["steps"]:
        passings = game.rules.passings(was["steps"], now["steps"] - was["steps"])
        moved = pb.PawnAdvanced(seat=seat, from_steps=was["steps"], to_steps=now["steps"], passings=passings)
        events.append(pb.Event(pawn_advanced=moved))
    if now["mask"] != was["mask"]:
        mask = pb.MaskMoved(seat=seat, place=now["mask"] if now["mask"] >= 0 else None)
        events.append(pb.Event(mask_moved=mask))
    return events
