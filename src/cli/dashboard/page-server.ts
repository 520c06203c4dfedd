import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ClawaiError } from '../../errors.ts';
import { packageRoot } from '../../host/directories.ts';
import type { Problem } from '../../page/wire.ts';
import { readBody } from '../../transport/http/read-body.ts';
import { refuse } from '../../transport/http/respond.ts';
import type { Target } from '../../transport/http/target.ts';
import { usageError } from '../command.ts';
import type { Fields } from '../log/event-fields.ts';
import { visible } from '../terminal/text.ts';
import type { Door } from './door.ts';
import { Feed, type FeedOptions } from './feed.ts';

/** Answers by what the page asks for. */
export interface Views {
  readonly get: Readonly<Record<string, (query: URLSearchParams) => object | Promise<object>>>;
  readonly post: Readonly<Record<string, (body: Fields) => object | Promise<object>>>;
}

interface PageServerOptions {
  readonly door: Door;
  readonly views: Views;
  readonly feed: FeedOptions;
  readonly warn: (message: string) => void;
}

/** Streams that are open at once; each looks at the store by itself. */
const MOST_FEEDS = 12;
/** Bytes of a request: arguments that a person tries. */
const MOST_BYTES = 1_000_000;
/** Bytes from which an answer is compressed. */
const WORTH_ZIPPING = 1000;

/** Nothing but the page's own files, and nobody may put it into a frame. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
};

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>clawai</title>
<link rel="stylesheet" href="page.css">
<script type="module" src="page.js"></script>
</head>
<body><div id="page"></div></body>
</html>
`;

/** Answers the requests of the page, of whoever the door lets in. Host and Origin were checked before. */
export class PageServer {
  readonly #options: PageServerOptions;
  readonly #feeds = new Set<Feed>();
  readonly #files = new Map<string, { readonly type: string; readonly body: Buffer }>([
    ['', { type: 'text/html; charset=utf-8', body: Buffer.from(HTML) }],
    ['page.js', { type: 'text/javascript; charset=utf-8', body: readBuilt('page.js') }],
    ['page.css', { type: 'text/css; charset=utf-8', body: readBuilt('page.css') }],
  ]);

  constructor(options: PageServerOptions) {
    this.#options = options;
  }

  handle(request: IncomingMessage, response: ServerResponse, target: Target): void {
    const { door } = this.#options;
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    if (target.path === '/' && request.method === 'GET') return this.#open(response, target.query);
    const fault = door.findFault(request);
    if (fault !== undefined) return refuse(response, 403, fault);
    const rest = target.path.startsWith(door.path) ? target.path.slice(door.path.length) : undefined;
    if (rest === undefined) return refuse(response, 404, 'there is nothing here');
    const query = new URLSearchParams(target.query);
    const { get, post } = this.#options.views;
    const name = rest.replace(/^api\//, '');
    const file = this.#files.get(rest);
    if (request.method === 'GET' && file !== undefined) return send(request, response, { status: 200, ...file });
    if (request.method === 'GET' && rest === 'api/feed') return this.#feed(request, response, query);
    const view = rest === name ? undefined : request.method === 'GET' ? own(get, name) : undefined;
    if (view !== undefined) return void this.#answer(request, response, () => view(query));
    const change = rest === name || request.method !== 'POST' ? undefined : own(post, name);
    if (change !== undefined) return void this.#answer(request, response, async () => change(await readJson(request)));
    refuse(response, 404, 'there is nothing here');
  }

  close(): void {
    for (const feed of this.#feeds) feed.close();
  }

  /** Turns the token of the address into a cookie, and leads on to an address without it. */
  #open(response: ServerResponse, query: string): void {
    const cookie = this.#options.door.take(new URLSearchParams(query).get('token') ?? '');
    if (cookie === undefined) {
      refuse(
        response,
        403,
        'this address was used already, or is not whole: press Enter where clawai dashboard runs for another one. If nobody has opened this one before, another program has: press Ctrl-C there, since that can answer for you',
      );
      return;
    }
    response.setHeader('set-cookie', cookie);
    response.writeHead(303, { location: this.#options.door.path, 'content-length': 0 }).end();
  }

  #feed(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): void {
    if (this.#feeds.size >= MOST_FEEDS) return refuse(response, 503, 'the page is open too often: close some');
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    // A page that was put to sleep makes a stream of its own, and says where it was.
    const last = request.headers['last-event-id'] ?? query.get('after') ?? undefined;
    const feed = new Feed(response, this.#options.feed, typeof last === 'string' ? last : undefined);
    this.#feeds.add(feed);
    response.on('close', () => this.#feeds.delete(feed));
  }

  async #answer(request: IncomingMessage, response: ServerResponse, view: () => object | Promise<object>): Promise<void> {
    try {
      sendJson(request, response, 200, await view());
    } catch (thrown) {
      const isExpected = thrown instanceof ClawaiError;
      if (!isExpected)
        this.#options.warn(`the page: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`);
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      const hint = isExpected && thrown.hint !== undefined && thrown.hint !== '' ? ` (${thrown.hint})` : '';
      sendJson(request, response, isExpected ? 422 : 500, { problem: visible(`${message}${hint}`) } satisfies Problem);
    }
  }
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

async function readJson(request: IncomingMessage): Promise<Fields> {
  const read = await readBody(request, { limit: MOST_BYTES });
  if (read.kind !== 'ok') throw usageError('the request could not be read', '');
  const value: unknown = JSON.parse(read.body.toString());
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw usageError('the request is no object', '');
  return value as Fields;
}

function sendJson(request: IncomingMessage, response: ServerResponse, status: number, value: object): void {
  send(request, response, { status, type: 'application/json', body: Buffer.from(JSON.stringify(value)) });
}

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

function send({ headers }: IncomingMessage, response: ServerResponse, { status, type, body }: Reply): void {
  if (response.destroyed || response.headersSent) return;
  const isZipped = body.length > WORTH_ZIPPING && /\bgzip\b/.test(String(headers['accept-encoding']));
  const sent = isZipped ? gzipSync(body) : body;
  if (isZipped) response.setHeader('content-encoding', 'gzip');
  response.writeHead(status, { 'content-type': type, 'content-length': sent.length }).end(sent);
}

/** A file of the page, which is built beside the program. */
function readBuilt(name: string): Buffer {
  return readFileSync(join(packageRoot(), 'dist', name));
}
