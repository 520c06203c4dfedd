import { expect, it } from 'vitest';
import { CLIENT_STYLES } from '../../../../src/protocol/llm/tool-names/client-styles.ts';
import { listFiles, readSource } from '../../../structure/source.ts';

it('every style is in the list, under a name of its own', () => {
  const files = listFiles('src/protocol/llm/tool-names', '.ts').filter((file) => /: ClientStyle = /.test(readSource(file)));
  const ids = CLIENT_STYLES.map(({ id }) => id);
  expect(files.map((file) => file.replace(/^.*\/|\.ts$/g, '')).toSorted()).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});
