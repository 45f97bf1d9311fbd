/** Texts of the user interface. */

import {
  EndReason,
  MatchState,
  RecordKind,
  refusalOf,
  SeatKind,
  type Match,
  type MatchEvent,
  type Seat,
} from '@omnilude/client';

/** Returns the name of a seat's player. */
export function seatName(match: Match | undefined, seat: number): string {
  const found: Seat | undefined = match?.seats[seat];
  if (found === undefined || found.player === '') {
    return `Seat ${seat + 1}`;
  }
  return found.kind === SeatKind.BOT ? `${found.player} (bot)` : found.player;
}

/** Replaces "seat 0" by the name of the seat's player. */
export function withNames(text: string, match: Match | undefined): string {
  return text.replace(/\bseat (\d+)\b/gi, (_, seat: string) => seatName(match, Number(seat)));
}

/** Returns the sentences of an event; none for events that are not shown. */
export function eventSentences(event: MatchEvent, match: Match | undefined): string[] {
  const who = event.seat >= 0 ? seatName(match, event.seat) : 'The service';
  const reason = event.text === '' ? '' : ` (${event.text})`;
  const plain: Partial<Record<RecordKind, string>> = {
    [RecordKind.JOINED]: `${event.text || who} takes seat ${event.seat + 1}.`,
    [RecordKind.LEFT]: `Seat ${event.seat + 1} is free again.`,
    [RecordKind.STARTED]: 'Play begins.',
    [RecordKind.RESIGNED]: `${who} resigns.`,
    [RecordKind.TIMED_OUT]: `${who} is out of time.`,
    [RecordKind.UNDO_REQUESTED]: `${who} asks to take moves back${reason}.`,
    [RecordKind.UNDO_ACCEPTED]: `${who} agrees to take moves back.`,
    [RecordKind.UNDO_DECLINED]: `${who} does not agree to take moves back${reason}.`,
    [RecordKind.UNDO_WITHDRAWN]: `${who} withdraws the request to take moves back.`,
    [RecordKind.UNDONE]: 'Moves were taken back.',
    [RecordKind.FINISHED]: 'The match has ended.',
    [RecordKind.CANCELLED]: `The match was cancelled${reason}.`,
    [RecordKind.FAULTED]: `The game's program failed${reason}.`,
  };
  const fixed = plain[event.kind];
  if (fixed !== undefined) {
    return [fixed, ...event.sentences.map((sentence) => withNames(sentence, match))];
  }
  const label = withNames(event.label, match);
  const first = label === '' ? '' : event.kind === RecordKind.ACTION ? `${who}: ${label}` : label;
  return [...(first === '' ? [] : [first]), ...event.sentences.map((sentence) => withNames(sentence, match))];
}

/** Returns a sentence about the result of a match. */
export function resultText(match: Match): string {
  if (match.state === MatchState.CANCELLED) {
    return 'The match was cancelled.';
  }
  if (match.state === MatchState.FAULTED || match.result === undefined) {
    return "The game's program failed, so the match has no result.";
  }
  const { places, reason } = match.result;
  const winners = places.flatMap((place, seat) => (place === 1 ? [seatName(match, seat)] : []));
  const forfeit = reason === EndReason.FORFEIT ? ', as all others have given up' : '';
  if (winners.length === places.length) {
    return 'The match is a draw.';
  }
  return `${winners.join(' and ')} ${winners.length === 1 ? 'wins' : 'share the first place'}${forfeit}.`;
}

const STATES: Record<MatchState, string> = {
  [MatchState.UNSPECIFIED]: '',
  [MatchState.WAITING]: 'waiting for players',
  [MatchState.ACTIVE]: 'being played',
  [MatchState.FINISHED]: 'ended',
  [MatchState.CANCELLED]: 'cancelled',
  [MatchState.FAULTED]: 'ended by a fault',
};

export function stateText(state: MatchState): string {
  return STATES[state];
}

/** Returns a time as "1:05" or, below 20 seconds, as "9.5". */
export function clockText(milliseconds: number): string {
  const left = Math.max(0, milliseconds);
  if (left < 20_000) {
    return (left / 1000).toFixed(1);
  }
  const seconds = Math.floor(left / 1000);
  const minutes = Math.floor(seconds / 60);
  const two = (value: number) => String(value).padStart(2, '0');
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** Returns the message of an error for the user interface. */
export function errorText(error: unknown): string {
  const refusal = refusalOf(error);
  if (refusal === undefined) {
    return error instanceof Error ? error.message : String(error);
  }
  const fields = Object.entries(refusal.fields).map(([field, description]) => `${field}: ${description}`);
  return [refusal.message, ...fields].join('; ');
}
