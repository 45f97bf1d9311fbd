"""A person at a seat: prints the events of the match and prompts for decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from omnilude_cli.action_menu import ActionMenu, Ambiguous, Chosen, Command, Narrowed, NoMatch, Question, common_prefix
from omnilude_cli.console import one_line, print_line
from omnilude_cli.rendering import with_names

if TYPE_CHECKING:
    from google.protobuf.message import Message
    from rich.console import Console

    from omnilude import LegalActions, MatchUpdate, SeatHandle
    from omnilude.v1.match_pb2 import Match, MatchEvent
    from omnilude_cli.rendering import TerminalPack

HELP = """\
[bold]number[/]   take the action of that number
[bold]words[/]    narrow the list to the actions with these words (c4, "ra d6"); the only one is taken
[bold]parts[/]    of words narrow the list as well; Enter takes the only action
[bold]Enter[/]    the whole list again (or the only action)
[bold]all[/]      list all actions   [bold]board[/]  draw the board again
[bold]? words[/]  explain a card or another thing of that name, if the game's pack does
[bold]undo[/]     take your last action back, if the others agree (bots do)
[bold]withdraw[/] withdraw your request to take it back
[bold]resign[/]   resign the match   [bold]quit[/]   leave
"""
MAX_LISTED = 24
"""Maximum number of actions that are listed without a request."""
TALL_BOARD, MAX_CHANGED = 30, 3
"""For a board of at least TALL_BOARD lines, only the changed lines are printed if they are at most MAX_CHANGED."""


class Quit(Exception):
    """The person leaves the match."""


class TerminalPlayer:
    """Plays one seat of a match for a person at the terminal."""

    def __init__(
        self,
        console: Console,
        ask: Callable[[str], str],
        seat: SeatHandle,
        pack: TerminalPack,
        after: int = 0,
    ) -> None:
        self._console = console
        self._ask = ask
        self._seat = seat
        self._pack = pack
        self._after = after
        """Sequence number of the record after which events are printed."""
        self._sampled = False
        """Whether actions are legal that are not listed."""
        self._names: list[str] = []
        """The players' names, by seat."""
        self._drawn: list[str] = []
        """The lines of the board that was printed last."""

    def play(self) -> Match:
        """Play until the match ends; returns the match with its result. Raises Quit."""
        match = None
        for update in self._seat.watch(after_seq=self._after, views=True, labels=True, sentences=True):
            match = update.match
            self._names = [one_line(entry.player) for entry in match.seats]
            self._names[self._seat.seat] = "you"
            for event in update.events:
                self._print_event(match, event)
            self._answer_undo(update)
            if update.observation is not None and self._seat.seat in update.observation.to_act:
                self._decide(update)
        if match is None:
            match = self._seat.get()
        self._show_board(self._seat.observation().view)
        return match

    # -- events ----------------------------------------------------------------------------------------------------

    def _print_event(self, match: Match, event: MatchEvent) -> None:
        line = describe(event, self._who(match, event.seat), self._names)
        if line:
            print_line(self._console, line, style="dim")
        for sentence in event.sentences:
            print_line(self._console, f"  {with_names(sentence, self._names)}", style="dim")

    def _who(self, match: Match, seat: int) -> str:
        if seat < 0:
            return "chance"
        return "you" if seat == self._seat.seat else f"{match.seats[seat].player or 'nobody'} (seat {seat})"

    def _answer_undo(self, update: MatchUpdate) -> None:
        from omnilude.errors import NoUndoPending
        from omnilude.v1 import match_pb2

        asked = [event for event in update.events if event.kind == match_pb2.RECORD_KIND_UNDO_REQUESTED]
        if not asked or asked[-1] is not update.events[-1] or asked[-1].seat == self._seat.seat:
            return
        accept = self._ask("Accept the undo? (y/n) ").strip().lower().startswith("y")
        try:
            self._seat.answer_undo(asked[-1].seq, accept)
        except NoUndoPending:
            self._console.print("The request no longer exists.")

    # -- decisions -------------------------------------------------------------------------------------------------

    def _decide(self, update: MatchUpdate) -> None:
        from omnilude.errors import MatchEnded, NotYourTurn, StaleSequence

        legal = self._seat.legal_actions(typed=True)
        if not legal.codes or legal.seq > update.seq:
            # Another record came first; it arrives with the next update.
            return
        view = update.observation.view if update.observation else None
        self._show_board(view, legal, briefly=True)
        clocks = update.observation.clocks_ms if update.observation else ()
        if clocks:
            self._console.print(f"Your clock: {clocks[self._seat.seat] / 1000:.0f} s")
        try:
            self._choose(legal, view)
        except (StaleSequence, NotYourTurn, MatchEnded) as error:
            print_line(self._console, f"Too late: {error}")

    def _choose(self, legal: LegalActions, view: Message | None) -> None:
        menu, self._sampled = ActionMenu(legal.actions), legal.sampled
        listed = self._list(menu, at_most=MAX_LISTED)
        while True:
            line = self._ask(f"Your move ({len(menu.shown)} of {len(menu.actions)}; ? for help): ")
            if line.strip().isdecimal() and not listed:
                # The list was not shown, so the person cannot mean one of its numbers.
                listed = self._list(menu)
                continue
            meant = None if view is None or menu.is_reserved(line) else self._pack.parse_text(view, line)
            if meant is not None:
                if self._submit(legal, meant):
                    return
                continue
            match menu.interpret(line):
                case Chosen(code):
                    self._seat.submit_action(code, expected_seq=legal.seq)
                    return
                case Narrowed():
                    listed = self._list(menu, at_most=MAX_LISTED if not line.strip() else 4 * MAX_LISTED)
                case NoMatch(text, named):
                    self._print_no_match(text, named)
                case Ambiguous(number, listed_label, named_labels):
                    others = " or ".join(repr(one_line(label)) for label in named_labels[:3])
                    self._console.print(
                        f"Number {number} of the list is {one_line(listed_label)!r}: type {number} again to take it, "
                        f"or words for {others}.",
                        markup=False,
                    )
                case Question(about):
                    self._explain(view, about)
                case Command.HELP:
                    self._console.print(HELP)
                    self._explain(view, "")
                case Command.ALL:
                    menu.show_all()
                    listed = self._list(menu)
                case Command.BOARD:
                    self._show_board(view, legal)
                case Command.QUIT:
                    raise Quit
                case Command.UNDO:
                    if self._undo():
                        return
                case Command.WITHDRAW:
                    self._withdraw_undo()
                case Command.RESIGN:
                    if self._ask("Resign the match? (y/n) ").strip().lower().startswith("y"):
                        self._seat.resign()
                        return

    def _print_no_match(self, text: str, named: str) -> None:
        if named:
            said = f"The list has no number {text}. For {one_line(named)!r}, type its words or its number in the list."
        else:
            said = f"No action matches {text!r}. Enter shows all; ? helps."
        self._console.print(said, markup=False)

    def _submit(self, legal: LegalActions, meant: Message) -> bool:
        """Take an action that was typed in full, listed or not; if it is refused, print the reason and return False."""
        from omnilude.errors import IllegalAction

        packed = meant.SerializeToString(deterministic=True)
        actions = ((listed.code, listed.action.SerializeToString(deterministic=True)) for listed in legal.actions)
        code = next((code for code, action in actions if action == packed), None)
        try:
            self._seat.submit_action(meant if code is None else code, expected_seq=legal.seq)
        except IllegalAction as error:
            print_line(self._console, f"Refused: {with_names(error.message, self._names)}")
            return False
        return True

    def _explain(self, view: Message | None, about: str) -> None:
        said = "" if view is None else self._pack.explain(view, about)
        if said or about:
            self._console.print(
                with_names(said, self._names) or f"The game has no explanation of {about!r}.", markup=False
            )

    def _undo(self) -> bool:
        """Request an undo; returns True if the decision is or will be obsolete."""
        from omnilude.errors import UndoNotAllowed

        try:
            answer = self._seat.request_undo()
        except UndoNotAllowed as error:
            print_line(self._console, f"Refused: {error}")
            return False
        if not answer.undone:
            self._console.print("The undo needs the consent of the others; `withdraw` cancels the request.")
        return True

    def _withdraw_undo(self) -> None:
        from omnilude.errors import NoUndoPending

        try:
            self._seat.withdraw_undo()
        except NoUndoPending:
            self._console.print("You have not requested an undo.")

    def _list(self, menu: ActionMenu, at_most: int | None = None) -> bool:
        """Print the menu with its numbers; returns False if it is too long, and prints an example instead."""
        from rich.columns import Columns
        from rich.markup import escape

        if at_most is not None and len(menu.shown) > at_most:
            example = next(iter(menu.shown)).label
            others = ", or one that is not listed (? tells how)" if self._sampled else ""
            self._console.print(
                f"{len(menu.shown)} actions, such as: {example}. Type a part of yours{others}, or `all`.", markup=False
            )
            return False
        labels = [one_line(with_names(action.label, self._names)) for action in menu.shown]
        start = common_prefix(labels)
        if start:
            self._console.print(f"{start}...", markup=False, highlight=False)
        labels = [escape(label[len(start) :]) for label in labels]
        entries = [f"[bold]{number:3}[/] {label}" for number, label in enumerate(labels, 1)]
        self._console.print(Columns(entries, column_first=True, padding=(0, 3)))
        return True

    def _show_board(self, view: Message | None, legal: LegalActions | None = None, briefly: bool = False) -> None:
        if view is None:
            return
        from rich.markup import escape

        choices = [] if legal is None else [choice.action for choice in legal.actions]
        drawn = with_names(self._pack.render(view, choices), [escape(name) for name in self._names]).split("\n")
        before, self._drawn = self._drawn, drawn
        if briefly and len(drawn) == len(before) >= TALL_BOARD:
            changed = [line for line, old in zip(drawn, before, strict=True) if line != old]
            if len(changed) <= MAX_CHANGED:
                # The last line is the prompt; it is printed in any case.
                drawn = [*(line for line in changed if line != drawn[-1]), drawn[-1]]
        self._console.print()
        self._console.print("\n".join(drawn))


def describe(event: MatchEvent, who: str, names: Sequence[str]) -> str:
    """Describe an event in one line, with the players' names by seat.

    The line is empty for events that are not shown, and for a hidden step about which the pack has a sentence.
    """
    from omnilude.v1 import match_pb2

    label = with_names(event.label, names)
    reason = f": {event.text}" if event.text else ""
    hidden_choice, hidden_outcome = (
        ("", "") if event.sentences else (f"{who} makes a choice that is hidden", "chance: the outcome is hidden")
    )
    lines: dict[int, str] = {
        match_pb2.RECORD_KIND_JOINED: f"{event.text} takes seat {event.seat}",
        match_pb2.RECORD_KIND_LEFT: f"{who} leaves",
        match_pb2.RECORD_KIND_STARTED: "the match starts",
        match_pb2.RECORD_KIND_ACTION: f"{who}: {label}" if label else hidden_choice,
        match_pb2.RECORD_KIND_CHANCE: f"chance: {label}" if label else hidden_outcome,
        match_pb2.RECORD_KIND_OUTCOME_PROVIDED: f"chance (provided): {label}" if label else hidden_outcome,
        match_pb2.RECORD_KIND_RESIGNED: f"{who} resigned",
        match_pb2.RECORD_KIND_TIMED_OUT: f"{who} ran out of time",
        match_pb2.RECORD_KIND_UNDO_REQUESTED: f"{who} requested an undo (to record {event.to_seq}){reason}",
        match_pb2.RECORD_KIND_UNDO_ACCEPTED: f"{who} accepted the undo",
        match_pb2.RECORD_KIND_UNDO_DECLINED: f"{who} declined the undo{reason}",
        match_pb2.RECORD_KIND_UNDO_WITHDRAWN: f"{who} withdrew the undo request",
        match_pb2.RECORD_KIND_UNDONE: f"undone (to record {event.to_seq})",
        match_pb2.RECORD_KIND_FINISHED: "the match is over",
        match_pb2.RECORD_KIND_CANCELLED: f"the host cancelled the match{reason}",
        match_pb2.RECORD_KIND_FAULTED: f"the game's rules failed; incident {event.text}",
    }
    return lines.get(event.kind, "")


def result_lines(match: Match) -> Sequence[str]:
    """Describe the result of a match, a line for each seat, best first."""
    from omnilude.v1 import match_pb2

    if match.state != match_pb2.MATCH_STATE_FINISHED:
        return ["no result"]
    order = sorted(range(len(match.seats)), key=lambda seat: (match.result.places[seat], seat))
    return [
        f"{match.result.places[seat]}. {match.seats[seat].player} (seat {seat})"
        f"{'  resigned or out of time' if match.seats[seat].out else ''}  {match.result.returns[seat]:+.2f}"
        for seat in order
    ]
