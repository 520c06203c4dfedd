import { createHash, randomBytes } from 'node:crypto';
import { JsonScanner } from '../../protocol/json-scanner.ts';
import { readLine } from '../../protocol/jsonrpc.ts';
import { CLIENT_INFO_KEY } from '../../protocol/mcp/methods.ts';
import { CAPABILITIES_KEY, isObject, readPart } from '../../protocol/eras/translation.ts';
import type { Eras, FirstRequest, StandIn } from '../mcp-http/route-parts.ts';
import { ownHeaders, TranslatedServer, type TranslatedServerOptions } from './translated-server.ts';

interface TranslatedServersOptions extends Omit<TranslatedServerOptions, 'session' | 'onEnd'> {
  /** True if clients of the modern era are translated for, too: most of them fall back by themselves. */
  readonly isModernOnly: boolean;
  /** A secret of this route. Sessions that begin with its hash are ours, also after a restart; other instances have others. */
  readonly secret: string;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** Most conversations; of more, and after so many milliseconds without a request, those that nobody uses end. */
const MOST = 256;
const IDLE = 60 * 60 * 1000;

/** Milliseconds after which a server that speaks the modern era is asked again whether it does. */
const ALIKE = 60_000;

/** Headers that differ from request to request, and say nothing about the client. */
const OF_ONE_REQUEST = new Set(['traceparent', 'tracestate', 'baggage', 'x-request-id', 'content-language']);

interface Kept {
  /** Undefined if the server speaks its clients' era. */
  readonly server: Promise<TranslatedServer | undefined>;
  /** Set once it is known. */
  known: TranslatedServer | undefined;
  /** The time of the last request. */
  used: number;
}

/** The translated conversations with one remote server. */
export class TranslatedServers implements Eras {
  readonly #options: TranslatedServersOptions;
  readonly #ours: string;
  readonly #kept = new Map<string, Kept>();
  readonly #callers = new WeakMap<object, number>();
  #count = 0;

  constructor(options: TranslatedServersOptions) {
    this.#options = options;
    this.#ours = `clawai-${createHash('sha256').update(options.secret).digest('base64url').slice(0, 8)}-`;
  }

  ofSession(id: string): StandIn | 'ended' | undefined {
    if (!id.startsWith(this.#ours)) return undefined;
    const kept = this.#kept.get(id);
    if (kept?.known === undefined) return 'ended';
    this.#use(id, kept);
    return kept.known;
  }

  async greet(first: FirstRequest): Promise<StandIn | undefined> {
    const { kind, method } = this.#read(first.line);
    if (kind !== 'request' || method !== 'initialize') return undefined;
    const id = `${this.#ours}${randomBytes(16).toString('base64url')}`;
    return this.#keep(id, { session: id, first });
  }

  ofModern(caller: object, asFirst: () => FirstRequest): Promise<StandIn | undefined> | undefined {
    if (!this.#options.isModernOnly) return undefined;
    const first = asFirst();
    const key = this.#keyOf(caller, first);
    const kept = this.#kept.get(key);
    if (kept === undefined || (kept.known === undefined && this.#options.now() - kept.used >= ALIKE)) {
      return this.#keep(key, { session: undefined, first });
    }
    if (kept.known !== undefined) this.#use(key, kept);
    return kept.server;
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#kept.values(), ({ known }) => known?.close()));
  }

  #keep(
    key: string,
    { session, first }: { readonly session: string | undefined; readonly first: FirstRequest },
  ): Promise<TranslatedServer | undefined> {
    const { url } = this.#options;
    const end = (): void => void (this.#kept.get(key) === kept && this.#kept.delete(key));
    const made = new TranslatedServer({ ...this.#options, url: new URL(url.origin + first.path), session, onEnd: end });
    const server = made.meet(first.line, first.headers).then((met) => {
      if (met === 'translated') return (kept.known = made);
      // A server that speaks neither era for now may be asked again at once.
      if (met === 'refused' || session !== undefined) void made.close();
      return undefined;
    });
    const kept: Kept = { server, known: undefined, used: this.#options.now() };
    this.#use(key, kept);
    this.#forgetOld();
    return server;
  }

  #use(key: string, kept: Kept): void {
    kept.used = this.#options.now();
    this.#kept.delete(key);
    this.#kept.set(key, kept);
  }

  #forgetOld(): void {
    for (const [key, { used, known }] of this.#kept) {
      if (this.#kept.size <= MOST && this.#options.now() - used < IDLE) return;
      if (known?.isBusy === true) continue;
      this.#kept.delete(key);
      void known?.close();
    }
  }

  /** Clients that the server could tell apart are never one to it: other callers, other headers, other capabilities. */
  #keyOf(caller: object, { line, path, headers }: FirstRequest): string {
    const number = this.#callers.get(caller) ?? ++this.#count;
    this.#callers.set(caller, number);
    const own = Object.entries(ownHeaders(headers)).filter(([name]) => !OF_ONE_REQUEST.has(name));
    const { _meta: meta } = readPart(line, this.#read(line).params);
    const { [CLIENT_INFO_KEY]: info, [CAPABILITIES_KEY]: capabilities } = isObject(meta) ? meta : {};
    return JSON.stringify([number, path, own, info, capabilities]);
  }

  #read(line: Buffer): ReturnType<typeof readLine> {
    return readLine(new JsonScanner(this.#options.limits.depth), line);
  }
}
