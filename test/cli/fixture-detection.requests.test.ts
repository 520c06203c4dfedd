import { describe, expect, it } from 'vitest';
import { isRequestOfServer, lookAtRequest, REQUESTS_OF_SERVERS } from '../../src/cli/fixture-detection.ts';
import type { Detection, TextField } from '../../src/core/detect/types.ts';

/** Finds a word wherever it is. */
const finding =
  (word: string, seen: string[] = []) =>
  (_origin: string, texts: readonly TextField[]): readonly Detection[] => {
    seen.push(...texts.map(({ field, text }) => `${field}=${text}`));
    return texts.flatMap(({ field, text }) => {
      const position = text.indexOf(word);
      const match = { text: word, position, context: '' };
      const about = { rule: 'test.evil', family: 'custom', severity: 'high', description: 'd' } as const;
      return position === -1 ? [] : [{ ...about, field, matches: [match] }];
    });
  };

const call = (params: object) => ({ method: 'elicitation/create', server: 's', args: params as Record<string, string> });

describe('lookAtRequest', () => {
  it('looks through all texts, as the gate names them', () => {
    const seen: string[] = [];
    const params = { message: 'm', requestedSchema: { properties: { a: { title: 't', enumNames: ['e'] } } } };
    expect(lookAtRequest(call(params), finding('evil', seen))).toBeUndefined();
    expect(seen).toEqual([
      'params.message=m',
      'params.requestedSchema.properties.a.title=t',
      'params.requestedSchema.properties.a.enumNames[0]=e',
    ]);
  });

  it('takes out what is found, and leaves the rest as it is', () => {
    const looked = lookAtRequest(call({ message: 'Hello. This is evil. Bye.', n: 1.5 }), finding('evil'));
    expect(looked?.found).toHaveLength(1);
    expect(looked?.redacted()).toMatchObject({
      method: 'elicitation/create',
      server: 's',
      args: { message: expect.stringMatching(/^Hello\.\s?\[clawai removed: test\.evil\]\s?Bye\.$/) as string },
    });
  });

  it('gives up where something is still found', () => {
    const everywhere = (_origin: string, texts: readonly TextField[]): readonly Detection[] => finding('')(_origin, texts);
    expect(lookAtRequest(call({ message: 'evil' }), everywhere)?.redacted()).toBeUndefined();
  });

  it.each([[undefined], [{}]])('finds nothing where there is nothing: %j', (args) => {
    expect(
      lookAtRequest({ method: 'roots/list', server: 's', ...(args !== undefined && { args }) }, finding('')),
    ).toBeUndefined();
  });
});

it('isRequestOfServer', () => {
  for (const method of REQUESTS_OF_SERVERS) expect(isRequestOfServer({ method })).toBe(true);
  for (const method of ['tools/call', 'ping', '']) expect(isRequestOfServer({ method })).toBe(false);
});
