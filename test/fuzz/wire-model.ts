import { isUtf8 } from 'node:buffer';
import { CALL_METHODS } from '../../src/core/call.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../src/core/json.ts';
import { idKey } from '../../src/gate/messages/id-key.ts';
import type { Judgement } from '../../src/gate/fail-closed.ts';
import { BUSY, type Verdict } from '../../src/gate/verdict.ts';
import { REVIEWED_METHODS } from '../../src/gate/messages/methods.ts';
import type { Approval } from '../../src/gate/ports/approval-port.ts';
import type { CallRecord } from '../../src/gate/ports/records.ts';
import { createTestGate, settled, type TestGate } from '../support/gate.ts';
import { decideBy } from '../support/policy.ts';
import { createFlakySink, type FlakySink, takeRecord } from './flaky-sink.ts';
import { findMessages, get, TASTES, type Taste, textOf, toValue, type Tree } from './lenient.ts';
import type { Conversation, WireStep } from './wire-messages.ts';

type Sent = Exclude<WireStep, { from: 'person' }>;

/**
 * Plays a conversation through the gate and watches what must never happen. Throws an Error that says what did.
 *
 * 1. nothing throws or rejects;
 * 2. no line is forwarded in which any lenient parser finds a call that the policy denies;
 * 3. every well-formed request of the client that is not cancelled has one answer in the end, and none has two;
 * 4. what we say to a side carries the id of a request of its own, or null;
 * 5. no answer is forwarded that has a result and an error;
 * 6. the tally adds up;
 * 7. no call is forwarded that is on no record, and no transaction stays open.
 */
export async function play(conversation: Conversation): Promise<void> {
  await new Play(conversation).run();
}

class Play {
  readonly #conversation: Conversation;
  readonly #test: TestGate;
  readonly #questions: ((approval: Approval) => void)[] = [];
  /** Requests by the key of their id, and how many of them were answered or withdrawn. */
  readonly #asked = { client: new Map<string, number>(), server: new Map<string, number>() };
  /** The same of lines that pass although they are no JSON: strings are not looked into where nothing is decided. */
  readonly #maybeAsked = { client: new Map<string, number>(), server: new Map<string, number>() };
  readonly #maybeAnswered = { client: new Map<string, number>(), server: new Map<string, number>() };
  readonly #answered = { client: new Map<string, number>(), server: new Map<string, number>() };
  readonly #maybeCancelled = new Set<string>();
  /** Keys of requests that came in a batch. */
  readonly #batched = new Set<string>();
  readonly #waiting: Promise<void>[] = [];
  readonly #store: FlakySink;
  #isSending = false;
  #lines = 0;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
    // What was granted is tried again after milliseconds, which takes too long here.
    this.#store = createFlakySink(conversation.faults, () => this.#isSending);
    this.#test = createTestGate(conversation.policy, {
      sink: this.#store.sink,
      approver: {
        ask: (_call, _decision, withdrawn) =>
          new Promise((resolve) => {
            this.#questions.push(resolve);
            withdrawn.addEventListener('abort', () => resolve('withdrawn'));
          }),
      },
    });
  }

  async run(): Promise<void> {
    for (const step of this.#conversation.steps) {
      if (step.from === 'person') this.#questions.shift()?.(step.answer);
      else this.#send(step);
      // Whatever was answered meanwhile comes out now, as between two chunks.
      for (let turn = 0; turn < 32; turn++) await Promise.resolve();
    }
    this.#take('client', this.#test.gate.requests.serverEnded(), undefined);
    for (const question of this.#questions) question('refused');
    await Promise.all(this.#waiting);
    this.#checkEnd();
    this.#checkTally();
    if (this.#store.misuse.length > 0) throw new Error(this.#store.misuse.join(', '));
  }

  #send(step: Sent): void {
    const { from, line } = step;
    const { gate } = this.#test;
    if (step.isOversized === true) {
      const oversized = { length: line.length, head: line.subarray(0, 60), tail: line.subarray(-60) };
      this.#carryOut(step, from === 'client' ? gate.oversizedFromClient(oversized) : gate.oversizedFromServer(oversized));
      return;
    }
    if (line.toString('latin1').trim() !== '') this.#lines++;
    for (const key of requestKeys(line)) add(this.#asked[from], key);
    // In a buffer that is used again afterwards, as those of the relay are.
    const bytes = Buffer.concat([Buffer.from('{"'), line, Buffer.from('\n"')]);
    const judge = (): Judgement =>
      from === 'client' ? gate.fromClient(bytes, 2, 2 + line.length) : gate.fromServer(bytes, 2, 2 + line.length);
    this.#isSending = true;
    let judgement = judge();
    while (judgement === BUSY) judgement = judge();
    this.#isSending = false;
    const verdict = settled(gate, judgement);
    if (from === 'client') this.#noteCancelled(line, verdict);
    // A batch is answered as a whole where there are none.
    const isTaken = isBatch(line) && (verdict instanceof Promise || verdict.kind !== 'reply' || /^\[/m.test(verdict.line));
    const isPlain = hasPlainIds(line) && isJson(line);
    const counts = isPlain ? this.#asked : this.#maybeAsked;
    for (const key of isTaken ? (isPlain ? batchKeys(line) : lenientKeys(line)) : []) {
      add(counts[from], key);
      this.#batched.add(key);
    }
    if (!(verdict instanceof Promise)) {
      this.#carryOut(step, verdict);
      bytes.fill(0x22);
      return;
    }
    this.#waiting.push(verdict.then((later) => this.#carryOut(step, later)));
  }

  #carryOut(step: Sent, verdict: Verdict): void {
    const { from, line } = step;
    const onward = from === 'client' ? 'server' : 'client';
    if (verdict.kind === 'forward') {
      if (step.isOversized === true) throw new Error(`an oversized line was forwarded: ${line.toString()}`);
      this.#checkForwarded(from, line);
      if (requestKeys(line).length === 0) for (const key of lenientKeys(line)) add(this.#maybeAsked[from], key);
      this.#noteAnswers(onward, line);
    } else if (verdict.kind === 'reply') this.#take(from, verdict.line, step);
    else if (verdict.kind === 'replace') {
      this.#take(from, verdict.reply ?? '', isBatch(line) ? step : undefined);
      for (const part of verdict.line.split('\n').filter((one) => one !== '')) {
        this.#checkForwarded(from, Buffer.from(part));
        this.#noteAnswers(onward, Buffer.from(part));
      }
    }
  }

  /** What we say to a side ourselves. */
  #take(side: 'client' | 'server', lines: string, cause: Sent | undefined): void {
    if (lines !== '' && !lines.endsWith('\n')) throw new Error(`not a line: ${lines}`);
    for (const line of lines.split('\n').filter((one) => one !== '')) {
      const value = JSON.parse(line) as unknown;
      for (const answer of Array.isArray(value) ? value : [value]) {
        if (!isObject(answer) || (!('result' in answer) && !('error' in answer))) throw new Error(`not an answer: ${line}`);
      }
      for (const id of idsIn(line)) this.#noteAnswer(side, id, cause);
    }
  }

  #noteAnswers(side: 'client' | 'server', line: Buffer): void {
    const isAnswer = (message: Record<string, unknown>): boolean => !('method' in message);
    if (isJson(line)) for (const id of idsIn(line.toString(), isAnswer)) this.#noteAnswer(side, id, undefined);
    // A string that is broken inside breaks the line for its receiver, with us or without; the server has answered all the same.
    else for (const key of lenientKeys(line)) add(this.#maybeAnswered[side], key);
  }

  #noteAnswer(side: 'client' | 'server', id: string, cause: Sent | undefined): void {
    if (id === 'null') return;
    const key = String(idKey(id));
    const asked = this.#asked[side].get(key) ?? 0;
    // A line that is no request still has an id by which its sender knows that it was refused.
    if (cause !== undefined && (cause.isOversized === true || (!isBatch(cause.line) && requestKeys(cause.line).length === 0))) {
      if (cause.isOversized !== true && isAnswerLine(cause.line))
        throw new Error(`an answer is answered to its sender: ${cause.line.toString()}`);
      // Of a long line only the ends are read, and a damaged one may mean anything to the model.
      const isSent =
        isIdIn(cause.line, id) || (!isJson(cause.line) && (cause.isOversized === true || unescaped(cause.line).includes(id)));
      if (!isSent) throw new Error(`the ${side} gets an answer with an id that it did not send: ${id}`);
      return;
    }
    // So has a message in a batch.
    const isSurplus = (this.#answered[side].get(key) ?? 0) >= asked;
    // Of a batch with damaged messages in it nobody can tell which of its ids were requests.
    const mayBeSurplus = isSurplus || (cause !== undefined && !hasPlainIds(cause.line));
    if (mayBeSurplus && cause !== undefined && isBatch(cause.line) && isIdIn(cause.line, id)) return;
    const answered = add(this.#answered[side], key);
    const maybe = this.#maybeAsked[side].get(key) ?? 0;
    if (answered > asked + maybe) throw new Error(`the ${side} gets ${answered} answers to ${asked} requests with the id ${id}`);
  }

  /** Whoever withdraws a request gets no answer to it any more. */
  #noteCancelled(line: Buffer, verdict: Verdict | Promise<Verdict>): void {
    for (const message of strictMessages(line)) {
      if (message['method'] !== 'notifications/cancelled' || !isObject(message['params'])) continue;
      const id = message['params']['requestId'];
      if (typeof id !== 'string' && typeof id !== 'number') continue;
      const key = keyOf(typeof id === 'number' ? String(id) : JSON.stringify(id));
      const isPlain = Object.keys(message).every((name) => ['jsonrpc', 'method', 'params'].includes(name));
      const isTaken = !(verdict instanceof Promise) && verdict.kind !== 'reply' && isPlain && !isBatch(line);
      // Where it was refused, or is beyond what a double holds, the model can't tell; answers within a batch wait for each other.
      if (!isTaken || this.#batched.has(key) || (typeof id === 'number' && !Number.isSafeInteger(id)))
        this.#maybeCancelled.add(key);
      else if (this.#asked.client.has(key)) this.#asked.client.set(key, this.#answered.client.get(key) ?? 0);
    }
    // Numbers that no double holds, and lines that JSON.parse does not read.
    for (const tree of findMessages(line)) {
      for (const taste of TASTES) {
        const id = get(get(tree, 'params', taste), 'requestId', taste);
        if (id?.kind !== 'scalar') continue;
        const isExact = isJson(line) && id.source?.includes('900719925474099') !== true;
        if (!isExact) this.#maybeCancelled.add(keyOf(id.source ?? JSON.stringify(id.value)));
      }
    }
  }

  #checkForwarded(from: 'client' | 'server', line: Buffer): void {
    this.#checkRecorded(from, line);
    for (const message of findMessages(line)) {
      if (isTorn(message)) throw new Error(`an answer with a result and an error was forwarded: ${line.toString()}`);
      for (const taste of TASTES) {
        const call =
          from === 'client'
            ? deniedCall(message, taste, this.#conversation.policy)
            : deniedRequest(message, taste, this.#conversation.policy);
        if (call !== undefined) throw new Error(`a denied call was forwarded: ${call} in ${line.toString()}`);
      }
    }
  }

  #checkRecorded(from: 'client' | 'server', line: Buffer): void {
    for (const message of strictMessages(line)) {
      const { method, params } = message;
      const requests = from === 'server' ? [message, ...inputRequests(message)] : [];
      for (const asked of requests) {
        const isIt = ({ call }: CallRecord): boolean => call.method === asked['method'];
        if (CALL_METHODS.has(asked['method'] as string)) takeRecord(this.#store.passes, isIt, line.toString());
      }
      const reviewed = from === 'client' && typeof method === 'string' ? REVIEWED_METHODS.get(method) : undefined;
      const result = reviewed?.toCalls('files', isObject(params) ? (params as JsonObject) : {});
      for (const { tool, resource, prompt } of result !== undefined && 'calls' in result ? result.calls : []) {
        const isIt = ({ call, requestId }: CallRecord): boolean =>
          call.method === method &&
          call.tool === tool &&
          call.resource === resource &&
          call.prompt === prompt &&
          (requestId === undefined) === (message['id'] === undefined || message['id'] === null);
        takeRecord(this.#store.passes, isIt, line.toString());
      }
    }
  }

  #checkEnd(): void {
    for (const [key, asked] of this.#asked.client) {
      const answered = this.#answered.client.get(key) ?? 0;
      const most = answered + (this.#maybeAnswered.client.get(key) ?? 0);
      if ((most >= asked && answered <= asked + (this.#maybeAsked.client.get(key) ?? 0)) || this.#maybeCancelled.has(key))
        continue;
      throw new Error(`${answered} answers to ${asked} requests of the client with the id ${key}`);
    }
  }

  #checkTally(): void {
    const report = this.#test.gate.report();
    const { fromClient, fromServer, inspected, passed, refused, unasked, decided, denied, methods } = report;
    const sum = Object.values(methods).reduce((total, count) => total + count, 0);
    const isWhole = sum === fromClient + fromServer && passed >= 0 && inspected + refused + unasked <= sum;
    const fits = fromClient + fromServer >= this.#lines && denied <= decided;
    if (!isWhole || !fits) throw new Error(`the tally does not add up: ${this.#lines} lines, ${JSON.stringify(report)}`);
  }
}

function add(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The messages in a line as JSON.parse reads it; none where it is not UTF-8 or not JSON. */
function strictMessages(line: Buffer): Record<string, unknown>[] {
  if (!isUtf8(line)) return [];
  try {
    const value: unknown = JSON.parse(line.toString());
    return (Array.isArray(value) ? value : [value]).filter(isObject);
  } catch {
    return [];
  }
}

/** The requests for input in an answer or notification. */
function inputRequests(message: Record<string, unknown>): Record<string, unknown>[] {
  return [message['result'], message['params']].flatMap((body) => {
    const requests = isObject(body) ? body['inputRequests'] : undefined;
    return isObject(requests) ? Object.values(requests).filter(isObject) : [];
  });
}

/** Keys of the ids of all well-formed requests in a line that is no batch, or an accepted one. */
function requestKeys(line: Buffer): string[] {
  // A carriage return is no white space here: it may be a line end to a server.
  if (!isUtf8(line) || line.subarray(0, -1).includes(0x0d)) return [];
  let messages: unknown;
  try {
    messages = parseJson(line.toString());
  } catch {
    return [];
  }
  if (!isObject(messages) || typeof messages['method'] !== 'string' || !hasOneId(line)) return [];
  const ids = idsIn(line.toString());
  return ids.filter((id) => id !== 'null').map((id) => String(idKey(id)));
}

function isBatch(line: Buffer): boolean {
  return /^[ \t]*\[/.test(line.toString('latin1'));
}

/** Keys of the ids of all well-formed requests in a batch. */
function batchKeys(line: Buffer): string[] {
  if (!isUtf8(line)) return [];
  const isRequest = (message: Record<string, unknown>): boolean => typeof message['method'] === 'string';
  return idsIn(line.toString(), isRequest).flatMap((id) => (id === 'null' ? [] : [String(idKey(id))]));
}

/** Each message of a batch has one id at most, spelt without escapes. */
function hasPlainIds(line: Buffer): boolean {
  const counts = findMessages(line).map((tree) =>
    tree.kind === 'object' ? tree.entries.filter(([key]) => key === 'id').length : 0,
  );
  const written = line.toString('latin1').split('"id"').length - 1;
  const isRequest = (tree: Tree): boolean => tree.kind === 'object' && tree.entries.some(([key]) => key === 'method');
  return (
    findMessages(line).every(isRequest) &&
    counts.every((count) => count <= 1) &&
    counts.reduce((sum, count) => sum + count, 0) === written
  );
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString());
    return true;
  } catch {
    return false;
  }
}

/** Everybody reads an answer in this line, and no request. */
function isAnswerLine(line: Buffer): boolean {
  const has = (tree: Tree, key: string): boolean => TASTES.some((taste) => get(tree, key, taste) !== undefined);
  return isJson(line) && findMessages(line).every((tree) => !has(tree, 'method') && (has(tree, 'result') || has(tree, 'error')));
}

/** Key of an id that may be no JSON. */
function keyOf(id: string): string {
  return isJson(Buffer.from(id)) ? String(idKey(id)) : id;
}

/** Keys of the ids of whatever may be taken for a request in a line. */
function lenientKeys(line: Buffer): string[] {
  return findMessages(line).flatMap((tree) => {
    if (tree.kind !== 'object') return [];
    const ids = tree.entries.filter(([key]) => key === 'id').map(([, id]) => id);
    return ids.flatMap((id) => (id.kind === 'scalar' ? [keyOf(id.source ?? JSON.stringify(id.value))] : []));
  });
}

/** Is this, as a value, the id of something in the line? */
function isIdIn(line: Buffer, id: string): boolean {
  const value: unknown = JSON.parse(id);
  const wanted = String(idKey(id));
  const ids = findMessages(line).flatMap((tree) => (tree.kind === 'object' ? tree.entries.filter(([key]) => key === 'id') : []));
  // Numbers are compared by their text, as far as there is one.
  return ids.some(
    ([, tree]) =>
      tree.kind === 'scalar' && (tree.value === value || (tree.source !== undefined && keyOf(tree.source) === wanted)),
  );
}

/** One id, and spelt without escapes: no client does that, and what does is refused without one. */
function hasOneId(line: Buffer): boolean {
  return (
    line.includes('"id"') &&
    findMessages(line).every((tree) => tree.kind === 'object' && tree.entries.filter(([key]) => key === 'id').length === 1)
  );
}

/** Ids (JSON text) at the top of the messages in this line that are asked for. */
function idsIn(line: string, isWanted: (message: Record<string, unknown>) => boolean = () => true): string[] {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch {
    return [];
  }
  return (Array.isArray(value) ? value : [value]).flatMap((message: unknown) => {
    if (!isObject(message) || !('id' in message) || !isWanted(message)) return [];
    const id = message['id'];
    if (typeof id === 'string' || typeof id === 'number' || id === null) return [JSON.stringify(id)];
    return isObject(id) && typeof id['source'] === 'string' && Object.getPrototypeOf(id) !== Object.prototype
      ? [id['source']]
      : [];
  });
}

function deniedCall(message: Tree, taste: Taste, policy: string): string | undefined {
  const method = textOf(get(message, 'method', taste));
  const reviewed = method === undefined ? undefined : REVIEWED_METHODS.get(method);
  const params = get(message, 'params', taste);
  if (reviewed === undefined || params?.kind !== 'object') return undefined;
  const value = withoutHalves(toValue(params, taste) as JsonObject);
  const result = reviewed.toCalls('files', value);
  if ('problem' in result) return undefined;
  const denied = result.calls.find((call) => decideBy(policy, call, { paths: PATHS }).action === 'deny');
  return denied === undefined ? undefined : JSON.stringify(denied);
}

/** Params as a parser may read them that leaves out halves of surrogate pairs in names. */
function withoutHalves(params: JsonObject): JsonObject {
  const whole = (value: JsonValue): JsonValue => (typeof value === 'string' ? value.replaceAll(/\p{Surrogate}/gu, '') : value);
  return Object.fromEntries(
    Object.entries(params).map(([key, value]) => [whole(key), key === 'name' || key === 'uri' ? whole(value) : value]),
  );
}

/** Is it an answer that has a result and an error, neither of them null? */
function isTorn(message: Tree): boolean {
  const isSaid = (tree: Tree | undefined): boolean => tree !== undefined && !(tree.kind === 'scalar' && tree.value === null);
  return TASTES.some((taste) => isSaid(get(message, 'result', taste)) && isSaid(get(message, 'error', taste)));
}

const PATHS = { home: '/home/u', cwd: '/home/u/project', platform: 'posix', remote: false } as const;

function deniedRequest(message: Tree, taste: Taste, policy: string): string | undefined {
  const asks = [message];
  for (const body of ['result', 'params']) {
    const inputs = get(get(message, body, taste), 'inputRequests', taste);
    if (inputs?.kind === 'object') asks.push(...inputs.entries.map(([, request]) => request));
  }
  for (const request of asks) {
    const method = textOf(get(request, 'method', taste));
    if (method !== 'sampling/createMessage' && method !== 'elicitation/create' && method !== 'roots/list') continue;
    if (decideBy(policy, { method }, { paths: PATHS }).action === 'deny') return method;
  }
  return undefined;
}

/** A damaged line with its letters spelled plainly: an id in it may have been escaped. */
function unescaped(line: Buffer): string {
  return line
    .toString()
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
