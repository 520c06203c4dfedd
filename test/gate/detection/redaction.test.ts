import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Detection, DetectionMatch } from '../../../src/core/detect/types.ts';
import { Redaction } from '../../../src/gate/detection/redaction.ts';
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
