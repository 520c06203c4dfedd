import { expect, it } from 'vitest';
import { CLIENT_STYLES } from '../../../../src/protocol/llm/tool-names/client-styles.ts';
import { listFiles, readSource } from '../../../structure/source.ts';

it('every style is in the list, under a name of its own', () => {
  const texts = listFiles('src/protocol/llm/tool-names', '.ts').map(readSource);
  const written = texts.flatMap((text) => Array.from(text.matchAll(/: ClientStyle = \{\s*id: '([^']+)'/g), ([, id]) => id));
  const ids = CLIENT_STYLES.map(({ id }) => id);
  expect(written.toSorted()).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});
