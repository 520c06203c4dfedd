import { INTERNAL_ERROR } from '../jsonrpc.ts';
import type { JsonScanner } from '../json-scanner.ts';
import { idText, readLine } from '../jsonrpc.ts';
import type { Message } from '../message.ts';
import { addParams, findMember, replaceSpan } from './splice.ts';
import { errorLine, INPUT_METHODS, isObject, readPart, requestLine, type Sent } from './translation.ts';

/** Most requests for input in one answer, and most such answers to one call: honest servers need few. */
const MOST_ASKED = 32;
const MOST_ROUNDS = 10;

/** A call of the client's whose answer may ask for input. */
interface Call {
  /** The client's id, as JSON text. */
  readonly id: string;
  /** The client's request with what the modern era wants in it. */
  readonly line: Buffer;
  /** The id by which the server knows it now, as JSON text. */
  serverId: string;
  rounds: number;
  /** The server's own note, which it gets back as it is: JSON text. */
  state: string | undefined;
  /** The client's answers, as JSON members; undefined for those that have not come. */
  readonly answers: Map<string, string | undefined>;
}

interface Asked {
  readonly call: Call;
  readonly name: string;
  readonly method: string;
}

/**
 * Turns answers that ask for input into requests to a client that expects those, and repeats the call with what the client answered. The
 * call's own params are never changed, so what was decided about it stays true.
 */
export class InputRounds {
  readonly #scanner: JsonScanner;
  readonly #newId: () => string;
  /** By the client's id, and by the server's if that is another. */
  readonly #calls = new Map<string, Call>();
  readonly #repeated = new Map<string, Call>();
  readonly #asked = new Map<string, Asked>();

  /** @param newId returns an id that nobody else has, as JSON text */
  constructor(scanner: JsonScanner, newId: () => string) {
    this.#scanner = scanner;
    this.#newId = newId;
  }

  /** Remembers a call until it is answered. */
  add(id: string, line: Buffer): void {
    this.#calls.set(id, { id, line, serverId: id, rounds: 0, state: undefined, answers: new Map() });
  }

  /** Takes an answer of the server's. */
  answered(message: Message): readonly Sent[] {
    const { bytes } = message;
    const id = idText(message);
    const call = this.#repeated.get(id) ?? this.#calls.get(id);
    if (call === undefined) return [{ to: 'client', line: bytes }];
    if (call.serverId !== id) return [];
    this.#repeated.delete(id);
    if (this.#needsInput(message)) return this.#ask(call, message);
    this.#calls.delete(call.id);
    const { id: span } = message;
    return [{ to: 'client', line: span === undefined || id === call.id ? bytes : replaceSpan(bytes, span, call.id) }];
  }

  /** Takes an answer of the client's; answers that nobody waits for are dropped. */
  given(message: Message): readonly Sent[] {
    const id = idText(message);
    const asked = this.#asked.get(id);
    if (asked === undefined) return [];
    this.#asked.delete(id);
    const { call, name, method } = asked;
    const { bytes, result, error } = message;
    if (result !== undefined) call.answers.set(name, bytes.toString('utf8', result.start, result.end));
    // There is no room for an error in this era, but for a refusal there is.
    else if (method === 'elicitation/create') call.answers.set(name, '{"action":"cancel"}');
    else {
      const { message: why } = readPart(bytes, error);
      return this.#fail(
        call,
        `the server needs ${method} to answer, and got an error: ${typeof why === 'string' ? why : 'none'}`,
      );
    }
    return [...call.answers.values()].includes(undefined) ? [] : this.#repeat(call);
  }

  /** Takes back a call. @returns the id by which the server knows it, and what the client is told; undefined if no such call is open */
  cancel(id: string): { readonly serverId: string; readonly sent: readonly Sent[] } | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined;
    const sent = this.#withdraw(call);
    this.#calls.delete(id);
    this.#repeated.delete(call.serverId);
    return { serverId: call.serverId, sent };
  }

  #needsInput({ bytes, result }: Message): boolean {
    // A quick look first: results may be long.
    if (result === undefined || !bytes.includes('input_required')) return false;
    const type = findMember(this.#scanner, bytes, result, 'resultType');
    return type !== undefined && bytes.toString('utf8', type.start, type.end) === '"input_required"';
  }

  #ask(call: Call, { bytes, result }: Message): readonly Sent[] {
    const { inputRequests } = readPart(bytes, result);
    const requests = Object.entries(isObject(inputRequests) ? inputRequests : {});
    const state = result === undefined ? undefined : findMember(this.#scanner, bytes, result, 'requestState');
    call.rounds++;
    call.state = state === undefined ? undefined : bytes.toString('utf8', state.start, state.end);
    call.answers.clear();
    if (call.rounds > MOST_ROUNDS) return this.#fail(call, `the server asked for input more than ${MOST_ROUNDS} times`);
    if (requests.length > MOST_ASKED) return this.#fail(call, `the server asked for more than ${MOST_ASKED} inputs at once`);
    const sent: Sent[] = [];
    for (const [name, request] of requests) {
      const { method, params } = isObject(request) ? request : {};
      if (typeof method !== 'string' || !INPUT_METHODS.has(method)) {
        return this.#fail(call, 'the server asked for an input that this client cannot give');
      }
      const id = this.#newId();
      call.answers.set(name, undefined);
      this.#asked.set(id, { call, name, method });
      sent.push({ to: 'client', line: requestLine(method, toLegacy(params, id), id) });
    }
    return sent.length > 0 ? sent : this.#repeat(call);
  }

  #repeat(call: Call): readonly Sent[] {
    const id = this.#newId();
    const members = [...call.answers].map(([name, answer]) => `${JSON.stringify(name)}:${answer}`);
    const given = members.length === 0 ? [] : [`"inputResponses":{${members.join(',')}}`];
    if (call.state !== undefined) given.push(`"requestState":${call.state}`);
    call.serverId = id;
    this.#repeated.set(id, call);
    const message = readLine(this.#scanner, call.line);
    const again = message.id === undefined ? call.line : replaceSpan(call.line, message.id, id);
    if (given.length === 0) return [{ to: 'server', line: again }];
    return [
      {
        to: 'server',
        line: addParams(this.#scanner, readLine(this.#scanner, again), given.join(',')),
      },
    ];
  }

  #fail(call: Call, why: string): readonly Sent[] {
    const sent = this.#withdraw(call);
    this.#calls.delete(call.id);
    return [...sent, { to: 'client', line: errorLine(call.id, INTERNAL_ERROR, why) }];
  }

  /** Withdraws what the client was asked for a call. */
  #withdraw(call: Call): readonly Sent[] {
    const sent: Sent[] = [];
    for (const [id, asked] of this.#asked) {
      if (asked.call !== call) continue;
      this.#asked.delete(id);
      sent.push({ to: 'client', line: requestLine('notifications/cancelled', `{"requestId":${id}}`) });
    }
    return sent;
  }
}

/** The params of a request for input, as legacy clients read them: their schema demands an id with a URL, which the modern era has not. */
function toLegacy(params: unknown, id: string): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(params)) return undefined;
  return params['mode'] === 'url' && params['elicitationId'] === undefined
    ? { ...params, elicitationId: JSON.parse(id) as unknown }
    : params;
}
