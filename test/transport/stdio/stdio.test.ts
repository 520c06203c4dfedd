import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Approval, Approver } from '../../../src/gate/ports/approval-port.ts';
import { type ServerProcess, startServer } from '../../../src/transport/stdio/child-process.ts';
import { runStdio } from '../../../src/transport/stdio/stdio.ts';
import { createTestGate, type TestGate, toolCall } from '../../support/gate.ts';
import { Sandbox, support } from '../../support/sandbox.ts';
import { createTestSink } from '../../support/sink.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

interface Connected extends TestGate {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly ended: Promise<number>;
  readonly process: ServerProcess;
  /** Answers the oldest question. */
  readonly answer: (approval: Approval) => void;
  readonly isAsked: () => boolean;
}

/** A server of its own behind a gate whose person answers when told to. */
function connect(script: object = {}): Connected {
  const questions: ((approval: Approval) => void)[] = [];
  const approver: Approver = { ask: () => new Promise((resolve) => questions.push(resolve)) };
  const gate = createTestGate(
    '[[rule]]\naction = "prompt"\ntool = "ask"\n[[rule]]\naction = "deny"\ntool = "denied"\n[defaults]\naction = "allow"',
    { approver },
  );
  const server = startServer(process.execPath, [
    support('recording-server.mjs'),
    sandbox.path('seen'),
    sandbox.write('script.json', JSON.stringify(script)),
  ]);
  const input = new PassThrough();
  const output = new PassThrough();
  const ended = runStdio({ server, gate: gate.gate, input, output, maxMessage: 1024 * 1024, heap: NO_HEAP_LIMIT });
  return {
    ...gate,
    input,
    output,
    ended,
    process: server,
    answer: (approval) => questions.shift()?.(approval),
    isAsked: () => questions.length > 0,
  };
}

const PING = '{"jsonrpc":"2.0","id":"p","method":"ping"}\n';

const NO_HEAP_LIMIT = { beforeBig: (): void => {}, afterChunk: (): void => {} };

describe('a call that waits for a person when the client goes', () => {
  it('with the end of its input: it reaches no server, and is answered', async () => {
    const { input, output, ended, answer, isAsked, records } = connect();
    let said = '';
    output.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    input.write(`${PING}${toolCall('ask')}\n`);
    await expect.poll(isAsked).toBe(true);
    input.end(toolCall('ask', {}, { id: 'last line' }));
    // Nobody is let wait for the person, whose answer comes too late.
    expect(await ended).toBe(0);
    answer('granted');
    expect(sandbox.read('seen').toString()).toBe(PING);
    const answers = said
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown });
    const withdrawn = { isError: true, _meta: { 'dev.clawai/decision': { reason: 'approval_withdrawn' } } };
    expect(answers).toHaveLength(3);
    expect(answers.find(({ id }) => id === 'p')).toEqual({ jsonrpc: '2.0', id: 'p', result: {} });
    expect(answers.find(({ id }) => id === 1)).toMatchObject({ result: withdrawn });
    expect(answers.find(({ id }) => id === 'last line')).toMatchObject({ result: withdrawn });
    expect(records.map(({ asked }) => asked)).toEqual(['withdrawn', 'withdrawn']);
  });

  it('without a word, so that what it is sent fails', async () => {
    const { input, output, ended, isAsked, records, answer } = connect();
    input.write(`${toolCall('ask')}\n`);
    await expect.poll(isAsked).toBe(true);
    output.destroy(new Error('EPIPE'));
    await expect.poll(() => records.length).toBe(1);
    answer('granted');
    expect(records).toMatchObject([{ asked: 'withdrawn' }]);
    input.end();
    await ended;
    expect(sandbox.read('seen').toString()).toBe('');
  });
});

describe('hazard 15: a batch that waits for a person when the server ends', () => {
  it('is answered as a whole', async () => {
    const handshake = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-03-26"}}\n';
    const { input, output, ended, process, isAsked } = connect({ answers: [handshake] });
    let said = '';
    output.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    input.write('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}\n');
    await expect.poll(() => said).toBe(handshake);
    input.write(`[${toolCall('denied', {}, { id: 1 })},${toolCall('ask', {}, { id: 2 })},${toolCall('a', {}, { id: 3 })}]\n`);
    await expect.poll(isAsked).toBe(true);
    process.signal('SIGKILL');
    await ended;
    const answers = JSON.parse(said.slice(handshake.length)) as { id: number }[];
    expect(answers.toSorted((a, b) => a.id - b.id)).toMatchObject([
      { id: 1, result: { isError: true } },
      { id: 2, result: { isError: true } },
      { id: 3, error: { code: -32603 } },
    ]);
  });
});

describe('a store that is taken when the server ends', () => {
  it('hazard 18: its last words wait for it, as long as that takes, and what it has answered is not answered again', async () => {
    let isTaken = true;
    const made = createTestSink();
    const { sink } = createTestSink({ ...made.sink, begin: () => !isTaken });
    const { gate } = createTestGate('[defaults]\naction = "allow"', { sink });
    const ask = '{"jsonrpc":"2.0","id":5,"method":"sampling/createMessage","params":{}}';
    const answer = '{"jsonrpc":"2.0","id":"p","result":{}}';
    const script = `process.stdin.once('data', () => process.stdout.write(${JSON.stringify(`${ask}\n${answer}\n`)}, () => process.exit(3)))`;
    const server = startServer(process.execPath, ['-e', script]);
    const input = new PassThrough();
    const output = new PassThrough();
    let said = '';
    output.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const ended = runStdio({ server, gate, input, output, maxMessage: 1024 * 1024, heap: NO_HEAP_LIMIT });
    input.write(PING);
    await server.exited;
    // Longer than an ended server's silence counts as its end.
    await new Promise((resolve) => setTimeout(resolve, 600));
    isTaken = false;
    expect(await ended).toBe(3);
    expect(said).toBe(`${ask}\n${answer}\n`);
    expect(made.calls).toHaveLength(1);
  });
});
