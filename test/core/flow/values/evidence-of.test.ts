import { describe, expect, it } from 'vitest';
import { EvidenceOf, type Hit } from '../../../../src/core/flow/values/evidence-of.ts';

const TEXT =
  'grandma hides her ring in the blue biscuit tin\noperation completed successfully today\nkey vt9kqz4mxr7wlpb2 4929 3813 3266 4295';

function hit(kind: Hit['kind'], value: string): Hit {
  const start = TEXT.indexOf(value);
  return { kind, start, end: start + value.length };
}

describe('EvidenceOf', () => {
  it.each<[string, readonly Hit[]]>([
    ['an identifier of 16 characters', [hit('piece', 'vt9kqz4mxr7w'), hit('piece', 'qz4mxr7wlpb2')]],
    ['a number of 16 digits', [hit('number', '4929 3813 3'), hit('number', '3 3266 4295')]],
    ['a line of 46 characters', [hit('line', 'grandma hides her ring in the blue biscuit tin')]],
    ['a passage of 37 characters', [hit('passage', 'grandma hides her ring in the blue bi')]],
    ['2 identifiers', [hit('piece', 'grandma hides'), hit('piece', 'vt9kqz4mxr7w')]],
    [
      'a line of 46 characters, an identifier of 12 characters and a number of 9 digits',
      [hit('line', 'grandma hides her ring in the blue biscuit tin'), hit('piece', 'vt9kqz4mxr7w'), hit('number', '4929 3813 3')],
    ],
  ])('%s', (description, hits) => {
    const evidence = new EvidenceOf(TEXT, hits);
    expect(evidence.isEnough()).toBe(true);
    expect(evidence.describe()).toBe(description);
  });

  it.each<[string, readonly Hit[]]>([
    ['nothing', []],
    ['a short passage', [hit('passage', 'ring in the blue biscuit')]],
    ['common words', [hit('line', 'operation completed successfully today'), hit('passage', 'operation completed successfully')]],
  ])('%s is not enough', (_name, hits) => {
    expect(new EvidenceOf(TEXT, hits).isEnough()).toBe(false);
  });
});
