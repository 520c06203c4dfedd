import { describe, expect, it } from 'vitest';
import { type ChainedEvent, formatExportedCheckpoint, formatExportedEvent } from '../../src/audit/verify.ts';

function event(body: string | null): ChainedEvent {
  const columns = { time: 0, type: 't', session: 's', server: 'f', tool: null, action: null, severity: null };
  return { seq: 7, writer: 1, n: 3, ...columns, body_hash: new Uint8Array(32).fill(1), hash: new Uint8Array(32).fill(2), body };
}

const START = `{"writer":"aa","n":3,"seq":7,"hash":"${'02'.repeat(32)}","body_hash":"${'01'.repeat(32)}"`;

describe('an exported event', () => {
  it.each<[string, string | null, string]>([
    ['ends with its body, byte for byte', '{"a": 1.0,"b":"\\u00e9"}', ',"event":{"a": 1.0,"b":"\\u00e9"}}\n'],
    ['without a body', null, ',"event":null}\n'],
    ['with a body on two lines', '{\n}', ',"event":null,"body":"{\\n}"}\n'],
    ['with a body that is no JSON', '{"a":1},"x":{', ',"event":null,"body":"{\\"a\\":1},\\"x\\":{"}\n'],
    ['with a body that is no object', '[1]', ',"event":null,"body":"[1]"}\n'],
  ])('%s', (_name, body, end) => {
    const line = formatExportedEvent(event(body), 'aa');
    expect(line).toBe(START + end);
    expect(() => JSON.parse(line)).not.toThrow();
  });

  it('names no writer where none is known', () => {
    expect(JSON.parse(formatExportedEvent(event('{}'), null))).toMatchObject({ writer: null, n: 3 });
  });
});

it('an exported checkpoint says where a chain goes on', () => {
  expect(formatExportedCheckpoint({ writer: 1, n: 4, hash: new Uint8Array(2).fill(171) }, 'aa')).toBe(
    '{"writer":"aa","checkpoint":{"n":4,"hash":"abab"}}\n',
  );
});
