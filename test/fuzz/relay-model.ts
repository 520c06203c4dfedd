import { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import type { Interceptor } from '../../src/gate/interceptor.ts';
import type { Approval } from '../../src/gate/ports/approval-port.ts';
import type { CallRecord } from '../../src/gate/ports/records.ts';
import { relay } from '../../src/transport/stdio/relay.ts';
import { createTestGate } from '../support/gate.ts';
import { createFlakySink, type Fault, FAULTS, type FlakySink, takeRecord } from './flaky-sink.ts';

/** What a client sends: a line of some kind, with so many bytes of padding in it. */
interface Sent {
  readonly kind: 'read' | 'deny' | 'ask' | 'ping' | 'notify' | 'prose';
  readonly padding: number;
}

/** A client's lines, and how the bytes of both directions are cut, in how many chunks between two looks at what came out. */
export interface Stream {
  readonly lines: readonly Sent[];
  readonly faults: readonly Fault[];
  readonly cuts: readonly number[];
  readonly maxLine: number;
  readonly onError: 'deny' | 'allow';
  readonly isObserving: boolean;
  /** The server ends after it has got so many lines: it exits, or closes its input and lives on for a while. */
  readonly serverEnds: number;
  readonly endsBy: 'exit' | 'closing';
  readonly isSlow: boolean;
  readonly hasLastFeed: boolean;
}

export const STREAM: fc.Arbitrary<Stream> = fc.record({
  lines: fc.array(
    fc.record({
      kind: fc.constantFrom<Sent['kind']>('read', 'read', 'deny', 'ask', 'ping', 'notify', 'prose'),
      padding: fc.oneof(
        { weight: 8, arbitrary: fc.nat(300) },
        { weight: 2, arbitrary: fc.nat(4000) },
        { weight: 1, arbitrary: fc.integer({ min: 250_000, max: 400_000 }) },
      ),
    }),
    { maxLength: 14, size: 'max' },
  ),
  faults: FAULTS,
  cuts: fc.array(fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 30_000, max: 70_000 })), {
    minLength: 1,
    maxLength: 12,
  }),
  maxLine: fc.constantFrom(1500, 1_000_000, 1_000_000),
  onError: fc.constantFrom('deny', 'deny', 'deny', 'allow'),
  isObserving: fc.constantFrom(false, false, false, true),
  serverEnds: fc.oneof(fc.constant(Infinity), fc.nat(10)),
  endsBy: fc.constantFrom('exit', 'closing'),
  isSlow: fc.boolean(),
  hasLastFeed: fc.boolean(),
});

const POLICY = `
[defaults]
action = "allow"
[[rule]]
action = "deny"
tool = "deny"
[[rule]]
action = "prompt"
tool = "ask"
`;

/**
 * Sends a stream through the gate and the relays of both directions, whose sinks read late what was written. Throws an Error where
 * something is lost, doubled, reordered or altered; where a call goes on that is on no record; where a transaction stays open.
 */
export async function carry(stream: Stream): Promise<void> {
  await new Carry(stream).run();
}

class Carry {
  readonly #stream: Stream;
  readonly #store: FlakySink;
  readonly #gate: Interceptor;
  readonly #questions: ((approval: Approval) => void)[] = [];
  readonly #sent: Buffer[];
  /** Numbers of the lines that the server got, and how often each request was answered. */
  readonly #forwarded: number[] = [];
  readonly #answers = new Map<number, number>();
  readonly #sources = { client: new Readable({ read() {} }), server: new Readable({ read() {} }) };
  readonly #sinks: { readonly client: Writable; readonly server: Writable };
  /** The server reads no more; it has ended. */
  #isDeaf = false;
  #hasServerEnded = false;
  #replies = 0;
  #problem: string | undefined;

  constructor(stream: Stream) {
    this.#stream = stream;
    this.#store = createFlakySink(stream.faults);
    const ask = (): Promise<Approval> => new Promise((resolve) => this.#questions.push(resolve));
    const ports = { sink: this.#store.sink, approver: { ask } };
    this.#gate = createTestGate(POLICY, ports, stream.isObserving, stream.onError).gate;
    this.#sent = stream.lines.map((line, index) => Buffer.from(`${textOf(line, index)}\n`));
    this.#sinks = {
      client: lateSink(stream.isSlow, (line) => this.#toClient(line)),
      server: lateSink(
        stream.isSlow,
        (line) => this.#toServer(line),
        () => this.#isDeaf,
      ),
    };
  }

  async run(): Promise<void> {
    const gate = this.#gate;
    const { client, server } = this.#sinks;
    server.on('error', () => {});
    const common = { maxLine: this.#stream.maxLine, commit: () => gate.commit(), ready: () => setImmediate() };
    const upstream = relay({
      ...common,
      source: this.#sources.client,
      onward: server,
      back: client,
      inspect: (bytes, start, end) =>
        server.writable ? gate.fromClient(bytes, start, end) : gate.undeliverable(bytes, start, end),
      oversized: (line) => gate.oversizedFromClient(line),
      lost: (lines) => client.write(gate.requests.undelivered(lines)),
    });
    const downstream = relay({
      ...common,
      source: this.#sources.server,
      onward: client,
      back: server,
      inspect: (bytes, start, end) => gate.fromServer(bytes, start, end),
      oversized: (line) => gate.oversizedFromServer(line),
    });
    const whole = Buffer.concat(this.#sent);
    await this.#push(this.#stream.hasLastFeed ? whole : whole.subarray(0, -1));
    this.#sources.client.push(null);
    while (this.#questions.length > 0) await this.#answerOne();
    await this.#settle(() => this.#questions.shift()?.('granted'));
    await upstream;
    // Some servers read a last line that has no line feed only when there is nothing more to come.
    if (!this.#isDeaf) server.end();
    await this.#settle();
    this.#endServer();
    await downstream;
    client.write(gate.requests.serverEnded());
    await this.#settle();
    this.#check();
  }

  async #push(bytes: Buffer): Promise<void> {
    const { cuts } = this.#stream;
    for (let start = 0, at = 0; start < bytes.length; at++) {
      const end = start + (cuts[at % cuts.length] as number);
      // With memory of its own, as a pipe would give it.
      const piece = bytes.subarray(start, end);
      const chunk = Buffer.allocUnsafeSlow(piece.length);
      piece.copy(chunk);
      this.#sources.client.push(chunk);
      start = end;
      if (at % 3 === 0) await setImmediate();
      if (at % 7 === 0) await this.#answerOne();
    }
  }

  async #answerOne(): Promise<void> {
    this.#questions.shift()?.('granted');
    await setImmediate();
  }

  /** Until nothing has come out for a while. */
  async #settle(act?: () => void): Promise<void> {
    let quiet = 0;
    for (let seen = -1; quiet < 30; quiet++) {
      act?.();
      await setImmediate();
      const now = this.#forwarded.length + this.#replies;
      if (now !== seen) quiet = 0;
      seen = now;
    }
  }

  #toServer(line: Buffer): void {
    if (this.#isDeaf) return;
    const number = numberOf(line);
    if (number === undefined) this.#fail(`the server gets ${line.toString('latin1', 0, 200)}`);
    else {
      const sent = this.#sent[number] as Buffer;
      const isSame = line.equals(sent) || (number === this.#sent.length - 1 && line.equals(sent.subarray(0, -1)));
      if (!isSame) this.#fail(`line ${number} was altered on its way: ${line.length} bytes of ${sent.length}`);
      this.#forwarded.push(number);
      const { kind, padding } = this.#stream.lines[number] as Sent;
      this.#checkRecorded(number);
      if (hasAnswer(kind)) {
        const body = 'r'.repeat(padding);
        this.#sources.server.push(Buffer.from(`{"jsonrpc":"2.0","id":${number},"result":{"body":"${body}"}}\n`));
      }
    }
    if (this.#forwarded.length <= this.#stream.serverEnds) return;
    this.#isDeaf = true;
    if (this.#stream.endsBy === 'exit') void setImmediate().then(() => this.#endServer());
  }

  #endServer(): void {
    if (this.#hasServerEnded) return;
    this.#hasServerEnded = true;
    this.#isDeaf = true;
    this.#sinks.server.destroy();
    this.#sources.server.push(null);
  }

  #checkRecorded(number: number): void {
    const { kind } = this.#stream.lines[number] as Sent;
    if (this.#stream.isObserving || this.#stream.onError === 'allow' || kind === 'ping' || kind === 'prose') return;
    const isIt = ({ call }: CallRecord): boolean => call.args?.['n'] === number;
    try {
      takeRecord(this.#store.passes, isIt, String(number));
    } catch (error) {
      this.#fail(String(error));
    }
  }

  #toClient(line: Buffer): void {
    this.#replies++;
    const { id, result } = JSON.parse(line.toString()) as { id: unknown; result?: { body?: string } };
    if (typeof id !== 'number') return;
    this.#answers.set(id, (this.#answers.get(id) ?? 0) + 1);
    const body = result?.body;
    const { padding } = this.#stream.lines[id] as Sent;
    if (body !== undefined && body !== 'r'.repeat(padding)) this.#fail(`the answer to ${id} was altered on its way`);
  }

  #fail(problem: string): void {
    this.#problem ??= problem;
  }

  #check(): void {
    const { lines, isObserving } = this.#stream;
    const inOrder = this.#forwarded.filter((number) => isObserving || lines[number]?.kind !== 'ask');
    if (inOrder.some((number, index) => index > 0 && number <= (inOrder[index - 1] as number)))
      this.#fail(`reordered or doubled: ${this.#forwarded.join(' ')}`);
    if (new Set(this.#forwarded).size < this.#forwarded.length) this.#fail(`doubled: ${this.#forwarded.join(' ')}`);
    const isWhole = this.#stream.serverEnds === Infinity && this.#stream.faults.length === 0;
    for (const [number, { kind }] of lines.entries()) {
      const answers = this.#answers.get(number) ?? 0;
      if (answers !== (hasAnswer(kind) ? 1 : 0)) this.#fail(`${answers} answers to line ${number}`);
      const isForwarded = this.#forwarded.includes(number);
      const isTooLong = (this.#sent[number] as Buffer).length - 1 > this.#stream.maxLine;
      if (isTooLong ? isForwarded : isObserving && isWhole && !isForwarded) this.#fail(`line ${number} goes the wrong way`);
      if (!isObserving && isForwarded && (kind === 'deny' || kind === 'prose')) this.#fail(`line ${number} must not pass`);
      // The client has gone before every question was answered, so those may be withdrawn.
      const passes = kind === 'read' || kind === 'ping' || kind === 'notify';
      if (isWhole && passes && !isTooLong && !isForwarded) this.#fail(`line ${number} went nowhere`);
    }
    if (this.#store.misuse.length > 0) this.#fail(this.#store.misuse.join(', '));
    if (this.#problem !== undefined) throw new Error(this.#problem);
  }
}

function hasAnswer(kind: Sent['kind']): boolean {
  return kind !== 'notify' && kind !== 'prose';
}

function textOf({ kind, padding }: Sent, number: number): string {
  const pad = '\\u0078y'.repeat(padding / 7);
  if (kind === 'prose') return `prose ${number} ${pad}`;
  const id = hasAnswer(kind) ? `"id":${number},` : '';
  if (kind === 'ping') return `{"jsonrpc":"2.0",${id}"method":"ping","params":{"n":${number},"pad":"${pad}"}}`;
  const tool = kind === 'notify' ? 'read' : kind;
  return `{"jsonrpc":"2.0",${id}"method":"tools/call","params":{"name":"${tool}","arguments":{"n":${number},"pad":"${pad}"}}}`;
}

function numberOf(line: Buffer): number | undefined {
  const found = /"n":(\d+)|^prose (\d+)/.exec(line.toString('latin1', 0, 200));
  return found === null ? undefined : Number(found[1] ?? found[2]);
}

/** Takes what is written a little later, as the other end of a pipe does: memory that is used again before it has been taken shows. */
function lateSink(isSlow: boolean, take: (line: Buffer) => void, isDeaf = (): boolean => false): Writable {
  let rest = Buffer.alloc(0);
  const takeLines = (bytes: Buffer): void => {
    rest = Buffer.concat([rest, bytes]);
    for (let feed = rest.indexOf(0x0a); feed !== -1; feed = rest.indexOf(0x0a)) {
      if (feed > 0) take(rest.subarray(0, feed + 1));
      rest = rest.subarray(feed + 1);
    }
  };
  return new Writable({
    highWaterMark: isSlow ? 1000 : 65_536,
    // All at once, as a pipe is written to: what fails, fails as a whole.
    writev(chunks, done) {
      if (isDeaf()) {
        done(new Error('EPIPE'));
        return;
      }
      const takeAll = (): void => {
        for (const { chunk } of chunks) takeLines(chunk as Buffer);
        done();
      };
      if (isSlow) void setImmediate().then(takeAll);
      else takeAll();
    },
    final(done) {
      if (rest.length > 0) take(rest);
      done();
    },
  });
}

export function showStream(stream: Stream): string {
  return JSON.stringify(stream, (_key, value: unknown) => (value === Infinity ? 'never' : value === undefined ? 'ok' : value));
}
