import { PassThrough, Readable, Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUSY, DROP, FORWARD, type RecordedVerdict, type Verdict } from '../../../src/gate/verdict.ts';
import { NO_STORE } from '../../support/sink.ts';
import { relay } from '../../../src/transport/stdio/relay.ts';

/** A sink that remembers what was written, each write by itself. */
function collector(): { sink: Writable; writes: Buffer[]; text: () => string } {
  const writes: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk);
      done();
    },
  });
  return { sink, writes, text: () => Buffer.concat(writes).toString() };
}

interface Play {
  readonly chunks: readonly Buffer[];
  readonly inspect: (line: string) => Verdict | Promise<Verdict>;
  readonly maxLine?: number;
}

interface Played {
  readonly onward: ReturnType<typeof collector>;
  readonly back: string;
  readonly isCut: boolean;
}

async function play({ chunks, inspect, maxLine = 1000 }: Play): Promise<Played> {
  const onward = collector();
  const back = collector();
  const isCut = await relay({
    source: Readable.from(chunks, { objectMode: false }),
    onward: onward.sink,
    back: back.sink,
    maxLine,
    inspect: (bytes, start, end) => inspect(bytes.toString('utf8', start, end)),
    ...NO_STORE,
    oversized: ({ length }) => ({ kind: 'reply', line: `too long: ${length}\n` }),
  });
  return { onward, back: back.text(), isCut };
}

describe('relay', () => {
  it('writes neighbouring forwarded lines at once, the very bytes that came', async () => {
    const chunk = Buffer.from('a\nb\nno\nc\r\nd\n');
    const { onward } = await play({ chunks: [chunk], inspect: (line) => (line === 'no' ? DROP : FORWARD) });
    expect(onward.writes.map(String)).toEqual(['a\nb\n', 'c\r\nd\n']);
  });

  it('reports what it wrote to a side that takes nothing any more, each line once', async () => {
    const source = new PassThrough();
    const lost: string[] = [];
    const parked = Promise.withResolvers<Verdict>();
    const onward = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    onward.on('error', () => {});
    const ended = relay({
      source,
      onward,
      back: collector().sink,
      maxLine: 1000,
      inspect: (bytes, start, end) => (bytes.toString('utf8', start, end) === 'wait' ? parked.promise : FORWARD),
      ...NO_STORE,
      oversized: () => DROP,
      lost: (lines) => lost.push(lines.toString()),
    });
    source.write('wait\na\nb\n');
    await new Promise((resolve) => setImmediate(resolve));
    expect(lost).toEqual(['a\nb\n']);
    parked.resolve({ kind: 'replace', line: 'c\n' });
    await new Promise((resolve) => setImmediate(resolve));
    source.end('d');
    await ended;
    expect(lost).toEqual(['a\nb\n', 'c\n', 'd']);
  });

  it('reports nothing where all was taken', async () => {
    const lost: unknown[] = [];
    const onward = collector();
    const source = Readable.from([Buffer.from('a\n'), Buffer.from('b')], { objectMode: false });
    const rest = { maxLine: 1000, inspect: () => FORWARD, oversized: () => DROP, ...NO_STORE };
    await relay({ source, onward: onward.sink, back: collector().sink, lost: (lines) => lost.push(lines), ...rest });
    expect([lost, onward.text()]).toEqual([[], 'a\nb']);
  });

  it('forwards, answers and drops each line once and in order, however the stream is cut', async () => {
    const cut = fc.array(fc.nat({ max: 40 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('f1', 'f2-ü', 'reply', 'drop', '')), cut, async (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const places = [0, ...cuts.map((place) => Math.min(place, bytes.length)).toSorted((a, b) => a - b), bytes.length];
        const chunks = places
          .slice(1)
          .map((place, i) => bytes.subarray(places[i], place))
          .filter((chunk) => chunk.length > 0);
        const { onward, back } = await play({
          chunks,
          inspect: (line) => (line === 'reply' ? { kind: 'reply', line: 'answer\n' } : line === 'drop' ? DROP : FORWARD),
        });
        const isForwarded = (line: string): boolean => line !== 'reply' && line !== 'drop';
        expect(onward.text()).toBe(
          lines
            .filter(isForwarded)
            .map((line) => `${line}\n`)
            .join(''),
        );
        expect(back).toBe('answer\n'.repeat(lines.filter((line) => line === 'reply').length));
      }),
    );
  });

  it('lets others pass while one line waits for its verdict', async () => {
    const verdict = Promise.withResolvers<Verdict>();
    const source = new PassThrough();
    const onward = collector();
    const done = relay({
      source,
      onward: onward.sink,
      back: collector().sink,
      maxLine: 100,
      inspect: (bytes, start, end) => (bytes.toString('utf8', start, end) === 'wait' ? verdict.promise : FORWARD),
      ...NO_STORE,
      oversized: () => DROP,
    });
    source.end('a\nwait\nb\n');
    await new Promise((resolve) => setImmediate(resolve));
    expect(onward.text()).toBe('a\nb\n');
    verdict.resolve(FORWARD);
    await done;
    expect(onward.text()).toBe('a\nb\nwait\n');
  });

  it('a last line without a line feed is inspected too', async () => {
    const { onward } = await play({
      chunks: [Buffer.from('a\nsecret')],
      inspect: (line) => (line === 'secret' ? DROP : FORWARD),
    });
    expect(onward.text()).toBe('a\n');
  });

  it('says when the last line that it forwarded has no line feed', async () => {
    const { onward, isCut } = await play({ chunks: [Buffer.from('a\nb')], inspect: () => FORWARD });
    expect([onward.text(), isCut]).toEqual(['a\nb', true]);
    expect(await play({ chunks: [Buffer.from('a\nb')], inspect: () => Promise.resolve(FORWARD) })).toMatchObject({ isCut: true });
    expect(await play({ chunks: [Buffer.from('a\nb')], inspect: (line) => (line === 'b' ? DROP : FORWARD) })).toMatchObject({
      isCut: false,
    });
    expect(await play({ chunks: [], inspect: () => FORWARD })).toMatchObject({ isCut: false });
  });

  it('hazard 18: answers for a line that is too long', async () => {
    const { onward, back } = await play({
      chunks: [Buffer.from(`${'x'.repeat(50)}\nok\n`)],
      inspect: () => FORWARD,
      maxLine: 10,
    });
    expect(onward.text()).toBe('ok\n');
    expect(back).toBe('too long: 50\n');
  });

  it('stops reading while the other side does not take what it is sent, and goes on when it does', async () => {
    let release = (): void => {};
    const seen: number[] = [];
    const slow = new Writable({
      highWaterMark: 10,
      write(chunk: Buffer, _encoding, done) {
        seen.push(chunk.length);
        release = done;
      },
    });
    const source = new PassThrough({ highWaterMark: 1024 });
    void relay({
      source,
      onward: slow,
      back: collector().sink,
      maxLine: 100,
      inspect: () => FORWARD,
      oversized: () => DROP,
      ...NO_STORE,
    });
    source.write('0123456789\n');
    await new Promise((resolve) => setImmediate(resolve));
    expect(source.isPaused()).toBe(true);
    source.write('more\n');
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual([11]);
    release();
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual([11, 5]);
  });

  it('goes on reading while the side it comes from is full with what others sent there', async () => {
    const full = new Writable({ highWaterMark: 1, write() {} });
    full.write('from the other direction\n');
    const source = new PassThrough();
    const onward = collector();
    const options = { source, onward: onward.sink, back: full, maxLine: 100, oversized: () => DROP, ...NO_STORE };
    void relay({ ...options, inspect: (bytes, start) => (bytes[start] === 0x3f ? { kind: 'reply', line: 'no\n' } : FORWARD) });
    source.write('a\n');
    await new Promise((resolve) => setImmediate(resolve));
    expect(source.isPaused()).toBe(false);
    source.write('b\n');
    await new Promise((resolve) => setImmediate(resolve));
    expect(onward.text()).toBe('a\nb\n');
    // One reply of ours must not hold it either: the side may read on only when its own words have been taken.
    source.write('?\nc\n');
    await new Promise((resolve) => setImmediate(resolve));
    expect(source.isPaused()).toBe(false);
    expect(onward.text()).toBe('a\nb\nc\n');
  });

  it('stops reading where many replies are not taken, and goes on when they are', async () => {
    let taken = (): void => {};
    const back = new Writable({
      write(_chunk, _encoding, done) {
        taken = done;
      },
      writev(_chunks, done) {
        taken = done;
      },
    });
    const source = new PassThrough();
    const reply: Verdict = { kind: 'reply', line: `${'no'.repeat(500)}\n` };
    void relay({
      source,
      onward: collector().sink,
      back,
      maxLine: 100,
      inspect: () => reply,
      oversized: () => DROP,
      ...NO_STORE,
    });
    source.write('?\n'.repeat(100));
    await new Promise((resolve) => setImmediate(resolve));
    expect(source.isPaused()).toBe(false);
    source.write('?\n'.repeat(300));
    await new Promise((resolve) => setImmediate(resolve));
    expect(source.isPaused()).toBe(true);
    taken();
    await new Promise((resolve) => setImmediate(resolve));
    taken();
    await new Promise((resolve) => setImmediate(resolve));
    expect(source.isPaused()).toBe(false);
  });

  it('ends when the sink it waits for is gone', async () => {
    const stuck = new Writable({ highWaterMark: 1, write() {} });
    const source = new PassThrough();
    const done = relay({
      source,
      onward: stuck,
      back: collector().sink,
      maxLine: 100,
      inspect: () => FORWARD,
      ...NO_STORE,
      oversized: () => DROP,
    });
    source.write('a\n');
    await new Promise((resolve) => setImmediate(resolve));
    stuck.destroy();
    source.end('b\n');
    await done;
    expect(source.isPaused()).toBe(false);
  });

  it('keeps a big line that waits, while others use its memory', async () => {
    const big = (letter: string): string => `${letter.repeat(400_000)}\n`;
    let settle: ((verdict: Verdict) => void) | undefined;
    const verdict = new Promise<Verdict>((resolve) => {
      settle = resolve;
    });
    const source = new PassThrough();
    const onward = collector();
    const done = relay({
      source,
      onward: onward.sink,
      back: collector().sink,
      maxLine: 1_000_000,
      inspect: (bytes, start) => (bytes[start] === 0x77 ? verdict : FORWARD),
      ...NO_STORE,
      oversized: () => DROP,
    });
    const bytes = Buffer.from(big('w') + big('b') + big('c'));
    for (let at = 0; at < bytes.length; at += 65_536) source.write(bytes.subarray(at, at + 65_536));
    source.end();
    await new Promise((resolve) => setTimeout(resolve, 20));
    settle?.(FORWARD);
    await done;
    expect(onward.text()).toBe(big('b') + big('c') + big('w'));
  });
});

describe('relay, at the end of one side', () => {
  it('hazard 18: reports a big line that could not be written, before its memory is used again', async () => {
    const size = 400_000;
    const lines = ['w', 'v', 'u'].map((letter) => `${letter.repeat(size)}\n`);
    const answers = lines.map(() => Promise.withResolvers<Verdict>());
    const source = new PassThrough();
    const onward = collector();
    const lost: string[] = [];
    const done = relay({
      source,
      onward: onward.sink,
      back: collector().sink,
      maxLine: 1_000_000,
      inspect: (bytes, start) => answers[0x77 - (bytes[start] as number)]?.promise ?? FORWARD,
      ...NO_STORE,
      oversized: () => DROP,
      lost: (data) => lost.push(data.toString()),
    });
    const bytes = Buffer.from(lines.join(''));
    for (let at = 0; at < bytes.length; at += 65_536) source.write(bytes.subarray(at, at + 65_536));
    source.end();
    await new Promise((resolve) => setTimeout(resolve, 20));
    onward.sink.destroy();
    for (const { resolve } of answers) resolve(FORWARD);
    await done;
    expect(lost).toHaveLength(3);
    expect(lost.map((line, index) => line === lines[index])).toEqual([true, true, true]);
  });

  it('what waited goes on a line of its own, also behind one that has no line feed', async () => {
    const answer = Promise.withResolvers<Verdict>();
    const source = new PassThrough();
    const onward = collector();
    const done = relay({
      source,
      onward: onward.sink,
      back: collector().sink,
      maxLine: 1000,
      inspect: (bytes, start) => (bytes[start] === 0x77 ? answer.promise : FORWARD),
      ...NO_STORE,
      oversized: () => DROP,
    });
    source.end('wait\nlast');
    await new Promise((resolve) => setTimeout(resolve, 5));
    answer.resolve(FORWARD);
    expect(await done).toBe(false);
    expect(onward.text()).toBe('last\nwait\n');
  });
});

describe('relay and the store', () => {
  interface Stored {
    readonly inspect: (line: string) => Verdict | RecordedVerdict;
    readonly commit?: () => boolean;
    readonly ready?: () => Promise<void>;
  }

  async function send(text: string, { inspect, commit = () => true, ready = () => Promise.resolve() }: Stored): Promise<string> {
    const onward = collector();
    await relay({
      source: Readable.from([Buffer.from(text)], { objectMode: false }),
      onward: onward.sink,
      back: onward.sink,
      maxLine: 20,
      inspect: (bytes, start, end) => inspect(bytes.toString('utf8', start, end)),
      oversized: () => ({ kind: 'replace', line: 'too long\n' }),
      commit,
      ready,
    });
    return onward.text();
  }

  const recorded: RecordedVerdict = { kind: 'recorded', verdict: FORWARD, otherwise: () => ({ kind: 'replace', line: 'no\n' }) };

  it.each([
    [true, 'a\ncall\nb\n'],
    [false, 'a\nno\nb\n'],
  ])('carries out what holds once it is on record (%s) in order', async (isOnRecord, expected) => {
    const inspect = (line: string): Verdict | RecordedVerdict => (line === 'call' ? recorded : FORWARD);
    expect(await send('a\ncall\nb\n', { inspect, commit: () => isOnRecord })).toBe(expected);
  });

  it('nothing overtakes a line that waits for the store, and each attempt ends with what it decided on record', async () => {
    let attempts = 0;
    const steps: string[] = [];
    const inspect = (line: string): Verdict | RecordedVerdict => {
      steps.push(line);
      if (line !== 'call') return FORWARD;
      attempts++;
      return attempts < 4 ? BUSY : recorded;
    };
    const commit = (): boolean => {
      steps.push('commit');
      return true;
    };
    const ready = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
    const text = `a\ncall\nb\n${'x'.repeat(30)}\nlast`;
    expect(await send(text, { inspect, commit, ready })).toBe('a\ncall\nb\ntoo long\nlast');
    expect(steps.filter((step) => step !== 'commit').join(' ')).toBe('a call call call call b last');
    expect(steps.at(-1)).toBe('commit');
  });
});
