import { describe, expect, it } from 'vitest';
import type { OnText } from '../../../src/core/policy/parse-detection.ts';
import { Tally } from '../../../src/gate/tally.ts';
import { DetectorSource } from '../../../src/gate/detection/detector-source.ts';
import { HeldScans, type HeldOutcome } from '../../../src/gate/detection/held-scans.ts';
import { type MessagePart, partOfAnswer } from '../../../src/gate/detection/message-part.ts';
import { ScanQueue } from '../../../src/gate/detection/scan-queue.ts';
import type { GateSetup } from '../../../src/gate/ports/ports.ts';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import { readMessage } from '../../../src/protocol/jsonrpc.ts';
import type { Message } from '../../../src/protocol/message.ts';
import { EVIL, TestDetector } from '../../support/detector.ts';
import { testSetup } from '../../support/gate.ts';

const answer = (text: string): Message => {
  const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } }));
  return readMessage(new JsonScanner(), bytes, 0, bytes.length);
};

function holding({
  onError = 'deny',
  detector = new TestDetector(),
}: { onError?: GateSetup['onError']; detector?: TestDetector | undefined } = {}) {
  const warnings: string[] = [];
  const setup = testSetup('', { warn: (line) => warnings.push(line) }, { onError });
  const source = new DetectorSource(
    () => setup.policy.current().policy.detection.rules,
    () => {},
    () => Promise.resolve(detector),
  );
  const tally = new Tally();
  const held = new HeldScans(setup, {
    source,
    tally,
    queue: new ScanQueue(setup.ports.clock),
    reportOf: (_part, found) => found.map((detection) => ({ detection, suppressed: undefined })),
  });
  const outcome = async (message: Message, action: OnText = 'redact'): Promise<HeldOutcome | undefined> => {
    const part = partOf(message);
    expect(held.outcomeOf(message, part, action)).toBeUndefined();
    await held.waiting;
    return held.outcomeOf(message, part, action);
  };
  return { held, outcome, tally, warnings };
}

function partOf(message: Message): MessagePart {
  const part = partOfAnswer(message, { method: 'tools/call' });
  if (part === undefined) throw new Error('nothing is scanned');
  return part;
}

describe('HeldScans', () => {
  it('passes what nothing is found in, and knows it until it is taken', async () => {
    const { held, outcome } = holding();
    const message = answer('Fine.');
    expect(await outcome(message)).toEqual({ kind: 'pass', reported: [] });
    expect(held.waiting).toBeUndefined();
    held.forget(message, partOf(message));
    expect(held.outcomeOf(message, partOf(message), 'redact')).toBeUndefined();
    await held.waiting;
  });

  it('knows a message again by its bytes, wherever they lie, also when those of the first are gone', async () => {
    const { held, outcome } = holding();
    const message = answer(EVIL);
    expect((await outcome(message, 'deny'))?.kind).toBe('deny');
    const again = answer(EVIL);
    message.bytes.fill(0);
    expect(held.outcomeOf(again, partOf(again), 'deny')?.kind).toBe('deny');
  });

  it('the same bytes as the answer to another request are another message', async () => {
    const { held } = holding();
    const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'a', description: EVIL }] } }));
    const message = readMessage(new JsonScanner(), bytes, 0, bytes.length);
    const list = partOfAnswer(message, { method: 'tools/list' }) as MessagePart;
    expect(held.outcomeOf(message, list, 'redact')).toBeUndefined();
    await held.waiting;
    expect(held.outcomeOf(message, list, 'redact')).toEqual({ kind: 'pass', reported: [] });
    expect(held.outcomeOf(message, partOf(message), 'deny')).toBeUndefined();
    await held.waiting;
    expect(held.outcomeOf(message, partOf(message), 'deny')?.kind).toBe('deny');
  });

  it('many are waited for together, and all are known until they are forgotten', async () => {
    const { held } = holding();
    const messages = Array.from({ length: 4096 }, (_, index) => answer(`${index}`));
    const known = (): number =>
      messages.filter((message) => held.outcomeOf(message, partOf(message), 'deny') !== undefined).length;
    expect(known()).toBe(0);
    await held.waiting;
    expect([known(), held.waiting]).toEqual([4096, undefined]);
  });

  it('those that nobody asks for again are forgotten, the others not', async () => {
    const { held } = holding();
    const wanted = answer('wanted');
    const isKnown = (message: Message): boolean => held.outcomeOf(message, partOf(message), 'deny') !== undefined;
    const abandoned = Array.from({ length: 5000 }, (_, index) => answer(`${index}`));
    isKnown(wanted);
    await held.waiting;
    for (const [index, message] of abandoned.entries()) {
      isKnown(message);
      if (index % 1000 === 999) {
        await held.waiting;
        expect(isKnown(wanted)).toBe(true);
      }
    }
    expect(isKnown(abandoned[0] as Message)).toBe(false);
    await held.waiting;
  });

  it('redacts every one of many, and what is left is clean', async () => {
    const { outcome } = holding();
    const redacted = await outcome(answer(`One. ${EVIL} a. Two. ${EVIL} b. Three. ${EVIL}`));
    if (redacted?.kind !== 'redact') throw new Error(JSON.stringify(redacted));
    expect(redacted.line).not.toContain(EVIL);
    expect(redacted.line).toContain('One.[clawai removed: test.evil] Two.');
    expect(redacted.reported).toHaveLength(1);
  });

  it('redacts what shows only without the broken bytes in it, and what is left is JSON', async () => {
    const { outcome } = holding();
    const redacted = await outcome(answer(`Good. E\ufffdV\ufffdIL ${EVIL}. Good.`));
    if (redacted?.kind !== 'redact') throw new Error(JSON.stringify(redacted));
    expect(JSON.parse(redacted.line)).toMatchObject({ result: { content: [{ text: '[clawai removed: test.evil]' }] } });
  });

  it('redacts the whole text where sentence by sentence is too slow', async () => {
    const { outcome } = holding();
    const redacted = await outcome(answer(`Good. ${`${EVIL}. `.repeat(20)}`));
    expect(redacted).toMatchObject({
      kind: 'redact',
      line: expect.stringContaining('"text":"[clawai removed: test.evil]"') as string,
    });
  });

  it.each([
    ['deny', { kind: 'deny', reported: [], isBlind: true }],
    ['allow', { kind: 'pass', reported: [] }],
  ] as const)('what can not be scanned, on_error = %j', async (onError, expected) => {
    const detector = new TestDetector();
    detector.fault = () => {
      throw new Error('broken');
    };
    const failing = holding({ onError, detector });
    expect(await failing.outcome(answer('Fine.'))).toEqual(expected);
    expect(failing.tally.report().scans.failed).toBe(1);
    expect(failing.warnings).toEqual([expect.stringContaining('broken')]);
    const big = holding({ onError });
    expect(await big.outcome(answer('x'.repeat(5 * 1024 * 1024)))).toEqual(expected);
    expect(big.tally.report().scans.cut).toBe(1);
  });
});
