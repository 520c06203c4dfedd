import { isUtf8 } from 'node:buffer';
import { idText, INVALID_REQUEST, readMessage } from '../protocol/jsonrpc.ts';
import { type HeaderClaims, repeatsArguments } from '../protocol/mcp/http-headers.ts';
import type { Message } from '../protocol/message.ts';
import type { OversizedLine } from '../protocol/ndjson.ts';
import { BatchAnswer } from './messages/pending.ts';
import { batchElements, batchProblem, collectBatch } from './messages/batch.ts';
import type { TallyReport } from './tally.ts';
import { ClientSide } from './calls/client-side.ts';
import { Connection } from './connection.ts';
import { answerUnrecorded, failRequest, refuseUnrecorded, type Unrecorded } from './answers/deliver.ts';
import { FailClosed, type Judgement, type Side } from './fail-closed.ts';
import { BUSY, DROP, FORWARD, type Verdict } from './verdict.ts';
import { refuseMismatch } from './messages/header-agreement.ts';
import { idKey } from './messages/id-key.ts';
import { messagesIn } from './messages/message-parts.ts';
import { refuseOversizedOfClient, refuseOversizedOfServer } from './messages/oversized.ts';
import { errorLine } from './calls/reply.ts';
import { ServerSide } from './answers/server-side.ts';
import { OpenRequests, track, undeliverableAnswer } from './answers/open-requests.ts';

/** Most invalid lines of a server that are shown, and characters of each: a chatty server would flood the person. */
const MOST_SHOWN = 20;
const MOST_CHARACTERS = 200;

/**
 * The gate of one connection: receives every message of both directions and decides what happens to its bytes. It knows protocol and policy
 * but no sockets, so every transport gives the same decision. Nothing here throws or rejects.
 */
export class Interceptor {
  readonly #connection: Connection;
  readonly #client: ClientSide;
  readonly #server: ServerSide;
  readonly #failClosed: FailClosed;
  readonly #fromClient: Side = {
    judge: (message) => this.#judgeClient(message),
    refuseUnrecorded: (message, verdict) => answerUnrecorded(this.#connection, this.#unrecorded(message, verdict)),
  };
  readonly #fromServer: Side = {
    judge: (message) => this.#judgeServer(message),
    refuseUnrecorded: (message, verdict) => refuseUnrecorded(this.#connection, this.#unrecorded(message, verdict)),
  };
  /** The fast path for notifications of the server that repeat one that has passed, such as progress. */
  readonly alike: ServerSide['alike'];
  /** The requests that have no answer yet. */
  readonly requests: OpenRequests;
  /** Tells the client when it may list what was hidden from it. */
  readonly hidden: Connection['hidden'];
  #shown = 0;
  readonly #utf8 = new Utf8Check();

  constructor(...parts: ConstructorParameters<typeof Connection>) {
    this.#connection = new Connection(...parts);
    this.#client = new ClientSide(this.#connection);
    this.#server = new ServerSide(this.#connection);
    this.#failClosed = new FailClosed(this.#connection);
    this.alike = this.#server.alike;
    this.requests = new OpenRequests(this.#connection);
    this.hidden = this.#connection.hidden;
  }

  /**
   * Judges a line from the client, `bytes[start..end)` without its line feed. The verdict is a promise if a person is asked; other messages
   * pass meanwhile.
   *
   * @param claims what HTTP headers say about the message; undefined over stdio
   */
  fromClient(bytes: Buffer, start: number, end: number, claims?: HeaderClaims): Judgement {
    const message = readMessage(this.#connection.scanner, bytes, start, end);
    if (claims === undefined || this.#connection.setup.isObserving) return this.#failClosed.judge(message, this.#fromClient);
    this.#connection.mayEdit = !repeatsArguments(claims);
    const judged = refuseMismatch(this.#connection, message, claims) ?? this.#failClosed.judge(message, this.#fromClient);
    this.#connection.mayEdit = true;
    this.#connection.forgetRead();
    return judged;
  }

  /** Judges a line from the server. */
  fromServer(bytes: Buffer, start: number, end: number): Judgement {
    return this.#failClosed.judge(readMessage(this.#connection.scanner, bytes, start, end), this.#fromServer);
  }

  /**
   * Commits the decisions since the last call; call it after each chunk, before its `recorded` verdicts are carried out. False if it
   * failed.
   */
  commit(): boolean {
    return this.#connection.commit();
  }

  /** Resolves when a message that was `busy` can be judged again. */
  ready(): Promise<void> {
    return this.#connection.ready();
  }

  /** Ends the connection. @param isHurried we are about to be killed */
  finish(isHurried = false): Promise<void> {
    return this.#connection.finish(isHurried);
  }

  /** Refuses a client's line that is too long to read; whoever waits for its answer gets one. */
  oversizedFromClient(line: OversizedLine): Verdict {
    return refuseOversizedOfClient(this.#connection, line);
  }

  /** Refuses a server's line that is too long to read. */
  oversizedFromServer(line: OversizedLine): Verdict {
    return refuseOversizedOfServer(this.#connection, line);
  }

  /** Answers the requests in a line that can't be forwarded because the server has closed its input. */
  undeliverable(bytes: Buffer, start: number, end: number): Verdict {
    const message = readMessage(this.#connection.scanner, bytes, start, end);
    const elements = message.kind === 'batch' ? batchElements(this.#connection, message) : undefined;
    if (elements !== undefined) {
      const answers = elements.map((element) => undeliverableAnswer(element)?.trimEnd()).filter((answer) => answer !== undefined);
      return answers.length === 0 ? DROP : { kind: 'reply', line: `[${answers.join(',')}]\n` };
    }
    if (message.kind === 'batch') return this.#refuseUncounted(message, batchProblem(this.#connection));
    const line = undeliverableAnswer(message);
    return line === undefined ? DROP : { kind: 'reply', line };
  }

  /** Sets the protocol revision that a message states, for a connection without handshake. */
  assumeRevision(revision: string): void {
    this.#connection.revision = revision;
  }

  report(): TallyReport {
    return this.#connection.tally.report();
  }

  #unrecorded(message: Message, verdict: Verdict): Unrecorded {
    const { scanner } = this.#connection;
    if (verdict.kind !== 'replace') return { onward: [{ isBatch: false, messages: [message] }], reply: '' };
    return {
      onward: messagesIn(scanner, Buffer.from(verdict.line), (batch) => batchElements(this.#connection, batch)),
      reply: verdict.unrecorded?.() ?? verdict.reply ?? '',
    };
  }

  #judgeClient(message: Message): Verdict | Promise<Verdict> {
    if (message.kind === 'blank') return FORWARD;
    if (message.kind === 'batch') return this.#batchFromClient(message);
    return this.#elementFromClient(message, undefined);
  }

  #judgeServer(message: Message): Verdict | Promise<Verdict> {
    if (message.kind === 'blank') return FORWARD;
    if (message.kind === 'batch') return this.#batchFromServer(message);
    const verdict = message.kind === 'malformed' ? this.#refuseFromServer(message) : this.#server.handle(message);
    if (this.#connection.setup.isObserving && verdict !== BUSY) track(message, this.#connection.fromServer);
    return verdict;
  }

  #batchFromClient(message: Message): Verdict | Promise<Verdict> {
    const elements = batchElements(this.#connection, message);
    if (elements === undefined) return this.#refuseUncounted(message, batchProblem(this.#connection));
    // Opened before the first is judged: none may be `busy`, since those before it can't be judged twice.
    if (!this.#connection.recorder.open()) return BUSY;
    // If the line goes on as it came, the server makes the one answer.
    const keys = elements.flatMap((element) => (element.kind === 'request' ? [idKey(idText(element))] : []));
    const batch = this.#connection.setup.isObserving ? undefined : new BatchAnswer(keys);
    // The handshake determines how later messages are read, so none may share its line.
    const verdicts = elements.map((element) =>
      element.method === 'initialize'
        ? this.#refuseUncounted(element, 'initialize may not be in a batch')
        : this.#elementFromClient(element, batch),
    );
    return collectBatch(elements, verdicts, { pending: this.#connection.fromClient, answer: batch });
  }

  #elementFromClient(message: Message, batch: BatchAnswer | undefined): Verdict | Promise<Verdict> {
    const verdict = this.#judgeElement(message, batch);
    if (this.#connection.setup.isObserving && verdict !== BUSY) track(message, this.#connection.fromClient);
    return verdict;
  }

  #judgeElement(message: Message, batch: BatchAnswer | undefined): Verdict | Promise<Verdict> {
    const { kind, bytes, start, end, problem } = message;
    if (kind === 'blank' || kind === 'batch' || kind === 'malformed')
      return this.#refuseUncounted(message, problem ?? 'not a message');
    if (!this.#utf8.isValid(bytes, start, end)) return this.#refuseUncounted(message, 'not valid UTF-8');
    return this.#client.handle(message, batch);
  }

  /** Counts a message that can't be handled, and refuses it. */
  #refuseUncounted(message: Message, problem: string): Verdict {
    this.#connection.tally.countClient('(malformed)');
    return this.#client.refuse(message, problem);
  }

  #batchFromServer(message: Message): Verdict | Promise<Verdict> {
    const elements = batchElements(this.#connection, message);
    if (elements === undefined) return this.#refuseFromServer(message);
    // Checks all elements before any is judged, since none can be judged twice.
    const areScanned = elements.map((element) => element.kind === 'malformed' || this.#server.isScanned(element));
    if (areScanned.includes(false) || !this.#connection.recorder.open()) return BUSY;
    const verdicts = elements.map((element) => this.#judgeServer(element));
    return collectBatch(elements, verdicts, { pending: this.#connection.fromServer, answer: undefined });
  }

  /** Refuses a line that is not a message. It is shown to the person instead of the client, and nobody is left waiting. */
  #refuseFromServer(message: Message): Verdict {
    const { tally, fromClient, setup } = this.#connection;
    tally.countServer('(malformed)');
    tally.countRefused();
    if (this.#shown < MOST_SHOWN) {
      this.#shown++;
      const text = message.bytes.toString('utf8', message.start, Math.min(message.end, message.start + MOST_CHARACTERS));
      const last = this.#shown === MOST_SHOWN ? '; more of these are not shown' : '';
      setup.ports.warn(
        `the server's stdout had a line that is not a message (${message.problem}): ${JSON.stringify(text)}${last}`,
      );
    }
    if (message.id === undefined) return DROP;
    const id = idText(message);
    if (message.method !== undefined) {
      return { kind: 'reply', line: errorLine(id, INVALID_REQUEST, `clawai refused this message: ${message.problem}`) };
    }
    const key = idKey(id);
    if (fromClient.get(key) === undefined) return DROP;
    const why = `the server's answer cannot be read: ${message.problem}`;
    return { kind: 'replace', line: failRequest(this.#connection, key, why) };
  }
}

/**
 * Tells whether messages are valid UTF-8. A valid chunk has only valid lines; in an invalid one (it may end within a character) each line
 * is checked.
 */
export class Utf8Check {
  /** The chunk that was checked last. */
  #chunk: Buffer | undefined;
  #isValid = false;

  /** @param bytes the chunk that contains the line `bytes[start..end)` */
  isValid(bytes: Buffer, start: number, end: number): boolean {
    if (bytes !== this.#chunk) {
      this.#chunk = bytes;
      this.#isValid = isUtf8(bytes);
    }
    return this.#isValid || isUtf8(bytes.subarray(start, end));
  }
}
