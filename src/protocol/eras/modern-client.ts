import { idText, readLine } from '../jsonrpc.ts';
import type { JsonScanner } from '../json-scanner.ts';
import { CLIENT_INFO_KEY, MODERN_REVISION, PROTOCOL_VERSION_KEY, SUBSCRIPTION_ID_KEY } from '../mcp/methods.ts';
import type { Message } from '../message.ts';
import { HeldCalls } from './held-calls.ts';
import { addMembers, addMeta, findMember, replaceSpan } from './splice.ts';
import {
  CAPABILITIES_KEY,
  isObject,
  type Json,
  LIST_CHANGES,
  LOG_LEVEL_KEY,
  MAY_NEED_INPUT,
  readPart,
  requestLine,
  resultLine,
  type Sent,
  SERVER_INFO_KEY,
  type Translation,
} from './translation.ts';

/** `_meta` keys that only the modern era has. */
const MODERN_KEYS = new Set([PROTOCOL_VERSION_KEY, CLIENT_INFO_KEY, CAPABILITIES_KEY, LOG_LEVEL_KEY]);

/** Requests whose results say how long they are true. A server of the legacy era does not know, so its client asks each time. */
const CACHED: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);
const COMPLETE = '"resultType":"complete"';
const UNCACHED = '"ttlMs":0,"cacheScope":"private"';

/** An open `subscriptions/listen` of the client's. */
interface Stream {
  readonly methods: ReadonlySet<string>;
  readonly uris: ReadonlySet<string>;
}

/** Translates for a client of the modern era, which has no session, to a server of the legacy era, with which we have opened one. */
export class ModernClient implements Translation {
  readonly #scanner: JsonScanner;
  readonly #newId: () => string;
  readonly #initialized: Json;
  readonly #held: HeldCalls;
  /** Methods of the other requests that wait for their answers, by id as JSON text. */
  readonly #open = new Map<string, string>();
  /** Requests of ours, whose answers nobody wants. */
  readonly #own = new Set<string>();
  /** By the id of the client's request, as JSON text. */
  readonly #streams = new Map<string, Stream>();
  #logLevel: unknown;

  /**
   * @param initialized the result of the server's answer to `initialize`
   * @param newId returns an id that nobody else has, as JSON text
   */
  constructor(scanner: JsonScanner, initialized: Json, newId: () => string) {
    this.#scanner = scanner;
    this.#newId = newId;
    this.#initialized = initialized;
    this.#held = new HeldCalls(newId);
  }

  fromClient(line: Buffer): readonly Sent[] {
    const message = readLine(this.#scanner, line);
    if (message.kind === 'request') return this.#requested(message);
    if (message.kind !== 'notification') return [];
    return message.method === 'notifications/cancelled' ? this.#cancelled(message) : [{ to: 'server', line }];
  }

  fromServer(line: Buffer): readonly Sent[] {
    const message = readLine(this.#scanner, line);
    if (message.kind === 'response') return this.#answered(message);
    if (message.kind === 'notification') return this.#notified(message);
    if (message.kind !== 'request') return [{ to: 'client', line }];
    if (message.method === 'ping') return [{ to: 'server', line: resultLine(idText(message), {}) }];
    return this.#held.asked(message);
  }

  #requested(message: Message): readonly Sent[] {
    const { method = '', bytes, params } = message;
    const id = idText(message);
    if (method === 'server/discover') return [{ to: 'client', line: resultLine(id, this.#discovered()) }];
    if (method === 'subscriptions/listen') return this.#listen(id, readPart(bytes, params)['notifications']);
    if (MAY_NEED_INPUT.has(method)) {
      const repeated = bytes.includes('requestState') ? this.#held.repeated(id, readPart(bytes, params)) : undefined;
      if (repeated !== undefined) {
        const { sent, answer } = repeated;
        return answer === undefined ? sent : [...sent, ...this.#complete(answer, method, id)];
      }
      this.#held.add(id, method);
    } else this.#open.set(id, method);
    return [...this.#setLevel(message), { to: 'server', line: this.#withoutMeta(message) }];
  }

  #discovered(): Json {
    const { capabilities, serverInfo, instructions } = this.#initialized;
    const { tasks: _, ...capable } = isObject(capabilities) ? capabilities : {};
    return {
      resultType: 'complete',
      supportedVersions: [MODERN_REVISION],
      capabilities: capable,
      ...(typeof instructions === 'string' ? { instructions } : {}),
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [SERVER_INFO_KEY]: serverInfo },
    };
  }

  /** Removes what a server of the legacy era would take for a sign of the modern one. */
  #withoutMeta({ bytes, params }: Message): Buffer {
    const span = params === undefined ? undefined : findMember(this.#scanner, bytes, params, '_meta');
    if (span === undefined) return bytes;
    const left = Object.entries(readPart(bytes, span)).filter(([key]) => !MODERN_KEYS.has(key));
    return replaceSpan(bytes, span, JSON.stringify(Object.fromEntries(left)));
  }

  /** Tells the server which log messages the client wants, if that has changed. */
  #setLevel({ bytes, params }: Message): readonly Sent[] {
    if (!bytes.includes(LOG_LEVEL_KEY)) return [];
    const { _meta: meta } = readPart(bytes, params);
    const level = isObject(meta) ? meta[LOG_LEVEL_KEY] : undefined;
    if (level === undefined || level === this.#logLevel) return [];
    this.#logLevel = level;
    return [this.#ask('logging/setLevel', { level })];
  }

  #ask(method: string, params: Json): Sent {
    const id = this.#newId();
    this.#own.add(id);
    return { to: 'server', line: requestLine(method, params, id) };
  }

  #listen(id: string, filter: unknown): readonly Sent[] {
    const given = isObject(filter) ? filter : {};
    const { resourceSubscriptions: subscribed } = given;
    const uris = Array.isArray(subscribed) ? subscribed.filter((uri): uri is string => typeof uri === 'string') : [];
    const methods = Object.entries(LIST_CHANGES).flatMap(([key, method]) => (given[key] === true ? [method] : []));
    this.#streams.set(id, { methods: new Set(methods), uris: new Set(uris) });
    const acknowledged = `{"_meta":{${subscription(id)}},"notifications":${JSON.stringify(given)}}`;
    return [
      { to: 'client', line: requestLine('notifications/subscriptions/acknowledged', acknowledged) },
      ...uris.map((uri) => this.#ask('resources/subscribe', { uri })),
    ];
  }

  #cancelled(message: Message): readonly Sent[] {
    const id = JSON.stringify(readPart(message.bytes, message.params)['requestId']);
    const stream = this.#streams.get(id);
    if (stream !== undefined) {
      this.#streams.delete(id);
      const others = [...this.#streams.values()];
      const unwanted = [...stream.uris].filter((uri) => !others.some(({ uris }) => uris.has(uri)));
      return unwanted.map((uri) => this.#ask('resources/unsubscribe', { uri }));
    }
    this.#open.delete(id);
    const serverId = this.#held.cancel(id) ?? id;
    return [{ to: 'server', line: requestLine('notifications/cancelled', `{"requestId":${serverId}}`) }];
  }

  #answered(message: Message): readonly Sent[] {
    const id = idText(message);
    if (this.#own.delete(id)) return [];
    const answered = this.#held.answered(message);
    if (answered === 'held') return [];
    if (answered !== undefined) return this.#complete(message, answered.method, answered.clientId);
    const method = this.#open.get(id);
    this.#open.delete(id);
    return method === undefined ? [{ to: 'client', line: message.bytes }] : this.#complete(message, method, id);
  }

  /** Gives an answer what the modern era wants in it. */
  #complete({ bytes, result, id }: Message, method: string, clientId: string): readonly Sent[] {
    if (id === undefined) return [];
    // The later part first, so that the earlier one stays where it is.
    const complete = (line: Buffer): Buffer => {
      if (result === undefined || findMember(this.#scanner, line, result, 'resultType') !== undefined) return line;
      return addMembers(this.#scanner, line, result, CACHED.has(method) ? `${COMPLETE},${UNCACHED}` : COMPLETE);
    };
    const rename = (line: Buffer): Buffer => replaceSpan(line, id, clientId);
    const isIdFirst = result === undefined || id.start < result.start;
    const line = isIdFirst ? rename(complete(bytes)) : complete(rename(bytes));
    return [{ to: 'client', line }];
  }

  #notified(message: Message): readonly Sent[] {
    const { method = '', bytes, params } = message;
    if (method === 'notifications/message') return this.#logLevel === undefined ? [] : [{ to: 'client', line: bytes }];
    const isUpdate = method === 'notifications/resources/updated';
    if (!isUpdate && !Object.values(LIST_CHANGES).includes(method)) return [{ to: 'client', line: bytes }];
    const uri = isUpdate ? readPart(bytes, params)['uri'] : undefined;
    const listening = [...this.#streams].filter(([, { methods, uris }]) =>
      isUpdate ? uris.has(String(uri)) : methods.has(method),
    );
    return listening.map(([id]): Sent => ({ to: 'client', line: addMeta(this.#scanner, message, subscription(id)) }));
  }
}

function subscription(id: string): string {
  return `"${SUBSCRIPTION_ID_KEY}":${id}`;
}
