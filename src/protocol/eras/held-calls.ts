import { idText, INVALID_PARAMS, METHOD_NOT_FOUND } from '../jsonrpc.ts';
import type { Message } from '../message.ts';
import { errorLine, INPUT_METHODS, isObject, type Json, readPart, resultLine, type Sent } from './translation.ts';

/** A call that a server of the legacy era works on, while its client may be asked for input in a round that ends the client's request. */
interface Call {
  /** The id by which the server knows it, as JSON text. */
  readonly serverId: string;
  readonly method: string;
  /** The id under which the client waits for it; undefined while it is the client's turn. */
  clientId: string | undefined;
  /** Marks what the client sends back for this call. */
  readonly state: string;
  /** Requests of the server's: those that the client has, and those for the next round. By name, with the server's id as JSON text. */
  readonly asked: Map<string, string>;
  readonly next: Map<string, { readonly id: string; readonly request: Json }>;
  /** The server's answer, if it came while it was the client's turn. */
  answer: Message | undefined;
}

interface Answered {
  readonly clientId: string;
  readonly method: string;
}

/** Turns requests that a server makes during a call into answers that ask for input, and the client's repeated call into its answers. */
export class HeldCalls {
  readonly #newId: () => string;
  readonly #byServerId = new Map<string, Call>();
  readonly #byState = new Map<string, Call>();

  /** @param newId returns a text that nobody else has, as JSON text */
  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Remembers a call until it is answered. @param id as JSON text */
  add(id: string, method: string): void {
    const state = this.#newId();
    const call: Call = { serverId: id, method, clientId: id, state, asked: new Map(), next: new Map(), answer: undefined };
    this.#byServerId.set(id, call);
    this.#byState.set(call.state, call);
  }

  /** Takes a request of the server's. Nothing in it names a call, so it is refused unless only one can be meant. */
  asked(message: Message): readonly Sent[] {
    const { method = '', bytes, params } = message;
    const id = idText(message);
    const refuse = (why: string): readonly Sent[] => [{ to: 'server', line: errorLine(id, METHOD_NOT_FOUND, why) }];
    if (!INPUT_METHODS.has(method)) return refuse('this client answers no such request');
    const [call, other] = this.#byServerId.values();
    if (call === undefined) return refuse('this client can be asked only while it waits for a call');
    if (other !== undefined) return refuse('this client waits for several calls, and can be asked only while it waits for one');
    const name = `clawai-${JSON.parse(this.#newId()) as string}`;
    call.next.set(name, { id, request: { method, ...(params === undefined ? {} : { params: readPart(bytes, params) }) } });
    return call.clientId === undefined ? [] : this.#askClient(call, call.clientId);
  }

  /**
   * Takes an answer of the server's; undefined if it answers none of these calls.
   *
   * @returns the id under which the client waits for it; `held` if the client has to repeat the call first
   */
  answered(message: Message): Answered | 'held' | undefined {
    const id = idText(message);
    const call = this.#byServerId.get(id);
    if (call === undefined) return undefined;
    if (call.clientId === undefined) {
      call.answer = { ...message };
      return 'held';
    }
    this.#forget(call);
    return { clientId: call.clientId, method: call.method };
  }

  /** Takes a repeated call; undefined if it is a call like any other. @returns with the server's answer if it is there already */
  repeated(id: string, params: Json): { readonly sent: readonly Sent[]; readonly answer?: Message } | undefined {
    const { requestState: state, inputResponses } = params;
    if (state === undefined) return undefined;
    const call = this.#byState.get(JSON.stringify(state));
    if (call === undefined || call.clientId !== undefined) {
      return { sent: [{ to: 'client', line: errorLine(id, INVALID_PARAMS, 'no call waits for this requestState') }] };
    }
    const given = isObject(inputResponses) ? inputResponses : {};
    const sent = [...call.asked].map(([name, asked]): Sent => {
      const answer = given[name];
      const line = isObject(answer)
        ? resultLine(asked, answer)
        : errorLine(asked, INVALID_PARAMS, 'the client did not answer this');
      return { to: 'server', line };
    });
    call.asked.clear();
    call.clientId = id;
    if (call.answer !== undefined) {
      this.#forget(call);
      return { sent, answer: call.answer };
    }
    return { sent: call.next.size > 0 ? [...sent, ...this.#askClient(call, id)] : sent };
  }

  /** The id by which the server knows a call that the client cancels under this id; undefined if no call is open under it. */
  cancel(clientId: string): string | undefined {
    for (const call of this.#byServerId.values()) {
      if (call.clientId !== clientId) continue;
      this.#forget(call);
      return call.serverId;
    }
    return undefined;
  }

  #askClient(call: Call, clientId: string): readonly Sent[] {
    const inputRequests: Record<string, Json> = {};
    for (const [name, { id, request }] of call.next) {
      inputRequests[name] = request;
      call.asked.set(name, id);
    }
    call.next.clear();
    call.clientId = undefined;
    const result = { resultType: 'input_required', inputRequests, requestState: JSON.parse(call.state) as string };
    return [{ to: 'client', line: resultLine(clientId, result) }];
  }

  #forget(call: Call): void {
    this.#byServerId.delete(call.serverId);
    this.#byState.delete(call.state);
  }
}
