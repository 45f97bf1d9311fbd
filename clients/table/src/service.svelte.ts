/** Client of the service that serves this page, and a log of the calls to it. */

import { Client, refusalOf, type ClientOptions } from '@omnilude/client';
import { untrack } from 'svelte';

import { apiToken } from './preferences.svelte.ts';

type Interceptor = NonNullable<ClientOptions['interceptors']>[number];
type Request = Parameters<ReturnType<Interceptor>>[0];

/** A logged call. */
export interface Call {
  id: number;
  method: string;
  /** Request and response with their types; for a stream, the newest message. */
  request: unknown;
  input: Request['method']['input'];
  output: Request['method']['output'];
  response: unknown;
  /** Number of received messages. */
  received: number;
  milliseconds: number;
  /** "running", "OK", or the reason of the refusal. */
  status: string;
}

/** Maximum number of logged calls. */
const MAX_CALLS = 100;

class CallLog {
  calls: Call[] = $state.raw([]);
  private last = 0;

  add(request: Request): number {
    this.last += 1;
    const call: Call = {
      id: this.last,
      method: request.method.name,
      request: request.stream ? undefined : request.message,
      input: request.method.input,
      output: request.method.output,
      response: undefined,
      received: 0,
      milliseconds: 0,
      status: 'running',
    };
    this.calls = [call, ...untrack(() => this.calls).slice(0, MAX_CALLS - 1)];
    return this.last;
  }

  change(id: number, part: Partial<Call>): void {
    this.calls = untrack(() => this.calls).map((call) => (call.id === id ? { ...call, ...part } : call));
  }
}

export const callLog = new CallLog();

const recorded: Interceptor = (next) => async (request) => {
  const started = performance.now();
  const id = callLog.add(request);
  const elapsed = () => performance.now() - started;
  const fail = (error: unknown) =>
    callLog.change(id, { status: refusalOf(error)?.reason ?? 'failed', milliseconds: elapsed() });
  try {
    // The messages of a request stream can be read only once, so they are logged while they are sent.
    if (request.stream) {
      request = { ...request, message: observed(request.message, (message) => callLog.change(id, { request: message })) };
    }
    const response = await next(request);
    if (!response.stream) {
      callLog.change(id, { response: response.message, received: 1, status: 'OK', milliseconds: elapsed() });
      return response;
    }
    let received = 0;
    const note = (message: unknown) => {
      received += 1;
      callLog.change(id, { response: message, received, milliseconds: elapsed() });
    };
    const done = (error?: unknown) =>
      error === undefined ? callLog.change(id, { status: 'OK', milliseconds: elapsed() }) : fail(error);
    return { ...response, message: observed(response.message, note, done) };
  } catch (error) {
    fail(error);
    throw error;
  }
};

/** Yields the messages of a stream, and calls a function with each. */
async function* observed<T>(
  messages: AsyncIterable<T>,
  onMessage: (message: T) => void,
  onEnd: (error?: unknown) => void = () => {},
): AsyncGenerator<T> {
  try {
    for await (const message of messages) {
      onMessage(message);
      yield message;
    }
  } catch (error) {
    onEnd(error);
    throw error;
  }
  onEnd();
}

export let client = connect();

function connect(): Client {
  const options: ClientOptions = { interceptors: [recorded] };
  if (apiToken.value !== '') {
    options.apiToken = apiToken.value;
  }
  return new Client(location.origin, options);
}

/** Uses another API token for subsequent calls. */
export function useApiToken(token: string): void {
  apiToken.value = token;
  client = connect();
}
