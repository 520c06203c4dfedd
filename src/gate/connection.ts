import { isUtf8 } from 'node:buffer';
import { ExactNumber, isJsonObject, type JsonObject } from '../core/json.ts';
import { JsonScanner } from '../protocol/json-scanner.ts';
import { idText } from '../protocol/jsonrpc.ts';
import type { Message, Span } from '../protocol/message.ts';
import { findDuplicateKey, findErrorKeyProblem, findKeyProblem } from '../protocol/key-check.ts';
import type { BatchAnswer } from './batch-answer.ts';
import { Census } from './census.ts';
import { Definitions } from './definitions.ts';
import { type IdKey, idKey, spanKey } from './id-key.ts';
import { type PendingRequest, PendingRequests } from './pending.ts';
import type { GateSetup, RefusalRecord } from './ports.ts';
import { Questions } from './questions.ts';
import { Recorder } from './recorder.ts';
import { readValue } from './read-value.ts';
import { Reviewer } from './review.ts';

/** A call of the client that waits for a person. */
export interface WaitingCall {
  /** Its id as JSON text. */
  readonly id: string;
  readonly batch: BatchAnswer | undefined;
  /** Withdraws it. */
  readonly controller: AbortController;
}

/** What both directions of one connection share. */
export class Connection {
  readonly setup: GateSetup;
  readonly recorder: Recorder;
  readonly definitions: Definitions;
  readonly reviewer: Reviewer;
  readonly scanner: JsonScanner;
  readonly census = new Census();
  /** Requests of the client that the server has, and those of the server that the client has: two spaces of ids. */
  readonly fromClient = new PendingRequests();
  readonly fromServer = new PendingRequests();
  readonly questions = new Questions();
  /** Calls of the client that wait for a person, by the key of their id. One that was taken out has its answer, or needs none. */
  readonly waiting = new Map<IdKey, WaitingCall>();
  /** The same of the server's requests: what withdraws them. */
  readonly waitingOfServer = new Map<IdKey, AbortController>();
  /** Answers that ask for something a person has to approve first, by the request that they answer. */
  readonly waitingAnswers = new Map<PendingRequest, AbortController>();
  /** Revision that the server named in its answer to `initialize`; undefined before. */
  revision: string | undefined;
  /** The client has sent `initialize`; a request of the modern era. A server may serve both eras on one connection. */
  isLegacy = false;
  isModern = false;

  /** The policy was asked for in this go; not for every message, since thousands may come at once. */
  #isPolicyFresh = false;

  constructor(setup: GateSetup) {
    this.setup = setup;
    this.scanner = new JsonScanner(setup.maxDepth);
    this.recorder = new Recorder({ ...setup.ports, prepare: () => this.#followPolicy() });
    this.definitions = new Definitions(this);
    this.reviewer = new Reviewer(setup, this.recorder, (call) => this.definitions.facts(call));
  }

  /**
   * To be called before it is asked whether a policy is about a message. False while it is not known which one decides: nothing may be
   * decided then. What is decided in one transaction is decided by one policy.
   */
  refreshPolicy(): boolean {
    this.#isPolicyFresh ||= this.recorder.isOpen || this.#followPolicy();
    return this.#isPolicyFresh;
  }

  /** Ends what is decided in one go. @returns whether it is on record */
  record(): boolean {
    this.#isPolicyFresh = false;
    return this.recorder.close();
  }

  #followPolicy(): boolean {
    const { policy, ports, server } = this.setup;
    const isKnown = policy.refresh();
    for (const change of policy.takeChanges()) {
      const time = ports.clock.now();
      this.recorder.note(() => ports.sink.recordPolicy({ ...change, time, session: ports.session(), server }));
    }
    return isKnown;
  }

  /** Counts and records a message that is refused; the refusal stands also where that fails. */
  noteRefusal(from: 'client' | 'server', message: Pick<Message, 'method' | 'id' | 'bytes'>, problem: string): void {
    this.census.countRefused();
    const { ports, server, isObserving } = this.setup;
    const record: RefusalRecord = {
      time: ports.clock.now(),
      session: ports.session(),
      server,
      from,
      problem,
      method: message.method,
      requestId: message.id === undefined ? undefined : idText(message),
      isObserved: isObserving,
    };
    this.recorder.note(() => ports.sink.recordRefusal(record));
  }

  /** The params of a message that is reviewed, or what is wrong with them. Never throws. */
  readParams(message: Message): JsonObject | string {
    return this.#read(message, message.params, findKeyProblem);
  }

  /** The requests for input in a message, by the names that the server gave them, or what is wrong with them. Never throws. */
  readInputRequests(message: Message): JsonObject | string {
    return this.#read(message, message.inputRequests, findDuplicateKey);
  }

  /** What keeps the result of an answer from being read by everybody in the same way, if anything. */
  findResultProblem({ bytes, result }: Message): string | undefined {
    return result === undefined ? undefined : findDuplicateKey(this.scanner, bytes, result);
  }

  /** The error of an answer, or what is wrong with it. Never throws. */
  readError(message: Message): JsonObject | string {
    return this.#read(message, message.error, findErrorKeyProblem);
  }

  #read(message: Message, span: Span | undefined, findProblem: typeof findKeyProblem): JsonObject | string {
    if (span === undefined) return {};
    const problem = findProblem(this.scanner, message.bytes, span);
    if (problem !== undefined) return problem;
    return readObject(message, span) ?? 'not valid JSON, or not an object';
  }
}

/** Parts of which only a small member is wanted are not read beyond this many bytes: values take many times as much memory. */
const MOST_SMALL = 1024 * 1024;

/** The object in a part of a message that is small where it is honest; undefined where it is none, or big. Never throws. */
export function readSmallObject(message: Message, span: Span | undefined): JsonObject | undefined {
  return span === undefined || span.end - span.start > MOST_SMALL ? undefined : readObject(message, span);
}

/** The object in a part of a message; undefined where it is none. Never throws. */
export function readObject(message: Message, span: Span): JsonObject | undefined {
  return readSpan(message.bytes, span.start, span.end);
}

/** The object in `bytes[start..end)`; undefined where there is none. Never throws. */
export function readSpan(bytes: Buffer, start: number, end: number): JsonObject | undefined {
  try {
    const value = readValue(bytes, start, end);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The scanner checks the grammar but not the insides of strings; those fail here.
    return undefined;
  }
}

/** Is all of the message valid UTF-8? */
export function isText({ bytes, start, end }: Message): boolean {
  return isUtf8(bytes.subarray(start, end));
}

/** The message as it was sent. */
export function messageText(message: Message): string {
  return message.bytes.toString('utf8', message.start, message.end);
}

/** Key of a message's id; undefined where it has none. */
export function keyOf({ bytes, id }: Message): IdKey | undefined {
  return id === undefined ? undefined : spanKey(bytes, id);
}

/** The id of a request as JSON text; undefined for a notification. */
export function requestIdOf(message: Message): string | undefined {
  return message.id === undefined ? undefined : idText(message);
}

/** Key of the id that a `notifications/cancelled` names; undefined where it names none that an id can be. */
export function cancelledKey(message: Message): IdKey | undefined {
  const id = readSmallObject(message, message.params)?.['requestId'];
  if (typeof id === 'string' || typeof id === 'number') return idKey(JSON.stringify(id));
  return id instanceof ExactNumber ? idKey(id.source) : undefined;
}
