import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { readBody } from '../http/read-body.ts';
import { refuse } from '../http/respond.ts';
import { passBody, passHead, passStream, tellByStream } from './answer.ts';
import { ask } from './ask.ts';
import { type Asked, Leaving } from './asked.ts';
import type { CallerGates } from './gates.ts';
import { LoginNeeded } from './login-needed.ts';
import { contentTypeOf, EVENT_STREAM, sessionOf } from './mcp-headers.ts';
import { dropWaiting } from './post-back.ts';
import { type Exchange, handlePost } from './post.ts';
import type { RouteParts } from './route-parts.ts';
import { SseSession } from './sse-session.ts';

const NOTHING = Buffer.alloc(0);

type RemoteParts = Omit<RouteParts, 'gates'> & {
  readonly gates: Pick<CallerGates<unknown>, 'of' | 'sessions' | 'size' | 'close'>;
};

/**
 * The route to one remote MCP server: over streamable HTTP, of both eras (MCP 2025-03-26 to 2026-07-28), and over HTTP+SSE (2024-11-05). It
 * decides nothing: messages go through the gate of their session, and its verdicts are carried out.
 */
export class RemoteRoute {
  readonly parts: RemoteParts;
  readonly #sseSessions = new Map<string, SseSession>();

  constructor(parts: RemoteParts) {
    this.parts = parts;
  }

  /** @param query with its question mark; empty if there is none */
  handle(request: IncomingMessage, response: ServerResponse, query: string): void {
    this.#count(response, this.#handle({ request, response, query }));
  }

  /** Handles a message of a session of HTTP+SSE. @param token of the address that we have given the client */
  handleMessage(request: IncomingMessage, response: ServerResponse, token: string): void {
    const session = this.#sseSessions.get(token);
    if (request.method !== 'POST') refuse(response, 405, 'messages are sent by POST', { allow: 'POST' });
    else if (session === undefined) refuse(response, 404, 'this session has ended, or clawai was started again');
    else this.#count(response, session.post({ request, response }));
  }

  #count(response: ServerResponse, handled: Promise<void>): void {
    const { counters, warn, name } = this.parts;
    counters.requests++;
    counters.last = Date.now();
    handled.catch((error: unknown) => {
      warn(`a request to ${name} failed: ${error instanceof Error ? error.message : String(error)}`);
      counters.failed++;
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'clawai failed to handle this request');
    });
  }

  /** Ends all sessions; resolves when everything they saw is on record. */
  async close(): Promise<void> {
    const { gates, rounds, upstream, eras } = this.parts;
    dropWaiting(upstream);
    await eras?.close();
    // Connections close before the gates: a later answer could not be delivered.
    upstream.close();
    await setImmediate();
    await rounds.gathered();
    await gates.close();
  }

  async #handle({ request, response, query }: Exchange): Promise<void> {
    const session = sessionOf(request.headers);
    const standIn = session === undefined ? undefined : this.parts.eras?.ofSession(session);
    const isKnown = session === undefined || this.parts.credentials?.sessions.has(session) !== false;
    if (standIn === 'ended' || !isKnown) {
      // A client begins a new session then (MCP 2025-11-25, "Session Management").
      refuse(response, 404, 'there is no such session at this address');
      return;
    }
    // The body arrives meanwhile.
    const found = this.parts.gates.of(request.socket);
    if (request.method === 'POST') return handlePost(this.parts, found, { request, response, query });
    if (request.method !== 'GET' && request.method !== 'DELETE') {
      refuse(response, 405, 'this method is not part of MCP', { allow: 'GET, POST, DELETE' });
      return;
    }
    // Neither method has a body; one that came would pass unchecked.
    const read = await readBody(request, { limit: 0 });
    if (read.kind !== 'ok') {
      refuse(response, 400, `a ${request.method} has no body`);
      return;
    }
    const parts = { ...this.parts, gates: await found, ...(standIn !== undefined && { upstream: standIn }) };
    if (request.method === 'GET') await this.#listen(parts, { request, response, query });
    else await this.#endSession(parts, { request, response, query });
  }

  /**
   * Handles the stream on which a server of the legacy era sends its own messages, and those that a client missed; over HTTP+SSE, it sends all
   * of them there.
   */
  async #listen(parts: RouteParts, { request, response, query }: Exchange): Promise<void> {
    const { gates } = parts;
    const session = sessionOf(request.headers);
    // A session of HTTP+SSE begins with a gate that has seen no other.
    const gate = session === undefined ? gates.acquireNew() : gates.ofSession(session);
    const asked = this.#asked({ gate, session, request, response, query });
    let sse: SseSession | undefined;
    const beginSse = (streamPath: string, problem?: string): SseSession => {
      const ownPath = (request.url ?? '').replace(/[/]?(?:\?.*)?$/s, '');
      return new SseSession({ parts: this.parts, gates, gate, streamPath, ownPath, byToken: this.#sseSessions, problem });
    };
    try {
      const answered = await ask(parts, asked, { method: 'GET', body: undefined });
      if (answered === undefined) return;
      const { answer, path } = answered;
      const status = answer.statusCode ?? 0;
      if (status >= 400 || status === 304) await passBody(parts, asked, answer);
      else if (contentTypeOf(answer) === EVENT_STREAM) {
        if (session === undefined) sse = beginSse(path);
        await passStream(parts, { ...asked, sse }, answer);
      } else {
        answer.destroy();
        refuse(response, 502, `${parts.name} answered with something other than a stream of events`);
      }
      if (status === 404 && session !== undefined) gates.end(session);
    } catch (error) {
      if (!(error instanceof LoginNeeded)) throw error;
      sse = beginSse(parts.path, error.message);
      await tellByStream(parts, { ...asked, sse });
    } finally {
      if (sse?.close() !== true && session === undefined) gates.release('legacy', gate);
    }
  }

  async #endSession(parts: RouteParts, { request, response, query }: Exchange): Promise<void> {
    const { gates } = parts;
    const session = sessionOf(request.headers);
    const gate = session === undefined ? gates.acquire('legacy') : gates.ofSession(session);
    const asked = this.#asked({ gate, session, request, response, query });
    try {
      const answered = await ask(parts, asked, { method: 'DELETE', body: undefined });
      if (answered === undefined) return;
      const { answer } = answered;
      const status = answer.statusCode ?? 0;
      if (status < 300) passHead(asked, answer);
      else await passBody(parts, asked, answer);
      if (session !== undefined && (status < 300 || status === 404)) gates.end(session);
    } finally {
      if (session === undefined) gates.release('legacy', gate);
    }
  }

  #asked(of: Pick<Asked, 'gate' | 'session' | 'request' | 'response' | 'query'>): Asked {
    const leaving = new Leaving(of.response);
    return { ...of, era: 'legacy', isOfSession: of.session !== undefined, onward: NOTHING, reply: '', leaving };
  }
}
