import { randomBytes } from 'node:crypto';
import type { Interceptor } from '../../gate/interceptor.ts';
import { readHeaderClaims } from '../../protocol/mcp/http-headers.ts';
import { refuse } from '../http/respond.ts';
import { UpstreamFault } from '../http/upstream-fault.ts';
import { noteFault, sendOn } from './ask.ts';
import { Leaving, type SseAddress } from './asked.ts';
import { readEndpoint } from './endpoint.ts';
import type { Gates } from './gates.ts';
import { LoginNeeded } from './login-needed.ts';
import { type Exchange, onwardOf, readMessages, replyOf } from './post.ts';
import type { RouteParts } from './route-parts.ts';
import { passText } from './send-judged.ts';

interface SseSessionOptions {
  readonly parts: Omit<RouteParts, 'gates'>;
  readonly gates: Gates;
  readonly gate: Interceptor;
  /** Path and query of the server's stream, after redirects. */
  readonly streamPath: string;
  /** The path of the client's request, without a slash at its end. */
  readonly ownPath: string;
  /** All sessions of this server, by the token of their address. */
  readonly byToken: Map<string, SseSession>;
  /** Set if the server has no such session, since somebody has to log in first: a sentence that says what to do. */
  readonly problem?: string | undefined;
}

/**
 * A session of HTTP+SSE (MCP 2024-11-05): its client listens to one stream, and posts each message to an address that the stream begins with.
 * The client gets an address of ours in place of the server's. Until the stream has named one, there is no session.
 */
export class SseSession implements SseAddress {
  readonly #options: SseSessionOptions;
  /** The session's id in `Gates`; no client can name one with a blank. */
  readonly #id = ` ${createToken()}`;
  /** Path and query of the server's address for messages. */
  #path: string | undefined;
  #token = '';
  #tell = (_lines: string): void => {};

  constructor(options: SseSessionOptions) {
    this.#options = options;
  }

  /** Path and query for messages to the server; undefined if there is no session. */
  get path(): string | undefined {
    return this.#path;
  }

  /**
   * Takes the address that the server announces.
   *
   * @param tell sends the client lines by the stream
   * @returns our own address; undefined if the server's may not be used, so that its stream must end
   */
  readonly endpoint = (announced: string, tell: (lines: string) => void): string | undefined => {
    const { parts, gates, gate, streamPath, ownPath, byToken } = this.#options;
    const path = readEndpoint(announced, parts.origin + streamPath);
    if (path === undefined) {
      parts.counters.failed++;
      parts.warn(`${parts.name} announced an address for messages that is not its own, so clawai ended its stream`);
      return undefined;
    }
    gates.bind(this.#id, gate);
    byToken.delete(this.#token);
    this.#token = createToken();
    byToken.set(this.#token, this);
    this.#path = path;
    this.#tell = tell;
    return `${ownPath}/~/${this.#token}`;
  };

  /** Ends the session when its stream has ended. False if there was none. */
  close(): boolean {
    const { gates, byToken } = this.#options;
    byToken.delete(this.#token);
    if (this.#path === undefined) return false;
    this.#tell = () => {};
    this.#path = undefined;
    gates.end(this.#id);
    return true;
  }

  /** Handles a message that the client posts: judges it and passes it to the server. All answers come by the stream. */
  async post({ request, response }: Pick<Exchange, 'request' | 'response'>): Promise<void> {
    const { parts, gates, gate, problem } = this.#options;
    const body = await readMessages(parts, { request, response });
    if (body === undefined) return;
    await parts.rounds.gathered();
    if (this.#path === undefined || gates.hasEnded(gate)) {
      refuse(response, 404, 'this session has ended');
      return;
    }
    // It stays the most recently used one.
    gates.bind(this.#id, gate);
    const revision = request.headers['mcp-protocol-version'];
    if (typeof revision === 'string') gate.assumeRevision(revision);
    const accept = (): void => {
      if (!response.headersSent) response.writeHead(202, { 'content-length': 0 }).end();
    };
    let isAccepted = false;
    // Clients do not wait for a person: some give up a POST after five seconds.
    const park = (): void => {
      isAccepted = true;
      accept();
    };
    const leaving = new Leaving(response);
    const claims = readHeaderClaims(request.headers);
    const judged = parts.rounds.judge(gate, () => gate.fromClient(body, 0, body.length, claims), park);
    if (judged.kind === 'late' && judged.isParked) park();
    const verdict = judged.kind === 'late' ? await judged.verdict : judged;
    const path = this.#path;
    if (path === undefined || (leaving.isGone && !isAccepted)) {
      gate.requests.abandoned(body);
      return;
    }
    this.#tell(replyOf(verdict));
    const onward = onwardOf(verdict, body);
    if (onward === undefined) {
      parts.counters.answered++;
      accept();
      return;
    }
    /** Tells the client by the stream that its requests will not be answered. @returns true if there were any */
    const fail = (why: string, hasArrived: boolean): boolean => {
      const lines = gate.requests.undelivered(onward.lines, why, { hasArrived });
      this.#tell(lines);
      return lines !== '';
    };
    try {
      if (problem !== undefined) throw new LoginNeeded(problem);
      const { answer } = await sendOn({ ...parts, path }, { request, query: '', leaving }, { method: 'POST', body: onward.body });
      if (answer.statusCode < 300) {
        answer.destroy();
        accept();
        return;
      }
      fail(`${parts.name} did not take it (HTTP ${answer.statusCode})`, true);
      if (response.headersSent) answer.destroy();
      // The client needs the status, e.g. to learn that a login is needed.
      else await passText({ ...parts, gates }, { gate, response }, answer);
    } catch (error) {
      if (error instanceof LoginNeeded) {
        if (fail(error.message, false)) accept();
        else refuse(response, 503, error.message);
      } else if (!(error instanceof UpstreamFault)) {
        if (!leaving.isGone) throw error;
        gate.requests.abandoned(onward.lines);
      } else if (fail(error.message, noteFault(parts, error))) accept();
      else refuse(response, 502, error.message);
    }
  }
}

function createToken(): string {
  return randomBytes(16).toString('base64url');
}
