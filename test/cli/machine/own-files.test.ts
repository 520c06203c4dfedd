import { expect, it } from 'vitest';
import { ownFiles } from '../../../src/cli/machine/own-files.ts';

it('names every file that decides, and every one that keeps others out, where there is one', () => {
  const audit = { sync: 'normal', retain: 1, maxSize: 1, jsonl: '/events', log: 'decisions' } as const;
  const tls = { cert: '/cert', key: '/key' };
  const serve = { tls, tokenFile: '/token', hosts: [] };
  const files = ownFiles({ file: '/policy', project: undefined }, { file: '/config', audit, serve });
  expect(files.flatMap(({ path }) => path ?? [])).toEqual(['/policy', '/config', '/events', '/key', '/cert', '/token']);
});
