"""Conversion of the service's values to messages of the protocol."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, cast

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorSet
from google.protobuf.message import Message

from engine_service import model
from engine_service.hosting.bots import default_budget
from engine_service.limits import Limits
from engine_service.log.header import budget_message
from gamepacks.api.bots import Budget, PackBot
from gamepacks.api.options import OptionKind, OptionSpec
from gamepacks.api.registry import BrokenPack, LoadedGame
from omnilude.v1 import catalog_pb2, match_pb2, match_service_pb2

TYPE_URL = "type.googleapis.com/"

_OPTION_TYPES: dict[OptionKind, catalog_pb2.OptionType] = {
    "bool": catalog_pb2.OPTION_TYPE_BOOL,
    "integer": catalog_pb2.OPTION_TYPE_INTEGER,
    "number": catalog_pb2.OPTION_TYPE_NUMBER,
    "choice": catalog_pb2.OPTION_TYPE_CHOICE,
    "text": catalog_pb2.OPTION_TYPE_TEXT,
}


def pack(message: Message) -> AnyMessage:
    """Pack a message of a pack into an Any; equal messages give equal bytes."""
    return AnyMessage(
        type_url=TYPE_URL + message.DESCRIPTOR.full_name, value=message.SerializeToString(deterministic=True)
    )


def number(value: IntEnum) -> Any:
    """Returns the protocol's member for a member of a service enum; both have the same number."""
    return int(value)


def match(info: model.MatchInfo) -> match_pb2.Match:
    """Returns the message of a match."""
    message = match_pb2.Match(
        name=info.name,
        game=f"games/{info.game}",
        rules_version=info.rules_version,
        options=info.options,
        state=number(info.state),
        seats=[seat(entry) for entry in info.seats],
        seq=info.seq,
        policy=match_pb2.MatchPolicy(
            undo=number(info.policy.undo),
            absence=number(info.policy.absence),
            absence_bot=info.policy.absence_bot,
            chance=number(info.policy.chance),
            manual_start=info.policy.manual_start,
        ),
        seed_commitment=info.seed_commitment,
        seed=info.seed,
        ephemeral=info.ephemeral,
        labels=info.labels,
        from_position=info.from_position,
        card_set_digest=info.card_set_digest,
        to_act=info.to_act,
    )
    if info.imported is not None:
        message.imported.import_time.FromMilliseconds(info.imported.time_ms)
        message.imported.labels.update(info.imported.labels)
        message.imported.signing_key = info.imported.signing_key
    message.create_time.FromMilliseconds(info.create_ms)
    if info.start_ms is not None:
        message.start_time.FromMilliseconds(info.start_ms)
    if info.end_ms is not None:
        message.end_time.FromMilliseconds(info.end_ms)
    clocks = info.time_control
    if clocks is not None:
        message.time_control.SetInParent()
        if clocks.per_move_ms is not None:
            message.time_control.per_move.FromMilliseconds(clocks.per_move_ms)
        if clocks.per_match_ms is not None:
            message.time_control.per_match.FromMilliseconds(clocks.per_match_ms)
        if clocks.increment_ms:
            message.time_control.increment.FromMilliseconds(clocks.increment_ms)
        if clocks.private_ms is not None:
            message.time_control.private_decision.FromMilliseconds(clocks.private_ms)
    if info.result is not None:
        message.result.returns.extend(info.result.returns)
        message.result.places.extend(info.result.places)
        message.result.reason = number(info.result.reason)
    if info.origin is not None:
        message.origin.match = info.origin.match
        message.origin.seq = info.origin.seq
        message.origin.plies = info.origin.plies
    return message


def seat(info: model.SeatInfo) -> match_pb2.Seat:
    """Returns the message of a seat."""
    message = match_pb2.Seat(
        index=info.index,
        kind=number(info.kind),
        player=info.player,
        taken=info.taken,
        out=info.out,
        budget=budget_message(info.budget),
    )
    if info.clock_ms is not None:
        message.clock.FromMilliseconds(info.clock_ms)
    return message


def event(happened: model.Event) -> match_pb2.MatchEvent:
    """Returns the message of an event."""
    message = match_pb2.MatchEvent(
        seq=happened.seq,
        kind=number(happened.kind),
        seat=happened.seat,
        details=[pack(detail) for detail in happened.details],
        label=happened.label,
        time_ms=happened.time_ms,
        text=happened.text,
        to_seq=happened.to_seq,
        sentences=happened.sentences,
    )
    if happened.code is not None:
        message.code = happened.code
    return message


def observation(seen: model.Observation) -> match_pb2.Observation:
    """Returns the message of an observation."""
    return match_pb2.Observation(
        seq=seen.seq,
        view=pack(seen.view),
        to_act=seen.to_act,
        awaits_chance=seen.awaits_chance,
        clocks_ms=seen.clocks_ms,
        position=None if seen.position is None else pack(seen.position),
        scene=seen.scene,
    )


def legal_action(legal: model.LegalAction) -> match_pb2.LegalAction:
    """Returns the message of a legal action, with the pack's message, the label and the targets."""
    return match_pb2.LegalAction(code=legal.code, action=pack(legal.action), label=legal.label, targets=legal.targets)


def legal_actions(page: model.LegalPage) -> match_service_pb2.ListLegalActionsResponse:
    """Returns the message of a page of legal actions."""
    return match_service_pb2.ListLegalActionsResponse(
        seq=page.seq,
        codes=page.codes,
        actions=[legal_action(action) for action in page.actions],
        next_page_token=page.next_page_token,
        sampled=page.sampled,
    )


def game(loaded: LoadedGame, limits: Limits) -> catalog_pb2.Game:
    """Returns the message of a game; the limits of the service determine the budgets of its bots."""
    kind = loaded.game
    card = kind.capabilities
    return catalog_pb2.Game(
        name=f"games/{kind.id}",
        title=kind.title,
        summary=kind.summary,
        pack=loaded.pack,
        pack_version=loaded.version,
        rules_version=kind.rules_version,
        capabilities=catalog_pb2.Capabilities(
            min_players=card.min_players,
            max_players=card.max_players,
            chance=card.chance,
            hidden=card.hidden,
            simultaneous=card.simultaneous,
            continuous=card.continuous,
            zero_sum=card.zero_sum,
            min_return=card.min_return,
            max_return=card.max_return,
            max_plies=card.max_plies,
        ),
        options=[option(spec) for spec in kind.options_type.specs()],
        message_types=catalog_pb2.MessageTypes(
            options=kind.messages.options.DESCRIPTOR.full_name,
            view=kind.messages.view.DESCRIPTOR.full_name,
            action=kind.messages.action.DESCRIPTOR.full_name,
            event=kind.messages.event.DESCRIPTOR.full_name,
            position=kind.messages.position.DESCRIPTOR.full_name,
        ),
        bots=[_bot_spec(bot, limits) for bot in loaded.bots.values()],
        card_sets=[
            catalog_pb2.CardSet(id=cards.id, title=cards.title, house=cards.house, digest=cards.digest)
            for cards in loaded.card_sets
        ],
        services=[service.full_name for service in loaded.services],
        levels=[
            catalog_pb2.BotLevel(
                name=name,
                bot=level.bot,
                budget=budget_message(level.budget if level.budget != Budget() else None),
            )
            for name, level in kind.levels.items()
        ],
    )


def _bot_spec(bot: PackBot, limits: Limits) -> catalog_pb2.BotSpec:
    largest = Budget(limits.bot_playouts_max, limits.bot_milliseconds_max)
    return catalog_pb2.BotSpec(
        name=bot.name,
        description=bot.description,
        takes_budget=bot.takes_budget,
        default_budget=budget_message(default_budget(limits) if bot.takes_budget else None),
        largest_budget=budget_message(largest if bot.takes_budget else None),
    )


def option(spec: OptionSpec) -> catalog_pb2.OptionSpec:
    """Returns the message of an option."""
    return catalog_pb2.OptionSpec(
        name=spec.name,
        description=spec.description,
        type=_OPTION_TYPES[spec.kind],
        default_value=spec.default,
        minimum=spec.minimum,
        maximum=spec.maximum,
        multiple_of=spec.multiple_of,
        choices=spec.choices,
        repeated=spec.repeated,
        title=spec.title,
        choice_titles=spec.choice_titles,
    )


def broken_pack(broken: BrokenPack) -> catalog_pb2.BrokenPack:
    """Returns the message of a broken pack: type and location of its error, without the error's text."""
    return catalog_pb2.BrokenPack(
        pack=broken.pack, distribution=broken.distribution, error=f"{broken.error} at {broken.where}"
    )


def descriptors(loaded: LoadedGame) -> FileDescriptorSet:
    """Returns the files of a game's messages and services with all their imports, imported files first."""
    types = loaded.game.messages
    files: dict[str, FileDescriptor] = {}

    def add(file: FileDescriptor) -> None:
        if file.name in files:
            return
        for imported in file.dependencies:
            add(imported)
        files[file.name] = file

    for kind in (types.options, types.view, types.action, types.event, types.position):
        add(cast(FileDescriptor, kind.DESCRIPTOR.file))
    for service in loaded.services:
        add(service.file)
    found = FileDescriptorSet()
    for file in files.values():
        copy = found.file.add()
        file.CopyToProto(copy)
        for message in copy.message_type:
            _add_json_names(message)
    return found


def _add_json_names(message: DescriptorProto) -> None:
    """Set the JSON names of the fields, which clients expect and Python leaves out."""
    for field in message.field:
        head, *rest = field.name.split("_")
        field.json_name = head + "".join(word[:1].upper() + word[1:] for word in rest)
    for nested in message.nested_type:
        _add_json_names(nested)
