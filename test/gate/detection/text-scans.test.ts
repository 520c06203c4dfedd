import { describe, expect, it } from 'vitest';
import { Tally } from '../../../src/gate/tally.ts';
import { DetectorSource } from '../../../src/gate/detection/detector-source.ts';
import { ScanQueue } from '../../../src/gate/detection/scan-queue.ts';
import { type MessagePart, partOfAnswer } from '../../../src/gate/detection/message-part.ts';
import { TextScans } from '../../../src/gate/detection/text-scans.ts';
import { Recorder } from '../../../src/gate/recorder.ts';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import { readMessage } from '../../../src/protocol/jsonrpc.ts';
import type { Message } from '../../../src/protocol/message.ts';
import { EVIL, TestDetector } from '../../support/detector.ts';
import { testSetup } from '../../support/gate.ts';
import { createTestSink } from '../../support/sink.ts';

const CALL = { method: 'tools/call', server: 'files', tool: 't' };
const SOURCE = { record: 'r.1', call: CALL };

function scanning(lines = '', { isObserving = false, isBroken = false } = {}) {
  const warnings: string[] = [];
  const { sink, detections } = createTestSink();
  const setup = testSetup(`[detection]\n${lines}`, { sink, warn: (line) => warnings.push(line) }, { isObserving });
  const recorder = new Recorder(setup.ports);
  const tally = new Tally();
  const detector = new TestDetector();
  const source = new DetectorSource(
    () => setup.policy.current().policy.detection.rules,
    (line) => warnings.push(line),
    () => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve(detector)),
  );
  const queue = new ScanQueue(setup.ports.clock);
  const texts = new TextScans({ setup, recorder, tally, source, queue });
  const over = async () => {
    await texts.settled();
    await recorder.finish();
    return { detections, warnings, scans: tally.report().scans };
  };
  return { texts, detector, over };
}

function answer(text: string): { message: Message; part: MessagePart } {
  const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } }));
  const message = readMessage(new JsonScanner(), bytes, 0, bytes.length);
  const part = partOfAnswer(message, { method: 'tools/call', scannedCall: SOURCE });
  if (part === undefined) throw new Error('nothing is scanned');
  return { message, part };
}

describe('TextScans', () => {
  it('scans what has gone on a little later, when its bytes are gone, and records what it finds with its call', async () => {
    const { texts, detector, over } = scanning();
    const { message, part } = answer(EVIL);
    texts.note(message, part);
    message.bytes.fill(0);
    expect(detector.seen).toEqual([]);
    const { detections, warnings, scans } = await over();
    expect(detections).toMatchObject([
      {
        origin: 'result',
        method: 'tools/call',
        subject: { kind: 'tool', name: 't' },
        call: 'r.1',
        action: 'alert',
        detection: { field: 'content[0].text' },
      },
    ]);
    expect(warnings).toEqual(['what "files" sent (result, "t") may mislead a model (critical test.evil)']);
    expect(scans).toMatchObject({ texts: 1, busy: 0 });
  });

  it('scans a list once that is what it was', async () => {
    const { texts, over } = scanning();
    const list = (note: string): { message: Message; part: MessagePart } => {
      const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [], note } }));
      const message = readMessage(new JsonScanner(), bytes, 0, bytes.length);
      const part = partOfAnswer(message, { method: 'tools/list', scannedCall: undefined });
      if (part === undefined) throw new Error('nothing is scanned');
      return { message, part };
    };
    for (const note of [`${EVIL} now.`, `${EVIL} now.`, `${EVIL} again.`]) {
      const { message, part } = list(note);
      texts.note(message, part);
    }
    const { scans, detections } = await over();
    expect(scans).toMatchObject({ texts: 2 });
    expect(detections).toHaveLength(2);
  });

  it('scans arguments', async () => {
    const { texts, over } = scanning();
    texts.noteArguments({ ...CALL, args: { a: EVIL } }, 'r.2', 100);
    texts.noteArguments(CALL, 'r.3', 100);
    texts.noteArguments({ ...CALL, args: { a: EVIL } }, 'r.4', 2_000_000);
    const { detections, warnings, scans } = await over();
    expect(detections).toMatchObject([{ origin: 'arguments', call: 'r.2', action: 'alert' }]);
    expect(warnings).toEqual(['a call of "t" of "files" has critical test.evil in its arguments']);
    expect(scans).toMatchObject({ arguments: 1, cut: 1 });
  });

  it('does not scan arguments where no family is about them', async () => {
    const { texts, detector, over } = scanning('[detection.families]\npath_traversal = false');
    texts.noteArguments({ ...CALL, args: { a: EVIL } }, 'r.2', 100);
    await over();
    expect(detector.seen).toEqual([]);
  });

  it('what there is no room for is counted', async () => {
    const { texts, over } = scanning();
    for (let index = 0; index < 300; index++) {
      const { message, part } = answer(`text ${index}`);
      texts.note(message, part);
    }
    const { scans } = await over();
    expect(scans).toMatchObject({ texts: 256, busy: 44 });
  });

  it('of a big one, the beginning', async () => {
    const { texts, over } = scanning();
    const { message, part } = answer(`${EVIL}${'x'.repeat(2_000_000)}`);
    texts.note(message, part);
    const { scans } = await over();
    expect(scans).toMatchObject({ cut: 1, texts: 0 });
  });

  it('a detector that fails is told, and what it did not scan counted', async () => {
    const broken = scanning('', { isBroken: true });
    const { message, part } = answer(EVIL);
    broken.texts.note(message, part);
    expect(await broken.over()).toMatchObject({
      detections: [],
      warnings: [expect.stringContaining('broken')],
      scans: { failed: 1 },
    });
    const throwing = scanning();
    throwing.detector.fault = () => {
      throw new Error('oops');
    };
    throwing.texts.note(message, part);
    expect(await throwing.over()).toMatchObject({
      detections: [],
      warnings: [expect.stringContaining('oops')],
      scans: { failed: 1 },
    });
  });

  it.each([
    ['', false, 'alert', 'alert'],
    ['on_result = "redact"\non_sampling = "deny"', true, 'redact', 'deny'],
    ['on_sampling = "redact"', true, 'alert', 'redact'],
    ['on_result = "deny"\nenabled = false', false, 'alert', 'alert'],
  ])('%j: holds %s, results %s, requests %s', (lines, holds, result, sampling) => {
    const { texts } = scanning(lines);
    expect([
      texts.holds,
      ...(['result', 'log', 'sampling', 'elicitation'] as const).map((origin) => texts.actionOn({ origin, isBoth: false })),
    ]).toEqual([holds, result, result, sampling, sampling]);
    expect(scanning(lines, { isObserving: true }).texts.holds).toBe(false);
  });

  it.each([
    ['', 'alert'],
    ['on_result = "redact"', 'redact'],
    ['on_sampling = "redact"', 'redact'],
    ['on_result = "redact"\non_sampling = "deny"', 'deny'],
    ['on_result = "deny"\non_sampling = "redact"', 'deny'],
  ])('%j: what is a question and an answer is treated as the stricter, %s', (lines, expected) => {
    expect(scanning(lines).texts.actionOn({ origin: 'elicitation', isBoth: true })).toBe(expected);
  });

  it.each([
    ['', 'alert', false],
    ['on_definition = "hide"', 'redact', true],
    ['on_definition = "deny"', 'redact', true],
    ['on_definition = "hide"\nenabled = false', 'alert', false],
    ['on_result = "deny"', 'alert', true],
  ])('%j: what a server says of itself: %s', (lines, expected, holds) => {
    const { texts } = scanning(lines);
    expect(texts.actionOn({ origin: 'definition', isBoth: false })).toBe(expected);
    expect(texts.holds).toBe(holds);
  });

  it.each<[string, object, number]>([
    ['a name and a version', { serverInfo: { name: 'files', version: '1' }, instructions: EVIL }, 0],
    ['more than that', { serverInfo: { name: 'files', version: '1', title: 'Has files' } }, 1],
    ['a lot of nothing', { capabilities: { a: Array.from({ length: 2000 }, () => 1) } }, 0],
  ])('a greeting that says %s', async (_name, result, count) => {
    const { texts, over, detector } = scanning();
    const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
    const message = readMessage(new JsonScanner(), bytes, 0, bytes.length);
    const part = partOfAnswer(message, { method: 'initialize' });
    if (part !== undefined) texts.note(message, part);
    expect((await over()).scans).toMatchObject({ texts: count });
    expect(detector.seen).toHaveLength(count);
  });

  it('what was held is recorded when it is over, with what became of it', async () => {
    const { texts, over } = scanning('on_result = "deny"');
    const { message, part } = answer(EVIL);
    expect(texts.outcomeOf(message, part)).toBeUndefined();
    await texts.held;
    const outcome = texts.outcomeOf(message, part);
    if (outcome?.kind !== 'deny') throw new Error(JSON.stringify(outcome));
    texts.conclude(message, part, outcome);
    const { detections, warnings } = await over();
    expect(detections).toMatchObject([{ action: 'deny', call: 'r.1' }]);
    expect(warnings).toEqual(['what "files" sent (result, "t") may mislead a model, so clawai withheld it (critical test.evil)']);
  });

  it('tells a person so much, and records all', async () => {
    const { texts, over } = scanning();
    for (let index = 0; index < 30; index++) {
      const { message, part } = answer(`${EVIL} ${index}`);
      texts.note(message, part);
    }
    const { detections, warnings } = await over();
    expect(detections).toHaveLength(30);
    expect(warnings).toHaveLength(11);
    expect(warnings[10]).toContain('not shown here');
  });
});
