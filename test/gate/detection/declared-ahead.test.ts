import { expect, it } from 'vitest';
import { scanDeclared } from '../../../src/gate/detection/declared-ahead.ts';
import type { Declared } from '../../../src/gate/detection/definition-scans.ts';
import { ListReader } from '../../../src/gate/definitions/list-pages.ts';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import { readMessage } from '../../../src/protocol/jsonrpc.ts';
import type { Message } from '../../../src/protocol/message.ts';

const LIST = { kind: 'tool', member: 'tools', cursor: '' } as const;

function answer(more: object): Message {
  const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, ...more }));
  return readMessage(new JsonScanner(), bytes, 0, bytes.length);
}

/** What was asked for, and what is in it when its bytes are gone. */
function asked(
  message: Message,
  declaring: Parameters<typeof scanDeclared>[2],
  { holds = true, isDone = false, isAll = false } = {},
) {
  let read: (() => Declared) | undefined;
  let key = '';
  const state = scanDeclared(
    {
      holds,
      lists: new ListReader(),
      isScanned: (of, readLater) => {
        key = of;
        read = readLater;
        return isDone;
      },
      isAll: () => isAll,
    },
    message,
    declaring,
  );
  message.bytes.fill(0x20);
  const declared = read?.();
  return {
    state,
    key,
    isWhole: declared?.isWhole,
    isAll: declared?.isAll,
    names: declared?.definitions.map(({ kind, name }) => `${kind} ${name}`),
  };
}

it('the definitions in a list', () => {
  const list = { result: { tools: [{ name: 'a' }, { name: 'b', description: 'x' }] } };
  expect(asked(answer(list), LIST)).toMatchObject({ state: 'not_yet', names: ['tool a', 'tool b'] });
  expect(asked(answer(list), LIST).key).not.toBe(asked(answer({ result: { tools: [] } }), LIST).key);
});

it.each([
  [[{ name: 'a' }], true],
  [[{ name: 'a' }, { description: 'no name' }], false],
  [{ a: 1 }, true],
])('%j: has names for all: %s', (tools, isWhole) => {
  expect(asked(answer({ result: { tools } }), LIST).isWhole).toBe(isWhole);
});

it('instructions', () => {
  expect(asked(answer({ result: { instructions: 'Be kind.' } }), 'greeting')).toMatchObject({
    state: 'not_yet',
    names: ['instructions '],
  });
});

it.each([
  [answer({ result: {} }), 'greeting', true],
  [answer({ result: { instructions: '' } }), 'greeting', true],
  [answer({ error: { code: 1, message: 'm' } }), LIST, true],
  [answer({ result: { tools: [{ name: 'a' }] } }), LIST, false],
] as const)('nothing that waits', (message, declaring, holds) => {
  expect(asked(message, declaring, { holds })).toMatchObject({ state: 'part', names: undefined });
});

it.each<[result: object, isAll: boolean]>([
  [{ tools: [{ name: 'a' }] }, true],
  [{ tools: [] }, true],
  [{ tools: [{ name: 'a' }], nextCursor: '2' }, false],
  [{ tools: [{ name: 'a' }], _meta: {} }, false],
  [{ tools: [{ name: 'a' }, { description: 'no name' }] }, false],
  [{ tools: [{ name: 'a' }, 'no object'] }, false],
  [{ tools: [{ name: 'a'.repeat(2000) }] }, false],
  [{ tools: { a: { name: 'a' } } }, false],
  [{}, false],
])('of %j, definitions are all that there is: %s', (result, isAll) => {
  expect(asked(answer({ result }), LIST).isAll).toBe(isAll);
});

it('is done with all of a list, or with a part of it', () => {
  const list = answer({ result: { tools: [{ name: 'a' }] } });
  expect(asked(list, LIST, { isDone: true, isAll: true }).state).toBe('all');
  expect(asked(answer({ result: { tools: [] } }), LIST, { isDone: true }).state).toBe('part');
});
