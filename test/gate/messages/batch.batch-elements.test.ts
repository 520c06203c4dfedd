import { describe, expect, it } from 'vitest';
import { batchElements, batchProblem } from '../../../src/gate/messages/batch.ts';
import { Connection } from '../../../src/gate/connection.ts';
import { MOST_ELEMENTS, readMessage } from '../../../src/protocol/jsonrpc.ts';
import { testSetup } from '../../support/gate.ts';

function methodsIn(text: string, revision: string | undefined): readonly (string | undefined)[] | undefined {
  const connection = new Connection(testSetup(''));
  connection.revision = revision;
  const bytes = Buffer.from(text);
  const message = readMessage(connection.scanner, bytes, 0, bytes.length);
  return batchElements(connection, message)?.map(({ method }) => method);
}

const notes = (count: number): string => `[${Array.from({ length: count }, () => '{"jsonrpc":"2.0","method":"n"}').join(',')}]`;

describe('batchElements', () => {
  it.each([
    [' [ {"jsonrpc":"2.0","method":"a"} , {"jsonrpc":"2.0","method":"b"} ] ', ['a', 'b']],
    ['[]', undefined],
    ['[{"jsonrpc":"2.0","method":"a"}', undefined],
    [notes(MOST_ELEMENTS + 1), undefined],
  ])('%.60s', (text, expected) => {
    expect(methodsIn(text, '2025-03-26')).toEqual(expected);
  });

  it.each([undefined, '2024-11-05', '2025-06-18', '2025-11-25', '2026-07-28'])('there is none in revision %s', (revision) => {
    expect(methodsIn(notes(1), revision)).toBeUndefined();
  });
});

it('batchProblem says whether there may be batches at all', () => {
  expect(batchProblem({ revision: '2025-06-18' } as Connection)).toBe('batches are not accepted');
  expect(batchProblem({ revision: '2025-03-26' } as Connection)).toBe(`not a batch of 1 to ${MOST_ELEMENTS} messages`);
});
