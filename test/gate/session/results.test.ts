import { describe, expect, it } from 'vitest';
import { Tally } from '../../../src/gate/tally.ts';
import type { Ports } from '../../../src/gate/ports/ports.ts';
import { Recorder } from '../../../src/gate/recorder.ts';
import { Results } from '../../../src/gate/session/results.ts';
import type { ReadValues } from '../../../src/gate/ports/session-port.ts';
import type { SessionView } from '../../../src/gate/session/session-view.ts';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import { readMessage } from '../../../src/protocol/jsonrpc.ts';
import { testSetup } from '../../support/gate.ts';
import { createTestSink } from '../../support/sink.ts';

/** What the results of one connection come to. */
class Reading {
  readonly remembered: string[] = [];
  readonly texts: string[] = [];
  readonly warnings: string[] = [];
  readonly tally = new Tally();
  readonly results: Results;
  readonly session: Pick<SessionView, 'remember' | 'rememberAs' | 'readResult' | 'readSecrets' | 'readTold' | 'passResult'> & {
    isActive: boolean;
  };
  /** Results that somebody may wait for. */
  readonly unread = new Set<number>();
  #passed = 0;

  constructor(
    read: (texts: readonly string[]) => ReadValues = (texts) => ({
      hashes: new Uint8Array([texts.length]),
      isCut: false,
      hasBinary: false,
    }),
    ports: Partial<Ports> = {},
  ) {
    const setup = testSetup('', { ...ports, warn: (line) => void this.warnings.push(line) });
    this.session = {
      isActive: true,
      remember: ({ source }) => void this.remembered.push(source),
      readResult: (texts) => this.#read(texts, read),
      readSecrets: () => undefined,
      rememberAs: () => {},
      // eslint-disable-next-line require-yield
      *readTold() {
        return undefined;
      },
      passResult: () => {
        const n = ++this.#passed;
        this.unread.add(n);
        return () => void this.unread.delete(n);
      },
    };
    this.results = new Results(setup, { recorder: new Recorder(setup.ports), session: this.session, tally: this.tally });
  }

  *#read(texts: readonly string[], read: (texts: readonly string[]) => ReadValues): Generator<undefined, ReadValues> {
    for (const text of texts) {
      this.texts.push(text);
      yield undefined;
    }
    return read(texts);
  }

  note(source: string, result: unknown): void {
    const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
    this.results.note(source, readMessage(new JsonScanner(), bytes, 0, bytes.length));
    // The bytes are not its own.
    bytes.fill(0);
  }
}

describe('Results', () => {
  it('reads what has gone on, a little later, and remembers it by its call', async () => {
    const reading = new Reading();
    reading.note('a.1', { content: [{ type: 'text', text: 'one' }] });
    reading.note('a.2', { content: [{ type: 'text', text: 'two' }] });
    expect(reading.texts).toEqual([]);
    expect(reading.unread.size).toBe(2);
    await reading.results.settled();
    expect(reading.unread.size).toBe(0);
    expect(reading.texts).toEqual(['one', 'two']);
    expect(reading.remembered).toEqual(['a.1', 'a.2']);
    expect(reading.tally.report().results).toEqual({ read: 2, cut: 0, not_read: 0 });
  });

  it('reads a result of 50 MB as far as it does any, and says so', async () => {
    const reading = new Reading();
    reading.note('a.1', { content: [{ text: 'first' }, { text: 'x'.repeat(50 * 1024 * 1024) }] });
    await reading.results.settled();
    expect(reading.texts.map((text) => text.length)).toEqual([5, expect.closeTo(1024 * 1024, -2)]);
    expect(reading.tally.report().results).toEqual({ read: 0, cut: 1, not_read: 0 });
  });

  it('keeps no more than some waiting', async () => {
    const reading = new Reading();
    const big = { content: [{ text: 'y'.repeat(2 * 1024 * 1024) }] };
    for (let i = 0; i < 20; i++) reading.note(`a.${i}`, big);
    await reading.results.settled();
    expect(reading.tally.report().results).toEqual({ read: 0, cut: 16, not_read: 4 });
  });

  it('says of bytes that they were not read', async () => {
    const reading = new Reading(() => ({ hashes: new Uint8Array(), isCut: false, hasBinary: false }));
    reading.note('a.1', { content: [{ type: 'image', data: 'A'.repeat(1000) }] });
    await reading.results.settled();
    expect(reading.remembered).toEqual([]);
    expect(reading.tally.report().results).toEqual({ read: 0, cut: 0, not_read: 1 });
  });

  it.each([
    [
      'beside a text',
      [
        { type: 'text', text: 'see' },
        { type: 'image', data: 'A'.repeat(1000) },
      ],
      false,
    ],
    ['inside a text', [{ type: 'text', text: 'see data:image/png;base64,…' }], true],
  ])('hazard 52: a result with bytes %s was read in part', async (_, content, hasBinary) => {
    const reading = new Reading(() => ({ hashes: new Uint8Array([1]), isCut: false, hasBinary }));
    reading.note('a.1', { content });
    await reading.results.settled();
    expect(reading.remembered).toEqual(['a.1']);
    expect(reading.tally.report().results).toEqual({ read: 0, cut: 1, not_read: 0 });
  });

  it('goes on after one that could not be read', async () => {
    const reading = new Reading((texts) => {
      if (texts[0] === 'bad') throw new Error('no');
      return { hashes: new Uint8Array([1]), isCut: false, hasBinary: false };
    });
    reading.note('a.1', { content: [{ text: 'bad' }] });
    reading.note('a.2', { content: [{ text: 'good' }] });
    await reading.results.settled();
    expect(reading.remembered).toEqual(['a.2']);
    expect(reading.unread.size).toBe(0);
    expect(reading.warnings).toHaveLength(1);
    expect(reading.tally.report().results).toEqual({ read: 1, cut: 0, not_read: 1 });
  });

  it('tries again while what it has read cannot be written, and whoever waits for it goes on waiting', async () => {
    let failures = 2;
    const { sink } = createTestSink({
      commit: () => {
        expect(reading.unread.size).toBe(1);
        if (failures-- > 0) throw new Error('the disk is full');
      },
    });
    const reading = new Reading(undefined, { sink });
    reading.note('a.1', { content: [{ text: 'one' }] });
    await reading.results.settled();
    expect(reading.remembered).toEqual(['a.1', 'a.1', 'a.1']);
    expect(reading.unread.size).toBe(0);
  });

  it('tries no more when it is over, and nobody waits', async () => {
    const { sink } = createTestSink({
      commit: () => {
        reading.results.stop();
        throw new Error('it is closed');
      },
    });
    const reading = new Reading(undefined, { sink });
    reading.note('a.1', { content: [{ text: 'one' }] });
    await reading.results.settled();
    reading.note('a.2', { content: [{ text: 'two' }] });
    await reading.results.settled();
    expect(reading.remembered).toEqual(['a.1']);
    expect(reading.unread.size).toBe(0);
  });

  it('reads nothing while nothing can flow', async () => {
    const reading = new Reading();
    reading.session.isActive = false;
    reading.note('a.1', { content: [{ text: 'one' }] });
    await reading.results.settled();
    expect(reading.texts).toEqual([]);
  });
});
