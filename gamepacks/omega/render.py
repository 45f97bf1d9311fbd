"""The view rendered for a terminal, as text with Rich markup."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gamepacks.api.text import counted
from gamepacks.omega.codes import LETTERS, Ending
from gamepacks.omega.sentences import score_text
from gamepacks.omega.v1 import omega_pb2 as pb
from gamepacks.omega.v1.omega_enums import Phase

_COLOURS = ("blue", "yellow", "red", "green", "white", "bright_black")


def runes(load: Sequence[int]) -> str:
    """Runes as coloured letters."""
    text = "".join(f"[bold {_COLOURS[t]}]{LETTERS[t] * count}[/]" for t, count in enumerate(load) if count)
    return text or "[dim]-[/]"


def render(view: pb.View) -> str:
    """Returns the disc, altar, gallery, Arcana and players as text; letters stand for runes, so that it is readable
    without colours."""
    return "\n".join([*_middle(view), "", *_gallery(view), "", *_players(view), *_situation(view), _legend(view)])


def _middle(view: pb.View) -> Iterator[str]:
    squares = []
    eye = view.eye_offset % view.squares + 1
    for square in range(1, view.squares + 1):
        pawns = "".join(str(seat) for seat, player in enumerate(view.players) if player.square == square)
        squares.append(f"{pawns or '·'}{'◉' if square == eye else ''}")
    half = (len(squares) + 1) // 2
    yield f"  disc    {' '.join(squares[:half])}"
    yield f"          {' '.join(squares[half:])}   (numbers are pawns by seat, ◉ the Eye)"
    yield f"  altar   {runes(view.altar)}   bag {view.bag_size}   deck {view.deck_size}   discard {len(view.discard)}"
    for number, stack in enumerate(view.arcana, 1):
        top = f"{stack.top.name}: {stack.top.text}" if stack.HasField("top") else "empty"
        yield f"  arcana {number}  {top} [dim](+{stack.hidden})[/]"


def _card(card: pb.Card) -> str:
    traits = "".join(f", {name}" for name in ("renegade", "primitive") if getattr(card, name))
    powers = "; ".join(f"{'lightning' if power.lightning else 'book'}: {power.text}" for power in card.powers)
    return f"[bold]{card.name}[/] (snake {card.snake}, thrust {card.thrust}{traits}) {powers or 'no power'}"


def _gallery(view: pb.View) -> Iterator[str]:
    for number, slot in enumerate(view.gallery, 1):
        yield f"  gallery {number}  {_card(slot.card) if slot.HasField('card') else '[dim]empty[/]'}"
    for card in view.looked:
        yield f"  looked at  {_card(card)}"


def _players(view: pb.View) -> Iterator[str]:
    for seat, player in enumerate(view.players):
        turn = "▶" if view.HasField("active_seat") and view.active_seat == seat else " "
        pyramid = runes(player.pyramid) if player.pyramid else counted(player.pyramid_size, "rune")
        points = ""
        if player.HasField("score"):
            least = "at least " if player.score.arcana_most > player.score.arcana else ""
            points = f", {least}{counted(player.score.total, 'point')}"
        # OMEGA-CAPTURE-08
        safe = ", safe from captures" if player.lost_egregor else ""
        won = ", [bold]won[/]" if seat in view.winners else ""
        tokens = counted(player.token_count, "token")
        yield (
            f"{turn} seat {seat}  pyramid {pyramid}, {tokens}, {player.prestige} Prestige, "
            f"square {player.square}{points}{safe}{won}"
        )
        for egregor in player.egregors:
            marks = [name for name, on in (("Mask", egregor.masked), ("book used", egregor.used_powers)) if on]
            # An unescaped square bracket would start markup.
            shown = "".join(f" {chr(92)}[{mark}]" for mark in marks)
            yield f"      {runes(egregor.load)}  {_card(egregor.card)}{shown}"
        if player.tokens:
            yield f"      tokens  {'; '.join(f'{token.name}: {token.text}' for token in player.tokens)}"


def _situation(view: pb.View) -> Iterator[str]:
    if int(view.phase) == Phase.OVER:
        yield "  The judgement is over."
        for seat, player in enumerate(view.players):
            yield f"    seat {seat}: {score_text(player.score)}"
        return
    what = pb.Decision.Name(view.decision).removeprefix("DECISION_").replace("_", " ").lower()
    who = f"seat {view.deciding_seat} decides: {what}" if view.HasField("deciding_seat") else "chance decides"
    last = ""
    if view.HasField("announcer"):
        kinds = " and ".join(str(ending.name).lower().replace("_", " ") for ending in Ending(view.ending))
        last = f", final round ({kinds}), {counted(view.final_turns_left, 'turn')} left"
    yield f"  turn {view.turn}{last}: {who}"
    if view.bag_was_empty:
        yield "  The bag has been empty in this turn."
    if view.HasField("batch_target"):
        yield f"  batch for {_target(view)}  {runes(view.batch) if view.batch else 'hidden'}"


def _target(view: pb.View) -> str:
    """The card that a batch is for."""
    target = view.batch_target
    if target.HasField("slot"):
        return view.gallery[target.slot].card.name
    return f"{view.players[target.seat].egregors[target.place].card.name} of seat {target.seat}"


def _legend(view: pb.View) -> str:
    return f"  [dim]B blue  G gold  R red  V green  W white  K black   cards: {view.card_set}[/]"
