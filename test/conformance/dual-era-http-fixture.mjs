// The fixture of both eras over Streamable HTTP: sessions and streams that can be resumed in the legacy era, single requests in the modern one.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createFixture } from './fixture-server.mjs';

const MOST_EVENTS = 2000;
const RETRY_MS = 50;

const modern = createMcpHandler(() => createFixture(), { legacy: 'reject' });
/** Transports of the legacy era, by session. */
const sessions = new Map();

/** Events of all streams of a session, so that a client can have again what it missed. */
class Events {
  #events = [];
  #next = 1;

  async storeEvent(stream, message) {
    const id = `${stream}/${this.#next++}`;
    this.#events.push({ id, stream, message });
    if (this.#events.length > MOST_EVENTS) this.#events.shift();
    return id;
  }

  async getStreamIdForEventId(id) {
    return this.#events.find((event) => event.id === id)?.stream;
  }

  async replayEventsAfter(last, { send }) {
    const at = this.#events.findIndex((event) => event.id === last);
    const stream = this.#events[at]?.stream ?? '';
    for (const event of this.#events.slice(at + 1)) {
      // A priming event has no message.
      if (event.stream === stream && Object.keys(event.message).length > 0) await send(event.id, event.message);
    }
    return stream;
  }
}

async function handleLegacy(request) {
  const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
  if (known !== undefined) return known.handleRequest(request);
  if (request.headers.has('mcp-session-id')) return new Response('no such session', { status: 404 });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    eventStore: new Events(),
    retryInterval: RETRY_MS,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await createFixture().connect(transport);
  return transport.handleRequest(request);
}

async function answer(request) {
  const refused =
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins());
  if (refused !== undefined) return refused;
  return (await isLegacyRequest(request)) ? handleLegacy(request) : modern.fetch(request);
}

function toRequest(incoming, signal) {
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  const hasBody = incoming.method === 'POST';
  return new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method,
    headers,
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming), duplex: 'half' }),
  });
}

async function handle(incoming, outgoing) {
  const leaving = new AbortController();
  outgoing.once('close', () => leaving.abort());
  const response = await answer(toRequest(incoming, leaving.signal));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  if (response.body === null) outgoing.end();
  else
    Readable.fromWeb(response.body)
      .on('error', () => outgoing.destroy())
      .pipe(outgoing);
}

const listener = createServer((incoming, outgoing) => {
  handle(incoming, outgoing).catch((error) => {
    process.stderr.write(`${error?.stack ?? error}\n`);
    if (!outgoing.headersSent) outgoing.writeHead(500);
    outgoing.end();
  });
});
listener.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => process.stdout.write(`${listener.address().port}\n`));
