import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Detection, DetectionMatch } from '../../../src/core/detect/types.ts';
import { Redaction, unitOffsets } from '../../../src/gate/detection/redaction.ts';
import { spannedTexts } from '../../../src/gate/detection/spanned-texts.ts';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import { readMessage } from '../../../src/protocol/jsonrpc.ts';

const MOST = { characters: 1_000_000, texts: 1000 };
const RULE = 'exfiltration.x';
const MARK = `[clawai removed: ${RULE}]`;

function redacting(line: string) {
  const bytes = Buffer.from(line);
  const message = readMessage(new JsonScanner(), bytes, 0, bytes.length);
  const { texts } = spannedTexts(bytes, message.result ?? { start: 0, end: 0 }, { prefix: '', most: MOST });
  const redaction = new Redaction(texts);
  return { redaction, texts, line: (): string => redaction.toLine(message) };
}

const messageWith = (result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: 1, result });

function found(field: string, matches: readonly Partial<DetectionMatch>[]): Detection {
  const whole = matches.map((match) => ({ text: '', position: 0, context: '', ...match }));
  return { rule: RULE, family: 'exfiltration', severity: 'high', description: '', field, matches: whole };
}

function cut(text: string, part: string, more: Partial<DetectionMatch> = {}): unknown {
  const { redaction, line } = redacting(messageWith({ a: text, b: 'rest' }));
  redaction.cut([found('a', [{ text: part, position: text.indexOf(part), ...more }])], false);
  return (JSON.parse(line()) as { result: { a: string } }).result.a;
}

describe('Redaction', () => {
  it.each([
    ['Good. Send it. Bye.', 'Send', `Good.${MARK} Bye.`],
    ['Send it now', 'it', MARK],
    ['one\nsend it\ntwo', 'send', `one\n${MARK}\ntwo`],
    ['v1.2 is sent. Fine.', 'sent', `${MARK} Fine.`],
    ['\u304a\u308f\u308a\u3002\u9001\u308b\u3002\u7d42', '\u9001', `\u304a\u308f\u308a\u3002${MARK}\u7d42`],
  ])('%j: the sentence around %j', (text, part, expected) => {
    expect(cut(text, part)).toBe(expected);
  });

  it('the whole text where a place is not what it seems, lay in something encoded, or is none', () => {
    expect(cut('One. Send it. Two.', 'Send', { text: 'S\u200bend' })).toBe(MARK);
    expect(cut('One. Send it. Two.', 'Send', { decoded: 'base64' })).toBe(MARK);
    expect(cut('One. Send it. Two.', 'Send', { position: 7 })).toBe(MARK);
    const { redaction, line } = redacting(messageWith({ a: 'One. Two.' }));
    redaction.cut([found('a', [])], false);
    expect(line()).toBe(`${messageWith({ a: MARK })}\n`);
  });

  it('all texts where nobody knows in which it was found', () => {
    const { redaction, line } = redacting(messageWith({ a: 'One.', b: 'Two.' }));
    redaction.cut([found('somewhere', [{ text: 'x' }])], false);
    expect(line()).toBe(`${messageWith({ a: MARK, b: MARK })}\n`);
  });

  it('leaves every other byte as it was sent', () => {
    const sent = '{"jsonrpc":"2.0", "id":1e0,"result":{ "a" : "caf\\u00e9. Send it. \\ud83d\\ude00.","n":1.50,"b":"\u00fc"} }';
    const { redaction, line } = redacting(sent);
    redaction.cut([found('a', [{ text: 'Send', position: 6 }])], false);
    expect(line()).toBe(`${sent.replace(' Send it.', MARK)}\n`);
  });

  it('what is found in the rest is cut too, by its place in the rest', () => {
    const text = 'One. Send a. Two. Send b. Three.';
    const { redaction, line } = redacting(messageWith({ a: text }));
    redaction.cut([found('a', [{ text: 'Send a', position: text.indexOf('Send a') }])], false);
    const rest = redaction.rest()[0]?.text ?? '';
    expect(rest).not.toContain('Send a');
    redaction.cut([found('a', [{ text: 'Send b', position: rest.indexOf('Send b') }])], false);
    expect(line()).toBe(`${messageWith({ a: `One.${MARK} Two.${MARK} Three.` })}\n`);
  });

  it('bytes stay bytes', () => {
    const blob = Buffer.from('Send it. '.repeat(40)).toString('base64');
    const { redaction, line } = redacting(messageWith({ blob }));
    redaction.cut([found('blob', [{ text: 'Send', position: 0 }])], false);
    expect(line()).toBe(`${messageWith({ blob: Buffer.from(MARK).toString('base64') })}\n`);
  });

  it('what is cut is gone, and what is left is JSON, whatever the text', () => {
    const parts = fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(parts, ([before, behind]) => {
        const text = `${before}SECRETWORD${behind}`;
        const { redaction, line } = redacting(messageWith({ a: text, b: [1, 'kept'] }));
        redaction.cut([found('a', [{ text: 'SECRETWORD', position: before.length }])], false);
        const { result } = JSON.parse(line()) as { result: { a: string; b: unknown } };
        expect(result.a).toContain(MARK);
        expect(result.a).not.toContain('SECRETWORD');
        expect(result.b).toEqual([1, 'kept']);
      }),
    );
  });
});

function partsOf(json: string, units: readonly number[]): string {
  const bytes = Buffer.from(`[${json}]`);
  const span = { start: 1, end: bytes.length - 1 };
  const [start = 0, end = 0] = unitOffsets(bytes, span, units);
  return JSON.parse(`"${bytes.toString('utf8', start, end)}"`) as string;
}

describe('unitOffsets', () => {
  it.each([
    ['"abc"', [1, 2], 'b'],
    ['"a\\nb"', [1, 2], '\n'],
    ['"\\u00e9x"', [1, 2], 'x'],
    ['"\u00e9\u20ac\ud83d\ude00x"', [2, 4], '\ud83d\ude00'],
    ['"\\ud83d\\ude00x"', [0, 2], '\ud83d\ude00'],
    ['""', [0, 0], ''],
    ['"ab"', [0, 9], 'ab'],
  ])('%s %j', (json, units, expected) => {
    expect(partsOf(json, units)).toBe(expected);
  });

  it('finds any part of any text, however it is escaped', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 3, maxLength: 3 }), fc.boolean(), (parts, isEscaped) => {
        const json = JSON.stringify(parts.join(''));
        const text = isEscaped ? json.replaceAll(/[^\u0020-\u007e]/g, escaped) : json;
        const [first = '', second = ''] = parts;
        expect(partsOf(text, [first.length, first.length + second.length])).toBe(second);
      }),
    );
  });
});

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
