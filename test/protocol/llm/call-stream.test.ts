import { describe, expect, it } from 'vitest';
import { CallStream } from '../../../src/protocol/llm/call-stream.ts';
import type { ModelCall } from '../../../src/protocol/llm/dialect.ts';
import { type Frame, readTypedFrame } from '../../../src/protocol/llm/typed-frame.ts';
import type { SseEvent } from '../../../src/protocol/sse/splitter.ts';
import { type Driving, driveModelStream } from '../../support/drive-model-stream.ts';

const call = (name: string): ModelCall => ({
  id: name,
  name,
  group: undefined,
  args: '{}',
  problem: undefined,
  runBy: 'client',
  server: undefined,
});

/** An API whose events are calls by their types, and `open` begins one that never ends. */
class Calls extends CallStream {
  readonly keepAlive = ':\n\n';
  protected unfinished: ModelCall | undefined;
  protected readonly isBehind = false;

  protected read(event: SseEvent, data: Buffer): void {
    const frame = readTypedFrame(event, data, () => false);
    if (typeof frame === 'string') this.fail(frame);
    else if (this.isWaiting) this.wait(() => this.pending.add(frame));
    else {
      this.take(frame, event);
      this.pump();
    }
  }

  protected take(frame: Frame, event: SseEvent | undefined): void {
    if (frame.type === 'text') return this.write(frame, event);
    if (frame.type === 'stop') return this.stop();
    if (frame.type === 'open') {
      this.unfinished = { ...call('open'), problem: 'incomplete' };
      return undefined;
    }
    return this.ask(call(frame.type), ({ isAllowed }) => {
      if (isAllowed) this.write(frame, undefined);
    });
  }

  protected formatFault(why: string): string {
    return `data: ${why}\n\n`;
  }
}

const frames = (...types: readonly string[]): readonly string[] =>
  types.map((type) => `event: ${type}\ndata: {"type":"${type}"}\n\n`);
function drive(source: readonly string[], driving: Omit<Driving, 'create'> = {}) {
  return driveModelStream(
    source.map((text) => Buffer.from(text)),
    { create: (options) => new Calls(options), ...driving },
  );
}

describe('a stream of calls', () => {
  it.each(['at once', 'next chunk', 'after the end'] as const)('keeps its order, whenever answers come: %s', (answers) => {
    const source = frames('text', 'a', 'text', 'b', 'text');
    const driven = drive(source, { answers, verdict: ({ name }) => ({ isAllowed: name !== 'b', note: '' }) });
    expect(driven.text).toBe(frames('text', 'a', 'text', 'text').join(''));
    expect(driven.asked.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(driven.steps[1]?.isHolding).toBe(answers !== 'at once');
  });

  it('asks about a call that has no end, and gives nothing after its own end', () => {
    expect(drive(frames('text', 'open')).asked).toMatchObject([{ problem: 'incomplete' }]);
    expect(drive([...frames('stop'), ':\n\n', ...frames('text')]).text).toBe('');
  });

  it('passes comments, and ends where it can not follow, once', () => {
    const { text, fault } = drive([': hi\n\n', 'data: {\n\n', ...frames('text')]);
    expect([text, fault]).toEqual([': hi\n\ndata: an event whose data is not JSON\n\n', 'an event whose data is not JSON']);
  });

  it('ends where more would wait than it may hold', () => {
    const { fault } = drive(frames('a', 'text', 'text'), { answers: 'after the end', maxHeld: 20 });
    expect(fault).toBe('more than may be held while a call is decided');
  });
});
