import { idText, METHOD_NOT_FOUND, readBatch, readLine } from '../jsonrpc.ts';
import type { JsonScanner } from '../json-scanner.ts';
import { CLIENT_INFO_KEY, LEGACY_REVISION, MODERN_REVISION, PROTOCOL_VERSION_KEY, SUBSCRIPTION_ID_KEY } from '../mcp/methods.ts';
import type { Message } from '../message.ts';
import { InputRounds } from './input-rounds.ts';
import { addMeta } from './splice.ts';
import {
  CAPABILITIES_KEY,
  errorLine,
  isObject,
  type Json,
  LEGACY_REVISIONS,
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

/** How often the server may end the stream of its changes before it is left alone. */
const MOST_STREAMS = 5;

/** Notifications of the legacy era that the modern one has no use for. */
const NEEDLESS: ReadonlySet<string> = new Set(['notifications/progress', 'notifications/roots/list_changed']);

/** An open `subscriptions/listen` of ours. */
interface Stream {
  /** The resource whose changes it tells of; undefined for changes of lists. */
  readonly uri: string | undefined;
  /** The client's request that it is the answer to, as long as that waits. */
  waiting: string | undefined;
}

interface Greeting {
  /** The client's `initialize`. */
  readonly line: Buffer;
  /** The result of the server's answer to `server/discover`. */
  readonly discovered: Json;
}

/** Members that a request needs in its `_meta` in the modern era, as JSON text. @param params of the client's `initialize` */
export function modernMeta({ capabilities, clientInfo }: Json): string {
  const { tasks: _, ...capable } = isObject(capabilities) ? capabilities : {};
  const meta = {
    [PROTOCOL_VERSION_KEY]: MODERN_REVISION,
    ...(isObject(clientInfo) ? { [CLIENT_INFO_KEY]: clientInfo } : {}),
    [CAPABILITIES_KEY]: capable,
  };
  return JSON.stringify(meta).slice(1, -1);
}

/** Translates for a client of the legacy era, which opens a session, to a server of the modern era, which has none. */
export class LegacyClient implements Translation {
  readonly #scanner: JsonScanner;
  readonly #newId: () => string;
  readonly #rounds: InputRounds;
  readonly #meta: string;
  readonly #result: Json;
  readonly #filter: Readonly<Record<string, true>>;
  readonly #streams = new Map<string, Stream>();
  #streamsLeft = MOST_STREAMS;
  #logLevel: unknown;

  /** @param newId returns an id that nobody else has, as JSON text */
  constructor(scanner: JsonScanner, greeting: Greeting, newId: () => string) {
    this.#scanner = scanner;
    this.#newId = newId;
    this.#rounds = new InputRounds(scanner, newId);
    const params = readPart(greeting.line, readLine(scanner, greeting.line).params);
    this.#meta = modernMeta(params);
    this.#result = toInitializeResult(params['protocolVersion'], greeting.discovered);
    const capabilities = this.#result['capabilities'] as Json;
    const changing = Object.keys(LIST_CHANGES).filter((key) => {
      const capability = capabilities[key.replace('ListChanged', '')];
      return isObject(capability) && capability['listChanged'] === true;
    });
    this.#filter = Object.fromEntries(changing.map((key) => [key, true]));
  }

  fromClient(line: Buffer): readonly Sent[] {
    const message = readLine(this.#scanner, line);
    if (message.kind === 'response') return this.#rounds.given(message);
    if (message.kind === 'notification') return this.#notified(message);
    if (message.kind === 'request') return this.#requested(message);
    if (message.kind !== 'batch') return [];
    const elements = readBatch(this.#scanner, line, 0, line.length) ?? [];
    return elements.flatMap(({ start, end }) => this.fromClient(Buffer.from(line.subarray(start, end))));
  }

  fromServer(line: Buffer): readonly Sent[] {
    const message = readLine(this.#scanner, line);
    const { kind, method } = message;
    if (kind === 'response') return this.#endStream(message) ?? this.#rounds.answered(message);
    if (kind === 'request') {
      const why = 'a server of this protocol revision sends no requests: answer with the inputs that it needs';
      return [{ to: 'server', line: errorLine(idText(message), METHOD_NOT_FOUND, why) }];
    }
    if (method === 'notifications/subscriptions/acknowledged') return this.#acknowledged(message);
    return [{ to: 'client', line }];
  }

  #requested(message: Message): readonly Sent[] {
    const id = idText(message);
    const result = (value: Json): readonly Sent[] => [{ to: 'client', line: resultLine(id, value) }];
    const params = (): Json => readPart(message.bytes, message.params);
    switch (message.method) {
      case 'initialize':
        return result(this.#result);
      case 'ping':
        return result({});
      case 'logging/setLevel':
        this.#logLevel = params()['level'];
        return result({});
      case 'resources/subscribe':
        return this.#listen({ uri: String(params()['uri']), waiting: id });
      case 'resources/unsubscribe':
        return [...this.#endListening(String(params()['uri'])), ...result({})];
      default:
        return this.#pass(id, message);
    }
  }

  #pass(id: string, message: Message): readonly Sent[] {
    const level = this.#logLevel === undefined ? '' : `,"${LOG_LEVEL_KEY}":${JSON.stringify(this.#logLevel)}`;
    const line = addMeta(this.#scanner, message, this.#meta + level);
    if (MAY_NEED_INPUT.has(message.method as string)) this.#rounds.add(id, line);
    return [{ to: 'server', line }];
  }

  #notified(message: Message): readonly Sent[] {
    const { method = '', bytes, params } = message;
    if (method === 'notifications/initialized') {
      return Object.keys(this.#filter).length === 0 ? [] : this.#listen({ uri: undefined, waiting: undefined });
    }
    if (NEEDLESS.has(method)) return [];
    if (method !== 'notifications/cancelled') return [{ to: 'server', line: bytes }];
    const { requestId } = readPart(bytes, params);
    const cancelled = this.#rounds.cancel(JSON.stringify(requestId));
    if (cancelled === undefined) return [{ to: 'server', line: bytes }];
    const { serverId, sent } = cancelled;
    return [...sent, { to: 'server', line: requestLine(method, `{"requestId":${serverId}}`) }];
  }

  #listen(stream: Stream): readonly Sent[] {
    const id = this.#newId();
    this.#streams.set(id, stream);
    const notifications = stream.uri === undefined ? this.#filter : { resourceSubscriptions: [stream.uri] };
    const params = `{"_meta":{${this.#meta}},"notifications":${JSON.stringify(notifications)}}`;
    return [{ to: 'server', line: requestLine('subscriptions/listen', params, id) }];
  }

  #endListening(uri: string): readonly Sent[] {
    const sent: Sent[] = [];
    for (const [id, stream] of this.#streams) {
      if (stream.uri !== uri) continue;
      this.#streams.delete(id);
      sent.push({ to: 'server', line: requestLine('notifications/cancelled', `{"requestId":${id}}`) });
    }
    return sent;
  }

  /** Takes the end of a stream of ours; undefined if it is another answer. */
  #endStream(message: Message): readonly Sent[] | undefined {
    const id = idText(message);
    const stream = this.#streams.get(id);
    if (stream === undefined) return undefined;
    this.#streams.delete(id);
    if (stream.waiting !== undefined) {
      const { code, message: why } = readPart(message.bytes, message.error);
      const words = typeof why === 'string' ? why : 'the server does not tell of changes of this resource';
      return [{ to: 'client', line: errorLine(stream.waiting, typeof code === 'number' ? code : METHOD_NOT_FOUND, words) }];
    }
    this.#streamsLeft--;
    return message.error === undefined && this.#streamsLeft > 0 ? this.#listen(stream) : [];
  }

  #acknowledged({ bytes, params }: Message): readonly Sent[] {
    const { _meta: meta } = readPart(bytes, params);
    const stream = this.#streams.get(JSON.stringify(isObject(meta) ? meta[SUBSCRIPTION_ID_KEY] : undefined));
    if (stream?.waiting === undefined) return [];
    const line = resultLine(stream.waiting, {});
    stream.waiting = undefined;
    return [{ to: 'client', line }];
  }
}

/** Makes the answer to `initialize` that the server would have given. */
function toInitializeResult(requested: unknown, discovered: Json): Json {
  const { capabilities, instructions, _meta: meta } = discovered;
  const info = isObject(meta) ? meta[SERVER_INFO_KEY] : undefined;
  const isKnown = typeof requested === 'string' && LEGACY_REVISIONS.includes(requested);
  return {
    protocolVersion: isKnown ? requested : LEGACY_REVISION,
    capabilities: isObject(capabilities) ? capabilities : {},
    serverInfo: isObject(info) ? info : { name: 'unknown', version: '0' },
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}
